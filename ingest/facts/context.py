"""What a whole document tells about its facts: company, periods, fiscal year, usual currency and scale."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import chain, pairwise
from typing import TypeVar

from ...core.patterns import on_demand, one_of
from ...core.period import Period, Unit
from ...core.period_text import PeriodMention, find_periods
from ...core.quantity import read_scale
from ...core.records import dataclass
from ..document import Document
from ..tables.values import has_decimal_commas
from .metrics import MetricList, default_metrics

_UNIT_LINE = on_demand(
    one_of(
        r"\((?:[^()]{0,40}\b)?in (?:millions|thousands|billions)\b[^()]{0,60}\)",
        r"单位[:：][^\n|]{1,20}",
    ),
    re.IGNORECASE,
)
_LENGTHS = ("year", "half", "quarter", "nine months")
"""Periods of a fiscal calendar, at whose last day balances stand."""


@dataclass(frozen=True, slots=True)
class FactContext:
    """Facts take from here what their own place does not say."""

    company: str
    source: str
    language: str
    period: Period | None
    """The document's own period."""
    year_end: tuple[int, int] = (12, 31)
    """Month and day at which its fiscal years end; the day is only near for 52/53-week years."""
    year_shift: int = 0
    """Fiscal year less the calendar year in which it ends: -1 where the year that ends in January 2023 is 2022."""
    currency: str = ""
    scale: Decimal = Decimal(1)
    """The scale that its unit lines mostly name."""
    mentions: tuple[PeriodMention, ...] = ()
    closes: Mapping[int, date] = field(default_factory=dict)
    """Calendar year -> the day near ``year_end`` named most often in it: 52/53-week years end on another each."""
    metrics: MetricList = field(default_factory=default_metrics)
    decimal_commas: bool = False
    """True where its tables print "1.234,5"."""

    @classmethod
    def of(cls, document: Document, metrics: MetricList | None = None) -> FactContext:
        """Read what the document says about itself."""
        about = document.metadata
        mentions = periods_of(document.text)
        periods = [mention.period for mention in mentions]
        year_end = year_end_by(about.period) or usual_year_end(periods, about.language)
        currency, scale = _usual_unit(document)
        return cls(
            company=next(iter(about.companies), ""),
            source=document.source,
            language=about.language,
            period=about.period or latest_year(periods),
            year_end=year_end,
            year_shift=year_shift_by(about.period, mentions),
            currency=currency,
            scale=scale,
            mentions=mentions,
            closes=closing_days(periods, year_end),
            metrics=metrics or default_metrics(),
            decimal_commas=bool(has_decimal_commas(_cells(document))),
        )

    def fiscal_year(self, year: int) -> Period:
        """The fiscal year of that name, with its end where 31 December or a month's end is known."""
        return Period("year", year, fiscal=True, end=self.year_close(year))

    def year_close(self, year: int) -> date:
        """The day on which the fiscal year of that name ends."""
        month, day = self.year_end
        calendar_year = year - self.year_shift
        if calendar_year in self.closes:
            return self.closes[calendar_year]
        return date(calendar_year, month, min(day, monthrange(calendar_year, month)[1]))

    def closes_year(self, day: date) -> bool:
        """True where one of its fiscal years ends on that day or within a few of it."""
        named = day.year + self.year_shift
        ends = list(map(self.year_close, (named - 1, named, named + 1)))
        own = last_day(self.period, "year")
        if own is not None:
            ends.append(own)
        return any(abs((end - day).days) <= NEAR_CLOSE for end in ends)

    def named(self, period: Period) -> Period:
        """A period known by its last day, under the name that this company's fiscal calendar gives it.

        "Three months ended December 31, 2022" is Q2 FY2023 where fiscal years end in June. The twelve months to the end
        of a quarter bear the name of no fiscal year.
        """
        if period.is_instant and period.end is not None:
            return self._as_close(period, period.end)
        if period.end is None or period.unit not in _LENGTHS:
            return period
        if period.unit == "year":
            if self.is_quarterly and not self.closes_year(period.end):
                return Period("span", period.first_day.year, end=period.end, start=period.first_day)
            return replace(period, year=year_of_close(period.end) + self.year_shift)
        last = month_number(period.end)
        closing = month_number(self.year_close(period.end.year))
        months = (last - closing - 1) % 12 + 1
        year = (last + 12 - months) // 12 + self.year_shift
        numbers = {"quarter": min(4, max(1, (months + 1) // 3)), "half": 1 if months < 9 else 2}
        return replace(period, year=year, number=numbers.get(period.unit, 0), fiscal=True)

    def _as_close(self, period: Period, day: date) -> Period:
        """The opening balance of 1 January 2023 is the closing one of 31 December 2022; another day is as it is.

        Only the first of a month opens: years that end on the same weekday close a day apart, "December 3, 2021" and
        "December 2, 2022".
        """
        before = day - timedelta(days=1)
        opens = day.day == 1 and (before.month, before.day) == self.year_end
        return Period.instant(before) if opens else period

    @property
    def is_quarterly(self) -> bool:
        """True for a report on a quarter with its last day."""
        return last_day(self.period, "quarter") is not None

    def with_close(self, period: Period) -> Period:
        """A year that is named without its last day is the fiscal year, with it; other periods as they are."""
        if period.is_year_alone:
            return self.fiscal_year(period.year)
        return period

    def dated(self, period: Period) -> Period:
        """A period of a sentence by the fiscal calendar; a year has been given its name by the sentence already."""
        return self.fiscal_year(period.year) if period.is_year_alone else self.named(period)

    def balance_day(self, period: Period) -> Period:
        """The last day of a year, half or quarter, at which its balances stand; other periods as they are."""
        if period.unit not in _LENGTHS:
            return period
        return Period.instant(self.with_close(period).last_day)


@lru_cache(maxsize=1)
def periods_of(text: str) -> tuple[PeriodMention, ...]:
    """Those of the document at hand: its facts and its causes are both dated by them."""
    return tuple(find_periods(text))


def _cells(document: Document) -> Iterable[str]:
    """The cells of all tables below their heads."""
    rows = chain.from_iterable(table.body for table in document.tables)
    return chain.from_iterable(rows)


def _usual_unit(document: Document) -> tuple[str, Decimal]:
    """The currency and the scale that most unit lines of the tables and the text name."""
    lines = [table.unit for table in document.tables] + _UNIT_LINE.findall(document.text)
    scales = list(map(read_scale, lines))
    currencies = filter(None, (scale.currency for scale in scales))
    factors = filter(None, (scale.factor for scale in scales))
    currency = document.metadata.currency or ("CNY" if document.metadata.language == "zh" else "USD")
    return most_common(currencies, default=currency), most_common(factors, default=Decimal(1))


_IN_YEAR: Mapping[Unit, int] = {"quarter": 3, "half": 6}
"""Months of a numbered part of a year."""
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
    """Month and day at which the year of a report on a numbered quarter or half ends: its pages may name other years.

    >>> year_end_by(Period("quarter", 2023, 1, fiscal=True, end=date(2023, 9, 30)))
    (6, 30)
    """
    if own is None or own.end is None or own.unit not in _IN_YEAR or (own.unit == "half" and not own.fiscal):
        return None
    end = own.end
    length = _IN_YEAR[own.unit]
    month = (month_number(end) + 12 - length * own.number) % 12 + 1
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


def year_of_close(end: date) -> int:
    """The calendar year in which a fiscal year ends; one that ends on 1 January ends with the year before.

    >>> year_of_close(date(2024, 2, 3)), year_of_close(date(2023, 1, 1))
    (2024, 2022)
    """
    return month_number(end) // 12


def year_shift_by(own: Period | None, mentions: Iterable[PeriodMention]) -> int:
    """Fiscal year less the calendar year in which it ends: -1 or 0.

    A report on a year says it by its own name and last day, one on a quarter by the year that it counts to; other
    documents by the places that tell both.

    >>> year_shift_by(Period("quarter", 2025, 2, fiscal=True, end=date(2025, 8, 2)), ())
    -1
    """
    end = last_day(own, "year") or _close_counted_to(own)
    if own is None or end is None:
        return year_shift(mentions)
    return -1 if own.year < year_of_close(end) else 0


def _close_counted_to(own: Period | None) -> date | None:
    """The month in which the fiscal year of a report's quarter closes, as a day of it; None for any other report."""
    end = last_day(own, "quarter")
    if own is None or end is None or not own.fiscal:
        return None
    return end + timedelta(days=round(91.3 * (4 - own.number)))


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
