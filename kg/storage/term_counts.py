"""How often each search term stands in each chunk: counted when a document is stored, read by the terms asked.

BM25 of any scope is worked out from these counts. A question has ten terms and a report thousands, so they are kept by
term, and a term is a number: finding one is a comparison of arrays, and nothing is unpacked.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, groupby
from math import log
from typing import TYPE_CHECKING

from ...core.records import dataclass
from ...core.words import characters_of
from .codec import Packed, plain

if TYPE_CHECKING:
    import numpy as np


_HEAD = struct.Struct("<IIIBBB")
"""Chunks, terms, postings; bytes an entry of ``sizes``, ``rows`` and ``counts``."""
_KNOWN_TERMS = 500_000


class _Numbers(dict[str, int]):
    """Term -> its number, the same in every process; remembers the terms met last."""

    def __missing__(self, term: str) -> int:
        if len(self) >= _KNOWN_TERMS:
            self.clear()
        digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return self.setdefault(term, int.from_bytes(digest, "little"))


_NUMBERS = _Numbers()


def term_number(term: str) -> int:
    """The number that a term is kept by: 64 bits, so that two terms of a store never meet."""
    return _NUMBERS[term]


@dataclass(frozen=True, slots=True)
class ChunkWords:
    """The search terms of a chunk. Offsets are in the document's text."""

    id: str
    document: str
    ordinal: int
    words: str
    heading_words: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TermCounts:
    """Of the chunks of one document: term i stands in the next ``sizes[i]`` of ``rows``, in each ``counts`` times."""

    chunks: int
    terms: np.ndarray
    """Numbers of the terms, ascending, uint64."""
    sizes: np.ndarray
    rows: np.ndarray
    """Ordinals of chunks, ascending within a term."""
    counts: np.ndarray

    @classmethod
    def of(cls, texts: Iterable[str]) -> TermCounts:
        """Count the terms of texts whose terms are separated by blanks. A Chinese pair also counts for its first
        character."""
        import numpy as np

        rows = list(map(_terms_of, texts))
        lengths = list(map(len, rows))
        known = map(_NUMBERS.__getitem__, chain.from_iterable(rows))
        numbers = np.fromiter(known, np.uint64, sum(lengths))
        terms, of_token = np.unique(numbers, return_inverse=True)
        each = np.repeat(np.arange(len(rows)), lengths)
        pairs, counts = np.unique(of_token.ravel() * len(rows) + each, return_counts=True)
        of_pair, in_row = np.divmod(pairs, max(len(rows), 1))
        sizes = np.bincount(of_pair, minlength=len(terms))
        return cls(len(rows), terms, *(array.astype(_smallest(array)) for array in (sizes, in_row, counts)))

    def pack(self) -> bytes:
        """For :meth:`unpack`."""
        widths = (array.dtype.itemsize for array in (self.sizes, self.rows, self.counts))
        head = _HEAD.pack(self.chunks, len(self.terms), len(self.rows), *widths)
        arrays = (self.terms, self.sizes, self.rows, self.counts)
        return head + b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays)

    @classmethod
    def unpack(cls, data: bytes, start: int = 0) -> tuple[TermCounts, int]:
        """The counts that begin at ``start``, without a copy, and where they end."""
        import numpy as np

        chunks, terms, postings, *widths = _HEAD.unpack_from(data, start)
        at, arrays = start + _HEAD.size, []
        for size, width in ((terms, 8), (terms, widths[0]), (postings, widths[1]), (postings, widths[2])):
            arrays.append(np.frombuffer(data, f"<u{width}", size, at))
            at += size * width
        return cls(chunks, *arrays), at


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTerms:
    """The chunks of a document and their terms, in order: input of BM25 with the statistics of a scope."""

    source: str
    ids: tuple[str, ...]
    spans: np.ndarray
    """Start and end of each chunk in the document's text, int64 (chunks, 2)."""
    words: TermCounts
    headings: TermCounts
    values: np.ndarray
    """Content value of each chunk, float32 (chunks,); 1 where a store of an older version does not say it."""


