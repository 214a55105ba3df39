"""The figures of a Markdown table as cells: with row, column, period, scale and unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from .....core.patterns import without_parts
from .....core.period import Period
from .....core.period_text import find_periods, periods_in
from .....core.quantity import Quantity, bracketed, currency_in, decimals, find_quantities, parse_quantity, read_scale
from .....core.records import dataclass
from .....core.sequences import first as first_of
from .....core.words import has_digit, search_words, without_numbers
from ..reply_text import is_table_row, is_table_rule
from ..wording import words_of_no_row
from .cell import RATES, Cell

_SHARES_ONLY = re.compile(r"\(shares? in (?:thousand|million)", re.IGNORECASE)
"""Says the scale of numbers of shares, not that of amounts."""
_SHARES_TOO = re.compile(r"shares? in (?:thousand|million)", re.IGNORECASE)
_OF_COUNTS = re.compile(r"^[^(]*\b(?:shares|options|securities|units|number)\b[^(]*\(", re.IGNORECASE)
"""The head of a column of counts, whose scale is that of no other: "Shares repurchased (000's)"."""
_IN_UNITS = re.compile(r"\bin (?:US |NT )?[$€£]?\s?(?:thousand|million|billion|000)", re.IGNORECASE)
_UNIT_LINE = re.compile(
    r"\b(?:in|dollars|amounts|expressed)\b.{0,30}(?:thousand|million|billion|000)|^\W?(?:millions|thousands)\W|单位|單位",
    re.IGNORECASE,
)
_LINES_ABOVE = 3
_LONGEST = 300


def scale_of_lines(heads: Sequence[str], before: str, text: str) -> tuple[Decimal | None, str]:
    """Scale and currency: of the first head, else of the lines before the table, else of any unit line of the text."""
    near = [line for line in before.splitlines() if line.strip() and not _SHARES_ONLY.search(line)]
    first = [head for head in heads[:1] if not _OF_COUNTS.search(head)]
    lines = [*first, *reversed(near[-_LINES_ABOVE:]), *(line for _, line in _unit_lines(text)), *heads[1:]]
    factor: Decimal | None = None
    currency = ""
    for line in filter(_says_unit, lines):
        told = read_scale(line[-_LONGEST:])
        factor = told.factor if factor is None else factor
        currency = currency or told.currency
    return factor, currency or currency_in(" ".join(heads))


def lines_above(before: str) -> list[str]:
    """The last lines before a table, back to the table above it: its title and what leads to it."""
    lines: list[str] = []
    for line in reversed([line for line in before.splitlines() if line.strip()]):
        if is_table_row(line) or len(lines) == _LINES_ABOVE:
            break
        lines.append(line)
    return lines[::-1]


def scale_counts_too(heads: Sequence[str], before: str, text: str) -> bool:
    """True where numbers of shares are in the scale of the table, too."""
    return _SHARES_TOO.search(" ".join((*heads[:1], before, *(line for _, line in _unit_lines(text))))) is not None


def _says_unit(line: str) -> bool:
    """True where a line tells in what amounts are given; a sentence about "$1.1 million" does not."""
    return not find_quantities(line) or _IN_UNITS.search(line) is not None


def scales_said(text: str) -> Iterator[tuple[int, Decimal]]:
    """Where the lines of a text say a scale, and which."""
    for start, line in _unit_lines(text):
        factor = read_scale(line[-_LONGEST:]).factor if _says_unit(line) else None
        if factor is not None:
            yield start, factor


def _unit_lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare and not is_table_row(bare) and _UNIT_LINE.search(bare):
            yield at, bare
        at += len(line)


_BAR = re.compile(r"(?<!\\)\|")
_CHANGE = re.compile(
    r"\b(?:changes?|variations?|increase|decrease|growth|difference|var)\b|增减|变动|同比", re.IGNORECASE
)
_PER_SHARE = re.compile(r"\bper\b.{0,40}\b(?:share|unit|ads)\b|每股", re.IGNORECASE)
_COUNT_ROW = re.compile(r"\b(?:shares|options|securities|units|employees|number)\b|股数", re.IGNORECASE)
_PERCENT = re.compile(r"%|％|\bper ?cent(?:age)?\b", re.IGNORECASE)
_RATE_IN_NAME = re.compile(r"\b\d{1,3}(?:\.\d{1,4})?\s?[%％]")
"""The rate of "6.50% Senior Notes" is no unit of its amounts."""
_QUARTER = re.compile(r"^\W*(first|second|third|fourth)\W+quarter\W*$", re.IGNORECASE)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SPAN = re.compile(
    r"\b(?:(?:three|six|nine|twelve|\d{1,2}) (?:months|weeks)|quarters?|years?) ended\b[^|]{0,40}", re.IGNORECASE
)
"""In the head of the labels: what the years over the columns are the end of."""
_UNIT_OR_NOTHING = re.compile(r"\s{0,9}(?:\([^()]{0,60}\)\s{0,9})?")
"""In the place of a label: a row of heads has none of its own, but may have "(in millions)"."""
_BARE_YEAR = re.compile(r"\W{0,3}(?:19|20)\d\d\W{0,3}")
_LENGTH_OF_TIME = re.compile(r"\b(?:in|number of|of) (?:years|months|days)\b|\((?:years|months|days)\)", re.IGNORECASE)
_SCALE_NEAR = 600
"""Characters before a table in which its scale may be said."""
_LONGEST_FIGURE = 25
_CENTS = 2
"""Decimals of a price."""


@dataclass(frozen=True, slots=True)
class _Column:
    words: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    is_change: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    start: int
    label: str
    section: str
    """The label of the last row above that has no figures."""
    periods: tuple[Period, ...]
    """Said in its label or section, not over its columns."""


class TableReader:
    """One table of a text; ``lines`` are its rows with where each starts."""

    def __init__(self, text: str, lines: Sequence[tuple[int, str]], number: int) -> None:
        self._number = number
        self._rows = [(start, _split(line)) for start, line in lines if not is_table_rule(line)]
        has_head = [is_table_rule(line) for _, line in lines[:2]] == [False, True]  # an empty head passes for a rule
        heads = [cell for _, cell in self._rows[0][1]] if has_head else []
        self._body = self._rows[1:] if has_head else self._rows
        before = text[max(0, lines[0][0] - _SCALE_NEAR) : lines[0][0]]
        says_own = any(read_scale(bracketed(row[0][1])).factor for _, row in self._body)
        self._scale, self._currency = scale_of_lines(heads, before, "" if says_own else text)
        self._counts_too = scale_counts_too(heads, before, text)
        self._title = frozenset(search_words(" ".join(lines_above(before))))
        self._columns = _read_columns(heads)

    def cells(self) -> Iterator[Cell]:
        """The figures of all rows. In a column of percentages those without a sign are percentages, too."""
        cells = list(self._printed())
        rates = {cell.column for cell in cells if cell.unit == "%"}
        rates -= {cell.column for cell in cells if cell.unit not in ("%", "")}
        has_whole = any(decimals(cell.value) == 0 for cell in cells)
        for cell in cells:
            if not cell.unit and cell.scale is None and cell.column in rates:
                yield replace(cell, unit="%", scale=Decimal(1))
            elif has_whole and cell.is_price:
                yield replace(cell, scale=None)
            else:
                yield cell

    def _printed(self) -> Iterator[Cell]:
        section = ""
        totals: set[str] = set()
        for number, (start, row) in enumerate(self._body):
            label = row[0][1]
            values = [place for place in range(1, len(row)) if _is_figure(row[place][1])]
            if not values:
                section = label or section
                continue
            if _UNIT_OR_NOTHING.fullmatch(label) and all(_is_time(row[place][1]) for place in values):
                self._columns = _heads_within([printed for _, printed in row], values, self._columns)
                continue
            label = label or ("Total" if f"Total {section}" in totals else f"Total {section}")
            totals.add(label)
            about = " ".join(filter(None, (section, *_texts_beside(row, values))))
            own = _Row(number, start, label, about, periods_in(label) or periods_in(section))
            yield from self._rates_in_name(own)
            for place in values:
                at, printed = row[place]
                yield self._cell(own, place, start + at, printed)

    def _rates_in_name(self, row: _Row) -> Iterator[Cell]:
        """The rates that a row is called by: "6.75% senior notes, due 2025"."""
        for match in _RATE_IN_NAME.finditer(row.label):
            value = Decimal(match[0].rstrip("%％ "))
            words = frozenset(search_words(row.label))
            yield Cell(
                value, Decimal(1), "%", match[0], row.start, row.start, row.label, words,
                section=frozenset(search_words(row.section)), table=self._number, row=row.number, column=0,
                title=self._title,
            )  # fmt: skip

    def _cell(self, row: _Row, column: int, start: int, printed: str) -> Cell:
        quantity = parse_quantity(printed) or _loose(printed)
        head = self._columns[column] if column < len(self._columns) else _Column()
        unit, scale = self._unit(quantity, row, head)
        words = frozenset(search_words(row.label)) - {str(period.year) for period in row.periods}
        named = words - words_of_no_row()
        words = without_numbers(named) if periods_in(row.label) else named or words
        return Cell(
            quantity.value, scale, unit, printed, start, start + len(printed), row.label, words, head.words,
            frozenset(search_words(row.section)), _periods_of(row, head), self._number, row.number, column,
            head.is_change, head.text, title=self._title,
        )  # fmt: skip

    def _unit(self, quantity: Quantity, row: _Row, head: _Column) -> tuple[str, Decimal | None]:
        if quantity.unit in RATES or quantity.scale != 1:
            return quantity.unit, quantity.scale
        said = f"{row.label} {head.text}"
        if _LENGTH_OF_TIME.search(said):
            return "", Decimal(1)
        of_head = read_scale(head.text)
        own = of_head if of_head.factor else read_scale(bracketed(row.label))
        is_bare = not (quantity.unit or own.factor)
        if is_bare and _PERCENT.search(_RATE_IN_NAME.sub("", said)):
            return "%", Decimal(1)
        currency = first_of(filter(None, (own.currency, of_head.currency)), self._currency)
        if _PER_SHARE.search(f"{said} {row.section}" if decimals(quantity.value) == _CENTS else said):
            return quantity.unit or currency, Decimal(1)
        if is_bare and _COUNT_ROW.search(said):
            return "", self._scale_of_counts()
        return quantity.unit or currency, own.factor or self._scale

    def _scale_of_counts(self) -> Decimal | None:
        """Of numbers of shares: as printed where the table has no scale; not known where it has one of amounts."""
        if self._scale is None:
            return Decimal(1)
        return Decimal(1000) if self._counts_too else None


def _split(line: str) -> list[tuple[int, str]]:
    """The cells of a line with where they stand in it."""
    cells: list[tuple[int, str]] = []
    ends = [match.start() for match in _BAR.finditer(line)]
    for first, last in pairwise(ends):
        cell = line[first + 1 : last]
        cells.append((first + 1 + len(cell) - len(cell.lstrip()), cell.strip()))
    return cells or [(0, "")]


def _texts_beside(row: Sequence[tuple[int, str]], values: Sequence[int]) -> list[str]:
    """What stands in a row beside its label and its figures: "Revenue" under "Financial statement line"."""
    return [printed for place, (_, printed) in enumerate(row) if place and place not in values]


def _is_figure(printed: str) -> bool:
    if not has_digit(printed):
        return False
    return len(printed) < _LONGEST_FIGURE or parse_quantity(printed) is not None


def _loose(printed: str) -> Quantity:
    """The first number of a cell that is not one amount alone."""
    digits = re.search(r"\d[\d,.]{0,25}", printed)
    plain = re.sub(r"[,.](?=\d{3}(?!\d))|[.,]$", "", digits[0]) if digits else "0"
    value = Decimal(plain) if re.fullmatch(r"\d+(?:\.\d+)?", plain) else Decimal(0)
    if printed.lstrip("$€£¥ ").startswith(("(", "-", "−")):
        value = -value
    if re.search(r"\bbps?\b", printed):
        return Quantity(printed, value, "bp")
    return Quantity(printed, value, "%" if "%" in printed else "")


# --- columns


def _read_columns(heads: Sequence[str]) -> list[_Column]:
    """What the head of each column says; one without a period takes that of its neighbours."""
    span = _SPAN.search(heads[0]) if heads else None
    columns: list[_Column] = []
    for head in heads:
        mentions = find_periods(head)
        if span and _BARE_YEAR.fullmatch(head):
            mentions = find_periods(f"{span[0].strip(' ,')}, {head.strip()}")
        words = frozenset(search_words(without_parts(head, find_periods(head))))
        is_change = _CHANGE.search(head) is not None
        periods = () if is_change else tuple(mention.period for mention in mentions)
        columns.append(_Column(words, periods, is_change, head))
    return _with_neighbours(columns)


def _with_neighbours(columns: Sequence[_Column]) -> list[_Column]:
    """A head without a period goes on with the one before: "2019 | % | 2018 | %".

    Between a period and a later one stands what moved from one to the other: "2020 | Acquisitions | 2021".
    """
    found: list[_Column] = []
    before = _Column()
    for place, column in enumerate(columns):
        if place and not column.periods and not column.is_change:
            behind = next((other for other in columns[place:] if other.periods), _Column())
            is_movement = bool(column.text) and _is_later(behind, before)
            periods = (*before.periods, *behind.periods) if is_movement else before.periods
            column = replace(column, periods=periods, is_change=before.is_change and not column.text)
        found.append(column)
        if place and not _is_movement(column):
            before = column
    return found


def _heads_within(row: Sequence[str], values: Sequence[int], before: Sequence[_Column]) -> list[_Column]:
    """What stands over the columns from a row on that holds dates alone; one date is that of all columns."""
    if len(values) > 1:
        return _read_columns(row)
    date = row[values[0]]
    periods = periods_in(date)
    heads = [" ".join(without_parts(column.text, find_periods(column.text)).split()) for column in before]
    return [
        replace(column, periods=periods, text=f"{date} {head}".strip())
        for column, head in zip(before, heads, strict=True)
    ]


def _is_time(printed: str) -> bool:
    """True for a cell that holds a date in words or a year, and no other figure: "30/6/2024" may be a value."""
    if not _BARE_YEAR.fullmatch(printed) and not any(char.isalpha() for char in printed):
        return False
    mentions = find_periods(printed)
    return bool(mentions) and not has_digit(without_parts(printed, mentions))


def _is_later(one: _Column, other: _Column) -> bool:
    return bool(one.periods and other.periods) and one.periods[0].sort_key > other.periods[0].sort_key


def _is_movement(column: _Column) -> bool:
    return len(column.periods) > 1 and not find_periods(column.text)


def _periods_of(row: _Row, head: _Column) -> tuple[Period, ...]:
    """Of a cell: "First Quarter" in a row under the year of its column is that quarter."""
    named = _QUARTER.match(row.label)
    if named and head.periods:
        return (Period("quarter", head.periods[0].year, _QUARTERS[named[1].lower()]),)
    if row.periods and not head.periods and row.periods[0].unit == "year":  # "Three Months Ended March 31," over 2022
        return periods_in(f"{head.text.strip(' ,')}, {row.periods[0].year}") or row.periods
    return row.periods or head.periods
