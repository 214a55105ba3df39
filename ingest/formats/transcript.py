"""Transcripts of calls: remarks, questions and answers, each with its speaker."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from ...core.rules import load_rules
from ..reading.cleaning import is_disclaimer
from ..reading.segments import SegmentBuilder
from .content import Content, Evidence
from .speakers import Person, introduced, listed_people, merged, split_turns

_PARAGRAPH_GAP = re.compile(r"\n[ \t\r]*\n\s*")
_MIN_TURNS = 4
_LONG_TURN = 40
_EARLIEST = 2
"""The first speakers say that questions will follow."""
_CLOSING = 400
"""Characters at the end of a turn in which questions are opened."""
_ANNOUNCEMENT = re.compile(
    r"\bpress\s+(?:star|\*|\d|the)|\bquestion\s+queue\b|\bline\s+of\b|\bquestions?\s+(?:will\s+)?(?:comes?|is|are)\s+(?:coming\s+)?from\b",
    re.IGNORECASE,
)
_LONGEST_ANNOUNCEMENT = 900
_LONGEST_TITLE = 160
_LONGEST_DISCLAIMER = 2_500


def is_transcript(text: str) -> bool:
    """True where turns of several speakers make up most of the text: an operator is among them, or most recur."""
    turns = split_turns(text)
    if len(turns) < _MIN_TURNS:
        return False
    speakers = Counter(turn.person.name for turn in turns)
    said = sum(turn.end - turn.start for turn in turns)
    long_turns = sum(turn.end - turn.start > _LONG_TURN for turn in turns)
    recurring = sum(count for count in speakers.values() if count > 1)
    operator = any(turn.person.is_operator for turn in turns)
    people = operator or (len(speakers) > 1 and recurring >= 0.6 * len(turns))
    return people and said > 0.6 * len(text) and long_turns >= 0.3 * len(turns)


def read_transcript(text: str) -> Content:
    """Segments carry speaker and part ("remarks", "question", "answer"); the text stays as it is.

    A question with its answers is a run of segments from one "question" to the last "answer" before the next.
    """
    turns = split_turns(text)
    said = [(turn.person, text[turn.start : turn.end]) for turn in turns]
    listed = listed_people(text[: turns[0].label_start])
    people = merged([*listed.values(), *(turn.person for turn in turns)]) | introduced(said)
    parts = call_parts([(people[person.name], speech) for person, speech in said])
    builder = SegmentBuilder(text)
    dropped: Counter[str] = Counter()
    _add_front(builder, text, turns[0].label_start)
    for turn, part in zip(turns, parts, strict=True):
        label = people[turn.person.name].label
        for start, end in _paragraphs(text, turn.start, turn.end):
            speech = text[start:end]
            disclaimer = part == "remarks" and len(speech) < _LONGEST_DISCLAIMER and is_disclaimer(speech)
            dropped["disclaimer"] += disclaimer
            builder.add("disclaimer" if disclaimer else "paragraph", start, end, speaker=label, part=part)
    return Content(text, tuple(builder.segments), dropped=+dropped, evidence=Evidence(is_call=True))


def call_parts(turns: Sequence[tuple[Person, str]]) -> list[str]:
    """The part of each turn: "remarks" until questions are opened, then "question" (outsiders) or "answer".

    Outsiders are analysts by role, else those who did not speak in the remarks. What an operator says among the
    questions goes with the question that it announces.
    """
    opened = _opening(turns)
    insiders = {person.name for person, _ in turns[:opened] if not person.is_operator}
    parts = ["remarks"] * opened
    for person, said in turns[opened:]:
        announces = person.is_operator or _is_announcement(said)
        outsider = "analyst" in person.role.lower() or (person.name not in insiders and not _is_insider(person))
        parts.append("question" if announces or outsider else "answer")
    if len(parts) > opened and turns[-1][0].is_operator:
        parts[-1] = "remarks"
    return parts


def _is_insider(person: Person) -> bool:
    return bool(person.role) and "analyst" not in person.role.lower()


def _opening(turns: Sequence[tuple[Person, str]]) -> int:
    """Index of the turn with which questions begin; all are remarks where none do.

    The first turn often says that questions will follow: it never opens them.
    """
    for index, (person, said) in enumerate(turns):
        if person.is_operator and index and _cues().search(said):
            return index
        if index >= _EARLIEST and _cues().search(said[-_CLOSING:]):
            return index if _is_announcement(said) else index + 1
    return len(turns)


def _is_announcement(said: str) -> bool:
    """True for a nameless operator's words: short, and about who asks next or how to ask."""
    return len(said) < _LONGEST_ANNOUNCEMENT and bool(_ANNOUNCEMENT.search(said))


def _add_front(builder: SegmentBuilder, text: str, end: int) -> None:
    """Title and list of participants before the first turn."""
    for number, (start, stop) in enumerate(_paragraphs(text, 0, end)):
        title = number == 0 and stop - start < _LONGEST_TITLE
        builder.add("heading" if title else "paragraph", start, stop, level=int(title))


def _paragraphs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans, at = [], start
    for gap in _PARAGRAPH_GAP.finditer(text, start, end):
        spans.append((at, gap.start()))
        at = gap.end()
    spans.append((at, end))
    return [(a, b) for a, b in spans if text[a:b].strip()]


@cache
def _cues() -> re.Pattern[str]:
    return re.compile("|".join(load_rules(__package__, "transcript.toml")["questions_open"]), re.IGNORECASE)
