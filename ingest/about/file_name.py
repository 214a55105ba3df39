"""What a file's name says: company, kind, period, date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import PurePosixPath

from ...core.names import has_legal_form, is_chinese
from ...core.period import Period
from ...core.rules import load_rules

_ENDING = re.compile(r"\.(pdf|txt|text|md|markdown|x?html?|json|jsonl|docx?|csv)$", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_. ]?(0[1-9]|1[0-2])[-_. ]?(0[1-9]|[12]\d|3[01])(?!\d)")
_CODE = re.compile(
    r"(?<![a-z0-9])(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f-])[0-9a-f]{8,}(-[0-9a-f]+)*(?![a-z0-9])|\d{10}-\d\d-\d{6}|\d{7,}"
)
_PERIODS: tuple[tuple[str, str], ...] = (
    ("quarter", r"\b((?:19|20)\d\d)\s?q([1-4])\b"),
    ("quarter_first", r"\b(?:q([1-4])|([1-4])q)\s?(?:fy\s?)?((?:19|20)\d\d|\d\d)\b"),
    ("half", r"\b((?:19|20)\d\d)\s?h([12])\b"),
    ("half_first", r"\b(?:h([12])|([12])h)\s?(?:fy\s?)?((?:19|20)\d\d|\d\d)\b"),
    ("zh_half", r"((?:19|20)\d\d)\s?年?\s?(?:上?半年)"),
    ("zh_quarter", r"((?:19|20)\d\d)\s?年?\s?(?:第?([一二三四])季)"),
    ("fiscal", r"\b(?:fy|fiscal\s?(?:year)?)\s?((?:19|20)\d\d|\d\d)\b"),
    ("year", r"(?<!\d)((?:19|20)\d\d)(?!\d)\s?(?:年度?)?"),
)
_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in _PERIODS)
_ZH_NUMBERS = {"一": 1, "二": 2, "三": 3, "四": 4}
_TICKER = re.compile(r"[A-Z]{1,5}(\.[A-Z]{1,2})?$")
_ZH_COMPANY = re.compile(r"[\u4e00-\u9fffA-Za-z*（）()]*[\u4e00-\u9fff]{2,}[\u4e00-\u9fffA-Za-z（）()]*")
_ZH_CODE = re.compile(r"(?<!\d)([03568]\d{5})(?!\d)")


@dataclass(frozen=True, slots=True)
class NameParts:
    """What was read from a name; empty where it says nothing."""

    company: str = ""
    ticker: str = ""
    kind: str = ""
    period: Period | None = None
    day: date | None = None

    @property
    def is_structured(self) -> bool:
        """True where what is left of the name may be trusted to be a company: a form or a quarter stands beside it.

        Beside a bare year it has to be written with a capital; alone it needs a legal form.

        >>> [read_name(name).is_structured for name in ("apple_10k", "Acme 2023", "state of the union 2023", "finance")]
        [True, True, False, False]
        """
        if self.kind or (self.period and self.period.unit != "year"):
            return True
        if self.period and (self.company[:1].isupper() or is_chinese(self.company) or self.company[:1].isdigit()):
            return True
        return has_legal_form(self.company)


def read_name(source: str) -> NameParts:
    """Read the last part of a path, URL or other source name.

    >>> parts = read_name("docs/3M_2018_10K.pdf")
    >>> parts.company, parts.kind, parts.period.label
    ('3M', '10-K', 'FY2018')
    >>> read_name("2020 Q3 AAPL.pdf").ticker
    'AAPL'
    """
    stem = _ENDING.sub("", PurePosixPath(source.replace("\\", "/")).name).strip()
    day, rest = _take_date(stem)
    rest = _CODE.sub(" ", rest)
    plain = " ".join(re.sub(r"[_\-+.,()\[\]]+", " ", _split_letters(rest)).split())
    kind, plain_rest = _take_kind(plain)
    period, plain_rest = _take_period(plain_rest, kind)
    company, ticker = _company(plain_rest)
    return NameParts(company, ticker, kind, period, day)


def _split_letters(text: str) -> str:
    """ "Report2023" -> "Report 2023"; but "10K", "3M", "2023Q1" stay."""
    return re.sub(r"([a-z]{3})((?:19|20)\d\d)(?!\d)", r"\1 \2", text)


def _take_date(text: str) -> tuple[date | None, str]:
    match = _DATE.search(text)
    if not match:
        return None, text
    try:
        day = date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None, text
    return day, text[: match.start()] + " " + text[match.end() :]


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rules = load_rules(__package__, "metadata.toml")["name"]
    return tuple((rule["kind"], re.compile(rule["pattern"], re.IGNORECASE)) for rule in rules)


@cache
def _noise() -> tuple[frozenset[str], re.Pattern[str]]:
    rules = load_rules(__package__, "metadata.toml")["name_noise"]
    chinese = sorted(rules["chinese"], key=len, reverse=True)
    return frozenset(rules["words"].split()), re.compile("|".join(map(re.escape, chinese)))


def _take_kind(text: str) -> tuple[str, str]:
    for kind, form in _kinds():
        if match := form.search(text):
            keep_period = kind == "interim report"  # "H1", 半年度 are read as the period too
            return kind, text if keep_period else text[: match.start()] + " " + text[match.end() :]
    return "", text


def _take_period(text: str, kind: str) -> tuple[Period | None, str]:
    lower = text.lower()
    for name, form in _COMPILED:
        if match := form.search(lower):
            return _period(name, [g for g in match.groups() if g], kind), text[: match.start()] + " " + text[
                match.end() :
            ]
    return None, text


def _period(name: str, found: list[str], kind: str) -> Period | None:
    if name in ("quarter_first", "half_first"):
        found = [found[1], found[0]]
    year = int(found[0]) if len(found[0]) == 4 else 2000 + int(found[0])
    if name in ("quarter", "quarter_first"):
        return Period("quarter", year, int(found[1]), fiscal=True)
    if name in ("half", "half_first"):
        return Period("half", year, int(found[1]), fiscal=True)
    if name == "zh_half":
        return Period("half", year, 1)
    if name == "zh_quarter":
        return Period("quarter", year, _ZH_NUMBERS[found[1]])
    fiscal = name == "fiscal" or kind in ("10-K", "20-F")
    return Period("year", year, fiscal=fiscal)


def _company(text: str) -> tuple[str, str]:
    """What is left of the name, if that can be a company; a short word in capitals beside it is a ticker."""
    words, chinese_noise = _noise()
    text = chinese_noise.sub(" ", text)
    code = _ZH_CODE.search(text)
    if match := _ZH_COMPANY.search(text):
        return match.group(), code[1] if code else ""
    left = [word for word in text.split() if word.lower().rstrip("0123456789") not in words]
    left = [word for word in left if not re.fullmatch(r"v?\d{1,6}[a-z]?|[a-z]\d?", word)]
    left = [word for word in left if any(map(str.isalpha, word))]
    if not left or len(" ".join(left)) > 60:
        return "", ""
    if len(left) == 1 and _TICKER.match(left[0]) and len(left[0]) <= 4:
        return left[0], left[0]
    return " ".join(left), ""
