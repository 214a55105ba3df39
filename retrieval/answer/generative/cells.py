"""The figures of a piece of evidence as cells: value, scale, unit, and the words and the period that they belong to.

Tables are read from their Markdown, prose sentence by sentence; nothing outside the text is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from ....core.period import Period
from ....core.period_text import PeriodMention, find_periods
from ....core.quantity import Quantity
from ....core.quantity_text import find_quantities, parse_quantity
from ....core.units import currency_in
from ....core.words import search_words
from ....ingest.facts.scales import read_scale
from ....ingest.sentences import split_text
from .reply_text import is_table_row, is_table_rule

RATES = frozenset({"%", "bp", "pp", "x"})
"""Units that no scale applies to."""
COUNTS = frozenset({"shares", "people"})
_BAR = re.compile(r"(?<!\\)\|")
_CHANGE = re.compile(
    r"\b(?:changes?|variations?|increase|decrease|growth|difference|var)\b|增减|变动|同比", re.IGNORECASE
)
_PER_SHARE = re.compile(r"\bper\b.{0,40}\b(?:share|unit|ads)\b|每股", re.IGNORECASE)
_COUNT_ROW = re.compile(r"\b(?:shares|options|securities|units|employees|number)\b|股数", re.IGNORECASE)
_PERCENT = re.compile(r"%|％|\bper ?cent(?:age)?\b", re.IGNORECASE)
_RATE_IN_NAME = re.compile(r"\d\s?[%％]")
"""The rate of "6.50% Senior Notes" is no unit of its amounts."""
_QUARTER = re.compile(r"^\W*(first|second|third|fourth)\W+quarter\W*$", re.IGNORECASE)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_NTH_YEAR = re.compile(r"(?:19|20)\d\d")
_BARE = re.compile(r"(?<![\w.,/-])\d{2,4}(?![\w/-]|[.,]\d)")
_MOST_PRICE = 1000
_SCALE_NEAR = 600
"""Characters before a table in which its scale may be said."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed figure. ``words`` are search terms of its row (in prose: of its clause), ``heads`` of its column.

    ``scale`` is None where nothing says it. ``row`` and ``column`` tell cells of one table apart; -1 in prose.
    """

    value: Decimal
    scale: Decimal | None
    unit: str
    text: str
    start: int
    end: int
    label: str = ""
    words: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    section: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    table: int = -1
    row: int = -1
    column: int = -1
    is_change: bool = False
    head: str = ""
    """The words over its column, as printed."""

    @property
    def amount(self) -> Decimal:
        """The value in its unit, as far as the scale is known."""
        return self.value if self.scale is None or self.unit in RATES else self.value * self.scale


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
        cells.extend(_TableReader(text, lines[first:last], number).cells())
        start, end = lines[first][0], lines[last - 1][0] + len(lines[last - 1][1])
        prose[start:end] = " " * (end - start)
    cells.extend(_prose_cells("".join(prose)))
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


@dataclass(frozen=True, slots=True)
class _Column:
    words: frozenset[str]
    periods: tuple[Period, ...]
    is_change: bool
    text: str


class _TableReader:
    """One table of a text."""

    def __init__(self, text: str, lines: Sequence[tuple[int, str]], number: int) -> None:
        self._number = number
        self._rows = [(start, _split(line)) for start, line in lines if not is_table_rule(line)]
        has_head = len(lines) > 1 and is_table_rule(lines[1][1])
        self._heads = [cell for _, cell in self._rows[0][1]] if has_head else []
        self._body = self._rows[1:] if has_head else self._rows
        before = text[max(0, lines[0][0] - _SCALE_NEAR) : lines[0][0]]
        self._scale, self._currency = _scale_of(self._heads, before, text)
        self._counts_too = _counts_share_scale(self._heads, before, text)
        self._columns = _read_columns(self._heads)
        self._year = next((p for mention in find_periods(before[-200:]) for p in [mention.period]), None)

    def cells(self) -> Iterator[Cell]:
        """The figures of all rows. In a column of percentages those without a sign are percentages, too."""
        cells = list(self._printed())
        rates = {cell.column for cell in cells if cell.unit == "%"}
        others = {cell.column for cell in cells if cell.unit not in ("%", "")}
        has_whole = any(_decimals(cell.value) == 0 for cell in cells)
        for cell in cells:
            if not cell.unit and cell.scale is None and cell.column in rates - others:
                yield replace(cell, unit="%", scale=Decimal(1))
            elif has_whole and _is_price(cell):
                yield replace(cell, scale=None)
            else:
                yield cell

    def _printed(self) -> Iterator[Cell]:
        """The figures of all rows, with the label of the section above them."""
        section = ""
        for number, (start, row) in enumerate(self._body):
            label = row[0][1] if row else ""
            label = label or f"Total {section}"
            values = [(column, at, cell) for column, (at, cell) in enumerate(row) if column and _is_figure(cell)]
            if not values:
                section = row[0][1] if row and row[0][1] else section
                continue
            own = self._label_periods(label, section)
            for column, at, cell in values:
                yield self._cell(number, column, start + at, cell, label, section, own)

    def _cell(
        self, row: int, column: int, start: int, cell: str, label: str, section: str, own: tuple[Period, ...]
    ) -> Cell:
        quantity = parse_quantity(cell) or _loose(cell)
        head = self._columns[column] if column < len(self._columns) else _Column(frozenset(), (), False, "")
        unit, scale = self._unit(quantity, label, head)
        periods = _with_quarter(label, own or head.periods, head.periods)
        return Cell(
            quantity.value, scale, unit, cell, start, start + len(cell), label,
            frozenset(search_words(label)) - _years(own), head.words, frozenset(search_words(section)),
            periods, self._number, row, column, head.is_change, head.text,
        )  # fmt: skip

    def _unit(self, quantity: Quantity, label: str, head: _Column) -> tuple[str, Decimal | None]:
        if quantity.unit in RATES or quantity.scale != 1:
            return quantity.unit, quantity.scale
        said = f"{label} {head.text}"
        is_rate = _PERCENT.search(_RATE_IN_NAME.sub("", said)) is not None
        if not quantity.unit and is_rate and not read_scale(head.text).factor:
            return "%", Decimal(1)
        if _PER_SHARE.search(said):
            return quantity.unit or self._currency, Decimal(1)
        own = read_scale(head.text)
        scale = own.factor or self._scale
        if not quantity.unit and _COUNT_ROW.search(said) and not own.factor:
            return "", _counts_scale(scale, self._counts_too)
        return quantity.unit or own.currency or self._currency, scale

    def _label_periods(self, label: str, section: str) -> tuple[Period, ...]:
        for text in (label, section):
            if mentions := find_periods(text):
                return tuple(mention.period for mention in mentions)
        return ()


def _is_price(cell: Cell) -> bool:
    """True for "$0.75" in a table of whole amounts: what it is per share has no part in the scale of the table."""
    return cell.unit not in RATES and _decimals(cell.value) == 2 and abs(cell.value) < _MOST_PRICE


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _counts_scale(scale: Decimal | None, counts_too: bool) -> Decimal | None:
    """Of numbers of shares: as printed where the table has no scale; not known where it has one of amounts."""
    if scale is None:
        return Decimal(1)
    return Decimal(1000) if counts_too else None


def _split(line: str) -> list[tuple[int, str]]:
    """The cells of a line with where they stand in it."""
    cells: list[tuple[int, str]] = []
    ends = [match.start() for match in _BAR.finditer(line)]
    for first, last in pairwise(ends):
        cell = line[first + 1 : last]
        cells.append((first + 1 + len(cell) - len(cell.lstrip()), cell.strip()))
    return cells


def _is_figure(cell: str) -> bool:
    return any(char.isdigit() for char in cell) and (parse_quantity(cell) is not None or len(cell) < 25)


def _loose(cell: str) -> Quantity:
    """The first number of a cell that is not one amount alone."""
    digits = re.search(r"\d[\d,.]{0,25}", cell)
    plain = re.sub(r"[,.](?=\d{3}(?!\d))|[.,]$", "", digits[0]) if digits else "0"
    value = Decimal(plain) if re.fullmatch(r"\d+(?:\.\d+)?", plain) else Decimal(0)
    negative = cell.lstrip("$€£¥ ").startswith(("(", "-", "−"))
    rate = "bp" if re.search(r"\bbps?\b", cell) else "%" if "%" in cell else ""
    return Quantity(cell, -value if negative else value, rate)


def _read_columns(heads: Sequence[str]) -> list[_Column]:
    """A head without a period of its own, beside one that has it, goes on with that: "2019 | % | 2018 | %"."""
    columns: list[_Column] = []
    before = _Column(frozenset(), (), False, "")
    for place, head in enumerate(heads):
        mentions = find_periods(head)
        periods = tuple(mention.period for mention in mentions)
        is_change = bool(_CHANGE.search(head))
        if place and not periods and not is_change:
            periods, is_change = before.periods, before.is_change and not head
        words = frozenset(search_words(_without(head, mentions)))
        column = _Column(words, () if is_change else periods, is_change, head)
        columns.append(column)
        before = column if place else before
    return columns


def _without(text: str, mentions: Sequence[PeriodMention]) -> str:
    for mention in reversed(mentions):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


def _years(periods: Sequence[Period]) -> frozenset[str]:
    return frozenset(str(period.year) for period in periods)


def _with_quarter(label: str, periods: tuple[Period, ...], heads: tuple[Period, ...]) -> tuple[Period, ...]:
    """ "First Quarter" in a row under the year of its column is that quarter."""
    named = _QUARTER.match(label)
    if named and heads:
        return (Period("quarter", heads[0].year, _QUARTERS[named[1].lower()]),)
    return periods


def _scale_of(heads: Sequence[str], before: str, text: str) -> tuple[Decimal | None, str]:
    """The scale that the head of a table says, else the words before it, else any unit line of the text."""
    near = [line for line in before.splitlines() if line.strip() and not _SHARES_ONLY.search(line)][-3:]
    lines = [heads[0] if heads else "", *reversed(near), *_unit_lines(text), *heads[1:]]
    factor: Decimal | None = None
    currency = ""
    for line in lines:
        told = read_scale(line[-300:])
        if factor is None and told.factor is not None and _says_unit(line):
            factor = told.factor
        currency = currency or (told.currency if _says_unit(line) else "")
    return factor, currency or currency_in(" ".join(heads))


_SHARES_ONLY = re.compile(r"\(shares? in (?:thousand|million)", re.IGNORECASE)
"""Says the scale of numbers of shares, not that of amounts."""


def _says_unit(line: str) -> bool:
    """True where a line tells in what amounts are given; a sentence about "$1.1 million" does not."""
    return not find_quantities(line) or bool(
        re.search(r"\bin (?:US |NT )?[$€£]?\s?(?:thousand|million|billion|000)", line, re.I)
    )


def _unit_lines(text: str) -> list[str]:
    found = []
    for line in text.splitlines():
        bare = line.strip()
        if is_table_row(bare) or not bare:
            continue
        if re.search(
            r"\b(?:in|dollars|amounts|expressed)\b.{0,30}(?:thousand|million|billion|000)|单位", bare, re.IGNORECASE
        ):
            found.append(bare)
    return found


def _counts_share_scale(heads: Sequence[str], before: str, text: str) -> bool:
    """True where numbers of shares are in the scale of the table, too."""
    said = " ".join((*heads[:1], before, *_unit_lines(text)))
    return bool(re.search(r"shares? in (?:thousand|million)", said, re.IGNORECASE))


# --- prose

_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
_CLAUSE = re.compile(
    r";|；|。|, (?:while|whereas|but|and)\b|\b(?:while|whereas|compared (?:with|to)|up from|down from)\b", re.IGNORECASE
)


def _prose_cells(text: str) -> Iterator[Cell]:
    for sentence in split_text(text, shortest=0, longest=10_000):
        said = text[sentence.start : sentence.end]
        quantities = figures_of(said)
        if not quantities:
            continue
        periods = periods_of_figures(said, quantities)
        words = frozenset(search_words(said))
        for quantity, own in zip(quantities, periods, strict=True):
            scale = None if quantity.scale == 1 and not quantity.unit else quantity.scale
            start = sentence.start + quantity.start
            yield Cell(
                quantity.value, scale, quantity.unit, quantity.text, start, start + len(quantity.text), said,
                words, periods=own,
            )  # fmt: skip


def figures_of(text: str) -> list[Quantity]:
    """The amounts of a sentence, with bare whole numbers ("914") that are no year and no date."""
    found = find_quantities(text)
    taken = [(q.start, q.end) for q in found] + [(m.start, m.end) for m in find_periods(text)]
    for match in _BARE.finditer(text):
        inside = any(start <= match.start() < end for start, end in taken)
        if not inside and not _NTH_YEAR.fullmatch(match[0]):
            found.append(Quantity(match[0], Decimal(match[0]), start=match.start()))
    return sorted(found, key=lambda quantity: quantity.start)


def periods_of_figures(text: str, figures: Sequence[Quantity]) -> list[tuple[Period, ...]]:
    """The period of each figure of a sentence: the one behind it before the next figure, else the last before it.

    With "respectively" the figures and the periods go in pairs. A sentence of one period gives it to all.
    """
    mentions = [mention for mention in find_periods(text) if not _is_within(mention, figures)]
    if not mentions or not figures:
        return [()] * len(figures)
    goes_in_pairs = len(mentions) > 1 and len(figures) % len(mentions) == 0
    if goes_in_pairs and _RESPECTIVELY.search(text):
        return [(mentions[place % len(mentions)].period,) for place in range(len(figures))]
    ends = [figure.start for figure in figures[1:]] + [len(text)]
    return [_period_of(text, figure, until, mentions) for figure, until in zip(figures, ends, strict=True)]


def _is_within(mention: PeriodMention, figures: Sequence[Quantity]) -> bool:
    return any(figure.start <= mention.start < figure.end for figure in figures)


def _period_of(text: str, figure: Quantity, until: int, mentions: Sequence[PeriodMention]) -> tuple[Period, ...]:
    """The period of one figure, behind which the next one begins at ``until``."""
    for mention in mentions:
        is_behind = figure.end <= mention.start < until
        heads_the_next = text[mention.end : mention.end + 1] == ":"
        if is_behind and not heads_the_next:
            if _attached(text[figure.end : mention.start]):
                return (mention.period,)
            break
    if len(mentions) == 1:
        return _unless_relative(text, figure, (mentions[0].period,))
    ahead = [mention.period for mention in mentions if mention.end <= figure.start]
    return _unless_relative(text, figure, tuple(ahead[-1:]))


def _attached(between: str) -> bool:
    """True where nothing but small words stands between a figure and the period behind it."""
    return len(between) < 60 and not _CLAUSE.search(between) and not re.search(r"\b(?:from|to|than)\b", between)


_RELATIVE = re.compile(
    r"\b(?:a|one|the) year (?:earlier|before|ago)"
    r"|\b(?:prior|previous|preceding|last)[ -](?:year|quarter|period)|上年|上期|去年|年初",
    re.IGNORECASE,
)


_COMPARED = re.compile(
    r"\b(?:from|versus|vs\.?|against|compared (?:with|to)|than)\W{1,3}[$€£¥A-Z]{0,3}$|(?:较|比|由|从)[^，。]{0,6}$",
    re.I,
)
"""Before a figure of another time than the one that the sentence names."""


def _unless_relative(text: str, figure: Quantity, periods: tuple[Period, ...]) -> tuple[Period, ...]:
    """Nothing for a figure of "a year earlier": which one that is depends on what it is compared with."""
    around = text[max(0, figure.start - 30) : figure.end + 40]
    is_compared = _COMPARED.search(text[max(0, figure.start - 30) : figure.start])
    return () if is_compared or _RELATIVE.search(around) else periods


def same_time(claimed: Sequence[Period], printed: Sequence[Period]) -> bool:
    """True where a claimed period may be one of the printed ones, or nothing is known of either.

    >>> same_time([Period.parse("2019")], [Period.parse("December 31, 2019")])
    True
    >>> same_time([Period.parse("Q2 2019")], [Period.parse("2019")])
    False
    """
    if not claimed or not printed:
        return True
    return any(_agree(one, other) for one in claimed for other in printed)


def _agree(one: Period, other: Period) -> bool:
    if not _years_of(one) & _years_of(other):
        return False
    if one.is_instant and other.is_instant and one.end and other.end:
        return one.end.month == other.end.month and one.end.year == other.end.year
    if one.is_instant or other.is_instant or "span" in (one.unit, other.unit):
        return True
    return (one.unit, one.number) == (other.unit, other.number)


def _years_of(period: Period) -> set[int]:
    """Years by which it may be called: one that ends in the first weeks of a year is of the year before, too."""
    if period.unit == "span" and period.end:
        return set(range(period.year, period.end.year + 1))
    years = {period.year}
    if period.end is not None:
        years.add(period.end.year)
        if period.end.month == 1:
            years.add(period.end.year - 1)
    return years
