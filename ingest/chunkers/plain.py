"""Chunkers that look at length and layout alone, and take no vectors: fixed, length, recursive, structure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ...core.records import dataclass
from ..chunk import Break, Sentence, Span
from .registry import register
from .segmentation import break_prices, by_section, cut_by_length

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


@register("length")
@dataclass(frozen=True, slots=True)
class LengthChunker:
    """Chunks of about ``target`` tokens that end at line ends and blank lines where they can."""

    target: int = 85
    shortest: int = 20
    longest: int = 200
    break_weight: float = 0.3

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap; vectors are not used."""
        costs = break_prices(sentences, self.break_weight)
        tokens = [s.tokens for s in sentences]

        def cut(first: int, last: int) -> list[Span]:
            return cut_by_length(costs[first:last], tokens[first:last], self.target, self.shortest, self.longest)

        return by_section(sentences, cut)


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
