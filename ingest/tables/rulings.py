"""Ruling lines to grids: segments are joined, lines that cross make a grid, missing borders join its slots to cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

from ...core.anchor import Box
from ...core.sequences import runs

_SNAP = 2.5
"""Points within which parallel lines are one line (both edges of a drawn rule) and ends meet."""
_MIN_LENGTH = 6.0
_MAX_CROSSINGS = 40_000
"""More than any printed table has: a drawing."""
_MIN_COLUMNS, _MAX_COLUMNS = 2, 80
_MIN_ROWS, _MAX_ROWS = 1, 300
_COVERED = 0.6
"""Share of a slot's side along which a line has to run to separate it from its neighbour."""
_OVERHANG_ACROSS, _OVERHANG_DOWN = 8, 6
"""Points by which lines stick out over the outermost line that they cross where the border is not drawn."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A line at height (or place) ``at`` from ``start`` to ``end``."""

    at: float
    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start

    def reaches(self, at: float) -> bool:
        """True where a line across it at this place meets it."""
        return self.start - _SNAP <= at <= self.end + _SNAP

    def shared_with(self, start: float, end: float) -> float:
        """Points of the stretch that it covers."""
        return max(0.0, min(self.end, end) - max(self.start, start))


class GridCell(NamedTuple):
    """A cell that covers the slots from its first to its last row and column."""

    row: int
    column: int
    last_row: int
    last_column: int


@dataclass(frozen=True, slots=True)
class Grid:
    """Lines of one table: ``xs`` from left, ``ys`` from top, both in points, and the cells between them."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[GridCell, ...]

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
    for rows, columns in _connected(across, down):
        grid = _grid(rows, columns)
        if grid is not None:
            grids.append(grid)
    return sorted(grids, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _joined(segments: Sequence[Segment]) -> list[Segment]:
    """Snap to common heights, join what touches, drop what stays short."""
    joined = chain.from_iterable(map(_joined_level, _levels(segments)))
    return [segment for segment in joined if segment.length >= _MIN_LENGTH]


def _levels(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Segments at about one height together, from the top."""
    ordered = sorted(segments, key=lambda segment: (segment.at, segment.start))
    return runs(ordered, _are_level)


def _are_level(level: Sequence[Segment], segment: Segment) -> bool:
    return segment.at - level[0].at <= _SNAP


def _joined_level(level: Sequence[Segment]) -> Iterator[Segment]:
    """Segments at one height as one wherever they touch."""
    at = sum(segment.at for segment in level) / len(level)
    first, *others = sorted(level, key=lambda segment: segment.start)
    start, end = first.start, first.end
    for segment in others:
        if segment.start > end + _SNAP + 1:
            yield Segment(at, start, end)
            start, end = segment.start, segment.end
        end = max(end, segment.end)
    yield Segment(at, start, end)


class _DisjointSets:
    """Numbers from 0 in sets that can be united (union-find with path halving)."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, number: int) -> int:
        """The number that stands for the set."""
        parent = self._parent
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def unite(self, one: int, other: int) -> None:
        self._parent[self.root(one)] = self.root(other)

    def members(self) -> list[list[int]]:
        """The sets, each from its smallest number on."""
        sets: dict[int, list[int]] = {}
        for number in range(len(self._parent)):
            sets.setdefault(self.root(number), []).append(number)
        return list(sets.values())


def _connected(across: Sequence[Segment], down: Sequence[Segment]) -> Iterator[tuple[list[Segment], list[Segment]]]:
    """Groups of lines connected by crossings, across and down; none for a drawing."""
    ordered = sorted(down, key=lambda segment: segment.at)
    places = [segment.at for segment in ordered]
    lines = [*across, *ordered]
    sets = _DisjointSets(len(lines))
    looked_at = 0
    for number, row in enumerate(across):
        first = bisect_left(places, row.start - _SNAP)
        last = bisect_right(places, row.end + _SNAP)
        looked_at += last - first
        if looked_at > _MAX_CROSSINGS:
            return
        for other in range(first, last):
            if ordered[other].reaches(row.at):
                sets.unite(number, len(across) + other)
    for members in sets.members():
        split = bisect_left(members, len(across))
        if 0 < split < len(members):
            connected = [lines[member] for member in members]
            yield connected[:split], connected[split:]


def _grid(across: list[Segment], down: list[Segment]) -> Grid | None:
    """The grid of these lines; None for too few or too many of them."""
    across, down = _with_open_sides(across, down)
    xs, ys = _places(down), _places(across)
    has_columns = _MIN_COLUMNS < len(xs) <= _MAX_COLUMNS
    has_rows = _MIN_ROWS < len(ys) <= _MAX_ROWS
    if not has_columns or not has_rows:
        return None
    return Grid(xs, ys, tuple(_cells(xs, ys, across, down)))


class _Reach(NamedTuple):
    """Where parallel lines begin and end, and the places of the first and the last of them."""

    start: float
    end: float
    first: float
    last: float

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> _Reach:
        measured = [(segment.start, segment.end, segment.at) for segment in segments]
        starts, ends, places = zip(*measured, strict=True)
        return cls(min(starts), max(ends), min(places), max(places))


def _with_open_sides(across: list[Segment], down: list[Segment]) -> tuple[list[Segment], list[Segment]]:
    """Add the outer borders that are not drawn where lines stick out by more than a few points."""
    rows, columns = _Reach.of(across), _Reach.of(down)
    top = min(columns.start, rows.first)
    bottom = max(columns.end, rows.last)
    if columns.first - rows.start > _OVERHANG_ACROSS:
        down = [*down, Segment(rows.start, top, bottom)]
    if rows.end - columns.last > _OVERHANG_ACROSS:
        down = [*down, Segment(rows.end, top, bottom)]
    if rows.first - columns.start > _OVERHANG_DOWN:
        across = [*across, Segment(columns.start, rows.start, rows.end)]
    if columns.end - rows.last > _OVERHANG_DOWN:
        across = [*across, Segment(columns.end, rows.start, rows.end)]
    return across, down


def _places(segments: Sequence[Segment]) -> tuple[float, ...]:
    return tuple(level[0].at for level in _levels(segments))


def _cells(
    xs: tuple[float, ...], ys: tuple[float, ...], across: Sequence[Segment], down: Sequence[Segment]
) -> list[GridCell]:
    """Slots joined over sides that no line covers."""
    rows, columns = len(ys) - 1, len(xs) - 1
    slots = _DisjointSets(rows * columns)
    for column, x in enumerate(xs[1:-1]):
        for row in _open_stretches(x, down, ys):
            slot = row * columns + column
            slots.unite(slot, slot + 1)
    for row, y in enumerate(ys[1:-1]):
        for column in _open_stretches(y, across, xs):
            slot = row * columns + column
            slots.unite(slot, slot + columns)
    return sorted(_cell(members, columns) for members in slots.members())


def _open_stretches(at: float, segments: Sequence[Segment], places: tuple[float, ...]) -> Iterator[int]:
    """Numbers of the stretches between neighbouring places along which no line is drawn at this height."""
    level = [segment for segment in segments if abs(segment.at - at) <= _SNAP]
    for number, (start, end) in enumerate(pairwise(places)):
        covered = sum(segment.shared_with(start, end) for segment in level)
        if covered < _COVERED * (end - start):
            yield number


def _cell(slots: Sequence[int], columns: int) -> GridCell:
    """The cell around these slots, which are numbered row by row."""
    places = [divmod(slot, columns) for slot in slots]
    rows, across = zip(*places, strict=True)
    return GridCell(min(rows), min(across), max(rows), max(across))
