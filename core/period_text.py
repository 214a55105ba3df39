"""Finds periods in English and Chinese text: "Q2 FY24", "nine months ended September 30, 2021", "2020年半年度"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache, lru_cache

from .patterns import LazyPattern, on_demand
from .period import DAYS, Period, Unit, lasting, month_end
from .records import dataclass
from .rules import bounded_blanks

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_COUNTS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "final": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "一": 1, "二": 2, "三": 3, "四": 4, "上": 1, "下": 2,
}  # fmt: skip
_NUMBERS = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "thirteen": 13, "fourteen": 14, "sixteen": 16, "twenty-four": 24,
    "twenty-six": 26, "thirty-six": 36, "thirty-nine": 39, "fifty-two": 52, "fifty-three": 53,
}  # fmt: skip
_UNITS: dict[str, Unit] = {"quarter": "quarter", "half": "half", "year": "year"}

_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
_SHORT = rf"(?:{_YEAR}|['’]?\d\d)(?!\d|[.,]\d)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = (
    rf"(?:{_MONTH}\.?\s*\d{{1,2}}(?:st|nd|rd|th)?\s*,?\s*{_YEAR}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[\s-]+(?:of\s+)?{_MONTH}[.,]?[\s-]*{_YEAR})"
)
_ZH_DATE = rf"{_YEAR}\s*年\s*\d\d?\s*月\s*\d\d?\s*日"
_COUNT = r"\d\d?|" + "|".join(_NUMBERS)
_NTH = r"(?:first|second|third|fourth|final|1st|2nd|3rd|4th)"
_OF = r"(?:[\s,/-]*(?:of|in|for|the|our|its|both|year)\b)*[\s,/-]*"
_FISCAL = r"(?:(?:fiscal|financial)(?:[\s-]years?)?|FY|F(?=\d{4}|[12]\d(?!\d)))"
_IN_YEAR = rf"{_OF}(?P<fiscal>{_FISCAL}[\s-]*)?(?:CY\s*|calendar\s+(?:year\s+)?)?(?P<year>{_SHORT})"
_AMOUNT = (
    r"(?!\s*(?:%|percent|per\s?cent|million|billion|thousand|trillion|employees|people|persons|shares|units|stores|"
    r"restaurants|locations|countries|basis|bps|square|sq|acres|miles|hours|[元股万亿名人家]"
    r"|[$€£¥](?!\s?[’‘']?(?:0{3}\b|[mk]\b|bn\b)))|[,.]\d|\d)"
)
"""Behind a number that is no year; "2022 £’000" heads a column of that year."""

_PATTERNS: dict[str, str] = {
    "ended": rf"(?:fiscal\s+)?(?P<length>(?:{_COUNT})[\s-]*(?:months?|weeks?)|year|quarter|half)s?"
    r"(?:[\s-]+(?:periods?|years?))?\s+(?:(?:then\s+)?end(?:ed|ing|s)\s+(?:on\s+)?|to\s+)"
    rf"(?P<date>{_DATE}|\d\d?/\d\d?/(?:{_YEAR}|\d\d)(?!\d)|\d\d?\.\d\d?\.{_YEAR}(?![\d/])|{_MONTH}\.?,?\s+{_YEAR})",
    "to_month": rf"(?P<date>{_MONTH}\.?\s+{_YEAR})[\s-]+(?P<length>quarter|half)(?:[\s-]year)?",
    "of_month": rf"(?P<date>{_MONTH}[\s-]+(?P<length>quarter|half)(?:[\s-]year)?,?\s+(?:of\s+)?{_YEAR})",
    "quarter": rf"(?:fiscal\s+)?(?P<nth>{_NTH})[\s-]+(?:fiscal[\s-]+)?(?:quarter|qtr)s?{_IN_YEAR}",
    "q": rf"(?:q(?P<nth>[1-4])|(?P<nth2>[1-4])q){_IN_YEAR}",
    "yq": rf"(?P<fiscal>FY\s*)?(?P<year>{_YEAR})[\s-]*q(?P<nth>[1-4])(?!\d)",
    "year_quarter": rf"(?P<fiscal>{_FISCAL}[\s-]*)?(?P<year>{_YEAR})(?:['’]s)?[\s-]+(?:fiscal\s+)?(?P<nth>{_NTH})"
    r"[\s-]+(?:fiscal[\s-]+)?quarter",
    "half": rf"(?:(?P<nth>first|second|1st|2nd)[\s-]+half|h(?P<nth2>[12])|(?P<nth3>[12])h|hy){_IN_YEAR}",
    "months": rf"(?:first\s+(?P<length>three|six|nine)\s+months|9m){_IN_YEAR}",
    "fiscal": rf"{_FISCAL}[\s-]*(?:{_YEAR}\s?[/-]\s?)?(?P<year>{_SHORT})",
    "full": rf"(?:(?:full|calendar)[\s-]+year|CY)[\s-]*(?P<year>{_YEAR})",
    "days": rf"(?P<first>{_DATE})(?:\s{{0,9}},)?\s{{0,9}}(?:to|through|until|[-–—])\s*(?P<date>{_DATE})",
    "date": rf"(?P<date>{_DATE})",
    "month_span": rf"(?P<first>{_MONTH})\.?\s*(?:[-–—]|\b(?:to|through)\b)\s*(?P<last>{_MONTH})\.?,?\s*"
    rf"(?P<year>{_YEAR}){_AMOUNT}",
    "month": rf"(?P<month>{_MONTH})\.?\s*(?:of\s+|,\s*)?(?P<year>{_YEAR}){_AMOUNT}",
    "iso": rf"(?P<year>{_YEAR})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?![\d.])",
    "dots": rf"(?P<day>\d\d?)\.(?P<month>\d\d?)\.(?P<year>{_YEAR})(?![\d/])",
    "us": rf"(?P<month>\d\d?)/(?P<day>\d\d?)/(?P<year>{_YEAR}|\d\d)(?![\d/])",
    "zh_span": rf"(?P<first>{_YEAR})\s*年?度?\s*(?:[-–—~～]|至|到)\s*(?P<last>{_YEAR}|\d\d)\s*年度?(?!\s*\d)",
    "zh_days": rf"(?P<first>{_ZH_DATE})\s*(?:[-–—~～]+|至|到)\s*(?P<date>(?:{_YEAR}\s*年)?\s*\d\d?\s*月\s*\d\d?\s*日)",
    "zh_date": rf"(?:截至|截止)?\s*(?P<date>{_ZH_DATE})",
    "zh_months": rf"(?P<year>{_YEAR})\s*年\s*(?P<from>\d\d?)\s*(?:月\s*)?[-–—~～至到]\s*(?P<month>\d\d?)\s*月(?:份)?",
    "zh_quarter": rf"(?P<year>{_YEAR})\s*(?:(?P<fiscal>财年|会计年度)|年度?)的?\s*"
    r"(?:第?\s*(?P<nth>[一二三四1-4])\s*财?季度?|q(?P<nth2>[1-4]))",
    "zh_three": rf"(?P<year>{_YEAR})\s*年度?\s*前三季度?",
    "zh_half": rf"(?P<year>{_YEAR})\s*年度?\s*(?P<nth>[上下]?)半年度?",
    "zh_end": rf"(?P<year>{_YEAR})\s*年\s*(?:年末|年底|期末|末|底)",
    "zh_month": rf"(?P<year>{_YEAR})\s*年\s*(?P<month>\d\d?)\s*月(?:份)?(?!\s*\d)",
    "zh_year": rf"(?P<year>{_YEAR})\s*(?:(?P<fiscal>年度|财年|会计年度)|年)",
    "between": rf"between\s+(?P<first>{_YEAR})\s+and\s+(?P<last>{_YEAR})",
    "span": rf"(?P<first>{_YEAR})\s*(?:[-–—]|\b(?:to|through|thru|until)\b)\s*(?P<last>{_YEAR}){_AMOUNT}",
    "isomonth": rf"(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])(?![\d-])",
    "range": rf"(?P<first>{_YEAR})[-–](?P<last>[1-4]\d)(?![\d-])",
    "slash": rf"(?P<first>{_YEAR})/(?P<year>\d\d)(?![\d/])",
    "year": rf"(?P<year>{_YEAR}){_AMOUNT}",
}
"""Name of the form -> pattern; earlier forms win where several start at the same place."""

_ANCHOR = on_demand(
    r"(?:19[5-9]|20[0-4])\d|\b[Ff][12]\d\b|[HhFf](?:[Yy]|iscal)[ -]?(?:[Yy]ears?[ -])?['’]?\d\d"
    r"|[QqHh][1-4][ ,/-]{0,2}(?:FY)?['’]?\d\d|[1-4][QqHh][ -]?(?:FY)?['’]?\d\d|9[Mm][ -]?['’]?\d\d|['’]\d\d|/\d\d?/\d\d"
)
"""What every form holds: only the text around it is looked at closely, which is what makes the finder fast."""
_DIGIT = on_demand(r"\d")
_REACH = 72
_NOT_BEFORE = (
    r"(?=[\dabcdfhjmnoqsty截])(?:(?<![A-Za-z0-9$€£¥#〔])|(?<=[A-Za-z])(?=\d{4}\s*(?:年|财年)))"
    r"(?<![$€£¥]\s)(?<!\d[.,-])"
)
"""A period begins no word, but a Chinese year may stand right behind a Latin name: "Acme2023年"."""


def _unnamed(pattern: str) -> str:
    """The pattern with its groups unnamed, so that all forms fit into one alternation."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern.replace("(?P=mark)", "[-/.]"))


