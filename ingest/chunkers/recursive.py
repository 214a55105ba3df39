"""Recursive: cuts at the strongest breaks, at weaker ones only what is still too long, and fills small pieces up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ..chunk import Break, Sentence, Span
from .registry import register
from .sections import by_section

if TYPE_CHECKING:
    import numpy as np


@register("recursive")
@dataclass(frozen=True, slots=True)
class RecursiveChunker:
    """Splits at blank lines, in longer pieces at line ends, then sentences, for chunks of up to ``target`` tokens."""

    target: int = 200

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap; vectors are not used."""

        def cut(first: int, last: int) -> list[Span]:
            return self._split(sentences[first:last], 0, last - first, Break.PARAGRAPH)

        return by_section(sentences, cut)

    def _split(self, sentences: Sequence[Sentence], first: int, last: int, level: int) -> list[Span]:
        """Pieces at breaks of ``level``, each split further while too long, neighbours of one level filled up."""
        breaks = [i for i in range(first + 1, last) if sentences[i].before >= level]
        borders = [first, *breaks, last]
        spans: list[Span] = []
        filled = 0
        for start, end in pairwise(borders):
            length = sum(s.tokens for s in sentences[start:end])
            if length > self.target and level > Break.NONE:
                spans += self._split(sentences, start, end, level - 1)
                filled = self.target
            elif spans and filled + length <= self.target:
                spans[-1] = Span(spans[-1].first, end)
                filled += length
            else:
                spans.append(Span(start, end))
                filled = length
        return spans
