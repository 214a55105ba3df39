"""Length and paragraphs only: the clique chunker without similarity, the baseline that shows what cliques add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..chunk import Sentence, Span
from ..cohesion.segmentation import cut_by_length
from .registry import register
from .sections import break_prices, by_section

if TYPE_CHECKING:
    import numpy as np


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
