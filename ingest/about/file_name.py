"""What a file's name says: company, kind, period, date."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from itertools import filterfalse
from pathlib import PurePosixPath

from ...core.names import has_legal_form
from ...core.patterns import LazyPattern, on_demand
from ...core.period import Period, Unit
from ...core.records import dataclass
from ...core.rules import load_rules

_ENDING = on_demand(r"\.(pdf|txt|text|md|markdown|x?html?|json|jsonl|docx?|csv)$", re.IGNORECASE)
_DATE = on_demand(r"(?<!\d)((?:19|20)\d\d)[-_. ]?(0[1-9]|1[0-2])[-_. ]?(0[1-9]|[12]\d|3[01])(?!\d)")
_CODE = on_demand(
    r"(?<![a-z0-9])(?=[0-9a-f-]{0,80}\d)(?=[0-9a-f-]{0,80}[a-f-])[0-9a-f]{8,80}(-[0-9a-f]{1,40}){0,8}(?![a-z0-9])|\d{10}-\d\d-\d{6}|\d{7,}"
)
_YEAR, _SHORT = r"(?P<year>(?:19|20)\d\d)", r"\s?(?:fy\s?)?(?P<year>(?:19|20)\d\d|\d\d)\b"
_ZH_NUMBERS = {"一": 1, "二": 2, "三": 3, "四": 4}


@dataclass(frozen=True, slots=True)
class _PeriodForm:
    """How a period is written: a pattern with a year, and a number but where ``number`` says it."""

    unit: Unit
    pattern: str
    fiscal: bool = True
    number: int = 0

    def read(self, found: re.Match[str], kind: str) -> Period:
        """The period; a year is fiscal in the name of a form that reports one."""
        parts = found.groupdict()
        year, number = int(parts["year"]), parts.get("number", str(self.number))
        fiscal = self.fiscal or (self.unit == "year" and kind in ("10-K", "20-F"))
        return Period(self.unit, year % 100 + 2000 if year < 100 else year, _number(number), fiscal=fiscal)


_PERIODS = (
    _PeriodForm("quarter", rf"\b{_YEAR}\s?q(?P<number>[1-4])\b"),
    _PeriodForm("quarter", rf"\bq(?P<number>[1-4]){_SHORT}"),
    _PeriodForm("quarter", rf"\b(?P<number>[1-4])q{_SHORT}"),
    _PeriodForm("half", rf"\b{_YEAR}\s?h(?P<number>[12])\b"),
    _PeriodForm("half", rf"\bh(?P<number>[12]){_SHORT}"),
    _PeriodForm("half", rf"\b(?P<number>[12])h{_SHORT}"),
    _PeriodForm("half", rf"{_YEAR}\s?年?\s?(?:上?半年)", fiscal=False, number=1),
    _PeriodForm("quarter", rf"{_YEAR}\s?年?\s?(?:第?(?P<number>[一二三四])季)", fiscal=False),
    _PeriodForm("year", r"\b(?:fy|fiscal\s?(?:year)?)\s?(?P<year>(?:19|20)\d\d|\d\d)\b"),
    _PeriodForm("year", rf"(?<!\d){_YEAR}(?!\d)\s?(?:年度?)?", fiscal=False),
)
"""The surest first."""
_TICKER = on_demand(r"(?=.{1,4}$)[A-Z]{1,4}(?:\.[A-Z]{1,2})?$")
"""Up to four characters in capitals that are all that is left."""
_ZH_COMPANY = LazyPattern(
    r"(?<![\u4e00-\u9fffA-Za-z*（）()])[\u4e00-\u9fffA-Za-z*（）()]*[\u4e00-\u9fff]{2,}[\u4e00-\u9fffA-Za-z（）()]*", 0
)
_ZH_CODE = on_demand(r"(?<!\d)([03568]\d{5})(?!\d)")
_NO_WORD = on_demand(r"v?\d{1,6}[a-z]?|[a-z]\d?|[\W\d_]+")
"""Parts of a file's name that are counts, versions or signs."""
_BEGINS = on_demand(r"[^\W_a-zß-öø-ÿ]")
"""What a name that is written with care begins with: a capital, a digit or a Chinese character."""
_LONGEST = 60


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
        unit = self.period.unit if self.period else ""
        if self.kind or unit not in ("", "year"):
            return True
        return has_legal_form(self.company) or (unit == "year" and _BEGINS.match(self.company) is not None)


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
    found = _DATE.search(text)
    try:
        return (date(int(found[1]), int(found[2]), int(found[3])), _without(text, found)) if found else (None, text)
    except ValueError:
        return None, text


def _take_kind(text: str) -> tuple[str, str]:
    """The kind, and the text without it; "H1" and 半年度 stay, for they are read as the period, too."""
    for kind, form in _kinds():
        if found := form.search(text):
            return kind, text if kind == "interim report" else _without(text, found)
    return "", text


def _take_period(text: str, kind: str) -> tuple[Period | None, str]:
    for form in _PERIODS:
        if found := re.search(form.pattern, text, re.IGNORECASE):
            return form.read(found, kind), _without(text, found)
    return None, text


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"


def _number(text: str) -> int:
    return _ZH_NUMBERS.get(text) or int(text)


def _company(text: str) -> tuple[str, str]:
    """What is left of the name, if that can be a company; a short word in capitals beside it is a ticker."""
    text = _chinese_noise().sub(" ", text)
    if chinese := _ZH_COMPANY.search(text):
        return chinese.group(), "".join(_ZH_CODE.findall(text)[:1])
    left = " ".join(filterfalse(_is_noise, text.split()))
    if len(left) > _LONGEST:
        return "", ""
    return left, left if _TICKER.match(left) else ""


def _is_noise(word: str) -> bool:
    return word.lower().rstrip("0123456789") in _noise_words() or _NO_WORD.fullmatch(word) is not None


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rules = load_rules(__package__, "metadata.toml")["name"]
    return tuple((rule["kind"], re.compile(rule["pattern"], re.IGNORECASE)) for rule in rules)


@cache
def _noise_words() -> frozenset[str]:
    return frozenset(load_rules(__package__, "metadata.toml")["name_noise"]["words"].split())


@cache
def _chinese_noise() -> re.Pattern[str]:
    noise = sorted(load_rules(__package__, "metadata.toml")["name_noise"]["chinese"], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, noise)))
