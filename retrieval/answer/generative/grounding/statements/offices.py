"""Does the source give an office to the person to whom a sentence gives it?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache

from ......core.sequences import first
from .....question.wording.answer_type import office_patterns, tells_of_change_in_office, words_of_titles

_CAPITALS = r"[A-ZÀ-ÖØ-Þ][\w’'-]{1,40}"
_PERSON = re.compile(
    rf"\b(?:(?:Mr|Ms|Mrs|Dr)\.? (?P<last>{_CAPITALS})"
    rf"|{_CAPITALS}(?: [A-Z]\.){{0,3}}(?: (?:de|van|von|der|di))? (?P<second>{_CAPITALS})(?: (?P<third>{_CAPITALS}))?)"
)
_CAPITAL_WORD = re.compile(r"\b[A-Z][A-Za-z]{1,20}\b")
_FORMS_OF_ADDRESS = frozenset({"mr", "ms", "mrs", "dr"})
_NEAR = 60
"""Characters between an office and who holds it."""
_BESIDE = 150
"""The same, across lines: of a signature, or a row of a table."""
_ENDS_PLACE = re.compile(r"\n\n|,\s(?:and|but|while)\s|\n(?=\|)|;|(?<![A-Z])(?<!Mr|Ms|Dr)(?<!Mrs)\.\s(?=[A-Z])")
"""Between two statements: who is named in another one holds no office of this one."""

_Holders = Mapping[int, Set[str]]
"""The number of an office -> the last names of those who are named next to it, in small letters."""


def gives_wrong_office(sentence: str, texts: Sequence[str]) -> bool:
    """True where the sources never name a person beside the office that a sentence gives him, or give it to others.

    >>> source = "Joining us are the CEO, Steve Hume, and the CFO, Sandra Wall."
    >>> gives_wrong_office("The CFO is Steve Hume.", [source])
    True
    >>> gives_wrong_office("Sandra Wall is the Chief Financial Officer.", [source])
    False
    """
    claimed = [(office, name) for office, names in holders_in(sentence).items() for name in names]
    if not claimed or tells_of_change_in_office(sentence):
        return False
    told: dict[int, set[str]] = defaultdict(set)
    for text in texts:
        for office, names in holders_in(text).items():
            told[office] |= names
    return any(not _is_beside(office, name, texts) or _is_of_another(office, name, told) for office, name in claimed)


def _is_beside(office: int, name: str, texts: Sequence[str]) -> bool:
    """True where a name stands near a mention of the office, be it on the line below."""
    pattern = office_patterns()[office]
    around = (
        text[max(0, match.start() - _BESIDE) : match.end() + _BESIDE].lower()
        for text in texts
        for match in pattern.finditer(text)
    )
    return any(name in near for near in around)


def _is_of_another(office: int, name: str, told: Mapping[int, Set[str]]) -> bool:
    """True where only others are named next to the office, and the person next to another office."""
    holders = told.get(office, set())
    return bool(holders) and name not in holders and name in set().union(*told.values())


@lru_cache(maxsize=256)
def holders_in(text: str) -> _Holders:
    """Who is named nearest to each mention of an office, in the same statement.

    >>> holders_in("Ann Roe, Chief Executive Officer, and Bo Lee, Chief Financial Officer")
    {0: {'roe'}, 1: {'lee'}}
    """
    found: dict[int, set[str]] = {}
    for place in _places(text):
        for number, office in enumerate(office_patterns()):
            for match in office.finditer(place):
                name = _nearest_person(place, match)
                if name:
                    found.setdefault(number, set()).add(name)
    return found


def _places(text: str) -> Iterator[str]:
    """The statements of a text, the words of offices in small letters: they are of no name."""
    return (_CAPITAL_WORD.sub(_small_if_title, place) for place in _ENDS_PLACE.split(text) if place)


def _small_if_title(match: re.Match[str]) -> str:
    word = match[0].lower()
    return word if word in words_of_titles() and word not in _FORMS_OF_ADDRESS else match[0]


def _nearest_person(place: str, office: re.Match[str]) -> str:
    """The last name of the person who stands nearest to an office; "" where nobody does."""
    named = sorted(
        (_gap(match, office), match.start() > office.start(), _last_name(match)) for match in _PERSON.finditer(place)
    )
    return first((name for gap, _, name in named if gap <= _NEAR), "")


def _gap(person: re.Match[str], office: re.Match[str]) -> int:
    return max(person.start() - office.end(), office.start() - person.end(), 0)


def _last_name(match: re.Match[str]) -> str:
    return (match["last"] or match["third"] or match["second"]).removesuffix("’s").removesuffix("'s").lower()
