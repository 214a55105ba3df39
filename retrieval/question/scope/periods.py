"""The periods of a question: the single ones, also those told by the calendar ("the December 2022 quarter", "2019 to
2021") or by the reports ("last quarter"), and by which of its names each is taken.

"Q3 2022" of a company whose year ends in September is the quarter to June by its own count, that to September by the
calendar, and a file may be named after either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from ....core.patterns import LazyPattern, on_demand, without_parts
from ....core.period import PART_OF_YEAR, Period, Unit, month_end
from ....core.period_text import PeriodMention, find_periods, month_of, parse_period
from ....core.records import dataclass
from ....ingest.about.file_name import read_name
from ....kg.store import DocumentRecord
from ..question import Question

_FALLS_DUE = on_demand(
    r"\b(?:(?:is|are|was|were|be|comes?|came|coming|falls?|fell|falling|becomes?)\s)?"
    r"(?:(?:due|payable|repayable|matur(?:e|es|ed|ing))(?:\sfor\s(?:re)?payment)?|(?:maturities|payments\sdue))"
    r"\s(?:in|during)\s(?:the\s)?(?:(?:fiscal|calendar)\s)?(?:year\s)?$",
    re.IGNORECASE,
)
"""Before the year in which an amount falls due."""
_CALENDAR = on_demand(
    r"\bcalendar (?:(?:first|second|third|fourth|year|quarter|q[1-4]|cy|h[12]|half)\b|(?:19|20)\d\d)", re.I
)
Reading = Literal["file name", "own", "calendar"]
_READ_AS = ("quarter", "year")
"""Units whose names differ between companies."""
_NEAR = 9
"""Days by which the close of a 52/53-week quarter may differ from the last day of a month."""
_HALF_A_QUARTER = timedelta(45)
"""Before its last day a quarter is in the calendar quarter that it mostly belongs to."""


@dataclass(frozen=True, slots=True)
class PeriodReading:
    """A period asked for, how it was taken, and of what documents.

    ``others`` are documents that it would be by another reading; they are searched as well.
    """

    asked: Period
    how: Reading
    taken: tuple[DocumentRecord, ...]
    others: tuple[DocumentRecord, ...] = ()

    @property
    def own(self) -> Period | None:
        """What the company itself calls the period of the document taken; None where it is what was asked."""
        own = self.taken[0].period
        if own is None or _is_same(own, self.asked):
            return None
        return own


def says_calendar(question: Question) -> bool:
    """True where the periods are said to be those of the calendar: "in calendar Q3 2020"."""
    return _CALENDAR.search(question.trimmed) is not None


def read_period(records: Sequence[DocumentRecord], asked: Period, *, by_calendar: bool = False) -> PeriodReading | None:
    """How a period that is asked of one company is taken, where its readings differ; None where they do not.

    The document that closes with the month told counts, then the one whose name carries the label, the company's own
    count and the calendar; this one alone where the question says ``by_calendar``.
    """
    if asked.unit not in _READ_AS:
        return None
    candidates = _Candidates.among(records, asked)
    if by_calendar:
        return candidates.by_calendar() if candidates.calendar else None
    if asked.end is not None and candidates.calendar:
        return candidates.by_calendar()
    if candidates.named:
        return candidates.by_name()
    return candidates.by_own_count() if candidates.own else candidates.by_calendar()


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The reports of one company that a period may mean: by their names, by its own count, by the calendar."""

    asked: Period
    named: tuple[DocumentRecord, ...]
    own: tuple[DocumentRecord, ...]
    calendar: tuple[DocumentRecord, ...]

    @classmethod
    def among(cls, records: Iterable[DocumentRecord], asked: Period) -> _Candidates:
        reports = [record for record in records if _unit(record) == asked.unit]
        named = filter(lambda record: _is_named(record, asked), reports)
        own = filter(lambda record: _is_own(record, asked), reports)
        calendar = filter(lambda record: _is_by_calendar(record, asked), reports)
        return cls(asked, tuple(named), tuple(own), () if asked.fiscal else tuple(calendar))

    def by_name(self) -> PeriodReading | None:
        if set(map(_source, self.named)) & set(map(_source, self.own)):
            return None
        return PeriodReading(self.asked, "file name", self.named, _without(self.own, self.named))

    def by_own_count(self) -> PeriodReading | None:
        others = _without(self.calendar, self.own)
        is_open = self.asked.unit == "quarter" and not any(map(_label_of_record, self.own))
        return PeriodReading(self.asked, "own", self.own, others) if others and is_open else None

    def by_calendar(self) -> PeriodReading | None:
        differs = _without(self.calendar, self.own)
        return PeriodReading(self.asked, "calendar", self.calendar) if differs else None


