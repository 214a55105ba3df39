"""A passage as it is read for names and relations: line breaks as blanks, pronouns as the person or the firm
that they mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ....core.names import name_key
from ....core.records import dataclass
from ....ingest.sentences import split_text
from ...triple import Name, Passage
from .lexicon import lexicon
from .names_en import THING

_BLANKS = re.compile(r"[\n\r\t\u00a0\u2002-\u200a]")
_NAME_LINE = re.compile(r"^((?:[A-Z][\w.'’-]*[ ]){1,3}[A-Z][\w'’-]*)\n(?=[A-Z])", re.MULTILINE)
_PRONOUN = re.compile(r"\b(?:he|she|He|She)\b")
_IT = re.compile(
    r"(?:It|Its|They|Their)(?= (?!is (?:not )?"
    r"(?:possible|likely|expected|important|difficult|the case|true|untrue|clear|unclear)\b))"
)
_IT_LATER = re.compile(
    r"(?:(?:In|On|By|Since|During|At|After|From|Until|Between|Later|Then|Today|Currently|Previously|Originally|Formerly"
    r"|Initially|Subsequently|Eventually|Finally|Now|Also|As of|Over|For"
    r"|(?:This|Last) (?:fiscal )?(?:year|quarter|month))\b(?: [a-z\d][\w’'-]{0,20}"
    r"| (?:January|February|March|April|May|June|July|August|September|October|November|December)){0,6},? )"
    r"(?P<it>it|its)"
    r"(?= (?!is (?:not )?(?:possible|likely|expected|important|difficult)|was (?:announced|reported)))"
)
"""The same behind words that name nobody: "In May 2019 it acquired Bolt"; "they" may be the lenders of before."""
_SUBJECT_WORDS = {"It": "We", "Its": "Our", "They": "We  ", "Their": "Our  "}
_SUBJECT_LATER = {"it": "we", "its": "our"}
_MEANT_BY_IT = frozenset({"company", "product", "segment", "organization", THING})
_BORDER = "\u2063"
"""Joins no words, and is no blank that a pattern could match."""


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage, its text with blanks for line breaks (of the same length), and where its sentences stand."""

    passage: Passage
    flat: str
    spans: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, passage: Passage) -> PassageText:
        flat = _flattened(passage.text)
        return cls(passage, flat, passage.sentences or [(s.start, s.end) for s in split_text(flat)])

    def sentences(self) -> list[str]:
        return [self.flat[start:end] for start, end in self.spans]


def with_pronouns(names: Sequence[Name], text: str, start: int, before: str) -> Sequence[Name]:
    """The names with each "he" and "she": ``before`` until the sentence names a person, then the only one it names."""
    pronouns = list(_PRONOUN.finditer(text))
    if not pronouns:
        return names
    people = [name for name in names if name.type == "person"]
    first = min((name.start - start for name in people), default=len(text))
    named = {name.full for name in people}
    after = named.pop() if len(named) == 1 else ""
    shown = list(names)
    for pronoun in pronouns:
        person = before if pronoun.start() < first else after
        if person:
            shown.append(Name(pronoun[0], "person", start + pronoun.start(), start + pronoun.end(), person))
    return sorted(shown, key=lambda name: name.start)


def with_subject(sentence: str) -> str:
    """A sentence that begins with "It" or "Its" as one of the subject, of the same length."""
    match = _IT.match(sentence)
    if match:
        return _SUBJECT_WORDS[match[0]] + sentence[match.end() :]
    match = _IT_LATER.match(sentence)
    if match:
        return sentence[: match.start("it")] + _SUBJECT_LATER[match["it"]] + sentence[match.end() :]
    return sentence


def names_others(names: Sequence[Name], subject: str) -> bool:
    """True for a sentence that names a company, a product or a segment other than the subject."""
    key = name_key(subject)
    return any(name.type in _MEANT_BY_IT and name_key(name.full) != key for name in names)


def person_meant_next(names: Sequence[Name], before: str) -> str:
    """Whom "he" or "she" means in the next sentence: the only person that this one names, else nobody; as ``before``
    where it names none."""
    people = {name.full for name in names if name.type == "person"}
    if not people:
        return before
    return people.pop() if len(people) == 1 else ""


def _flattened(text: str) -> str:
    """Line breaks become blanks, of the same length; a name alone on its line does not run on into the next one."""
    return _BLANKS.sub(" ", _NAME_LINE.sub("\\1" + _BORDER, _with_places_apart(text)))


def _with_places_apart(text: str) -> str:
    """A line that holds nothing but a place, as in a column of a table, joins neither the line above nor below."""
    places = lexicon("en").known
    lines = text.split("\n")
    kept = lines[0]
    for above, line in pairwise(lines):
        begins_apart = places.get(line.strip()) == "place" and not above.rstrip().endswith(",")
        is_apart = begins_apart or places.get(above.strip()) == "place"
        kept += (_BORDER if is_apart else "\n") + line
    return kept
