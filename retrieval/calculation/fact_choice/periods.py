"""Whether a fact's period is the one asked: fiscal or calendar year, quarter, or the balance at its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from ....core.fact import Fact
from ....core.period import Period

_NEAR = 9
"""Days by which the close of a 52/53-week period may differ between two of its names."""
_LENGTHS = ("year", "half", "nine months", "quarter", "month")

Closes = Mapping[tuple[str, str, int, int], date]
"""(source, unit, year, number) -> the last day of that period in the document's own calendar."""


def read_closes(facts: Iterable[Fact]) -> dict[tuple[str, str, int, int], date]:
    """The calendars of documents, from facts over spans whose end is known."""
    closes: dict[tuple[str, str, int, int], date] = {}
    for fact in facts:
        period = fact.period
        if period is not None and period.end is not None and period.unit in _LENGTHS:
            closes.setdefault((fact.source, period.unit, period.year, period.number), period.end)
    return closes


def period_fit(fact: Fact, asked: Period, closes: Closes) -> float:
    """1 where the fact is of the period asked or stands at its end, less where that is likely, 0 where it is not.

    >>> fact = Fact("Acme", "revenue", "Revenue", Period("year", 2022, fiscal=True), "5")
    >>> period_fit(fact, Period("year", 2022), {}), period_fit(fact, Period("quarter", 2022, 4), {})
    (1.0, 0.0)
    """
    period = fact.period
    if period is None:
        return 0.0
    if asked.is_instant:
        return _fit_of_day(period, asked.last_day)
    if period.is_instant:
        return _fit_of_balance(fact.source, period.last_day, asked, closes)
    if period.unit != asked.unit:
        return 0.0
    end = period.end or closes.get((fact.source, period.unit, period.year, period.number))
    if asked.end is not None and end is not None:
        return 1.0 if abs((end - asked.end).days) <= _NEAR else 0.0
    return 1.0 if (period.year, period.number) == (asked.year, asked.number) else 0.0


def _fit_of_day(period: Period, day: date) -> float:
    if period.is_instant:
        return 1.0 if period.last_day == day else 0.0
    return 0.9 if period.unit == "year" and period.last_day == day else 0.0


def _fit_of_balance(source: str, day: date, asked: Period, closes: Closes) -> float:
    close = asked.end or closes.get((source, asked.unit, asked.year, asked.number))
    if close is not None:
        return 1.0 if abs((day - close).days) <= _NEAR else 0.0
    if asked.unit == "month":
        return 1.0 if (day.year, day.month) == (asked.year, asked.number) else 0.0
    if asked.unit != "year":
        return 0.9 if abs((day - asked.last_day).days) <= _NEAR else 0.0
    if not asked.covers(Period.instant(day)):
        return 0.0
    return 0.6 + 0.3 * min(1.0, max(0, (day - date(asked.year, 1, 1)).days) / 400)
