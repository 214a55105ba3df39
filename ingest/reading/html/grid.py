"""HTML tables: spans resolved, spacer columns dropped, "$" and ")" put back to their numbers."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ....core.records import dataclass

_MAX_SPAN = 60
_MAX_CELLS = 200_000
"""A table is cut there: hostile pages span without end."""
_REACH = 3
"""Cells that a sign may stand away from its number."""
_LONGEST_CELL = 300
"""Characters; a table with longer cells and hardly a number lays out paragraphs."""

_VALUE = re.compile(r"^[$€£¥]?\s*(?:[(（-]\s*)?(?:[$€£¥]\s*)?\d[\d,.]*\s*(?:[)）]\s*)?(?:%\s*)?[)）]?$|^[—–-]$")
_TIME = re.compile(r"^(?:\d{1,2}\.\d{1,2}\.)?(?:19|20)\d\d$")
"""A year, or a date in digits: "30.09.2024"."""
_BEFORE_NUMBER = frozenset(("$", "€", "£", "¥", "US$", "HK$", "RMB", "(", "$(", "C$", "A$"))
_AFTER_NUMBER = frozenset((")", "%", ")%", "%)", "pts", "x", "bps", "*", "†"))


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of equal length, none of them empty; ``links`` counts the links to places in the same page."""

    rows: tuple[tuple[str, ...], ...]
    links: int = 0
    spans: tuple[tuple[int, int, int, int], ...] = ()
    """Cells over several columns, as in ``Table``."""

    @property
    def is_data(self) -> bool:
        """False for tables that only lay out text: one column, or bullets beside paragraphs."""
        height = len(self.rows)
        width = max(map(len, self.rows), default=0)
        if width < 2:
            return False
        cells = list(itertools.chain.from_iterable(self.rows))
        has_values = sum(map(is_value, cells)) >= 2
        is_wide = height >= 2 and width >= 3
        is_long = height >= 3 and max(map(len, cells)) < _LONGEST_CELL
        return has_values or is_wide or is_long

    @property
    def header_rows(self) -> int:
        """Rows before the first with an amount (a year or a date is none), or with nothing but a name below
        other heads.
        """
        is_below_heads = False
        for at, (_, *cells) in enumerate(self.rows):
            if any(map(_is_amount, cells)):
                return at
            has_heads = any(cells)
            if is_below_heads and not has_heads:
                return at
            is_below_heads = has_heads
        return 1


def is_value(cell: str) -> bool:
    """True for an amount, a percentage or a dash; the bracket after a number may be missing.

    >>> is_value("$ (1,234)"), is_value("(12.5 %"), is_value("Note 3")
    (True, True, False)
    """
    return bool(_VALUE.match(cell))


def _is_amount(cell: str) -> bool:
    return is_value(cell) and not _TIME.match(cell)


def plain_rows(grid: Grid) -> Iterator[str]:
    """The rows of a table that only lays out text, one line each."""
    for row in grid.rows:
        yield " ".join(filter(None, row))


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell with its visible text; ``across`` is its colspan."""

    text: str = ""
    across: int = 1

    @property
    def spans(self) -> bool:
        return self.across > 1 and bool(self.text)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the grid and the ordinals of the printed columns it is made of."""

    cells: list[str]
    printed: list[int]

    @property
    def has_amounts(self) -> bool:
        return any(map(_is_amount, self.cells))

    def may_take(self, right: _Column) -> bool:
        """True where no row fills both columns and one of them holds heads only."""
        clash = any(own and other for own, other in zip(self.cells, right.cells, strict=True))
        if clash:
            return False
        return not (self.has_amounts and right.has_amounts)

    def joined(self, right: _Column) -> _Column:
        cells = [own or other for own, other in zip(self.cells, right.cells, strict=True)]
        return _Column(cells, self.printed + right.printed)


def read_grid(table: Any, text_of: Callable[[Any], str]) -> Grid:
    """The cells of an lxml table; ``text_of(cell)`` gives a cell's visible text.

    Currency signs are joined to the number on their right, closing signs to that on their left. Empty rows and columns
    are gone.
    """
    rows = list(filter(_has_text, _even(_spread_rows(table, text_of))))
    columns = _join_heads(_filled_columns(rows))
    links = table.xpath(".//a[starts-with(@href, '#')]")
    return Grid(
        rows=tuple(zip(*(column.cells for column in columns), strict=True)),
        links=len(links),
        spans=tuple(_spans(rows, columns)),
    )


def _has_text(row: Sequence[_Cell]) -> bool:
    return any(cell.text for cell in row)


