"""Places on a page: stretches of its width, boxes around several things."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class Placed:
    """Something with a left end ``x0`` and a right end ``x1`` in points: a column, a piece of a line, a line."""

    __slots__ = ()

    x0: float
    x1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def middle(self) -> float:
        """Half-way from the left to the right end."""
        return (self.x0 + self.x1) / 2

    def shared_with(self, other: Placed) -> float:
        """Points that both cover; below 0 the gap between them."""
        return min(self.x1, other.x1) - max(self.x0, other.x0)

    def overlaps(self, other: Placed) -> bool:
        """True where both cover more than a point."""
        return self.shared_with(other) > 1

    def holds_middle_of(self, other: Placed) -> bool:
        return self.x0 <= other.middle <= self.x1


@dataclass(frozen=True, order=True, slots=True)
class Interval(Placed):
    """A stretch of the page's width, such as a column."""

    x0: float
    x1: float


def interval_around(placed: Iterable[Placed]) -> Interval:
    """From the first left end to the last right end; raises ValueError for nothing."""
    ends = [(one.x0, one.x1) for one in placed]
    lefts, rights = zip(*ends, strict=True)
    return Interval(min(lefts), max(rights))
