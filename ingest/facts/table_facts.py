"""Facts from the cells of a table, and checks that raise or lower their confidence: the balance sheet balances,
subtotals add up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from decimal import Decimal
from itertools import chain
from operator import attrgetter

from ...core.anchor import Anchor
from ...core.fact import Fact
from ...core.period import Period
from ...core.quantity import Quantity, parse_quantity
from ...core.records import dataclass, replace
from ..document import Document, Span, Table
from ..tables.markdown import by_row
from ..tables.values import has_decimal_commas, is_number, is_value
from .cells import CellPeriods, CellReader, Dimensions, cell_unit, consolidation
from .column_heads import Column, columns_by_row
from .context import FactContext
from .metrics import Metric
from .row_labels import RowLabel, row_labels, with_whole_labels
from .table_context import Statement, TableUnit, basis_of, due_name, statement_of, table_unit, told_period

_NOTE_MARK = re.compile(r"(?<=[\d%)])\s*[(（](?:\d{1,2}|[a-z])[)）]$|(?<![*†‡])[*†‡]+$")
_SPACED = re.compile(r"(?<=\d)[ '’](?=\d{3}(?!\d))")
_PENCE = re.compile(r"(?<=[\d)])\s?p(?=\)?$)")
_HUNDREDTH = Decimal("0.01")
_TO_POINTS = str.maketrans(".,", ",.")
"""Numbers with decimal commas as numbers with decimal points."""
_RELATIVE = re.compile(r"[%％]|\b(?:bps?|pp)\b")
_FEWEST_SIGNS, _NEARLY_ALL = 3, 0.8
"""Values of a column, and the share of them with a per cent sign, from which it is one of changes in per cent."""
_THOUSANDS = re.compile(r"\d[,，]\d{3}|\d{4}")
_FILED = re.compile(r"\bExhibits?\b|\bForm (?:10|8|S)-")
"""In a label: a list of filed documents, whose numbers are references."""
_MEMBERS = re.compile(r"\b(regions?|geograph(?:y|ies)|countr(?:y|ies)|segments?|地区|区域|分部)$", re.IGNORECASE)
"""The head of a column of words that say of what part the row speaks."""
_SEGMENTS = ("segment", "分部")
_BANKS_OWN = "net interest income"
_WHOLE = re.compile(r"^(?:worldwide|global|total|consolidated|company|all)\b|^(?:合计|全球|总计)", re.IGNORECASE)
_BEFORE = 400
"""Characters before a table in which its unit is looked for."""
_MAX_TEXT = 300
_BASE = 0.9
"""Confidence of a fact whose table was not checked."""
_ASSUMED_PERIOD = 0.7
"""Factor of the confidence where neither row nor column names a period: the document's own is taken."""
_NO_STATEMENT = 0.85
"""The same for a table that is none of the statements."""


