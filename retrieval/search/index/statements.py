"""An index of what the graph states and of the themes of its communities, found by words and by vector as passages are.

Nothing is embedded for it and nothing more is stored: a statement's vector is that of the sentence that says so, which
every engine keeps for the search of passages; its words are those of the sentence, of both names and of the relation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....core.words import search_words
from ....kg.graph import Communities, Finding, Statement
from ....kg.storage.term_counts import TermCounts
from ....kg.store import Store
from ..ranking.fusion import above_mean, to_best
from .bm25 import Lexicon, Postings

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
        if self.vectors is not None and vector is not None and len(scores):
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
        statements = store.statements(documents=sources) if sources else []
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
        best = max(rows.values(), default=1.0)
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
    vectors = dict(zip(ids, store.sentence_vectors(ids), strict=True)) if store.embedder() else {}
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
