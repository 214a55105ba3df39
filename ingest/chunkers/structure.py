"""Structure: the author's own paragraphs and lines, put together while they are short."""

from __future__ import annotations

import math
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
        return by_section(sentences, lambda first, last: self._cut(sentences[first:last]))

    def _cut(self, sentences: Sequence[Sentence]) -> list[Span]:
        lengths = [s.tokens for s in sentences]
        paragraph_ends = [i for i, s in enumerate(sentences[1:], 1) if s.before >= Break.PARAGRAPH]
        spans: list[Span] = []
        first = 0
        for last in paragraph_ends:
            if sum(lengths[first:last]) >= self.shortest:
                spans += self._cut_evenly(lengths, first, last)
                first = last
        return spans + self._cut_evenly(lengths, first, len(sentences))

    def _cut_evenly(self, lengths: Sequence[int], first: int, last: int) -> list[Span]:
        """Whole sentences, in as few parts as ``longest`` allows, of about one length."""
        total = sum(lengths[first:last])
        parts = math.ceil(total / self.longest)
        goal = total / parts
        spans: list[Span] = []
        start, length = first, 0
        for i in range(first, last):
            if i > start and length + lengths[i] / 2 > goal:
                spans.append(Span(start, i))
                start, length = i, 0
            length += lengths[i]
        spans.append(Span(start, last))
        return spans
