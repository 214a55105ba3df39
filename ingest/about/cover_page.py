"""What the first page says of the issuer: by charter line, listing in brackets, Chinese labels, a greeting, a title."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...core.names import strip_legal_form
from ...core.sequences import first, without
from .chinese_issuer import chinese_cover, chinese_headline, chinese_short_name
from .company_names import Issuer, is_capitalised, is_company, is_full_name, without_small_capitals, written_in_full
from .names_in_print import name_before

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


_CHARTER = re.compile(
    r"exact\s+names?\s+of\s+(?:(?:the|each)\s+)?(?:registrant|company|issuer)|names?\s+of\s+registrant", re.IGNORECASE
)
_LISTED = re.compile(
    r"[(（]\s*(?:(?:the\s+)?[“\"'][^”\"']{1,40}[”\"'][;,\s]*)?"
    r"(?:NYSE|NASDAQ|Nasdaq|NasdaqGS|NYSE\s+American|AMEX|LSE|AIM|TSX|HKEX|SEHK|SIX|ASX|OTC\w{0,8})[\w\s]{0,20}"
    r"[:：]\s*(?P<ticker>[A-Z][A-Z0-9.]{0,5})\b"
)
_SYMBOL_LABEL = re.compile(r"trading\s*symbol", re.IGNORECASE)
_SYMBOL = re.compile(
    r"^[ \t]*([A-Z]{1,5})[ \t]*$|(?<!\S)([A-Z]{1,5})[ \t]+(?i:nasdaq|the|new|nyse|chicago)(?!\S)", re.MULTILINE
)
"""A word in capitals that stands alone, or before where it is listed."""
_SYMBOL_LINES = 25
_NO_SYMBOLS = frozenset(("OF", "ON", "THE", "OR", "AND", "ACT", "NONE", "YES", "NO", "NYSE", "LLC", "INC", "N", "A"))
_LEGAL = re.compile(
    r"^[^.;:]{2,70}?\b(Inc|INC|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|Ltd|LTD|Limited|LIMITED|LLC|PLC|plc|Plc|N\.V|S\.A|AG|SE|L\.P|Holdings|HOLDINGS|Group|GROUP)\b\.?$"
)
_REST_WORDS = "inc|corporation|corp|company|co|limited|ltd|plc|llc|group|holdings|incorporated"
_REST = re.compile(rf"^(?:and|of|&)\b|^(?:{_REST_WORDS})(?:[\s,.]+(?:{_REST_WORDS}))*\W*$", re.IGNORECASE)
_OPEN_END = re.compile(r"(?:,|&|\band|\bof)$", re.IGNORECASE)
_TITLE_LINES, _COVER_LINES = 3, 25
_CHARTER_LINES = 4
"""Lines above the charter line among which the name stands."""
_LONGEST_LABEL = 3
"""Characters before the charter line that are no name yet."""
_LONGEST_NAME = 10
"""Words of a name."""
_PLAIN_REST = re.compile(r"\W*$|\s*[(（–—-]|\s*(?:Q[1-4]|[1-4]Q|FY|(?:19|20)\d\d)\b")
"""After a name in a title: nothing, a bracket, a dash or a period."""
_TICKER_AFTER = re.compile(r"\s*[(（]([A-Z]{1,5}(?:\.[A-Z])?)[)）]")
HEAD = 6_000
"""Characters that are looked at as the cover."""


def find_issuer(lines: Sequence[str]) -> Issuer:
    """The issuer named on a cover page, if any: what the surest kind of place says."""
    for place in _PLACES:
        found = place(lines)
        if found.company:
            return found
    return Issuer()


def charter_issuer(lines: Sequence[str]) -> Issuer:
    """The name printed above (or after) "(Exact name of registrant as specified in its charter)"."""
    text = "\n".join(lines)
    label = _CHARTER.search(text)
    if label is None:
        return Issuer()
    *above, before = text[: label.start()].split("\n")
    after = text[label.end() :].partition("\n")[0].partition(":")[2]
    beside = [name for name in (before.strip(" (:"), after.strip()) if len(name) > _LONGEST_LABEL and is_company(name)]
    name = beside[0] if beside else _joined_name(list(map(str.strip, above[-_CHARTER_LINES:])))
    return Issuer(name, _symbol(text), how="charter line")


def _listed_issuer(lines: Sequence[str]) -> Issuer:
    """ "Acme Inc. (NASDAQ: ACME)"."""
    flat = " ".join(" ".join(lines).split())
    for found in _LISTED.finditer(flat):
        if name := name_before(flat, found.start()):
            return Issuer(name.text, found["ticker"])
    return Issuer()


def _opening_issuer(lines: Sequence[str]) -> Issuer:
    """The name with a legal form that one of the first titles begins with: "Acme Inc. (ACME)", "Acme AB opens a plant".

    Before other words it has to come back in the text: "Why Acme Inc. fell" begins with no name.
    """
    for at, line in enumerate(lines[:_TITLE_LINES]):
        if line.rstrip().endswith((".", "。")) and not is_full_name(line):
            continue
        found = _opening_of(line, "\n".join(lines[at + 1 :]))
        if found.company:
            return found
    return Issuer()


def _opening_of(line: str, below: str) -> Issuer:
    words = line.split()[:_LONGEST_NAME]
    for count in range(len(words), 1, -1):
        opening = " ".join(words[:count])
        name = opening.rstrip(",:;")
        if not (is_full_name(name) and is_company(name)):
            continue
        rest = " ".join(line.split())[len(opening) :]
        if _PLAIN_REST.match(rest) or strip_legal_form(name) in below:
            ticker = _TICKER_AFTER.match(rest)
            return Issuer(name, ticker[1] if ticker else "")
    return Issuer()


def _titled_issuer(lines: Sequence[str]) -> Issuer:
    """The first of the first lines that is a name with the look of a company's."""
    for line in lines[:_COVER_LINES]:
        title = line.strip()
        if _LEGAL.match(title) and is_capitalised(title) and is_company(title):
            return Issuer(title)
    return Issuer()


_PLACES: tuple[Callable[[Sequence[str]], Issuer], ...] = (
    charter_issuer,
    chinese_cover,
    _listed_issuer,
    _opening_issuer,
    welcomed_to,
    chinese_short_name,
    chinese_headline,
    _titled_issuer,
)
"""Places where covers name their issuer, the surest first."""


def _joined_name(above: Sequence[str]) -> str:
    """The last lines above the label that are a name; one that is broken over two lines is joined."""
    names = list(above)
    while names and not (is_company(names[-1]) or _REST.match(names[-1])):
        names.pop()
    if not names:
        return ""
    name = without_small_capitals(names[-1])
    if len(names) > 1 and is_company(names[-2]) and _goes_on(names[-2], name):
        name = f"{names[-2]} {name}"
    return re.sub(r" ([.,])", r"\1", " ".join(name.split()))


def _goes_on(first: str, second: str) -> bool:
    """ "AMERICAN WATER WORKS" + "COMPANY, INC.": the second is a bare rest, or the first ends open."""
    return bool(_REST.match(second)) or bool(_OPEN_END.search(first.strip()))


def _symbol(text: str) -> str:
    """The ticker in the table of registered securities: the first word in capitals below "Trading symbol"."""
    label = _SYMBOL_LABEL.search(text)
    below = "\n".join(text[label.end() :].split("\n")[1:_SYMBOL_LINES]) if label else ""
    symbols = (found[1] or found[2] for found in _SYMBOL.finditer(below))
    return first(without(symbols, _NO_SYMBOLS), "")


__all__ = ["HEAD", "charter_issuer", "find_issuer", "is_company", "written_in_full"]
