"""Pins: somebody said that a page answers a question; it comes first where that is asked again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.words import question_words
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
