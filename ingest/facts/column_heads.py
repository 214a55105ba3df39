"""What the columns of a table stand for: periods, restated or adjusted figures, segments, changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import accumulate, pairwise

from ...core.fact import Basis
from ...core.patterns import first_found, one_of
from ...core.period import Period, Unit, lasting, month_end
from ...core.period_text import PeriodMention, find_periods, first_period, is_period, month_of
from ...core.quantity import Scale, read_scale
from ...core.records import dataclass
from ..document import Table
from ..tables.markdown import head_texts
from ..tables.values import is_value
from .context import FactContext
from .table_context import UNIT_AFTER, UNIT_OR_BASIS, basis_of, unit_in_head

_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_SPELLED_COUNT = "three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two"
_LENGTH = one_of(
    r"(?:fiscal\s+)?years?",
    "quarters?",
    rf"(?:\d\d?|{_SPELLED_COUNT})[\s-]+(?:months?|weeks?)",
)
_ENDED = re.compile(
    rf"{_LENGTH}(?:\s+periods?)?\s+end(?:ed|ing)(?:\s+on)?"
    rf"(?:\s+(?:\d{{1,2}}\s+{_MONTH}|{_MONTH}\.?\s*\d{{0,2}}(?!\d)))?,?",
    re.IGNORECASE,
)
_LENGTH_END = re.compile(r"(?<!\s)\s+end", re.IGNORECASE)
_AS_OF = re.compile(
    rf"(?:as\s+(?:of|at)|at|on)\s+(?P<day_first>\d{{1,2}}\s+{_MONTH})\b|(?P<month_first>{_MONTH}\.?\s+\d{{1,2}})(?!\d)",
    re.IGNORECASE,
)
"""A day without its year, as it stands over years: "December 31," or "at 31 December"."""
_YEAR_ONLY = re.compile(
    r"\(?(?:(?:FY\s?|CY\s?)?(?P<year>(?:19|20)\d\d)|FY\s?['’]?(?P<short>\d\d))(?:A|(?P<estimate>[EFP]))?\)?"
    r"(?:\s*年度?)?"
    r"(?:\s*\([a-z\d]\)|\*)*",
    re.IGNORECASE,
)
"""With its note marks: "FY 2022 (a)*"; with "A" for actual figures, "E", "F" or "P" for estimates: "2024E"."""
_QUARTER_ONLY = re.compile(
    one_of(
        r"(first|second|third|fourth)\s+quarter",
        "Q([1-4])",
        "第([一二三四])季度",
    ),
    re.IGNORECASE,
)
_ORDINAL = re.compile("(first|second|third|fourth)", re.IGNORECASE)
_FOUR_QUARTERS = frozenset(("first", "second", "third", "fourth"))
_SHORT_DATE = re.compile(
    r"(?:(?P<day>\d{1,2})[-/ ])?(?P<month>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\.?"
    r"(?:[-/]|\s?['’]|[- ](?=20\d\d))(?P<year>(?:20)?\d\d)",
    re.IGNORECASE,
)
"""A month with two digits of its year, as heads have it alone: "Mar-25", "31-Dec-24"."""
_DAY_ALONE = re.compile(rf"(?P<month>{_MONTH})\.?\s+\d{{1,2}}(?!\d),?(?:\s*\((?:un)?audited\))?", re.IGNORECASE)
"""A day without its year, alone in its head: "June 30 (unaudited)"."""
_TO_DATE = re.compile(r"\bytd\b|\byear[- ]to[- ]date\b|\bcumulative\b", re.IGNORECASE)
_MONTHS_OF_QUARTER = 3
_LENGTHS: dict[int, Unit] = {3: "quarter", 6: "half", 9: "nine months", 12: "year"}
_NTH = {
    "first": 1, "second": 2, "third": 3, "fourth": 4,
    "1": 1, "2": 2, "3": 3, "4": 4,
    "一": 1, "二": 2, "三": 3, "四": 4,
}  # fmt: skip
_BALANCE = re.compile(r"balance sheets?|financial (?:position|condition)|资产负债表", re.IGNORECASE)
_FLOW = re.compile(
    one_of(
        "income|operations|earnings|comprehensive|loss",
        "cash flows?",
        "利润表|现金流量表|损益",
    ),
    re.IGNORECASE,
)
_IS_BALANCE = ((_BALANCE, True), (_FLOW, False))
"""Titles of tables of balances at a date, and of tables of flows."""
SURE, _LIKELY, _GUESSED = 1.0, 0.95, 0.75
"""How sure a period is: named, a year by its number alone, put together from the title or the labels' head."""
QUARTER_OF_SETTING = _GUESSED
"""Of a quarter whose head names no year."""


