"""Which names a text writes, and where a name stands: as such, not as a part of other words or names."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial, reduce

import numpy as np

from ....core.names import is_chinese, name_key
from ....core.words import search_words
from ....kg.extraction.rules.runs import find_runs
from .base import RankingContext

_COMMON, _COMMON_SHARE = 20, 0.02
"""A name that more passages hold, by number and by share of all, joins nothing."""


@lru_cache(maxsize=1 << 13)
def written_names(sentence: str) -> frozenset[str]:
    """Keys of what a sentence writes as names."""
    return frozenset(filter(None, (name_key(run.text) for run in find_runs(sentence))))


def keys_of(names: Iterable[str]) -> list[str]:
    """Their keys, each once, in order."""
    return list(dict.fromkeys(filter(None, map(name_key, names))))


def says(text: str, name: str, besides: Collection[str] = ()) -> bool:
    """True where a text has the words of a name one after the other, in whatever case, and not only within one of the
    longer names ``besides``.

    >>> says("the bbc sports personality award", "bbc sports personality"), says("Tirana", "iran")
    (True, False)
    >>> says("New York grew.", "york", besides=["new york"]), says("York, New York", "york", besides=["new york"])
    (False, True)
    >>> says("博尔特收购了苹果公司。", "苹果")
    True
    """
    sought = _as_words(name)
    folded = f" {_folded(text)} "
    if sought not in folded:
        return False
    for longer in besides:
        if len(longer) > len(name) and sought in _as_words(longer):
            folded = folded.replace(_as_words(longer), "  ")
    return sought in folded


def _as_words(name: str) -> str:
    """A name with a blank on both sides, in Chinese as it is: it is written without blanks."""
    return name if is_chinese(name) else f" {name} "


@lru_cache(maxsize=1 << 11)
def _folded(text: str) -> str:
    return name_key(text)


@dataclass(frozen=True)
class NamePlaces:
    """Where names stand in the passages searched, each looked up once a question."""

    context: RankingContext
    _rows: dict[str, np.ndarray] = field(default_factory=dict)

    def rows(self, name: str) -> np.ndarray:
        """Rows of the chunks that hold all the words of a name, ascending."""
        found = self._rows.get(name)
        if found is None:
            terms = self.context.index.words
            found = self._rows[name] = _rows_of_all([terms.postings(word)[0] for word in search_words(name)])
        return found

    def rarity(self, name: str) -> float:
        """1 for a name of one chunk, 0 for one of all."""
        passages = max(2, len(self.context.index))
        return max(0.0, math.log(passages / max(1, len(self.rows(name)))) / math.log(passages))

    def is_rare(self, name: str, least: int = 1) -> bool:
        """True for a name of ``least`` chunks and not of too many."""
        return least <= len(self.rows(name)) <= max(_COMMON, round(_COMMON_SHARE * len(self.context.index.places)))


def _rows_of_all(postings: list[np.ndarray]) -> np.ndarray:
    """The rows that stand in every one of the lists; none of no list."""
    if not postings:
        return np.empty(0, np.int64)
    return reduce(partial(np.intersect1d, assume_unique=True), postings)
