"""Semantic breaks: cuts at the largest distances between neighbouring sentences, as common libraries do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ...core.sequences import among
from ..chunk import Sentence, Span
from ..cohesion.segmentation import by_section
from .registry import register

if TYPE_CHECKING:
    import numpy as np


@register("semantic")
@dataclass(frozen=True, slots=True)
class SemanticChunker:
    """Cuts at as many of the largest distances as give ``target`` tokens on average, and chunks over ``longest`` again.

    A sentence is compared with the next one, each as the mean of itself and ``buffer`` neighbours on its side.
    """

    target: int = 200
    longest: int = 400
    buffer: int = 2

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap."""
        if not sentences:
            return []
        if vectors is None:
            from ..cohesion.gaps import lexical_vectors

            vectors = lexical_vectors([text[s.start : s.end] for s in sentences])
        tokens = [s.tokens for s in sentences]
        similar = self._similarities(vectors)
        gaps = range(1, len(tokens))
        weakest_first = sorted(gaps, key=lambda gap: (similar[gap], gap))
        weakest = set(weakest_first[: sum(tokens) // self.target])

        def cut(first: int, last: int) -> list[Span]:
            cuts = among(range(first + 1, last), weakest)
            spans: list[Span] = []
            for start, end in pairwise([first, *cuts, last]):
                for part in self._fit(tokens, similar, start, end):
                    spans.append(Span(part.first - first, part.last - first))
            return spans

        return by_section(sentences, cut)

    def _similarities(self, vectors: np.ndarray) -> list[float]:
        """Cosine across the gap before each sentence; 1 before the first."""
        import numpy as np

        ahead, behind = vectors.copy(), vectors.copy()
        for k in range(1, min(self.buffer, len(vectors) - 1) + 1):
            ahead[:-k] += vectors[k:]
            behind[k:] += vectors[:-k]
        dots = np.einsum("ij,ij->i", behind[:-1], ahead[1:])
        norms = np.linalg.norm(behind[:-1], axis=1) * np.linalg.norm(ahead[1:], axis=1)
        cosines: list[float] = (dots / np.maximum(norms, 1e-9)).tolist()
        return [1.0, *cosines]

    def _fit(self, tokens: Sequence[int], similar: Sequence[float], first: int, last: int) -> list[Span]:
        """Cut a chunk that is too long at its weakest gap, again and again."""
        todo = [Span(first, last)]
        done: list[Span] = []
        while todo:
            span = todo.pop()
            start, end = span.first, span.last
            length = sum(tokens[start:end])
            if length <= self.longest or end - start == 1:
                done.append(span)
                continue
            gap = min(range(start + 1, end), key=lambda gap: (similar[gap], gap))
            todo += [Span(gap, end), Span(start, gap)]
        return done
