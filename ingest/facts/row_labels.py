"""The labels of a table's rows: with the sections above them, subtotals without a name, rows that are periods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from datetime import date
from itertools import pairwise
from operator import attrgetter

from ...core.patterns import one_of
from ...core.period import Period, lasting
from ...core.period_text import find_periods, first_period
from ...core.quantity import Quantity, parse_quantity
from ...core.records import dataclass
from ..document import Table
from ..tables.markdown import head_texts
from ..tables.values import is_value
from .column_heads import Column
from .metrics import UNNAMED, Metric, MetricList

_TEXTUAL = 0.35
"""Share of values up to which a column holds words: parts of the labels."""
_UNIT_HEADS = frozenset(("unit", "units", "unit of measure", "unit of measurement", "uom", "measure", "单位"))
"""Heads of a column of units, or of the labels beside it, in lower case."""
_LAST = 2
"""The last column that may hold parts of the labels."""

Row = list[str]


def with_whole_labels(table: Table, columns: Sequence[Column]) -> Table:
    """The table with the words of further columns of words in its label column, labels over several rows repeated.

    >>> table = Table((("", "Segment", "2022"), ("Net sales", "Cloud", "7")))
    >>> with_whole_labels(table, [Column(), Column(), Column()]).body
    (('Net sales Cloud', '', '7'),)
    """
    rows = list(map(list, table.rows))
    _repeat_labels(table, rows)
    body = rows[table.header_rows :]
    if any(map(attrgetter("notes"), columns)):
        for row in body:
            row[0] = _NUMBERS_OF_NOTES.sub("", row[0])
    for column in _word_columns(body, columns):
        is_unit = bool({columns[0].text.strip().lower(), columns[column].text.strip().lower()} & _UNIT_HEADS)
        for row in body:
            _join_label(row, column, is_unit=is_unit)
    return replace(table, rows=tuple(map(tuple, rows)))


def sides(table: Table, columns: Sequence[Column]) -> list[tuple[Table, Sequence[Column]]]:
    """The table, or each half of one that prints two side by side: assets beside liabilities.

    The heads left of the second column of labels stand right of it again. Both halves have all rows and columns of the
    whole, so that a cell keeps its place; what belongs to the other half is empty.
    """
    middle = table.width // 2
    heads = [column.text for column in columns]
    is_even = middle * 2 == table.width and middle > 1
    repeats = is_even and any(heads[1:middle]) and heads[1:middle] == heads[middle + 1 :]
    if not repeats or not _are_labels([row[middle] for row in table.body]):
        return [(table, columns)]
    empty = ("",) * middle
    left = tuple((*row[:middle], *empty) for row in table.rows)
    right = tuple((row[middle], *empty, *row[middle + 1 :]) for row in table.rows)
    second = [replace(columns[0], text=heads[middle]), *columns[1:middle], columns[0], *columns[middle + 1 :]]
    return [
        (replace(table, rows=left), [*columns[:middle], *second[middle:]]),
        (replace(table, rows=right, indents=(), spans=()), second),
    ]


def _are_labels(cells: Sequence[str]) -> bool:
    """True for words that differ from row to row."""
    words = list(filter(None, cells))
    return len(words) > 1 and len(set(words)) > len(words) / 2 and not any(map(is_value, words))


def _repeat_labels(table: Table, rows: Sequence[Row]) -> None:
    """Give the label of a cell that covers several rows to each of them."""
    for first, column, last, _ in table.spans:
        if column == 0 and first >= table.header_rows:
            for row in rows[first + 1 : last + 1]:
                row[0] = row[0] or rows[first][0]


def _word_columns(body: Sequence[Row], columns: Sequence[Column]) -> Iterator[int]:
    """The columns of words next to the labels: left of values, or anywhere in a table without values."""
    by_column = list(zip(*body, strict=True))
    has_values = [any(map(is_value, cells)) for cells in by_column]
    for column in range(1, min(_LAST + 1, len(by_column) - 1)):
        cells = list(filter(None, by_column[column]))
        if not cells or sum(map(is_value, cells)) > _TEXTUAL * len(cells):
            return
        stands_left = any(has_values[column + 1 :]) or not any(has_values[1:])
        if stands_left and not columns[column].skipped:
            yield column


def _join_label(row: Row, column: int, *, is_unit: bool) -> None:
    """Put the words of a further column behind the label; a unit in brackets: "AISC (A$/oz)"."""
    if any(map(str.isalpha, row[column])):
        words = f"({row[column]})" if is_unit else row[column]
        row[0] = f"{row[0]} {words}".strip()
        row[column] = ""


_NUMBERS_OF_NOTES = re.compile(
    r"(?<=[a-z)])(?<!level)(?<!tier)(?<!stage)(?<!class)(?<!series)(?<!part)"
    r"\s+\d{1,2}(?:\([a-z]\))?(?:, ?\d{1,2}(?:\([a-z]\))?){0,5}$",
    re.IGNORECASE,
)
"""Behind a label, where the column of the notes is no wider than its head: "Revenue 7, 26"."""
_IN_PENCE = r"(?:(?<=EPS)|(?<=share)|(?<=dividend)|(?<=dividends))\s?\([pc]\)"
"""A unit and no note: "Basic EPS (p)"."""
_MEASURE = r"\s*[(（](?:[km]t|hl|k[gmt]|[kmgt]w|oz|mn|bn|bp|pp)[)）]"
_NOTE_MARK = re.compile(
    one_of(
        rf"(?<!\s)(?!{_IN_PENCE}|{_MEASURE}|\s*[(（]x[)）])\s*[(（]\s*(?:\d{{1,2}}|[a-z]{{1,2}})\s*[)）](?=\s|$|[,:])",
        "[*†‡]+",
    )
)
_DOTS = re.compile(r"(?<!\s)\s*(?:(?<!\.)\.{3,}|(?<!…)…+)(?:\s{0,3}[$€£¥])?\s*$")
_TOTAL = re.compile(r"^\s*(?:total|net|sub-?total)\b|合计$|总计$|小计$", re.IGNORECASE)
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_PERIOD_WORDS = re.compile(
    one_of(
        r"[\s,.:;()]",
        r"\b(?:as|at|of|the|balances?|year|fiscal|ended|in|for|forecasts?|estimates?|actual|planned|budget)\b",
        "余额",
    ),
    re.IGNORECASE,
)
"""What a label may say beside its period."""
_PART_OF_YEAR = re.compile(
    r"(?:first|second|1st|2nd) half|h[12]|(?:first|second|third|fourth) quarter|q[1-4]|(?:full |whole |fiscal )?year",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\bopening\b|\bbeginning\b|^balances? at (?:\d{1,2} january|january 1\b)|期初|年初", re.IGNORECASE
)
_CLOSING = re.compile(
    r"^balances?\b|\bclosing\b|\bend(?:ing)?\b|\b(?:carrying|book) (?:value|amount)s?\b|期末|年末", re.IGNORECASE
)
"""Rows of the balances between which a year's movements stand."""
_A_YEAR = range(358, 373)
"""Days between two balances a year apart."""
_OPEN_END = re.compile(r"\b(?:to|of|for|and|or|per|in|on|by|from|with|the|attributable)$", re.IGNORECASE)
"""The end of a heading that goes on in the next row: "Net income per share attributable to"."""
_MAX_SECTION = 90
_WHOLE_TABLE = -1
"""Depth of a section that the heads of the table are repeated for: no row stands further out."""
_MANY_BLANKS = 0.3
"""Share of rows without values from which they are items without an amount, not sections."""


