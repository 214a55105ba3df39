"""Cuts what is said around the core of a clause: asides, courtesy, the occasion, the form of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ....core.period_text import find_periods
from ....core.words import search_words
from .talk import (
    COMMA,
    begins_with,
    capitalised,
    content_of,
    is_asking,
    is_empty_talk,
    is_fully,
    opened,
    pattern_of,
    patterns_of,
    polite_opening,
    stands_alone,
    stems_of,
)

Kind = Literal["question", "definition", "lead", "aside", "statement", "talk"]
"""An ``aside`` is about whoever asks; a ``lead`` ends in a colon; ``talk`` says nothing that a document knows."""
_PARENTHESES = re.compile(r"(?<!\s)\s*(?:\([^()]*\)|\[[^\[\]]*\])")
NAME = re.compile(r"(?<=[a-z,'’] )[A-Z][A-Za-z&]+|\b[A-Z][\w&.]{0,60}['’]s?\b")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+")
_LONGEST_OCCASION = 4
_NEAR = 24
"""Characters behind "since" within which a period makes it a time."""


@dataclass(slots=True)
class Clause:
    """A part of a text. ``cut`` are its words that are no part of what it asks."""

    kind: Kind
    text: str
    cut: list[str] = field(default_factory=list)


def drop_talk(clause: Clause, *, is_only: bool) -> None:
    """Cut what is said around the core of a clause. ``is_only``: no other clause asks anything."""
    if clause.kind == "aside":
        return
    _drop_parentheses(clause)
    if clause.kind == "question" and not begins_with("conditions", clause.text):
        _drop_segments(clause)
        _drop_politeness(clause, is_only=is_only)
    _cut(clause, patterns_of("forms"))
    _cut(clause, patterns_of("courtesy"))
    _drop_occasion(clause)
    clause.text = _tidy(clause.text)


def _drop_parentheses(clause: Clause) -> None:
    for match in reversed(list(_PARENTHESES.finditer(clause.text))):
        if is_empty_talk(match[0]):
            clause.cut.append(match[0])
            clause.text = clause.text[: match.start()] + clause.text[match.end() :]


def _drop_segments(clause: Clause) -> None:
    """Leave out what stands between commas and only talks."""
    end = clause.text[len(clause.text.rstrip("?.! ")) :]
    segments = COMMA.split(clause.text)
    rest = [segment for segment in segments if not _is_aside(segment)]
    kept = [segment for segment in rest if not (_is_beside(segment) and _can_do_without(rest, segment))]
    if len(kept) == len(segments) or not content_of(" ".join(kept)):
        return
    clause.cut += [segment for segment in segments if segment not in kept]
    clause.text = _joined(segments, kept).rstrip("?.! ,") + end


def _joined(segments: Sequence[str], kept: Sequence[str]) -> str:
    """The segments kept, a comma only between those that stood side by side."""
    text = ""
    before: str | None = None
    for at, segment in enumerate(segments):
        if segment not in kept:
            continue
        beside = before is not None and segments[at - 1] == before
        text += (", " if beside else " ") + segment
        before = segment
    return text.strip(" ,")


def _is_aside(segment: str) -> bool:
    """True for a segment that is nothing but talk, speaks of those who ask, or gives a role."""
    begins = opened(segment)
    if begins_with("asks_what", begins):
        return False
    if is_empty_talk(segment):
        return True
    if is_asking(segment):
        return False
    is_order = begins_with("given_role", begins) or is_fully("answering", begins)
    if is_order or is_fully("greeting", segment) or _names_role(begins):
        return True
    return begins_with("joins", segment) and pattern_of("speakers").search(segment) is not None


def _names_role(segment: str) -> bool:
    """ "As a potential investor in chips": whoever asks, or is to answer."""
    if not begins_with("perspective", segment) or _CAPITALISED.search(segment, 1):
        return False
    return not stems_of("roles").isdisjoint(search_words(segment))


def _is_beside(segment: str) -> bool:
    """True for a segment that gives a reason for asking, or speaks of those who ask and answer."""
    if is_asking(segment):
        return False
    if pattern_of("speakers").search(segment):
        return True
    reason = pattern_of("reasons").match(segment)
    return reason is not None and not find_periods(segment[reason.end() : reason.end() + _NEAR])


def _can_do_without(segments: Sequence[str], left_out: str) -> bool:
    """True where what is left still asks, and can be understood."""
    rest = [segment for segment in segments if segment != left_out]
    text = ", ".join(rest)
    return NAME.search(text) is not None or (stands_alone(text) and any(is_asking(segment) for segment in rest))


def _drop_politeness(clause: Clause, *, is_only: bool) -> None:
    """ "Could you tell me how much ..": the question itself; "Give me Acme's revenue": what it was."""
    begins = opened(clause.text)
    wish = polite_opening(begins)
    if wish is None:
        return
    rest = begins[wish.end() :].strip(" ,:")
    asks = bool(wish.groupdict().get("verb")) or begins_with("question", rest)
    if not content_of(rest) or not (asks or is_only):
        return
    clause.cut.append(wish[0])
    clause.text = capitalised(rest) if asks else asking_for(rest)


def asking_for(topic: str) -> str:
    """A question for what is only named."""
    named = topic.strip(" ,.:?!")
    if begins_with("question", named) or re.match(r"(?:whether|if|that|about)\b", named, re.IGNORECASE):
        return f"{capitalised(named)}?"
    return f"What was {named}?"


def _drop_occasion(clause: Clause) -> None:
    match = pattern_of("occasion").search(clause.text)
    if match and not content_of(match[0]) and len(match["what"].split()) <= _LONGEST_OCCASION:
        clause.cut.append(match[0])
        clause.text = clause.text[: match.start()] + clause.text[match.end() :]


def _cut(clause: Clause, patterns: Iterable[re.Pattern[str]]) -> None:
    for pattern in patterns:
        clause.cut += [match[0].strip(" ,") for match in pattern.finditer(clause.text)]
        clause.text = pattern.sub("", clause.text)


def _tidy(text: str) -> str:
    text = re.sub(r" ([.,?])", r"\1", " ".join(text.split()))
    return opened(text.strip(" ,"))
