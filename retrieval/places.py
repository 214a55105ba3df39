"""Places: what is ranked and counted once. A page; a whole short document without pages; else a chunk."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..ingest.document import Page
from ..kg.store import ChunkWords

_SHORT = 6
"""A document without pages and with at most so many chunks is one place."""


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a scope's chunks. Arrays named ``of_chunk`` have one entry a chunk, all others one a place."""

    of_chunk: np.ndarray
    """The place of each chunk, int32."""
    document: np.ndarray
    """Index of the document, int32."""
    of_page: Mapping[tuple[str, int], int]
    """(source, page number from 1) -> place."""
    classes: Mapping[str, np.ndarray]
    """Page class -> score 0..1, float32; absent classes are 0 everywhere."""

    def __len__(self) -> int:
        return len(self.document)

    @classmethod
    def of(
        cls,
        rows: Sequence[ChunkWords],
        document: np.ndarray,
        pages: Mapping[str, Sequence[Page]],
    ) -> Places:
        """Group chunks (in order of source and ordinal) by the page on which most of them stands."""
        size = Counter(row.document for row in rows)
        numbers: dict[tuple[str, int], int] = {}
        of_chunk = np.array([numbers.setdefault(_key(row, pages, size), len(numbers)) for row in rows], np.int32)
        owner = np.zeros(len(numbers), np.int32)
        owner[of_chunk] = document
        of_page = {(s, pages[s][at].number): place for (s, at), place in numbers.items() if pages.get(s)}
        return cls(of_chunk, owner, of_page, _classes(numbers, pages))

    def best(self, scores: np.ndarray) -> np.ndarray:
        """The best chunk's score of each place, float32."""
        best = np.full(len(self), -np.inf, np.float32)
        np.maximum.at(best, self.of_chunk, scores)
        return best


def _key(row: ChunkWords, pages: Mapping[str, Sequence[Page]], size: Mapping[str, int]) -> tuple[str, int]:
    own = pages.get(row.document, ())
    if own:
        return row.document, page_index(own, row.start, row.end)
    return row.document, 0 if size[row.document] <= _SHORT else row.ordinal


def page_index(pages: Sequence[Page], start: int, end: int) -> int:
    """Index of the page that holds most of ``text[start:end]``; the first of equals."""
    first = max(0, bisect_right(pages, start, key=lambda page: page.start) - 1)
    best, most = first, -1
    for at in range(first, len(pages)):
        if pages[at].start >= end and at > first:
            break
        share = min(end, pages[at].end) - max(start, pages[at].start)
        if share > most:
            best, most = at, share
    return best


def _classes(numbers: Mapping[tuple[str, int], int], pages: Mapping[str, Sequence[Page]]) -> dict[str, np.ndarray]:
    classes: dict[str, np.ndarray] = {}
    for source, own in pages.items():
        for at, page in enumerate(own):
            place = numbers.get((source, at))
            if place is not None:
                for name, score in page.classes.items():
                    classes.setdefault(name, np.zeros(len(numbers), np.float32))[place] = score
    return classes
