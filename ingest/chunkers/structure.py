"""Structure: the author's own paragraphs and lines, put together while they are short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..chunk import Break, Sentence, Span
from .registry import register
from .sections import by_section

if TYPE_CHECKING:
    import numpy as np


@register("structure")
@dataclass(frozen=True, slots=True)
class StructureChunker:
    """One paragraph a chunk; under ``shortest`` tokens it joins the next, over ``longest`` it is cut evenly."""

    shortest: int = 40
    longest: int = 300

    def __post_init__(self) -> None:
        if not 0 <= self.shortest <= self.longest or not self.longest:
            raise ValueError("shortest must be at least 0 and at most longest")

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap; vectors are not used."""
        return by_section(sentences, lambda first, last: self._cut(sentences[first:last])) if sentences else []

    def _cut(self, sentences: Sequence[Sentence]) -> list[Span]:
        lengths = [s.tokens for s in sentences]
        spans: list[Span] = []
        first = 0
        for last in range(1, len(sentences) + 1):
            ends = last == len(sentences) or sentences[last].before >= Break.PARAGRAPH
            if ends and (sum(lengths[first:last]) >= self.shortest or last == len(sentences)):
                spans += self._cut_evenly(lengths, first, last)
                first = last
        return spans

    def _cut_evenly(self, lengths: Sequence[int], first: int, last: int) -> list[Span]:
        """Whole sentences, in as few parts as ``longest`` allows, of about one length."""
        total = sum(lengths[first:last])
        goal = total / -(-total // self.longest)
        spans, start, length = [], first, 0
        for i in range(first, last):
            if i > start and length + lengths[i] / 2 > goal:
                spans.append(Span(start, i))
                start, length = i, 0
            length += lengths[i]
        return [*spans, Span(start, last)]
