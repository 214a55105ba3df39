"""What an answer says of how the question was read: a name taken for another, a period that has several names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...core.source_names import short_name
from ...kg.store import DocumentRecord
from ...prompts.messages import message
from ..question.plan import QuestionPlan
from ..question.scope.periods import PeriodReading
from .planted_text import shown_name

_GUESSED = ("spelling", "blend", "ticker")
"""Ways of reading a name that may be wrong; initials and well-known names need no remark."""
_MOST_SOURCES = 3


def remarks_on(plan: QuestionPlan) -> list[str]:
    """A line each, in the language of the question; nothing where all was read as it stands."""
    names = [reading for reading in plan.taken_for if reading.how in _GUESSED]
    lines = [message("taken_for", plan.language, written=name.written, name=name.name) for name in names]
    for written, known in plan.asked.taken:
        lines.append(message("taken_for", plan.language, written=written, name=known))
    for readings in plan.selection.readings.values():
        for reading in readings:
            lines += _on_period(plan, reading)
    note = message("note", plan.language)
    return [f"{note}{line}" for line in dict.fromkeys(lines)]


def _on_period(plan: QuestionPlan, reading: PeriodReading) -> Iterator[str]:
    language, asked = plan.language, reading.asked
    other = _sources(plan, reading.others)
    if reading.how == "own":
        yield message("period_as_company_counts", language, asked=asked, other=other)
        return
    if reading.own is None:
        return
    if reading.how == "calendar":
        yield message("period_by_calendar", language, asked=asked, own=reading.own)
        return
    source = _sources(plan, reading.taken)
    yield message("period_by_file_name", language, asked=asked, source=source, own=reading.own)
    if other:
        yield message("period_by_file_name_also", language, asked=asked, other=other)


def _sources(plan: QuestionPlan, records: Iterable[DocumentRecord]) -> str:
    names = [short_name(record.source, plan.catalogue.by_source) for record in records]
    return ", ".join(shown_name(name, plan.language) for name in names[:_MOST_SOURCES])
