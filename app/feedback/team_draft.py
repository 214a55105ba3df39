"""Two rankings mixed fairly, so that what is opened tells which of them is better."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from .flags import place_of_session

T = TypeVar("T")
WITH, WITHOUT = "with", "without"
"""The two teams: the ranking with what is tried, and the one without it."""


def team_draft(
    first: Sequence[T], second: Sequence[T], *, seed: str, key: Callable[[T], Hashable]
) -> tuple[list[T], list[str]]:
    """The items of both rankings, best first, and whose choice each was: "with" (``first``) or "without".

    In each round a coin decides which ranking chooses first; each takes its best item that is not taken yet. Source:
    Radlinski, Kurup and Joachims 2008. The coin falls by ``seed``, the same in every replay.

    >>> mixed, teams = team_draft("abc", "bdc", seed="s", key=str)
    >>> sorted(mixed), teams.count("with"), teams.count("without")
    (['a', 'b', 'c', 'd'], 2, 2)
    """
    mixed: list[T] = []
    teams: list[str] = []
    taken: set[Hashable] = set()
    queues = {WITH: list(first), WITHOUT: list(second)}
    while any(queues.values()):
        starts = WITH if place_of_session(f"round {len(mixed)}", seed) < 0.5 else WITHOUT
        for team in (starts, WITHOUT if starts == WITH else WITH):
            item = _next(queues[team], taken, key)
            if item is not None:
                mixed.append(item)
                teams.append(team)
                taken.add(key(item))
    return mixed, teams


def _next(queue: list[T], taken: set[Hashable], key: Callable[[T], Hashable]) -> T | None:
    """The best item of a ranking that is not taken yet."""
    while queue:
        item = queue.pop(0)
        if key(item) not in taken:
            return item
    return None
