"""Whom a call is of: the company that its listeners are welcomed to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .company_names import Issuer, is_company, written_in_full

_NAME_WORDS = r"[A-Z0-9][\w&.,’'-]*(?:\s+(?:[A-Z&+][\w&.,’'-]*|of|and)){0,7}?"
_OCCASION = (
    r"(?i:financial\s+results|earnings|quarterly|quarter-end|conference|results|annual|half|presentation|discussion|call|teleconference|investor"
    r"|webcast)\b"
)
_WELCOME = re.compile(
    r"(?:(?i:\bwelcome)(?:\s+(?:you|everyone|everybody|all|back)){0,3}\s+to"
    r"|(?i:\b(?:thanks|thank\s+you)\s+for\s+(?:joining|attending|calling))(?:\s+us)?(?:\s+(?:on|for|at|in|to))?"
    r"|(?i:\bthis\s+is))\s+(?:the\s+|our\s+|today['’]s\s+)?"
    rf"(?P<name>{_NAME_WORDS})\s+(?:and\s+)?{_OCCASION}"
    rf"|(?:call|teleconference|conference|webcast)\s+(?:for|of)\s+(?:the\s+)?(?P<last>{_NAME_WORDS})[.,](?:\s|$)"
)
_PERIOD_WORDS = re.compile(
    r"\b(?:(?:first|second|third|fourth|full|half|fiscal)[\s-]{1,9}(?:fiscal\s+)?(?:quarter|year|half)?|q[1-4]|[1-4]q|fy\s?\d+)"
    r"(?:\s{1,9}(?:of\s+)?(?:fiscal\s+)?(?:year\s+)?(?:19|20)\d\d)?\b|\b20\d\d\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[a-z]{4}\.(?:\s|$)")
_PERSON = re.compile(r"\b(?:president|officer|director|manager|head|relations|treasurer)\b", re.IGNORECASE)
"""What a host who greets is: "This is Jo Poe, Vice President of Acme"."""
_ANY_CALL = re.compile(
    r"(?:(?:earnings|conference|results|call|webcast|investor|quarterly|annual|and)\s*)+", re.IGNORECASE
)


def welcomed_to(lines: Sequence[str]) -> Issuer:
    """The company of "welcome to the third quarter 2020 Acme earnings call"."""
    text = "\n".join(lines)
    flat = " ".join(_PERIOD_WORDS.sub(" ", " ".join(text.split())).split())
    for found in _WELCOME.finditer(flat):
        name = re.sub(r"['’]s?$", "", (found["name"] or found["last"]).strip(" ,."))
        if not is_company(name) or _ANY_CALL.fullmatch(name) or _PERSON.search(name):
            continue
        if not _SENTENCE_END.search(found["name"] or ""):
            return Issuer(written_in_full(name, text), how="greeting")
    return Issuer()
