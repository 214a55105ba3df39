"""What is the name of a company, and what only stands where names do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ...core.names import has_legal_form, strip_legal_form
from ...core.rules import load_rules

_LONGEST = 90
"""Characters of a name."""
_NAME = re.compile(rf"(?=.*[^\W\d_]).{{2,{_LONGEST}}}")
"""With a letter, and neither too short nor too long."""
_WORD = re.compile(r"[^\s.,()“”\"'’*:–-]+")
_FORM_WORDS, _FORM_WIDTH = 5, 60
"""Words and characters after a name among which its legal form is looked for."""
_SHORT_WORD = re.compile(r"(?:^|\s)(?![A-Z]{1,2},?$)\w{1,2},?$")
"""What a legal form of two letters may be as well: "as", "co"."""
_SMALL_CAPITALS = re.compile(r"\b([A-Z]) (?=[A-Z]{3,}\b)")


@dataclass(frozen=True, slots=True)
class Issuer:
    """Company and ticker as printed; ``short`` is the Chinese name that its shares trade under (四方科技)."""

    company: str = ""
    ticker: str = ""
    short: str = ""
    how: str = "cover page"
    """The kind of witness."""


@cache
def rules() -> dict[str, Any]:
    """How issuers are recognised (issuer.toml)."""
    return load_rules(__package__, "issuer.toml")


@cache
def words(key: str) -> frozenset[str]:
    """A list of words of the rules for names."""
    return frozenset(rules()["names"][key])


@lru_cache(maxsize=1 << 14)
def is_company(name: str) -> bool:
    """False for what stands on covers beside the name: states, forms, dates, labels, addresses, "Holding Company".

    >>> is_company("Foot Locker, Inc."), is_company("Delaware"), is_company("(Mark One)"), is_company("New York")
    (True, False, False, False)
    """
    name = name.strip(" .,:;*")
    if not _NAME.fullmatch(name):
        return False
    return not any((name.lower() in _places(), is_generic(name), _no_company().search(name)))


def is_generic(name: str) -> bool:
    """True where every word is one that any company may be called by.

    >>> is_generic("Parent Holding Company"), is_generic("The Boeing Company")
    (True, False)
    """
    own = set(_WORD.findall(name.lower())) - words("generic")
    return all(map(str.isdigit, own))


@lru_cache(maxsize=1 << 14)
def role_of_others(name: str) -> str:
    """What a name stands for that is mostly found in the reports of others: an exchange, an auditor, a registry.

    >>> role_of_others("Australian Securities Exchange Limited"), role_of_others("Acme Limited")
    ('exchange', '')
    """
    return next((role for role, form in _others() if form.search(name)), "")


def written_in_full(name: str, text: str) -> str:
    """The name with the legal form that the text adds to it somewhere, else as it is.

    >>> written_in_full("acme", "Acme rose. Acme, Inc. fell."), written_in_full("Acme", "Acme rose")
    ('Acme, Inc.', 'Acme')
    """
    if not name or has_legal_form(name):
        return name
    places = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    spelled = (_with_form(place.group(), text, place.end()) for place in places)
    return next(filter(None, spelled), name)


def is_full_name(name: str) -> bool:
    """True for a name that ends in its legal form; a short form counts in capitals or with its dot ("AB", "Co.")."""
    if len(name) > _LONGEST or _SHORT_WORD.search(name):
        return False
    return all((is_capitalised(name), has_legal_form(name), strip_legal_form(name) != name))


def is_capitalised(line: str) -> bool:
    """True where all words but the smallest begin with a capital: a line that is a name, no sentence."""
    lower = {word for word in line.split() if word[:1].islower()}
    return lower <= words("small") | {"plc"}


def without_small_capitals(name: str) -> str:
    """ "MGM R ESORTS I NTERNATIONAL" -> "MGM RESORTS INTERNATIONAL": initials in larger type were taken for words."""
    joined, initials = _SMALL_CAPITALS.subn(r"\1", name)
    return joined if initials > 1 else name


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """One form for all the patterns, case ignored."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _with_form(name: str, text: str, end: int) -> str:
    """The name with the longest legal form that follows it in the text; "" where none does, or it has no capital."""
    if not name[:1].isupper():
        return ""
    after = text[end : end + _FORM_WIDTH].split("\n")[0].split(" ")[:_FORM_WORDS]
    for count in range(len(after), 0, -1):
        full = (name + " ".join(after[:count])).rstrip(",:; ")
        if full != name and is_full_name(full) and strip_legal_form(full) == name:
            return _without_sentence_end(full)
    return ""


def _without_sentence_end(full: str) -> str:
    """Without the last dot where it is the sentence's: "Acme AB." but not "Acme Inc."."""
    last = full.rstrip(".").split()[-1]
    return full.removesuffix(".") if last.isupper() and "." not in last else full


@cache
def _others() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((other["role"], re.compile(other["pattern"], re.IGNORECASE)) for other in rules()["other"])


@cache
def _no_company() -> re.Pattern[str]:
    return any_of(load_rules(__package__, "metadata.toml")["not_company"]["patterns"])


@cache
def _places() -> frozenset[str]:
    excluded = load_rules(__package__, "metadata.toml")["not_company"]
    return frozenset(excluded["places"].split()) | frozenset(excluded["place_names"])
