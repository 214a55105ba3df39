"""Tables of which a PDF left one value a line, under the label of their row; with column and year where they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from .....core.period import Period
from .....core.quantity import Quantity, parse_quantity
from .....core.words import search_words
from ..wording import words_of_no_row
from .cell import Cell, decimals
from .figures import figures_of
from .table_scale import scale_of_lines

_LEADERS = re.compile(r"[.\s]{4,200}\$?$")
"""Dots that lead from a label to its values."""
_OF_NO_FIGURE = re.compile(r"[^\s$€£¥()\d.,%—–-]")
_YEAR = re.compile(r"\W{0,3}((?:19|20)\d\d)\W{0,3}")
_DAY = re.compile(r"\W{0,3}[A-Z][a-z]{2,8}\.?\s{1,2}\d{1,2},?\s{0,3}")
"""The first half of a date over a column; its year stands on the next line."""
_VALUE_ALONE = re.compile(r"[\s$€£¥]{0,20}(\(?\d[\d,]{0,20}(?:\.\d{1,10})?\)?)[\s$€£¥]{0,20}")
_ANY_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_OTHER_WORD = re.compile(
    r"\b(?!(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)[a-z]{1,40}\b"
    r"|\d[\d,]{4,20}|[$€£%]",
    re.IGNORECASE,
)
"""In a line that is no row of dates over columns."""
_LONGEST_HEAD = 120
_DASHES = frozenset("-–—")
_MOST_ADDED = 12
"""Rows that a total without a label may add up."""
_FIRST_TABLE = 1000
"""Numbers of tables from which on they are of this kind."""
_FEWEST_COLUMNS = 2


@dataclass(slots=True)
class _Row:
    """A label with the lines of values that follow it; ``years`` are those over the columns of its table."""

    label: str
    table: int
    years: tuple[int, ...]
    section: str = ""
    """The last label above it that has no values."""
    values: list[tuple[int, Quantity | None]] = field(default_factory=list)
    """Each with where it starts in the text; None for a dash."""

    @property
    def is_known(self) -> bool:
        """True where each value has its year."""
        return len(self.values) == len(self.years) >= _FEWEST_COLUMNS

    @property
    def amounts(self) -> list[Decimal]:
        """The values, a dash as nothing."""
        return [Decimal(0) if value is None else value.value for _, value in self.values]


def stacked_cells(text: str) -> Iterator[Cell]:
    """The values that stand alone on their lines, in order.

    A row with as many values as there are years over its table has them in that order; of other rows the column, and
    so the period, is not known. The scale may be said in a line of units.

    >>> page = "(in millions)\\n2023\\n2022\\nNet sales\\n$\\n4,215\\n3,900\\n"
    >>> [(cell.label, int(cell.amount), cell.periods[0].year) for cell in stacked_cells(page)]
    [('Net sales', 4215000000, 2023), ('Net sales', 3900000000, 2022)]
    """
    cells = list(_printed(text))
    has_whole = any(not decimals(cell.value) for cell in cells)
    for cell in cells:
        yield replace(cell, scale=None) if has_whole and cell.is_price else cell


def _printed(text: str) -> Iterator[Cell]:
    scale, currency = scale_of_lines((), "", text)
    for number, row in enumerate(_with_totals(_rows(text))):
        words = frozenset(search_words(row.label))
        words = words - words_of_no_row() or words
        for column, (start, value) in enumerate(row.values):
            if value is None:
                continue
            end = start + len(value.text)
            unit = value.unit or currency
            own_scale = Decimal(1) if value.unit == "%" else scale
            if not row.is_known:
                yield Cell(value.value, own_scale, unit, value.text, start, end, row.label, words, is_stacked=True)
                continue
            year = row.years[column]
            period = Period("span", year, end=date(year, 12, 31))  # a quarter, a year or a day of it: that is not said
            yield Cell(
                value.value, own_scale, unit, value.text, start, end, row.label, words, periods=(period,),
                table=row.table, row=number, column=column + 1, is_stacked=True,
            )  # fmt: skip


def _with_totals(rows: Iterable[_Row]) -> Iterator[_Row]:
    """The rows; values twice as many as years are those of the row and of a total without a label below it."""
    above: list[_Row] = []
    for row in rows:
        width = len(row.years)
        first = replace(row, values=row.values[:width])
        rest = replace(row, label=f"Total {row.section}".strip(), values=row.values[width:])
        if first.is_known and rest.is_known and _is_total(rest, [*above, first]):
            yield from (first, rest)
            row = first
        else:
            yield row
        above = [*above, row] if not above or above[-1].table == row.table else [row]


def _is_total(total: _Row, rows: Sequence[_Row]) -> bool:
    """True where the last rows add up to it, in every column."""
    sums = [Decimal(0)] * len(total.years)
    for row in reversed(rows[-_MOST_ADDED:]):
        if not row.is_known:
            return False
        sums = [one + other for one, other in zip(sums, row.amounts, strict=True)]
        if row is not rows[-1] and sums == total.amounts:
            return True
    return False


def _rows(text: str) -> Iterator[_Row]:
    """The rows of a text: a line of words, then lines of values. Lines of years begin a table."""
    at, table = 0, _FIRST_TABLE
    years: list[int] = []
    row = _Row("", table, ())
    section = ""
    heads = True
    for line in text.splitlines(keepends=True):
        named = _years_over_columns(line)
        if named:
            if not heads:
                years, heads, table = [], True, table + 1
            years.extend(named)
        elif _has_figures_alone(line):
            heads = False
            row.values.extend((at + value.start, value) for value in _values_of(line))
        elif line.strip() in _DASHES and row.label:
            row.values.append((at, None))
        elif any(char.isalpha() for char in line) and not _DAY.fullmatch(line):
            yield row
            section = section if row.values else row.label
            row = _Row(_label(row, _LEADERS.sub("", line.strip())), table, tuple(years), section)
        at += len(line)
    yield row


def _values_of(line: str) -> list[Quantity]:
    """The values of a line; one that stands alone may be of one digit, and is negative in brackets."""
    alone = _VALUE_ALONE.fullmatch(line)
    value = parse_quantity(alone[1]) if alone else None
    if alone is None or value is None:
        return figures_of(line)
    return [replace(value, start=alone.start(1))]


def _years_over_columns(line: str) -> list[int]:
    """The years of a line that holds years or dates alone: "2019", "December 28, 2019 December 29, 2018"."""
    year = _YEAR.fullmatch(line.strip())
    if year:
        return [int(year[1])]
    if len(line) > _LONGEST_HEAD or len(_ANY_YEAR.findall(line)) < _FEWEST_COLUMNS or _OTHER_WORD.search(line):
        return []
    return list(map(int, _ANY_YEAR.findall(line)))


def _label(before: _Row, line: str) -> str:
    """The label of a row; one that goes on in small letters begins on the line before: "Net cash from\\nfinancing"."""
    goes_on = line[:1].islower() and not before.values and before.label
    return f"{before.label} {line}" if goes_on else line


def _has_figures_alone(line: str) -> bool:
    return not _OF_NO_FIGURE.search(line) and any(char.isdigit() for char in line)


def places_of(cells: Sequence[Cell]) -> frozenset[int]:
    """Where the last character of each value stands: a sentence that is cut from the page holds them once more."""
    return frozenset(cell.end for cell in cells)
