"""Which rows of a filled grid are column heads, and how deep each label is indented."""

from __future__ import annotations

from .draft import Draft
from .values import is_number, is_value, is_year

_MAX_HEADER_ROWS = 4
_LONGEST_HEAD = 14
"""Characters of a head over the one value column of a table of two columns."""
_STEP = 2.5
"""Points by which labels of different depth differ at least."""
_MAX_DEPTH = 6


def count_header_rows(draft: Draft) -> int:
    """Rows before the first one with a number that is not a year, up to the first that has a label only.

    Where words fill the rows, the first is a head if each column has one.
    """
    rows = draft.rows()
    if not rows or _starts_with_facts(draft, rows[0]):
        return 0
    spanned = {cell.row for cell in draft.cells if cell.last_column > cell.column}
    heads = 0
    for r, row in enumerate(rows):
        values = [text for text in row[1:] if text]
        if any(is_number(text) and not is_year(text) for text in values) or _is_blank_row(row[0], values):
            return heads if r <= _MAX_HEADER_ROWS else int(_is_full(rows[0]))
        if not values and r not in spanned:
            return heads if r else 0
        heads = r + 1
    return int(_is_full(rows[0]) or (not rows[0][0] and len(rows) > 1))


def _starts_with_facts(draft: Draft, row: list[str]) -> bool:
    """True where the first row is a name and a long text, or a name for several rows: a form, not a head."""
    if any(
        cell.row == 0 and cell.column == 0 and cell.last_row > 0 and not is_value(cell.text) for cell in draft.cells
    ):
        return all(cell.last_row == 0 for cell in draft.cells if cell.row == 0 and cell.column > 0) and len(row) == 3
    return len(row) == 2 and bool(row[0]) and len(row[1]) > _LONGEST_HEAD


def _is_blank_row(label: str, values: list[str]) -> bool:
    """A label with nothing but dashes."""
    return bool(label and values) and all(is_value(text) and not is_year(text) for text in values)


def _is_full(row: list[str]) -> bool:
    return len(row) > 2 and all(row[1:]) and not any(is_value(text) for text in row)


def indents(draft: Draft) -> tuple[int, ...]:
    """Depth of each row by the left edge of its label; 0 for rows without one."""
    edges = {cell.row: cell.x0 for cell in draft.cells if cell.column == 0 and cell.row >= draft.header_rows}
    levels: list[float] = []
    for x in sorted(edges.values()):
        if not levels or x - levels[-1] > _STEP:
            levels.append(x)
    if len(levels) > _MAX_DEPTH:
        return (0,) * draft.height
    return tuple(_depth(edges.get(row), levels) for row in range(draft.height))


def _depth(x: float | None, levels: list[float]) -> int:
    return 0 if x is None else max(0, sum(x >= level for level in levels) - 1)
