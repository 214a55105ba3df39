"""What a search leaves out: contents pages, disclaimers, contacts, covers, headers and footers that were read as text.

They are stored with their documents and cited as ever; they only do not stand in the way of what explains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.patterns import PatternTable
from ...ingest.pieces.value import left_out_below
from ..question.question import Question

if TYPE_CHECKING:
    from .index.corpus import ScopeIndex

_ASKED = PatternTable(__package__, "left_out.toml", "asked")


def asks_for_left_out(question: Question) -> bool:
    """True for a question about what is otherwise left out: "Whom do investors contact?"."""
    return any(_ASKED.any(language, question.text) for language in _ASKED)


def left_out_chunks(index: ScopeIndex, question: Question, *, all_text: bool) -> np.ndarray | None:
    """The chunks that are not searched, bool (chunks,); None where all are.

    A document of nothing else is searched whole: somebody wanted it in here.
    """
    if all_text or asks_for_left_out(question):
        return None
    low = index.values <= left_out_below()
    if not low.any():
        return None
    rest = np.bincount(index.document[~low], minlength=len(index.sources))
    left_out = low & (rest[index.document] > 0)
    return left_out if left_out.any() else None
