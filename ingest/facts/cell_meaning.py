"""What a cell of a table states: the metric, what narrows it, and on which basis."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from ...core.fact import Consolidation
from ...core.patterns import first_found, one_of
from ..table import Table
from .column_heads import Column
from .metrics import UNNAMED, Metric, MetricList
from .row_labels import RowLabel, metric_of_row
from .statements import Statement, means_change, stated_basis

_COUNTRY = one_of(
    r"americas?|latin|north|united states|u\.?s\.?",
    "europe|emea|africa",
    "asia|pacific|china|japan",
    "international|domestic|foreign",
)
_REGION = re.compile(rf"\b{_COUNTRY}\b|境内|境外|国内|国外|地区", re.IGNORECASE)
_BY_SEGMENT = ("revenue", "cost of revenue", "operating income")
"""Metrics whose sections and tables list the parts of the company."""
_BASIS_WORDS = re.compile(
    one_of(
        r"\b(?:as|reported|non|gaap|core|adjusted|measures?|basis)\b",
        r"\(\w\)",
        r"[^\w()]",
    ),
    re.IGNORECASE,
)
"""What a head says of its basis, with all signs: nothing else narrows a fact."""
_TOTAL = re.compile(r"(?:grand )?total\b|合计|总计", re.IGNORECASE)
_NAMES = ("姓名", "名称", "Name")
_CONSOLIDATION: tuple[tuple[re.Pattern[str], Consolidation], ...] = (
    (re.compile(r"母公司|parent company|parent only", re.IGNORECASE), "parent"),
    (re.compile(r"合并|consolidated", re.IGNORECASE), "consolidated"),
)

Dimensions = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The metric, :data:`UNNAMED` where the list has none, and what narrows it to a part of the company."""

    metric: Metric
    dimensions: Dimensions = ()
    named_by: str = ""
    """The words that name the metric: "Net loss"."""
    by_head: bool = False
    """True where they stand over the column."""


@dataclass(frozen=True, slots=True)
class CellReader:
    """Tells what the cells of one table state."""

    metrics: MetricList
    statement: Statement
    corner: str
    """The head over the labels."""

    def turned(self, label: RowLabel, column: Column) -> tuple[RowLabel, Column]:
        """Where rows are periods the column heads name what is counted; a head may stand over the periods, too."""
        name = column.name or self.corner
        if not name or not label.period_row:
            return label, column
        return replace(label, name=name, path=(*label.path[:-1], name)), replace(column, member="")

    def stated(self, metric: Metric) -> Metric:
        """The metric whose value a cell states; a balance sheet item in the cash flow statement is only its change."""
        is_change = means_change(self.statement, metric.name, _balances(self.metrics))
        return UNNAMED if is_change else metric

    def section_metric(self, label: RowLabel) -> Metric:
        """The metric that the row's section is named for: "Revenues" over "Casino"."""
        return self.metrics.get(label.section)

    def meaning(self, label: RowLabel, column: Column) -> Meaning:
        """What a cell is about, by the row, the column, the section or the corner over the labels."""
        metric, name = metric_of_row(label, self.metrics)
        head = self._head_metric(column)
        if metric.name:
            return Meaning(metric, () if head.name == metric.name else _narrowed(column), name)
        if head.name and (head.kind != "text" or label.name in _NAMES):
            return Meaning(head, _part(label), column.name, by_head=True)
        section = self.section_metric(label)
        if section.name in _BY_SEGMENT:
            return Meaning(section, (*_narrowed(column), ("segment", label.name)), label.section)
        corner = self.metrics.get(self.corner)
        if corner.name in _BY_SEGMENT:
            return Meaning(corner, (*_narrowed(column), *_part(label)), self.corner)
        return Meaning(UNNAMED, () if head.name else _narrowed(column))

    def _head_metric(self, column: Column) -> Metric:
        """The metric that the column is headed by; the columns of a statement of equity are parts of it."""
        if self.statement == "equity":
            return UNNAMED
        return self.metrics.get(column.name)


@cache
def _balances(metrics: MetricList) -> frozenset[str]:
    return frozenset(metric.name for metric in metrics.metrics.values() if metric.balance)


def _narrowed(column: Column) -> Dimensions:
    """What the head of a column narrows a fact to; a basis alone is none."""
    if not _BASIS_WORDS.sub("", column.member):
        return ()
    axis = "region" if _REGION.search(column.member) else "column"
    return ((axis, column.member),)


def _part(label: RowLabel) -> Dimensions:
    """The part of the company that a row is about; a total or a basis is none."""
    if stated_basis(label.name) or _TOTAL.match(label.name):
        return ()
    return (("segment", label.name),)


def consolidation(table: Table) -> Consolidation:
    """By the title: 合并, 母公司, "Consolidated", "Parent Company Only"."""
    return first_found(_CONSOLIDATION, table.title, default="")
