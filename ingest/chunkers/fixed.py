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
        return by_section(sentences, lambda first, last: self._fill(tokens[first:last])) if sentences else []

    def _fill(self, tokens: Sequence[int]) -> list[Span]:
        spans: list[Span] = []
        first = 0
        while first < len(tokens):
            last = first + 1
            length = tokens[first]
            while last < len(tokens) and length + tokens[last] <= self.target:
                length += tokens[last]
                last += 1
            spans.append(Span(first, last))
            first = last if last == len(tokens) else self._start_of_overlap(tokens, first, last)
        return spans

    def _start_of_overlap(self, tokens: Sequence[int], first: int, last: int) -> int:
        start, length = last, 0
        while start - 1 > first and length + tokens[start - 1] <= self.overlap:
            start -= 1
            length += tokens[start]
        return start
