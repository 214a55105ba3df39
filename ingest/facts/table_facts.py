"""Facts from the cells of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ...core.fact import Basis, Consolidation, Fact
from ...core.period import Period
from ...core.quantity import Quantity
from ...core.quantity_text import parse_quantity
from ..document import Document
from ..table import Table
from ..tables.markdown import by_row
from ..tables.values import is_number, is_value
from .cells import Span, cell_spans
from .checks import checked
from .column_heads import Column, read_columns, stated_basis
from .context import FactContext
from .metrics import Metric, MetricList
from .row_labels import RowLabel, metric_name, row_labels
from .statements import Statement, means_change, statement_of
from .units import TableUnit, cell_unit, table_unit

_NOTE_MARK = re.compile(r"(?<=[\d%)])\s*[(（](?:\d{1,2}|[a-z])[)）]$|[*†‡]+$")
_SPACED = re.compile(r"(?<=\d)[ '’](?=\d{3}(?!\d))")
_THOUSANDS = re.compile(r"\d[,，]\d{3}|\d{4}")
_REGION = re.compile(
    r"\b(?:americas?|europe|emea|asia|pacific|china|united states|u\.?s\.?|international|domestic|japan|africa|latin|"
    r"north|foreign)\b"
    r"|境内|境外|国内|国外|地区",
    re.IGNORECASE,
)
_BY_SEGMENT = ("revenue", "cost of revenue", "operating income")
_BASE = 0.9
"""Confidence of a fact whose table was not checked."""
_TEXTUAL = 0.35
"""Share of values below which a column holds words: parts of the labels."""
_BASIS_WORDS = re.compile(r"\b(?:as|reported|non|gaap|core|adjusted|measures?|basis)\b|\(\w\)|[^\w()]", re.IGNORECASE)
_TOTAL = re.compile(r"(?:grand )?total\b|合计|总计", re.IGNORECASE)
_NAMES = ("姓名", "名称", "Name")
_FILED = re.compile(r"\bExhibits?\b|\bForm (?:10|8|S)-")
"""In a label: a list of filed documents, whose numbers are references."""
_MAX_TEXT = 300

_AT_A_DATE = frozenset({"book value per share", "cash and cash equivalents at beginning of period"})
"""Amounts that are no balances of the metric list, and no flows."""

Dimensions = tuple[tuple[str, str], ...]


def table_facts(
    document: Document,
    table: Table,
    ordinal: int | None,
    context: FactContext,
    heads: Sequence[Column] = (),
    spans: Sequence[Sequence[Span]] | None = None,
) -> list[Fact]:
    """Facts of a table of the document.

    ``heads`` serve a table that goes on without heads of its own. ``spans`` are the offsets of its cells, which are
    read from its Markdown otherwise.
    """
    statement = statement_of(table, context.metrics)
    if statement == "exhibits":
        return []
    columns = list(heads) or read_columns(table, context)
    reader = _TableReader(document, ordinal, table, context, columns, statement, spans)
    return checked(list(reader.facts()))


@dataclass(slots=True)
class _TableReader:
    document: Document
    ordinal: int | None
    table: Table
    context: FactContext
    columns: list[Column]
    statement: Statement = ""
    spans: Sequence[Sequence[Span]] | None = None

    def facts(self) -> Iterator[Fact]:
        """Row by row, from left to right."""
        table = replace(self.table, rows=tuple(map(tuple, _with_labels(self.table, self.columns))))
        spans = by_row(self.spans or cell_spans(self.document.text, table.start, table.end), table)
        unit = table_unit(table, self.document.text[max(0, table.start - 400) : table.start], self.context)
        for label in row_labels(table):
            if _FILED.search(label.name):
                continue
            for c, text in enumerate(table.rows[label.row]):
                if c and text and c < len(self.columns) and not self.columns[c].skipped:
                    fact = self._fact(label, c, text, unit)
                    if fact is not None:
                        yield self._placed(fact, label.row, c, spans)

    def _fact(self, label: RowLabel, c: int, text: str, unit: TableUnit) -> Fact | None:
        column = self.columns[c]
        label, column = _by_columns(label, column, self.columns[0].text)
        name, dimensions = self._named(label, column)
        if not name and is_number(label.name):
            return None
        if means_change(self.statement, name, _balances(self.context.metrics)):
            name = ""
        metric = self.context.metrics.metrics.get(name)
        if metric is not None and metric.kind == "text":
            return self._words(label, metric, text)
        quantity = _quantity(text)
        if quantity is not None and not quantity.unit and self._in_percent(label.row):
            quantity = replace(quantity, unit="%")
        if quantity is None or (column.period is None and label.period is None and not name and not label.name):
            return None
        return self._number(label, column, text, quantity, metric, dimensions, unit)

    def _named(self, label: RowLabel, column: Column) -> tuple[str, Dimensions]:
        """The metric by the row, the column, the section or the corner over the labels, and what narrows it."""
        metrics = self.context.metrics
        name = metric_name(label, metrics)
        own = metrics.find(column.member or column.text) if self.statement != "equity" else None
        if name:
            return name, () if own and own.name == name else _dimensions(column)
        part = () if stated_basis(label.name) or _TOTAL.match(label.name) else (("segment", label.name),)
        if own is not None and (own.kind != "text" or label.name in _NAMES):
            return own.name, part
        section, corner = _section_metric(label, metrics), metrics.find(self.columns[0].text)
        if section is not None and section.name in _BY_SEGMENT:
            return section.name, (*_dimensions(column), ("segment", label.name))
        if corner is not None and corner.name in _BY_SEGMENT:
            return corner.name, (*_dimensions(column), *part)
        return "", () if own else _dimensions(column)

    def _number(
        self,
        label: RowLabel,
        column: Column,
        text: str,
        quantity: Quantity,
        metric: Metric | None,
        dimensions: Dimensions,
        unit: TableUnit,
    ) -> Fact:
        by_row = label.period is not None and (label.period_row or column.period is None)
        stated = self._of_row(label.period) if by_row else column.period
        period = stated or self.context.period
        certainty = column.certainty * unit.certainty * (1.0 if stated else 0.7) * (1.0 if self.statement else 0.85)
        symbol, factor = cell_unit(quantity, label.full, column, metric, unit)
        share = symbol in ("%", "x") and metric is not None and metric.kind == "money"
        return Fact(
            company=self.context.company,
            metric=metric.name if metric and not share else "",
            label=label.full,
            period=self._dated(period, metric),
            text=text,
            value=quantity.value,
            unit=symbol,
            scale=factor,
            dimensions=dimensions,
            basis=_basis(column, self.table, label),
            consolidation=consolidation(self.table),
            source_kind="table",
            confidence=_BASE * certainty,
        )

    def _in_percent(self, row: int) -> bool:
        """True where a good part of the row is printed with a per cent sign: the rest of it is meant so.

        A column of changes in per cent says nothing of the others, and amounts of four digits are no percentages.
        """
        cells = zip(self.table.rows[row][1:], self.columns[1:], strict=False)
        values = [text for text, column in cells if text and not column.skipped and is_value(text)]
        bare = [text for text in values if "%" not in text]
        signed = len(values) - len(bare)
        return len(values) > 2 and signed >= len(values) / 3 and not any(_THOUSANDS.search(text) for text in bare)

    def _of_row(self, period: Period | None) -> Period | None:
        """A year that names a row is a fiscal year."""
        if period is None or period.unit != "year" or period.end is not None:
            return self.context.named(period) if period else None
        return self.context.fiscal_year(period.year)

    def _words(self, label: RowLabel, metric: Metric, text: str) -> Fact | None:
        """A fact in words; an address in a section that is about somebody else is not the company's."""
        section = _section_metric(label, self.context.metrics)
        if len(text) > _MAX_TEXT or (section is not None and section.name != metric.name):
            return None
        return Fact(
            company=self.context.company,
            metric=metric.name,
            label=label.full,
            period=self.context.period,
            text=text,
            source_kind="table",
            confidence=_BASE,
        )

    def _dated(self, period: Period | None, metric: Metric | None) -> Period | None:
        """Balances stand at a date, flows over a period, whatever short form the head has."""
        if period is None or metric is None:
            return period
        if metric.balance and not period.is_instant and period.unit in ("year", "quarter", "half", "nine months"):
            close = period.end or (self.context.year_close(period.year) if period.unit == "year" else period.last_day)
            return Period.instant(close)
        return self._over_time(period) if period.is_instant and _is_flow(metric) else period

    def _over_time(self, period: Period) -> Period | None:
        """A flow under a bare date: of the year where it is a report's on one and the year closes then.

        Else nothing tells how long a time ends on that day: None.
        """
        own, day = self.context.period, period.last_day
        if (own is not None and own.unit != "year") or not self.context.closes_year(day):
            return None
        if self.statement in ("income statement", "cash flow"):
            return self.context.named(Period("year", day.year, fiscal=True, end=day))
        return period

    def _placed(self, fact: Fact, row: int, column: int, spans: Sequence[Sequence[Span]]) -> Fact:
        start, end = self.table.start, self.table.end
        if spans and row < len(spans) and column < len(spans[row]):
            start, end = spans[row][column]
        own = self.table.places.get((row, column))
        return replace(
            fact,
            source=self.context.source,
            anchors=(own,) if own else self.document.anchors(start, end) or self.table.anchors,
            start=start,
            end=end,
            table=self.ordinal,
            row=row,
            column=column,
        )


