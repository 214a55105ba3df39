"""The period a document reports on: from its cover, its titles, and the dates that its pages close their years on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import chain, islice, pairwise

from ...core.period import Period
from ...core.period_text import find_periods
from ..facts.context import periods_of, year_shift
from .names_in_print import rules

_YEAR_ENDED = re.compile(r"(?:fiscal\s+)?years?\s+end(?:ed|ing)[:\s]+", re.IGNORECASE)
_FULL_YEAR_ENDED = re.compile(
    r"(?:years?|(?:fifty-two|fifty-three|52|53)\s+weeks|(?:twelve|12)\s+months)\s+(?:then\s+)?end(?:ed|ing)[:\s]+(?:on\s+)?",
)
_HALF_ENDED = re.compile(
    r"(?:six\s+months|half[\s-]year|half|(?:twenty-six|26|24|twenty-four|27)\s+weeks|interim\s+period)"
    r"\s+(?:period\s+)?end(?:ed|ing)[:\s]+(?:on\s+)?",
)
_QUARTER_ENDED = re.compile(r"(?:quarter(?:ly)?(?:\s*periods?)?|periods?)\s+end(?:ed|ing)[:\s]+", re.IGNORECASE)
_JOINT_ENDED = re.compile(
    r"(?:quarter|three(?:[\s-]months?)?)(?:\s+period)?\s+and\s+(?:the\s+)?(?P<length>half[\s-]?year|six[\s-]months|nine[\s-]months"
    r"|(?:fiscal\s+|financial\s+)?year|twelve[\s-]months)(?:\s+period)?\s+end(?:ed|ing)[:\s]+(?:on\s+)?",
)
"""A quarter beside the year to date, which says its number."""
_REPORT_DATE = re.compile(
    r"date\s+of\s+(?:earliest\s+event\s+)?report(?:ed)?\s*(?:\([^)]{0,60}\))?\s*:?\s*", re.IGNORECASE
)
_LENGTHS = (
    (3, r"(?:nine\s+months|(?:thirty-nine|39|36|forty|40)\s+weeks)"),
    (2, r"(?:six\s+months|(?:twenty-six|26|24|twenty-four|27|28)\s+weeks)"),
)
_OPENING = 3_000
_OF_CALL = re.compile(
    r"['’]?s?\s{1,3}(?:[\w-]{1,20}\s{1,3}){0,3}(?:earnings|results|conference|call|webcast|update|teleconference)\b",
    re.IGNORECASE,
)
"""Behind the quarter that a call is on."""
_TO_COME = re.compile(
    r"\b(?:plan(?:s|ning)?|expects?|intends?|will|scheduled)\b[^.?!]{0,30}\b(?:releas|report|announc|publish)[^.?!]{0,30}$",
    re.IGNORECASE,
)
"""Before a quarter whose results are yet to come: "We plan to release fiscal 2022 third quarter earnings"."""
_NAMED_QUARTER = re.compile(r"\b(first|second|third|fourth)\s+(?:fiscal\s+)?quarter\b|\bq([1-4])\b", re.IGNORECASE)
_JOINT_QUARTER = re.compile(
    r"\b(first|second|third|fourth)\s+quarter(?:,)?\s+(?:and|&)\s+"
    r"(?:fiscal\s+|full[\s-]|first\s+half\s+|half[\s-]|nine\s+months?\s+)*(?:(?:year|of)\s*)?(?:fiscal\s+|of\s+)?((?:19|20)\d\d)",
    re.IGNORECASE,
)
_HYPHEN = re.compile(r"(?<=\w)-(?=quarter|half|year)", re.IGNORECASE)
_TO_DATE = {"half": 2, "six": 2, "nine": 3}
"""Quarters of a year to date, by its first word; else all four."""
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_YEAR_END = re.compile(r"fiscal\s+year\s+(?:ends?|ended|ending)\s+", re.IGNORECASE)
_TITLE = 300
"""Characters at the beginning in which the title stands."""
_DECEMBER, _SIX = 12, 6
_BESIDE = 3
"""Characters between the name of a year and the days in brackets that it lasts."""
_LONG_AGO = 1990
"""No document of these is older; such a year is another number."""
_SHORT_NAMES = ("quarter", "half", "nine months", "year")
_YEARS = r"(?P<first>(?:19|20)\d\d)(?:\s?[/–-]\s?(?P<last>(?:(?:19|20)\d\d|\d\d))(?!\d))?"
_LATE = 42
"""Days into a year by which a fiscal year may close and still be named after the year before."""
_COVER = 8_000
"""Characters in which the date of a form or a report is looked for first."""
_NAMED_TIMES = 3
"""Times that quarters are counted "nine months ended" from which that tells the quarter."""
_ON_COVER = 3
"""What a closing date on the cover counts, against one in the text."""
_DECEMBER = 12
_MOST_DATES = 150
"""Closing dates that are looked at."""


def annual_period(text: str) -> Period | None:
    """The fiscal year of a 10-K: the date after "fiscal year ended"."""
    end = _date_after(_YEAR_ENDED, text[:_COVER])
    return None if end is None else Period("year", fiscal_year(end, text), fiscal=True, end=end)


def annual_report_period(small: str, titles: Iterable[str]) -> Period | None:
    """The year of an annual report: the one its titles name ("Annual Report 2023"), with the day on which its years
    end; without such a title the year of that day. ``small`` is the text in small letters.
    """
    named = _titled_years(titles).most_common(1)
    ends = _closing_dates(small)
    if not named:
        end = _most_named(ends)
        return None if end is None else Period("year", fiscal_year(end, small), fiscal=True, end=end)
    year = named[0][0]
    end = _most_named({day: count for day, count in ends.items() if _closes(day, year)})
    return Period("year", year, fiscal=end is not None, end=end)


def interim_period(small: str) -> Period | None:
    """The half year of an interim report (a text in small letters), counted by the day on which full years
    end; the first one where no such day is named.
    """
    end = _date_after(_HALF_ENDED, small[:_COVER])
    closing = _most_named(_closing_dates(small))
    if end is None:
        return None
    months = _SIX if closing is None else (closing.month - end.month) % 12
    closes = _add_months(end, months)
    number = 2 - (3 <= months <= 9)
    return Period("half", fiscal_year(closes, small), number, fiscal=True, end=end)


def names_half(small: str) -> bool:
    """True where a title says that a half year is reported on (a text in small letters)."""
    return _HALF_ENDED.search(small, 0, _TITLE) is not None


def joint_quarter(small: str) -> Period | None:
    """The quarter of results "for the quarter and half year ended ..." (a text in small letters).

    >>> joint_quarter("results for the quarter and half year ended september 30, 2024").label
    'Q2 FY2025'
    """
    named = _JOINT_ENDED.search(small, 0, _COVER)
    end = _date_after(_JOINT_ENDED, small[:_COVER])
    if named is None or end is None:
        return None
    number = _TO_DATE.get(re.split(r"[\s-]", named["length"])[0].removesuffix("year"), 4)
    return Period("quarter", fiscal_year(_add_months(end, 3 * (4 - number)), small), number, fiscal=True, end=end)


def quarterly_period(text: str) -> Period | None:
    """The fiscal quarter of a 10-Q: the date after "quarterly period ended", counted by the year to date beside it."""
    end = _date_after(_QUARTER_ENDED, text[:_COVER])
    if end is None:
        return None
    number = _quarter_number(end, text)
    closing = _add_months(end, 3 * (4 - number))
    return Period("quarter", fiscal_year(closing, text), number, fiscal=True, end=end)


def event_date(text: str) -> date | None:
    """The date of report of an 8-K."""
    return _date_after(_REPORT_DATE, text[:6_000])


def event_period(text: str) -> Period | None:
    """The day of report of an 8-K as its period."""
    day = event_date(text)
    return Period.instant(day) if day else None


def named_period(head: str) -> Period | None:
    """The period that a title or first paragraph names first: "Reports First-Quarter 2023 Results", 2019年年度报告.

    >>> named_period("Acme Reports Fourth Quarter and Full Year 2022 Results").label
    'Q4 FY2022'
    """
    flat = _HYPHEN.sub(" ", " ".join(head.split()))
    found = [(mention.start, mention.period) for mention in find_periods(flat) if _is_named(mention.period)]
    if joint := _JOINT_QUARTER.search(flat):
        found.insert(0, (joint.start(), Period("quarter", int(joint[2]), _NTH[joint[1].lower()], fiscal=True)))
    return min(found, key=lambda named: named[0])[1] if found else None


def _is_named(period: Period) -> bool:
    return period.unit in _SHORT_NAMES and period.year > _LONG_AGO


def told_call_period(text: str) -> Period | None:
    """The quarter that a call's opening or title names as its own: "second quarter 2024 earnings call"."""
    head = " ".join(text[:_OPENING].split())
    mentions = [m for m in find_periods(head) if m.period.unit in ("quarter", "half")]
    own = (m.period for m in mentions if _OF_CALL.match(head, m.end) and not _TO_COME.search(head, 0, m.start))
    return next(own, None)


