"""Two forms of one name: those that a document defines, "Network and Edge (NEX)", and "U.S." for the United States."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ....core.words import search_words

_SHORT = re.compile(r"\(\s*(?:the )?[“\"‘']?(?P<short>[A-Z][A-Z&]{1,5})[”\"’']?\s*\)")
_BEFORE = 90
"""Characters before a short name in which its long form stands."""
_LONG = re.compile(r"(?:[A-Z][\w&’'-]{0,90}(?: (?:and|of|for|the|&)){0,4}(?:[ \n]{1,20}|$)){1,30}$")
_LEAST_WORDS = 2
_UNITED_STATES = re.compile(r"\bU\. ?S\.(?: ?A\.)?|\bUSA?\b")


@dataclass(frozen=True, slots=True)
class DefinedName:
    """A short name as a search term, and the search terms of what it stands for."""

    short: str
    words: frozenset[str]

    def is_named(self, terms: Collection[str]) -> bool:
        """True where a text with these search terms has one of the forms."""
        return self.short in terms or self.words.issubset(terms)


def spelled_out(text: str) -> str:
    """The text with the United States written in full: "U.S." has no search term of its own.

    >>> spelled_out("U.S. inventories")
    'United States inventories'
    """
    return _UNITED_STATES.sub("United States", text)


def defined_names(text: str) -> frozenset[DefinedName]:
    """The short names that a text defines, with the words that they stand for.

    >>> names = defined_names("Our segments are Client Computing (CCG), Network and Edge (NEX) and others (“others”).")
    >>> sorted((name.short, sorted(name.words)) for name in names)
    [('ccg', ['client', 'comput']), ('nex', ['edg', 'network'])]
    """
    found = set()
    for match in _SHORT.finditer(text):
        words = _long_form(text[max(0, match.start() - _BEFORE) : match.start()], match["short"])
        short = search_words(match["short"])
        if len(words) >= _LEAST_WORDS and len(short) == 1:
            found.add(DefinedName(short[0], words))
    return frozenset(found)


def _long_form(before: str, short: str) -> frozenset[str]:
    """The capitalised words right before a short name, from the one that begins with its first letter."""
    match = _LONG.search(before.rstrip())
    if match is None:
        return frozenset()
    words = match[0].split()
    starts = [at for at, word in enumerate(words) if word[0] == short[0]]
    fitting = [words[at:] for at in starts if _second_letter(words[at:]) == short[1]]
    if not fitting:
        return frozenset()
    closest = min(fitting, key=lambda name: abs(_capitals(name) - len(short)))
    return frozenset(search_words(" ".join(closest)))


def _second_letter(words: list[str]) -> str:
    capitalised = [word[0] for word in words if word[0].isupper()]
    return capitalised[1] if len(capitalised) > 1 else ""


def _capitals(words: Iterable[str]) -> int:
    return sum(word[0].isupper() for word in words)
