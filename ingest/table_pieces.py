"""A table cut into what an embedding model can read: its skeleton, some rows at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .embedding_text import embedding_text
from .table import Table

_LINE = re.compile(r"\S(?:.*\S)?")
_RULE = re.compile(r"[|\s:+-]+")
_ROWS = 12
"""Row names a piece: with title and column heads about a hundred tokens, half of what small models read."""
_LONGEST_HEAD = 200


@dataclass(frozen=True, slots=True)
class TablePiece:
    """Words of a table without its values, and the offsets of the rows they name."""

    text: str
    start: int
    end: int


def table_pieces(text: str, start: int, end: int, table: Table | None) -> list[TablePiece]:
    """The skeleton of the table whose Markdown is ``text[start:end]``; at least one piece.

    Every piece begins with title and column heads; then come the names of its rows. Without ``table`` the cells of the
    Markdown are read.
    """
    lines = [(m.start() + start, m.end() + start) for m in _LINE.finditer(text[start:end])]
    body = [(a, b) for a, b in lines if not _RULE.fullmatch(text, a, b)]
    rows: Sequence[Sequence[str]] = [_cells(text[a:b]) for a, b in body]
    heads = min(1, len(rows) - 1)
    if table is not None and len(table.rows) == len(body):
        rows, heads = table.rows, min(table.header_rows, len(rows) - 1)
    head = _head(rows[:heads], table)
    pieces = []
    for first in range(heads, len(rows), _ROWS):
        names = [name for row in rows[first : first + _ROWS] if (name := _row_name(row))]
        words = ". ".join(part for part in (head, "; ".join(names)) if part)
        row_start, row_end = body[first][0], body[min(first + _ROWS, len(body)) - 1][1]
        pieces.append(TablePiece(words or embedding_text(text[row_start:row_end]), row_start, row_end))
    return pieces or [TablePiece(embedding_text(text[start:end]), start, end)]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _head(rows: Sequence[Sequence[str]], table: Table | None) -> str:
    """Title, unit and the distinct column heads on one line."""
    title = [table.title, table.unit] if table else []
    cells = dict.fromkeys(cell for row in rows for cell in row if cell)
    parts = [part for part in (*title, ", ".join(cells)) if part]
    return " ".join(". ".join(parts).split())[:_LONGEST_HEAD]


def _row_name(row: Sequence[str]) -> str:
    """The words of a row: its name, and cells that are no numbers."""
    return " ".join(cell for cell in row if any(c.isalpha() for c in cell))