def call_period(text: str) -> Period | None:
    """The quarter a call is about: the one named first; a quarter without a year takes the year named most."""
    head = " ".join(text[:6_000].split())
    found = [m.period for m in find_periods(head) if m.period.unit in ("quarter", "half")]
    if found:
        return found[0]
    quarter = _NAMED_QUARTER.search(head)
    years = Counter(m.period.year for m in find_periods(text[:30_000]) if m.period.unit in ("year", "quarter"))
    if quarter is None or not years:
        return None
    number = _NTH[quarter[1].lower()] if quarter[1] else int(quarter[2])
    return Period("quarter", years.most_common(1)[0][0], number, fiscal=True)


def as_defined(period: Period | None, text: str) -> Period | None:
    """A year under the name that the cover defines it by: "FY2024 (April 1, 2024 - March 31, 2025)" is FY2024; under
    the year before where it calls its years so: "FY2021: Year ended March 31, 2022".

    >>> year = Period("year", 2025, fiscal=True, end=date(2025, 3, 31))
    >>> as_defined(year, "Results for FY2024 (April 1, 2024 - March 31, 2025)").label
    'FY2024'
    """
    if period is None or period.unit != "year" or period.end is None:
        return period
    for named, dated in pairwise(find_periods(text[:_COVER])):
        is_name = named.period == Period("year", named.period.year, fiscal=True)
        is_beside = dated.start - named.end <= _BESIDE and dated.period.start is not None
        if is_name and is_beside and dated.period.end == period.end and period.end.year - named.period.year in (0, 1):
            return replace(period, year=named.period.year)
    is_called_by_close = period.year == period.end.year and period.end.month < _DECEMBER
    shift = year_shift(periods_of(text)) if is_called_by_close else 0
    return replace(period, year=period.year + shift)