def table_facts(
    document: Document,
    table: Table,
    ordinal: int | None,
    context: FactContext,
    columns: Sequence[Column],
    spans: Sequence[Sequence[Span]],
) -> list[Fact]:
    """Facts of a table of the document; ``spans`` are the offsets of its cells, line by line of its Markdown."""
    statement = statement_of(table, context.metrics)
    if statement == "exhibits":
        return []
    whole = with_whole_labels(table, columns)
    before = document.text[max(0, table.start - _BEFORE) : table.start]
    has_periods = any(map(attrgetter("period"), columns))
    reader = _TableReader(
        document,
        table,
        whole,
        ordinal,
        context,
        columns,
        statement,
        unit=table_unit(whole, before, context),
        told=None if has_periods else told_period(table.title, before, context),
        spans=by_row(spans, table),
    )
    return checked(list(reader.facts()))


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell with the label of its row and the head of its column, which change places where rows are periods."""

    text: str
    label: RowLabel
    column: Column


@dataclass(slots=True)
class _TableReader:
    document: Document
    table: Table
    whole: Table
    """The same with labels of several columns put together."""
    ordinal: int | None
    context: FactContext
    columns: Sequence[Column]
    statement: Statement
    unit: TableUnit
    told: Period | None
    """The period that the words over the table name, where no column has one."""
    spans: Sequence[Sequence[Span]]
    """Offsets of the cells; empty where they are not known."""
    commas: bool = field(init=False)
    """True where "1.234,5" is printed for 1234.5."""
    relative: frozenset[int] = field(init=False)
    """The columns of changes in per cent."""
    cells: CellReader = field(init=False)
    periods: CellPeriods = field(init=False)

    def __post_init__(self) -> None:
        told = has_decimal_commas(chain.from_iterable(self.table.body))
        self.commas = self.context.decimal_commas if told is None else told
        metrics = self.context.metrics
        is_bank = any(metrics.get(row[0]).name == _BANKS_OWN for row in self.whole.body)
        before = self.document.text[max(0, self.table.start - _BEFORE) : self.table.start]
        due = due_name(self.table.title, before)
        self.cells = CellReader(metrics, self.statement, self.columns[0].text, due, is_bank)
        periods = set(filter(None, map(attrgetter("period"), self.columns)))
        self.periods = CellPeriods(self.context, self.statement, of_one=len(periods) == 1)
        self.relative = self._relative_columns()

    def facts(self) -> Iterator[Fact]:
        """Row by row, from left to right."""
        begins = columns_by_row(self.table, self.context)
        for label in row_labels(self.whole):
            begun = [row for row in begins if row < label.row]
            if begun:
                self.columns = begins[begun[-1]]
            if _FILED.search(label.name):
                continue
            in_percent = self._in_percent(label.row)
            members = self._members(label.row)
            for number, text in self._filled(self.whole, label.row):
                column = self.periods.in_year_of_row(label, self.columns[number])
                cell = _Cell(text, *self.cells.turned(label, column))
                fact = self._fact(cell, in_percent)
                if fact is not None:
                    fact = self._signed(fact, cell, label.row, number)
                    yield self._placed(replace(fact, dimensions=(*fact.dimensions, *members)), label.row, number)

    def _filled(self, table: Table, row: int) -> Iterator[tuple[int, str]]:
        """The columns that have a cell in the row and are not skipped, with its text."""
        for number, (text, column) in enumerate(zip(table.rows[row], self.columns, strict=False)):
            if text and not column.skipped:
                yield number, text

    def _members(self, row: int) -> Dimensions:
        """What a column of words narrows the row to: "Int'l" under "Region"; "Worldwide" narrows nothing."""
        found: list[tuple[str, str]] = []
        for number, text in self._filled(self.table, row):
            kind = _MEMBERS.search(self.columns[number].text)
            if number and kind is not None and not is_value(text) and not _WHOLE.search(text):
                found.append(("segment" if kind[1].lower().startswith(_SEGMENTS) else "region", text))
        return tuple(found)

    def _in_percent(self, row: int) -> bool:
        """True where a good part of the row is printed with a per cent sign: the rest of it is meant so.

        A column of changes in per cent says nothing of the others, and amounts of four digits are no percentages. Where
        heads say which columns are in per cent, the others are not.
        """
        if any(column.percent for column in self.columns):
            return False
        texts = {number: text for number, text in self._filled(self.table, row) if is_value(text)}
        outside = texts.keys() - self.relative
        values = list(map(texts.__getitem__, outside or texts))
        bare = [text for text in values if "%" not in text]
        signed = len(values) - len(bare)
        if len(values) <= 2 or signed < len(values) / 3:
            return False
        return not any(map(_THOUSANDS.search, bare))

    def _relative_columns(self) -> frozenset[int]:
        """The columns in which nearly every value bears a per cent sign: those of changes, whose heads are years."""
        columns = enumerate(zip(*self.table.body, strict=True))
        return frozenset(number for number, cells in columns if _is_relative(list(filter(is_value, cells))))

    def _fact(self, cell: _Cell, in_percent: bool) -> Fact | None:
        """What a cell states; None for one without a value, or with nothing that says what it is."""
        label = cell.label
        meaning = self.cells.meaning(label, cell.column)
        if not meaning.metric.name and is_number(label.name):
            return None
        metric = self.cells.stated(meaning.metric)
        if metric.kind == "text":
            return self._words(cell, metric)
        quantity = _quantity(cell.text, commas=self.commas)
        if quantity is None or not any((cell.column.period, label.period, metric.name, label.name)):
            return None
        if in_percent and not quantity.unit:
            quantity = replace(quantity, unit="%")
        return self._number(cell, quantity, metric, meaning.dimensions)

    def _number(self, cell: _Cell, quantity: Quantity, metric: Metric, dimensions: Dimensions) -> Fact | None:
        label, column = cell.label, cell.column
        period = self.periods.stated(label, column) or self.told
        if period is None and self._is_unknown(column):
            return None
        in_table = self.unit.in_column(column.unit)
        certainty = column.certainty * in_table.certainty
        certainty *= 1.0 if period else _ASSUMED_PERIOD
        certainty *= 1.0 if self.statement else _NO_STATEMENT
        unit, scale = cell_unit(quantity, label.full, column, metric, in_table)
        is_share = metric.kind == "money" and unit in ("%", "x")
        return Fact(
            company=self.context.company,
            metric="" if is_share else metric.name,
            label=label.full,
            period=self.periods.dated(period or self.context.period, metric),
            text=cell.text,
            value=quantity.value,
            unit=unit,
            scale=scale,
            dimensions=dimensions,
            basis=basis_of(column.text, label.full, self.table.title),
            consolidation=consolidation(self.table),
            source_kind="table",
            confidence=_BASE * certainty,
        )

    def _is_unknown(self, column: Column) -> bool:
        """True for a column of several of which nothing says what they are: its figures may be of any time or part.

        Of two the first is taken for the report's own period, as a page goes on with the columns of the one before.
        """
        values = self.columns[1:]
        if len(values) < 2 or any(other.text for other in values):
            return False
        return len(values) > 2 or column is not values[0]

    def _signed(self, fact: Fact, cell: _Cell, row: int, column: int) -> Fact:
        """ "Net loss 520" is a net income of -520, unless a minus beside it shows that signs are printed."""
        meaning = self.cells.meaning(cell.label, cell.column)
        if not fact.metric or fact.value is None or not self.context.metrics.names_loss(meaning.named_by):
            return fact
        if meaning.by_head or cell.label.period_row:
            beside = [line[column] for line in self.whole.body]
        else:
            beside = [text for _, text in self._filled(self.whole, row)]
        has_signs = any(_is_negative(text, commas=self.commas) for text in beside)
        return fact if has_signs else replace(fact, value=-abs(fact.value))

    def _words(self, cell: _Cell, metric: Metric) -> Fact | None:
        """A fact in words; an address in a section that is about somebody else is not the company's."""
        section = self.cells.section_metric(cell.label)
        if len(cell.text) > _MAX_TEXT or section.name not in ("", metric.name):
            return None
        return Fact(
            company=self.context.company,
            metric=metric.name,
            label=cell.label.full,
            period=self.context.period,
            text=cell.text,
            source_kind="table",
            confidence=_BASE,
        )

    def _placed(self, fact: Fact, row: int, column: int) -> Fact:
        start, end = self._span(row, column)
        return replace(
            fact,
            source=self.context.source,
            anchors=self._anchors(row, column, start, end),
            start=start,
            end=end,
            table=self.ordinal,
            row=row,
            column=column,
        )

    def _span(self, row: int, column: int) -> Span:
        """Where the cell stands in the text, or the table where that is not known."""
        try:
            return self.spans[row][column]
        except IndexError:
            return self.table.start, self.table.end

    def _anchors(self, row: int, column: int, start: int, end: int) -> tuple[Anchor, ...]:
        """Where the cell is printed, or its lines, or the table."""
        place = self.table.places.get((row, column))
        if place is not None:
            return (place,)
        return self.document.anchors(start, end) or self.table.anchors


