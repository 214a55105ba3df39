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
        """Rows before the first one with a name and an amount (a year is none)."""
        for at, row in enumerate(self.rows):
            amounts = [cell for cell in row[1:] if _is_amount(cell)]
            if amounts and at > 0:
                return at
            if amounts:
                return 0
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
    rows = _spread(table, text_of)
    width = max(map(len, rows), default=0)
    full = [row + [""] * (width - len(row)) for row in rows]
    glued = _glued([row for row in full if any(row)])
    links = len(table.xpath(".//a[starts-with(@href, '#')]"))
    return Grid(tuple(tuple(row) for row in glued), links)


def _spread(table: Any, text_of: Any) -> list[list[str]]:
    """Each cell at its column; what a span covers besides is empty."""
    rows: list[list[str]] = []
    below: dict[int, int] = {}
    cells = 0
    for row in table.iter("tr"):
        out: list[str] = []
        following: dict[int, int] = {column: left - 1 for column, left in below.items() if left > 1}
        for cell in row.iterchildren("td", "th"):
            while below.get(len(out), 0) > 0:
                out.append("")
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            for column in range(len(out), len(out) + across):
                if down > 1:
                    following[column] = down - 1
            out += [text_of(cell), *[""] * (across - 1)]
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


def _glued(rows: Sequence[list[str]]) -> list[list[str]]:
    """Currency signs joined to the number on their right, closing signs to their left; empty columns gone."""
    joined = [_glue_row(row) for row in rows]
    if not joined:
        return []
    used = [column for column in range(len(joined[0])) if any(row[column] for row in joined)]
    return _merge_heads([[row[column] for column in used] for row in joined])


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


def _merge_heads(rows: list[list[str]]) -> list[list[str]]:
    """Join neighbouring columns of which no row fills both: a head's cell often starts left of its numbers."""
    at = 1
    while rows and at < len(rows[0]) - 1:
        left, right = [row[at] for row in rows], [row[at + 1] for row in rows]
        clash = any(a and b for a, b in zip(left, right, strict=True))
        heads_only = not any(map(_is_amount, left)) or not any(map(_is_amount, right))
        if clash or not heads_only:
            at += 1
            continue
        rows = [[*row[:at], row[at] or row[at + 1], *row[at + 2 :]] for row in rows]
    return rows


def plain_rows(grid: Grid) -> Iterator[str]:
    """The rows of a table that only lays out text, one line each."""
    for row in grid.rows:
        yield " ".join(cell for cell in row if cell)
