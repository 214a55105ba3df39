"""Ruling lines to grids: segments are joined, lines that cross make a grid, missing borders join its slots to cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...core.anchor import Box

_SNAP = 2.5
"""Points within which parallel lines are one line (both edges of a drawn rule) and ends meet."""
_MIN_LENGTH = 6.0
_MAX_CROSSINGS = 40_000
"""More than any printed table has: a drawing."""
_MAX_COLUMNS, _MAX_ROWS = 80, 300
_COVERED = 0.6
"""Share of a slot's side along which a line has to run to separate it from its neighbour."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A line at height (or place) ``at`` from ``start`` to ``end``."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Grid:
    """Lines of one table: ``xs`` from left, ``ys`` from top, and the cells as (row, column, last row, last column)."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[tuple[int, int, int, int], ...]

    @property
    def box(self) -> Box:
        return (self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])


def split_rules(rules: Iterable[Box]) -> tuple[list[Segment], list[Segment]]:
    """Horizontal and vertical segments, those in line joined."""
    across, down = [], []
    for x0, y0, x1, y1 in rules:
        if x1 - x0 >= y1 - y0:
            across.append(Segment((y0 + y1) / 2, x0, x1))
        else:
            down.append(Segment((x0 + x1) / 2, y0, y1))
    return _joined(across), _joined(down)


def find_grids(across: Sequence[Segment], down: Sequence[Segment]) -> list[Grid]:
    """Grids of at least two columns and one row of slots, from top to bottom."""
    grids = []
    for rows, columns in _components(across, down):
        grid = _grid(rows, columns)
        if grid is not None:
            grids.append(grid)
    return sorted(grids, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _joined(segments: list[Segment]) -> list[Segment]:
    """Snap to common heights, join what touches, drop what stays short."""
    joined: list[Segment] = []
    for level in _levels(segments):
        at = sum(s.at for s in level) / len(level)
        start, end = level[0].start, level[0].end
        for segment in sorted(level, key=lambda s: s.start):
            if segment.start <= end + _SNAP + 1:
                start, end = min(start, segment.start), max(end, segment.end)
            else:
                joined.append(Segment(at, start, end))
                start, end = segment.start, segment.end
        joined.append(Segment(at, start, end))
    return [s for s in joined if s.end - s.start >= _MIN_LENGTH]


def _levels(segments: list[Segment]) -> list[list[Segment]]:
    levels: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda s: (s.at, s.start)):
        if levels and segment.at - levels[-1][0].at <= _SNAP:
            levels[-1].append(segment)
        else:
            levels.append([segment])
    for level in levels:
        level.sort(key=lambda s: s.start)
    return levels


def _components(across: Sequence[Segment], down: Sequence[Segment]) -> list[tuple[list[Segment], list[Segment]]]:
    """Groups of lines connected by crossings."""
    parent = list(range(len(across) + len(down)))
    ordered = sorted(range(len(down)), key=lambda j: down[j].at)
    places = [down[j].at for j in ordered]
    crossings = 0
    for i, row in enumerate(across):
        for k in range(bisect_left(places, row.start - _SNAP), bisect_right(places, row.end + _SNAP)):
            column = down[ordered[k]]
            crossings += 1
            if column.start - _SNAP <= row.at <= column.end + _SNAP:
                _union(parent, i, len(across) + ordered[k])
        if crossings > _MAX_CROSSINGS:
            return []
    groups: dict[int, tuple[list[Segment], list[Segment]]] = {}
    for n in range(len(parent)):
        group = groups.setdefault(_root(parent, n), ([], []))
        if n < len(across):
            group[0].append(across[n])
        else:
            group[1].append(down[n - len(across)])
    return [group for group in groups.values() if group[0] and group[1]]


def _root(parent: list[int], n: int) -> int:
    while parent[n] != n:
        parent[n] = parent[parent[n]]
        n = parent[n]
    return n


def _union(parent: list[int], a: int, b: int) -> None:
    parent[_root(parent, a)] = _root(parent, b)


def _grid(across: list[Segment], down: list[Segment]) -> Grid | None:
    across, down = _with_open_sides(across, down)
    xs, ys = _places(down), _places(across)
    if not (3 <= len(xs) <= _MAX_COLUMNS and 2 <= len(ys) <= _MAX_ROWS):
        return None
    return Grid(xs, ys, tuple(_cells(xs, ys, across, down)))


def _with_open_sides(across: list[Segment], down: list[Segment]) -> tuple[list[Segment], list[Segment]]:
    """Add the outer borders that are not drawn where lines stick out by more than a few points."""
    left, right = min(s.start for s in across), max(s.end for s in across)
    top, bottom = min(s.start for s in down), max(s.end for s in down)
    xs, ys = [s.at for s in down], [s.at for s in across]
    if min(xs) - left > 8:
        down = [*down, Segment(left, min(top, min(ys)), max(bottom, max(ys)))]
    if right - max(xs) > 8:
        down = [*down, Segment(right, min(top, min(ys)), max(bottom, max(ys)))]
    if min(ys) - top > 6:
        across = [*across, Segment(top, left, right)]
    if bottom - max(ys) > 6:
        across = [*across, Segment(bottom, left, right)]
    return across, down


def _places(segments: list[Segment]) -> tuple[float, ...]:
    places: list[float] = []
    for at in sorted(s.at for s in segments):
        if not places or at - places[-1] > _SNAP:
            places.append(at)
    return tuple(places)


def _cells(
    xs: tuple[float, ...], ys: tuple[float, ...], across: list[Segment], down: list[Segment]
) -> list[tuple[int, int, int, int]]:
    """Slots joined over sides that no line covers."""
    rows, columns = len(ys) - 1, len(xs) - 1
    parent = list(range(rows * columns))
    borders_right = [_covers([s for s in down if abs(s.at - xs[c + 1]) <= _SNAP], ys) for c in range(columns - 1)]
    borders_below = [_covers([s for s in across if abs(s.at - ys[r + 1]) <= _SNAP], xs) for r in range(rows - 1)]
    for r in range(rows):
        for c in range(columns):
            if c + 1 < columns and not borders_right[c][r]:
                _union(parent, r * columns + c, r * columns + c + 1)
            if r + 1 < rows and not borders_below[r][c]:
                _union(parent, r * columns + c, (r + 1) * columns + c)
    boxes: dict[int, tuple[int, int, int, int]] = {}
    for n in range(rows * columns):
        r, c = divmod(n, columns)
        r0, c0, r1, c1 = boxes.get(_root(parent, n), (r, c, r, c))
        boxes[_root(parent, n)] = (min(r0, r), min(c0, c), max(r1, r), max(c1, c))
    return sorted(boxes.values())


def _covers(segments: list[Segment], places: tuple[float, ...]) -> list[bool]:
    """For each stretch between neighbouring places: is it covered by a segment?"""
    covered = []
    for start, end in pairwise(places):
        shared = sum(max(0.0, min(s.end, end) - max(s.start, start)) for s in segments)
        covered.append(shared >= _COVERED * (end - start))
    return covered
