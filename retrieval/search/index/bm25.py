"""BM25 with the statistics of whatever is searched (Robertson and Zaragoza 2009)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ....core.words import characters_of as characters_of
from ....kg.storage.term_counts import TermCounts, term_number

_COMPARED = 1 << 24
"""Terms compared one by one before they are sorted: a scope that is asked once is not worth it."""
_REMEMBERED = 32
"""Terms found last: the fields of a search ask for the same ones."""


class Postings:
    """The counted terms of consecutive documents, joined: one row a chunk."""

    def __init__(self, parts: Sequence[TermCounts]) -> None:
        self.rows = sum(part.chunks for part in parts)
        firsts = np.cumsum([0, *(part.chunks for part in parts)])
        self._terms = np.concatenate([np.empty(0, np.uint64), *(part.terms for part in parts)])
        self._sizes = np.concatenate([np.empty(0, np.uint8), *(part.sizes for part in parts)])
        self._starts = np.cumsum(self._sizes, dtype=np.int64) - self._sizes
        moved = [np.add(part.rows, first, dtype=np.int32) for part, first in zip(parts, firsts.tolist(), strict=False)]
        self._rows = np.concatenate([np.empty(0, np.int32), *moved])
        self._counts = np.concatenate([np.empty(0, np.uint8), *(part.counts for part in parts)])
        lengths = (np.bincount(part.rows, part.counts, part.chunks) for part in parts)
        self.lengths = np.concatenate([np.empty(0), *lengths]).astype(np.float32)
        """Terms of each row, float32 (rows,)."""
        self._compared = 0
        self._order: np.ndarray | None = None
        self._found: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def of(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Rows that hold the term, ascending, and how often, float32."""
        known = self._found.get(term)
        if known is None:
            known = self._gathered(self._places(np.uint64(term_number(term))))
            if len(self._found) >= _REMEMBERED:
                self._found = {}
            self._found[term] = known
        return known

    def _gathered(self, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sizes = self._sizes[found]
        ends = np.cumsum(sizes, dtype=np.int64)
        at = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self._starts[found] - (ends - sizes), sizes)
        return self._rows[at], self._counts[at].astype(np.float32)

    def alike(self) -> np.ndarray:
        """Of each row but the first, whether it holds the same terms as the row before."""
        sums = np.zeros(self.rows, np.uint64)
        np.add.at(sums, self._rows, np.repeat(self._terms, self._sizes) * self._counts)
        return np.asarray(sums[1:] == sums[:-1])

    def _places(self, number: np.uint64) -> np.ndarray:
        """Where the term stands among those of all documents, ascending."""
        if self._order is None:
            self._compared += len(self._terms)
            if self._compared <= _COMPARED:
                return np.flatnonzero(self._terms == number)
            self._order = np.argsort(self._terms, kind="stable")
        order = self._order
        low, high = (int(np.searchsorted(self._terms, number, side, order)) for side in ("left", "right"))
        return order[low:high]


_REMEMBERED_ROWS = 1_000_000
"""Rows of terms whose scores are kept, 12 bytes each: questions in a row share words, and each field scores them."""
_REMEMBERED_TERMS = 2_000
_NEIGHBOUR = 0.7
"""Share of the terms beside a chunk that count as its own: chunks are short, and a page is what is looked for."""


class Lexicon:
    """Terms of a scope as one field: scores a weighted query in the time its terms' postings take."""

    def __init__(self, counted: Postings, windows: np.ndarray | None = None, whole: np.ndarray | None = None) -> None:
        """``windows`` (rows,) numbers the page of each row: rows of one page also count the terms beside them.

        Rows where ``whole`` (rows,) is set count all terms of their window: what is asked in a call is rarely answered
        in one sentence.
        """
        self._counted = counted
        self._windows = windows
        self._whole = whole if whole is not None and whole.any() else None
        self._follows = windows[1:] == windows[:-1] if windows is not None else None
        self._scored: dict[tuple[str, float, float], tuple[np.ndarray, np.ndarray]] = {}
        self._rows_scored = 0
        lengths = counted.lengths
        self._lengths = lengths if self._follows is None else self._with_neighbours(np.arange(len(lengths)), lengths)
        self._mean = float(self._lengths.mean()) if len(self._lengths) else 0.0

    def postings(self, term: str, without: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Rows that hold the term, ascending, and how often; as if rows ``without`` (bool (rows,)) held nothing."""
        rows, counts = self._counted.of(term)
        if without is not None:
            counts = counts[~without[rows]]
            rows = rows[~without[rows]]
        if self._follows is None or not len(rows):
            return rows, counts
        dense = self._with_neighbours(rows, counts)
        found = np.flatnonzero(dense)
        return found, dense[found]

    def scores(
        self, terms: Mapping[str, float], k1: float = 1.5, b: float = 0.75, without: np.ndarray | None = None
    ) -> np.ndarray:
        """BM25 of every row, float32 (rows,); ``terms`` gives each query term its weight, ``without`` as above."""
        scores = np.zeros(len(self._lengths), np.float32)
        if not self._mean:
            return scores
        for term, weight in terms.items():
            found, own = self._term_scores(term, k1, b) if without is None else self._score(term, k1, b, without)
            scores[found] += np.float32(weight) * own
        return scores

    def _term_scores(self, term: str, k1: float, b: float) -> tuple[np.ndarray, np.ndarray]:
        """Rows that hold the term, and its score in each, from memory where it was asked before."""
        key = term, k1, b
        known = self._scored.get(key)
        if known is None:
            known = self._score(term, k1, b, None)
            self._rows_scored += len(known[0])
            if self._rows_scored > _REMEMBERED_ROWS or len(self._scored) >= _REMEMBERED_TERMS:
                self._scored, self._rows_scored = {}, len(known[0])
            self._scored[key] = known
        return known

    def _score(self, term: str, k1: float, b: float, without: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        found, counts = self.postings(term, without)
        rows = len(self._lengths)
        rarity = np.log(1 + (rows - len(found) + 0.5) / (len(found) + 0.5))
        norm = k1 * (1 - b + b * self._lengths[found] / self._mean)
        own = rarity * counts * (k1 + 1) / (counts + norm)
        return found, own.astype(np.float32)

    def _with_neighbours(self, rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """What rows hold and a share of it for the rows beside them in the same window, float32 (all rows,)."""
        follows = self._follows
        assert follows is not None
        dense = np.zeros(self._counted.rows, np.float32)
        share = np.float32(_NEIGHBOUR) * counts
        after = rows < len(follows)
        after[after] = follows[rows[after]]
        dense[rows[after] + 1] = share[after]
        dense[rows] += counts
        before = rows > 0
        before[before] = follows[rows[before] - 1]
        dense[rows[before] - 1] += share[before]
        if self._whole is not None and self._windows is not None:
            of_window = np.bincount(self._windows[rows], counts, int(self._windows.max()) + 1)
            dense[self._whole] = of_window[self._windows[self._whole]]
        return dense
