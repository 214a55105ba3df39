"""Places on a page: stretches of its width, boxes around several things, neighbours in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar


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


T = TypeVar("T")


def grouped(items: Iterable[T], belongs: Callable[[list[T], T], bool]) -> list[list[T]]:
    """The items in groups: one joins the group before it where ``belongs(group, item)``, else it starts the next.

    >>> grouped([1, 2, 3, 7, 8], lambda group, item: item - group[-1] < 2)
    [[1, 2, 3], [7, 8]]
    """
    groups: list[list[T]] = []
    for item in items:
        if groups and belongs(groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups
