"""The people of a call: names, titles and firms, from lists, labels and the operator's announcements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse, pairwise

from ...core.rules import load_rules

NAME = r"(?:[A-Z][\w'’.-]*|de|van|von|der|la)(?:\s+(?:[A-Z][\w'’.-]*|\(\w+\)|de|van|von|der|la|-)){0,4}"
"""A western name, as labels and lists of people write it."""
ANONYMOUS = re.compile(r"^\[?(?P<name>(?:speaker|spk|participant)[ _#]?\d+)\]?\s*[:：]?\s*(?P<said>.*)$", re.IGNORECASE)
"""The label of somebody whom a recording only numbers: "Speaker 2"."""
_LISTED = re.compile(rf"^(?P<name>{NAME})\s*(?:\s[-–—]{{1,2}}\s|,|\|)\s*(?P<rest>.{{2,120}})$")
_DASH = re.compile(r"(?<!\s)(?:\s+[-–—]{1,2}\s+|\s*\|\s*)")
_CAPITAL = r"[A-Z][\w'’-]*(?:\.(?=[A-Z])[\w'’-]*)*"
_CAPITALS = re.compile(rf"{_CAPITAL}(?:(?:(?<=\b[A-Z])\.)?\s+{_CAPITAL})*")
_FIRM = rf"{_CAPITAL}(?:\s+(?:{_CAPITAL}|&|and|of)(?=\s|[.,]|$))*"
_QUESTION_FROM = re.compile(
    r"\bquestions?\b[^.?!]{0,60}?\b(?:(?:is\s+|are\s+)?(?:coming\s+)?from|is|by)\s+(?:the\s+line\s+of\s+)?(?P<rest>[^?!]{3,120})"
)
_HAND_OVER = re.compile(
    r"\b(?:over|back|floor|introduce|welcome|go ahead|now to|joined by|hand|turn)\b(?P<rest>[^?!]{3,200})"
)
_TITLE = re.compile(
    r"\b(?:(?:senior |executive ){0,4}vice president(?: of [A-Z]\w+(?: [A-Z]\w+)?| of investor relations)?"
    r"|chief \w+ officer|president"
    r"|chair(?:man|woman)?|C[EFOTIM]O|general counsel|treasurer|(?:managing )?director|head of investor relations)\b",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s+(?!Inc|LLC|Ltd|L\.?P|and\b|&)")
"""Between a role and a firm; the comma in "Acme, Inc." is part of the firm."""
_BEFORE_SPEAKING = 500
"""Characters at the end of a turn in which the next speaker is introduced."""
_FIRM_AFTER = re.compile(rf"\b(?:with|from|of|at)\s+(?:the\s+)?({_FIRM})")
_BEFORE_FIRM = re.compile(r"\b(?:with|from|at|of)\s+(?:the\s+)?$")
_NAME_AT_START = re.compile(rf"\s*(?:the\s+line\s+of\s+)?({_CAPITAL}(?:\s+{_CAPITAL}){{1,2}})")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on a call."""

    name: str
    role: str = ""
    firm: str = ""

    @property
    def label(self) -> str:
        """As segments carry it: "name, role, firm", without what is not known."""
        parts = (self.name, self.role, self.firm)
        return ", ".join(filter(None, parts))

    @property
    def is_operator(self) -> bool:
        """True for whoever runs the call and belongs to neither side."""
        return self.name.lower() in word_list("operators")

    @property
    def is_analyst(self) -> bool:
        """True for somebody from outside who asks."""
        return "analyst" in self.role.lower()

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
    said: str


def person_of(name: str, rest: str) -> Person:
    """Split what follows a name into role and firm.

    >>> person_of("Jane Doe", "Acme, Inc. - CFO")
    Person(name='Jane Doe', role='CFO', firm='Acme, Inc.')
    >>> person_of("Tom Lee", "Goldman Sachs -- Analyst").label
    'Tom Lee, Analyst, Goldman Sachs'
    """
    name = name.strip(" *")
    rest = rest.strip(" ()（）,-–—*")
    if not rest:
        return Person(name)
    parts = _DASH.split(rest)
    if len(parts) == 1:
        parts = _COMMA.split(rest)
    parts = list(map(str.strip, parts))
    roles = filter(is_role, parts)
    firms = filterfalse(is_role, parts)
    return Person(name, ", ".join(roles), ", ".join(firms))


