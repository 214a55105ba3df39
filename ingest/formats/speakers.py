"""Who speaks on a call: labels before turns, roles and firms, introductions by others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse

from .people import ANONYMOUS, NAME, Person, Turn, is_role, is_topic_word, person_of, word_list

_LINE = re.compile(r"[^\r\n]+")
_HAN_NAME = r"[\u4e00-\u9fff·]{2,12}"
_COLON = re.compile(
    rf"^(?P<name>{NAME}|{_HAN_NAME})(?P<rest>\s*[(（][^:：()（）]{{2,80}}[)）]|\s*,[^:：(（]{{2,80}})?\s*[:：](?!//)\s*(?P<said>.*)$"
)
_TAGGED = re.compile(r"^\[(?P<name>[^\]\d][^\]]{1,60})\]\s*[:：]?\s*(?P<said>.*)$")
_DASHED = re.compile(rf"^(?P<name>{NAME})\s*(?:\s[-–—]{{1,2}}\s|\||--)\s*(?P<rest>[^.?!]{{2,110}}\.?)$")
_NUMBERED = re.compile(r"^(?P<name>[^,]{2,50}),\s{0,9}(?P<rest>[^?!\[]{2,120}?)\s{0,9}\[\d+\]\s*(?::\s*)?$")
_ALONE = re.compile(rf"^{NAME}$")
_FULL_NAME = re.compile(
    r"[A-Z][\w'’.-]{0,30}(?: (?:[A-Z][\w'’.-]{0,30}|[\"“][A-Z]\w{0,20}[\"”]|de|van|von|der|la)){1,5}"
    r"(?:,? (?:Jr|Sr|II|III|IV)\.?)?"
)
"""A whole line that is the name of a person: 'Earl C. "Duke" Austin, Jr.'."""
_NO_FAMILY_NAME = re.compile(r"\W*(?:Jr|Sr|II|III|IV|\w)\W*$")
_OPERATOR_LINES = 2
_SPEECH_BEGINS = 20
"""Characters behind a name in which the words that it heads begin."""
_LONGEST_LABEL = 150
_LONGEST_ROLE_LINE = 110
_ENDS_LIKE_SPEECH = re.compile(r"(?<!Inc)(?<!Corp)(?<!Ltd)[.?!:]$|^\W*(?:and|the|our)\b")


@dataclass(frozen=True, slots=True)
class _Label:
    """The speaker that a line names, and the offset in the line at which the speech starts."""

    person: Person
    speech: int


@dataclass(frozen=True, slots=True)
class _Opening:
    """Where a turn begins: at its label, and after it with the speech."""

    person: Person
    label_start: int
    start: int


def split_turns(text: str) -> list[Turn]:
    """Turns in order, by lines that name a speaker.

    Forms: "Name -- Role", "Name:", "Name (CFO):", "Name, Firm - Role [3]", "[Name]", "Speaker 3:", a name and below it
    the role, a name alone that the list of participants gives with its role, and, where an operator has such lines
    too, a name alone above the first line of what is said.

    >>> [turn.person.name for turn in split_turns("Operator: Welcome.\\nJane Doe: Thank you.")]
    ['Operator', 'Jane Doe']
    """
    openings = list(_openings(text))
    ends = [opening.label_start for opening in openings[1:]]
    ends.append(len(text))
    turns: list[Turn] = []
    for opening, end in zip(openings, ends, strict=False):
        turns.append(Turn(opening.person, opening.label_start, opening.start, end, text[opening.start : end]))
    return turns


def _openings(text: str) -> Iterator[_Opening]:
    """The beginnings of all turns, in order."""
    lines = _filled_lines(text)
    written = [line for _, line in lines] + [""]
    listed = {**_above_speech(text, lines), **_listed_once(written)}
    taken = -1
    for index, (at, line) in enumerate(lines):
        if at < taken or _name_before_role(line) in listed:
            continue
        label = _Label(listed[line], len(line)) if line in listed else _label(line)
        if label:
            yield _Opening(label.person, at, at + label.speech)
        elif _is_name_above_role(line, written[index + 1]) and index + 2 < len(lines):
            role_at, role = lines[index + 1]
            taken = role_at + len(role)
            yield _Opening(person_of(line, role), at, taken)


def _filled_lines(text: str) -> list[tuple[int, str]]:
    """Offset and words of every line that is not blank."""
    lines: list[tuple[int, str]] = []
    for match in _LINE.finditer(text):
        printed = match.group()
        words = printed.strip()
        if words:
            indent = len(printed) - len(printed.lstrip())
            lines.append((match.start() + indent, words))
    return lines


def _listed_once(lines: Sequence[str]) -> dict[str, Person]:
    """People of a list of participants ("Jane Doe - CFO") whose bare name, on a line of its own, opens their turns."""
    names_alone = set(filter(_ALONE.match, lines))
    line_of = {_name_before_role(line): line for line in lines}
    people: dict[str, Person] = {}
    for name in line_of.keys() & names_alone:
        label = _label(line_of[name])
        if label:
            people[name] = label.person
    return people


def _above_speech(text: str, lines: Sequence[tuple[int, str]]) -> dict[str, Person]:
    """People whose bare name stands on a line of its own right above what they say, as "Operator" does.

    A name counts where it opens several turns, or where somebody else says it too.
    """
    operators = [line for _, line in lines if _operator_label(line)]
    if len(operators) < _OPERATOR_LINES:
        return {}
    times: Counter[str] = Counter()
    for at, line in lines:
        if _FULL_NAME.fullmatch(line) and _opens_paragraph(text, at, line):
            times[line] += 1
    names = [name for name, count in times.items() if count > 1 or _is_said(name, text)]
    return {name: Person(name) for name in names}


def _opens_paragraph(text: str, at: int, line: str) -> bool:
    """True for a line with a blank one above it and none below."""
    above, below = text[:at], text[at + len(line) : at + len(line) + _SPEECH_BEGINS]
    is_first = not above.strip() or above.rstrip(" \t").endswith(("\n\n", "\r\n\r\n"))
    return is_first and below.lstrip(" \t\r")[:1] == "\n" and bool(below.strip(" \t\r")[1:2].strip())


def _is_said(name: str, text: str) -> bool:
    """True where first and family name of somebody stand side by side elsewhere than on a line of their own."""
    called = [word for word in name.split() if not word.startswith(('"', "“"))]
    words = list(filterfalse(_NO_FAMILY_NAME.fullmatch, called))
    short = f"{words[0]} {words[-1].strip(',')}" if len(words) > 1 else name
    return text.count(short) > text.count(f"\n{name}\n") * (short in name)


def _name_before_role(line: str) -> str:
    """The name in "Jane Doe - CFO", "" for other lines."""
    match = _before_role(line)
    return match["name"] if match else ""


def _before_role(line: str) -> re.Match[str] | None:
    if len(line) >= _LONGEST_LABEL:
        return None
    match = _DASHED.match(line)
    return match if match and is_role(match["rest"]) else None


def _is_name_above_role(line: str, below: str) -> bool:
    """True for a name alone with only a role on the line below it."""
    if not _ALONE.match(line) or not _is_role_line(below):
        return False
    return not _name_before_role(below)


def _is_role_line(line: str) -> bool:
    if len(line) >= _LONGEST_ROLE_LINE or not is_role(line):
        return False
    return not _ENDS_LIKE_SPEECH.search(line)


def _label(line: str) -> _Label | None:
    """The first of the known forms of a label that the line has."""
    for read in (_operator_label, _bracket_label, _numbered_label, _dashed_label, _colon_label):
        label = read(line)
        if label:
            return label
    return None


def _operator_label(line: str) -> _Label | None:
    """The form "Operator", "**Operator:**"."""
    name = line.strip("*: ")
    if name.lower() not in word_list("operators"):
        return None
    return _Label(Person(name.title()), len(line))


def _bracket_label(line: str) -> _Label | None:
    """The form "[Jane Doe] Thank you." or "Speaker 3: Thank you."."""
    match = ANONYMOUS.match(line) or _TAGGED.match(line)
    if not match or not word_list("marks").isdisjoint(match["name"].lower().split()):
        return None
    return _Label(Person(match["name"].strip()), match.start("said"))


def _numbered_label(line: str) -> _Label | None:
    """The form "Jane Doe, Acme, Inc. - CFO [3]"."""
    match = _NUMBERED.match(line)
    if not match:
        return None
    return _Label(person_of(match["name"], match["rest"]), len(line))


def _dashed_label(line: str) -> _Label | None:
    """The form "Jane Doe -- Chief Financial Officer"."""
    match = _before_role(line)
    if not match:
        return None
    return _Label(person_of(match["name"], match["rest"]), len(line))


def _colon_label(line: str) -> _Label | None:
    """The form "Jane Doe (CFO): Thank you."."""
    match = _COLON.match(line)
    if not match or is_topic_word(match["name"]):
        return None
    return _Label(person_of(match["name"], match["rest"] or ""), match.start("said"))
