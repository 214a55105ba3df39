"""HTML tables: spans resolved, spacer columns dropped, "$" and ")" put back to their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_MAX_SPAN = 60
_MAX_CELLS = 200_000
_VALUE = re.compile(r"^[$€£¥]?\s*[(（-]?\s*[$€£¥]?\s*\d[\d,.]*\s*[)）]?\s*%?\s*[)）]?$|^[—–-]$")
_YEAR = re.compile(r"^(19|20)\d\d$")
_LEADS = frozenset(("$", "€", "£", "¥", "US$", "HK$", "RMB", "(", "$(", "C$", "A$"))
_TRAILS = frozenset((")", "%", ")%", "%)", "pts", "x", "bps", "*", "†"))


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of equal length; ``links`` counts the links to places in the same page."""

    rows: tuple[tuple[str, ...], ...]
    links: int = 0
    spans: tuple[tuple[int, int, int, int], ...] = ()
    """Cells over several columns, as in ``Table``."""

    @property
    def values(self) -> int:
        """Cells that are amounts."""
        return sum(is_value(cell) for row in self.rows for cell in row)

    @property
    def is_data(self) -> bool:
        """False for tables that only lay out text: one column, or bullets beside paragraphs."""
        if not self.rows or len(self.rows[0]) < 2:
            return False
        longest = max((len(cell) for row in self.rows for cell in row), default=0)
        return (
            self.values >= 2
            or (len(self.rows) >= 2 and len(self.rows[0]) >= 3)
            or (len(self.rows) >= 3 and longest < 300)
        )

    @property
    def header_rows(self) -> int:
        """Rows before the first with an amount (a year is none), or with nothing but a name below other heads."""
        for at, row in enumerate(self.rows):
            if any(map(_is_amount, row[1:])):
                return at
            if at and row[0] and not any(row[1:]) and any(any(above[1:]) for above in self.rows[:at]):
                return at
        return 1


def is_value(cell: str) -> bool:
    """True for an amount, a percentage or a dash.

    >>> is_value("$ (1,234)"), is_value("12.5 %"), is_value("Note 3")
    (True, True, False)
    """
    return bool(_VALUE.match(cell))


def _is_amount(cell: str) -> bool:
    return is_value(cell) and not _YEAR.match(cell)


def read_grid(table: Any, text_of: Any) -> Grid:
    """The cells of an lxml table; ``text_of(cell)`` gives a cell's visible text."""
    spread = _spread(table, text_of)
    width = max(map(len, spread), default=0)
    full = [row + [_Cell()] * (width - len(row)) for row in spread]
    kept = [row for row in full if any(cell.text for cell in row)]
    rows, columns = _glued([[cell.text for cell in row] for row in kept])
    links = len(table.xpath(".//a[starts-with(@href, '#')]"))
    spans = [
        (r, first, r, last)
        for r, row in enumerate(kept)
        for at, cell in enumerate(row)
        if cell.across > 1 and cell.text
        for first, last in [_covered(columns, at, at + cell.across)]
        if last > first
    ]
    return Grid(tuple(map(tuple, rows)), links, tuple(spans))


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str = ""
    across: int = 1


def _covered(columns: Sequence[Sequence[int]], start: int, end: int) -> tuple[int, int]:
    """First and last of the columns that hold printed columns from ``start`` up to ``end``."""
    held = [at for at, own in enumerate(columns) if any(start <= column < end for column in own)]
    return (held[0], held[-1]) if held else (0, 0)


def _spread(table: Any, text_of: Any) -> list[list[_Cell]]:
    """Each cell at its column; what a span covers besides is empty."""
    rows: list[list[_Cell]] = []
    below: dict[int, int] = {}
    cells = 0
    for row in table.iter("tr"):
        out: list[_Cell] = []
        following: dict[int, int] = {column: left - 1 for column, left in below.items() if left > 1}
        for cell in row.iterchildren("td", "th"):
            while below.get(len(out), 0) > 0:
                out.append(_Cell())
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            for column in range(len(out), len(out) + across):
                if down > 1:
                    following[column] = down - 1
            out += [_Cell(text_of(cell), across), *[_Cell()] * (across - 1)]
        cells += len(out)
        if cells > _MAX_CELLS:
            break
        below = following
        rows.append(out)
    return rows


def _span(cell: Any, name: str) -> int:
    try:
        return max(1, min(_MAX_SPAN, int(cell.get(name, "1"))))
    except ValueError:
        return 1


def _glued(rows: Sequence[list[str]]) -> tuple[list[list[str]], list[list[int]]]:
    """Currency signs joined to the number on their right, closing signs to their left; empty columns gone.

    The second list holds for each column that is left the printed ones it is made of.
    """
    joined = [_glue_row(row) for row in rows]
    if not joined:
        return [], []
    used = [column for column in range(len(joined[0])) if any(row[column] for row in joined)]
    return _merge_heads([[row[column] for column in used] for row in joined], [[column] for column in used])


def _glue_row(row: Sequence[str]) -> list[str]:
    """A sign moves into the cell of its number, over empty cells; the number keeps its column."""
    out = list(row)
    for at, cell in enumerate(out):
        if cell in _LEADS:
            target = next((i for i in range(at + 1, min(len(out), at + 4)) if out[i]), None)
            if target is not None and is_value(out[target] + ")" * ("(" in out[target] and ")" not in out[target])):
                out[target] = cell + out[target]
                out[at] = ""
        elif cell in _TRAILS:
            target = next((i for i in range(at - 1, max(-1, at - 4), -1) if out[i]), None)
            if target is not None and any(map(str.isdigit, out[target])):
                out[target] += cell
                out[at] = ""
    return out


def _merge_heads(rows: list[list[str]], columns: list[list[int]]) -> tuple[list[list[str]], list[list[int]]]:
    """Join neighbouring columns of which no row fills both: a head's cell often starts left of its numbers."""
    at = 1
    while at < len(columns) - 1:
        left, right = [row[at] for row in rows], [row[at + 1] for row in rows]
        clash = any(a and b for a, b in zip(left, right, strict=True))
        heads_only = not any(map(_is_amount, left)) or not any(map(_is_amount, right))
        if clash or not heads_only:
            at += 1
            continue
        rows = [[*row[:at], row[at] or row[at + 1], *row[at + 2 :]] for row in rows]
        columns = [*columns[:at], columns[at] + columns[at + 1], *columns[at + 2 :]]
    return rows, columns


def plain_rows(grid: Grid) -> Iterator[str]:
    """The rows of a table that only lays out text, one line each."""
    for row in grid.rows:
        yield " ".join(cell for cell in row if cell)