def listed_people(front: str) -> dict[str, Person]:
    """Participants by name, as listed before the first turn."""
    people: dict[str, Person] = {}
    for line in front.splitlines():
        match = _LISTED.match(line.strip(" *•-\t"))
        if match and is_role(match["rest"]):
            person = person_of(match["name"], match["rest"])
            people[person.name] = person
    return people


def introduced(turns: Sequence[Turn]) -> dict[str, Person]:
    """Who anonymous speakers ("Speaker 3") are, from what is said just before they first speak; and for whom those
    work of whom only the name is known, where they are announced as the next to ask.

    "I now turn the call over to our CFO, Jane Doe", "our next question comes from Tom Lee with Goldman Sachs".
    """
    known: dict[str, Person] = {}
    for before, turn in pairwise(turns):
        name = turn.person.name
        if name in known or before.person.name == name:
            continue
        announcement = before.said[-_BEFORE_SPEAKING:]
        is_anonymous = ANONYMOUS.match(name)
        found = _introduction(announcement) if is_anonymous else _announced_as(turn.person, announcement)
        if found:
            known[name] = found
    return known


def _announced_as(person: Person, announcement: str) -> Person | None:
    """Somebody without role and firm who is announced by name to ask the next question."""
    if person.role or person.firm or person.is_operator:
        return None
    questions = list(_QUESTION_FROM.finditer(announcement))
    asking = _announced_analyst(questions[-1]["rest"]) if questions else None
    if asking is None or asking.name.split()[-1] != person.name.split()[-1]:
        return None
    return Person(person.name, asking.role, asking.firm)


def _introduction(said: str) -> Person | None:
    """The person that the end of a turn hands over to."""
    questions = list(_QUESTION_FROM.finditer(said))
    if questions:
        return _announced_analyst(questions[-1]["rest"])
    for match in reversed(list(_HAND_OVER.finditer(said))):
        names = _names(match["rest"])
        if names:
            roles = dict.fromkeys(_TITLE.findall(match["rest"]))
            return Person(names[0], ", ".join(roles))
    return None


def _announced_analyst(announcement: str) -> Person | None:
    """Who asks next: "Tom Lee with Goldman Sachs"."""
    names = _names(announcement)
    if not names:
        return None
    firm = _FIRM_AFTER.search(announcement)
    return Person(names[0], "Analyst", firm[1] if firm else "")


def _names(text: str) -> list[str]:
    """Runs of two to four capitalised words that are no titles of office and follow no word of firms."""
    names: list[str] = []
    for run in _CAPITALS.finditer(text):
        words = list(filterfalse(_is_title_word, run.group().split()))
        if 2 <= len(words) <= 4 and not _BEFORE_FIRM.search(text[: run.start()]):
            names.append(" ".join(words).strip(".,"))
    if names:
        return names
    first = _NAME_AT_START.match(text)
    return [first[1]] if first else []


def _is_title_word(word: str) -> bool:
    return word.strip(".,").lower() in word_list("title_words")


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


def is_topic_word(name: str) -> bool:
    """True for words before a colon that name no person ("Note:", "Operating income:")."""
    words = name.lower().split()
    topics = word_list("topics")
    return words[0] in topics or words[-1] in topics or len(name) < 2


@cache
def _roles() -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, word_list("roles")), key=len, reverse=True)
    words = "|".join(longest_first)
    chinese = "|".join(word_list("chinese_roles"))
    return re.compile(rf"\b(?:{words})s?\b|{chinese}", re.IGNORECASE)


@cache
def word_list(table: str) -> frozenset[str]:
    """A list of ``transcript.toml``."""
    return frozenset(load_rules(__package__, "transcript.toml")[table])
