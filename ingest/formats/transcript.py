"""Transcripts of calls: remarks, questions and answers, each with its speaker."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from ...core.names import has_legal_form
from ...core.records import dataclass
from ...core.rules import load_rules
from ...core.sequences import runs
from ..reading.assemble import SegmentBuilder
from ..reading.line_rules import is_disclaimer
from .registry import Content, Evidence, FileContent, Reader
from .speakers import ADDRESS, ANONYMOUS, Person, Turn, introduced, listed_people, merged, split_turns

_PARAGRAPH_GAP = re.compile(r"\n[ \t\r]*\n\s*")
_MIN_TURNS = 4
_LONG_TURN = 40
"""Characters from which a turn is more than a greeting."""
_MOST_SAID = 0.6
"""Share of the text that the turns of a call make up at least."""
_MANY_LONG = 0.3
_MOST_RECUR = 0.6
"""Share of the turns of a call without an operator whose speakers speak more than once."""
_LONGEST_TURNS = 10_000
"""Characters that turns have on average at most: a book with a few lines like "Target: ..." is no conversation."""
_EARLIEST = 2
"""The first speakers say that questions will follow."""
_CLOSING = 400
"""Characters at the end of a turn in which questions are opened."""
_ANNOUNCEMENT = re.compile(
    r"\bpress\s+(?:star|\*|\d|the)|\bquestion\s+queue\b|\bline\s+of\b|\bquestions?\s+(?:will\s+)?(?:comes?|is|are)\s+(?:coming\s+)?from\b",
    re.IGNORECASE,
)
_LONGEST_ANNOUNCEMENT = 900
_INTRODUCING = 4
"""Turns at the beginning in which those who will speak are introduced."""
_NAME_WORD = (
    r"(?!(?:Chief|Executive|Senior|Vice|President|Principal|Investor|Officer|Treasurer|Controller|Director|Head|Good|Thank"
    r"|Our|And|As|Like|When|With|Now|First|Next|Operator|Prepared|Mister|Mr|Ms)\b)[A-Z](?:\w|-|['’](?=[A-Z])){1,30}\b(?!['’]s)"
)
_OFFICE_OR_NAME = re.compile(
    r"\b(?P<office>(?i:(?:(?:senior |executive |group )){0,3}vice president(?: of (?-i:[A-Z]\w+(?: [A-Z]\w+)?))?"
    r"|chief (?:\w+ ){1,2}officer|president|chair(?:man|woman|person)?|c[efotim]o|general counsel|treasurer|controller"
    rf"|(?:managing )?director|head of (?:\w+ )?\w+))\b|\b(?P<name>{_NAME_WORD}(?: [A-Z]\.)?(?: {_NAME_WORD}){{1,2}})"
)
_ASKS_BY_HOST = re.compile(
    rf"\b(?P<name>{_NAME_WORD}(?: [A-Z]\.)?(?: {_NAME_WORD}){{1,2}}),?"
    r"(?: (?:from|of|at|with) (?P<firm>[A-Z][\w.&’' -]{1,30}?),?)? (?:also )?(?:asks|is asking|wants to know"
    r"|would like to (?:know|ask|hear)|is interested in|is looking for)\b"
)
_ANNOUNCED_BY = 160
"""Characters at the beginning of a turn in which a host says whose question it is."""
_ENDS = re.compile(r"(?<=[.?!])\s+")
_FEW_LINES = 900
"""Characters that a host says at most before questions, disclaimers apart."""
_BETWEEN = re.compile(r"[\s,]{0,4}(?:(?:and|our|the|is|as|its|company['’]s|[A-Z]\w{1,30}['’]s)\s{1,2}){0,3}")
"""Between a name and an office, or two of them."""
_CALLED = re.compile(r"\b(?i:over|back|now|welcome)\s+to\s+(?:our\s+\w+,?\s+)?([A-Z][a-z]{1,20})\b")
"""Somebody to whom the call is handed over by the given name: "I'll turn the call over to Mark."."""
_LONGEST_TITLE = 160
_LONGEST_DISCLAIMER = 2_500


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What one person says at a stretch, ``text[start:end]`` of a call; ``part`` as segments carry it."""

    person: Person
    part: str
    start: int
    end: int

    @property
    def asks(self) -> bool:
        """True for somebody from outside, who asks."""
        return self.part == "question" and not self.person.is_operator


def spoken_turns(text: str) -> list[SpokenTurn]:
    """The turns of a call in their order, with who is known to speak; none of a text that is no call."""
    turns = _turns_of(text) if is_transcript(text) else []
    parts = call_parts(turns)
    return [SpokenTurn(turn.person, part, turn.start, turn.end) for turn, part in zip(turns, parts, strict=True)]


def turns_with_questions(text: str) -> list[tuple[SpokenTurn, str]]:
    """The turns of a call, each with the question that it answers, "" where it answers none."""
    told: list[tuple[SpokenTurn, str]] = []
    question = ""
    for turn in spoken_turns(text):
        said = text[turn.start : turn.end].strip()
        if turn.asks and len(said) > _LONG_TURN:
            question = said
        told.append((turn, question if turn.part == "answer" else ""))
    return told


