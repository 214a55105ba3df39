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
    """One case for each question with a thumb down, the latest last; with the evidence that pins and thumbs tell of."""
    said = list(log.events(kinds=("thumb", "note")))
    right = _right_places(log, said)
    found: dict[str, Case] = {}
    for event in said:
        if event.data.get("verdict") != "down":
            continue
        question = str(event.data["question"])
        before = found.pop(question, None)
        wrong = [*(before.wrong if before else ()), *_place(event)]
        answering = [place for other, place in right if _is_same(question, other)]
        note = _note_on(event, said) or (before.note if before else "")
        places = tuple(dict.fromkeys(answering)), tuple(dict.fromkeys(wrong))
        found[question] = Case(event.answer, question, event.at, note, *places)
    return list(found.values())


def _right_places(log: FeedbackLog, said: Sequence[Event]) -> list[tuple[str, Place]]:
    """Questions with a page that answers each, by a pin or by a thumb up on its citation."""
    found: list[tuple[str, Place]] = [(pin.question, (pin.source, pin.page)) for pin in pins_of(log)]
    for event in said:
        if event.data.get("verdict") == "up":
            found += [(str(event.data["question"]), place) for place in _place(event)]
    return found


def _note_on(thumb: Event, said: Sequence[Event]) -> str:
    """What was written with a thumb, or else about the same answer."""
    notes = [str(event.data.get("note", "")) for event in said if event.answer == thumb.answer]
    return next(filter(None, [str(thumb.data.get("note", "")), *notes]), "")


def _is_same(question: str, other: str) -> bool:
    return question == other or likeness(question, other) >= _SAME


def _place(event: Event) -> list[Place]:
    """The page of the citation that was judged; nothing for an answer as a whole."""
    return [(event.data["source"], event.data.get("page"))] if "source" in event.data else []


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
