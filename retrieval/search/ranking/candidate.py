"""A hit on its way through the ranking, before its text is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ....ingest.chunk import Chunk


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk of the ranking. ``place`` is what is counted once: a page, a short document or the chunk itself."""

    id: str
    source: str
    place: tuple[str, int]
    score: float = field(compare=False)
    parts: Mapping[str, float] = field(compare=False, default_factory=dict)
    """Share of each route and weight in the score."""
    chunk: Chunk | None = field(compare=False, default=None)
    """The chunk itself where the ranking has read it."""
    own: float = field(compare=False, default=0.0)
    """What the chunk alone scores: decides which chunk stands for its place."""