def pack_terms(words: Iterable[str], heading_words: Iterable[str]) -> bytes:
    """The counts of a document's texts and of their headings."""
    return TermCounts.of(words).pack() + TermCounts.of(heading_words).pack()


def unpack_terms(data: Packed) -> tuple[TermCounts, TermCounts]:
    """What :func:`pack_terms` was given, counted."""
    counted = plain(data)
    words, end = TermCounts.unpack(counted)
    return words, TermCounts.unpack(counted, end)[0]


def count_terms(rows: Sequence[ChunkWords]) -> list[DocumentTerms]:
    """The terms of chunks in order of source and ordinal, counted now."""
    import numpy as np

    found = []
    for source, own in groupby(rows, key=lambda row: row.document):
        chunks = list(own)
        spans = np.array([(row.start, row.end) for row in chunks], np.int64).reshape(-1, 2)
        values = np.ones(len(chunks), np.float32)
        words, headings = ([row.words for row in chunks], [row.heading_words for row in chunks])
        ids = tuple(row.id for row in chunks)
        found.append(DocumentTerms(source, ids, spans, TermCounts.of(words), TermCounts.of(headings), values))
    return found


def _terms_of(text: str) -> list[str]:
    terms = text.split()
    return terms if text.isascii() else [*terms, *(term[0] for term in terms if characters_of(term))]


def _smallest(values: np.ndarray) -> str:
    most = int(values.max(initial=0))
    return "u1" if most < 1 << 8 else "u2" if most < 1 << 16 else "u4"


SCORED_ROWS = 12_000
"""Chunks that a question may have scored, a microsecond each: in a larger scope its most common words are left out."""
_K1, _B = 1.2, 0.75
_LEAST_RARITY = 1e-6
"""What a word counts that more than half of all chunks hold."""


def words_scored(frequency: Mapping[str, int], chunks: int) -> list[str]:
    """The known words that a scope of so many chunks is searched by; ``frequency`` tells how many hold each.

    >>> words_scored({"cash": 3, "zebra": 0}, 10), words_scored({"cash": 12_000, "zinc": 7}, 100_000)
    (['cash'], ['zinc'])
    """
    if chunks > SCORED_ROWS:
        return rarest(frequency, SCORED_ROWS)
    return [word for word in frequency if frequency[word]]


def rarest(frequency: Mapping[str, int], rows: int) -> list[str]:
    """Known terms from the rarest on, one at least, so long as they stand in no more than ``rows`` rows together."""
    chosen: list[str] = []
    for word in sorted(frequency, key=lambda word: (frequency[word], word)):
        rows -= frequency[word]
        if chosen and rows < 0:
            break
        if frequency[word]:
            chosen.append(word)
    return chosen


@dataclass(frozen=True, slots=True)
class Bm25:
    """Scores of the candidates that an engine's index finds, as SQLite's FTS5 counts them; ``rarity`` has what each of
    the words counts.

    Lucene's own scores put others first: of a chunk's headings and its text it makes two fields, each with lengths and
    rarities of its own.
    """

    rarity: Mapping[str, float]

    @classmethod
    def of(cls, words: Sequence[str], frequency: Mapping[str, int], stored: int) -> Bm25:
        """``stored`` are the chunks of the store, of which ``frequency`` tells how many hold each word."""
        rarity: dict[str, float] = {}
        for word in words:
            held = min(frequency[word], stored)
            rarity[word] = max(_LEAST_RARITY, log((stored - held + 0.5) / (held + 0.5)))
        return cls(rarity)

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Of chunks whose search terms these are, with blanks between; the mean of their lengths stands for all."""
        lengths = [text.count(" ") + 1 for text in texts]
        mean = sum(lengths) / max(1, len(lengths))
        norms = [_K1 * (1 - _B + _B * length / mean) for length in lengths]
        return [self._score(text, norm) for text, norm in zip(texts, norms, strict=True)]

    def _score(self, text: str, norm: float) -> float:
        apart = f" {text} ".replace(" ", "  ")  # else the blank between two equal words is of one of them alone
        score = 0.0
        for word, rarity in self.rarity.items():
            often = apart.count(f" {word} ")
            if often:
                score += rarity * often * (_K1 + 1) / (often + norm)
        return score
