"""Several ways of putting a question, found by a model; their rankings are fused. Without them one search is enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..core.errors import ModelError
from ..models.language import Message
from .evidence import Evidence
from .fusion import reciprocal_rank_fusion
from .prompting import fill, language_of
from .trace import Trace

if TYPE_CHECKING:
    from ..models.language import LanguageModel

_NUMBERING = re.compile(r"^\s*(?:[-*•]|\d+[.)、])\s*")
_LONGEST = 300
"""Characters; what is longer is talk, not a question."""


def other_queries(model: LanguageModel | None, question: str, count: int, trace: Trace) -> list[str]:
    """Up to ``count`` - 1 other wordings; none without a model or where it fails. The model's cache keeps them."""
    if model is None or count < 2:
        return []
    asked = fill("queries", language_of(question), count=count - 1)
    try:
        reply = model.reply([Message("system", asked), Message("user", question)])
    except ModelError as error:
        trace.note("queries", {"failed": str(error)})
        return []
    lines = [_NUMBERING.sub("", line).strip() for line in reply.text.splitlines()]
    found = [line for line in dict.fromkeys(lines) if 0 < len(line) <= _LONGEST and line != question][: count - 1]
    trace.note("queries", found)
    return found


def search_each(search: Callable[[str], list[Evidence]], question: str, others: Sequence[str]) -> list[Evidence]:
    """The rankings of all wordings as one, by reciprocal rank; each piece as the first ranking that has it gives it.

    Source: Cormack, Clarke and Buettcher 2009.
    """
    rankings = [search(query) for query in (question, *others)]
    if len(rankings) == 1:
        return rankings[0]
    by_key = {_key(item): item for ranking in reversed(rankings) for item in ranking}
    fused = reciprocal_rank_fusion([[_key(item) for item in ranking] for ranking in rankings])
    return [by_key[key] for key, _ in fused]


def _key(item: Evidence) -> str:
    return f"{item.kind}:{item.id or item.text}"