@dataclass(frozen=True, slots=True)
class RowLabel:
    """``name`` is the row's own label, ``path`` with its sections, outermost first."""

    row: int
    name: str
    path: tuple[str, ...]
    period: Period | None = None
    """Of a row, or of the section it stands in, that is named by a period."""
    period_row: bool = False
    """True where the label is nothing but a period: the column heads then name the metrics."""

    @property
    def full(self) -> str:
        """The name with its sections: "Current assets > Inventories"."""
        return " > ".join(self.path)

    @property
    def section(self) -> str:
        """The innermost section; "" for a row that stands in none."""
        return "".join(self.path[-2:-1])


def row_labels(table: Table) -> Iterator[RowLabel]:
    """Labels of the rows that have values."""
    return iter(_rolled_forward(list(_labels(table))))


def _rolled_forward(labels: Sequence[RowLabel]) -> list[RowLabel]:
    """The labels; what stands between two balances of a year apart is of the year to the second one."""
    found = _over_year(labels)
    days = [(number, _day_of(label)) for number, label in enumerate(labels)]
    balances = [(number, day) for number, day in days if day is not None]
    for (first, opening), (last, closing) in pairwise(balances):
        if (closing - opening).days in _A_YEAR:
            year = lasting("year", closing)
            between = labels[first + 1 : last]
            found[first + 1 : last] = [replace(label, period=label.period or year) for label in between]
    return found


