"""What a company says again from filing to filing, word by word but for little: the longer version is kept.

Only what has the same figures is the same: a paragraph of last year with last year's figures says something else. Where
a time, a comparison or a document is asked for, every filing says it for itself and nothing is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
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
    prints = _Prints()
    companies = _companies_of({passage.chunk.document for passage in passages}, catalogue)
    for passage in passages:
        at = next((at for at, other in enumerate(kept) if _is_again(other, passage, prints, companies)), None)
        if at is None:
            kept.append(passage)
        elif prints.of(passage).words > prints.of(kept[at]).words:
            kept[at] = passage
    return kept


class _Prints(dict[str, _Print]):
    """Chunk -> its print, made when it is first compared: few passages are of a company that another one is of."""

    def of(self, passage: Passage) -> _Print:
        known = self.get(passage.chunk.id)
        if known is None:
            known = self[passage.chunk.id] = _Print.of(passage.chunk.text)
        return known


def _companies_of(sources: Collection[str], catalogue: Catalogue) -> dict[str, frozenset[str]]:
    """Document -> its companies; of one that the catalogue does not know, none."""
    known = catalogue.by_source
    return {source: frozenset(known[source].companies) if source in known else frozenset() for source in sources}


def _is_again(first: Passage, second: Passage, prints: _Prints, companies: Mapping[str, frozenset[str]]) -> bool:
    sources = first.chunk.document, second.chunk.document
    if sources[0] == sources[1] or first.chunk.kind != second.chunk.kind:
        return False
    if companies[sources[0]].isdisjoint(companies[sources[1]]):
        return False
    return prints.of(first).repeats(prints.of(second))
