"""Tables drawn with borders: the cells of a grid of ruling lines, filled with the words in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise, product, starmap

from ..pdf.backend import PageLayout
from .found import Cell, Draft
from .lines import Interval, TextLine, interval_around, pieces_of, text_lines
from .rulings import Grid, GridCell, find_grids, split_rules

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
