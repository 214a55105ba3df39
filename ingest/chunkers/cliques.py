"""Chunkers by the similarity of sentences: order-preserving maximal cliques, merged cliques (the rule this project
began with), and breaks at the largest distances between neighbours, as common libraries cut.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING, Literal

from ...core.records import dataclass
from ...core.sequences import among
from ..chunk import Sentence, Span
from ..cohesion import (
    WIDEST,
    band_similarities,
    forward_edges,
    lexical_vectors,
    maximal_cliques,
    members,
    within_sections,
)
from .registry import register
from .segmentation import break_prices, by_section, cut_by_length, cut_by_similarity, links, section_numbers

if TYPE_CHECKING:
    import numpy as np

_LONGEST_PASSAGE = 200
_LONGEST_TOPIC = 2_000
_TOPIC_REACH = 15
_TOPIC_OFFSET = 0.3
_TOPIC_PRICE = 4.0
"""Sentences compared, similarity that a pair must exceed and price of a topic: these three won on the Choi set."""


@register("clique")
@dataclass(frozen=True, slots=True)
class CliqueChunker:
    """Scores every gap between sentences by the cliques around it, then cuts by dynamic programming.

    ``mode="text"`` wishes chunks of about ``target`` tokens, for retrieval. ``mode="topic"`` finds topics of any
    length, up to ``longest`` tokens. Without vectors, word statistics take their place. The same arguments
    always give the same spans.
    """

    mode: Literal["text", "topic"] = "text"
    window: int = 6
    """Sentences within which two are compared; flat from 4 to 12."""
    quantile: float = 0.5
    """Share of the compared pairs that are no edge; flat from .3 to .9."""
    target: int = 85
    """Wished tokens a chunk: less for finance and small budgets, more for a few large hits."""
    shortest: int = 20
    longest: int = 0
    """Most tokens, unless it is one sentence; 0 stands for 200, in topic mode 2,000."""
    break_weight: float = 0.3
    """What a line end takes off the price of a cut; a blank line twice that."""
    length_weight: float = 1.0
    link_weight: float = 0.5
    """What a cut costs more where a sentence takes up the event of the one before ("The acquisition ...")."""

    def __post_init__(self) -> None:
        if self.mode not in ("text", "topic"):
            raise ValueError(f"mode must be text or topic, not {self.mode!r}")
        _check_window(self.window, self.quantile)
        if self.target < 1 or min(self.shortest, self.longest) < 0:
            raise ValueError("lengths must be positive")

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap."""
        if not sentences:
            return []
        if vectors is None:
            from ..cohesion import lexical_vectors

            vectors = lexical_vectors([text[s.start : s.end] for s in sentences])
        if self.mode == "topic":
            return self._topics(sentences, vectors)
        return self._passages(text, sentences, vectors)

    def _passages(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray) -> list[Span]:
        prices = self._cut_prices(text, sentences, vectors)
        tokens = [s.tokens for s in sentences]
        longest = self.longest or _LONGEST_PASSAGE

        def cut(first: int, last: int) -> list[Span]:
            costs, lengths = prices[first:last], tokens[first:last]
            return cut_by_length(costs, lengths, self.target, self.shortest, longest, self.length_weight)

        return by_section(sentences, cut)

    def _cut_prices(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray) -> list[float]:
        """The price of a cut before each sentence: high where the text holds together, low at a break."""
        from ..cohesion import gap_cohesion

        cohesion = gap_cohesion(vectors, section_numbers(sentences), self.window, self.quantile)
        breaks = break_prices(sentences, self.break_weight)
        prices = [held + at_break for held, at_break in zip(cohesion, breaks, strict=True)]
        for linked in links(text, sentences):
            prices[linked] += self.link_weight
        return prices

    def _topics(self, sentences: Sequence[Sentence], vectors: np.ndarray) -> list[Span]:
        """Sums of standardised similarity inside the segment."""
        scores = _standardised_similarities(vectors)
        tokens = [s.tokens for s in sentences]
        longest = self.longest or _LONGEST_TOPIC

        def cut(first: int, last: int) -> list[Span]:
            return cut_by_similarity(scores[first:last], tokens[first:last], longest, _TOPIC_OFFSET, _TOPIC_PRICE)

        return by_section(sentences, cut)


def _check_window(window: int, quantile: float) -> None:
    if not 2 <= window <= WIDEST or not 0 <= quantile <= 1:
        raise ValueError(f"window must be 2 to {WIDEST} and quantile 0 to 1")


def _standardised_similarities(vectors: np.ndarray) -> np.ndarray:
    """Similarities of each sentence with the next ones, of mean 0 and standard deviation 1; 0 beyond the end."""
    import numpy as np

    from ..cohesion import band_similarities

    band = band_similarities(vectors, _TOPIC_REACH)
    inside = np.isfinite(band)
    spread = float(band[inside].std()) if inside.any() else 0.0
    if not spread:
        return np.zeros(band.shape)
    return np.where(inside, (band - band[inside].mean()) / spread, 0.0)


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
        _check_window(self.window, self.quantile)
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
            from ..cohesion import lexical_vectors

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
