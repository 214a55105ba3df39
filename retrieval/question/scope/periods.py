"""The periods of a question, company by company: which are asked of each, and by which of its names each is taken.

"Q3 2022" of a company whose year ends in September is the quarter to June by its own count, that to September by the
calendar, and a file may be named after either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from ....core.period import Period
from ....core.period_text import PeriodMention, find_periods
from ....core.sequences import without
from ....ingest.about.file_name import read_name
from ....kg.store import DocumentRecord
from ..question import Question, read_question
from .companies import CompanyIndex

_RESPECTIVELY = re.compile(r"\brespective(?:ly)?\b|分别|各(?:是|为)", re.IGNORECASE)
_CALENDAR = re.compile(
    r"\bcalendar (?:(?:first|second|third|fourth|year|quarter|q[1-4]|cy|h[12]|half)\b|(?:19|20)\d\d)", re.I
)
Reading = Literal["file name", "own", "calendar"]
_READ_AS = ("quarter", "year")
"""Units whose names differ between companies."""
_NEAR = 9
"""Days by which the close of a 52/53-week quarter may differ from the last day of a month."""
_HALF_A_QUARTER = timedelta(45)
"""Before its last day a quarter is in the calendar quarter that it mostly belongs to."""


def questions_by_company(question: Question, companies: CompanyIndex) -> Mapping[str, Question]:
    """Key of a company -> the question with just the periods that are asked of it; empty where all are asked of all.

    A period belongs to the company beside it where each company has one: after each ("Acme in 2021 and Beta in 2022"),
    before each ("2021 for Acme, 2022 for Beta"), or in the order of the companies where the question says
    "respectively".

    >>> questions_by_company(read_question("What was revenue in 2021?"), CompanyIndex.of(()))
    {}
    """
    text = question.trimmed
    named = _first_mentions(companies.mentions(text))
    mentions = find_periods(text)
    if len(named) < 2 or len({mention.period.label for mention in mentions}) < 2:
        return {}
    shares = _shares(text, list(named.values()), mentions)
    if not shares:
        return {}
    asked: dict[str, Question] = {}
    for key, own in zip(named, shares, strict=True):
        of_others = without(mentions, own)
        asked[key] = read_question(_without_periods(text, of_others))
    return asked


def _first_mentions(mentions: Sequence[tuple[int, int, str]]) -> dict[str, tuple[int, int]]:
    """Where each company is named first, in order."""
    first: dict[str, tuple[int, int]] = {}
    for start, end, key in mentions:
        first.setdefault(key, (start, end))
    return first


def _shares(
    text: str, named: Sequence[tuple[int, int]], mentions: Sequence[PeriodMention]
) -> list[list[PeriodMention]]:
    """The periods of each company; nothing where they are not told apart."""
    starts = [start for start, _ in named]
    after = [_between(mentions, a, b) for a, b in pairwise([*starts, len(text)])]
    if all(after) and mentions[0].start > starts[0]:
        return after
    before = [_between(mentions, a, b) for a, b in pairwise([0, *starts])]
    if all(before) and mentions[-1].start < starts[-1]:
        return before
    if _RESPECTIVELY.search(text) and len(mentions) == len(named):
        return [[mention] for mention in mentions]
    return []


def _between(mentions: Sequence[PeriodMention], start: int, end: int) -> list[PeriodMention]:
    return [mention for mention in mentions if start <= mention.start < end]


def _without_periods(text: str, mentions: Sequence[PeriodMention]) -> str:
    for mention in sorted(mentions, key=lambda mention: -mention.start):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


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

    The document whose name carries the label counts, then the company's own count, then the calendar; this one alone
    where the question says ``by_calendar``.
    """
    if asked.unit not in _READ_AS:
        return None
    candidates = _Candidates.among(records, asked)
    if by_calendar:
        return candidates.by_calendar() if candidates.calendar else None
    if candidates.named:
        return candidates.by_name()
    is_told_by_months = asked.end is not None and candidates.calendar
    if candidates.own and not is_told_by_months:
        return candidates.by_own_count()
    return candidates.by_calendar()


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
        return abs((period.end - asked.end).days) <= _NEAR
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
