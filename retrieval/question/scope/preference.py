"""How well a document fits the period and the kind of document that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from ....core.patterns import on_demand
from ....core.period import Period
from ....kg.store import DocumentRecord
from ..question import Question

_NEXT_YEAR, _YEAR_STEP, _LATER = 0.6, 0.2, 0.1
"""Of a year beside the one asked; less for each further year; more for a later one, which restates the earlier."""
_KIND = 0.7
_NO_QUARTER = 0.3
_OTHER_YEARS_QUARTER = 0.5
_UNDATED = 0.4
_ANNUAL = ("10-K", "20-F", "annual report")
_LOOSE_KINDS = ("", "other", "news")
_GUESSED = ("", "file name", "file properties", "text")
"""How a company was found that may be anything else: what a file is called, a word said often."""
_SAME_LABEL = 0.1
"""A fiscal quarter of unknown days whose label is that of the calendar quarter asked: so it is for most companies."""
_CALENDAR_QUARTER = on_demand(r"\bcalendar (?:first|second|third|fourth|q[1-4])\b", re.IGNORECASE)
_FILED_WITHIN = 30
"""Days from an event to the filing that reports it."""


def preference(record: DocumentRecord, question: Question, newest: int) -> float:
    """The fit of one document, higher is better; ``newest`` is the last year of the same company's documents.

    Measured on filings: exact year 1, years beside it less, a named quarter or date 1, a named kind of document .7.
    """
    score = _year_fit(record, question, newest) + _quarter_fit(record, question)
    if _is_unplaced(record, question):
        score = _NEXT_YEAR + _NO_QUARTER + _SAME_LABEL * (score > _NEXT_YEAR + 1)
    score += _date_fit(record, question)
    return score + _KIND * fits_kind(record, question.kinds)


def _is_unplaced(record: DocumentRecord, question: Question) -> bool:
    """True for a fiscal quarter of which no day is known, where a quarter is asked by its last day or by the calendar.

    The first fiscal quarter of 2021 may be any of six: its label is no sign for or against it.
    """
    period = record.period
    if period is None or not period.fiscal or period.unit != "quarter" or period.end is not None:
        return False
    is_by_day = any(asked.unit == "quarter" and asked.end is not None for asked in question.periods)
    return is_by_day or _CALENDAR_QUARTER.search(question.trimmed) is not None


class Fit(Mapping[str, float]):
    """The preference of any document of a store less the best there could be, worked out for those that are asked."""

    def __init__(self, records: Mapping[str, DocumentRecord], newest: Mapping[str, int], question: Question) -> None:
        self._records, self._newest, self._question = records, newest, question
        self._best = 1.0 + bool(question.quarters) + _KIND * bool(question.kinds)
        self._known: dict[str, float] = {}

    def __getitem__(self, source: str) -> float:
        if source not in self._known:
            fit = preference(self._records[source], self._question, self._newest.get(source, 0))
            self._known[source] = fit - self._best
        return self._known[source]

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


def is_report(record: DocumentRecord) -> bool:
    """True where company and period are more than a guess from a file name: a filing, a call, or said by the user."""
    return record.kind not in _LOOSE_KINDS or record.how.get("companies", "") not in _GUESSED


def is_certain(record: DocumentRecord) -> bool:
    """True where it is known whose document it is: others may be of any company that their text names."""
    return bool(record.companies) and is_report(record) and "unsure" not in record.how


def fits_kind(record: DocumentRecord, kinds: Sequence[str]) -> bool:
    """True where the document is of one of the kinds; "10K" and "10-K" are one."""
    return bool(record.kind) and _plain(record.kind) in map(_plain, kinds)


def document_year(record: DocumentRecord) -> int | None:
    """The year a document is about, else the one it was published in."""
    period = record.period
    if period is None:
        return record.published.year if record.published else None
    return period.last_year


def document_quarter(record: DocumentRecord) -> int | None:
    """The quarter a document reports: of a half year the second, of nine months the third; None for a year."""
    return record.period.quarter if record.period else None


def last_day(record: DocumentRecord) -> date:
    """When what a document is about ended, for telling the newest."""
    if record.period:
        return record.period.last_day
    return record.published or date.min


def _year_fit(record: DocumentRecord, question: Question, newest: int) -> float:
    year = document_year(record) if is_report(record) else None
    if year is None:
        return _UNDATED
    if not question.years:
        return max(0.0, 1.0 - _YEAR_STEP * max(0, newest - year))
    # "expected in 2021 for 2024" is answered by the report of 2021: of a year without any report only others speak.
    asked = max((one for one in question.years if one <= newest), default=question.years[-1])
    if year == asked:
        return 1.0
    fit = max(0.0, _NEXT_YEAR - _YEAR_STEP * (abs(year - asked) - 1))
    return fit + _LATER if year > asked else fit


def _quarter_fit(record: DocumentRecord, question: Question) -> float:
    if not question.quarters:
        return 0.0
    quarter = document_quarter(record)
    if quarter is None:
        return 0.0 if fits_kind(record, _ANNUAL) else _NO_QUARTER
    if quarter not in question.quarters:
        return 0.0
    is_of_year = not question.years or document_year(record) in question.years
    return 1.0 if is_of_year else _OTHER_YEARS_QUARTER


def _date_fit(record: DocumentRecord, question: Question) -> float:
    """1 for the end of the period asked, less the later after a day asked the document was filed."""
    best = 0.0
    for asked in question.periods:
        if record.period and _ends_with(record.period, asked):
            best = 1.0
        elif asked.is_instant and record.published:
            best = max(best, _fit_of_filing(record.published, asked.last_day))
    return best


def _fit_of_filing(published: date, day: date) -> float:
    """How likely a filing reports what happened on the day; 0 before it, and long after."""
    days = (published - day).days
    if not 0 <= days <= _FILED_WITHIN:
        return 0.0
    return 0.5 * (1 - days / _FILED_WITHIN)


def _ends_with(period: Period, asked: Period) -> bool:
    if asked.unit == "month":
        return period.end is not None and (period.end.year, period.end.month) == (asked.year, asked.number)
    return asked.end is not None and period.end == asked.end


def _plain(kind: str) -> str:
    return kind.casefold().replace("-", "").replace(" ", "")