def _is_relative(values: Sequence[str]) -> bool:
    signs = list(filter(_RELATIVE.search, values))
    return len(values) >= _FEWEST_SIGNS and len(signs) >= _NEARLY_ALL * len(values)


def _is_negative(text: str, *, commas: bool) -> bool:
    """True for an amount with a minus or in parentheses; a share in per cent tells nothing of the amounts."""
    quantity = _quantity(text, commas=commas)
    return quantity is not None and quantity.unit != "%" and quantity.value < 0


def _quantity(text: str, *, commas: bool) -> Quantity | None:
    """The value of a cell without note marks, its thousands set apart by blanks or not; pence are parts of a pound."""
    printed = _SPACED.sub("", _NOTE_MARK.sub("", " ".join(text.split())))
    if commas:
        printed = printed.translate(_TO_POINTS)
    quantity = parse_quantity(_PENCE.sub("", printed))
    if quantity is None or quantity.unit or not _PENCE.search(printed):
        return quantity
    return replace(quantity, unit="GBP", scale=_HUNDREDTH)


_RAISED, _LOWERED = 1.11, 0.6
"""Factors of the confidence of a figure that a check confirms or doubts."""
_TOTAL = re.compile(r"^\s*total\b|合计|总计|小计", re.IGNORECASE)
_TOLERANCE = Decimal("0.002")
"""Share of the total by which rounded parts may miss it."""
_ROUNDING = Decimal(2)
"""The least that parts may miss their total by, in the last digit printed."""
_WHOLE_NUMBERS, _CENTS = Decimal(1), Decimal("0.02")
"""What the rows above a total may miss it by."""
_MOST_ROWS = 24
"""Rows above a total that may be its parts."""


