"""Questions typed without capitals, or in capitals only: names get the letters by which they are known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...core.names import is_chinese
from ...kg.store import Store
from .entity_linking import link_entities
from .scope.companies import CompanyIndex

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])")
_FIRST_LETTER = re.compile(r"(?<![\w'’])[a-z]")
_NOT_LETTERS = re.compile(r"[\W_]+")
_MONTH = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"(?=[ ,.]*\d|\s+(?:quarter|half|to|through)\b)"
)
_ABBREVIATION = re.compile(r"\b(?:fy|q[1-4]|h[12]|cy)(?=[ '’]?\d|\b)|\b(?:10-[kq]|8-k|ceo|cfo)\b")
_FEWEST = 3
"""Words from which the letters of a question tell anything."""
_SHORTEST_TICKER = 3


def with_capitals(text: str, store: Store, companies: CompanyIndex) -> str:
    """The text with the capitals of companies, tickers and entities of the graph, where its letters are all alike.

    A text with letters of both kinds is given back as it is.
    """
    words = _WORD.findall(text)
    if len(words) < _FEWEST or is_chinese(text):
        return text
    if not all(word.isupper() for word in words) and not all(word.islower() for word in words):
        return text
    plain = _ABBREVIATION.sub(lambda match: match[0].upper(), text.lower())
    plain = _MONTH.sub(lambda match: match[0].title(), plain)
    named = _companies_in(plain, companies)
    for start, end in named:
        plain = plain[:start] + _titled(plain[start:end]) + plain[end:]
    if not named:
        plain = _WORD.sub(lambda match: _as_company(match[0], companies), plain)
    for link in link_entities(store, plain, similar=False):
        plain = _as_known(plain, link.written, (link.entity.name, *link.entity.aliases))
    return plain


def _companies_in(text: str, companies: CompanyIndex) -> list[tuple[int, int]]:
    """Where companies are named; a word that may also be an ordinary one counts if it names the only company."""
    sure = {(start, end) for start, end, _ in companies.mentions(text)}
    perhaps = companies.mentions(_FIRST_LETTER.sub(lambda match: match[0].upper(), text))
    for start, end, _ in perhaps:
        is_whole_name = _NOT_LETTERS.sub("", text[start:end]) not in companies.weak
        if is_whole_name and not any(start < b and a < end for a, b in sure):
            sure.add((start, end))
    if not sure and len({key for *_, key in perhaps}) == 1:
        sure = {(start, end) for start, end, _ in perhaps}
    return sorted(sure)


def _titled(name: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in name.split(" "))


def _as_company(word: str, companies: CompanyIndex) -> str:
    """A ticker in capitals; a name with the s of its owner ("pfizers") with a capital."""
    if len(word) >= _SHORTEST_TICKER and word.upper() in companies.tickers:
        return word.upper()
    is_owner = word.endswith("s") and len(word) > _SHORTEST_TICKER and companies.find(word[:-1].title())
    return word.title() if is_owner else word


def _as_known(text: str, written: str, spellings: Iterable[str]) -> str:
    """The text with a name as the graph spells it."""
    known = next((name for name in spellings if name.lower() == written.lower()), written)
    return text.replace(written, known)