_BOUNDED = {name: bounded_blanks(pattern) for name, pattern in _PATTERNS.items()}
_FORMS = {name: LazyPattern(pattern) for name, pattern in _BOUNDED.items()}
_NEXT_YEAR = on_demand(
    r"(?:\s*,\s*(?:and\s+)?|\s+(?:and|or|versus|vs\.?|compared\s+(?:to|with))\s+)(?:(?:that\s+)?of\s+)?"
    rf"(?P<year>{_YEAR})(?!\d|[.,/-]\d)"
)
_JOINED = r"(?:\s*,|\s+(?:and|or|versus|vs\.?|compared\s+(?:to|with)))\s+(?:in\s+)?(?:the\s+)?$"
_SHARES_YEAR = on_demand(
    rf"\b(?P<part>{_NTH}[\s-]+quarter|(?:first|second)[\s-]+half|first\s+(?:three|six|nine)\s+months|q[1-4]|h[12])"
    rf"s?{_JOINED}",
    re.IGNORECASE,
)
_SHARES_END = on_demand(rf"\b(?P<part>{'|'.join(_NUMBERS)})[\s-]{{0,3}}(?:and|or)\s{{1,3}}$", re.IGNORECASE)
"""Right before a period: another part of its year, "third quarter and | first nine months of 2023", or another length
to its last day, "three and | nine months ended September 30, 2023"."""
_LENGTH = on_demand(r"[\s-]{0,3}(?P<unit>months?|weeks?)\b", re.IGNORECASE)
_NUMBERED = on_demand(
    r"(?:ASU|No\.?|Nos\.?|Topic|Section|Rule|Update|Russell|S&P|Form|Note|Item|Page|Standard)\s*$|\[$"
)


