"""When a company's fiscal years end and how it names them, read from the dates in a document."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from typing import TypeVar

from ...core.period import Period, Unit
from ...core.period_text import PeriodMention

NEAR_CLOSE = 9
"""Days by which the ends of a company's fiscal years differ."""
_NAMED_YEAR = 70
"""Characters between "fiscal 2022" and "ended January 28, 2023" within which the one explains the other."""
_LEAST_NAMED = 3
"""Places that have to name years after the calendar year before."""
_LATEST = 60

T = TypeVar("T")


def month_number(day: date) -> int:
    """Months since year 0; the first days of a month belong to the one before."""
    return day.year * 12 + day.month - 1 - (day.day <= 7)


def most_common(values: Iterable[T], default: T) -> T:
    """The value that occurs most often, the first of those that do; ``default`` where there is no value."""
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted else default


def last_day(period: Period | None, unit: Unit) -> date | None:
    """The last day of a period of that length; None for one of another, and where the day is not told."""
    return period.end if period is not None and period.unit == unit else None


def year_end_by(own: Period | None) -> tuple[int, int] | None:
    """Month and day at which the year of a report on a numbered quarter ends: its pages may name other years.

    >>> year_end_by(Period("quarter", 2023, 1, fiscal=True, end=date(2023, 9, 30)))
    (6, 30)
    """
    end = last_day(own, "quarter")
    if own is None or end is None:
        return None
    month = (month_number(end) + 3 * (4 - own.number)) % 12 + 1
    return month, monthrange(end.year, month)[1]


def usual_year_end(periods: Iterable[Period], language: str) -> tuple[int, int]:
    """Month and day on which most "years ended ..." end."""
    if language == "zh":
        return 12, 31
    days = list(filter(None, (last_day(period, "year") for period in periods)))
    month = most_common((day.month for day in days), default=12)
    return month, most_common((day.day for day in days if day.month == month), default=31)


def closing_days(periods: Iterable[Period], year_end: tuple[int, int]) -> dict[int, date]:
    """Calendar year -> the day near the year's end that is named most often in it."""
    month, day = year_end
    by_year: dict[int, Counter[date]] = defaultdict(Counter)
    for end in filter(None, (period.end for period in periods)):
        usual = date(end.year, month, min(day, 28))
        if abs((end - usual).days) <= NEAR_CLOSE:
            by_year[end.year][end] += 1
    return {year: counted.most_common(1)[0][0] for year, counted in by_year.items()}


def year_shift(mentions: Iterable[PeriodMention]) -> int:
    """Fiscal year less the calendar year in which it ends, from places that tell both: -1 or 0."""
    shifts: Counter[int] = Counter()
    for named, dated in pairwise(mentions):
        end = _day_told(named, dated)
        if end is not None:
            shifts[named.period.year - end.year] += 1
    early = shifts[-1]
    is_usual = shifts.most_common(1) == [(-1, early)]
    return -1 if is_usual and early >= max(_LEAST_NAMED, shifts[0] + 1) else 0


def _day_told(named: PeriodMention, dated: PeriodMention) -> date | None:
    """The day on which a fiscal year ends that is named without it, where the next mention tells it."""
    year, end = named.period, dated.period.end
    if year != Period("year", year.year, fiscal=True) or dated.start - named.end > _NAMED_YEAR:
        return None
    if end is None or dated.period.unit not in ("day", "year"):
        return None
    return end if abs(year.year - end.year) <= 1 else None


def latest_year(periods: Sequence[Period]) -> Period | None:
    """The fiscal year named most often among the first periods, for a document without one of its own."""
    years = [period.year for period in periods[:_LATEST] if period.unit in ("year", "day")]
    year = most_common(years, default=0)
    return Period("year", year, fiscal=True) if year else None
