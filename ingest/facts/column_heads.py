"""What the columns of a table stand for: periods, restated or adjusted figures, segments, changes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...core.fact import Basis
from ...core.patterns import one_of
from ...core.period import Period
from ..table import Table
from ..tables.markdown import head_texts
from .context import FactContext
from .fiscal_calendar import last_day
from .head_periods import SURE, HeadPeriods, says_length
from .statements import basis_of

_CHANGE = re.compile(
    one_of(
        r"\bchanges?\b",
        r"\bincrease|\bdecrease",
        r"\bvariance|\bgrowth\b",
        r"\bvs\.?\b|\bversus\b|\bcompared\b",
        r"%\s*(?:chg|inc|dec)",
        "增减|变动|同比|增长|比上年",
    ),
    re.IGNORECASE,
)
_PERCENT = re.compile("[%％]")
_NOTES = re.compile(
    one_of(
        r"notes?|ref\.?|page|no\.?",
        r"附注\S{0,3}|注释|说明|备注|情况说明|序号",
    ),
    re.IGNORECASE,
)
_TOTAL = re.compile(
    one_of(
        "(?:total|consolidated|company)s?",
        "(?:amount|balance|value)s?",
        "合计|总计|金额|数额",
    ),
    re.IGNORECASE,
)
_FILLERS = re.compile(
    one_of(
        r"^\W*(?:as (?:of|at)|at|for the|the|in|fiscal|ended)\b",
        r"\b(?:as (?:of|at)|for the|ended)\W*$",
    ),
    re.IGNORECASE,
)
_LONGEST_MEMBER = 110


@dataclass(frozen=True, slots=True)
class Column:
    """``member`` is the part of a head that names no period: a segment, a class of assets, a level."""

    period: Period | None = None
    member: str = ""
    basis: Basis = "reported"
    skipped: bool = False
    """True for labels, notes and changes: no facts of a period."""
    percent: bool = False
    certainty: float = SURE
    text: str = ""

    @property
    def name(self) -> str:
        """The member, else all that stands over the column."""
        return self.member or self.text


def read_columns(table: Table, context: FactContext) -> list[Column]:
    """One entry a column, the label column included."""
    corner, *heads = head_texts(table) or [""]
    periods = HeadPeriods(table, context, f"{corner} {table.title}")
    columns = [Column(skipped=True, text=corner)]
    for head in heads:
        columns.append(_column(head, periods, context))
    return columns


def _column(text: str, periods: HeadPeriods, context: FactContext) -> Column:
    """What a column stands for by its head."""
    if _NOTES.fullmatch(text.strip()):
        return Column(skipped=True, text=text)
    named = periods.named(text)
    percent = _PERCENT.search(text) is not None
    if _is_change(text, named.period, percent) or _is_rolling(named.period, context):
        return Column(named.period, skipped=True, percent=percent, text=text)
    return Column(
        named.period,
        member=_member(named.rest),
        basis=basis_of(text),
        percent=percent,
        certainty=named.certainty,
        text=text,
    )


def _is_change(text: str, period: Period | None, percent: bool) -> bool:
    """True for "Increase" and "2022 vs. 2021", not for "Increase in the year ended June 30, 2022"."""
    if not _CHANGE.search(text):
        return False
    is_dated = period is not None and period.end is not None
    return percent or not is_dated or not says_length(text)


def _is_rolling(period: Period | None, context: FactContext) -> bool:
    """True for the twelve months to the end of a quarter: they bear the name of no fiscal year."""
    end = last_day(period, "year")
    if end is None or not context.is_quarterly:
        return False
    return not context.closes_year(end)


def _member(rest: str) -> str:
    """What a head names beside its period; "" for a total, for signs only, and for a sentence."""
    member = _FILLERS.sub("", rest).strip(" ,:;-–—*/")
    if len(member) > _LONGEST_MEMBER or _TOTAL.fullmatch(member):
        return ""
    return member if any(map(str.isalnum, member)) else ""