@cache
def _any_form() -> re.Pattern[str]:
    """All forms as one pattern, compiled (7 ms) when a text first has the anchor of one."""
    forms = "|".join(f"(?P<{name}>{_unnamed(pattern)})" for name, pattern in _BOUNDED.items())
    return re.compile(rf"{_NOT_BEFORE}(?:{forms})(?![A-Za-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """``text[start:end]`` names ``period``."""

    start: int
    end: int
    period: Period


def find_periods(text: str) -> list[PeriodMention]:
    """All periods named in the text, in order, without overlaps.

    Years that go on a list take the form of its head: "years ended June 30, 2019 and 2018" names two fiscal years.
    A bare number counts as a year only from 1950 to 2049 and where it is not plainly an amount.

    >>> [m.period.label for m in find_periods("Sales rose in Q2 FY24 and fiscal 2023, to $2,019 for 2022 units.")]
    ['Q2 FY2024', 'FY2023']
    """
    mentions: list[PeriodMention] = []
    for low, high in _windows(text):
        for match in _any_form().finditer(text, low, high):
            if _NUMBERED.search(text, max(0, match.start() - 12), match.start()):
                continue
            period = _read(match)
            if period is not None:
                mentions.extend(_sharing(text, match, period))
                mentions.append(PeriodMention(match.start(), match.end(), period))
                mentions.extend(_following_years(text, match.end(), period))
    return _without_overlaps(mentions)


@lru_cache(maxsize=1024)
def periods_in(text: str) -> tuple[Period, ...]:
    """All periods that a text names, in its order."""
    return tuple(mention.period for mention in find_periods(text))


def period_places(text: str) -> list[tuple[int, int]]:
    """Where the periods that a text names begin and end."""
    return [(mention.start, mention.end) for mention in find_periods(text)]


def years_in(text: str) -> set[int]:
    """The years of all periods that a text names: 2019 and 2021 of "from Q2 2019 to fiscal 2021"."""
    return {period.year for period in periods_in(text)}


def first_period(text: str) -> Period | None:
    """The first period named in the text; None where it names none.

    >>> first_period("Sales rose in Q2 FY24 and fiscal 2023.").label
    'Q2 FY2024'
    """
    return next(iter(periods_in(text)), None)


def parse_period(text: str) -> Period:
    """The period that makes up the whole text. Raises ValueError where it is none or more than one."""
    mentions = find_periods(text)
    if len(mentions) == 1:
        mention = mentions[0]
        if not re.sub(
            r"[\s,.;:()（）]|\b(?:the|of|in|for|at|as|on|year|from)\b", "", text[: mention.start] + text[mention.end :]
        ):
            return mention.period
    raise ValueError(
        f"not a period: {text!r}. Write it like 2023, FY2023, Q2 FY2023, H1 2023, 9M 2023, 2023-06, 2023-06-30 "
        "or 2019-2021"
    )


def is_period(text: str) -> bool:
    """True where a text is the name of one period and nothing else.

    >>> is_period("June 30, 2024"), is_period("2024年6月30日"), is_period("Sales in 2024")
    (True, True, False)
    """
    mentions = find_periods(text)
    return len(mentions) == 1 and mentions[0].end - mentions[0].start == len(text)


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of text around anchors, merged where they meet."""
    low = high = 0
    for anchor in _ANCHOR.finditer(text) if _DIGIT.search(text) else ():
        if anchor.start() - _REACH > high:
            if high:
                yield low, high
            low = anchor.start() - _REACH
        high = min(len(text), anchor.end() + _REACH // 2)
    if high:
        yield max(0, low), high


def _following_years(text: str, at: int, period: Period) -> Iterator[PeriodMention]:
    """ "..., 2018 and 2017" after a fiscal year, a quarter or a date."""
    if period.unit in ("month", "span") or (period.unit == "year" and not period.fiscal):
        return
    base = period.end_year
    while match := _NEXT_YEAR.match(text, at):
        yield PeriodMention(match.start("year"), match.end(), period.shifted(int(match["year"]) - base))
        at = match.end()


def _sharing(text: str, match: re.Match[str], period: Period) -> Iterator[PeriodMention]:
    """ "The third quarter and" before "first nine months of 2023", "three and" before "nine months ended June 30"."""
    if period.unit not in DAYS:
        return
    length = _LENGTH.search(match.group())
    forms = [(_SHARES_YEAR, f"of {'fiscal ' * period.fiscal}{period.year}")]
    if length is not None and period.end is not None:
        end = period.end
        forms.append((_SHARES_END, f"{length['unit']} ended {_MONTHS[end.month - 1]} {end.day}, {end.year}"))
    for pattern, rest in forms:
        other = pattern.search(text, max(0, match.start() - _REACH), match.start())
        if other is not None:
            yield from (PeriodMention(*other.span("part"), own) for own in periods_in(f"{other['part']} {rest}"))


def _without_overlaps(mentions: list[PeriodMention]) -> list[PeriodMention]:
    kept: list[PeriodMention] = []
    for mention in sorted(mentions, key=lambda m: m.start):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _read(match: re.Match[str]) -> Period | None:
    """The period that the matched form names; None where its numbers make no date."""
    name = match.lastgroup or ""
    parts = _FORMS[name].match(match.group())
    if parts is None:
        return None
    try:
        return _READERS[name](parts)
    except ValueError:
        return None


_DOTTED = on_demand(r"\d\d?\.\d\d?\.\d{4}")


def _year(text: str) -> int:
    digits = text.lstrip("'’")
    return int(digits) if len(digits) == 4 else 2000 + int(digits) if int(digits) < 50 else 1900 + int(digits)


def _day(text: str) -> date:
    """A date written with a month's name, or as 年月日."""
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if "月" in text:
        return date(*numbers)
    name = re.search("|".join(_MONTHS), text.lower())
    month = _MONTHS.index(name.group()) + 1 if name else 0
    if len(numbers) == 1:  # the month alone
        return month_end(numbers[0], month)
    day, year = sorted(numbers)
    return date(year, month, day)


def month_of(name: str) -> int:
    """The number of a month by its first three letters.

    >>> month_of("Sept")
    9
    """
    return _MONTHS.index(name.lower()[:3]) + 1


def _from_ended(m: re.Match[str]) -> Period:
    return lasting(_length(m["length"].lower()), _any_day(m["date"]))


def _any_day(text: str) -> date:
    """A date in words, with slashes (the month first) or with dots (the day first)."""
    if "/" in text:
        return _slash_day(text)
    if _DOTTED.fullmatch(text):
        day, month, year = map(int, text.split("."))
        return date(year, month, day)
    return _day(text)


def _length(text: str) -> Unit:
    """The nearest unit to "thirteen weeks", "12 weeks", "nine months" or "year"."""
    if text in _UNITS:
        return _UNITS[text]
    number = re.match(_COUNT, text)
    count = _NUMBERS.get(number.group(), 0) or int(number.group()) if number else 0
    days = count * (7 if "week" in text else 30.4)
    unit = min(DAYS, key=lambda u: abs(DAYS[u] - days))
    if abs(DAYS[unit] - days) > 25:
        raise ValueError(text)
    return unit


def _slash_day(text: str) -> date:
    month, day, year = text.split("/")
    return _month_and_day(_year(year), int(month), int(day))


def _month_and_day(year: int, month: int, day: int) -> date:
    """The month first, as Americans write it, unless it can only be the day: "30/06/2025"."""
    return date(year, month, day) if month <= 12 else date(year, day, month)


def _from_days(m: re.Match[str]) -> Period:
    first = _day(m["first"])
    last = _day(m["date"] if re.search(_YEAR, m["date"]) else f"{first.year}年{m['date']}")
    days = (last - first).days + 1
    for unit, length in DAYS.items():
        if abs(days - length) <= 10:
            return lasting(unit, last, first)
    return Period("span", first.year, end=last, start=first)


def _numbered(unit: Unit) -> Callable[[re.Match[str]], Period]:
    def read(m: re.Match[str]) -> Period:
        groups = m.groupdict()
        nth = groups.get("nth") or groups.get("nth2") or groups.get("nth3") or ""
        number = int(nth) if nth.isdigit() else _COUNTS.get(nth.lower(), 1)
        fiscal = bool(groups.get("fiscal")) or "fiscal" in m.group().lower()
        return Period(unit, _year(m["year"]), number, fiscal)

    return read


def _from_months(m: re.Match[str]) -> Period:
    unit = _length((m["length"] or "nine").lower() + " months")
    return Period(unit, _year(m["year"]), 0 if unit == "nine months" else 1, bool(m["fiscal"]))


def _from_span(m: re.Match[str]) -> Period:
    first, last = int(m["first"]), m["last"]
    year = int(last) if len(last) == 4 else first - first % 100 + int(last)
    if not first < year < first + 30:
        raise ValueError(m.group())
    return Period("span", first, end=date(year, 12, 31))


def _from_slash(m: re.Match[str]) -> Period:
    year = int(m["first"]) + 1
    if year % 100 != int(m["year"]):
        raise ValueError(m.group())
    return Period("year", year, fiscal=True)


def _from_month(m: re.Match[str]) -> Period:
    name = m["month"].lower()
    number = int(name) if name.isdigit() else month_of(name)
    return Period("month", date(int(m["year"]), number, 1).year, number)


def _from_month_span(m: re.Match[str]) -> Period:
    """ "January-September 2024": from the beginning of a month to the end of another."""
    first, last = (month_of(m[end]) for end in ("first", "last"))
    if last <= first:
        raise ValueError(m.group())
    return _of_months(int(m["year"]), first, last)


def _from_zh_months(m: re.Match[str]) -> Period:
    return _of_months(int(m["year"]), int(m["from"]), int(m["month"]))


def _of_months(year: int, first: int, last: int) -> Period:
    unit = {3: "quarter", 6: "half", 9: "nine months", 12: "year"}.get(last - first + 1)
    if unit == "quarter":
        return Period("quarter", year, (last + 2) // 3)
    if unit == "half":
        return Period("half", year, (last + 5) // 6)
    if unit == "nine months" and first == 1:
        return Period("nine months", year)
    return Period("year", year)


def _fiscal_year(m: re.Match[str]) -> Period:
    return Period("year", _year(m["year"]), fiscal=True)


def _plain_year(m: re.Match[str]) -> Period:
    return Period("year", int(m["year"]), fiscal=bool(m.groupdict().get("fiscal")))


def _numeric_day(m: re.Match[str]) -> Period:
    return Period.instant(_month_and_day(_year(m["year"]), int(m["month"]), int(m["day"])))


def _written_day(m: re.Match[str]) -> Period:
    return Period.instant(_day(m["date"]))


def _year_end(m: re.Match[str]) -> Period:
    return Period.instant(date(int(m["year"]), 12, 31))


_READERS: dict[str, Callable[[re.Match[str]], Period]] = {
    "ended": _from_ended, "to_month": _from_ended, "of_month": _from_ended,
    "quarter": _numbered("quarter"), "q": _numbered("quarter"), "yq": _numbered("quarter"),
    "year_quarter": _numbered("quarter"),
    "half": _numbered("half"), "months": _from_months, "fiscal": _fiscal_year, "full": _plain_year,
    "days": _from_days, "date": _written_day, "month": _from_month, "iso": _numeric_day,
    "dots": _numeric_day, "us": _numeric_day,
    "zh_span": _from_span, "zh_days": _from_days, "zh_date": _written_day, "zh_months": _from_zh_months,
    "zh_quarter": _numbered("quarter"), "zh_three": lambda m: Period("nine months", int(m["year"])),
    "month_span": _from_month_span,
    "zh_half": _numbered("half"), "zh_end": _year_end, "zh_month": _from_month, "zh_year": _plain_year,
    "between": _from_span, "span": _from_span, "range": _from_span, "isomonth": _from_month, "slash": _from_slash,
    "year": _plain_year,
}  # fmt: skip
