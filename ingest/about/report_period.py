"""The period a document reports on, from its cover and first pages."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

from ...core.period import Period
from ...core.period_text import find_periods

_YEAR_ENDED = re.compile(r"(?:fiscal\s+)?years?\s+end(?:ed|ing)[:\s]+", re.IGNORECASE)
_QUARTER_ENDED = re.compile(r"(?:quarter(?:ly)?\s*(?:periods?)?|periods?)\s+end(?:ed|ing)[:\s]+", re.IGNORECASE)
_REPORT_DATE = re.compile(
    r"date\s+of\s+(?:earliest\s+event\s+)?report(?:ed)?\s*(?:\(.{0,60}?\))?\s*:?\s*", re.IGNORECASE
)
_LENGTHS = (
    (3, r"(?:nine\s+months|(?:thirty-nine|39|36|forty|40)\s+weeks)"),
    (2, r"(?:six\s+months|(?:twenty-six|26|24|twenty-four|27|28)\s+weeks)"),
)
_NAMED_QUARTER = re.compile(r"\b(first|second|third|fourth)\s+(?:fiscal\s+)?quarter\b|\bq([1-4])\b", re.IGNORECASE)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_YEAR_END = re.compile(r"fiscal\s+year\s+(?:ends?|ended|ending)\s+", re.IGNORECASE)
_SHORT_NAMES = ("quarter", "half", "nine months", "year")
_LATE = 42
"""Days into a year by which a fiscal year may close and still be named after the year before."""


def annual_period(text: str) -> Period | None:
    """The fiscal year of a 10-K: the date after "fiscal year ended"."""
    end = _date_after(_YEAR_ENDED, text[:8_000])
    return None if end is None else Period("year", fiscal_year(end, text), fiscal=True, end=end)


def quarterly_period(text: str) -> Period | None:
    """The fiscal quarter of a 10-Q: the date after "quarterly period ended", counted by the year to date beside it."""
    end = _date_after(_QUARTER_ENDED, text[:8_000])
    if end is None:
        return None
    number = _quarter_number(end, text)
    closing = _add_months(end, 3 * (4 - number))
    return Period("quarter", fiscal_year(closing, text), number, fiscal=True, end=end)


def event_date(text: str) -> date | None:
    """The date of report of an 8-K."""
    return _date_after(_REPORT_DATE, text[:6_000])


def named_period(head: str) -> Period | None:
    """The period that a title or first paragraph names first: "Reports First-Quarter 2023 Results", 2019年年度报告.

    >>> named_period("Acme Reports Fourth Quarter and Full Year 2022 Results").label
    'Q4 FY2022'
    """
    flat = re.sub(r"(?<=\w)-(?=quarter|half|year)", " ", " ".join(head.split()), flags=re.IGNORECASE)
    joint = re.search(
        r"\b(first|second|third|fourth)\s+quarter(?:,)?\s+(?:and|&)\s+(?:fiscal\s+|full[\s-]|first\s+half\s+|half[\s-]|nine\s+months?\s+)*(?:year|of)?\s*"
        r"(?:fiscal\s+|of\s+)?((?:19|20)\d\d)",
        flat,
        re.IGNORECASE,
    )
    mentions = [m for m in find_periods(flat) if m.period.unit in _SHORT_NAMES and m.period.year > 1990]
    if joint and (not mentions or joint.start() <= mentions[0].start):
        return Period("quarter", int(joint[2]), _NTH[joint[1].lower()], fiscal=True)
    return mentions[0].period if mentions else None


def call_period(text: str) -> Period | None:
    """The quarter a call is about: the one named first; a quarter without a year takes the year named most."""
    head = " ".join(text[:6_000].split())
    found = [m.period for m in find_periods(head) if m.period.unit in ("quarter", "half")]
    if found:
        return found[0]
    quarter = _NAMED_QUARTER.search(head)
    years = Counter(m.period.year for m in find_periods(text[:30_000]) if m.period.unit in ("year", "quarter"))
    if quarter and years:
        number = _NTH[quarter[1].lower()] if quarter[1] else int(quarter[2])
        return Period("quarter", years.most_common(1)[0][0], number, fiscal=True)
    return None


def fiscal_year(end: date, text: str) -> int:
    """The year by which a company calls the fiscal year that ends on ``end``.

    A year that closes in the first weeks of a calendar year goes mostly by the year before ("fiscal 2022" of a shop
    ends in January 2023), unless the text itself says more often "fiscal 2023".
    """
    if end > date(end.year, 1, 1) + timedelta(_LATE):
        return end.year
    named = Counter(re.findall(r"fiscal\s+(?:year\s+)?((?:19|20)\d\d)\b", text[:60_000], re.IGNORECASE))
    return end.year if named[str(end.year)] > named[str(end.year - 1)] else end.year - 1


def _quarter_number(end: date, text: str) -> int:
    """1 to 3, by the length of the year to date that ends on the same day; else by the fiscal year's end."""
    printed = rf"{end:%B}\s+{end.day},?\s+{end.year}"
    beginning = text[:80_000]
    for number, length in _LENGTHS:
        if re.search(
            rf"{length}\s+(?:then\s+)?ended\s+(?:\w+\s+\d+,?\s+\d+\s+and\s+)?{printed}", beginning, re.IGNORECASE
        ):
            return number
    counts = {number: len(re.findall(rf"{length}\s+end", beginning, re.IGNORECASE)) for number, length in _LENGTHS}
    best = max(counts, key=lambda number: counts[number])
    if counts[best] >= 3:
        return best
    closing = _date_after(_YEAR_END, beginning)
    if closing:
        months = (closing.month - end.month) % 12
        return max(1, min(3, 4 - round(months / 3)))
    return 1


def _date_after(form: re.Pattern[str], text: str) -> date | None:
    for match in form.finditer(text):
        stretch = " ".join(text[match.end() : match.end() + 60].split())
        for mention in find_periods(stretch):
            if mention.period.unit == "day" and mention.start < 25 and mention.period.end:
                return mention.period.end
    return None


def _add_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, 28))
