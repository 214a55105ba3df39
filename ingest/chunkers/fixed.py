"""Fixed size: as many whole sentences as fit, whatever they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..chunk import Sentence, Span
from .registry import register
from .sections import by_section

if TYPE_CHECKING:
    import numpy as np


@register("fixed")
@dataclass(frozen=True, slots=True)
class FixedChunker:
    """Fills chunks up to ``target`` tokens; each repeats up to ``overlap`` tokens of the one before."""

    target: int = 200
    overlap: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.target:
            raise ValueError("overlap must be at least 0 and less than target")

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans in order that cover all sentences and overlap only by ``overlap``; vectors are not used."""
        tokens = [s.tokens for s in sentences]
        return by_section(sentences, lambda first, last: self._fill(tokens[first:last]))

    def _fill(self, tokens: Sequence[int]) -> list[Span]:
        spans: list[Span] = []
        first = last = 0
        while last < len(tokens):
            last = self._end(tokens, first)
            spans.append(Span(first, last))
            first = self._start_of_overlap(tokens, first, last)
        return spans

    def _end(self, tokens: Sequence[int], first: int) -> int:
        """After the last sentence that fits; a first one that is too long stands alone."""
        length = tokens[first]
        for last in range(first + 1, len(tokens)):
            length += tokens[last]
            if length > self.target:
                return last
        return len(tokens)

    def _start_of_overlap(self, tokens: Sequence[int], first: int, last: int) -> int:
        """The first sentence of the chunk from ``first`` to ``last`` that the next chunk repeats, else ``last``."""
        length = 0
        for start in range(last - 1, first, -1):
            length += tokens[start]
            if length > self.overlap:
                return start + 1
        return first + 1