_RELATIVE: tuple[tuple[re.Pattern[str], Callable[[Period], Period]], ...] = (
    (re.compile("期初|年初|上期末|上年(?:年|期|度)?末"), lambda own: Period.instant(own.first_day - timedelta(1))),
    (re.compile("期末|年末"), lambda own: Period.instant(own.last_day)),
    (re.compile("本期|本年|本报告期"), lambda own: replace(own, fiscal=True)),
    (re.compile("上期|上年|去年"), lambda own: replace(own.shifted(-1), fiscal=True)),
)
"""Heads that count from the document's own period; the close of the year before (上年末) ends like its own (年末)."""


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """The period that a head names, how sure it is, and the words left over."""

    period: Period | None
    certainty: float = SURE
    rest: str = ""


def says_length(text: str) -> bool:
    """True for "Three months ended" and its like.

    >>> says_length("Year ended June 30, 2022"), says_length("June 30, 2022")
    (True, False)
    """
    return _ENDED.search(text) is not None


def _year_and_month(short: re.Match[str]) -> tuple[int, int]:
    """Of "Mar-25": (2025, 3)."""
    return 2000 + int(short["year"][-2:]), month_of(short["month"])


@dataclass(frozen=True, slots=True)
class HeadPeriods:
    """Reads the periods of one table's heads."""

    table: Table
    context: FactContext
    setting: str
    """What is said over the labels and above the table: a year or a date in a column goes on from there."""

    def named(self, text: str) -> NamedPeriod:
        """The period of a head, the unit below it left out."""
        head = UNIT_AFTER.sub("", " ".join(text.split()))
        if _TO_DATE.search(head):
            return self._to_date(head)
        short = _SHORT_DATE.fullmatch(head)
        if short is not None and (period := self._of_short(short)):
            return NamedPeriod(self.context.named(period), _LIKELY)
        if year := _YEAR_ONLY.fullmatch(head):
            named = self._of_year(int(year["year"] or f"20{year['short']}"), is_whole="FY" in head.upper())
            return replace(named, rest=head) if year["estimate"] else named
        mentions = find_periods(head)
        if mentions:
            return self._of_mention(mentions[0], head)
        return self._of_quarter(head) or self._relative(head)

    def _of_short(self, short: re.Match[str]) -> Period | None:
        """ "Mar-25": a quarter where the heads go on by three months, a month where they go on by one, else its end.

        None for a month with its whole year that is no quarter, which is read as elsewhere.
        """
        year, month = _year_and_month(short)
        if short["day"]:
            return Period.instant(date(year, month, int(short["day"])))
        heads = filter(None, map(_SHORT_DATE.fullmatch, map(str.strip, head_texts(self.table))))
        months = sorted({12 * year + month for year, month in map(_year_and_month, heads)})
        steps = {later - earlier for earlier, later in pairwise(months)}
        if steps == {_MONTHS_OF_QUARTER}:
            return lasting("quarter", month_end(year, month))
        if len(short["year"]) > 2:
            return None
        return Period("month", year, month) if steps == {1} else Period.instant(month_end(year, month))

    def _to_date(self, head: str) -> NamedPeriod:
        """ "YTD Mar 2025": from the beginning of the fiscal year to the end of the month or quarter named."""
        rest = " ".join(_TO_DATE.sub(" ", head).split())
        until = first_period(rest)
        if until is None or until.unit not in ("month", "quarter"):
            return NamedPeriod(None, _GUESSED, head)
        end = until.last_day
        months = (end.month - self.context.year_end[0] - 1) % 12 + 1
        if months not in _LENGTHS:
            first = (end - timedelta(days=30 * months - 15)).replace(day=1)
            return NamedPeriod(Period("span", first.year, end=end, start=first))
        return NamedPeriod(self.context.named(lasting(_LENGTHS[months], end)))

    def _of_year(self, year: int, *, is_whole: bool = False) -> NamedPeriod:
        """A bare year: the setting says whether it is a year, shorter, or a date in it; "FY 2024" is a year."""
        is_balance = first_found(_IS_BALANCE, self.table.title, default=None)
        period = self._in_setting(year, is_flow=is_balance is False)
        if period and not (is_whole and period.unit in ("half", "quarter", "nine months")):
            return NamedPeriod(self.context.named(period))
        if is_balance:
            return NamedPeriod(Period.instant(self.context.year_close(year)))
        return NamedPeriod(self.context.fiscal_year(year), _LIKELY if is_balance is None else SURE)

    def _in_setting(self, year: int, is_flow: bool) -> Period | None:
        """ "Years ended June 30," or, over balances, "June 30," with the year that stands in the column."""
        ended = _ENDED.search(self.setting)
        if ended:
            return _with_year(ended, year)
        day = _AS_OF.search(self.setting)
        return _dated(f"{day['day_first'] or day['month_first']}, {year}") if day and not is_flow else None

    def _of_mention(self, mention: PeriodMention, head: str) -> NamedPeriod:
        """A period that the head itself names, completed by the rest of the head or by the setting."""
        period = mention.period
        rest = head[: mention.start] + head[mention.end :]
        ended = _ENDED.search(head)
        if ended and period == Period("year", period.year):
            whole = _with_year(ended, period.year) or period
            return NamedPeriod(self.context.named(whole), rest=_ENDED.sub("", rest))
        if period.is_year_alone:
            return replace(self._of_year(period.year), rest=rest)
        if period.is_instant:
            flow = self._flow_to(head[mention.start : mention.end], ended)
            if flow:
                return NamedPeriod(self.context.named(flow), SURE if ended else _GUESSED, _ENDED.sub("", rest))
        return NamedPeriod(self.context.named(period), rest=rest)

    def _flow_to(self, day: str, ended: re.Match[str] | None) -> Period | None:
        """ "Three months ended" in the head or over the labels, and a day: a flow up to it; never of a balance."""
        length = ended or _ENDED.search(self.setting)
        if length is None or _BALANCE.search(self.table.title):
            return None
        opening = _LENGTH_END.split(length.group())[0]
        return first_period(f"{opening} ended {day}")

    def _of_quarter(self, head: str) -> NamedPeriod | None:
        """ "Second quarter" of the year that the setting names, else of the document's."""
        number = self._number_of_quarter(head)
        if number is None:
            return None
        year_of = first_period(self.setting) or self.context.period or self._first_year()
        if year_of is None:
            return None
        return NamedPeriod(Period("quarter", year_of.year, number, fiscal=True), QUARTER_OF_SETTING)

    def _number_of_quarter(self, head: str) -> int | None:
        """1 to 4; None for a head that names no quarter."""
        quarter = _QUARTER_ONLY.search(head) or self._ordinal(head)
        if quarter is None:
            return self._by_last_day(head)
        return _NTH["".join(filter(None, quarter.groups())).lower()]

    def _by_last_day(self, head: str) -> int | None:
        """Of "June 30" in a table that has the last days of all four quarters as heads."""
        day = _DAY_ALONE.fullmatch(head)
        if day is None:
            return None
        days = filter(None, map(_DAY_ALONE.fullmatch, map(str.strip, head_texts(self.table))))
        months = {month_of(other["month"]) for other in days}
        month, closing = month_of(day["month"]), self.context.year_end[0]
        if sorted(months) != list(range(min(months), 13, _MONTHS_OF_QUARTER)):
            return None
        return (month - closing - 1) % 12 // _MONTHS_OF_QUARTER + 1

    def _ordinal(self, head: str) -> re.Match[str] | None:
        """The head "Second" of a table that has all four of them."""
        ordinal = _ORDINAL.fullmatch(head)
        if ordinal is None:
            return None
        heads = {text.strip().lower() for text in head_texts(self.table)}
        return ordinal if heads >= _FOUR_QUARTERS else None

    def _first_year(self) -> Period | None:
        """The first year that stands alone as a label, over the rows that are of it."""
        labels = (row[0].strip() for row in self.table.rows if row)
        return first_period(next(filter(_YEAR_ONLY.fullmatch, labels), ""))

    def _relative(self, head: str) -> NamedPeriod:
        """期末, 期初, 本期, 上期: counted from the document's own period; any other head is a member."""
        period_of = first_found(_RELATIVE, head, default=None)
        if self.context.period is None or period_of is None:
            return NamedPeriod(None, _GUESSED, head)
        return NamedPeriod(period_of(self.context.period))


