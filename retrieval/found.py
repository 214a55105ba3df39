"""A hit on its way through the ranking, before its text is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk of the ranking. ``place`` is what is counted once: a page, a short document or the chunk itself."""

    id: str
    source: str
    place: tuple[str, int]
    score: float = field(compare=False)
    parts: Mapping[str, float] = field(compare=False, default_factory=dict)
    """Share of each route and weight in the score."""


def distinct_places_first(found: list[Found]) -> list[Found]:
    """The first hit of each place in the order given, then the others."""
    first: dict[tuple[str, int], Found] = {}
    for item in found:
        first.setdefault(item.place, item)
    ahead = set(first.values())
    return [*first.values(), *(item for item in found if item not in ahead)]
