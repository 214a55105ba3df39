"""The single periods of a question, also those told by the calendar: "the December 2022 quarter", "2019 to 2021"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Mapping
from datetime import date

from ....core.patterns import LazyPattern
from ....core.period import Period, Unit
from ....core.period_text import find_periods
from ..question import Question

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<year>(?:19[5-9]|20[0-4])\d)"
_FORMS = tuple(
    map(
        LazyPattern,
        (
            rf"\b(?P<month>{_MONTH})\s+{_YEAR}\s+(?P<length>quarter|half)\b",
            rf"\b(?P<month>{_MONTH})\s+(?P<length>quarter|half)(?:\s+of|\s+in|,)?\s+{_YEAR}",
            r"\b(?P<length>quarter|half|three months|six months|nine months|twelve months|year)\s+"
            r"(?:that\s+)?(?:end(?:ed|ing|s)"
            rf"|to|through|until)\s+(?:in\s+|with\s+)?(?P<month>{_MONTH})\s+(?:of\s+)?{_YEAR}",
            rf"\b(?P<first>{_MONTH})\s*(?:to|through|until|till|and|[-–—])\s*(?P<month>{_MONTH})\s+(?:of\s+)?{_YEAR}",
        ),
    )
)
_UNITS: Mapping[int, Unit] = {3: "quarter", 6: "half", 9: "nine months", 12: "year"}
_LENGTHS = {
    "quarter": 3,
    "half": 6,
    "three months": 3,
    "six months": 6,
    "nine months": 9,
    "twelve months": 12,
    "year": 12,
}
_PLAIN_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_RUN = re.compile(
    r"\b(?:FY\s*)?(?:19|20)\d\d(?:\s*(?:,\s*and\b|,|\band\b|&|\bto\b|\bthrough\b|[-–—])\s*(?:FY\s*)?(?:19|20)\d\d)+\b",
    re.IGNORECASE,
)
_THROUGH = re.compile(r"\d\s*(?:\bto\b|\bthrough\b|[-–—])\s*(?:FY\s*)?\d", re.IGNORECASE)


def calendar_periods(text: str) -> list[Period]:
    """The periods that a text tells by the month they end with, each with its last day.

    >>> text = "revenue for April to June 2022 and the December 2022 quarter"
    >>> [(p.label, str(p.end)) for p in calendar_periods(text)]
    [('Q4 2022', '2022-12-31'), ('Q2 2022', '2022-06-30')]
    """
    found: dict[date, Period] = {}
    for form in _FORMS:
        for match in form.finditer(text):
            period = _period(match)
            if period is not None and period.end is not None:
                found.setdefault(period.end, period)
    return list(found.values())


def _period(match: re.Match[str]) -> Period | None:
    year, last = int(match["year"]), _number(match["month"])
    said = match.groupdict()
    first = said.get("first")
    months = (last - _number(first)) % 12 + 1 if first else _LENGTHS[said["length"].lower()]
    unit = _UNITS.get(months)
    if unit is None:
        return None
    number = {"quarter": (last + 2) // 3, "half": 1 if last <= 6 else 2}.get(unit, 0)
    return Period(unit, year, number, unit == "year", date(year, last, monthrange(year, last)[1]))


def _number(month: str) -> int:
    return _MONTHS.index(month[:3].lower()) + 1


def single_periods(question: Question) -> tuple[Period, ...]:
    """Single periods, spans of years taken apart."""
    found: dict[str, Period] = {}
    by_calendar = {period.end: period for period in calendar_periods(question.dated)}
    for period in question.periods:
        whole = by_calendar.get(period.last_day, period) if period.unit == "month" else period
        for part in _years_of(whole) if whole.unit == "span" else [whole]:
            found.setdefault(part.label.removeprefix("FY"), part)
    told = {period.last_day.year for period in question.periods if period.unit != "span"}
    for run in _YEAR_RUN.finditer(question.dated):
        for year in _years_of_run(run[0], told):
            found.setdefault(str(year), Period("year", year, fiscal="FY" in run[0].upper()))
    return tuple(sorted(found.values(), key=lambda period: period.sort_key))


def _years_of(span: Period) -> list[Period]:
    last = span.end.year if span.end else span.year
    return [Period("year", year, fiscal=span.fiscal) for year in range(span.year, last + 1)]


def _years_of_run(run: str, told: Collection[int]) -> list[int]:
    """The years of "2019, 2020 and 2021", and of "2019 to 2021"; of a list those that are not told already."""
    named = list(map(int, _PLAIN_YEAR.findall(run)))
    if _THROUGH.search(run):
        return list(range(min(named), max(named) + 1))
    return sorted(set(named).difference(told))


def without_periods(text: str) -> str:
    """The text without its periods and runs of years."""
    for mention in reversed(find_periods(text)):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return _YEAR_RUN.sub(" ", text)
