"""What the front of a document says of its issuer: charter line, listing in brackets, Chinese labels and titles, a
greeting; and of a short text without pages, the line above it or what its first sentence defines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ...core.names import strip_legal_form
from ...core.rules import load_rules
from ...core.sequences import first, without
from .headline import headline_issuer
from .names_in_print import (
    Issuer,
    Name,
    is_capitalised,
    is_company,
    is_full_name,
    name_before,
    rules,
    without_small_capitals,
    written_in_full,
)
from .vote import Claim

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
    r"^[^.;:]{2,70}?\b(Inc|INC|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|Ltd|LTD|Limited|LIMITED|LLC|PLC|plc|Plc|N\.V|S\.A|AG|SE|L\.P|Holdings|HOLDINGS|Group|GROUP|REIT|Trust|TRUST|Bancorp|BANCORP|ASA|AS|NV|SA)\b\.?$"
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


_SHORT = re.compile(r"(?:公司|证券|股票|證券)(?:简称|簡稱)\s*[:：]\s*([*\u4e00-\u9fffA-Za-z]{2,12})")
_CODE = re.compile(r"(?:公司|证券|股票|證券)(?:代码|代碼|代號)\s*[:：]\s*(\d{4,6})")
_ANNOUNCED = re.compile(
    r"(?P<name>[*\u4e00-\u9fffA-Za-z]{2,10})(?<![部局委院所省市县区会署])(?<!央行)(?<!人民银行)\s*[:：][^\n]*\n\s*"
    r"(?P=name)(?:公告|[^，。\n]{0,8}[(（]\d{5,6})"
)
"""A headline whose first name has announced the news; authorities and places announce things, too."""
_SPACED = re.compile(r"(?<=[\u4e00-\u9fff（）]) +(?=[\u4e00-\u9fff（）])")
_NAME = r"[\u4e00-\u9fff（）()A-Za-z·]{2,40}?"
_COMPANY_LINE = re.compile(r"^[^\n]{0,110}?公 ?司[^\n]{0,120}", re.MULTILINE)
"""The beginning of a line that names a company early."""
_WRAPPED = 20
"""Characters of a line that may be a wrapped sentence's."""
_CLOSED = re.compile(r"[:：]|[。！？；;)）】」”|]$")
_LONGEST_TITLE = 60
"""Characters."""


def chinese_cover(lines: Sequence[str]) -> Issuer:
    """The full name at the beginning of a title or after a label, with the code and short name of its shares."""
    begun = (line for above, line in zip(("", *lines), lines, strict=False) if not _is_wrapped(above))
    found = next(filter(None, map(_pattern("title").match, begun)), None)
    if found is None:
        return Issuer()
    text = "\n".join(lines)
    return Issuer(found["name"].strip("（）()"), *(_first_of(form, text) for form in (_CODE, _SHORT)))


def chinese_short_name(lines: Sequence[str]) -> Issuer:
    """The name that its shares trade under, where the full one is not printed."""
    return Issuer(_first_of(_SHORT, "\n".join(lines)))


def chinese_headline(lines: Sequence[str]) -> Issuer:
    """The name before the colon of a headline where it has announced the news: 光华电子：拟建工厂."""
    found = _ANNOUNCED.match("\n".join(map(str.strip, lines[:2])))
    return Issuer(found["name"]) if found else Issuer()


def chinese_titles(text: str) -> Iterator[Claim]:
    """Full names that begin a title anywhere, that the auditor writes to, or that "the company" stands for."""
    titles: Counter[Name] = Counter()
    for line in _lines_with_a_company(text):
        found = _pattern("label_and_name").match(line)
        if found is None:
            continue
        name = Name(found["name"].strip("（）()"), True)
        if _pattern("addressed").match(line, found.end()):
            yield Claim(name, "auditor's report")
        elif _pattern("defined").match(line, found.end()):
            yield Claim(name, "defined term")
        elif len(line) <= _LONGEST_TITLE and not line.endswith(("。", "，", "；")):
            titles[name] += 1
    yield from (Claim(name, "titles", count) for name, count in titles.items())