def _over_year(labels: Sequence[RowLabel]) -> list[RowLabel]:
    """The labels; of the rows under a day that go from an opening balance to a closing one, those between are of the
    year that it closes."""
    years = {label.period: _year_to(label.period) for label in labels if _OPENING.search(label.name)}
    return [
        label if _CLOSING.search(label.name) else replace(label, period=years.get(label.period, label.period))
        for label in labels
    ]


def _year_to(day: Period | None) -> Period | None:
    """The year that a day closes; a period that is none as it is."""
    return lasting("year", day.last_day) if day is not None and day.is_instant else day


def _day_of(label: RowLabel) -> date | None:
    """The day of a balance: "Balance, December 31, 2023"."""
    if label.period is None or not label.period_row:
        return None
    return label.period.last_day if label.period.is_instant else None


def _labels(table: Table) -> Iterator[RowLabel]:
    sections = _Sections(any(table.indents), _totals(table), _year_of(table.title), period=_period_over(table))
    has_items = _has_items_without_values(table)
    depths = dict(enumerate(table.indents))
    heads = head_texts(table)[1:]
    open_head = ""
    for r, row in enumerate(map(_labelled, table.body), table.header_rows):
        depth = depths.get(r, 0)
        name = clean_label(row[0])
        repeats_heads = any(heads) and (list(row[1:]) == heads or _heads_block(row, name))
        is_head = repeats_heads or not any(row[1:])
        if is_head and open_head:
            name, depth = f"{open_head} {name}", depths.get(r - 1, 0)
        open_head = name if is_head and _OPEN_END.search(name) else ""
        if not is_head:
            label = sections.label(r, depth, name) if name else sections.total(r, table)
            if label is not None:
                yield label
        elif repeats_heads:
            sections.begin(_WHOLE_TABLE, name)
        elif _is_section(name, has_items):
            sections.begin(depth, name)


def _labelled(row: Sequence[str]) -> Sequence[str]:
    """The row; a period that stands alone over all values is its label, as that of a section."""
    filled = list(filter(None, row))
    is_alone = len(filled) == 1 and not row[0] and _only_period(filled[0]) is not None
    return (*filled, *[""] * (len(row) - 1)) if is_alone else row


def _period_over(table: Table) -> Period | None:
    """The period over the labels, where the columns have none: "May 7, 2022 | Land | Buildings"."""
    corner, *heads = head_texts(table) or [""]
    return None if any(map(first_period, heads)) else _only_period(corner)


def _heads_block(row: Sequence[str], name: str) -> bool:
    """True for the heads of the same columns at another time: "May 1, 2021 | Land | Buildings"."""
    heads = list(filter(None, row[1:]))
    return len(heads) > 1 and not any(map(is_value, heads)) and _only_period(name) is not None


