"""The people of a call, with names, titles and firms, and who of them speaks: lists, labels before turns, the
operator's announcements, introductions by others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import filterfalse, pairwise

from ...core.records import dataclass
from ...core.rules import load_rules

NAME = r"(?:[A-Z][\w'’.-]*|de|van|von|der|la)(?:\s+(?:[A-Z][\w'’.-]*|\(\w+\)|de|van|von|der|la|-)){0,4}"
"""A western name, as labels and lists of people write it."""
ANONYMOUS = re.compile(r"^\[?(?P<name>(?:speaker|spk|participant)[ _#]?\d+)\]?\s*[:：]?\s*(?P<said>.*)$", re.IGNORECASE)
"""The label of somebody whom a recording only numbers: "Speaker 2"."""
ADDRESS = re.compile(r"(?:Mister|Mr|Ms|Miss|Mrs|Dr)\b")
_LISTED = re.compile(rf"^(?P<name>{NAME})\s*(?:\s[-–—]{{1,2}}\s|,|\|)\s*(?P<rest>.{{2,120}})$")
_DASH = re.compile(r"(?<!\s)(?:\s+[-–—]{1,2}\s+|\s*\|\s*)")
_CAPITAL = r"[A-Z][\w'’-]*(?:\.(?=[A-Z])[\w'’-]*)*"
_CAPITALS = re.compile(rf"{_CAPITAL}(?:(?:(?<=\b[A-Z])\.)?\s+{_CAPITAL})*")
_FIRM = rf"{_CAPITAL}(?:\s+(?:{_CAPITAL}|&|and|of)(?=\s|[.,]|$))*"
_QUESTION_FROM = re.compile(
    r"\bquestions?\b[^.?!]{0,60}?\b(?:(?:is\s+|are\s+)?(?:coming\s+)?from|is|by)\s+(?:the\s+line\s+of\s+)?(?P<rest>[^?!]{3,120})"
)
_HAND_OVER = re.compile(
    r"\b(?:over|back|floor|introduce|welcome|go ahead|now to|joined by|hand|turn|host)\b(?P<rest>[^?!]{3,200})"
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
    seen: set[str] = set()
    for before, turn in pairwise(turns):
        name = turn.person.name
        seen.add(before.person.name)
        if name in known or before.person.name == name:
            continue
        announcement = before.said[-_BEFORE_SPEAKING:]
        is_anonymous = ANONYMOUS.match(name) is not None
        found = _introduction(announcement) if is_anonymous else _announced_as(turn.person, announcement)
        # Who has spoken is not the one who asks: a host says whose question it is that they answer.
        is_new = not is_anonymous or name not in seen
        if found and (is_new or ADDRESS.match(found.name) or (found.role and not found.is_analyst)):
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
        is_owner = run.group().endswith(("'s", "’s"))  # "welcome to Acme Corp's call"
        if not is_owner and 2 <= len(words) <= 4 and not _BEFORE_FIRM.search(text[: run.start()]):
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
    alone = Counter(line for _, line in lines)
    times = Counter(filter(_FULL_NAME.fullmatch, _paragraph_openings(text, lines)))
    names = [name for name, count in times.items() if count > 1 or _is_said(name, text, alone[name])]
    return {name: Person(name) for name in names}


def _paragraph_openings(text: str, lines: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The lines with a blank one above them and none below."""
    starts = [at for at, _ in lines]
    ends = [at + len(line) for at, line in lines]
    breaks = [2, *(text.count("\n", end, start) for end, start in zip(ends, starts[1:], strict=False)), 2]
    for (_, line), above, below in zip(lines, breaks, breaks[1:], strict=False):
        if above > 1 and below == 1:
            yield line


def _is_said(name: str, text: str, alone: int) -> bool:
    """True where first and family name of somebody stand side by side elsewhere than ``alone`` on a line."""
    called = [word for word in name.split() if not word.startswith(('"', "“"))]
    words = list(filterfalse(_NO_FAMILY_NAME.fullmatch, called))
    short = f"{words[0]} {words[-1].strip(',')}" if len(words) > 1 else name
    return text.count(short) > alone * (short in name)


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
