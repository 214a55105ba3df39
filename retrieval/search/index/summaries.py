"""A summary index beside the text index: sections, groups of like sections, whole documents, each found as one thing.

A summary is extractive. Its vector is the mean of those of its chunks, weighed by their content value, so that nothing
is embedded for it; its words are those of the whole section; its text, where one is shown, is the sentences nearest to
that mean. Where a model has summarised a section (``ingest.section_summaries``), the vector of what it wrote stands for
that of each of the section's chunks, so that the groups above are made over it, and its words count with the section's.
Groups are made as RAPTOR makes them, level by level by clustering (Sarthi et al., "RAPTOR: Recursive Abstractive
Processing for Tree-Organized Retrieval", 2024), within a document. A chunk is worth what the best summary above it is
worth: RAPTOR's collapsed tree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ....kg.store import Store
from .bm25 import Lexicon, Postings

_BRANCH = 5
"""Sections, or groups of them, that a group has on average."""
_LEVELS = 3
"""Levels of groups at most: enough for the 1,000 sections of the longest filing."""
_ROUNDS = 10
_SENTENCES = 3
"""Sentences of a summary that is shown."""
_READ = 60
"""Chunks of a summary whose sentences are read to show it, those nearest to its mean."""

Level = Literal["section", "group", "document"]


@dataclass(frozen=True, slots=True)
class Summary:
    """A node of the tree: its chunks are those whose ``nodes`` hold its number."""

    level: Level
    document: int
    """Index of the document, as in ``ScopeIndex.sources``."""


@dataclass(frozen=True, slots=True)
class SummaryTree:
    """The summaries of a scope. ``vectors`` (nodes, dim) are unit rows in the order of ``nodes``."""

    nodes: Sequence[Summary]
    vectors: np.ndarray
    above: np.ndarray
    """The summaries above each chunk, int32 (chunks, levels); -1 where a document has fewer levels."""
    words: Lexicon
    """Terms of whole sections: one row a chunk, which counts what its section holds; then one a written summary."""
    written: Mapping[int, str]
    """Summary -> its text, where a model wrote it."""

    @classmethod
    def of(cls, chunks: SummarisedChunks, counted: Postings, written: Sequence[WrittenSummary] = ()) -> SummaryTree:
        """Build the tree; a millisecond for a filing, most of it clustering.

        ``counted`` has a row for each chunk, then one for each written summary.
        """
        chunks = _standing_for(written, chunks)
        section = np.cumsum(~chunks.follows) - 1 if len(chunks.follows) else np.zeros(0, np.int64)
        nodes: list[Summary] = []
        vectors: list[np.ndarray] = []
        above = np.full((len(section), _LEVELS + 2), -1, np.int32)
        for document in np.unique(chunks.document).tolist():
            rows = np.flatnonzero(chunks.document == document)
            for column, (level, part) in enumerate(_levels(chunks, rows, section[rows])):
                means = _means(chunks, rows, part)
                above[rows, column] = len(nodes) + part
                nodes += [Summary(level, document)] * len(means)
                vectors.append(means)
        dim = chunks.vectors.shape[1]
        stacked = np.concatenate(vectors) if vectors else np.zeros((0, dim), np.float32)
        firsts = np.array([one.first for one in written], np.int64)
        windows = np.append(section, section[firsts])
        texts = {int(above[one.first, 0]): one.text for one in written}
        return cls(nodes, stacked, above, Lexicon(counted, windows, np.ones(len(windows), bool)), texts)

    def word_scores(self, terms: Mapping[str, float], k1: float, b: float) -> np.ndarray:
        """BM25 of the section of each chunk, float32 (chunks,)."""
        return self.words.scores(terms, k1, b)[: len(self.above)]

    def best_above(self, query: np.ndarray) -> np.ndarray:
        """Cosine of a unit vector (dim,) to the best summary above each chunk, float32 (chunks,)."""
        cosines = np.append(self.vectors @ query, -1.0).astype(np.float32)
        best: np.ndarray = cosines[self.above].max(axis=1, initial=-1.0)
        return best

    def nearest(self, query: np.ndarray, count: int) -> list[int]:
        """Numbers of the best summaries, best first."""
        return list(map(int, np.argsort(-(self.vectors @ query), kind="stable")[:count]))


@dataclass(frozen=True, slots=True)
class SummarisedChunks:
    """What a tree is made of, one row a chunk."""

    document: np.ndarray
    follows: np.ndarray
    """Whether a chunk stands under the same headings as the one before it."""
    vectors: np.ndarray
    """Float32 (chunks, dim), unit rows."""
    values: np.ndarray

    @classmethod
    def of(
        cls, document: np.ndarray, follows: np.ndarray, vectors: np.ndarray | None, values: np.ndarray
    ) -> SummarisedChunks | None:
        """None where there is nothing to summarise, or no vectors to do it by."""
        if vectors is None or not len(document):
            return None
        return cls(document, follows, vectors, values)


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """What a model wrote of the section of the chunks in rows ``first`` to ``last``, both included."""

    first: int
    last: int
    text: str
    vector: np.ndarray
    """Float32 (dim,), unit; (0,) without an encoder."""


def _standing_for(written: Sequence[WrittenSummary], chunks: SummarisedChunks) -> SummarisedChunks:
    """The chunks cut where the written summaries begin and end, with their vectors in the place of their own."""
    if not written:
        return chunks
    follows, vectors = chunks.follows.copy(), chunks.vectors.copy()
    for one in written:
        follows[one.first] = False
        follows[one.last + 1 : one.last + 2] = False
        if len(one.vector):
            vectors[one.first : one.last + 1] = one.vector
    return replace(chunks, follows=follows, vectors=vectors)


def shown_sentences(store: Store, tree: SummaryTree, node: int, ids: Sequence[str]) -> list[str]:
    """A summary as a model wrote it; else the sentences nearest to its mean, in the order of the document.

    ``ids`` are those of all chunks.
    """
    if node in tree.written:
        return [tree.written[node]]
    rows = np.flatnonzero((tree.above == node).any(axis=1))
    own = [ids[row] for row in rows.tolist()]
    nearness = store.vectors(own) @ tree.vectors[node]
    read = [own[at] for at in np.sort(np.argsort(-nearness, kind="stable")[:_READ]).tolist()]
    found: list[tuple[float, int, str]] = []
    for chunk, vectors in zip(store.chunks(read), store.sentence_vectors(read), strict=True):
        if chunk.kind != "text":
            continue
        cosines = (vectors @ tree.vectors[node]).tolist()
        for (start, end), cosine in zip(chunk.sentences, cosines, strict=False):
            found.append((cosine, start, " ".join(chunk.text[start - chunk.start : end - chunk.start].split())))
    best = sorted(found, reverse=True)[:_SENTENCES]
    return [text for _, _, text in sorted(best, key=lambda item: item[1])]


def _levels(chunks: SummarisedChunks, rows: np.ndarray, section: np.ndarray) -> Iterator[tuple[Level, np.ndarray]]:
    """Level after level, the part (from 0) that each of a document's chunks belongs to."""
    part = section - section[0]
    yield "section", part
    for _ in range(_LEVELS):
        count = math.ceil((int(part.max()) + 1) / _BRANCH)
        if count < 2:
            break
        grouped = _clusters(_means(chunks, rows, part), count)
        part = grouped[part]
        yield "group", part
    yield "document", np.zeros(len(rows), np.int64)


