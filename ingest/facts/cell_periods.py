"""When the value of a table's cell stands: the period that its row or column names, as the metric needs it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...core.period import Period
from ...core.period_text import first_period
from .column_heads import Column
from .context import FactContext
from .head_periods import says_length
from .metrics import Metric
from .row_labels import RowLabel
from .statements import Statement

_DECEMBER = 12
_AT_A_DATE = frozenset({"book value per share", "cash and cash equivalents at beginning of period"})
"""Amounts that are no balances of the metric list, and no flows."""


@dataclass(frozen=True, slots=True)
class CellPeriods:
    """Tells the periods of the cells of one table."""

    context: FactContext
    statement: Statement

    def in_year_of_row(self, label: RowLabel, column: Column) -> Column:
        """ "Three Months Ended | June 30," over rows in a section "2022": the column with that quarter as period."""
        if label.period is None or label.period.unit != "year" or column.period is not None:
            return column
        if not says_length(column.text) or self.context.year_end[0] != _DECEMBER:
            return column  # in a shifted year the section's year may not be the date's
        period = first_period(f"{column.text.strip(' ,')}, {label.period.year}")
        if period is None or period.end is None:
            return column
        return replace(column, period=self.context.named(period), member="")

    def stated(self, label: RowLabel, column: Column) -> Period | None:
        """The period that the column names, or the row where it names nothing else or the column has none."""
        if label.period is None:
            return column.period
        if column.period is not None and not label.period_row:
            return column.period
        if label.period.unit == "year" and label.period.end is None:
            return self.context.fiscal_year(label.period.year)
        return self.context.named(label.period)

    def dated(self, period: Period | None, metric: Metric) -> Period | None:
        """Balances stand at a date, flows over a period, whatever short form the head has."""
        if period is None:
            return None
        if metric.balance:
            return self.context.balance_day(period)
        if period.is_instant and _is_flow(metric):
            return self._over_time(period)
        return period

    def _over_time(self, day: Period) -> Period | None:
        """A flow under a bare date: of the year where it is a report's on one and the year closes then.

        Else nothing tells how long a time ends on that day: None.
        """
        own = self.context.period
        if own is not None and own.unit != "year":
            return None
        if not self.context.closes_year(day.last_day):
            return None
        if self.statement in ("income statement", "cash flow"):
            return self.context.named(Period("year", day.year, fiscal=True, end=day.last_day))
        return day


def _is_flow(metric: Metric) -> bool:
    is_amount = metric.kind in ("money", "per share")
    return is_amount and not metric.balance and metric.name not in _AT_A_DATE
