"""Published baselines as settings: how the workspace is built and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ingest.chunk import Break, Sentence, Span
from ..ingest.chunkers import register

if TYPE_CHECKING:
    import numpy as np


@register("characters")
@dataclass(frozen=True, slots=True)
class CharacterChunker:
    """Fills chunks with sentences up to ``size`` characters, the last ones up to ``overlap`` characters said again.

    As a recursive character splitter, but it never cuts a sentence that fits, nor crosses a heading, table or speaker.
    """

    size: int = 2024
    overlap: int = 204

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans over all sentences in order, each starting at most ``overlap`` characters before the last one's end."""
        spans: list[Span] = []
        first = 0
        for at, sentence in enumerate(sentences):
            hard = sentence.before == Break.HARD
            if at > first and (hard or sentence.end - sentences[first].start > self.size):
                spans.append(Span(first, at))
                first = at if hard else self._restart(sentences, first, at)
        return [*spans, Span(first, len(sentences))] if sentences else []

    def _restart(self, sentences: Sequence[Sentence], first: int, at: int) -> int:
        """The first sentence of the next chunk: as far back as the overlap allows, with room for the next sentence."""
        start = at
        while start - 1 > first and sentences[at - 1].end - sentences[start - 1].start <= self.overlap:
            start -= 1
        while start < at and sentences[at].end - sentences[start].start > self.size:
            start += 1
        return start


@dataclass(frozen=True, slots=True)
class Preset:
    """What differs from the defaults; ``chunker`` is a name that ``make_chunker`` knows, with its options."""

    chunker: str
    chunker_options: Mapping[str, int]
    graph_depth: int
    order: str
    modes: tuple[str, ...]
    source: str


PRESETS = {
    "hybridrag-paper": Preset(
        chunker="characters",
        chunker_options={"size": 2024, "overlap": 204},
        graph_depth=1,
        order="vector-first",
        modes=("vector", "graph", "hybrid"),
        source="Sarmah et al. 2024, HybridRAG, table 1",
    )
}
"""Graph depth counts the relations from an entity of the question; our graph leg takes one by default."""
