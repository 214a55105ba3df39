"""Tables drawn with borders: the cells of a grid of ruling lines, filled with the words in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

from ..pdf.backend import PageLayout
from .draft import Cell, Draft
from .lines import TextLine, text_lines
from .rulings import Grid, find_grids, split_rules
from .values import joined

_MIN_FILLED = 0.3
"""Share of cells with text: a chart's grid has less."""
_MAX_CROWDED = 0.15
"""Share of cells in which a value stands beside other text: the lines are not those of the columns."""


def bordered_tables(page: PageLayout) -> list[Draft]:
    """Tables of at least two rows and two columns whose cells are separated by lines."""
    if len(page.rules) < 4:
        return []
    drafts: list[Draft] = []
    for grid in find_grids(*split_rules(page.rules)):
        draft = _filled(page, grid)
        if draft is not None and not any(_inside(draft, other) for other in drafts):
            drafts.append(draft)
    return drafts


def _inside(inner: Draft, outer: Draft) -> bool:
    x, y = (inner.box[0] + inner.box[2]) / 2, (inner.box[1] + inner.box[3]) / 2
    return outer.box[0] <= x <= outer.box[2] and outer.box[1] <= y <= outer.box[3]


def _filled(page: PageLayout, grid: Grid) -> Draft | None:
    contents = _contents(page, grid)
    if len(contents) < 3 or len(contents) < _MIN_FILLED * len(grid.cells):
        return None
    lines = {cell: text_lines(page.words, words, upended=True) for cell, words in contents.items()}
    crowded = sum(any(line.values and len(line.pieces) > 1 for line in found) for found in lines.values())
    if crowded > _MAX_CROWDED * len(contents):
        return None
    draft = _draft(page, grid, lines)
    return draft if draft.height >= 2 and draft.width >= 2 else None


def _contents(page: PageLayout, grid: Grid) -> dict[tuple[int, int, int, int], list[int]]:
    """Words by the cell that holds their middle."""
    owner = {
        (r, c): cell for cell in grid.cells for r in range(cell[0], cell[2] + 1) for c in range(cell[1], cell[3] + 1)
    }
    contents: dict[tuple[int, int, int, int], list[int]] = {}
    left, top, right, bottom = grid.box
    for index, word in enumerate(page.words):
        x0, y0, x1, y1 = word.box
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if not (left <= x <= right and top <= y <= bottom):
            continue
        place = (bisect_right(grid.ys, y) - 1, bisect_right(grid.xs, x) - 1)
        if place in owner:
            contents.setdefault(owner[place], []).append(index)
    return contents


def _draft(page: PageLayout, grid: Grid, lines: dict[tuple[int, int, int, int], list[TextLine]]) -> Draft:
    """Cells of the grid; a row that holds several lines of values becomes several rows."""
    splits = _row_splits(grid, lines)
    starts = [0]
    for parts in splits:
        starts.append(starts[-1] + len(parts) + 1)
    cells = []
    for (r0, c0, r1, c1), found in sorted(lines.items()):
        if r0 == r1 and splits[r0]:
            cells += _cells_by_line(starts[r0], splits[r0], c0, c1, found)
        else:
            cells.append(_cell(starts[r0], starts[r1 + 1] - 1, c0, c1, found))
    tops = [y for r, parts in enumerate(splits) for y in (grid.ys[r], *parts)]
    edges = tuple(pairwise(grid.xs))
    return Draft(page.number, grid.box, cells, starts[-1], len(edges), edges=edges, tops=tuple(tops)).compacted()


def _row_splits(grid: Grid, lines: dict[tuple[int, int, int, int], list[TextLine]]) -> list[list[float]]:
    """For each row of the grid the heights at which it is cut, where values stand below each other in one cell."""
    splits: list[list[float]] = [[] for _ in range(len(grid.ys) - 1)]
    for (r0, _, r1, _), found in lines.items():
        values = [line for line in found if line.values and len(line.pieces) == 1]
        if r0 == r1 and len(values) >= 2 and len(values) >= 0.7 * len(found) and len(values) > len(splits[r0]) + 1:
            splits[r0] = [(above.y1 + below.y0) / 2 for above, below in pairwise(values)]
    return splits


def _cells_by_line(start: int, cuts: list[float], c0: int, c1: int, found: Sequence[TextLine]) -> list[Cell]:
    rows: dict[int, list[TextLine]] = {}
    for line in found:
        rows.setdefault(bisect_right(cuts, (line.y0 + line.y1) / 2), []).append(line)
    return [_cell(start + row, start + row, c0, c1, part) for row, part in rows.items()]


def _cell(row: int, last_row: int, column: int, last_column: int, found: Sequence[TextLine]) -> Cell:
    pieces = [piece for line in found for piece in line.pieces]
    text = reduce(joined, (piece.text for piece in pieces))
    words = [word for piece in pieces for word in piece.words]
    bold = all(piece.bold for piece in pieces)
    return Cell(row, column, text, words, min(p.x0 for p in pieces), last_row, last_column, bold)
