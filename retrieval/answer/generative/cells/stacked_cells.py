"""Tables of which a PDF left one value a line, under the label of their row; with column and year where they show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from .....core.period import Period
from .....core.quantity import Quantity
from .....core.words import search_words
from ..wording import words_of_no_row
from .cell import Cell
from .figures import figures_of
from .table_scale import scale_of_lines

_OF_NO_FIGURE = re.compile(r"[^\s$€£¥()\d.,%—–-]")
_YEAR = re.compile(r"\W{0,3}((?:19|20)\d\d)\W{0,3}")
_DAY = re.compile(r"\W{0,3}[A-Z][a-z]{2,8}\.?\s{1,2}\d{1,2},?\s{0,3}")
"""The first half of a date over a column; its year stands on the next line."""
_FIRST_TABLE = 1000
"""Numbers of tables from which on they are of this kind."""
_FEWEST_COLUMNS = 2


@dataclass(slots=True)
class _Row:
    """A label with the lines of values that follow it; ``years`` are those over the columns of its table."""

    label: str
    table: int
    years: tuple[int, ...]
    values: list[tuple[int, Quantity]] = field(default_factory=list)
    """Each with where it starts in the text."""


def stacked_cells(text: str) -> Iterator[Cell]:
    """The values that stand alone on their lines, in order.

    A row with as many values as there are years over its table has them in that order; of other rows the column, and
    so the period, is not known. The scale may be said in a line of units.

    >>> page = "(in millions)\\n2023\\n2022\\nNet sales\\n$\\n4,215\\n3,900\\n"
    >>> [(cell.label, int(cell.amount), cell.periods[0].year) for cell in stacked_cells(page)]
    [('Net sales', 4215000000, 2023), ('Net sales', 3900000000, 2022)]
    """
    scale, currency = scale_of_lines((), "", text)
    for number, row in enumerate(_rows(text)):
        words = frozenset(search_words(row.label))
        words = words - words_of_no_row() or words
        is_known = len(row.values) == len(row.years) >= _FEWEST_COLUMNS
        for column, (start, value) in enumerate(row.values):
            end = start + len(value.text)
            unit = value.unit or currency
            own_scale = Decimal(1) if value.unit == "%" else scale
            if not is_known:
                yield Cell(value.value, own_scale, unit, value.text, start, end, row.label, words, is_stacked=True)
                continue
            year = row.years[column]
            period = Period("span", year, end=date(year, 12, 31))  # a quarter, a year or a day of it: that is not said
            yield Cell(
                value.value, own_scale, unit, value.text, start, end, row.label, words, periods=(period,),
                table=row.table, row=number, column=column + 1, is_stacked=True,
            )  # fmt: skip


def _rows(text: str) -> Iterator[_Row]:
    """The rows of a text: a line of words, then lines of values. Lines of years begin a table."""
    at, table = 0, _FIRST_TABLE
    years: list[int] = []
    row = _Row("", table, ())
    heads = True
    for line in text.splitlines(keepends=True):
        year = _YEAR.fullmatch(line.strip())
        if year:
            if not heads:
                years, heads, table = [], True, table + 1
            years.append(int(year[1]))
        elif _has_figures_alone(line):
            heads = False
            row.values.extend((at + value.start, value) for value in figures_of(line))
        elif any(char.isalpha() for char in line) and not _DAY.fullmatch(line):
            yield row
            row = _Row(_label(row, line.strip()), table, tuple(years))
        at += len(line)
    yield row


def _label(before: _Row, line: str) -> str:
    """The label of a row; one that goes on in small letters begins on the line before: "Net cash from\\nfinancing"."""
    goes_on = line[:1].islower() and not before.values and before.label
    return f"{before.label} {line}" if goes_on else line


def _has_figures_alone(line: str) -> bool:
    return not _OF_NO_FIGURE.search(line) and any(char.isdigit() for char in line)


def places_of(cells: Sequence[Cell]) -> frozenset[int]:
    """Where the last character of each value stands: a sentence that is cut from the page holds them once more."""
    return frozenset(cell.end for cell in cells)
