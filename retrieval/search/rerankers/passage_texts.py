"""What is read of passages that a name may join: their texts, which names these write, and where a name stands: as
such, not as a part of other words or names."""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import field
from functools import lru_cache, partial, reduce

import numpy as np

from ....core.names import is_chinese, name_key
from ....core.records import dataclass
from ....core.words import search_words
from ....ingest.chunk import Chunk
from ....kg.extraction.rules.runs import find_runs
from ..chunk_evidence import sentence_cosines
from ..scoring import ChunkScores
from .base import RankingContext

_COMMON, _COMMON_SHARE = 20, 0.02
"""A name that more passages hold, by number and by share of all, joins nothing."""
_MOST_CHUNKS = 4
"""Chunks of a place that are read, those nearest to the question: a page of a filing has ten, an article one or two."""
PASSAGE_SHARE = 0.6
"""Of the chunk's cosine in that of its sentences: MuSiQue all gold@5 .43 at .4 to .7, .39 at 0."""
LEAST_COSINE, _UNKNOWN_COSINE = 0.05, 0.3


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


class PassageTexts:
    """The texts of places that a chain may pick: their chunks, how near each sentence is to the question, and what the
    graph knows to be named in them. A place has to be read first."""

    def __init__(self, context: RankingContext) -> None:
        self._context = context
        self._rows: dict[int, list[int]] = {}
        self._chunks: dict[int, Chunk] = {}
        self._cosines: dict[str, np.ndarray] = {}
        self._mentioned: dict[str, list[tuple[int, int, str]]] = defaultdict(list)

    def read(self, places: np.ndarray) -> None:
        """Read places by their numbers; three reads of the store."""
        index, store = self._context.index, self._context.store
        of_chunk = index.places.of_chunk
        for row in np.flatnonzero(np.isin(of_chunk, places)).tolist():
            self._rows.setdefault(int(of_chunk[row]), []).append(row)
        number: dict[str, int] = {}
        for place in places.tolist():
            number.update((index.ids[row], row) for row in self._nearest_rows(place))
        self._chunks |= {number[chunk.id]: chunk for chunk in store.chunks(list(number))}
        for id, cosines in sentence_cosines(store, self._context.query, list(number)).items():
            self._cosines[id] = _in_its_passage(cosines, self._context.scores, number[id])
        for mention in store.mentions(chunks=list(number)):
            self._mentioned[mention.chunk].append((mention.start, mention.end, mention.name))

    def _nearest_rows(self, place: int) -> list[int]:
        """The rows of a place that are read, in the order of the text."""
        rows, dense = self._rows[place], self._context.scores.dense
        if len(rows) <= _MOST_CHUNKS or dense is None:
            return rows[:_MOST_CHUNKS]
        return sorted(sorted(rows, key=lambda row: -float(dense[row]))[:_MOST_CHUNKS])

    def chunks(self, place: int) -> list[Chunk]:
        """The chunks of a place that were read, in the order of the text."""
        return [self._chunks[row] for row in self._rows[place] if row in self._chunks]

    def best_row(self, place: int) -> int:
        """The row of the chunk that stands for a place."""
        rows, dense = self._rows[place], self._context.scores.dense
        if dense is None:
            return rows[0]
        return max(rows, key=lambda row: float(dense[row]))

    def best_sentence(self, place: int) -> float:
        """How near the best sentence of a place is to the question."""
        best = 0.0
        for chunk in self.chunks(place):
            cosines = self._cosines.get(chunk.id)
            if cosines is not None:
                best = max(best, float(cosines.max(initial=0.0)))
        return best

    def cosine(self, chunk: Chunk, number: int) -> float:
        """How near a sentence of a chunk is to the question; of one without a vector nothing is known."""
        cosines = self._cosines.get(chunk.id)
        if cosines is None or number >= len(cosines):
            return _UNKNOWN_COSINE
        return max(LEAST_COSINE, float(cosines[number]))

    def mentioned(self, chunk: Chunk, start: int = 0, end: int = sys.maxsize) -> set[str]:
        """Keys of the entities that the graph knows to be named in a chunk, or between these offsets."""
        mentioned = self._mentioned.get(chunk.id, ())
        return {name_key(name) for first, last, name in mentioned if start <= first and last <= end}


def _in_its_passage(cosines: np.ndarray, scores: ChunkScores, row: int) -> np.ndarray:
    """Cosines of a chunk's sentences mixed with the chunk's own: a sentence alone lacks its title and who "he" is."""
    if scores.dense is None:
        return cosines
    return np.asarray((1 - PASSAGE_SHARE) * cosines + PASSAGE_SHARE * scores.dense[row], np.float32)
