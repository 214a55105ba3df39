"""Tables as text: Markdown for reading, a skeleton without values for the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ...core.tokens import estimate_tokens
from ..table import Table
from .values import joined

T = TypeVar("T")

_MAX_TOKENS = 180
"""Of one piece of a skeleton: small embedding models read 256 and the meta line comes on top."""


def to_markdown(table: Table) -> str:
    """A pipe table: one line for all heads together, the rule, and a line for each row below the heads.

    Without heads the first line is blank. The unit line goes into the empty corner, else above the table, unless a cell
    holds it already.

    >>> print(to_markdown(Table((("", "2022"), ("Net | gross", "(1)")), unit="(in millions)")))
    | (in millions) | 2022 |
    | --- | --- |
    | Net \\| gross | (1) |
    """
    if not table.rows:
        return ""
    heads, rows = head_texts(table), table.rows[table.header_rows :]
    above = ""
    if table.unit and not any(table.unit in cell for row in (heads, *rows) for cell in row):
        if heads[0]:
            above = table.unit + "\n\n"
        else:
            heads[0] = table.unit
    lines = ["| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in (heads, *rows)]
    lines.insert(1, "|" + " --- |" * len(heads))
    return above + "\n".join(lines)


def head_texts(table: Table) -> list[str]:
    """The words over each column from top to bottom, those of heads over several columns or rows once.

    >>> heads = Table((("", "Year ended June 30,", ""), ("", "2015", "2014")), 2, spans=((0, 1, 0, 2),))
    >>> head_texts(heads)
    ['', 'Year ended June 30, 2015', 'Year ended June 30, 2014']
    """
    rows = [list(row) for row in table.rows[: table.header_rows]]
    for first, column, _, last_column in table.spans:
        if first < len(rows):
            rows[first][column : last_column + 1] = [rows[first][column]] * (last_column + 1 - column)
    texts = [""] * len(table.rows[0]) if table.rows else []
    for row in rows:
        for column, text in enumerate(row):
            if text and not texts[column].endswith(text):
                texts[column] = joined(texts[column], text)
    return texts


def by_row(lines: Sequence[T], table: Table) -> list[T]:
    """For each row what ``lines`` has for its line of the Markdown, the rule not counted; all heads have the first.

    Lines that are as many as the rows stand for them one by one; empty where the number fits neither.

    >>> by_row(["heads", "first", "second"], Table((("",), ("2022",), ("5",), ("4",)), header_rows=2))
    ['heads', 'heads', 'first', 'second']
    """
    if len(lines) == 1 + len(table.rows) - table.header_rows:
        return [lines[0]] * table.header_rows + list(lines[1:])
    return list(lines) if len(lines) == len(table.rows) else []


def skeleton(table: Table, meta: str = "") -> list[str]:
    """Title, column heads, row names, unit and notes without values, in pieces of at most 180 tokens.

    Each piece repeats ``meta``, the title and the column heads, then names as many rows as it holds.

    >>> skeleton(Table((("", "2022"), ("Revenue", "5"), ("Costs", "3")), title="Income"), "Acme 10-K")
    ['Acme 10-K. Income. 2022. Revenue; Costs']
    """
    heads = dict.fromkeys(cell for row in table.rows[: table.header_rows] for cell in row if cell)
    opening = _sentences(meta, table.title, table.unit, ", ".join(heads))
    names = [name for row in table.rows[table.header_rows :] if (name := _words(row))]
    names += [line for line in table.notes.splitlines() if line]
    pieces: list[list[str]] = [[]]
    room = left = max(40, _MAX_TOKENS - estimate_tokens(opening))
    for name in names:
        cost = estimate_tokens(name) + 1
        if cost > left and pieces[-1]:
            pieces.append([])
            left = room
        pieces[-1].append(name)
        left -= cost
    return [_sentences(opening, "; ".join(piece)) for piece in pieces]


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


def _words(row: tuple[str, ...]) -> str:
    """The cells of a row that are no numbers."""
    return " ".join(cell for cell in row if any(char.isalpha() for char in cell))


def _sentences(*parts: str) -> str:
    return ". ".join(part for part in parts if part)
