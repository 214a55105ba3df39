"""Chunks of several texts in one index, scored alike for every chunker.

Dense: the vector of the chunk's text plus half the mean of its sentences', smoothed with its neighbours, plus half the
best sentence. Fused: reciprocal ranks of that and of BM25, smoothed alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cliquerag.core.tokens import count_tokens
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.chunking import chunk_text
from cliquerag.ingest.pieces.embedding_text import embedding_text

from ...baselines import BM25, ranking, reciprocal_rank_fusion

if TYPE_CHECKING:
    import numpy as np
    from cliquerag.models.embedders import Embedder

_NEIGHBOURS = 0.15
_MEAN = 0.5
_BEST_SENTENCE = 0.5


@dataclass(frozen=True)
class Passages:
    """All chunks in order; ``texts[i]`` is the key of the text that chunk i is of."""

    chunks: Sequence[Chunk]
    texts: Sequence[str]
    embedder: Embedder

    @classmethod
    def of(cls, corpora: Mapping[str, str], embedder: Embedder, chunker: str, options: Mapping[str, Any]) -> Passages:
        """Chunk every text."""
        found = {key: chunk_text(text, chunker, embedder, **options) for key, text in corpora.items()}
        chunks = [chunk for part in found.values() for chunk in part]
        return cls(chunks, [key for key, part in found.items() for _ in part], embedder)

    @cached_property
    def tokens(self) -> list[int]:
        """Tokens of each chunk."""
        return [count_tokens(chunk.text) for chunk in self.chunks]

    def rankings(self, questions: Sequence[str]) -> dict[str, list[np.ndarray]]:
        """ "dense" and "fused": one ranking of all chunks a question."""
        asked = self.embedder.embed(questions)
        dense = asked @ self._smoothed(self._vectors).T + _BEST_SENTENCE * self._best_sentences(asked)
        words = BM25([chunk.text for chunk in self.chunks])
        lexical = [self._smoothed_scores(words.scores(question)) for question in questions]
        by_vector = [ranking(row) for row in dense]
        pairs = zip(by_vector, map(ranking, lexical), strict=True)
        fused = [ranking(reciprocal_rank_fusion(pair, len(self.chunks))) for pair in pairs]
        return {"dense": by_vector, "fused": fused}

    @cached_property
    def _sentence_vectors(self) -> np.ndarray:
        pieces = [chunk.text[a - chunk.start : b - chunk.start] for chunk in self.chunks for a, b in chunk.sentences]
        return self.embedder.embed([embedding_text(piece) for piece in pieces])

    @cached_property
    def _starts(self) -> np.ndarray:
        import numpy as np

        return np.cumsum([0, *(len(chunk.sentences) for chunk in self.chunks[:-1])])

    @cached_property
    def _vectors(self) -> np.ndarray:
        import numpy as np

        means = _unit(np.add.reduceat(self._sentence_vectors, self._starts, axis=0))
        return _unit(self.embedder.embed([chunk.text for chunk in self.chunks]) + _MEAN * means)

    def _best_sentences(self, asked: np.ndarray) -> np.ndarray:
        import numpy as np

        best: np.ndarray = np.maximum.reduceat(asked @ self._sentence_vectors.T, self._starts, axis=1)
        return best

    @cached_property
    def _linked(self) -> np.ndarray:
        """Bool (chunks - 1,): chunk i and i + 1 are of one text."""
        import numpy as np

        return np.array([a == b for a, b in zip(self.texts, self.texts[1:], strict=False)], dtype=bool)

    def _smoothed(self, vectors: np.ndarray) -> np.ndarray:
        mixed = vectors.copy()
        mixed[1:] += _NEIGHBOURS * vectors[:-1] * self._linked[:, None]
        mixed[:-1] += _NEIGHBOURS * vectors[1:] * self._linked[:, None]
        return _unit(mixed)

    def _smoothed_scores(self, scores: np.ndarray) -> np.ndarray:
        mixed: np.ndarray = scores.copy()
        mixed[1:] += _NEIGHBOURS * scores[:-1] * self._linked
        mixed[:-1] += _NEIGHBOURS * scores[1:] * self._linked
        return mixed


def _unit(vectors: np.ndarray) -> np.ndarray:
    import numpy as np

    unit: np.ndarray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return unit
