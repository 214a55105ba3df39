"""Who speaks on a call: labels before turns, roles and firms, introductions by others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from ...core.rules import load_rules

_LINE = re.compile(r"[^\r\n]+")
_NAME = r"(?:[A-Z][\w'’.-]*|de|van|von|der|la)(?:\s+(?:[A-Z][\w'’.-]*|\(\w+\)|de|van|von|der|la|-)){0,4}"
_HAN_NAME = r"[\u4e00-\u9fff·]{2,12}"
_COLON = re.compile(
    rf"^(?P<name>{_NAME}|{_HAN_NAME})(?P<rest>\s*[(（][^:：()（）]{{2,80}}[)）]|\s*,[^:：(（]{{2,80}})?\s*[:：](?!//)\s*(?P<said>.*)$"
)
_TAGGED = re.compile(r"^\[(?P<name>[^\]\d][^\]]{1,60})\]\s*[:：]?\s*(?P<said>.*)$")
_ANONYMOUS = re.compile(
    r"^\[?(?P<name>(?:speaker|spk|participant)[ _#]?\d+)\]?\s*[:：]?\s*(?P<said>.*)$", re.IGNORECASE
)
_DASHED = re.compile(rf"^(?P<name>{_NAME})\s*(?:\s[-–—]{{1,2}}\s|\||--)\s*(?P<rest>[^.?!]{{2,110}}\.?)$")
_NUMBERED = re.compile(r"^(?P<name>[^,]{2,50}),\s*(?P<rest>[^?!\[]{2,120}?)\s*\[\d+\]\s*:?\s*$")
_ALONE = re.compile(rf"^{_NAME}$")
_LISTED = re.compile(rf"^(?P<name>{_NAME})\s*(?:\s[-–—]{{1,2}}\s|,|\|)\s*(?P<rest>.{{2,120}})$")
_DASH = re.compile(r"\s+[-–—]{1,2}\s+|\s*\|\s*")
_CAPITAL = r"[A-Z][\w'’-]*(?:\.(?=[A-Z])[\w'’-]*)*"
_CAPITALS = re.compile(rf"{_CAPITAL}(?:(?:(?<=\b[A-Z])\.)?\s+{_CAPITAL})*")
_FIRM = rf"{_CAPITAL}(?:\s+(?:{_CAPITAL}|&|and|of)(?=\s|[.,]|$))*"
_QUESTION_FROM = re.compile(
    r"\bquestions?\b[^.?!]{0,60}?\b(?:is\s+from|from|is|by)\s+(?:the\s+line\s+of\s+)?(?P<rest>[^?!]{3,120})"
)
_HAND_OVER = re.compile(
    r"\b(?:over|back|floor|introduce|welcome|go ahead|now to|joined by|hand|turn)\b(?P<rest>[^?!]{3,200})"
)
_TITLE = re.compile(
    r"\b(?:(?:senior |executive )*vice president(?: of [A-Z]\w+(?: [A-Z]\w+)?| of investor relations)?"
    r"|chief \w+ officer|president"
    r"|chair(?:man|woman)?|C[EFOTIM]O|general counsel|treasurer|(?:managing )?director|head of investor relations)\b",
    re.IGNORECASE,
)


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

    @property
    def is_operator(self) -> bool:
        """True for whoever runs the call and belongs to neither side."""
        return self.name.lower() in word_list("operators")

    def completed(self, other: Person) -> Person:
        """With role and firm of the other where this one has none."""
        return Person(self.name, self.role or other.role, self.firm or other.firm)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one person says: ``text[start:end]``; the label that names the speaker starts at ``label_start``."""

    person: Person
    label_start: int
    start: int
    end: int


def split_turns(text: str) -> list[Turn]:
    """Turns in order, by lines that name a speaker.

    Forms: "Name -- Role", "Name:", "Name (CFO):", "Name, Firm - Role [3]", "[Name]", "Speaker 3:", a name and below it
    the role, a name alone that the list of participants gives with its role.

    >>> [turn.person.name for turn in split_turns("Operator: Welcome.\\nJane Doe: Thank you.")]
    ['Operator', 'Jane Doe']
    """
    labels = list(_labels(text))
    ends = [label[1] for label in labels[1:]] + [len(text)]
    return [Turn(person, at, start, end) for (person, at, start), end in zip(labels, ends, strict=False)]


def _labels(text: str) -> Iterator[tuple[Person, int, int]]:
    """Person, start of the label, start of the speech."""
    lines = [(m.start() + len(m[0]) - len(m[0].lstrip()), m[0].strip()) for m in _LINE.finditer(text) if m[0].strip()]
    listed = _listed_once([line for _, line in lines])
    passed = -1
    for index, (at, line) in enumerate(lines):
        if at < passed or (_dashed_name(line) in listed):
            continue
        if line in listed:
            yield listed[line], at, at + len(line)
        elif found := _label(line):
            yield found[0], at, at + found[1]
        elif (
            index + 2 < len(lines)
            and _ALONE.match(line)
            and _is_role_line(lines[index + 1][1])
            and not _dashed_name(lines[index + 1][1])
        ):
            role_at, role = lines[index + 1]
            passed = role_at + len(role)
            yield person_of(line, role), at, passed


def _listed_once(lines: Sequence[str]) -> dict[str, Person]:
    """People of a list of participants ("Jane Doe - CFO") whose bare name, on a line of its own, opens their turns."""
    alone = {line for line in lines if _ALONE.match(line)}
    named = {_dashed_name(line): line for line in lines}
    return {name: found[0] for name, line in named.items() if name in alone and (found := _label(line))}


