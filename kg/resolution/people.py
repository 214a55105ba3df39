"""One person under several names in one document: family name alone, initials, short forms of given names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from ...core.rules import load_rules
from ...core.sequences import last

_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_APOSTROPHES = str.maketrans("’‘`", "'''")


class People:
    """The people of one document, by the names that it gives them.

    >>> people = People(["Matt Roe", "Matthew J. Roe", "Roe", "Jane Doe", "John Doe", "Doe"])
    >>> people.full_name("Roe"), people.full_name("Matt Roe"), people.full_name("Doe")
    ('Matthew J. Roe', 'Matthew J. Roe', 'Doe')
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._families: dict[str, list[str]] = defaultdict(list)
        for name in sorted(set(names), key=lambda name: (-len(name), name)):
            if " " in name:
                self._families[_family(name)].append(name)

    def full_name(self, name: str) -> str:
        """The longest name of whom a name means; the name itself where that is open."""
        if not name.isascii() and "\u4e00" <= name[:1] <= "\u9fff":
            return name
        known = self._families.get(_family(name), [])
        fitting = [other for other in known if may_be_one(name, other)]
        is_clear = all(may_be_one(fitting[0], other) for other in fitting[1:])
        return fitting[0] if fitting and is_clear else name


def may_be_one(one: str, other: str) -> bool:
    """True where two names can be of one person of one firm: the family name, and given names that do not differ.

    >>> may_be_one("J. Smith", "John Q. Smith"), may_be_one("Jane Roe", "John Roe")
    (True, False)
    """
    if _family(one) != _family(other):
        return False
    first, second = _given(one), _given(other)
    if not first or not second:
        return True
    return _same_given(first[0], second[0]) or _is_middle(first, second) or _is_middle(second, first)


def _is_middle(one: list[str], other: list[str]) -> bool:
    """True where somebody goes by another of the names: "W. Craig Roe" is Craig, and Earl "Duke" Roe is Duke."""
    return len(other) == 1 and len(other[0]) > 1 and other[0] in one[1:]


def _same_given(one: str, other: str) -> bool:
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    return one == other or long_given_name(one) == long_given_name(other)


def _words(name: str) -> list[str]:
    words = [word.strip('.,"“”()') for word in name.translate(_APOSTROPHES).casefold().split()]
    return [word for word in words if word and word not in _SUFFIXES]


def _family(name: str) -> str:
    words = _words(name)
    return last(words, "")


def _given(name: str) -> list[str]:
    return _words(name)[:-1]


def long_given_name(given: str) -> str:
    """The given name that a short form stands for, both in small letters; itself where it is none.

    >>> long_given_name("matt"), long_given_name("ann")
    ('matthew', 'ann')
    """
    return _short_forms().get(given, given)


@cache
def _short_forms() -> dict[str, str]:
    entries = load_rules(__package__, "people.toml")["short_forms"].split(";")
    parts = (entry.partition("=") for entry in entries if "=" in entry)
    return {short.strip(): long.strip() for short, _, long in parts}
