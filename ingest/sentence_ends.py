"""Where a sentence ends, English and Chinese: which full stops belong to an abbreviation, a number or a quotation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ..core.rules import load_rules

_END = re.compile(
    r"(?P<chinese>(?:(?<![!?…])[!?…]+)?[。！？](?:[。！？!?…]|\.{3})*[”’」』）)】》\"']*)"
    r"|(?P<english>(?<![.!?])[.!?]+[\"'”’)\]]*(?=\s))"
    r"|(?P<footnote>(?<=[a-z])\.\d{1,2}(?=\s+[A-Z]))"
)
_LAST_WORD = re.compile(r"(?<![A-Za-z.'’])[.'’]*(?P<word>[A-Za-z][A-Za-z.'’]*)\Z")
_NEXT_WORD = re.compile(r"[A-Za-z']+")
_INITIALS = re.compile(r"(?:[a-z]\.)*[a-z]")
_ENUMERATOR = re.compile(r"[(（]?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})\.")
_QUOTES = "”’」』\"'"
_LOOK_BACK, _LOOK_AHEAD = 24, 24
"""Characters before and after a mark that decide what it is."""
_CAPITALS_WITHIN = 200
"""Characters of a sentence in which capitals are looked for."""


def split_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of every sentence in ``text[start:end]``, a line without blanks around it.

    >>> line = "Acme Inc. earned $1.2 billion. Markets fell."
    >>> [line[first:last] for first, last in split_line(line, 0, len(line))]
    ['Acme Inc. earned $1.2 billion.', 'Markets fell.']
    """
    first = start
    for match in _END.finditer(text, start, end):
        if match.end() < end and _ends_sentence(text, first, match, end):
            yield first, match.end()
            first = match.end()
            while text[first].isspace():
                first += 1
    yield first, end


def _ends_sentence(text: str, first: int, match: re.Match[str], end: int) -> bool:
    """True where the marks that were found end the sentence from ``first`` on."""
    following = text[match.end() : min(end, match.end() + _LOOK_AHEAD)]
    marks = match.group()
    if match.lastgroup == "chinese":
        quoted = marks[-1] in _QUOTES
        return not (quoted and _speech().match(following))
    following = following.lstrip()
    opening = text[first : min(match.start(), first + _CAPITALS_WITHIN)]
    goes_on = _goes_on_in_lower_case(opening, following)
    if marks[0] in "!?":
        is_name = following.startswith(("Inc", "Corp"))  # "Yahoo! Inc."
        return not (goes_on or is_name)
    several_marks = len(marks) > 1  # a trailing thought, a quotation that goes on
    if goes_on and several_marks:
        return False
    return not _is_abbreviation(text, first, match.start(), following, goes_on)


def _goes_on_in_lower_case(opening: str, following: str) -> bool:
    """True before a lower-case word: that shows that the sentence goes on only where the text has capitals at all."""
    if not following[:1].islower():
        return False
    return any(map(str.isupper, opening))


def _is_abbreviation(text: str, first: int, stop: int, following: str, lower: bool) -> bool:
    """True where the full stop at ``stop`` belongs to the word or the number before it."""
    if _ENUMERATOR.fullmatch(text, first, stop + 1):
        return True
    before = text[max(first, stop - _LOOK_BACK) : stop]
    numbered = _numbered().search(before)
    if numbered:
        is_all = stop - first == len(numbered.group())
        return numbered["title"] is not None or is_all
    word = _LAST_WORD.search(before)
    if not word:
        return False
    start = word.start("word")
    is_unit = before[start - 1 : start].isdigit()  # "2.1x.", "$5.0M."
    return not is_unit and _goes_on(word["word"], following, lower)


def _goes_on(word: str, following: str, lower: bool) -> bool:
    """True where a sentence goes on after this word with a full stop."""
    words = _abbreviations()
    token = word.lower()
    if token in words.never_end:
        is_agency = word.isupper() and len(word) > 2  # "sec. 302", but "filed with the SEC."
        return not is_agency
    if token not in words.may_end and not _is_initials(token):
        return False
    upcoming = _NEXT_WORD.match(following)
    if lower or not upcoming:
        return True
    return upcoming.group().lower() not in words.starters


def _is_initials(token: str) -> bool:
    """True for "j" and "j.p"; "i" is a word."""
    return token != "i" and _INITIALS.fullmatch(token) is not None


@dataclass(frozen=True, slots=True)
class _Abbreviations:
    """Words in lower case, without their last full stop."""

    never_end: frozenset[str]
    may_end: frozenset[str]
    """Those that end a sentence where one of the starters follows."""
    starters: frozenset[str]


@cache
def _abbreviations() -> _Abbreviations:
    words = load_rules(__package__, "sentences.toml")["english"]
    return _Abbreviations(
        never_end=frozenset(words["never_end"]),
        may_end=frozenset(words["may_end"]),
        starters=frozenset(words["starters"]),
    )


@cache
def _numbered() -> re.Pattern[str]:
    """ "Item 1A" anywhere, "Note 5" where it is all of the sentence so far; group ``title`` tells the former."""
    words = load_rules(__package__, "sentences.toml")["english"]
    title, label = "|".join(words["titles"]), "|".join(words["labels"])
    return re.compile(rf"\b(?:(?P<title>{title})|{label})\s+(?:\d+[A-Z]?|[IVX]+)\Z", re.IGNORECASE)


@cache
def _speech() -> re.Pattern[str]:
    verbs = load_rules(__package__, "sentences.toml")["chinese"]["speech"]
    return re.compile(rf"[^。！？\s]{{0,6}}(?:{'|'.join(verbs)})")
