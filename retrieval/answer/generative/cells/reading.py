"""The figures of a piece of evidence as cells: value, scale, unit, and the words and the period that they belong to.

Tables are read from their Markdown, or from what a PDF left of one: a value a line, under the label of its row. Prose
is read sentence by sentence; values that stand alone on their line are cells too. Nothing outside the text is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import chain

from .....core.names import is_chinese
from .....core.period import Period
from .....core.period_text import find_periods
from .....core.quantity import Quantity, decimals, parse_quantity
from .....core.records import dataclass
from .....core.sequences import without
from .....core.words import has_digit, search_words
from .....ingest.sentences import split_text
from ..reply_text import is_table_row
from ..wording import words_of_no_row
from .cell import Cell
from .table_cells import TableReader, scale_of_lines, scales_said
from .times import FigureTime, figures_of, times_of_figures


@lru_cache(maxsize=512)
def read_cells(text: str) -> tuple[Cell, ...]:
    """All figures of a text, those of its tables first.

    >>> cells = read_cells("(in millions)\\n| | 2022 |\\n| --- | --- |\\n| Net sales | 4,215 |")
    >>> [(int(cell.amount), cell.label, cell.periods[0].label) for cell in cells]
    [(4215000000, 'Net sales', '2022')]
    """
    lines = _lines(text)
    cells: list[Cell] = []
    prose = list(text)
    for number, (first, last) in enumerate(_tables(lines)):
        cells.extend(TableReader(text, lines[first:last], number).cells())
        start, end = lines[first][0], lines[last - 1][0] + len(lines[last - 1][1])
        prose[start:end] = " " * (end - start)
    scales = {cell.scale for cell in cells if cell.scale not in (None, 1)}
    cells.extend(prose_cells("".join(prose), scales.pop() if len(scales) == 1 else None))
    return tuple(cells)


def table_text(text: str) -> str:
    """The lines of a text that are rows of tables."""
    return "\n".join(line for _, line in _lines(text) if is_table_row(line))


def _lines(text: str) -> list[tuple[int, str]]:
    at, found = 0, []
    for line in text.splitlines(keepends=True):
        found.append((at, line.rstrip("\n")))
        at += len(line)
    return found


def _tables(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """First and last line of each run of table rows."""
    first = None
    for number, (_, line) in enumerate([*lines, (0, "")]):
        if is_table_row(line):
            first = number if first is None else first
        elif first is not None:
            yield first, number
            first = None


_WHOLE_AMOUNT = re.compile(r"[$€£]\d{1,3}(?:,\d{3}){0,2}(?![\d.,]*\d)")
_SCALED_AMOUNT = re.compile(r"[$€£]\s?\d[\d,.]{0,20}\s(?:thousand|million|billion)\b", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
_WORDS_OF_LAST = 2
_AND = re.compile(r",?\s(?:and|&)\s|,\s|、|和|及")


@dataclass(frozen=True, slots=True)
class _Apart:
    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


def prose_cells(text: str, scale: Decimal | None = None) -> Iterator[Cell]:
    """The figures of a text without tables, in order; ``scale`` is that of the tables which stood there."""
    stacked = list(stacked_cells(text))
    taken = places_of(stacked)
    yield from stacked
    scale_is_left_out = _leaves_out_scale(text)
    said_scale = scale or scale_of_lines((), "", text)[0] if scale_is_left_out else None
    for place, end in _sentences(text):
        said = text[place:end]
        figures = [_in_its_own_money(figure, text) for figure in figures_of(said)]
        apart = _told_apart(said, figures)
        words = frozenset(search_words(said)) if figures else frozenset()
        for figure, time, named in zip(figures, times_of_figures(said, figures), apart, strict=True):
            start = place + figure.start
            if start + len(figure.text) in taken:  # "$" may stand on a line of its own
                continue
            cell = _said_cell(figure, start, said, words, time, named)
            is_amount = cell.scale == 1 and _WHOLE_AMOUNT.fullmatch(figure.text) is not None
            yield replace(cell, scale=said_scale) if scale_is_left_out and is_amount else cell


_UNFINISHED = re.compile(
    r"(?:,|\b(?:the|an?|of|in|on|at|by|for|to|and|or|as|its|their|our|with|from|that|this|ended|were|was|is|are))$"
)
"""The end of a line after which a sentence goes on, however short the line is."""


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence; one that a PDF cut at "for the years ended" is whole again."""
    start = -1
    for sentence in split_text(text, shortest=0, longest=10_000):
        start = sentence.start if start < 0 else start
        if not _UNFINISHED.search(text, start, sentence.end):
            yield start, sentence.end
            start = -1
    if start >= 0:
        yield start, len(text.rstrip())


def _in_its_own_money(figure: Quantity, text: str) -> Quantity:
    """Without a unit for "$ 285,732" of a Chinese text: it is the money of who reports, which may be no dollar.

    >>> [cell.unit for cell in prose_cells("短期員工福利 $ 285,732")]
    ['']
    """
    return replace(figure, unit="") if figure.text.startswith("$") and is_chinese(text) else figure