def _spans(rows: Sequence[Sequence[_Cell]], columns: Sequence[_Column]) -> Iterator[tuple[int, int, int, int]]:
    """Cells that still cover several columns after spacers are dropped and columns joined."""
    for ordinal, row in enumerate(rows):
        for start, cell in enumerate(row):
            if not cell.spans:
                continue
            covered = _covered(columns, set(range(start, start + cell.across)))
            if len(covered) > 1:
                yield ordinal, covered[0], ordinal, covered[-1]


def _covered(columns: Sequence[_Column], printed: set[int]) -> list[int]:
    """The columns that hold one of the printed columns."""
    return [at for at, column in enumerate(columns) if not printed.isdisjoint(column.printed)]


def _even(rows: Sequence[list[_Cell]]) -> list[list[_Cell]]:
    """The rows filled up to the same length."""
    width = max(map(len, rows), default=0)
    return [row + [_Cell()] * (width - len(row)) for row in rows]


def _spread_rows(table: Any, text_of: Callable[[Any], str]) -> list[list[_Cell]]:
    """Each cell at its column; what a span covers besides is empty."""
    rows: list[list[_Cell]] = []
    hanging: dict[int, int] = {}
    cells = 0
    for element in table.iter("tr"):
        row, hanging = _spread_row(element, text_of, hanging)
        cells += len(row)
        if cells > _MAX_CELLS:
            break
        rows.append(row)
    return rows


def _spread_row(
    element: Any, text_of: Callable[[Any], str], hanging: dict[int, int]
) -> tuple[list[_Cell], dict[int, int]]:
    """The cells of a row, and what hangs into the next one.

    ``hanging`` gives for a column the rows, from this one, into which a cell from above reaches down.
    """
    row: list[_Cell] = []
    into_next = dict(Counter(hanging) - Counter(hanging.keys()))  # a row less each, columns at none left out
    for cell in element.iterchildren("td", "th"):
        while len(row) in hanging:
            row.append(_Cell())
        across, down = _span(cell, "colspan"), _span(cell, "rowspan")
        if down > 1:
            own = range(len(row), len(row) + across)
            into_next.update(dict.fromkeys(own, down - 1))
        row.append(_Cell(text_of(cell), across))
        row += [_Cell()] * (across - 1)
    return row, into_next


def _span(cell: Any, name: str) -> int:
    try:
        return max(1, min(_MAX_SPAN, int(cell.get(name, "1"))))
    except ValueError:
        return 1


def _filled_columns(rows: Sequence[Sequence[_Cell]]) -> list[_Column]:
    """The columns with a text, signs put back to their numbers."""
    texts = map(_texts_with_signs_in_place, rows)
    columns = [_Column(list(cells), [ordinal]) for ordinal, cells in enumerate(zip(*texts, strict=True))]
    return [column for column in columns if any(column.cells)]


def _texts_with_signs_in_place(row: Iterable[_Cell]) -> list[str]:
    """A sign moves into the cell of its number, over empty cells; the number keeps its column."""
    cells = [cell.text for cell in row]
    for at, cell in enumerate(cells):
        if cell in _BEFORE_NUMBER:
            _move_right(cells, at)
        elif cell in _AFTER_NUMBER:
            _move_left(cells, at)
    return cells


def _move_right(cells: list[str], at: int) -> None:
    """Join the sign at a position to the number on its right, if there is one."""
    last = min(len(cells) - 1, at + _REACH)
    number_at = _first_filled(cells, range(at + 1, last + 1), otherwise=at)
    if is_value(cells[number_at]):
        cells[number_at] = cells[at] + cells[number_at]
        cells[at] = ""


def _move_left(cells: list[str], at: int) -> None:
    """Join the sign at a position to the number on its left, if there is one."""
    first = max(0, at - _REACH)
    number_at = _first_filled(cells, range(at - 1, first - 1, -1), otherwise=at)
    if any(map(str.isdigit, cells[number_at])):
        cells[number_at] += cells[at]
        cells[at] = ""


def _first_filled(cells: Sequence[str], positions: Iterable[int], otherwise: int) -> int:
    """The first of the positions with a text, else the one of the sign itself, which is no number."""
    return next(filter(cells.__getitem__, positions), otherwise)


def _join_heads(columns: Sequence[_Column]) -> list[_Column]:
    """Join neighbouring columns of which no row fills both: a head's cell often starts left of its numbers.

    The first column holds the rows' names and is left alone.
    """
    joined = list(columns[:1])
    for column in columns[1:]:
        before = joined[-1]
        if len(joined) > 1 and before.may_take(column):
            joined[-1] = before.joined(column)
        else:
            joined.append(column)
    return joined
