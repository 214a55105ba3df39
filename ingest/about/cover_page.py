"""What the first page says: company, ticker, kind, period, date."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cache

from ...core.names import has_legal_form, strip_legal_form
from ...core.rules import load_rules

_CHARTER = re.compile(r"exact\s+name\s+of\s+(the\s+)?(registrant|company|issuer)|name\s+of\s+registrant", re.IGNORECASE)
_LISTED = re.compile(
    r"(?P<name>[A-Z0-9][\w&.,’'®™/-]*(?:\s+(?:[A-Z0-9&][\w&.,’'®™/-]*|of|and|de|the|for))*)\s*[(（]\s*"
    r"(?:(?:the\s+)?[“\"'].{1,40}?[”\"'][;,\s]*)?(?:NYSE|NASDAQ|Nasdaq|NasdaqGS|NYSE\s+American|AMEX|LSE|TSX|HKEX|SEHK|SIX|ASX|OTC\w*)[\w\s]*"
    r"[:：]\s*(?P<ticker>[A-Z][A-Z0-9.]{0,5})\b"
)
_ZH_NAME = re.compile(
    r"^\W*(?:(?:公司|企业|发行人|申请人)?(?:名称|全称)\s*[:：]\s*)?"
    r"(?P<name>[\u4e00-\u9fff（）()A-Za-z·]{2,40}?(?:股份有限公司|集团有限公司|有限责任公司|有限公司))(?=[^，。；]{0,40}$)",
    re.MULTILINE,
)
"""A full name at the beginning of a title or label's line: in a sentence it may be anybody's."""
_ZH_HEADLINE = re.compile(r"(?P<name>[*\u4e00-\u9fffA-Za-z]{2,10})\s*[:：]")
_NO_COMPANY = re.compile(r"(?:[部局委院所省市县区会署]|央行|人民银行)$")
"""Authorities and places announce things too."""
_ZH_SHORT = re.compile(r"(?:公司|证券|股票)简称\s*[:：]\s*([*\u4e00-\u9fffA-Za-z]{2,12})")
_ZH_CODE = re.compile(r"(?:公司|证券|股票)代码\s*[:：]\s*(\d{4,6})")
_SYMBOL = re.compile(r"^[A-Z]{1,5}$")
_NO_SYMBOLS = frozenset(("OF", "ON", "THE", "OR", "AND", "ACT", "NONE", "YES", "NO", "NYSE", "LLC", "INC", "N", "A"))
_NAME_WORDS = r"[A-Z0-9][\w&.,’'-]*(?:\s+(?:[A-Z&+][\w&.,’'-]*|of|and))*?"
_WELCOME = re.compile(
    r"(?:(?i:\bwelcome)(?:\s+(?:you|everyone|everybody|all|back))*\s+to"
    r"|(?i:\b(?:thanks|thank\s+you)\s+for\s+(?:joining|attending|calling))(?:\s+us)?(?:\s+(?:on|for|at|in|to))?"
    r"|(?i:\bthis\s+is))\s+(?:the\s+|our\s+|today['’]s\s+)?"
    rf"(?P<name>{_NAME_WORDS})\s+(?:and\s+)?"
    r"(?i:financial\s+results|earnings|quarterly|quarter-end|conference|results|annual|half|presentation|discussion|call|teleconference|investor"
    r"|webcast)\b"
    rf"|(?:call|teleconference|conference|webcast)\s+(?:for|of)\s+(?:the\s+)?(?P<last>{_NAME_WORDS})[.,](?:\s|$)"
)
_PERIOD_WORDS = re.compile(
    r"\b(?:(?:first|second|third|fourth|full|half|fiscal)[\s-]+(?:fiscal\s+)?(?:quarter|year|half)?|q[1-4]|[1-4]q|fy\s?\d+)"
    r"(?:\s+(?:of\s+)?(?:fiscal\s+)?(?:year\s+)?(?:19|20)\d\d)?\b|\b20\d\d\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[a-z]{4}\.(?:\s|$)")
_ANY_CALL = re.compile(r"(?i:earnings|conference|results|call|webcast|investor|quarterly|annual|and|\s)+")
_LEGAL = re.compile(
    r"^[^.;:]{2,70}?\b(Inc|INC|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|Ltd|LTD|Limited|LIMITED|LLC|PLC|plc|Plc|N\.V|S\.A|AG|SE|L\.P|Holdings|HOLDINGS|Group|GROUP)\b\.?$"
)

_SMALL_WORDS = frozenset(("of", "and", "the", "for", "de", "in", "plc"))
_REST_WORDS = "inc|corporation|corp|company|co|limited|ltd|plc|llc|group|holdings|incorporated"

_TITLE_LINES = 3
_LONGEST_NAME = 10
"""Words of a name."""
_SHORT_FORM = 2
"""Letters of a legal form that may be a word as well ("as", "co")."""
_FORM_WORDS, _FORM_WIDTH = 5, 60
"""Words and characters after a name among which its legal form is looked for."""
_PLAIN_REST = re.compile(r"\W*$|\s*[(（–—-]|\s*(?:Q[1-4]|[1-4]Q|FY|(?:19|20)\d\d)\b")
"""After a name in a title: nothing, a bracket, a dash or a period."""
_TICKER_AFTER = re.compile(r"\s*[(（]([A-Z]{1,5}(?:\.[A-Z])?)[)）]")

HEAD = 6_000
"""Characters that are looked at as the cover."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """Company and ticker as printed; ``short`` is the Chinese name that its shares trade under (四方科技)."""

    company: str = ""
    ticker: str = ""
    short: str = ""


def find_issuer(lines: list[str]) -> Issuer:
    """The issuer named on a cover page, if any: by charter line, listing in brackets, Chinese labels, a welcome."""
    text = "\n".join(lines)
    if name := _above_charter_line(lines):
        return Issuer(name, _symbol(lines))
    if chinese := _ZH_NAME.search(text):
        code, short = _ZH_CODE.search(text), _ZH_SHORT.search(text)
        return Issuer(chinese["name"].strip("（）()"), code[1] if code else "", short[1] if short else "")
    flat = " ".join(text.split())
    if listed := _LISTED.search(flat):
        name = _without_lead(listed["name"])
        if is_company(name):
            return Issuer(name, listed["ticker"])
    opening = _opening_name(lines)
    if opening.company:
        return opening
    if name := _welcomed_to(flat):
        return Issuer(written_in_full(name, text))
    if short := _ZH_SHORT.search(text):
        return Issuer(short[1])
    if name := _headline_name(lines):
        return Issuer(name)
    titles = (line.strip() for line in lines[:25])
    return Issuer(next((line for line in titles if _LEGAL.match(line) and _is_name(line) and is_company(line)), ""))


def _headline_name(lines: list[str]) -> str:
    """The name before the colon of a Chinese headline where it has announced the news: 光华电子：拟建工厂."""
    found = _ZH_HEADLINE.match(lines[0].strip()) if len(lines) > 1 else None
    if found is None or _NO_COMPANY.search(found["name"]):
        return ""
    announced = re.match(rf"{re.escape(found['name'])}(?:公告|[^，。]{{0,8}}[(（]\d{{5,6}})", lines[1].strip())
    return found["name"] if announced else ""


def _opening_name(lines: list[str]) -> Issuer:
    """The name with a legal form that one of the first titles begins with: "Acme Inc. (ACME)", "Acme AB opens a plant".

    Before other words it has to come back in the text: "Why Acme Inc. fell" begins with no name.
    """
    for at, line in enumerate(lines[:_TITLE_LINES]):
        words = [] if line.rstrip().endswith((".", "。")) and not _is_full_name(line) else line.split()[:_LONGEST_NAME]
        for count in range(len(words), 1, -1):
            opening = " ".join(words[:count])
            name = opening.rstrip(",:;")
            if not (_is_full_name(name) and is_company(name)):
                continue
            rest = " ".join(line.split())[len(opening) :]
            ticker = _TICKER_AFTER.match(rest)
            if _PLAIN_REST.match(rest) or strip_legal_form(name) in "\n".join(lines[at + 1 :]):
                return Issuer(name, ticker[1] if ticker else "")
    return Issuer()


def _is_full_name(name: str) -> bool:
    """True for a name that ends in its legal form; a short form counts in capitals or with its dot ("AB", "Co.")."""
    last = name.split()[-1].rstrip(",")
    short = len(last.strip(".")) <= _SHORT_FORM
    plain = strip_legal_form(name) != name and _is_name(name)
    return plain and has_legal_form(name) and (not short or last.isupper() or last.endswith("."))


def written_in_full(name: str, text: str) -> str:
    """The name with the legal form that the text adds to it somewhere, else as it is.

    >>> written_in_full("acme", "Acme rose. Acme, Inc. fell."), written_in_full("Acme", "Acme rose")
    ('Acme, Inc.', 'Acme')
    """
    if has_legal_form(name):
        return name
    for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE):
        if not found.group()[:1].isupper():
            continue
        words = text[found.end() : found.end() + _FORM_WIDTH].split("\n")[0].split(" ")
        for count in range(min(len(words), _FORM_WORDS), 0, -1):
            full = (found.group() + " ".join(words[:count])).rstrip(",:; ")
            if full != found.group() and _is_full_name(full) and strip_legal_form(full) == found.group():
                return full.removesuffix(".") if _ends_sentence(full) else full
    return name


def _ends_sentence(full: str) -> bool:
    """True where the last dot is the sentence's: "Acme AB." but not "Acme Inc."."""
    return full.endswith(".") and full.rstrip(".").split()[-1].isupper() and "." not in full.rstrip(".").split()[-1]


