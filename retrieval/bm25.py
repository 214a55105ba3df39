"""BM25 with the statistics of whatever is searched (Robertson and Zaragoza 2009)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix


class Vocabulary(dict[str, int]):
    """Search terms numbered in order of appearance; grows, so that matrices built at different times fit together.

    >>> vocabulary = Vocabulary()
    >>> vocabulary["bank"], vocabulary["debt"], vocabulary["bank"]
    (0, 1, 0)
    """

    def __missing__(self, term: str) -> int:
        return self.setdefault(term, len(self))


_TERM_BITS = 31
_ANY_TERM = (1 << _TERM_BITS) - 1


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Terms of consecutive chunks in compressed rows: row i is ``terms[starts[i]:starts[i+1]]`` with ``counts``."""

    starts: np.ndarray
    terms: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, texts: Iterable[str], vocabulary: Vocabulary) -> TermCounts:
        """Count the terms of texts whose terms are separated by blanks."""
        terms: list[str] = []
        sizes: list[int] = []
        for text in texts:
            own = text.split()
            if not text.isascii():
                own += [term[0] for term in own if characters_of(term)]
            terms += own
            sizes.append(len(own))
        numbers = np.fromiter(map(vocabulary.__getitem__, terms), np.int64, len(terms))
        rows = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        pairs, counts = np.unique(rows << _TERM_BITS | numbers, return_counts=True)
        starts = np.searchsorted(pairs, np.arange(len(sizes) + 1, dtype=np.int64) << _TERM_BITS)
        return cls(starts.astype(np.int64), (pairs & _ANY_TERM).astype(np.int32), counts.astype(np.float32))

    @classmethod
    def joined(cls, parts: Sequence[TermCounts]) -> TermCounts:
        """The rows of all parts, one after the other."""
        offsets = np.cumsum([0, *(len(part.terms) for part in parts)])
        starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets[:-1], strict=True)]
        return cls(
            np.concatenate([*starts, offsets[-1:]]).astype(np.int64),
            np.concatenate([np.empty(0, np.int32), *(part.terms for part in parts)]),
            np.concatenate([np.empty(0, np.float32), *(part.counts for part in parts)]),
        )


def characters_of(term: str) -> str:
    """The characters of a Chinese pair, for short forms take one of each word; of other terms none.

    >>> characters_of("央行"), characters_of("bank")
    ('央行', '')
    """
    return term if len(term) == 2 and term[0] >= "\u3400" else ""


_NEIGHBOUR = 0.7
"""Share of the terms beside a chunk that count as its own: chunks are short, and a page is what is looked for."""


class Lexicon:
    """Term counts of a scope, by term: scores a weighted query in the time its terms' postings take."""

    def __init__(self, counts: TermCounts, vocabulary: Vocabulary, windows: np.ndarray | None = None) -> None:
        """``windows`` (rows,) numbers the page of each row: rows of one page also count the terms beside them."""
        from scipy.sparse import csr_matrix

        rows = len(counts.starts) - 1
        matrix = csr_matrix((counts.counts, counts.terms, counts.starts), shape=(rows, len(vocabulary) + 1))
        if windows is not None and rows > 1:
            matrix = _with_neighbours(windows) @ matrix
        self._postings: csc_matrix = matrix.tocsc()
        self._vocabulary = vocabulary
        self._lengths = np.asarray(self._postings.sum(axis=1), np.float32).ravel()

    def postings(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Rows that hold the term, ascending, and how often."""
        number = self._vocabulary.get(term)
        if number is None or number >= self._postings.shape[1]:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        first, last = self._postings.indptr[number], self._postings.indptr[number + 1]
        return self._postings.indices[first:last], self._postings.data[first:last]

    def scores(self, terms: Mapping[str, float], k1: float = 1.5, b: float = 0.75) -> np.ndarray:
        """BM25 of every row, float32 (rows,); ``terms`` gives each query term its weight."""
        rows = len(self._lengths)
        scores = np.zeros(rows, np.float32)
        mean = float(self._lengths.mean()) if rows else 0.0
        if not mean:
            return scores
        norm = k1 * (1 - b + b * self._lengths / mean)
        for term, weight in terms.items():
            found, counts = self.postings(term)
            if len(found):
                rarity = np.log(1 + (rows - len(found) + 0.5) / (len(found) + 0.5))
                scores[found] += weight * rarity * counts * (k1 + 1) / (counts + norm[found])
        return scores


def _with_neighbours(windows: np.ndarray) -> csr_matrix:
    """The matrix that adds to each row a share of the rows before and after it in the same window."""
    from scipy.sparse import diags, identity

    same = _NEIGHBOUR * (windows[1:] == windows[:-1]).astype(np.float32)
    beside = diags([same, same], [1, -1], shape=(len(windows), len(windows)), format="csr", dtype=np.float32)
    return (identity(len(windows), np.float32, format="csr") + beside).tocsr()
