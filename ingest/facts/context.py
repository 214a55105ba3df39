"""What a whole document tells about its facts: company, periods, fiscal year, usual currency and scale."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from ...core.patterns import one_of
from ...core.period import Period
from ...core.period_text import PeriodMention, find_periods
from ...core.units import read_scale
from ..document import Document
from .fiscal_calendar import (
    NEAR_CLOSE,
    closing_days,
    last_day,
    latest_year,
    month_number,
    most_common,
    usual_year_end,
    year_end_by,
    year_shift,
)
from .metrics import MetricList, default_metrics

_UNIT_LINE = re.compile(
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

    @classmethod
    def of(cls, document: Document, metrics: MetricList | None = None) -> FactContext:
        """Read what the document says about itself."""
        about = document.metadata
        mentions = find_periods(document.text)
        periods = [mention.period for mention in mentions]
        year_end = year_end_by(about.period) or usual_year_end(periods, about.language)
        currency, scale = _usual_unit(document)
        return cls(
            company=next(iter(about.companies), ""),
            source=document.source,
            language=about.language,
            period=about.period or latest_year(periods),
            year_end=year_end,
            year_shift=year_shift(mentions),
            currency=currency,
            scale=scale,
            mentions=tuple(mentions),
            closes=closing_days(periods, year_end),
            metrics=metrics or default_metrics(),
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

        "Three months ended December 31, 2022" is Q2 FY2023 where fiscal years end in June.
        """
        if period.end is None or period.unit not in _LENGTHS:
            return period
        if period.unit == "year":
            return replace(period, year=period.year + self.year_shift)
        last = month_number(period.end)
        closing = month_number(self.year_close(period.end.year))
        months = (last - closing - 1) % 12 + 1
        year = (last + 12 - months) // 12 + self.year_shift
        numbers = {"quarter": min(4, max(1, (months + 1) // 3)), "half": 1 if months < 9 else 2}
        return replace(period, year=year, number=numbers.get(period.unit, 0), fiscal=True)

    @property
    def is_quarterly(self) -> bool:
        """True for a report on a quarter with its last day."""
        return last_day(self.period, "quarter") is not None

    def with_close(self, period: Period) -> Period:
        """A year that is named without its last day is the fiscal year, with it; other periods as they are."""
        if period.unit == "year" and period.end is None:
            return self.fiscal_year(period.year)
        return period

    def balance_day(self, period: Period) -> Period:
        """The last day of a year, half or quarter, at which its balances stand; other periods as they are."""
        if period.unit not in _LENGTHS:
            return period
        return Period.instant(self.with_close(period).last_day)


def _usual_unit(document: Document) -> tuple[str, Decimal]:
    """The currency and the scale that most unit lines of the tables and the text name."""
    lines = [table.unit for table in document.tables] + _UNIT_LINE.findall(document.text)
    scales = list(map(read_scale, lines))
    currencies = filter(None, (scale.currency for scale in scales))
    factors = filter(None, (scale.factor for scale in scales))
    currency = document.metadata.currency or ("CNY" if document.metadata.language == "zh" else "USD")
    return most_common(currencies, default=currency), most_common(factors, default=Decimal(1))
