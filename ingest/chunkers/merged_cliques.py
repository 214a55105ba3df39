"""Merged cliques: the rule this project began with. Cliques that overlap merge; what does not fit goes to the shorter.

Selectable beside :mod:`.clique`, the default, which scores gaps by the cliques around them instead of merging cliques.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from ..chunk import Sentence, Span
from ..cohesion.cliques import WIDEST, maximal_cliques, members
from ..cohesion.gaps import band_similarities, forward_edges, lexical_vectors, within_sections
from ..cohesion.segmentation import by_section, section_numbers
from .registry import register

if TYPE_CHECKING:
    import numpy as np


@register("merged_cliques")
@dataclass(frozen=True, slots=True)
class MergedCliquesChunker:
    """Sentences in a row that are pairwise similar are one chunk.

    Two such runs that share sentences merge while they have ``target`` tokens together; else the shared ones go to the
    shorter of the two. A chunk that would grow over ``longest`` is cut at the weakest of its last few links.
    """

    window: int = 6
    """Sentences within which two are compared."""
    quantile: float = 0.5
    """Share of the compared pairs that are no edge."""
    target: int = 85
    shortest: int = 20
    """A chunk of fewer tokens joins the next."""
    longest: int = 200
    look_back: int = 3
    """Sentences before the limit among which the weakest link is looked for."""

    def __post_init__(self) -> None:
        if not 2 <= self.window <= WIDEST or not 0 <= self.quantile <= 1:
            raise ValueError(f"window must be 2 to {WIDEST} and quantile 0 to 1")
        if min(self.target, self.longest, self.look_back) < 1 or self.shortest < 0:
            raise ValueError("lengths must be positive")

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap."""
        if not sentences:
            return []
        if vectors is None:
            vectors = lexical_vectors([text[s.start : s.end] for s in sentences])
        band = band_similarities(vectors, self.window - 1)
        edges = forward_edges(band, within_sections(band, section_numbers(sentences)), self.quantile)
        runs = _runs(edges, self.window)
        starts = [run.first for run in runs]
        links = list(map(float, band[:, 0]))
        lengths = _Lengths([sentence.tokens for sentence in sentences])

        def cut(first: int, last: int) -> list[Span]:
            inside = runs[bisect_left(starts, first) : bisect_left(starts, last)]  # no clique leaves its section
            spans: list[Span] = []
            for span in self._joined(self._merged(inside, lengths), lengths):
                spans += self._bounded(span, lengths, links)
            return [Span(span.first - first, span.last - first) for span in spans]

        return by_section(sentences, cut)

    def _merged(self, runs: Sequence[Span], lengths: _Lengths) -> list[Span]:
        """The runs, from left to right, without overlap."""
        merged: list[Span] = []
        for run in runs:
            if not merged or run.first >= merged[-1].last:
                merged.append(run)
                continue
            before = merged.pop()
            if lengths.of(before.first, run.last) <= self.target:
                merged.append(Span(before.first, run.last))
                continue
            own, other = lengths.of(before.first, run.first), lengths.of(before.last, run.last)
            border = before.last if own <= other else max(run.first, before.first + 1)
            merged += [Span(before.first, border), Span(border, run.last)]
        return merged

    def _joined(self, spans: Sequence[Span], lengths: _Lengths) -> list[Span]:
        """Without spans that are too short to say anything alone."""
        joined: list[Span] = []
        for span in spans:
            if joined and lengths.of(joined[-1].first, joined[-1].last) < self.shortest:
                span = Span(joined.pop().first, span.last)
            joined.append(span)
        return joined

    def _bounded(self, span: Span, lengths: _Lengths, links: Sequence[float]) -> list[Span]:
        """The span in parts of at most ``longest`` tokens, but for a single sentence of more."""
        parts: list[Span] = []
        first = span.first
        for at in range(span.first + 1, span.last):
            if lengths.of(first, at + 1) > self.longest and at > first:
                nearest = range(max(first + 1, at - self.look_back + 1), at + 1)
                border = min(nearest, key=lambda gap: links[gap - 1])  # the link between a sentence and the one before
                parts.append(Span(first, border))
                first = border
        return [*parts, Span(first, span.last)]


class _Lengths:
    """Tokens of any stretch of sentences, in constant time."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self._sums = [0, *accumulate(tokens)]

    def of(self, first: int, last: int) -> int:
        """Of the sentences ``first`` to ``last - 1``; 0 where there is none."""
        return max(0, self._sums[last] - self._sums[first])


def _runs(edges: Sequence[int], window: int) -> list[Span]:
    """Sentences in a row within one clique, from the left; runs inside of others are left out, all are covered."""
    found: set[tuple[int, int]] = set()
    for clique in maximal_cliques(edges, window):
        for _, group in groupby(enumerate(members(clique)), key=lambda pair: pair[1] - pair[0]):
            row = [sentence for _, sentence in group]
            found.add((row[0], row[-1] + 1))
    runs: list[Span] = []
    for first, last in sorted(found, key=lambda run: (run[0], -run[1])):
        if not runs or last > runs[-1].last:
            runs.append(Span(first, last))
    return runs
