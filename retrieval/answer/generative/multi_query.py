"""Several ways of putting a question, found by a model; their rankings are fused. Without them one search is enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ....core.errors import ModelError
from ....core.language import language_of
from ....models.language import Message
from ...question.plan import NO_KEYWORDS, Keywords
from ...search.evidence import TEXTS, Evidence, Trace
from ...search.weights import reciprocal_rank_fusion
from .prompts import fill

if TYPE_CHECKING:
    from ....models.language import LanguageModel

_NUMBERING = re.compile(r"^\s*(?:[-*•]|\d+[.)、])\s*")
_LONGEST = 300
"""Characters; what is longer is talk, not a question."""
_LONGEST_PASSAGE = 600
"""Characters of an imagined passage: what the encoder reads of it."""
_FIGURES = re.compile(r"[$€£¥]?\d(?:[\d,.]{0,30}\d)?(?:\s?[%％])?")
_MOST_KEYWORDS, _LONGEST_KEYWORD = 6, 80
"""Names, and themes, that are taken of one reply; characters of each."""
_TEXTS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
_KEYWORDS: Mapping[str, Any] = {
    "type": "object",
    "properties": {"names": _TEXTS, "themes": _TEXTS},
    "required": ["names", "themes"],
}
_OTHER = 0.3
"""Worth of another wording's ranking beside that of the question itself: two that agree do not outvote it."""
_CONSTANT = 10.0
"""The first places of few rankings that are good by themselves count for more than the usual 60 lets them."""


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


def imagined_answer(model: LanguageModel | None, question: str, trace: Trace) -> str:
    """The passage that would answer, as a model imagines it (HyDE); "" without a model or where it fails.

    Its figures are taken out: they are made up, and a search looks for the figures of a question.
    Source: Gao, Ma, Lin and Callan, "Precise Zero-Shot Dense Retrieval without Relevance Labels", 2023.
    """
    if model is None:
        return ""
    asked = fill("hyde", language_of(question))
    try:
        reply = model.reply([Message("system", asked), Message("user", question)])
    except ModelError as error:
        trace.note("hyde", {"failed": str(error)})
        return ""
    passage = " ".join(_FIGURES.sub(" ", reply.text).split())[:_LONGEST_PASSAGE]
    trace.note("hyde", passage)
    return passage


def graph_keywords(model: LanguageModel | None, question: str, trace: Trace) -> Keywords:
    """The names and the themes of a question, as documents would say them; none without a model or where it fails.

    Source: Guo et al., "LightRAG: Simple and Fast Retrieval-Augmented Generation", 2024 (low- and high-level keywords).
    """
    if model is None:
        return NO_KEYWORDS
    asked = [Message("system", fill("keywords", language_of(question))), Message("user", question)]
    try:
        data = model.reply(asked, schema=_KEYWORDS).data
    except ModelError as error:
        trace.note("graph keywords", {"failed": str(error)})
        return NO_KEYWORDS
    given = data if isinstance(data, Mapping) else {}
    found = Keywords(_short_texts(given.get("names")), _short_texts(given.get("themes")))
    trace.note("graph keywords", asdict(found))
    return found


def _short_texts(given: Any) -> tuple[str, ...]:
    """The first texts of a list that a model gave, each once, white space plain; what is long is talk."""
    if not isinstance(given, list):
        return ()
    texts = (" ".join(text.split()) for text in given if isinstance(text, str))
    return tuple(dict.fromkeys(text for text in texts if 0 < len(text) <= _LONGEST_KEYWORD))[:_MOST_KEYWORDS]


def search_each(search: Callable[[str], list[Evidence]], question: str, others: Sequence[str]) -> list[Evidence]:
    """The rankings of all wordings as one, by reciprocal rank; each piece as the first ranking that has it gives it.

    Pages are fused rather than pieces: two wordings often find two pieces of the page that answers, and would lose it
    to pages of which both find the same piece. Source: Cormack, Clarke and Buettcher 2009.
    """
    rankings = list(map(search, (question, *others)))
    if len(rankings) == 1:
        return rankings[0]
    keyed = list(map(_keyed, rankings))
    by_key = {key: item for ranking in reversed(keyed) for key, item in ranking.items()}
    weights = [1.0, *(_OTHER for _ in others)]
    fused = reciprocal_rank_fusion(list(map(list, keyed)), _CONSTANT, weights)
    return list({_own_key(by_key[key]): by_key[key] for key, _ in fused}.values())


def _keyed(ranking: Sequence[Evidence]) -> dict[str, Evidence]:
    """The first piece of each page under its page, every further one under its own key; in order."""
    keyed: dict[str, Evidence] = {}
    for item in ranking:
        page = f"page {item.page} of {item.source}" if item.page and item.kind in TEXTS else ""
        keyed.setdefault(page if page and page not in keyed else _own_key(item), item)
    return keyed


def _own_key(item: Evidence) -> str:
    return f"{item.kind}:{item.id or item.text}"
