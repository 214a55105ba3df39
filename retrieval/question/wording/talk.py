"""Words that ask, words that only talk: of asking and answering, of who asks, of the occasion, of where to look."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from ....core.patterns import PatternTable
from ....core.rules import load_rules
from ....core.words import search_words

_RULES = PatternTable(__package__, "asking.toml")
COMMA = re.compile(r",\s+|(?<!\s)\s+(?:[–—]\s+|-\s+(?=[A-Za-z]))")
_TWO_WORDS = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
"""A name such as "United States", whatever its words mean by themselves."""
_REFERS = re.compile(r"\b(?:this|that|these|those|it|its|they|them|their|there)\b", re.IGNORECASE)
_ENOUGH = 2
"""Words of content with which a question that refers to nothing stands alone."""
_AMOUNT = re.compile(r"[$€£¥]\s?\d|\d\s?(?:million|billion|bn|%)")


def is_empty_talk(text: str) -> bool:
    """True for words of talk and nothing else; False where there are none either ("if any")."""
    if content_of(text) or _AMOUNT.search(text):
        return False
    words = search_words(text)
    talks = not stems_of("talk").isdisjoint(words) or _RULES.any("places", text)
    return talks or _RULES.any("speakers", text)


@lru_cache(maxsize=4096)
def content_of(text: str) -> tuple[str, ...]:
    """Search terms of a text that documents may hold: neither talk nor names of statements."""
    rest = text
    for place in patterns_of("places"):
        rest = place.sub(" ", rest)
    words = [word for word in search_words(rest) if word not in stems_of("plain")]
    content = [word for word in words if word not in stems_of("talk")]
    if rest != text or len(content) < len(words) or _RULES.any("speakers", text):
        content = [word for word in content if word not in stems_of("ambiguous")]
    names = [word for name in _TWO_WORDS.findall(rest) for word in search_words(name)]
    return tuple(dict.fromkeys((*content, *names)))


def speaks_of_asking(word: str) -> bool:
    """True for an ordinary word of asking and answering."""
    return not content_of(word)


def asks_within(clause: str) -> bool:
    """True where a question or a polite wish follows other words: "in short, what was ..", "I need Acme's revenue"."""
    return any(is_asking(segment) for segment in COMMA.split(clause))


def is_asking(segment: str) -> bool:
    begins = opened(segment)
    wish = polite_opening(begins)
    if wish is not None:
        return bool(content_of(begins[wish.end() :]))
    return begins_with("question", begins) and bool(content_of(begins))


def stands_alone(text: str) -> bool:
    """True for a question that refers to nothing before it."""
    return not _REFERS.search(text) and len(content_of(text)) >= _ENOUGH


def polite_opening(text: str) -> re.Match[str] | None:
    """The longest polite opening."""
    found = [match for pattern in patterns_of("polite") if (match := pattern.match(text))]
    return max(found, key=lambda match: match.end(), default=None)


def opened(text: str) -> str:
    """The text without the words that may stand before a question or an order."""
    return (
        pattern_of("openers").sub("", text.lstrip(" \"'“(-"), count=1) if begins_with("openers", text) else text.strip()
    )


def begins_with(name: str, text: str) -> bool:
    return pattern_of(name).match(text.lstrip(" \"'“(")) is not None


def is_fully(name: str, text: str) -> bool:
    return pattern_of(name).fullmatch(text.strip(" \"'“(),.?!")) is not None


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def bare(text: str) -> str:
    return text.strip(" \n\t,.:;")


@cache
def stems_of(name: str) -> frozenset[str]:
    return frozenset(search_words(_rules()[name]))


def patterns_of(name: str) -> tuple[re.Pattern[str], ...]:
    return _RULES.all(name)


def pattern_of(name: str) -> re.Pattern[str]:
    return patterns_of(name)[0]


def _rules() -> dict[str, Any]:
    return load_rules(__package__, "asking.toml")
