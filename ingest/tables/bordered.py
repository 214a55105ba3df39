"""Tables drawn with borders: ruling lines that cross make a grid, missing borders join its slots to cells, and cells
are filled with the words in them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise, product, starmap
from typing import NamedTuple

from ...core.anchor import Box
from ...core.records import dataclass
from ...core.sequences import runs
from ..pdf.backend import PageLayout
from .found import Cell, Draft
from .lines import Interval, TextLine, interval_around, pieces_of, text_lines

_MIN_RULES = 4
"""Ruling lines around one cell."""
_MIN_CELLS = 3
"""Cells with text."""
_MIN_FILLED = 0.3
"""Share of cells with text: a chart's grid has less."""
_MAX_CROWDED = 0.15
"""Share of cells in which a value stands beside other text: the lines are not those of the columns."""
_MIN_VALUES = 0.7
"""Share of a cell's lines that are values from which each of them is a row of its own."""


def bordered_tables(page: PageLayout) -> list[Draft]:
    """Tables of at least two rows and two columns whose cells are separated by lines."""
    if len(page.rules) < _MIN_RULES:
        return []
    drafts: list[Draft] = []
    across, down = split_rules(page.rules)
    for grid in find_grids(across, down):
        draft = _filled(page, grid)
        if draft is None or any(_is_inside(draft, other) for other in drafts):
            continue
        drafts.append(draft)
    return drafts


def _is_inside(inner: Draft, outer: Draft) -> bool:
    """True where the middle of one table lies in the other."""
    left, top, right, bottom = inner.box
    is_between = outer.box[0] <= (left + right) / 2 <= outer.box[2]
    return is_between and outer.box[1] <= (top + bottom) / 2 <= outer.box[3]


def _filled(page: PageLayout, grid: Grid) -> Draft | None:
    """The grid with the words in its cells; None where it is a chart, or drawn around something else."""
    contents = _contents(page, grid)
    least_cells = max(_MIN_CELLS, _MIN_FILLED * len(grid.cells))
    if len(contents) < least_cells:
        return None
    lines = {cell: text_lines(page.words, words, upended=True) for cell, words in contents.items()}
    crowded = sum(map(_is_crowded, lines.values()))
    if crowded > _MAX_CROWDED * len(contents):
        return None
    draft = _draft(page, grid, lines)
    if min(draft.height, draft.width) < 2:
        return None
    return draft


def _contents(page: PageLayout, grid: Grid) -> dict[GridCell, list[int]]:
    """Words by the cell that holds their middle."""
    owners = {slot: cell for cell in grid.cells for slot in _slots(cell)}
    contents: dict[GridCell, list[int]] = {}
    top, bottom = grid.ys[0], grid.ys[-1]
    for index, word in enumerate(page.words):
        x0, y0, x1, y1 = word.box
        y = (y0 + y1) / 2
        if not top <= y <= bottom:
            continue
        row = bisect_right(grid.ys, y) - 1
        column = bisect_right(grid.xs, (x0 + x1) / 2) - 1
        owner = owners.get((row, column))
        if owner is not None:
            contents.setdefault(owner, []).append(index)
    return contents


def _slots(cell: GridCell) -> Iterator[tuple[int, int]]:
    """Row and column of each slot that the cell covers."""
    rows = range(cell.row, cell.last_row + 1)
    columns = range(cell.column, cell.last_column + 1)
    return product(rows, columns)


def _is_crowded(lines: Sequence[TextLine]) -> bool:
    return any(line.values and not line.is_one_piece for line in lines)


def _draft(page: PageLayout, grid: Grid, lines: Mapping[GridCell, Sequence[TextLine]]) -> Draft:
    """Cells of the grid; a row that holds several lines of values becomes several rows."""
    cuts = _row_cuts(grid, lines)
    starts = list(accumulate((len(heights) + 1 for heights in cuts), initial=0))
    cells: list[Cell] = []
    for place, found in sorted(lines.items()):
        start = starts[place.row]
        if cuts[place.row] and place.row == place.last_row:
            cells.extend(_cells_by_line(place, start, cuts[place.row], found))
        else:
            cells.append(_cell(place, start, starts[place.last_row + 1] - 1, found))
    tops = chain.from_iterable((top, *heights) for top, heights in zip(grid.ys[:-1], cuts, strict=True))
    edges = tuple(starmap(Interval, pairwise(grid.xs)))
    draft = Draft(
        page=page.number,
        box=grid.box,
        cells=cells,
        height=starts[-1],
        width=len(edges),
        edges=edges,
        tops=tuple(tops),
    )
    return draft.compacted()


def _row_cuts(grid: Grid, lines: Mapping[GridCell, Sequence[TextLine]]) -> list[list[float]]:
    """For each row of the grid the heights at which it is cut, where values stand below each other in one cell."""
    cuts: list[list[float]] = [[] for _ in grid.ys[1:]]
    for cell, found in lines.items():
        if cell.row != cell.last_row:
            continue
        between = _between_values(found)
        if len(between) > len(cuts[cell.row]):
            cuts[cell.row] = between
    return cuts


def _between_values(lines: Sequence[TextLine]) -> list[float]:
    """Heights between the values of one cell; none where other text prevails."""
    values = [line for line in lines if line.values and line.is_one_piece]
    if len(values) < _MIN_VALUES * len(lines):
        return []
    return [(above.y1 + below.y0) / 2 for above, below in pairwise(values)]


def _cells_by_line(place: GridCell, start: int, cuts: Sequence[float], lines: Sequence[TextLine]) -> Iterator[Cell]:
    """The parts of a cell that is cut at these heights into rows from ``start`` on."""
    rows: dict[int, list[TextLine]] = {}
    for line in lines:
        row = start + bisect_right(cuts, (line.y0 + line.y1) / 2)
        rows.setdefault(row, []).append(line)
    for row, part in rows.items():
        yield _cell(place, row, row, part)


def _cell(place: GridCell, row: int, last_row: int, lines: Sequence[TextLine]) -> Cell:
    pieces = pieces_of(lines)
    columns = (place.column, place.last_column)
    return Cell.of_pieces(pieces, (row, last_row), columns, interval_around(pieces).x0)


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
    return sorted(_grid_cell(members, columns) for members in slots.members())


def _open_stretches(at: float, segments: Sequence[Segment], places: tuple[float, ...]) -> Iterator[int]:
    """Numbers of the stretches between neighbouring places along which no line is drawn at this height."""
    level = [segment for segment in segments if abs(segment.at - at) <= _SNAP]
    for number, (start, end) in enumerate(pairwise(places)):
        covered = sum(segment.shared_with(start, end) for segment in level)
        if covered < _COVERED * (end - start):
            yield number


def _grid_cell(slots: Sequence[int], columns: int) -> GridCell:
    """The cell around these slots, which are numbered row by row."""
    places = [divmod(slot, columns) for slot in slots]
    rows, across = zip(*places, strict=True)
    return GridCell(min(rows), min(across), max(rows), max(across))
