"""Tables as text: Markdown for reading, a skeleton without values for the index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import TypeVar

from ...core.patterns import on_demand
from ...core.tokens import estimate_tokens
from ..document import Table
from .values import joined

T = TypeVar("T")

_LEAST_BESIDE = 2
"""Columns on either side of a head that stands over all of them."""
_OF_TIME = on_demand(r"\d|\b(?:years?|quarters?|months?|weeks?|ended|ending|as (?:of|at))\b|[年季月]", re.IGNORECASE)
_MAX_TOKENS = 180
"""Of one piece of a skeleton: small embedding models read 256 and the meta line comes on top."""
_MIN_ROOM = 40
"""Tokens of a piece for names of rows, however long what it repeats."""


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
    heads = head_texts(table)
    rows = table.rows[table.header_rows :]
    above = ""
    is_unit_in_cell = any(table.unit in cell for cell in chain(heads, *rows))
    if table.unit and not is_unit_in_cell:
        if heads[0]:
            above = f"{table.unit}\n\n"
        else:
            heads[0] = table.unit
    rule = "|" + " --- |" * len(heads)
    lines = [_line(heads), rule, *map(_line, rows)]
    return above + "\n".join(lines)


def head_texts(table: Table) -> list[str]:
    """The words over each column from top to bottom, those of heads over several columns or rows once.

    A head over all columns, the labels too, is a title: it stands over the labels alone. So does one that stands over
    the middle of many columns which each have a head of their own ("Payments due by period").

    >>> heads = Table((("", "Year ended June 30,", ""), ("", "2015", "2014")), 2, spans=((0, 1, 0, 2),))
    >>> head_texts(heads)
    ['', 'Year ended June 30, 2015', 'Year ended June 30, 2014']
    """
    if not table.rows:
        return []
    rows = list(map(list, table.rows[: table.header_rows]))
    for row, column, _, last_column in table.spans:
        is_title = column == 0 and last_column + 1 == len(table.rows[0])
        if row < len(rows) and not is_title:
            covered = slice(column, last_column + 1)
            rows[row][covered] = [rows[row][column]] * (last_column + 1 - column)
    for heads, below in pairwise(rows):
        title = _column_of_title(heads, below)
        heads[0], heads[title] = heads[title], heads[0]
    texts = [""] * len(table.rows[0])
    for heads in rows:
        for column, head in enumerate(heads):
            texts[column] = _with_head(texts[column], head)
    return texts


def _column_of_title(heads: Sequence[str], below: Sequence[str]) -> int:
    """Where one head of several words, none of time, stands alone between the outer ones of many columns that all have
    a head below it; else 0. A head that goes on below in small letters is that column's own."""
    filled = [column for column, head in enumerate(heads) if head]
    is_alone = len(filled) == 1 and _LEAST_BESIDE <= filled[0] < len(heads) - _LEAST_BESIDE
    if not is_alone or not all(below[1:]):
        return 0
    head, goes_on = heads[filled[0]], below[filled[0]][0].islower()
    is_title = " " in head.strip() and not goes_on and not _OF_TIME.search(head)
    return filled[0] if is_title else 0


def _with_head(text: str, head: str) -> str:
    """The words over a column with those of the next row of heads, where they do not end in them already."""
    if text.endswith(head):
        return text
    return joined(text, head)


def by_row(lines: Sequence[T], table: Table) -> list[T]:
    """For each row what ``lines`` has for its line of the Markdown, the rule not counted; all heads have the first.

    Lines that are as many as the rows stand for them one by one; empty where the number fits neither.

    >>> by_row(["heads", "first", "second"], Table((("",), ("2022",), ("5",), ("4",)), header_rows=2))
    ['heads', 'heads', 'first', 'second']
    """
    if len(lines) == 1 + len(table.rows) - table.header_rows:
        return [lines[0]] * table.header_rows + list(lines[1:])
    if len(lines) == len(table.rows):
        return list(lines)
    return []


def skeleton(table: Table, meta: str = "") -> list[str]:
    """Title, column heads, row names, unit and notes without values, in pieces of at most 180 tokens.

    Each piece repeats ``meta``, the title and the column heads, then names as many rows as it holds.

    >>> skeleton(Table((("", "2022"), ("Revenue", "5"), ("Costs", "3")), title="Income"), "Acme 10-K")
    ['Acme 10-K. Income. 2022. Revenue; Costs']
    """
    heads = filter(None, chain.from_iterable(table.rows[: table.header_rows]))
    opening = _sentences(meta, table.title, table.unit, ", ".join(dict.fromkeys(heads)))
    names = map(_words, table.rows[table.header_rows :])
    named = filter(None, [*names, *table.notes.splitlines()])
    room = max(_MIN_ROOM, _MAX_TOKENS - estimate_tokens(opening))
    return [_sentences(opening, "; ".join(piece)) for piece in _packed(named, room)]


def _packed(names: Iterable[str], room: int) -> list[list[str]]:
    """The names in order in pieces of at most ``room`` tokens; a longer name is a piece of its own."""
    pieces: list[list[str]] = [[]]
    left = room
    for name in names:
        cost = estimate_tokens(name) + 1
        if cost > left and pieces[-1]:
            pieces.append([])
            left = room
        pieces[-1].append(name)
        left -= cost
    return pieces


def _line(row: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escaped, row)) + " |"


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


def _words(row: tuple[str, ...]) -> str:
    """The cells of a row that are no numbers."""
    return " ".join(filter(_has_letter, row))


def _has_letter(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def _sentences(*parts: str) -> str:
    return ". ".join(filter(None, parts))