def _without(records: Iterable[DocumentRecord], others: Iterable[DocumentRecord]) -> tuple[DocumentRecord, ...]:
    left_out = set(map(_source, others))
    return tuple(record for record in records if record.source not in left_out)


def _source(record: DocumentRecord) -> str:
    return record.source


def _unit(record: DocumentRecord) -> str:
    return record.period.unit if record.period else ""


def _label_of_record(record: DocumentRecord) -> Period | None:
    return _label_of_name(record.source)


def _is_own(record: DocumentRecord, asked: Period) -> bool:
    return record.period is not None and _is_same(record.period, asked)


def _is_same(one: Period, other: Period) -> bool:
    return (one.unit, one.year, one.number) == (other.unit, other.year, other.number)


def _is_named(record: DocumentRecord, asked: Period) -> bool:
    label = _label_of_record(record)
    return label is not None and _is_same(label, asked)


@lru_cache(maxsize=1 << 14)
def _label_of_name(source: str) -> Period | None:
    return read_name(source).period


def _is_by_calendar(record: DocumentRecord, asked: Period) -> bool:
    period = record.period
    if period is None or period.end is None:
        return False
    if asked.end is not None:
        is_near = abs((period.end - asked.end).days) <= _NEAR
        return is_near or (period.end.year, period.end.month) == (asked.end.year, asked.end.month)
    return _is_same(calendar_label(period), asked)