def _leaves_out_scale(text: str) -> bool:
    """True for notes "in millions" whose sentences say "$4,059": none of their amounts has a scale of its own."""
    return _WHOLE_AMOUNT.search(text) is not None and _SCALED_AMOUNT.search(text) is None


def _said_cell(figure: Quantity, start: int, said: str, words: frozenset[str], time: FigureTime, named: _Apart) -> Cell:
    is_row = " | " in said  # a row of a table that is quoted alone, without its head
    is_plain = figure.scale == 1 and (is_row or not figure.unit)
    return Cell(
        figure.value, None if is_plain else figure.scale, figure.unit, figure.text, start, start + len(figure.text),
        said, words, periods=time.periods, is_stacked=is_row, own=named.own, others=named.others, time=time,
    )  # fmt: skip


def _told_apart(said: str, figures: Sequence[Quantity]) -> list[_Apart]:
    """Of "A and B were 5 and 7, respectively": for each figure the words that only it is said of, and the others' own.

    The words behind the last thing named are of all: "federal and state tax credits were".
    """
    nothing = [_Apart() for _ in figures]
    if len(figures) < 2 or not _RESPECTIVELY.search(said):
        return nothing
    if len(find_periods(said[figures[-1].end :])) >= len(figures):  # it is years that are told apart
        return nothing
    parts = _AND.split(said[: figures[0].start])[-len(figures) :]
    if len(parts) != len(figures) or find_periods(" ".join(parts)):
        return nothing
    parts[-1] = " ".join(parts[-1].split()[:_WORDS_OF_LAST])
    named = [frozenset(search_words(part)) for part in parts]
    shared = frozenset.intersection(*named)
    found = []
    for own in named:
        rest = frozenset().union(*named) - own
        found.append(_Apart(own - shared, rest))
    return found


_LEADERS = re.compile(r"[.\s]{4,200}\$?$")
"""Dots that lead from a label to its values."""
_OF_NO_FIGURE = re.compile(r"[^\s$€£¥()\d.,%—–-]")
_YEAR = re.compile(r"\W{0,3}(?:fiscal |FY ?)?((?:19|20)\d\d)\W{0,3}", re.IGNORECASE)
_DAY = re.compile(r"\W{0,3}[A-Z][a-z]{2,8}\.?\s{1,2}\d{1,2},?\s{0,3}")
"""The first half of a date over a column; its year stands on the next line."""
_DATE = re.compile(rf"(?:{_DAY.pattern}|\W{{0,3}}Q[1-4]\s{{1,2}})((?:19|20)\d\d)\W{{0,3}}")
"""A whole date or a quarter over a column, alone on its line."""
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

    def told_apart(self) -> Iterator[_Row]:
        """The row; of one whose amounts have their years, and rates of change beside them, both by themselves."""
        rates = [one for one in self.values if one[1] is not None and one[1].unit == "%"]
        amounts = replace(self, values=without(self.values, rates))
        if not amounts.is_known:
            yield self
            return
        yield amounts
        yield replace(self, values=rates, years=())

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
    of_text, currency = scale_of_lines((), "", text)
    said = list(scales_said(text))
    before = 0
    near: set[Decimal] = set()
    rows = chain.from_iterable(row.told_apart() for row in _with_totals(_rows(text)))
    for number, row in enumerate(rows):
        starts = [start for start, _ in row.values]
        if starts:
            above = {scale for at, scale in said if before <= at < starts[0]}
            near, before = above or near, starts[-1]
        scale = of_text if not near else near.copy().pop() if len(near) == 1 else None
        yield from _cells_of(row, number, scale, currency, text)


def _cells_of(row: _Row, number: int, scale: Decimal | None, currency: str, text: str) -> Iterator[Cell]:
    """The values of a row but dashes; with their periods where each has its year."""
    words = frozenset(search_words(row.label))
    words = words - words_of_no_row() or words
    for column, (start, value) in enumerate(row.values):
        if value is None:
            continue
        unit = _in_its_own_money(value, text).unit or currency
        own_scale = Decimal(1) if value.unit == "%" else scale
        end = start + len(value.text)
        cell = Cell(value.value, own_scale, unit, value.text, start, end, row.label, words, is_stacked=True)
        if row.is_known:
            year = row.years[column]
            period = Period("span", year, end=date(year, 12, 31))  # a quarter, a year or a day of it: not said
            cell = replace(cell, periods=(period,), table=row.table, row=number, column=column + 1)
        yield cell


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
        elif line.strip() in _DASHES:
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
    return [replace(value, start=line.find(value.text))] if value else figures_of(line)


def _years_over_columns(line: str) -> list[int]:
    """The years of a line that holds years or dates alone: "2019", "May 2, 2019", "May 2, 2019 May 1, 2018"."""
    year = _YEAR.fullmatch(line.strip()) or _DATE.fullmatch(line.strip())
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
    return not _OF_NO_FIGURE.search(line) and has_digit(line)


def places_of(cells: Sequence[Cell]) -> frozenset[int]:
    """Where the last character of each value stands: a sentence that is cut from the page holds them once more."""
    return frozenset(cell.end for cell in cells)
