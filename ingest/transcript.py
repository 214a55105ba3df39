"""Transcripts of calls: who speaks, for whom, in which half; one question with its answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from ..core.rules import load_rules
from .content import Content, Evidence
from .reading.cleaning import is_disclaimer
from .reading.segments import SegmentBuilder

_LINE = re.compile(r"[^\r\n]+")
_DASHES = r"\s+[-–—]{1,2}\s+|\s*[|]\s*|\s*,\s+"
_NAME = r"(?:[A-Z][\w'’.-]*|de|van|von|der|la)(?:\s+(?:[A-Z][\w'’.-]*|\([\w .]+\)|de|van|von|der|la|&|-)){0,4}"
_COLON_TURN = re.compile(
    rf"^(?P<name>{_NAME}|[\u4e00-\u9fff·]{{2,12}})(?P<rest>\s*[(（,][^:：]{{2,80}})?\s*[:：]\s*(?P<said>.*)$"
)
_TAGGED = re.compile(
    r"^\[(?P<name>[^\]]{2,60})\]\s*[:：]?\s*(?P<said>.*)$|^(?P<name2>Speaker\s*\d+|Operator)\s*[:：]?\s*(?P<said2>.*)$"
)
_QUALIFIED = re.compile(rf"^(?P<name>{_NAME})\s*(?:[-–—]{{1,2}}|\|)\s*(?P<rest>[^.?!]{{2,110}})$")
_NUMBERED_TURN = re.compile(r"^(?P<name>[^,]{2,50}),\s*(?P<rest>[^.?!\[]{2,120}?)\s*\[(?P<number>\d+)\]\s*:?\s*$")
_MIN_TURNS = 4


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on a call."""

    name: str
    role: str = ""
    firm: str = ""

    @property
    def label(self) -> str:
        """As segments carry it: "name, role, firm", without what is not known."""
        return ", ".join(part for part in (self.name, self.role, self.firm) if part)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one person says: ``text[start:end]``; the label that names the speaker starts at ``label_start``."""

    person: Person
    label_start: int
    start: int
    end: int


def is_transcript(text: str) -> bool:
    """True where turns of several speakers make up most of the text, one of them often an operator."""
    turns = split_turns(text)
    if len(turns) < _MIN_TURNS:
        return False
    speakers = Counter(turn.person.name for turn in turns)
    said = sum(turn.end - turn.start for turn in turns)
    repeated = sum(count for count in speakers.values() if count > 1)
    operator = any(_is_operator(name) for name in speakers)
    long_turns = sum(turn.end - turn.start > 40 for turn in turns)
    return (
        said > 0.6 * len(text)
        and long_turns >= 0.4 * len(turns)
        and (operator or (len(speakers) > 1 and repeated >= 0.6 * len(turns)))
    )


def read_transcript(text: str) -> Content:
    """Segments carry speaker and part ("remarks", "question", "answer"); the text stays as it is."""
    turns = split_turns(text)
    people = _people(text[: turns[0].label_start], turns)
    parts = call_parts([(turn.person.name, text[turn.start : turn.end]) for turn in turns], people)
    builder = SegmentBuilder(text)
    dropped: Counter[str] = Counter()
    _front(builder, text, turns[0].label_start)
    for turn, part in zip(turns, parts, strict=True):
        person = people.get(turn.person.name, turn.person)
        for start, end in _paragraphs(text, turn.start, turn.end):
            disclaimer = part == "remarks" and is_disclaimer(text[start:end]) and len(text[start:end]) < 2_500
            if disclaimer:
                dropped["disclaimer"] += 1
            builder.add("disclaimer" if disclaimer else "paragraph", start, end, speaker=person.label, part=part)
    return Content(text, tuple(builder.segments), dropped=dropped, evidence=Evidence(is_call=True))


def split_turns(text: str) -> list[Turn]:
    """Turns in order, by lines that name a speaker: "Name -- Role", "Name:", "Name, Firm - Role [3]", "[Speaker 1]"."""
    labels: list[tuple[int, int, Person]] = []
    for match in _LINE.finditer(text):
        line = match.group().strip()
        if line and (found := _label(line)):
            person, said_at = found
            offset = match.start() + match.group().index(line)
            labels.append((offset, offset + said_at, person))
    return [
        Turn(person, at, start, labels[index + 1][0] if index + 1 < len(labels) else len(text))
        for index, (at, start, person) in enumerate(labels)
    ]


def _label(line: str) -> tuple[Person, int] | None:
    """The speaker that a line names and the offset in it at which the speech starts."""
    if line.strip("*: ").lower() in _words("operators"):
        return Person(line.strip("*: ").title()), len(line)
    if tagged := _TAGGED.match(line):
        name, said = (
            (tagged["name"], tagged.start("said")) if tagged["name"] else (tagged["name2"], tagged.start("said2"))
        )
        return Person(name.strip()), said
    if numbered := _NUMBERED_TURN.match(line):
        return person_of(numbered["name"], numbered["rest"]), len(line)
    if len(line) < 150 and (qualified := _QUALIFIED.match(line)) and _is_role(qualified["rest"]):
        return person_of(qualified["name"], qualified["rest"]), len(line)
    colon = _COLON_TURN.match(line)
    if colon and not _is_topic(colon["name"]):
        return person_of(colon["name"], colon["rest"] or ""), colon.start("said")
    return None


def person_of(name: str, rest: str) -> Person:
    """Split what follows a name into role and firm.

    >>> person_of("Jane Doe", "Acme, Inc. - CFO")
    Person(name='Jane Doe', role='CFO', firm='Acme, Inc.')
    >>> person_of("Tom Lee", "Goldman Sachs -- Analyst").label
    'Tom Lee, Analyst, Goldman Sachs'
    """
    name, rest = name.strip(" *"), rest.strip(" ()（）,-–—")
    if not rest:
        return Person(name)
    parts = [part.strip() for part in re.split(r"\s+[-–—]{1,2}\s+|\s*\|\s*", rest)]
    if len(parts) == 1:
        parts = [part.strip() for part in rest.rsplit(", ", 1)] if _is_role(rest) else [rest]
    roles = [part for part in parts if _is_role(part)]
    firms = [part for part in parts if part not in roles]
    return Person(name, ", ".join(roles), ", ".join(firms))


def call_parts(turns: Sequence[tuple[str, str]], people: dict[str, Person]) -> list[str]:
    """The part of each turn: "remarks" until questions are opened, then "question" (outsiders) and "answer".

    Outsiders are analysts by role, or else those who have not spoken in the remarks. The operator's words belong to
    the part around them: they announce the next question.
    """
    opened = _opening(turns)
    insiders = {name for name, _ in turns[:opened] if not _is_operator(name)}
    parts = []
    for index, (name, _said) in enumerate(turns):
        if index < opened:
            parts.append("remarks")
        elif _is_operator(name):
            parts.append("question" if index + 1 < len(turns) else "remarks")
        else:
            role = people.get(name, Person(name)).role.lower()
            outside = "analyst" in role or (not role and name not in insiders)
            parts.append("question" if outside else "answer")
    return parts


def _opening(turns: Sequence[tuple[str, str]]) -> int:
    """Index of the turn after which questions are asked; all are remarks where none are."""
    for index, (name, said) in enumerate(turns):
        cue = _cues().search(said)
        if index > 0 and cue and (_is_operator(name) or index >= 2):
            return index if _is_operator(name) else index + 1
    return len(turns)


def _people(front: str, turns: Iterable[Turn]) -> dict[str, Person]:
    """Everybody by name, with the fullest of what the participants' list and the labels say."""
    people: dict[str, Person] = {}
    listed = [found[0] for line in front.splitlines() if (found := _listed(line.strip(" *•-\t")))]
    for person in [*listed, *(turn.person for turn in turns)]:
        known = people.get(person.name, Person(person.name))
        people[person.name] = Person(person.name, known.role or person.role, known.firm or person.firm)
    return people