def is_transcript(text: str) -> bool:
    """True where turns of several speakers make up most of the text: an operator is among them, or most recur."""
    turns = split_turns(text)
    if len(turns) < _MIN_TURNS or len(text) > _LONGEST_TURNS * len(turns):
        return False
    said = sum(len(turn.said) for turn in turns)
    if said <= _MOST_SAID * len(text):
        return False
    long_turns = sum(len(turn.said) > _LONG_TURN for turn in turns)
    if long_turns < _MANY_LONG * len(turns):
        return False
    return _has_operator(turns) or _most_speakers_recur(turns)


def _has_operator(turns: Sequence[Turn]) -> bool:
    return any(turn.person.is_operator for turn in turns)


def _most_speakers_recur(turns: Sequence[Turn]) -> bool:
    times = Counter(turn.person.name for turn in turns)
    speaking_once = list(times.values()).count(1)
    recurring = len(turns) - speaking_once
    return len(times) > 1 and recurring >= _MOST_RECUR * len(turns)


def read_transcript(text: str) -> Content:
    """Segments carry speaker and part ("remarks", "question", "answer"); the text stays as it is.

    A question with its answers is a run of segments from one "question" to the last "answer" before the next.
    """
    turns = _turns_of(text)
    builder = SegmentBuilder(text)
    _add_front(builder, text, turns[0].label_start)
    disclaimers = 0
    for turn, part in zip(turns, call_parts(turns), strict=True):
        disclaimers += _add_turn(builder, text, turn, part)
    dropped = +Counter(disclaimer=disclaimers)
    return Content(text, tuple(builder.segments), dropped=dropped, evidence=Evidence(is_call=True))


def _turns_of(text: str) -> list[Turn]:
    """The turns of a call, each with all that is known of who speaks."""
    turns = split_turns(text)
    people = _people(text, turns)
    hosts = _hosts(turns, people)
    read_out = [_relayed(turn.said) if turn.person.name in hosts else None for turn in turns]
    return [
        replace(turn, person=person or people[turn.person.name]) for turn, person in zip(turns, read_out, strict=True)
    ]


def _hosts(turns: Sequence[Turn], people: Mapping[str, Person]) -> set[str]:
    """The labels of those who lead through a call: its operator, and who opens its questions, and has no office and no
    remarks of more than a few lines."""
    opened = _first_question(turns)
    opening = [*turns[:opened], *filter(lambda turn: _is_announcement(turn.said), turns[opened : opened + 1])]
    hosts = {turn.person.name for turn in opening if _opens_questions(turn.said) and not people[turn.person.name].role}
    remarks: Counter[str] = Counter()
    for turn in turns[:opened]:
        said = (turn.said[start:end] for start, end in _paragraphs(turn.said, 0, len(turn.said)))
        remarks[turn.person.name] += sum(len(speech) for speech in said if not _is_short_disclaimer(speech))
    operators = {turn.person.name for turn in turns if turn.person.is_operator}
    return operators | {host for host in hosts if remarks[host] <= _FEW_LINES}


def _relayed(said: str) -> Person | None:
    """Whose question a host reads out: "Ann Lee from Citi asks, how do margins look?"; None for another turn.

    >>> _relayed("Next, Ann Lee from Citi would like to know, are margins up?")
    Person(name='Ann Lee', role='Analyst', firm='Citi')
    >>> _relayed("Ann Lee asked about margins, which are up.") is None
    True
    """
    asked = _ASKS_BY_HOST.search(said, 0, _ANNOUNCED_BY)
    if asked is None or "?" not in "".join(_ENDS.split(said[asked.end() :], maxsplit=2)[:2]):
        return None
    return Person(asked["name"], "Analyst", (asked["firm"] or "").strip(" ,"))


def _people(text: str, turns: Sequence[Turn]) -> dict[str, Person]:
    """Everybody who speaks, by the name of their label, with what the list of participants and others say of them."""
    listed = listed_people(text[: turns[0].label_start])
    labelled = (turn.person for turn in turns)
    people = merged([*listed.values(), *labelled]) | introduced(turns)
    told = offices_told("\n".join(turn.said for turn in turns[:_INTRODUCING]))
    before = {turn.person.name: earlier.said[-_CLOSING:] for earlier, turn in reversed(list(pairwise(turns)))}
    return {label: _with_office(person, told, before.get(label, "")) for label, person in people.items()}


def offices_told(said: str) -> list[Person]:
    """People whose office is told beside their name, in either order.

    >>> offices_told("With me are Jane Roe, our CEO, and Tom Lee, Chief Financial Officer.")
    [Person(name='Jane Roe', role='CEO', firm=''), Person(name='Tom Lee', role='Chief Financial Officer', firm='')]
    >>> [person.name for person in offices_told("Now to our President and CEO, Jane Roe; Treasurer, Tom Lee.")]
    ['Jane Roe', 'Tom Lee']
    """
    people: list[Person] = []
    items = (item for item in _OFFICE_OR_NAME.finditer(said) if item["office"] or not has_legal_form(item["name"]))
    for told in runs(items, _goes_on):
        begins_with_office = told[0]["office"] is not None
        people += _holders(told[::-1] if begins_with_office else told)
    return people