def _dashed_name(line: str) -> str:
    dashed = _DASHED.match(line) if len(line) < 150 else None
    return dashed["name"] if dashed and is_role(dashed["rest"]) else ""


def _label(line: str) -> tuple[Person, int] | None:
    """The speaker that a line names and the offset in it at which the speech starts."""
    if line.strip("*: ").lower() in word_list("operators"):
        return Person(line.strip("*: ").title()), len(line)
    if tagged := _ANONYMOUS.match(line) or _TAGGED.match(line):
        return Person(tagged["name"].strip()), tagged.start("said")
    if numbered := _NUMBERED.match(line):
        return person_of(numbered["name"], numbered["rest"]), len(line)
    if len(line) < 150 and (dashed := _DASHED.match(line)) and is_role(dashed["rest"]):
        return person_of(dashed["name"], dashed["rest"]), len(line)
    colon = _COLON.match(line)
    if colon and not _is_topic(colon["name"]):
        return person_of(colon["name"], colon["rest"] or ""), colon.start("said")
    return None


def _is_role_line(line: str) -> bool:
    return (
        len(line) < 110
        and is_role(line)
        and not re.search(r"(?<!Inc)(?<!Corp)(?<!Ltd)[.?!:]$|^\W*(?:and|the|our)\b", line)
    )


def person_of(name: str, rest: str) -> Person:
    """Split what follows a name into role and firm.

    >>> person_of("Jane Doe", "Acme, Inc. - CFO")
    Person(name='Jane Doe', role='CFO', firm='Acme, Inc.')
    >>> person_of("Tom Lee", "Goldman Sachs -- Analyst").label
    'Tom Lee, Analyst, Goldman Sachs'
    """
    name, rest = name.strip(" *"), rest.strip(" ()（）,-–—*")
    if not rest:
        return Person(name)
    parts = [part.strip() for part in _DASH.split(rest)]
    if len(parts) == 1:
        parts = [part.strip() for part in re.split(r",\s+(?!Inc|LLC|Ltd|L\.?P|and\b|&)", rest)]
    roles = [part for part in parts if is_role(part)]
    return Person(name, ", ".join(roles), ", ".join(part for part in parts if part not in roles))


def listed_people(front: str) -> dict[str, Person]:
    """Participants by name, as listed before the first turn."""
    found = [_LISTED.match(line.strip(" *•-\t")) for line in front.splitlines()]
    people = [person_of(match["name"], match["rest"]) for match in found if match and is_role(match["rest"])]
    return {person.name: person for person in people}


def introduced(turns: Sequence[tuple[Person, str]]) -> dict[str, Person]:
    """Who anonymous speakers ("Speaker 3") are, from what is said just before they first speak.

    "I now turn the call over to our CFO, Jane Doe", "our next question comes from Tom Lee with Goldman Sachs".
    """
    known: dict[str, Person] = {}
    for (before, said), (person, _) in pairwise(turns):
        if not _ANONYMOUS.match(person.name) or person.name in known or before.name == person.name:
            continue
        if found := _introduction(said[-500:]):
            known[person.name] = found
    return known


def _introduction(said: str) -> Person | None:
    """The person that the end of a turn hands over to."""
    analyst = list(_QUESTION_FROM.finditer(said))
    if analyst:
        name = _names(analyst[-1]["rest"])
        firm = re.search(rf"\b(?:with|from|of|at)\s+(?:the\s+)?({_FIRM})", analyst[-1]["rest"])
        return Person(name[0], "Analyst", firm[1] if firm else "") if name else None
    for handed in reversed(list(_HAND_OVER.finditer(said))):
        if names := _names(handed["rest"]):
            roles = [match.group() for match in _TITLE.finditer(handed["rest"])]
            return Person(names[0], ", ".join(dict.fromkeys(roles)))
    return None


def _names(text: str) -> list[str]:
    """Runs of two to four capitalised words that are no titles of office and follow no word of firms."""
    found = []
    for run in _CAPITALS.finditer(text):
        words = [word for word in run.group().split() if word.strip(".,").lower() not in word_list("title_words")]
        if 2 <= len(words) <= 4 and not re.search(r"\b(?:with|from|at|of)\s+(?:the\s+)?$", text[: run.start()]):
            found.append(" ".join(words).strip(".,"))
    return found or [
        m[1] for m in [re.match(rf"\s*(?:the\s+line\s+of\s+)?({_CAPITAL}(?:\s+{_CAPITAL}){{1,2}})", text)] if m
    ]


def merged(people: Iterable[Person]) -> dict[str, Person]:
    """Everybody by name, with the fullest of what is said of each; earlier ones stand above later ones."""
    result: dict[str, Person] = {}
    for person in people:
        result[person.name] = result.get(person.name, person).completed(person)
    return result


def is_role(text: str) -> bool:
    """True where the words name a function in a firm.

    >>> is_role("Chief Executive Officer"), is_role("Goldman Sachs")
    (True, False)
    """
    return bool(_roles().search(text))


def _is_topic(name: str) -> bool:
    """True for words before a colon that name no person ("Note:", "Operating income:")."""
    words = name.lower().split()
    return words[-1] in word_list("topics") or words[0] in word_list("topics") or len(name) < 2


@cache
def _roles() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, word_list("roles")), key=len, reverse=True))
    chinese = "|".join(word_list("chinese_roles"))
    return re.compile(rf"\b(?:{words})s?\b|{chinese}", re.IGNORECASE)


@cache
def word_list(table: str) -> frozenset[str]:
    """A list of ``transcript.toml``."""
    return frozenset(load_rules(__package__, "transcript.toml")[table])