def _with_year(ended: re.Match[str], year: int) -> Period | None:
    """ "Years ended June 30," with a year."""
    opening = ended.group().rstrip(", ")
    return _dated(f"{opening}, {year}")


def _dated(text: str) -> Period | None:
    """The first period of a text, where it names its last day."""
    period = first_period(text)
    return period if period and period.end else None


_CHANGE = re.compile(
    one_of(
        r"\bchanges?\b",
        r"\bincrease|\bdecrease",
        r"\bvariance|\bgrowth\b",
        r"\bvs\.?\b|\bversus\b|\bcompared\b",
        r"%\s*(?:chg|inc|dec)|[ΔδΔ∆]|\b(?:delta|chg|y[/-]?o[/-]?y|q[/-]?o[/-]?q|y/y|q/q)\b|\+/-",
        "增减|变动|同比|增长|比上年",
    ),
    re.IGNORECASE,
)
_PERCENT = re.compile("[%％]")
_NOTES = re.compile(
    one_of(
        r"(?:(?:years?|months?|weeks?) ended |as (?:at|of) )?notes?(?: (?:no|ref|number)s?\.?)?|ref\.?|page|no\.?",
        r"附注\S{0,3}|注释|说明|备注|情况说明|序号",
    ),
    re.IGNORECASE,
)
_TOTAL = re.compile(
    one_of(
        "(?:total|consolidated|company|group)s?",
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
    notes: bool = False
    """True for the numbers of notes, which may stand at the end of labels, too."""
    percent: bool = False
    unit: Scale = Scale()
    """Of a column headed by one: "Millions of yen" beside "Thousands of U.S. dollars"."""
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
    is_of_changes = _is_of_changes(f"{corner} {table.title}", heads, periods)
    for head in heads:
        columns.append(_column(head, periods, is_of_changes=is_of_changes))
    return _without_translations(columns, context.currency)


def _without_translations(columns: list[Column], currency: str) -> list[Column]:
    """The columns; amounts translated for convenience, beside those in the document's own currency, state nothing new:
    "RMB | US$"."""
    currencies = {column.unit.currency for column in columns}
    if currency not in currencies:
        return columns
    foreign = currencies - {currency, ""}
    return [replace(c, skipped=c.skipped or c.unit.currency in foreign) for c in columns]


def _is_of_changes(told: str, heads: Sequence[str], periods: HeadPeriods) -> bool:
    """True for a table of how much each row grew in one period: "Organic Revenue Growth Rates"."""
    if not _CHANGE.search(told):
        return False
    named = {periods.named(head).period for head in heads}
    return len(named) == 1 and any(map(_PERCENT.search, (told, *heads)))


def columns_by_row(table: Table, context: FactContext) -> dict[int, Sequence[Column]]:
    """Row -> the columns from there on, where a title and words over all values begin another table below the first,
    or periods stand over the values: "1-6月" above, "6月30日" below.

    Two tables that stand close together on a page are read as one; the heads of the first end where the second begins.
    Words over some of the values alone go on from the row above: a name on two lines.
    """
    blocks: dict[int, Sequence[Column]] = {}
    for number, (above, row) in enumerate(pairwise(table.body), table.header_rows + 1):
        is_title = above[0] and not any(above[1:])
        if is_title and _is_row_of_heads(row, table.rows[number + 1 :]):
            blocks[number] = read_columns(replace(table, rows=(row,), header_rows=1, title=above[0], spans=()), context)
        elif _is_row_of_periods(row) or _of_another_length(row):
            row = _of_another_length(row) or row
            before = [*blocks.values()][-1] if blocks else read_columns(table, context)
            begun = read_columns(replace(table, rows=(row,), header_rows=1, spans=()), context)
            blocks[number] = [new if head else old for head, new, old in zip(row, begun, before, strict=True)]
    return blocks


def _of_another_length(row: tuple[str, ...]) -> tuple[str, ...]:
    """Heads that begin another length of time, over all columns that each covers: "Six Months Ended | July 2, 2023"."""
    is_opened = _ENDED.fullmatch(row[0].strip()) is not None and sum(map(is_period, row[1:])) > 1
    if not is_opened:
        return ()
    return tuple(accumulate(row, lambda left, own: own or left))


def _is_row_of_periods(row: Sequence[str]) -> bool:
    """True for a row of nothing but periods, two at least: values are years at most. Beside a label they are none."""
    heads = list(filter(None, row[1:]))
    if row[0] and any(map(is_value, heads)):
        return False
    return len(heads) > 1 and all(map(is_period, heads))


def _is_row_of_heads(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """True for a row without a label that has words over every value of the next row, over two at least."""
    under = below[0] if below else row
    heads = [head for head, value in zip(row[1:], under[1:], strict=True) if head or value]
    return not row[0] and len(heads) > 1 and all(heads) and not any(map(is_value, heads))


def _column(text: str, periods: HeadPeriods, *, is_of_changes: bool) -> Column:
    """What a column stands for by its head. Changes are left out, as they follow from the columns beside them, but in a
    table of nothing else."""
    if _NOTES.fullmatch(text.strip()):
        return Column(skipped=True, notes=True, text=text)
    named = periods.named(text)
    percent = _PERCENT.search(text) is not None
    is_left_out = not is_of_changes and _is_change(text, named.period, percent)
    if is_left_out:
        return Column(named.period, skipped=True, percent=percent, text=text)
    unit = unit_in_head(text) if named.period else ""
    return Column(
        named.period,
        member=_member(named.rest.replace(unit, "")),
        unit=read_scale(unit),
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


def _member(rest: str) -> str:
    """What a head names beside its period; "" for a total, for signs only, and for a sentence."""
    member = _FILLERS.sub("", UNIT_OR_BASIS.sub("", rest)).strip(" ,:;-–—*/")
    if len(member) > _LONGEST_MEMBER or _TOTAL.fullmatch(member):
        return ""
    return member if any(map(str.isalnum, member)) else ""
