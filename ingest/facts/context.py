"""What a whole document tells about its facts: company, periods, fiscal year, usual currency and scale."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import pairwise

from ...core.period import Period
from ...core.period_text import PeriodMention, find_periods
from ..document import Document
from .metrics import MetricList, default_metrics
from .scales import read_scale

_NEAR_CLOSE = 9
"""Days by which the ends of a company's fiscal years differ."""
_NAMED_YEAR = 70
"""Characters between "fiscal 2022" and "ended January 28, 2023" within which the one explains the other."""
_USUAL = re.compile(
    r"\((?:[^()]{0,40}\b)?in (?:millions|thousands|billions)\b[^()]{0,60}\)|单位[:：][^\n|]{1,20}", re.IGNORECASE
)


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
        year_end = _year_end_by(about.period) or _year_end(mentions, about.language)
        currency, scale = _usual_unit(document)
        return cls(
            company=about.companies[0] if about.companies else "",
            source=document.source,
            language=about.language,
            period=about.period or _latest(mentions),
            year_end=year_end,
            year_shift=_year_shift(mentions),
            currency=currency,
            scale=scale,
            mentions=tuple(mentions),
            closes=_closes(mentions, year_end),
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
        years = (day.year + self.year_shift + n for n in (-1, 0, 1))
        ends = [self.year_close(year) for year in years]
        ends += [self.period.end] if self.period and self.period.unit == "year" and self.period.end else []
        return any(abs((end - day).days) <= _NEAR_CLOSE for end in ends)

    def named(self, period: Period) -> Period:
        """A period known by its last day, under the name that this company's fiscal calendar gives it.

        "Three months ended December 31, 2022" is Q2 FY2023 where fiscal years end in June.
        """
        if period.end is None or period.unit not in ("year", "half", "quarter", "nine months"):
            return period
        if period.unit == "year":
            return replace(period, year=period.year + self.year_shift) if self.year_shift else period
        closing = _month(self.year_close(period.end.year))
        months = (_month(period.end) - closing - 1) % 12 + 1
        year = (_month(period.end) + 12 - months) // 12 + self.year_shift
        number = {"quarter": min(4, max(1, (months + 1) // 3)), "half": 1 if months < 9 else 2}.get(period.unit, 0)
        return replace(period, year=year, number=number, fiscal=True)


def _month(day: date) -> int:
    """Months since year 0; the first days of a month belong to the one before."""
    return day.year * 12 + day.month - 1 - (day.day <= 7)


def _year_end_by(own: Period | None) -> tuple[int, int] | None:
    """Month and day at which the year of a report on a numbered quarter ends: its pages may name other years."""
    if own is None or own.unit != "quarter" or own.end is None:
        return None
    month = (_month(own.end) + 3 * (4 - own.number)) % 12 + 1
    return month, monthrange(own.end.year, month)[1]


def _year_end(mentions: list[PeriodMention], language: str) -> tuple[int, int]:
    """Month and day on which most "years ended ..." end."""
    ends = Counter(
        (m.period.end.month, m.period.end.day) for m in mentions if m.period.unit == "year" and m.period.end is not None
    )
    if not ends or language == "zh":
        return (12, 31)
    months = Counter({month: sum(n for (m, _), n in ends.items() if m == month) for month, _ in ends})
    month = months.most_common(1)[0][0]
    return max((end for end in ends if end[0] == month), key=lambda end: ends[end])


def _closes(mentions: list[PeriodMention], year_end: tuple[int, int]) -> dict[int, date]:
    days: dict[int, Counter[date]] = {}
    for end in (mention.period.end for mention in mentions):
        if end is not None:
            near = date(end.year, year_end[0], min(year_end[1], 28))
            if abs((end - near).days) <= _NEAR_CLOSE:
                days.setdefault(end.year, Counter())[end] += 1
    return {year: counted.most_common(1)[0][0] for year, counted in days.items()}


def _year_shift(mentions: list[PeriodMention]) -> int:
    """How fiscal years are named, from places that give both the name and the date."""
    shifts: Counter[int] = Counter()
    for named, dated in pairwise(mentions):
        one, other = named.period, dated.period
        if (
            one.unit != "year"
            or not one.fiscal
            or one.end
            or other.end is None
            or dated.start - named.end > _NAMED_YEAR
        ):
            continue
        if other.unit in ("day", "year") and abs(one.year - other.end.year) <= 1:
            shifts[one.year - other.end.year] += 1
    if not shifts:
        return 0
    shift, count = shifts.most_common(1)[0]
    return shift if shift == -1 and count >= 3 and count > shifts[0] else 0


def _usual_unit(document: Document) -> tuple[str, Decimal]:
    units = Counter(table.unit for table in document.tables if table.unit)
    for match in _USUAL.finditer(document.text):
        units[match.group()] += 1
    factors: Counter[Decimal] = Counter()
    currencies: Counter[str] = Counter()
    for unit, count in units.items():
        scale = read_scale(unit)
        if scale.factor is not None:
            factors[scale.factor] += count
        if scale.currency:
            currencies[scale.currency] += count
    default = "CNY" if document.metadata.language == "zh" else "USD"
    currency = currencies.most_common(1)[0][0] if currencies else default
    return currency, factors.most_common(1)[0][0] if factors else Decimal(1)


def _latest(mentions: list[PeriodMention]) -> Period | None:
    """Without metadata: the year named most often among the first mentions."""
    years = Counter(m.period.year for m in mentions[:60] if m.period.unit in ("year", "day"))
    return Period("year", years.most_common(1)[0][0], fiscal=True) if years else None
