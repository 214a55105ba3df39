"""What a company says again from filing to filing, word by word but for little: the longer version is kept.

Only what has the same figures is the same: a paragraph of last year with last year's figures says something else. Where
a time, a comparison or a document is asked for, every filing says it for itself and nothing is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..question.scope.catalogue import Catalogue
from ..question.scope.document_filter import Selection
from .passages import Passage
from .ranking.query import Query

_SHINGLE = 4
"""Words that are compared at a time (Broder 1997)."""
_SAME = 0.8
"""Share of the shorter text's shingles that the longer one has."""
_SHORTEST = 20
"""Words from which a text is compared: short ones are alike by chance."""
_FIGURE = re.compile(r"\d[\d,.]{0,30}")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{1,60}|[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class _Print:
    """What two texts are compared by."""

    shingles: frozenset[tuple[str, ...]]
    figures: tuple[str, ...]
    words: int

    @classmethod
    def of(cls, text: str) -> _Print:
        words = _WORD.findall(text.lower())
        shingles = frozenset(tuple(words[at : at + _SHINGLE]) for at in range(len(words) - _SHINGLE + 1))
        return cls(shingles, tuple(sorted(_FIGURE.findall(text))), len(words))

    def repeats(self, other: _Print) -> bool:
        """True where the shorter of both stands in the longer, with the same figures."""
        if min(self.words, other.words) < _SHORTEST or self.figures != other.figures:
            return False
        shorter = min(len(self.shingles), len(other.shingles))
        return len(self.shingles & other.shingles) >= _SAME * shorter


def without_near_duplicates(
    passages: Sequence[Passage], catalogue: Catalogue, query: Query, selection: Selection
) -> list[Passage]:
    """The passages in order; of those that filings of one company repeat, the longest in the place of the first."""
    asks_for_time = bool(query.question.periods) or query.question.compares or query.question.several
    if asks_for_time or len(selection.groups) > 1 or len(selection.sources) == 1:
        return list(passages)
    kept: list[Passage] = []
    prints: list[_Print] = []
    for passage in passages:
        own = _Print.of(passage.chunk.text)
        at = next((at for at, other in enumerate(kept) if _is_again(other, passage, prints[at], own, catalogue)), None)
        if at is None:
            kept.append(passage)
            prints.append(own)
        elif own.words > prints[at].words:
            kept[at], prints[at] = passage, own
    return kept


def _is_again(first: Passage, second: Passage, one: _Print, other: _Print, catalogue: Catalogue) -> bool:
    sources = first.chunk.document, second.chunk.document
    if sources[0] == sources[1] or first.chunk.kind != second.chunk.kind:
        return False
    return _same_company(sources, catalogue.by_source) and one.repeats(other)


def _same_company(sources: tuple[str, str], known: Mapping[str, object]) -> bool:
    companies = [frozenset(getattr(known.get(source), "companies", ())) for source in sources]
    return bool(companies[0] & companies[1])
