"""Cases: what somebody found wrong becomes a question that is asked again after every change."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from ..evaluation.questions import Question
from .pins import likeness, pins_of

if TYPE_CHECKING:
    from .log import Event, FeedbackLog

_SAME = 0.999
"""Likeness of two wordings of one question."""
Place = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Case:
    """A question whose answer somebody found bad. ``right`` are the pages that are known to answer it, by a pin or a
    thumb up; ``wrong`` the citation that was found bad. Pages count from 1, None without pages."""

    answer: str
    question: str
    at: str
    note: str = ""
    right: tuple[Place, ...] = ()
    wrong: tuple[Place, ...] = ()

    def as_question(self) -> Question:
        """For ``compare``: with the first document that is known to answer, and its pages."""
        source = self.right[0][0] if self.right else ""
        pages = tuple(page for name, page in self.right if name == source and page is not None)
        return Question(self.question, "", source, pages, "case")


def cases_of(log: FeedbackLog) -> list[Case]:
    """One case for each question with a thumb down, the latest last; the evidence that later pins and thumbs tell."""
    events = list(log.events(kinds=("thumb", "note")))
    found: dict[str, Case] = {}
    pins = pins_of(log)
    for event in events:
        if event.kind != "thumb" or event.data.get("verdict") != "down":
            continue
        question = str(event.data["question"])
        notes = [event.data.get("note", ""), *_notes(events, event.answer)]
        right = [(pin.source, pin.page) for pin in pins if _is_same(question, pin.question)]
        right += [_place(other) for other in events if _praises(other, question)]
        wrong = [_place(event)] if "source" in event.data else []
        earlier = found.pop(question, None)
        case = Case(
            event.answer,
            question,
            event.at,
            next(filter(None, notes), earlier.note if earlier else ""),
            tuple(dict.fromkeys(right)),
            tuple(dict.fromkeys([*(earlier.wrong if earlier else ()), *wrong])),
        )
        found[question] = case
    return list(found.values())


def _notes(events: Sequence[Event], answer: str) -> list[str]:
    return [str(event.data.get("note", "")) for event in events if event.kind == "note" and event.answer == answer]


def _praises(event: Event, question: str) -> bool:
    """True where a citation of an answer to this question was found right."""
    data = event.data
    is_praise = event.kind == "thumb" and data.get("verdict") == "up" and "source" in data
    return is_praise and _is_same(question, str(data["question"]))


def _is_same(question: str, other: str) -> bool:
    return question == other or likeness(question, other) >= _SAME


def _place(event: Event) -> Place:
    return event.data["source"], event.data.get("page")


def as_csv(cases: Sequence[Case]) -> str:
    """The cases as a file of questions that ``compare`` reads."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(["question", "source", "page", "type", "note"])
    for case in cases:
        asked = case.as_question()
        row: list[Any] = [asked.question, asked.source, ",".join(map(str, asked.pages)), asked.type, case.note]
        writer.writerow(row)
    return out.getvalue()