@dataclass(frozen=True, slots=True)
class _Identity:
    """What has to be the sum of what in a company's statements, by the names of the metrics."""

    total: str
    added: tuple[str, ...]
    subtracted: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return (self.total, *self.added, *self.subtracted)

    def holds(self, amounts: Mapping[str, Decimal]) -> bool:
        """True where it adds up; what is subtracted may be printed with or without a minus of its own."""
        whole = amounts[self.total]
        added = sum(map(amounts.__getitem__, self.added))
        subtracted = list(map(amounts.__getitem__, self.subtracted))
        least = min(abs(added - sum(subtracted) - whole), abs(added - sum(map(abs, subtracted)) - whole))
        return least <= max(_ROUNDING, abs(whole) * _TOLERANCE)


_BALANCE = "total assets"
_IDENTITIES = (
    _Identity(_BALANCE, ("total liabilities and equity",)),
    _Identity(_BALANCE, ("total liabilities", "total equity")),
    _Identity(_BALANCE, ("total current assets", "total non-current assets")),
    _Identity("total liabilities", ("total current liabilities", "total non-current liabilities")),
    _Identity("gross profit", ("revenue",), subtracted=("cost of revenue",)),
    _Identity("net income", ("income before tax",), subtracted=("income tax",)),
)


@dataclass(frozen=True, slots=True)
class _CheckedCell:
    """A figure of a column: its place among the facts and its amount as printed."""

    fact: int
    name: str
    metric: str
    """Empty for one that is narrowed to a part of the company: only the whole adds up."""
    amount: Decimal


def checked(facts: Sequence[Fact]) -> list[Fact]:
    """The facts with their confidence after the checks, column by column: one doubt outweighs all that confirms."""
    confirmed: set[int] = set()
    doubted: set[int] = set()
    for column in _columns(facts):
        _check_identities(column, confirmed, doubted)
        _check_totals(column, confirmed)
    factors = dict.fromkeys(confirmed, _RAISED) | dict.fromkeys(doubted, _LOWERED)
    after = list(facts)
    for n, factor in factors.items():
        after[n] = replace(facts[n], confidence=min(1.0, facts[n].confidence * factor))
    return after


def _columns(facts: Sequence[Fact]) -> Iterable[list[_CheckedCell]]:
    """The figures of each column from top to bottom."""
    columns: dict[int | None, list[_CheckedCell]] = defaultdict(list)
    for n, fact in enumerate(facts):
        if fact.value is not None:
            metric = "" if fact.dimensions else fact.metric
            columns[fact.column].append(_CheckedCell(n, fact.own_label, metric, fact.value))
    return columns.values()


def _check_identities(column: Sequence[_CheckedCell], confirmed: set[int], doubted: set[int]) -> None:
    """What has to add up by its metrics. A balance sheet that balances was read right as a whole."""
    first: dict[str, _CheckedCell] = {}
    for cell in column:
        first.setdefault(cell.metric, cell)
    amounts = {metric: cell.amount for metric, cell in first.items()}
    for identity in _IDENTITIES:
        if not amounts.keys() >= set(identity.metrics):
            continue
        cells = {first[metric].fact for metric in identity.metrics}
        if identity.holds(amounts):
            confirmed |= cells
            if identity.total == _BALANCE:
                confirmed.update(cell.fact for cell in column)
        elif identity.total == _BALANCE:
            doubted |= cells


def _check_totals(column: Sequence[_CheckedCell], confirmed: set[int]) -> None:
    """Rows called a total that are the sum of the rows right above confirm them and themselves."""
    for row, cell in enumerate(column):
        if _TOTAL.search(cell.name):
            confirmed.update(part.fact for part in _added_up(column, row))


def _added_up(column: Sequence[_CheckedCell], row: int) -> Sequence[_CheckedCell]:
    """A total with the rows, two at least, right above it that add up to it; empty where none do."""
    total = column[row].amount
    rounding = _WHOLE_NUMBERS if total == total.to_integral() else _CENTS
    added = Decimal(0)
    for first in reversed(range(max(0, row - _MOST_ROWS), row)):
        added += column[first].amount
        if row - first >= 2 and abs(added - total) <= rounding:
            return column[first : row + 1]
    return ()
