"""In which part of a firm an office is held: the president of "Digital Media" leads no firm."""

from __future__ import annotations

import re

from ....core.words import search_words
from .cells import Known, place_in, roles_in

_OFFICE = (
    r"(?P<chief>\bChief [\w&]{2,20}(?: [\w&]{2,20})? Officer|\bC[EFOT]O)"
    r"|(?P<head>(?<!\bVice )\bPresident|\bGeneral Manager|\bManaging Director|\bChair(?:man|woman|person)?)"
)
_NAME = r"(?:the )?(?P<name>(?-i:[A-Z])[\w&/-]{1,20}(?:,? (?:and |& )?(?-i:[A-Z])[\w&/-]{1,20}){0,5})"
_NAMED = re.compile(rf"(?:{_OFFICE})(?:(?P<comma>,)| of| for| and General Manager of)\s(?={_NAME})", re.IGNORECASE)
"""An office with a name behind it: "President, Digital Media", "Chief Financial Officer of Bolt Global Services"."""
_DESCRIBED = re.compile(
    r"\b(?:of|for) (?P<unit>(?:our|its|their|the (?-i:[A-Z])[a-z]{2,14}['’]s) (?:[\w-]{1,20} ){0,3}"
    r"(?:subsidiar(?:y|ies)|divisions?|business(?:es)?|units?|operations|region|segments?|affiliates?|branch))\b",
    re.IGNORECASE,
)
"""A part of the firm that has no name: "President of the Company's Illinois subsidiary"."""
_CHIEF = re.compile(r"\b(?:Chief Executive(?: Officer)?|CEO)\b", re.IGNORECASE)
_THE_FIRM = frozenset(
    ["board", "company", "corporation", "registrant", "bank", "firm", "partnership", "trust", "executive", "senior"]
)
"""Words that begin what is no part of a firm: the firm itself, its board, a further office."""


def unit_of(role: str, firm: str, known: Known) -> str:
    """The part of the firm in which words about an office say that it is held; "" where it is the firm's own.

    >>> unit_of("President and Chief Executive Officer, Bolt Global Services", "Bolt Inc.", {})
    'Bolt Global Services'
    >>> unit_of("Chief Scientific Officer, President, Worldwide Research", "Bolt Inc.", {})
    'Worldwide Research'
    >>> unit_of("Chief Financial Officer, Treasurer", "Bolt Inc.", {}), unit_of("CEO of the Company", "Bolt Inc.", {})
    ('', '')
    """
    described = _DESCRIBED.search(role)
    if described is not None:
        return described["unit"]
    for match in _NAMED.finditer(role):
        name = match["name"]
        if _is_unit(match, firm, known) and not _leads_besides(role[: match.start()], match):
            return name
    return ""


def _is_unit(match: re.Match[str], firm: str, known: Known) -> bool:
    """True for a name that is neither the firm's own nor a further office.

    Behind a comma a chief officer's name of a department follows as well ("Chief Financial Officer, Finance"): there
    it has to be a place, a segment, or the firm's name and more.
    """
    name = match["name"]
    words, own = search_words(name), search_words(firm)
    if not words or name.split()[0].lower() in _THE_FIRM or roles_in(name) or set(words) <= set(own):
        return False
    goes_on = words[:1] == own[:1]
    may_be_the_firm = known.get(name) == "company" or _initials(firm) == name
    if may_be_the_firm and not goes_on:
        return False
    is_sure = goes_on or place_in(name) != "" or known.get(name) == "segment"
    return is_sure or match["head"] is not None or match["comma"] is None


def _leads_besides(before: str, match: re.Match[str]) -> bool:
    """True for the chief executive who is the president of a unit as well: "CEO and President, Digital Media"."""
    return match["head"] is not None and _CHIEF.search(before) is not None


def _initials(firm: str) -> str:
    return "".join(word[0] for word in firm.split() if word[:1].isupper())
