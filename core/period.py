"""Time as finance names it: fiscal years, quarters, halves, instants."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal

from .patterns import on_demand
from .records import dataclass

Unit = Literal["year", "half", "nine months", "quarter", "month", "day", "span"]

_MONTHS: dict[Unit, int] = {"year": 12, "half": 6, "nine months": 9, "quarter": 3, "month": 1}
_QUARTERS: dict[Unit, int] = {"quarter": 1, "half": 2, "nine months": 3}
_LABELS: dict[Unit, str] = {
    "half": "H{self.number} {year}",
    "nine months": "9M {year}",
    "quarter": "Q{self.number} {year}",
    "month": "{self.year}-{self.number:02d}",
}
_NAMED_BY_END: dict[Unit, str] = {"day": "{self.end}", "span": "{self.year}-{self.end.year}"}
DAYS: dict[Unit, int] = {"quarter": 91, "half": 182, "nine months": 274, "year": 365}
"""Of the lengths that a last day alone names."""
PART_OF_YEAR = (
    r"(?:first|second|third|fourth|1st|2nd|3rd|4th)[ -](?:fiscal )?quarter|q[1-4]|(?:first|second)[ -]half|h[12]"
    r"|first (?:six|nine) months"
)
"""How texts name a part of a year, as a part of a pattern."""
_UNDATED = on_demand(
    r"(?<!each )(?<!every )(?<!previous )(?<!prior )(?<!last )"
    rf"\b(?:{PART_OF_YEAR}|(?P<whole>(?:full|fiscal|full[ -]fiscal)[ -]year)"
    r"|(?P<own>(?:(?:in|for|during) (?:the|our)|this|current) quarter))\b"
    r"(?!['’]? ?\d| (?:of|in) (?:19|20)?\d| (?:of|in) (?:the |fiscal )?(?:prior|previous|last|fiscal|next)\b"
    r"| (?:fiscal|FY|end(?:ed|ing)))",
    re.IGNORECASE,
)
"""A part of a year, or a year, that is not named."""
_DAYS_OF_YEAR = range(358, 373)
"""From the first to the last day of 52 or 53 weeks, or of twelve months."""
_LATE_YEAR_END = 5 * 7
"""Days after 31 December by which a 52/53-week year, or one that ends in January, may still close."""


@dataclass(frozen=True, slots=True)
class Period:
    """A span of time, or an instant (``unit="day"``: a balance sheet date).

    ``year`` is the fiscal year where ``fiscal`` is true, else the calendar year; ``number`` counts the quarter (1-4),
    half (1-2), month (1-12), and is 0 for a year. ``end`` (and ``start``) are known only where the text gives them;
    a "span" covers the years ``year`` to ``end.year``.
    """

    unit: Unit
    year: int
    number: int = 0
    fiscal: bool = False
    end: date | None = None
    start: date | None = None

    @classmethod
    def parse(cls, text: str) -> Period:
        """Read one period that makes up the whole text, English or Chinese. Raises ValueError otherwise.

        >>> Period.parse("second quarter of fiscal 2023").label
        'Q2 FY2023'
        >>> Period.parse("截至2019年12月31日").label
        '2019-12-31'
        """
        from .period_text import parse_period

        return parse_period(text)

    @classmethod
    def instant(cls, day: date) -> Period:
        """The state at the end of a day."""
        return cls("day", day.year, end=day)

    @property
    def label(self) -> str:
        """The canonical name: "FY2023", "2023", "Q2 FY2023", "H1 2023", "9M 2023", "2023-06", "2023-06-30"."""
        if self.is_rolling_year:
            return f"{self.first_day} to {self.last_day}"
        if self.end and self.unit in _NAMED_BY_END:
            return _NAMED_BY_END[self.unit].format(self=self)
        year = f"FY{self.year}" if self.fiscal else f"{self.year}"
        return _LABELS.get(self.unit, "{year}").format(self=self, year=year)

    def __str__(self) -> str:
        return self.label

    @property
    def quarter(self) -> int | None:
        """The quarter whose report covers it: of half a year the second, of nine months the third; None for others.

        >>> [Period.parse(text).quarter for text in ("Q3 2023", "H1 2023", "2023")]
        [3, 2, None]
        """
        count = _QUARTERS.get(self.unit)
        return count and min(4, count * max(1, self.number))

    @property
    def is_instant(self) -> bool:
        """True for a day: balances, not flows."""
        return self.unit == "day"

    @property
    def is_rolling_year(self) -> bool:
        """True for twelve months that bear the name of no fiscal year: those to the end of a quarter."""
        return self.unit == "span" and (self.last_day - self.first_day).days in _DAYS_OF_YEAR

    @property
    def is_year_alone(self) -> bool:
        """True for a year of which no text gives the last day."""
        return self.unit == "year" and self.end is None

    @property
    def end_year(self) -> int:
        """The year of its last day where the text gives one; else the year that it is called by."""
        return self.end.year if self.end else self.year

    @property
    def first_day(self) -> date:
        """Its first day; by the calendar where the text names no date."""
        if self.start or self.is_instant:
            return self.start or self.last_day
        if self.end and self.unit != "span":
            return _months_before(self.end, _MONTHS[self.unit])
        return date(self._first_month // 12, self._first_month % 12 + 1, 1)

    @property
    def last_day(self) -> date:
        """Its last day; by the calendar where the text names no date."""
        if self.end:
            return self.end
        year, month = divmod(self._last_month, 12)
        return date(year, month + 1, monthrange(year, month + 1)[1])

    @property
    def last_year(self) -> int:
        """The year in which a span ends; of another period the year that it is called by.

        >>> Period.parse("2019 to 2021").last_year, Period.parse("fiscal 2022").last_year
        (2021, 2022)
        """
        return self.last_day.year if self.unit == "span" else self.year

    @property
    def sort_key(self) -> tuple[date, date]:
        """Orders periods by their end, the shorter first where they end together."""
        start = self.first_day
        return (self.last_day, date.fromordinal(date.max.toordinal() - start.toordinal()))

    def covers(self, other: Period) -> bool:
        """True where ``other`` lies within this period, as an analyst means it.

        Names decide, not days, since most texts do not say when a fiscal year ends: "2022" covers 2022 and fiscal
        2022, their quarters and halves, and balance sheet dates up to a year end early in 2023.

        >>> Period("year", 2022).covers(Period("quarter", 2022, 3, fiscal=True))
        True
        >>> Period("quarter", 2022, 3).covers(Period("year", 2022))
        False
        """
        if self.is_instant:
            return other.is_instant and self.end == other.end
        if other.is_instant:
            return self._holds(other.last_day)
        return self._first_month <= other._first_month and other._last_month <= self._last_month

    @property
    def balance_days(self) -> tuple[Period, ...]:
        """The days that it covers, as instants; none for a day.

        >>> days = Period("year", 2022, fiscal=True).balance_days
        >>> days[0].label, Period.parse("2023-01-28") in days
        ('2022-01-01', True)
        """
        if self.is_instant:
            return ()
        first, last = self.first_day.toordinal(), self.last_day.toordinal() + _LATE_YEAR_END
        days = (Period.instant(date.fromordinal(day)) for day in range(first, last + 1))
        return tuple(day for day in days if self.covers(day))

    def overlaps(self, other: Period) -> bool:
        """True where the two share time; an instant overlaps the periods that cover it."""
        if self.is_instant or other.is_instant:
            return self.covers(other) or other.covers(self)
        return self._first_month <= other._last_month and other._first_month <= self._last_month

    def shifted(self, years: int) -> Period:
        """The same period some years later (or, negative, earlier)."""
        end = _shift(self.end, years)
        return Period(self.unit, self.year + years, self.number, self.fiscal, end, _shift(self.start, years))

    def _holds(self, day: date) -> bool:
        if self.end and self.first_day <= day <= self.end:
            return True
        month = day.year * 12 + day.month - 1
        if self._first_month <= month <= self._last_month:
            return True
        closing = date(self.year + 1, 1, 1) + timedelta(_LATE_YEAR_END)
        return self.unit == "year" and day.year == self.year + 1 and day < closing

    @property
    def _first_month(self) -> int:
        """Months since year 0 at which the period starts by its name."""
        if self.unit == "month":
            return self.year * 12 + self.number - 1
        if self.unit in ("quarter", "half"):
            return self.year * 12 + (self.number - 1) * _MONTHS[self.unit]
        return self.year * 12

    @property
    def _last_month(self) -> int:
        if self.unit == "span":
            return self.end_year * 12 + 11
        return self._first_month + _MONTHS[self.unit] - 1


def undated_parts(text: str, own: Period, *, ahead: bool = False) -> Iterator[tuple[int, Period]]:
    """Where a report on ``own`` speaks of a part of a year without naming the year, and which period that is.

    What has been is of the year of the report, or of the one before where that part had still to end; what lies
    ``ahead`` of the year of the report, or of the next one where that part is over.

    >>> report = Period.parse("Q2 FY2021")
    >>> [next(undated_parts("In the fourth quarter", report, ahead=ahead))[1].label for ahead in (False, True)]
    ['Q4 FY2020', 'Q4 FY2021']
    """
    has_own_days = own.unit in ("day", "span")
    reported = (own if has_own_days else Period(own.unit, own.year, own.number)).last_day
    for said in _UNDATED.finditer(text):
        if said["own"]:
            if own.unit == "quarter" and not ahead:
                yield said.start(), own
            continue
        named = "" if said["whole"] else f"{said[0]} of "
        part = Period.parse(f"{named}{'fiscal ' * own.fiscal}{own.year}")
        days_left = (part.last_day - reported).days
        if ahead:
            is_over = days_left < 0 or (part.unit == "year" and not days_left)
            yield said.start(), part.shifted(int(is_over))
        elif not (said["whole"] and days_left > 0):
            yield said.start(), part.shifted(-int(days_left > 0))


def _shift(day: date | None, years: int) -> date | None:
    if day is None:
        return None
    last = monthrange(day.year + years, day.month)[1]
    at_end = day.day == monthrange(day.year, day.month)[1]
    return date(day.year + years, day.month, last if at_end else min(day.day, last))


def _months_before(end: date, months: int) -> date:
    """The first day of the ``months`` that end with ``end``."""
    following = end + timedelta(1)
    year, month = divmod(following.year * 12 + following.month - 1 - months, 12)
    return date(year, month + 1, min(following.day, monthrange(year, month + 1)[1]))


def last_day_of(period: Period | None) -> str:
    """The last day of a period that may not be known, as in ISO 8601.

    >>> last_day_of(Period.parse("Q2 2023")), last_day_of(None)
    ('2023-06-30', '')
    """
    return period.last_day.isoformat() if period else ""


def label_of(period: Period | None) -> str:
    """The label of a period that may not be known.

    >>> label_of(Period.parse("FY2023")), label_of(None)
    ('FY2023', '')
    """
    return period.label if period else ""


def iso_day(text: object) -> date | None:
    """The day that a value begins with as YYYY-MM-DD; None where it begins otherwise.

    >>> iso_day("2025-03-01T09:30:00Z"), iso_day("March 1"), iso_day(None)
    (datetime.date(2025, 3, 1), None, None)
    """
    try:
        return date.fromisoformat(str(text)[:10])
    except ValueError:
        return None


def month_end(year: int, month: int) -> date:
    """The last day of a month.

    >>> month_end(2024, 2)
    datetime.date(2024, 2, 29)
    """
    return date(year, month, monthrange(year, month)[1])


def lasting(unit: Unit, end: date, start: date | None = None) -> Period:
    """A period of the given length by its last day.

    A year is named by the year in which it ends, a 52/53-week year that ends in the first week of January by the one
    before. Shorter periods are named by the calendar quarter or half that holds their middle: "three months ended
    July 1, 2023" is Q2 2023.
    """
    if unit == "year":
        year = end.year - (end.month == 1 and end.day <= 7)
        return Period("year", year, fiscal=True, end=end, start=start)
    middle = end - timedelta(DAYS[unit] // 2)
    number = {"quarter": (middle.month + 2) // 3, "half": (middle.month + 5) // 6}.get(unit, 0)
    return Period(unit, middle.year, number, end=end, start=start)