def _clusters(vectors: np.ndarray, count: int) -> np.ndarray:
    """The cluster of each unit row, numbered from 0 without gaps: k-means by cosine, begun with rows far apart.

    Source: Dhillon & Modha 2001 (spherical k-means); the first centres by Gonzalez 1985 (farthest first).
    """
    chosen = [0]
    nearest = vectors @ vectors[0]
    while len(chosen) < count:
        chosen.append(int(nearest.argmin()))
        nearest = np.maximum(nearest, vectors @ vectors[chosen[-1]])
    centres = vectors[chosen]
    cluster = np.zeros(len(vectors), np.int64)
    for _ in range(_ROUNDS):
        cluster = (vectors @ centres.T).argmax(axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, cluster, vectors)
        is_empty = ~sums.any(axis=1)
        sums[is_empty] = centres[is_empty]
        centres = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    _, numbered = np.unique(cluster, return_inverse=True)
    return np.asarray(numbered).ravel()


def _means(chunks: SummarisedChunks, rows: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Unit means of the vectors of each part, weighed by content value, float32 (parts, dim)."""
    sums = np.zeros((int(part.max()) + 1, chunks.vectors.shape[1]), np.float32)
    np.add.at(sums, part, chunks.vectors[rows] * chunks.values[rows, None])
    unit: np.ndarray = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return unit
