"""Indexes beside the text index: summaries (sections, groups of like sections, whole documents), and what the graph
states.

A summary is extractive. Its vector is the mean of those of its chunks, weighed by their content value, so that nothing
is embedded for it; its words are those of the whole section; its text, where one is shown, is the sentences nearest to
that mean. Where a model has summarised a section (``ingest.section_summaries``), the vector of what it wrote stands for
that of each of the section's chunks, so that the groups above are made over it, and its words count with the section's.
Groups are made as RAPTOR makes them, level by level by clustering (Sarthi et al., "RAPTOR: Recursive Abstractive
Processing for Tree-Organized Retrieval", 2024), within a document. A chunk is worth what the best summary above it is
worth: RAPTOR's collapsed tree.

What the graph states and the themes of its communities are found by words and by vector as passages are. Nothing is
embedded for that and nothing more is stored: a statement's vector is that of the sentence that says so, which every
engine keeps for the search of passages; its words are those of the sentence, of both names and of the relation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from ....core.records import dataclass
from ....core.words import search_words
from ....kg.graph import Communities, Finding, Statement
from ....kg.storage.term_counts import TermCounts
from ....kg.store import Store
from ..weights import above_mean, to_best
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
        section = np.cumsum(~chunks.follows) - 1
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
        stacked = np.concatenate(vectors)
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


_DENSE = 1.0
"""The best vector beside the best words: who asks for a theme seldom uses the words of the sentence."""
_NEAR = 0.3
"""Cosine of a sentence that speaks of what is asked, whatever its words."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something that is said at a place. ``text`` is what it is searched by; offsets are in the document's text."""

    text: str
    chunk: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SaidIndex:
    """Things said, one row each."""

    words: Lexicon
    vectors: np.ndarray | None
    """Float32 (rows, dim), zero where a sentence has no vector; None where no row has one."""

    @classmethod
    def of(cls, store: Store, rows: Sequence[Said]) -> SaidIndex:
        """Index the rows; two reads of the store."""
        texts = [" ".join(search_words(row.text)) for row in rows]
        return cls(Lexicon(Postings([TermCounts.of(texts)])), _sentence_vectors(store, rows))

    def best(self, terms: Mapping[str, float], vector: np.ndarray | None, k: int) -> dict[int, float]:
        """Of the ``k`` best rows that hold a word asked or are near to the question: number -> score, best first.

        The best by words counts 1, the best by vector as much.
        """
        by_words = self.words.scores(terms)
        answers = by_words > 0
        scores = to_best(by_words)
        if self.vectors is not None and vector is not None:
            cosines = self.vectors @ vector
            answers |= cosines >= _NEAR
            scores = scores + _DENSE * above_mean(cosines)
        order = np.argsort(-scores, kind="stable").tolist()
        return {row: float(scores[row]) for row in [row for row in order if answers[row]][:k]}


@dataclass(frozen=True, slots=True)
class StatementIndex:
    """The statements of some documents, ready to be searched."""

    statements: Sequence[Statement]
    said: SaidIndex

    @classmethod
    def of(cls, store: Store, sources: Sequence[str]) -> StatementIndex:
        """Read and index the statements of documents."""
        statements = store.statements(documents=sources)
        names = store.entity_names({end for one in statements for end in (one.head, one.tail)})
        rows = [Said(_words_of(one, names), one.chunk, one.start, one.end) for one in statements]
        return cls(statements, SaidIndex.of(store, rows))

    def best(self, terms: Mapping[str, float], vector: np.ndarray | None, k: int) -> list[Statement]:
        """The ``k`` statements that answer best."""
        return [self.statements[row] for row in self.said.best(terms, vector, k)]


@dataclass(frozen=True, slots=True)
class ThemeIndex:
    """The findings of community reports, ready to be searched, each at its first place."""

    version: int
    """Of the communities, which is that of the store when they were found."""
    themes: Sequence[tuple[str, Finding]]
    """Id of the community, and the finding."""
    said: SaidIndex

    @classmethod
    def of(cls, store: Store, found: Communities) -> ThemeIndex:
        """Index every finding that has a place, with the title of its community."""
        themes: list[tuple[str, Finding]] = []
        rows: list[Said] = []
        for community in found.groups:
            for finding in community.findings:
                if finding.places:
                    place = finding.places[0]
                    themes.append((community.id, finding))
                    rows.append(Said(f"{community.title}\n{finding.text}", place.chunk, place.start, place.end))
        return cls(found.version, themes, SaidIndex.of(store, rows))

    def best(self, terms: Mapping[str, float], vector: np.ndarray | None, k: int) -> dict[tuple[str, str], float]:
        """(community, text of the finding) -> how well it answers, of the ``k`` best; the best one 1."""
        rows = self.said.best(terms, vector, k)
        best = max(rows.values(), default=0.0) or 1.0  # one that is near and alone stands at the mean: 0
        found: dict[tuple[str, str], float] = {}
        for row, score in rows.items():
            community, finding = self.themes[row]
            found.setdefault((community, finding.text), score / best)
        return found


def _words_of(statement: Statement, names: Mapping[str, str]) -> str:
    """Both names, the relation in words, and the sentence."""
    head, tail = names.get(statement.head, ""), names.get(statement.tail, "")
    return f"{head}\n{statement.relation.replace('_', ' ')}\n{tail}\n{statement.text}"


def _sentence_vectors(store: Store, rows: Sequence[Said]) -> np.ndarray | None:
    """The vector of the sentence in which each row begins, float32 (rows, dim)."""
    ids = list(dict.fromkeys(row.chunk for row in rows if row.chunk))
    chunks = {chunk.id: chunk for chunk in store.chunks(ids)}
    vectors = dict(zip(ids, store.sentence_vectors(ids), strict=True))
    dim = max((own.shape[1] for own in vectors.values() if len(own)), default=0)
    if not dim:
        return None
    found = np.zeros((len(rows), dim), np.float32)
    for number, row in enumerate(rows):
        own, chunk = vectors.get(row.chunk), chunks.get(row.chunk)
        if own is None or chunk is None:
            continue
        ends = np.array([end for _, end in chunk.sentences[: len(own)]])
        at = int(np.searchsorted(ends, row.start, "right"))
        if at < len(own):
            found[number] = own[at]
    return found
