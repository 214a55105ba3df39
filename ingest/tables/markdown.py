"""Tables as text: Markdown for reading, a skeleton without values for the index."""

from __future__ import annotations

from ...core.tokens import estimate_tokens
from ..table import Table

_MAX_TOKENS = 180
"""Of one piece of a skeleton: small embedding models read 256 and the meta line comes on top."""


def to_markdown(table: Table) -> str:
    """A line a row, as a pipe table; a head over several columns is repeated over each of them.

    The unit line goes into the empty corner, else above the table, unless a cell holds it already.

    >>> print(to_markdown(Table((("", "2022"), ("Net | gross", "(1)")), unit="(in millions)")))
    | (in millions) | 2022 |
    | --- | --- |
    | Net \\| gross | (1) |
    """
    rows = [list(row) for row in table.rows]
    for row, column, last_row, last_column in table.spans:
        for r in range(row, min(last_row + 1, table.header_rows)):
            rows[r][column : last_column + 1] = [rows[row][column]] * (last_column + 1 - column)
    above = ""
    if table.unit and rows and not any(table.unit in cell for row in rows for cell in row):
        if rows[0][0]:
            above = table.unit + "\n\n"
        else:
            rows[0][0] = table.unit
    lines = ["| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in rows]
    if lines:
        lines.insert(1, "|" + " --- |" * len(rows[0]))
    return above + "\n".join(lines)


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