@dataclass(slots=True)
class _Sections:
    """The sections that a row stands in, as (depth, name), outermost first, and the period they are of."""

    has_indents: bool
    totals: Sequence[tuple[int, str]] = ()
    year: str = ""
    """The one year that the title names: of it are rows such as "First half"."""
    """The rows that are called a total, and where a section begins (with ""), in order: what closes which section."""
    stack: list[tuple[int, str]] = field(default_factory=list)
    period: Period | None = None

    def begin(self, depth: int, name: str) -> None:
        """Begin a section with a row that has no values; one that is named by a period says when, not what."""
        self._close_from(depth)
        period = _only_period(name)
        if period is not None:
            self.period = period
        elif 0 < len(name) <= _MAX_SECTION:
            self.stack.append((depth, name.rstrip(":：")))

    def label(self, row: int, depth: int, name: str) -> RowLabel:
        """Of a row with a name and values. A total is the last of its section."""
        is_total = _TOTAL.search(name) is not None
        if not is_total and self._is_outside(depth):
            self._close_from(depth)
        period = _only_period(name) or self._part_of_year(name)
        label = RowLabel(row, name, (*self._names(), name), period or self.period, period is not None)
        if is_total and not self._goes_on(row, name):
            del self.stack[-1:]
        return label

    def _part_of_year(self, name: str) -> Period | None:
        """ "First half" and "Full year" of the year in the title."""
        is_part = bool(self.year) and _PART_OF_YEAR.fullmatch(name) is not None
        return first_period(f"{name} {self.year}") if is_part else None

    def _goes_on(self, row: int, name: str) -> bool:
        """True where another total below is that of the section: "Total NIKE Brand" does not close "Revenues" if
        "Total revenues" follows before the next section."""
        if not self.stack or not name.lower().lstrip().startswith("total"):
            return False
        words = _telling_words(self.stack[-1][1])
        if not words or words & _telling_words(name):
            return False
        for at, other in self.totals:
            if at <= row:
                continue
            if not other:
                return False
            if words & _telling_words(other):
                return True
        return False

    def total(self, row: int, table: Table) -> RowLabel | None:
        """Of a row without a name: the total of the section it closes, or of all rows above; None for another."""
        if self.stack:
            name = f"Total {self.stack.pop()[1]}"
            return RowLabel(row, name, (*self._names(), name), self.period)
        if _adds_up(table.rows[table.header_rows : row], table.rows[row]):
            return RowLabel(row, "Total", ("Total",), self.period)
        return None

    def _names(self) -> list[str]:
        return [name for _, name in self.stack]

    def _is_outside(self, depth: int) -> bool:
        """True for a row that stands further out than the rows of the section, by its indent."""
        return self.has_indents and bool(self.stack) and depth <= self.stack[-1][0]

    def _close_from(self, depth: int) -> None:
        self.stack = [section for section in self.stack if section[0] < depth]


def _totals(table: Table) -> list[tuple[int, str]]:
    """The rows called a total by their number; "" for a row without values, where a section may begin."""
    found: list[tuple[int, str]] = []
    for r, row in enumerate(table.body, table.header_rows):
        name = clean_label(row[0])
        if not any(row[1:]):
            found.append((r, ""))
        elif name.lower().startswith("total"):
            found.append((r, name))
    return found


def _year_of(title: str) -> str:
    """The fiscal year that a title names first: "FY2025" of "Forecast for FY2025 (April 1, 2025 - March 31, 2026)"."""
    period = first_period(title)
    return period.label if period is not None and period.unit == "year" and period.fiscal else ""


def _telling_words(text: str) -> set[str]:
    return {word.lower().rstrip("s") for word in _LONG_WORD.findall(text)} - {"total"}


def _has_items_without_values(table: Table) -> bool:
    """True where so many rows have no values that they are items without an amount, not sections."""
    without = sum(not any(row[1:]) for row in table.body)
    return without > _MANY_BLANKS * len(table.body)


def _is_section(name: str, has_items: bool) -> bool:
    """True for a row without values that begins a section: always with a colon or where it is a period."""
    return not has_items or name.endswith((":", "：")) or _only_period(name) is not None


def _adds_up(above: Sequence[Sequence[str]], row: Sequence[str]) -> bool:
    """True for a row without a name whose values are the sums of all rows above: a total."""
    is_total = False
    for cells in list(zip(row, *above, strict=True))[1:]:
        total, *parts = map(_quantity, cells)
        if total is None:
            continue
        values = [part.value for part in filter(None, parts)]
        if len(values) < 2 or sum(values) != total.value:
            return False
        is_total = True
    return is_total


def _quantity(text: str) -> Quantity | None:
    return parse_quantity(" ".join(text.split()))


def clean_label(text: str) -> str:
    """Without note marks, leader dots and the sign of a currency behind them.

    >>> clean_label("Restricted cash (1) ......"), clean_label("United States.......... $")
    ('Restricted cash', 'United States')
    """
    return _NOTE_MARK.sub("", _DOTS.sub("", text)).strip()


def metric_of_row(label: RowLabel, metrics: MetricList) -> tuple[Metric, str]:
    """The metric and the words that name it: the row's name, else with its section, "Basic" under "Loss per share"."""
    tried = [label.name]
    if label.section:
        tried += [f"{label.section} {label.name}", f"{label.name} {label.section}"]
    for text in tried:
        if metric := metrics.find(text):
            return metric, text
    return UNNAMED, ""


def _only_period(name: str) -> Period | None:
    """The period that is all a label says."""
    mentions = find_periods(name)
    if len(mentions) != 1:
        return None
    rest = name[: mentions[0].start] + name[mentions[0].end :]
    return None if _PERIOD_WORDS.sub("", rest) else mentions[0].period
