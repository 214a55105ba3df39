"""A table cut into what an embedding model can read: its skeleton, some rows at a time, and where these rows stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..table import Table
from ..tables.markdown import by_row, skeleton
from .embedding_text import embedding_text

_ROW = re.compile(r"^[ \t]*\|.*\S", re.MULTILINE)
_RULE = re.compile(r"[|\s:+-]+")
_ROWS = 12
"""Rows a piece: with title and column heads about a hundred tokens, half of what small models read."""


@dataclass(frozen=True, slots=True)
class TablePiece:
    """Words of a table without its values, and the offsets of the rows they name."""

    text: str
    start: int
    end: int


def table_pieces(text: str, start: int, end: int, table: Table | None, title: str = "") -> list[TablePiece]:
    """The skeleton of the table whose Markdown, or raw lines, are ``text[start:end]``; at least one piece.

    Every piece begins with its title (else ``title``) and column heads; then come the names of its rows.
    Without ``table`` the cells of the Markdown are read.
    """
    lines = [match.span() for match in _ROW.finditer(text, start, end) if not _RULE.fullmatch(match.group())]
    if table is not None and not lines:
        lines = _located(text, start, end, table)
    if table is not None:
        lines = by_row(lines, table) or lines
    if table is None or len(table.rows) != len(lines):
        table = _read(text, lines)
    table = replace(table, title=table.title or title)
    heads = min(table.header_rows, max(0, len(lines) - 1))
    pieces = []
    for first in range(heads, len(lines), _ROWS):
        last = min(first + _ROWS, len(lines))
        notes = table.notes if last == len(lines) else ""
        part = replace(table, rows=table.rows[:heads] + table.rows[first:last], header_rows=heads, notes=notes)
        offsets = lines[first][0], lines[last - 1][1]
        pieces.append(TablePiece(". ".join(skeleton(part)) or embedding_text(text[slice(*offsets)]), *offsets))
    return pieces or [TablePiece(embedding_text(text[start:end]), start, end)]


def _located(text: str, start: int, end: int, table: Table) -> list[tuple[int, int]]:
    """Offsets of the rows of a table that stands in the text as raw lines: each begins at its name."""
    starts, at = [], start
    for row in table.rows:
        name = next((cell for cell in row if cell), "")
        found = text.find(name, at, end)
        at = found if found >= 0 else at
        starts.append(at)
        at += len(name) if found >= 0 else 0
    return list(zip(starts, [*starts[1:], end], strict=True))


def _read(text: str, lines: Sequence[tuple[int, int]]) -> Table:
    """A table of nothing but the cells in its Markdown."""
    cells = [[cell.strip() for cell in text[a:b].strip().strip("|").split("|")] for a, b in lines]
    width = max(map(len, cells), default=0)
    return Table(tuple(tuple(row + [""] * (width - len(row))) for row in cells))