def _listed(line: str) -> tuple[Person] | None:
    match = re.match(rf"^({_NAME})\s*(?:[-–—]{{1,2}}|,)\s*(.{{2,120}})$", line)
    return (person_of(match[1], match[2]),) if match else None


def _front(builder: SegmentBuilder, text: str, end: int) -> None:
    """Title and list of participants before the first turn."""
    for number, (start, stop) in enumerate(_paragraphs(text, 0, end)):
        builder.add(
            "heading" if number == 0 and stop - start < 160 else "paragraph", start, stop, level=1 if number == 0 else 0
        )


def _paragraphs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans, at = [], start
    for gap in re.finditer(r"\n[ \t\r]*\n\s*", text[start:end]):
        spans.append((at, start + gap.start()))
        at = start + gap.end()
    spans.append((at, end))
    return [(a, b) for a, b in spans if text[a:b].strip()]


def _is_operator(name: str) -> bool:
    return name.lower() in _words("operators")


def _is_role(text: str) -> bool:
    lower = text.lower()
    return any(re.search(rf"\b{re.escape(word)}\b", lower) for word in _words("roles")) or any(
        w in text for w in ("总", "董事", "分析师", "秘书")
    )


def _is_topic(name: str) -> bool:
    """True for words before a colon that name no person ("Note:", "Q:", "Operating income:")."""
    words = name.lower().split()
    return words[-1] in _words("topics") or (len(words) == 1 and len(name) < 3)


@cache
def _words(table: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "transcript.toml")[table])


@cache
def _cues() -> re.Pattern[str]:
    return re.compile("|".join(load_rules(__package__, "transcript.toml")["questions_open"]), re.IGNORECASE)