def calendar_label(period: Period) -> Period:
    """The calendar quarter that most of a quarter lies in; for a fiscal year the year in which it ends.

    >>> from datetime import date
    >>> calendar_label(Period("quarter", 2023, 1, fiscal=True, end=date(2022, 12, 31))).label
    'Q4 2022'
    >>> calendar_label(Period("year", 2022, fiscal=True, end=date(2023, 1, 28))).label
    '2023'
    """
    if period.end is None:
        return period
    if period.unit == "year":
        return Period("year", period.end.year)
    middle = period.end - _HALF_A_QUARTER
    return Period("quarter", middle.year, (middle.month - 1) // 3 + 1)


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
_PLAIN_YEAR = on_demand(r"(?:19|20)\d\d")
_YEAR_RUN = on_demand(
    r"\b(?:FY\s*)?(?:19|20)\d\d(?:\s*(?:,\s*and\b|,|\band\b|&|\bto\b|\bthrough\b|[-–—])\s*(?:FY\s*)?(?:19|20)\d\d)+\b",
    re.IGNORECASE,
)
_COUNTS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "ten": "10", "couple of": "2", "few": "3",
    "两": "2", "二": "2", "三": "3", "四": "4", "五": "5", "十": "10",
}  # fmt: skip
_LAST_YEARS = LazyPattern(
    r"\b(?:(?:in|over|for|during|across|of|within|from)\s)?(?:(?:each|all|every one)\sof\s)?(?:(?:the|its|their)\s)?"
    r"(?:last|past|previous|preceding|latest|most\srecent|recent)\s(?P<en>two|three|four|five|ten|\d|couple\sof|few)\s"
    r"(?:(?:fiscal|financial|reported|reporting|full|calendar)\s)?(?:years|FYs)\b"
    r"|(?:在)?(?:近|过去|最近|前)(?P<zh>[二两三四五十\d])(?:个)?(?:财年|会计年度|年度|年)"
)
_PART_OF_YEAR = on_demand(
    rf"\b(?:{PART_OF_YEAR}|[1-4]q|(?:1st|2nd)[ -]half|[12]h)\b(?!['’]? ?\d)"
    r"|(?P<zh>第?[一二三四]季度|[上下]半年|前三季度?)",
    re.IGNORECASE,
)
_SHARED_QUARTER = on_demand(
    r"\b(?:first|second|third|1st|2nd|3rd) (?=(?:and|to|or|versus|vs\.?|with) (?:the )?"
    r"(?:second|third|fourth|2nd|3rd|4th)[ -](?:fiscal )?quarter)",
    re.IGNORECASE,
)
"""Of "the first and third quarter"."""
_LAST_REPORTED = on_demand(
    r"(?<!\bthan )(?<!\bfrom )(?<!\bwith )(?<!\bto )(?<!\bversus )(?<!\bvs )(?<!\bagainst )(?<!\bsince )"
    r"\b(?:(?:in|for|during|of) )?(?:(?:the|its|their) )?(?:(?:last|latest|newest|most recent)(?: reported)?"
    r"(?: fiscal)? (?P<part>quarter|half)|(?:latest|newest|most recent|last reported)(?: full)?(?: fiscal)? year)\b",
    re.IGNORECASE,
)
_TO_DATE = on_demand(
    r"\b(?:(?:for|in|over)\s(?:the\s)?)?(?:(?:three|six|nine)\smonths,?\s)?(?:fiscal\s)?(?:year[ -]to[ -]date|ytd)\b"
    r"(?:\s{0,2}(?:,|as (?:of|at)|through|thru|until|(?:up )?to|at|in|for|end(?:ed|ing)?|the|of)(?=[\s,]|$)){0,5}",
    re.IGNORECASE,
)
_SO_FAR = {1: "Q1", 2: "first half", 3: "first nine months", 4: "full year"}
"""Number of the last quarter -> what a year has so far."""
_SAME_CLOSE = range(-35, 36)
"""Days between the close of a quarter and the day or month said."""
_THROUGH = on_demand(r"\d\s*(?:\bto\b|\bthrough\b|[-–—])\s*(?:FY\s*)?\d", re.IGNORECASE)


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
    year, last = int(match["year"]), month_of(match["month"])
    said = match.groupdict()
    first = said.get("first")
    months = (last - month_of(first)) % 12 + 1 if first else _LENGTHS[said["length"].lower()]
    unit = _UNITS.get(months)
    if unit is None:
        return None
    number = {"quarter": (last + 2) // 3, "half": 1 if last <= 6 else 2}.get(unit, 0)
    return Period(unit, year, number, unit == "year", month_end(year, last))


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


def due_times(text: str) -> tuple[str, tuple[Period, ...]]:
    """The text without the times in which an amount falls due, and these; a note's own name keeps its year.

    >>> rest, due = due_times("How much debt matures in 2025, as of 2021?")
    >>> rest.split(), [str(period) for period in due]
    (['How', 'much', 'debt', ',', 'as', 'of', '2021?'], ['2025'])
    """
    due: list[PeriodMention] = []
    for mention in find_periods(text):
        said = _FALLS_DUE.search(text, 0, mention.start)
        if said is not None:
            due.append(replace(mention, start=said.start()))
    return without_parts(text, due), tuple(mention.period for mention in due)


def _years_of(span: Period) -> list[Period]:
    return [Period("year", year, fiscal=span.fiscal) for year in range(span.year, span.last_year + 1)]


def _years_of_run(run: str, told: Collection[int]) -> list[int]:
    """The years of "2019, 2020 and 2021", and of "2019 to 2021"; of a list those that are not told already."""
    named = list(map(int, _PLAIN_YEAR.findall(run)))
    if _THROUGH.search(run):
        return list(range(min(named), max(named) + 1))
    return sorted(set(named).difference(told))


def last_years(text: str) -> int:
    """How many of the last years are asked of, counted from the report; 0 where none are.

    >>> [last_years(text) for text in ("average sales over the last three years", "近五年的营业收入", "sales in 2024")]
    [3, 5, 0]
    """
    found = _LAST_YEARS.search(text)
    count = found["en"] or found["zh"] if found else "0"
    return int(_COUNTS.get(count.lower(), count))


Dated = tuple[str, str, Period]
"""A text with a period in the place of words that tell it by the reports; these words, and the period."""


def by_reports(text: str, records: Iterable[DocumentRecord]) -> Dated | None:
    """The text with the period of a report of the company where it tells one by that: "the third quarter" of no year,
    "last quarter", "year to date as of June 2023". None where it tells none so, or no report is of it.
    """
    reports = [record.period for record in records if record.period]
    newest_first = sorted(reports, key=lambda period: period.sort_key, reverse=True)
    return next(filter(None, (way(text, newest_first) for way in (_of_last_year, _last_reported, _to_date))), None)


def with_years(text: str, records: Iterable[DocumentRecord]) -> str:
    """The text with its one year beside each part of a year that it names without: "2021 guidance on the Q2 call".

    A report of that part has to be there, of that year or of the one before, which looks ahead.
    """
    years = {mention.period.year for mention in find_periods(text) if mention.period.unit == "year"}
    if len(years) != 1:
        return text
    (year,) = years
    own = {(record.period.unit, record.period.number, record.period.year) for record in records if record.period}

    def dated(part: re.Match[str]) -> str:
        asked = (parse_period(f"{part[0]} {told}") for told in (year, year - 1) if part[0].isascii())
        there = (f"{part[0]} {period.year}" for period in asked if (period.unit, period.number, period.year) in own)
        return next(there, part[0])

    return _undated(dated, _SHARED_QUARTER.sub(r"\g<0>quarter ", text))


def _undated(dated: Callable[[re.Match[str]], str], text: str) -> str:
    """The text with what ``dated`` makes of each part of a year that stands in no period."""
    told = [(mention.start, mention.end) for mention in find_periods(text)]

    def replaced(part: re.Match[str]) -> str:
        is_told = any(start <= part.start() < end for start, end in told)
        return part[0] if is_told else dated(part)

    return _PART_OF_YEAR.sub(replaced, text)


def _of_last_year(text: str, reports: Iterable[Period]) -> Dated | None:
    part = None if find_periods(text) else _PART_OF_YEAR.search(text)
    if part is None:
        return None
    for own in reports:
        dated = f"{own.year}年{part[0]}" if part["zh"] else f"{part[0]} of {_year_of(own)}"
        if _is_same(parse_period(dated), own):
            return _put(text, part, dated), part[0], own
    return None


def _last_reported(text: str, reports: Iterable[Period]) -> Dated | None:
    said = None if find_periods(text) else _LAST_REPORTED.search(text)
    if said is None:
        return None
    unit = (said["part"] or "year").lower()
    own = next((period for period in reports if period.unit == unit), None)
    return (_put(text, said, f"in {own.label}"), said[0].strip(), own) if own else None


def _to_date(text: str, reports: Iterable[Period]) -> Dated | None:
    said, mentions = _TO_DATE.search(text), find_periods(text)
    if said is None or len(mentions) > 1:
        return None
    until = [mention.period for mention in mentions]
    own = next((period for period in reports if period.unit == "quarter" and _reaches(period, until)), None)
    if own is None:
        return None
    dated = f"{_SO_FAR[own.number]} of {_year_of(own)}"
    undated = without_parts(text, mentions)
    return _TO_DATE.sub(lambda _: dated, undated, count=1), said[0].strip(), parse_period(dated)


def _reaches(report: Period, until: Sequence[Period]) -> bool:
    """True for a report of that year, or up to that month."""
    last = report.last_day
    return all(
        asked.year == report.year if asked.unit == "year" else (asked.last_day - last).days in _SAME_CLOSE
        for asked in until
    )


def _year_of(period: Period) -> str:
    return f"{'fiscal ' * period.fiscal}{period.year}"


def _put(text: str, said: re.Match[str], dated: str) -> str:
    whole = f"{text[: said.start()]}{dated}{text[said.end() :]}"
    return whole[:1].upper() + whole[1:]


def without_periods(text: str) -> str:
    """The text without its periods and runs of years, nor how long one is that is told by its last month.

    >>> without_periods("sales in the three months ended June 2022")
    'sales in the  '
    """
    for form in (*_FORMS, _LAST_YEARS):
        text = form.sub(" ", text)
    return _YEAR_RUN.sub(" ", without_parts(text, find_periods(text)))