def _goes_on(told: Sequence[re.Match[str]], item: re.Match[str]) -> bool:
    return _BETWEEN.fullmatch(item.string, told[-1].end(), item.start()) is not None


def _holders(told: Iterable[re.Match[str]]) -> Iterator[Person]:
    """Each name with the offices that follow it."""
    for name, *offices in runs(told, lambda _, item: bool(item["office"])):
        held = dict.fromkeys(item["office"] for item in offices)
        if name["name"] and held:
            yield Person(name["name"].rstrip(".,"), ", ".join(held))


def _with_office(person: Person, told: Sequence[Person], before: str) -> Person:
    """Somebody with the office that the call tells of them; who is only numbered by the name that they are called."""
    if person.is_analyst or person.is_operator:
        return person
    called = _CALLED.findall(before) if ANONYMOUS.match(person.name) else []
    for known in told:
        given, family = known.name.split()[0], known.name.split()[-1]
        if called and called[-1] == given:
            return known
        if person.name.split()[-1] == family and person.name[0] in (given[0], "M"):
            return Person(known.name if ADDRESS.match(person.name) else person.name, person.role or known.role)
    return person


def _add_turn(builder: SegmentBuilder, text: str, turn: Turn, part: str) -> int:
    """Add the paragraphs of a turn; how many of them are disclaimers."""
    speaker = turn.person.label
    disclaimers = 0
    for start, end in _paragraphs(text, turn.start, turn.end):
        if part == "remarks" and _is_short_disclaimer(text[start:end]):
            builder.add("disclaimer", start, end, speaker=speaker, part=part)
            disclaimers += 1
        else:
            builder.add("paragraph", start, end, speaker=speaker, part=part)
    return disclaimers


def _is_short_disclaimer(speech: str) -> bool:
    return len(speech) < _LONGEST_DISCLAIMER and is_disclaimer(speech)


def call_parts(turns: Sequence[Turn]) -> list[str]:
    """The part of each turn: "remarks" until questions are opened, then "question" (outsiders) or "answer".

    Outsiders are analysts by role, else those who did not speak in the remarks. What an operator says among the
    questions goes with the question that it announces.
    """
    opened = _first_question(turns)
    insiders = {turn.person.name for turn in turns[:opened] if not turn.person.is_operator}
    parts = ["remarks"] * opened
    for turn in turns[opened:]:
        asks = _is_outsider(turn.person, insiders)
        announces = turn.person.is_operator or _is_announcement(turn.said)
        parts.append("question" if asks or announces else "answer")
    closed_by_operator = len(parts) > opened and turns[-1].person.is_operator
    if closed_by_operator:
        parts[-1] = "remarks"
    return parts


def _is_outsider(person: Person, insiders: set[str]) -> bool:
    if person.is_analyst:
        return True
    has_office = bool(person.role)
    return not has_office and person.name not in insiders


def _first_question(turns: Sequence[Turn]) -> int:
    """Index of the turn with which questions begin; all are remarks where none do.

    The first turn often says that questions will follow: it never opens them.
    """
    for index, turn in enumerate(turns):
        if turn.person.is_operator and index and _opens_questions(turn.said):
            return index
        if index >= _EARLIEST and _opens_questions(turn.said[-_CLOSING:]):
            return index if _is_announcement(turn.said) else index + 1
    return len(turns)


def _opens_questions(said: str) -> bool:
    return bool(_cues().search(said))


def _is_announcement(said: str) -> bool:
    """True for a nameless operator's words: short, and about who asks next or how to ask."""
    return len(said) < _LONGEST_ANNOUNCEMENT and bool(_ANNOUNCEMENT.search(said))


def _add_front(builder: SegmentBuilder, text: str, end: int) -> None:
    """Title and list of participants before the first turn."""
    paragraphs = _paragraphs(text, 0, end)
    for number, (start, stop) in enumerate(paragraphs):
        if number == 0 and stop - start < _LONGEST_TITLE:
            builder.add("heading", start, stop, level=1)
        else:
            builder.add("paragraph", start, stop)


def _paragraphs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Offsets of the stretches between blank lines."""
    spans: list[tuple[int, int]] = []
    at = start
    for gap in _PARAGRAPH_GAP.finditer(text, start, end):
        spans.append((at, gap.start()))
        at = gap.end()
    spans.append((at, end))
    return [(first, last) for first, last in spans if text[first:last].strip()]


@cache
def _cues() -> re.Pattern[str]:
    cues = load_rules(__package__, "transcript.toml")["questions_open"]
    return re.compile("|".join(cues), re.IGNORECASE)


def _recognises(file: FileContent) -> bool:
    return is_transcript(file.text)


TRANSCRIPT = Reader("transcript", (), _recognises, lambda file: read_transcript(file.text), rank=50)
