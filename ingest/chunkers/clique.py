"""Order-preserving maximal-clique chunking: cuts where fewest and weakest cliques of similar sentences lie across."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..chunk import Break, Sentence, Span
from ..cohesion.cliques import WIDEST
from ..cohesion.links import links
from ..cohesion.segmentation import cut_by_length, cut_by_similarity
from .registry import register
from .sections import by_section, section_numbers

if TYPE_CHECKING:
    import numpy as np


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
        if self.target < 1 or self.shortest < 0 or self.longest < 0:
            raise ValueError("lengths must be positive")

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap."""
        if not sentences:
            return []
        if vectors is None:
            from ..cohesion.lexical import lexical_vectors

            vectors = lexical_vectors([text[s.start : s.end] for s in sentences])
        if self.mode == "topic":
            return self._topics(sentences, vectors)
        return self._passages(text, sentences, vectors)

    def _passages(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray) -> list[Span]:
        from ..cohesion.gaps import gap_cohesion

        cohesion = gap_cohesion(vectors, section_numbers(sentences), self.window, self.quantile)
        costs = [
            c - self.break_weight * min(s.before, Break.PARAGRAPH) for c, s in zip(cohesion, sentences, strict=True)
        ]
        for i in links(text, sentences):
            costs[i] += self.link_weight
        tokens = [s.tokens for s in sentences]

        def cut(first: int, last: int) -> list[Span]:
            lengths = self.target, self.shortest, self.longest or 200
            return cut_by_length(costs[first:last], tokens[first:last], *lengths, self.length_weight)

        return by_section(sentences, cut)

    def _topics(self, sentences: Sequence[Sentence], vectors: np.ndarray) -> list[Span]:
        """Sums of standardised similarity inside the segment; the constants won on the Choi set."""
        import numpy as np

        from ..cohesion.similarity import band_similarities

        band = band_similarities(vectors, 15)
        known = np.isfinite(band)
        spread = float(band[known].std()) if known.any() else 0.0
        scores = np.where(known, (band - band[known].mean()) / spread, 0.0) if spread else np.zeros(band.shape)
        tokens = [s.tokens for s in sentences]

        def cut(first: int, last: int) -> list[Span]:
            return cut_by_similarity(scores[first:last], tokens[first:last], self.longest or 2000, 0.3, 4.0)

        return by_section(sentences, cut)