def _lines_with_a_company(text: str) -> Iterator[str]:
    """The beginnings of lines that name a company early and begin anew, without blanks between characters."""
    for line in _COMPANY_LINE.finditer(text):
        above = text[max(0, line.start() - 2 * _LONGEST_TITLE) : max(0, line.start() - 1)].rpartition("\n")[2]
        if not _is_wrapped(above):
            yield _SPACED.sub("", line.group()).strip(" #*|\u3000")


def _first_of(form: re.Pattern[str], text: str) -> str:
    return next((found[1] for found in form.finditer(text)), "")


def _is_wrapped(above: str) -> bool:
    """True where the line above is the beginning of a sentence, and no label, that goes on in the next."""
    above = above.strip()
    return len(above) > _WRAPPED and _CLOSED.search(above) is None


@cache
def _pattern(key: str) -> re.Pattern[str]:
    chinese = rules()["chinese"]
    named = rf"(?:{chinese['label']})?(?P<name>{_NAME}{chinese['form']})"
    patterns = {"label_and_name": named, "title": rf"\W*{named}(?!\s*(?:代表人|法定代表))(?=[^，。；]{{0,40}}$)"}
    return re.compile(patterns.get(key) or chinese[key])


_LONGEST = 10_000
"""Characters of a text that its first words name."""
_LONGEST_LINE, _MOST_WORDS = 100, 12
_SENTENCE_ENDS = (".", "!", "?", ",", ";", ":", "。", "！", "？", "，", "；", "：")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_BRACKETS = re.compile(r"\([^()]{0,200}(?:\([^()]{0,80}\)[^()]{0,200})?\)")
_HEAD = 600
"""Characters in which the first sentence says what something is."""


def title_line(text: str) -> str:
    """The first line of a text, where it is no sentence and more stands below it; else "".

    >>> title_line("Jeff Porcaro\\nHe was an American drummer."), title_line("He was a drummer.\\nHe played.")
    ('Jeff Porcaro', '')
    """
    if len(text) > _LONGEST:
        return ""
    line, _, rest = text.lstrip().partition("\n")
    line = line.strip()
    is_short = len(line) <= _LONGEST_LINE and len(line.split()) <= _MOST_WORDS
    is_sentence = line.endswith(_SENTENCE_ENDS) or line[:1].islower()
    if not is_short or is_sentence or "|" in line or not _LETTERS.search(line):
        return ""
    return line if len(rest.strip()) > len(line) else ""


def defined_name(text: str) -> str:
    """The name of which the first sentence says what it is; "" where it begins otherwise.

    >>> defined_name("The Battle of Hastings (14 October 1066) was a battle between two armies.")
    'The Battle of Hastings'
    >>> defined_name("Net sales rose by 3%."), defined_name("Revenue of 2022 was higher.")
    ('', '')
    """
    if len(text) > _LONGEST:
        return ""
    words = _BRACKETS.sub(" ", text[:_HEAD]).split()[: _MOST_WORDS + 2]
    name: list[str] = []
    for at, word in enumerate(words):
        if word.lower() in _words("is"):
            said = words[at + 1 : at + 2]
            defines = bool(said) and said[0].lower() in _words("what")
            return " ".join(name) if name and defines else ""
        if not (_is_capitalised(word) or (name and word.lower() in _words("between"))):
            return ""
        name.append(word.strip(',"“”'))
    return ""


def _is_capitalised(word: str) -> bool:
    first = word.lstrip("\"'“‘")[:1]
    return first.isupper() or first.isdigit()


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "metadata.toml")["definition"][name].split())


_PLACES: tuple[Callable[[Sequence[str]], Issuer], ...] = (
    charter_issuer,
    chinese_cover,
    _listed_issuer,
    _opening_issuer,
    welcomed_to,
    chinese_short_name,
    chinese_headline,
    _titled_issuer,
    headline_issuer,
)
"""Places where covers name their issuer, the surest first."""