def fiscal_year(end: date, text: str) -> int:
    """The year by which a company calls the fiscal year that ends on ``end``.

    A year that closes in the first weeks of a calendar year goes mostly by the year before ("fiscal 2022" of a shop
    ends in January 2023), unless the text itself says more often "fiscal 2023".
    """
    if end > date(end.year, 1, 1) + timedelta(_LATE):
        return end.year
    named = Counter(re.findall(r"fiscal\s+(?:year\s+)?((?:19|20)\d\d)\b", text[:60_000], re.IGNORECASE))
    return end.year if named[str(end.year)] > named[str(end.year - 1)] else end.year - 1


def _titled_years(titles: Iterable[str]) -> Counter[int]:
    """The years that stand beside the name of a kind of report: the last of "2022/23"."""
    said = "\n".join(" ".join(title[:300].split()) for title in titles)
    found = chain.from_iterable(form.finditer(said) for form in _titled())
    return Counter(_last_year(int(years["first"]), years["last"] or "") for years in found)


@cache
def _titled() -> tuple[re.Pattern[str], ...]:
    """A kind of report before or after a year."""
    kind = f"(?:{rules()['names']['titles']})"
    forms = (rf"{kind}[^\d|\n]{{0,25}}?\b{_YEARS}", rf"\b{_YEARS}[^\w\n]{{1,3}}{kind}")
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def _last_year(first: int, last: str) -> int:
    """2022 of "2021/22" and "2021-2022"."""
    return first + 1 if str(first + 1).endswith(last or "-") else first


def _closes(day: date, year: int) -> bool:
    """True where a year that ends on that day may be called by this number."""
    return day.year == year or (day.year == year + 1 and day.month <= 6)


def _closing_dates(text: str) -> Counter[date]:
    """The days after "year ended", counted; those on the cover count more."""
    ends: Counter[date] = Counter()
    for at, end in islice(_dates_after(_FULL_YEAR_ENDED, text), _MOST_DATES):
        ends[end] += _ON_COVER if at < _COVER else 1
    return ends


def _most_named(ends: Mapping[date, int]) -> date | None:
    """The day named most, the latest of several."""
    return max(ends, key=lambda day: (ends[day], day), default=None)


def _quarter_number(end: date, text: str) -> int:
    """1 to 3, by the length of the year to date that ends on the same day; else by the fiscal year's end, which is
    December where nothing tells.
    """
    printed = rf"{end:%B}\s+{end.day}(?:,?\s+{end.year}|,?\s*\n)"
    beginning = text[:80_000]
    ended = rf"\s+(?:then\s+)?ended\s+(?:\w+\s+\d+,?\s+\d+\s+and\s+)?{printed}"
    for form, least in ((ended, 1), (r"\s+end", _NAMED_TIMES)):
        count, number = max((len(re.findall(length + form, beginning, re.IGNORECASE)), n) for n, length in _LENGTHS)
        if count >= least:
            return number
    closing = _date_after(_YEAR_END, beginning)
    closing_month = _DECEMBER if closing is None else closing.month
    months = (closing_month - end.month) % 12
    return max(1, min(3, 4 - round(months / 3)))


def _date_after(form: re.Pattern[str], text: str) -> date | None:
    return next((day for _, day in _dates_after(form, text)), None)


def _dates_after(form: re.Pattern[str], text: str) -> Iterator[tuple[int, date]]:
    """Where the form stands, and the date that follows it."""
    for match in form.finditer(text):
        stretch = " ".join(text[match.end() : match.end() + 60].split())
        for mention in find_periods(stretch):
            if mention.period.unit == "day" and mention.start < 25 and mention.period.end:
                yield match.start(), mention.period.end
                break


def _add_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, 28))
