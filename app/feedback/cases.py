"""What somebody said of an answer and is kept: a pinned page comes first where its question is asked again; what
was found wrong becomes a question that is asked again after every change.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from ..core.records import dataclass
from ..core.words import question_words
from ..evaluation.questions import Question
from .log import Event

if TYPE_CHECKING:
    from ..retrieval.question.plan import QuestionPlan
    from .log import FeedbackLog

_ALIKE = 0.6
"""Share of the words that two questions have in common from which a pin of one counts for the other."""
_NAME = re.compile(r"[A-Z][A-Za-z0-9&.]{1,40}")
_NUMBER = re.compile(r"\d{1,20}")


@dataclass(frozen=True, slots=True)
class Pin:
    """A page that answers a question. ``page`` is None for a document without pages: then ``start`` tells the place."""

    id: int
    question: str
    source: str
    page: int | None
    start: int
    end: int
    at: str = ""
    answer: str = ""

    @property
    def place(self) -> tuple[str, int | None, int]:
        """What makes two pins of a question the same."""
        return self.source, self.page, self.start if self.page is None else 0


def pins_of(log: FeedbackLog, until: int = 0) -> list[Pin]:
    """The pins that were not taken off again, in the order in which they were set."""
    return standing(log.events(kinds=("pin", "unpin"), until=until))


def standing(events: Iterable[Event]) -> list[Pin]:
    """What is left of pins after those that were taken off."""
    pins: dict[tuple[object, ...], Pin] = {}
    for event in events:
        data = event.data
        if event.kind == "unpin" and "pin" in data:
            pins = {key: pin for key, pin in pins.items() if pin.id != data["pin"]}
            continue
        asked = str(data.get("searched for") or data["question"])
        pin = Pin(
            event.id, asked, data["source"], data.get("page"), data.get("start", 0), data.get("end", 0),
            event.at, event.answer,
        )  # fmt: skip
        key = (frozenset(question_words(asked)), *pin.place)
        if event.kind == "pin":
            pins[key] = pin
        else:
            pins.pop(key, None)
    return list(pins.values())


def fitting_pins(pins: Sequence[Pin], plan: QuestionPlan) -> dict[Pin, float]:
    """The pins that count for a question, each with how alike the questions are (0 to 1); of documents in scope."""
    inside = None if plan.selection.everything else set(plan.selection.sources)
    found: dict[Pin, float] = {}
    for pin in pins:
        if inside is not None and pin.source not in inside:
            continue
        fit = likeness(plan.text, pin.question)
        if fit >= _ALIKE:
            found[pin] = fit
    return found


def likeness(one: str, other: str) -> float:
    """Share of the words that two questions have in common; 0 where a name or number is in one of them alone.

    >>> likeness("Acme's revenue in 2023?", "Revenue of Acme in 2023"), likeness("Revenue 2022", "Revenue 2023")
    (1.0, 0.0)
    """
    words, others = set(question_words(one)), set(question_words(other))
    has_same_names = _names(one) <= others and _names(other) <= words
    has_same_numbers = set(_NUMBER.findall(one)) == set(_NUMBER.findall(other))
    if not words or not others or not has_same_names or not has_same_numbers:
        return 0.0
    return len(words & others) / len(words | others)


def _names(text: str) -> set[str]:
    """The search words of capitalised words, but for words of asking ("What")."""
    found: set[str] = set()
    for match in _NAME.finditer(text):
        found.update(question_words(match[0].rstrip(".")))
    return found


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
