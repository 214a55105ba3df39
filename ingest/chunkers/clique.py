"""Order-preserving maximal-clique chunking: cuts where fewest and weakest cliques of similar sentences lie across."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..chunk import Sentence, Span
from ..cohesion.cliques import WIDEST
from ..cohesion.links import links
from ..cohesion.segmentation import break_prices, by_section, cut_by_length, cut_by_similarity, section_numbers
from .registry import register

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
        if not 2 <= self.window <= WIDEST or not 0 <= self.quantile <= 1:
            raise ValueError(f"window must be 2 to {WIDEST} and quantile 0 to 1")
        if self.target < 1 or min(self.shortest, self.longest) < 0:
            raise ValueError("lengths must be positive")

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap."""
        if not sentences:
            return []
        if vectors is None:
            from ..cohesion.gaps import lexical_vectors

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
        from ..cohesion.gaps import gap_cohesion

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


def _standardised_similarities(vectors: np.ndarray) -> np.ndarray:
    """Similarities of each sentence with the next ones, of mean 0 and standard deviation 1; 0 beyond the end."""
    import numpy as np

    from ..cohesion.gaps import band_similarities

    band = band_similarities(vectors, _TOPIC_REACH)
    inside = np.isfinite(band)
    spread = float(band[inside].std()) if inside.any() else 0.0
    if not spread:
        return np.zeros(band.shape)
    return np.where(inside, (band - band[inside].mean()) / spread, 0.0)
