"""Items in order as groups of neighbours: lines of a table, rulings at one height, values under one edge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

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
