"""How much of an answer a context holds: the answer's words and figures where they stand in the gold text.

Own definition: a model-free stand-in for context recall (Es et al. 2023, RAGAS), which asks a model of each claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...retrieval.search.evidence import Evidence

_WORD = re.compile(r"\d[\d,.]*\d|\d|[^\W\d_]+")
_COMMON = (
    "a an and are as at be been but by did do does for from had has have how if in into is it its many may much no not "
    "of on or such that the their then there these they this to was were what which will with would"
)
_STOP = frozenset(_COMMON.split())


@dataclass(frozen=True, slots=True)
class GoldText:
    """``text[start:end]`` of a document, and the words of the answer that stand in it."""

    source: str
    start: int
    end: int
    words: frozenset[str]


def answer_words(text: str) -> frozenset[str]:
    """Words and figures in lower case, the commonest words and single letters left out.

    >>> sorted(answer_words("Revenue of $3,412 million was the highest."))
    ['3,412', 'highest', 'million', 'revenue']
    """
    return frozenset(word for word in _WORD.findall(text.lower()) if len(word) > 1 and word not in _STOP)


def answer_recall(gold: Sequence[GoldText], context: Sequence[Evidence]) -> float:
    """``|words held| / |words|`` over all gold texts; a word counts where a piece has it from the gold text itself."""
    held = wanted = 0
    for text in gold:
        parts = (piece.text[max(0, text.start - piece.start) : text.end - piece.start] for piece in context
                 if piece.source == text.source and piece.start < text.end and text.start < piece.end)  # fmt: skip
        found = frozenset().union(*map(answer_words, parts))
        held += len(text.words & found)
        wanted += len(text.words)
    return held / wanted if wanted else 0.0