def _is_name(line: str) -> bool:
    """True where all words but the smallest begin with a capital: a line that is a name, no sentence."""
    return all(word[:1].isupper() or not word[:1].isalpha() or word in _SMALL_WORDS for word in line.split())


def _welcomed_to(flat: str) -> str:
    """The company of "welcome to the third quarter 2020 Acme earnings call"."""
    for found in _WELCOME.finditer(" ".join(_PERIOD_WORDS.sub(" ", flat).split())):
        name = re.sub(r"['’]s?$", "", (found["name"] or found["last"]).strip(" ,."))
        if is_company(name) and not _ANY_CALL.fullmatch(name) and not _SENTENCE_END.search(found["name"] or ""):
            return name
    return ""


def is_company(name: str) -> bool:
    """False for what stands on covers beside the name: states, forms, dates, labels.

    >>> is_company("Foot Locker, Inc."), is_company("Delaware"), is_company("(Mark One)"), is_company("New York")
    (True, False, False, False)
    """
    name = name.strip(" .,:;*")
    if not 2 <= len(name) <= 90 or not any(map(str.isalpha, name)):
        return False
    forms, places = _exclusions()
    return name.lower() not in places and not any(form.search(name) for form in forms)


@cache
def _exclusions() -> tuple[tuple[re.Pattern[str], ...], frozenset[str]]:
    rules = load_rules(__package__, "metadata.toml")["not_company"]
    forms = tuple(re.compile(pattern, re.IGNORECASE) for pattern in rules["patterns"])
    return forms, frozenset(rules["places"].split()) | frozenset(rules["place_names"])