def _is_flow(metric: Metric) -> bool:
    return not metric.balance and metric.kind in ("money", "per share") and metric.name not in _AT_A_DATE


@cache
def _balances(metrics: MetricList) -> frozenset[str]:
    return frozenset(metric.name for metric in metrics.metrics.values() if metric.balance)


def consolidation(table: Table) -> Consolidation:
    """By the title: 合并, 母公司, "Consolidated", "Parent Company Only"."""
    title = table.title
    if re.search(r"母公司|parent company|parent only", title, re.IGNORECASE):
        return "parent"
    return "consolidated" if re.search(r"合并|consolidated", title, re.IGNORECASE) else ""


def _quantity(text: str) -> Quantity | None:
    plain = _SPACED.sub("", _NOTE_MARK.sub("", " ".join(text.split())))
    quantity = parse_quantity(plain)
    if quantity is None and plain.startswith("<"):
        return None
    return quantity


def _with_labels(table: Table, columns: Sequence[Column]) -> list[list[str]]:
    """Rows whose label column also holds the words of other columns of words, labels over several rows repeated."""
    rows = [list(row) for row in table.rows]
    for r, c, last_row, _ in table.spans:
        if c == 0 and r >= table.header_rows:
            for below in range(r + 1, min(last_row + 1, len(rows))):
                rows[below][0] = rows[below][0] or rows[r][0]
    body = rows[table.header_rows :]
    in_words = not any(is_value(cell) for row in body for cell in row[1:])
    width = len(rows[0]) if rows else 0
    for c in range(1, width - 1):
        filled = [row[c] for row in body if row[c]]
        if not filled or sum(map(is_value, filled)) > _TEXTUAL * len(filled) or c > 2:
            break
        if c < len(columns) and columns[c].skipped:
            continue
        if in_words or any(any(is_value(row[k]) for k in range(c + 1, width)) for row in body):
            for row in body:
                if row[c] and any(char.isalpha() for char in row[c]):
                    row[0], row[c] = f"{row[0]} {row[c]}".strip(), ""
    return rows


def _by_columns(label: RowLabel, column: Column, corner: str) -> tuple[RowLabel, Column]:
    """Where rows are periods the column heads name what is counted; a head may stand over the periods, too."""
    name = column.member or column.text or corner
    if not (label.period_row and name):
        return label, column
    return replace(label, name=name, path=(*label.path[:-1], name)), replace(column, member="")


def _section_metric(label: RowLabel, metrics: MetricList) -> Metric | None:
    """The metric that the row's section is named for: "Revenues" over "Casino"."""
    return metrics.find(label.path[-2]) if len(label.path) > 1 else None


def _dimensions(column: Column) -> Dimensions:
    """What the head of a column narrows a fact to; a basis alone is none."""
    if not _BASIS_WORDS.sub("", column.member):
        return ()
    return (("region" if _REGION.search(column.member) else "column", column.member),)


def _basis(column: Column, table: Table, label: RowLabel) -> Basis:
    named = (stated_basis(text) for text in (column.text, label.full, table.title))
    return next((basis for basis in named if basis), "reported")
