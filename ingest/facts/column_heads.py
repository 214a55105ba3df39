"""What the columns of a table stand for: periods, restated or adjusted figures, segments, changes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ...core.fact import Basis
from ...core.period import Period
from ...core.period_text import find_periods
from ..table import Table
from ..tables.markdown import head_texts
from .context import FactContext

_UNIT_AFTER = re.compile(
    r"(?<=\d)\s+[(（]?(?:(?:US)?[$€£¥]\s?(?:mm?|k|bn|['’]?000s?|millions?|thousands?|billions?)?|%|in\s+(?:millions|thousands))"
    r"[)）]?(?=\s|$)",
    re.IGNORECASE,
)
"""The unit below a year or a date: "2019 €m"."""
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_ENDED = re.compile(
    r"(?:(?:fiscal\s+)?years?|quarters?|(?:\d\d?|three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two)[\s-]+"
    rf"(?:months?|weeks?))(?:\s+periods?)?\s+end(?:ed|ing)(?:\s+on)?(?:\s+{_MONTH}\.?\s*\d{{0,2}})?,?",
    re.IGNORECASE,
)
_LENGTH_END = re.compile(r"\s+end", re.IGNORECASE)
_AS_OF = re.compile(rf"(?:as\s+(?:of|at)|at)?\s*({_MONTH}\.?\s+\d{{1,2}}),?", re.IGNORECASE)
_YEAR_ONLY = re.compile(r"\(?(?:FY\s?|CY\s?)?((?:19|20)\d\d)\)?(?:\s*年度?)?(?:\s*\([a-z\d]\)|\*)*", re.IGNORECASE)
_QUARTER_ONLY = re.compile(r"(?:(first|second|third|fourth)\s+quarter|Q([1-4])|第([一二三四])季度)", re.IGNORECASE)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
_CHANGE = re.compile(
    r"\bchanges?\b|\bincrease|\bdecrease|\bvariance|\bgrowth\b|\bvs\.?\b|\bversus\b|\bcompared\b|%\s*(?:chg|inc|dec)|增减|变动|同比|"
    r"增长|比上年",
    re.IGNORECASE,
)
_NOTES = re.compile(r"(?:附注\S{0,3}|注释|notes?|ref\.?|page|说明|备注|情况说明|序号|no\.?)", re.IGNORECASE)
_RESTATED = re.compile(r"\brestated\b|调整后|重述", re.IGNORECASE)
_ADJUSTED = re.compile(r"\b(?:non-?gaap|adjusted|as adjusted|core)\b", re.IGNORECASE)
_AS_REPORTED = re.compile(r"\breported\b|\bgaap\b", re.IGNORECASE)
_PRO_FORMA = re.compile(r"\bpro[\s-]forma\b|备考", re.IGNORECASE)
_TOTAL = re.compile(r"(?:total|consolidated|company|合计|总计|金额|数额|amount|balance|value)s?", re.IGNORECASE)
_FILLERS = re.compile(
    r"^\W*(?:as (?:of|at)|at|for the|the|in|fiscal|ended)\b|\b(?:as (?:of|at)|for the|ended)\W*$", re.IGNORECASE
)
_LONGEST_MEMBER = 110
_CLOSING = re.compile(r"期末|年末|本期末|期末余额|期末数")
_OPENING = re.compile(r"期初|年初|上期末|上年末|上年年末")
_CURRENT = re.compile(r"本期|本年|本报告期|本年度|本期数")
_PRIOR = re.compile(r"上期|上年|去年|上年度")
_BALANCE = re.compile(r"balance sheets?|financial (?:position|condition)|资产负债表", re.IGNORECASE)
_FLOW = re.compile(r"income|operations|earnings|cash flows?|comprehensive|loss|利润表|现金流量表|损益", re.IGNORECASE)
_SURE, _GUESSED = 1.0, 0.75


@dataclass(frozen=True, slots=True)
class Column:
    """``member`` is the part of a head that names no period: a segment, a class of assets, a level."""

    period: Period | None = None
    member: str = ""
    basis: Basis = "reported"
    skipped: bool = False
    """True for labels, notes and changes: no facts of a period."""
    percent: bool = False
    certainty: float = _SURE
    text: str = ""


def read_columns(table: Table, context: FactContext) -> list[Column]:
    """One entry a column, the label column included."""
    texts = head_texts(table)
    stub = texts[0] if texts else ""
    setting = f"{stub} {table.title}"
    columns = [Column(skipped=True, text=stub)]
    for text in texts[1:]:
        columns.append(_read(text, setting, table, context))
    return columns


def basis_of(text: str) -> Basis:
    """Restated, adjusted or pro forma, by the words of a head, title or label."""
    return stated_basis(text) or "reported"


def stated_basis(text: str) -> Basis | None:
    """The basis that a text names; None where it names none.

    >>> [stated_basis(text) for text in ("Reported, GAAP Measure", "Core, Non-GAAP Measure", "Operating profit")]
    ['reported', 'adjusted', None]
    """
    if _RESTATED.search(text):
        return "restated"
    if _PRO_FORMA.search(text):
        return "pro forma"
    if _ADJUSTED.search(text):
        return "adjusted"
    return "reported" if _AS_REPORTED.search(text) else None


def is_balance_table(table: Table) -> bool | None:
    """True for balances at a date, False for flows, None where the title does not tell."""
    if _BALANCE.search(table.title):
        return True
    return False if _FLOW.search(table.title) else None


def _read(text: str, setting: str, table: Table, context: FactContext) -> Column:
    percent = "%" in text or "％" in text
    if _NOTES.fullmatch(text.strip()):
        return Column(skipped=True, text=text)
    period, certainty, rest = _period(text, setting, table, context)
    if _CHANGE.search(text) and not (period and period.end and _ENDED.search(text) and not percent):
        return Column(period, skipped=True, percent=percent, text=text)
    if _is_rolling(period, context):
        return Column(period, skipped=True, percent=percent, text=text)
    member = _FILLERS.sub("", rest).strip(" ,:;-–—*/")
    if not any(map(str.isalnum, member)) or _TOTAL.fullmatch(member) or len(member) > _LONGEST_MEMBER:
        member = ""
    return Column(period, member, basis_of(text), False, percent, certainty, text)


def _is_rolling(period: Period | None, context: FactContext) -> bool:
    """True for the twelve months to the end of a quarter: they bear the name of no fiscal year."""
    own = context.period
    by_quarter = own is not None and own.unit == "quarter" and own.end is not None
    is_year = period is not None and period.unit == "year" and period.end is not None
    return bool(by_quarter and is_year and period and period.end and not context.closes_year(period.end))


def _period(text: str, setting: str, table: Table, context: FactContext) -> tuple[Period | None, float, str]:
    """The period of a head, how sure it is, and the words left over."""
    flat = _UNIT_AFTER.sub("", " ".join(text.split()))
    if year := _YEAR_ONLY.fullmatch(flat):
        return (*_of_year(int(year[1]), setting, table, context), "")
    mentions = find_periods(flat)
    if mentions:
        mention = mentions[0]
        rest = flat[: mention.start] + flat[mention.end :]
        if mention.period.unit == "year" and not mention.period.fiscal and _ENDED.search(flat):
            period = _joined(_ENDED.search(flat), mention.period.year)
            return (context.named(period or mention.period), _SURE, _ENDED.sub("", rest))
        if mention.period.unit == "year" and mention.period.end is None:
            return (*_of_year(mention.period.year, setting, table, context), rest)
        if mention.period.is_instant and (span := _ENDED.search(setting)) and not _ENDED.search(flat):
            ended = find_periods(f"{_LENGTH_END.split(span.group())[0]} ended {flat[mention.start : mention.end]}")
            if ended and not _BALANCE.search(table.title):
                return context.named(ended[0].period), _GUESSED, rest
        return context.named(mention.period), _SURE, rest
    if (quarter := _QUARTER_ONLY.search(flat)) and (year_of := _setting_year(setting, context)):
        number = int(quarter[2]) if quarter[2] else _NTH[(quarter[1] or quarter[3]).lower()]
        return Period("quarter", year_of, number, fiscal=True), _GUESSED, ""
    relative = _relative(flat, context)
    return (relative, _SURE if relative else _GUESSED, "" if relative else flat)


def _joined(opening: re.Match[str] | None, year: int) -> Period | None:
    """ "Years ended June 30," with the year that stands in the column."""
    if opening is None:
        return None
    found = find_periods(f"{opening.group().rstrip(', ')}, {year}")
    return found[0].period if found and found[0].period.end else None


def _of_year(year: int, setting: str, table: Table, context: FactContext) -> tuple[Period, float]:
    """A bare year: the setting says whether it is a year, shorter, or a date in it."""
    if found := _joined(_ENDED.search(setting), year):
        return context.named(found), _SURE
    if (as_of := _AS_OF.search(setting)) and not _ENDED.search(setting):
        found_day = find_periods(f"{as_of[1]}, {year}")
        if found_day and found_day[0].period.end and is_balance_table(table) is not False:
            return found_day[0].period, _SURE
    if is_balance_table(table):
        return Period.instant(context.year_close(year)), _SURE
    return context.fiscal_year(year), _SURE if is_balance_table(table) is False else 0.95


def _setting_year(setting: str, context: FactContext) -> int | None:
    mentions = find_periods(setting)
    if mentions:
        return mentions[0].period.year
    return context.period.year if context.period else None


def _relative(text: str, context: FactContext) -> Period | None:
    """期末, 期初, 本期, 上期: counted from the document's own period."""
    own = context.period
    if own is None:
        return None
    close = own.last_day
    if _CLOSING.search(text):
        return Period.instant(close)
    if _OPENING.search(text):
        return Period.instant(date(own.year, 1, 1) - timedelta(1))
    if _CURRENT.search(text):
        return replace(own, fiscal=True)
    if _PRIOR.search(text):
        return replace(own.shifted(-1), fiscal=True)
    return None