def _above_charter_line(lines: list[str]) -> str:
    """The name printed above (or after) "(Exact name of registrant as specified in its charter)"."""
    for at, line in enumerate(lines):
        match = _CHARTER.search(line)
        if not match:
            continue
        before = line[: match.start()].strip(" (:")
        if is_company(before) and len(before) > 3:
            return before
        after = line.split(":", 1)[1] if ":" in line[match.end() :] else ""
        if is_company(after):
            return after.strip()
        return _joined_name([text.strip() for text in lines[max(0, at - 4) : at]])
    return ""


def _joined_name(above: list[str]) -> str:
    """The last lines above the label that are a name; one that is broken over two lines is joined."""
    while above and not is_company(above[-1]):
        above = above[:-1]
    if not above:
        return ""
    name = _without_small_capitals(above[-1])
    if len(above) > 1 and is_company(above[-2]) and _goes_on(above[-2], name):
        name = f"{above[-2]} {name}"
    return re.sub(r"\s+([.,])", r"\1", " ".join(name.split()))


def _without_small_capitals(name: str) -> str:
    """ "MGM R ESORTS I NTERNATIONAL" -> "MGM RESORTS INTERNATIONAL": initials in larger type were taken for words."""
    initials = re.compile(r"\b([A-Z]) (?=[A-Z]{3,}\b)")
    return initials.sub(r"\1", name) if len(initials.findall(name)) > 1 else name


def _goes_on(first: str, second: str) -> bool:
    """ "AMERICAN WATER WORKS" + "COMPANY, INC.": the second is a bare rest, or the first ends open."""
    rest = re.match(rf"^(and|of|&)\b|^({_REST_WORDS})([\s,.]+({_REST_WORDS}))*\W*$", second, re.IGNORECASE)
    return bool(rest) or bool(re.search(r"(,|&|\band|\bof)$", first.strip(), re.IGNORECASE))


def _symbol(lines: list[str]) -> str:
    """The ticker in the table of registered securities: the first word in capitals below "Trading symbol"."""
    start = next((at for at, line in enumerate(lines) if re.search(r"trading\s*symbol", line, re.IGNORECASE)), None)
    if start is None:
        return ""
    for line in lines[start + 1 : start + 25]:
        words = line.split()
        if len(words) == 1 and _SYMBOL.match(words[0]) and words[0] not in _NO_SYMBOLS:
            return words[0]
        for word, follower in itertools.pairwise(words):
            listed = follower.lower() in ("nasdaq", "the", "new", "nyse", "chicago")
            if listed and _SYMBOL.match(word) and word not in _NO_SYMBOLS:
                return word
    return ""


def _without_lead(name: str) -> str:
    """ "PURCHASE, N.Y. - April 25, 2023 - PepsiCo, Inc." -> "PepsiCo, Inc."."""
    name = re.split(r"\s[-–—]+\s|--|\d{4}\s*/PRNewswire/\s*", name)[-1]
    return re.sub(r"^(?:\S+\s+)*?(\d{4})\s+", "", name).strip(" ,")
