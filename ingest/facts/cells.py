"""What a cell of a table states (the metric, what narrows it, on which basis), and what its value is in: unit, scale,
period.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import cache

from ...core.fact import Consolidation
from ...core.names import is_chinese
from ...core.patterns import first_found, one_of
from ...core.period import Period
from ...core.period_text import first_period
from ...core.quantity import Quantity, Scale, bracketed, read_scale
from ...core.records import dataclass
from ..document import Table
from .column_heads import QUARTER_OF_SETTING, Column, says_length
from .context import FactContext
from .metrics import UNNAMED, Metric, MetricList
from .row_labels import RowLabel, metric_of_row
from .table_context import NAMELESS, SAYS_PER_SHARE, TO_COME, Statement, TableUnit, due_path, means_change, stated_basis

_COUNTRY = one_of(
    r"americas?|latin|north|united states|u\.?s\.?",
    "europe|emea|africa",
    "asia|pacific|china|japan",
    "international|domestic|foreign",
)
_REGION = re.compile(rf"\b{_COUNTRY}\b|境内|境外|国内|国外|地区", re.IGNORECASE)
_BY_SEGMENT = ("revenue", "cost of revenue", "operating income")
"""Metrics whose sections and tables list the parts of the company."""
_BASIS_WORDS = re.compile(
    one_of(
        r"\b(?:as|reported|actual|non|gaap|core|adjusted|measures?|basis|pro|forma|further)\b",
        r"\b(?:un)?audited\b|\brestated\b|\b5[23][ -]weeks?\b",
        r"\(\w\)|[^\w()]",
    ),
    re.IGNORECASE,
)
"""What a head says of its basis, with all signs: nothing else narrows a fact."""
_TOTAL = re.compile(rf"(?:grand )?total\b(?! (?:{_COUNTRY}|canada|mexico|united kingdom)\b)|合计|总计", re.IGNORECASE)
_ALL_INCOME = re.compile(r"^total (?:net )?operating income\b(?!.{0,40}(?:loss|before|after))", re.IGNORECASE)
_NAMES = ("姓名", "名称", "Name")
_CONSOLIDATION: tuple[tuple[re.Pattern[str], Consolidation], ...] = (
    (re.compile(r"母公司|parent company|parent only", re.IGNORECASE), "parent"),
    (re.compile(r"合并|consolidated", re.IGNORECASE), "consolidated"),
)

Dimensions = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The metric, :data:`UNNAMED` where the list has none, and what narrows it to a part of the company."""

    metric: Metric
    dimensions: Dimensions = ()
    named_by: str = ""
    """The words that name the metric: "Net loss"."""
    by_head: bool = False
    """True where they stand over the column."""


@dataclass(frozen=True, slots=True)
class CellReader:
    """Tells what the cells of one table state."""

    metrics: MetricList
    statement: Statement
    corner: str
    """The head over the labels."""
    due: str = ""
    """What falls due in the years of the rows, where no head names it."""
    is_bank: bool = False
    """True where a row is net interest income: "total operating income" is then all income, no result."""

    def turned(self, label: RowLabel, column: Column) -> tuple[RowLabel, Column]:
        """Where rows are periods the column heads name what is counted; a head may stand over the periods, too."""
        name = column.name or self.corner
        path = due_path(self.due) if self.due and NAMELESS.fullmatch(name) else (*label.path[:-1], name)
        if not (label.period_row and path[-1]):
            return label, column
        return replace(label, name=path[-1], path=path), replace(column, member="")

    def stated(self, metric: Metric) -> Metric:
        """The metric whose value a cell states; a balance sheet item in the cash flow statement is only its change."""
        is_change = means_change(self.statement, metric.name, _balances(self.metrics))
        return UNNAMED if is_change else metric

    def section_metric(self, label: RowLabel) -> Metric:
        """The metric that the row's section is named for: "Revenues" over "Casino"."""
        return self.metrics.get(label.section)

    def meaning(self, label: RowLabel, column: Column) -> Meaning:
        """What a cell is about, by the row, the column, the section or the corner over the labels."""
        if label.section in TO_COME:
            return Meaning(UNNAMED)  # "long-term debt" of the year in which it is to be paid is no balance
        metric, name = metric_of_row(label, self.metrics)
        if self.is_bank and _ALL_INCOME.search(name):
            return Meaning(UNNAMED, _narrowed(column))
        head = self._head_metric(column)
        if metric.name:
            return Meaning(metric, () if head.name == metric.name else _narrowed(column), name)
        if head.name and (head.kind != "text" or label.name in _NAMES):
            return Meaning(head, _part(label), column.name, by_head=True)
        section = self.section_metric(label)
        if section.name in _BY_SEGMENT:
            return Meaning(section, (*_narrowed(column), *_part(label, label.section)), label.section)
        corner = self.metrics.get(self.corner)
        if corner.name in _BY_SEGMENT:
            return Meaning(corner, (*_narrowed(column), *_part(label)), self.corner)
        return Meaning(UNNAMED, () if head.name else _narrowed(column))

    def _head_metric(self, column: Column) -> Metric:
        """The metric that the column is headed by; the columns of a statement of equity are parts of it."""
        if self.statement == "equity":
            return UNNAMED
        return self.metrics.get(column.name)


@cache
def _balances(metrics: MetricList) -> frozenset[str]:
    return frozenset(metric.name for metric in metrics.metrics.values() if metric.balance)


def _narrowed(column: Column) -> Dimensions:
    """What the head of a column narrows a fact to; a basis alone is none."""
    if not _BASIS_WORDS.sub("", column.member):
        return ()
    axis = "region" if _REGION.search(column.member) and not column.unit.currency else "column"
    return ((axis, column.member),)


def _part(label: RowLabel, section: str = "") -> Dimensions:
    """The part of the company that a row is about; a basis is none, nor a total, in a section the one that names it."""
    is_total = _TOTAL.match(label.name) and section.lower() in label.name.lower()
    return () if is_total or stated_basis(label.name) else (("segment", label.name),)


def consolidation(table: Table) -> Consolidation:
    """By the title: 合并, 母公司, "Consolidated", "Parent Company Only"."""
    return first_found(_CONSOLIDATION, table.title, default="")


_SHARES = re.compile(
    one_of(
        r"\bshares?\s+(?:outstanding|issued|authorized|used)",
        r"\bnumber of (?:\w+ )?shares",
        r"\bweighted[- ]average\b.{0,200}\b(?:shares|number)",
        "股份数|股数|持股数量|[（(]股[）)]",
    ),
    re.IGNORECASE,
)
_PERCENT = re.compile(
    one_of(
        r"[%％][)）]?$",
        r"\bpercent(?:age)?\b",
        r"\bmargin\b|\brates?$|\brate of\b|\bratio\b",
        "比例|比率|占比|率$|率[（(]",
    ),
    re.IGNORECASE,
)
_CUSTOMER = one_of(
    "member(?:ship)?|subscri(?:ber|ption)",
    "user|customer|account",
    "household|guest|passenger",
    "units?|rooms?|barrels?|boe|tonnes?|tons?|ounces?|gallons?",
)
_PER_CUSTOMER = re.compile(rf"\bper\s+(?:\w+\s+){{0,2}}{_CUSTOMER}\b", re.IGNORECASE)
"""Of each customer or piece sold: with decimals money, whatever the unit of the table is: "(in thousands, except
revenue per membership)"."""
_PRICE_OF = re.compile(r"[(（][^()]{0,6}[A-Z$€£¥₹]\s?/\s?([A-Za-z]{1,9})[)）]")
_EXCEPT = re.compile(r"\bexcept\b[^()（）]{0,120}", re.IGNORECASE)
"""What a unit does not hold for: "(in millions, except per share amounts)" names no amount a share."""
_EACH = re.compile(r"(?:^|> )(?:basic|diluted)(?: .*)?$", re.IGNORECASE)
_MOST_FOR_ONE = 1000
"""Below it a basic or diluted figure with decimals is one a share, not a number of shares."""
_AMOUNT = re.compile(r"\([^()\d]*\d[^()]*\)")
"""A figure in brackets explains the row: "Dividends declared ($0.12 per share)"."""
_PRICE = re.compile(
    one_of(
        r"\bprices?\b",
        r"\bfair value per\b|\bgrant[- ]date fair value\b",
        "价格|单价",
    ),
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    one_of(
        r"\bemployees\b|\bheadcount\b",
        "员工|人数|人员|[（(][人名][）)]",
    ),
    re.IGNORECASE,
)
_PLAIN_UNITS = ("%", "x", "bp", "pp", "people", "shares")
_BARE_UNITS = (
    (re.compile(r"\(%\).*\|"), "%"),
    (
        re.compile(
            r"(?:\bto (?:adjusted |underlying )?EBITDA(?:R|X)?\b|\b(?:interest|dividend|fixed[- ]charge) cover(?:age)?"
            r"\b|\b(?:current|quick|leverage|coverage) ratio\b).* \| \d{1,3}\.\d+$",
            re.IGNORECASE,
        ),
        "x",
    ),
)
"""The unit of a value without any, by its label and itself: "Gross margin (%) | 22.9", "Net debt to EBITDA | 0.9"."""
_TIMES = re.compile(r"[(（](?:x|times|倍)[)）]|, (?:x|times)$|\bp/e\b|市盈率|倍数", re.IGNORECASE)
"""Of the label or the head over the values."""
_PIECES = re.compile(
    one_of(
        r"^(?:total |average )?number of (?!(?:\w+ )?shares)",
        r"^(?:(?:total|average|active|paying|new|own(?:ed)?|leased|company-owned|franchised) ){0,2}"
        + one_of(
            "subscribers|users|members|customers|passengers|guests|patients|branches|stores|restaurants|hotels",
            "advertisers|merchants|sellers|students|visitors|policyholders|franchisees|suppliers|participants",
            "rooms|beds|aircraft|vessels|ships|vehicles|trucks|tractors|trailers|apartments|(?:apartment )?homes",
            "communities|locations|sites|outlets|clinics|schools",
        )
        + r"(?: (?:open|in operation|at (?:period|year|quarter|month)[- ]?end|at end of \w+|\(.{0,60}\)))?$",
        r"[(（](?:in )?(?:(?:thousands?|millions?|['’]?000) (?:of )?)?"
        + one_of(
            "(?:metric )?(?:tonnes|tons)|kt|mt|mmt|k?oz|ounces|pounds|m?lbs|(?:thousand )?hectolit(?:re|er)s|hl",
            "[kmgt]wh|[mg]w|barrels|m?m?bbls?|boe|m?boepd|boe/d|bbls?/d|m?mcf|bcf|lit(?:re|er)s|gallons",
            "units|pieces|km|miles|hectares|acres|sq\\.? ?(?:ft|m)|square (?:feet|met(?:re|er)s)|teu|days|hours",
        )
        + "[)）]",
        r"[(（](?:in )?(?:thousands?|millions?|['’]?000s?) (?:of )?"
        + one_of("trips|users|members|subscribers|customers|passengers|guests|units|people|visitors|accounts|visits")
        + "[)）]",
        r"\b(?:RPM|ASM|RPK|ASK|RTK|ATK|FTK|TEU)s?\b",
        r"^(?:units|vehicles|cars|tonnes|tons|barrels) (?:shipped|sold|delivered|produced)|^shipments$|^deliveries$",
    ),
    re.IGNORECASE,
)
"""Of the row's own name: pieces, people or a measure that is no money."""
_KINDS_BY_LABEL = ((_TIMES, "ratio"), (_PERCENT, "percent"), (_SHARES, "shares"), (_PEOPLE, "people"))
"""What a row without a metric counts, by its label; else it is money."""
_NUMBER_OF = r"\bnumber of [\w ,-]{0,40}?(?:shares|options|units|awards|rsus|psus|warrants)"
_BARE_SHARES = (
    r"\b(?<!per )(?<!treasury )(?<!ordinary )(?<!common )(?<!preferred )(?<!preference )(?:shares|options|[rp]sus)"
)
_KINDS_BY_HEAD = (
    (re.compile(one_of(_NUMBER_OF, _BARE_SHARES) + r"[\W\d]{0,9}(?:[(（][^()]{0,40}[)）])?$", re.IGNORECASE), "shares"),
    (re.compile(r"[(（](?:in )?(?:years|months|days)[)）]$", re.IGNORECASE), "count"),
)
"""The same by the head of the column: "Number of shares", "Remaining term (in years)"."""
_UNITS = {"percent": "%", "ratio": "x", "count": "", "shares": "shares", "people": "people", "subscribers": "people"}
"""Kind of value -> its unit, where that is not money."""
_SUBSCRIBERS, _COUNTS = ("subscribers", "people"), ("count", "shares", "people", "subscribers")
_IN_HUNDREDTHS = re.compile(r"[(（](?:p|c|¢)[)）]|\b(?:p|¢)$|\bpence\b|\bcents?\b", re.IGNORECASE)
"""Of the label or the head of an amount a share: "Basic EPS (p)", "2024 pence"."""
_OF_TEN_SHARES = re.compile(r"每\s?(?:10|十)\s?股派")
_OF_SHARE = re.compile(r"\b(?:dividends?|earnings|eps|dps)\b", re.IGNORECASE)
"""What is told in pence or cents is told of one share."""
_ONE, _TENTH, _HUNDREDTH = Decimal(1), Decimal("0.1"), Decimal("0.01")


def cell_unit(
    quantity: Quantity,
    label: str,
    column: Column,
    metric: Metric,
    table: TableUnit,
) -> tuple[str, Decimal]:
    """Unit and scale of one value: by its own signs, its metric and its words, else those of the table's money."""
    cell = _Cell(quantity, label, column, metric)
    own = read_scale(bracketed(label))
    plain = cell.plain_unit(own)
    if plain:
        return plain, quantity.scale
    money = quantity.unit or table.currency
    if table.by_row and not (quantity.unit or metric.kind or own.currency):
        money = ""
    if cell.is_per_share(table):
        named = filter(None, (quantity.unit, own.currency, table.currency))
        return f"{next(named, _usual_currency(label, table))}/share", cell.part_of_currency()
    if cell.is_per_customer() or quantity.scale != 1:
        return money, quantity.scale
    if quantity.unit:
        return money, own.factor or table.factor
    kind = cell.kind()
    if kind in _UNITS:
        return _UNITS[kind], _count_factor(kind, own, table)
    return own.currency or money, own.factor or _money_factor(cell, own, table)


def _money_factor(cell: _Cell, own: Scale, table: TableUnit) -> Decimal:
    """The table's scale; none for a small amount whose label tells but a currency: "RevPAR (£)" beside "Sales (£m)"."""
    return _ONE if own.currency and cell.is_small() else table.factor


def _count_factor(kind: str, own: Scale, table: TableUnit) -> Decimal:
    """The scale of a count: what its own label tells, "Subscribers (thousands)", else the table of such counts."""
    if kind in _COUNTS and own.factor is not None and not own.currency:
        return own.factor
    return table.count_factors.get(kind, _ONE)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A value with what is known and said about it."""

    quantity: Quantity
    label: str
    column: Column
    metric: Metric

    def is_per_share(self, table: TableUnit) -> bool:
        """By its metric, else by the table, the row and the column."""
        if not self._may_be_money():
            return self.metric.kind == "per share"
        if table.per_share:
            return True
        words = f"{self.label} {self.column.text}"
        if _OF_SHARE.search(words) and self.part_of_currency() != _ONE:
            return True
        if self._has_decimals() and _PRICE.search(words):
            return True
        if self.is_small() and _EACH.search(self.label):
            return True
        named = _EXCEPT.sub("", _AMOUNT.sub("", words))
        return not _SHARES.search(self.label) and SAYS_PER_SHARE.search(named) is not None

    def part_of_currency(self) -> Decimal:
        """A hundredth where an amount a share is in pence or cents, a tenth where it is told for ten shares."""
        named = f"{self.label} | {self.column.text}"
        if self.quantity.scale == _HUNDREDTH or _IN_HUNDREDTHS.search(named):
            return _HUNDREDTH
        return _TENTH if _OF_TEN_SHARES.search(named) else _ONE

    def plain_unit(self, own: Scale) -> str:
        """A unit that no table's scale holds for: its own, or "AUD/oz" of "AISC (A$/oz)"; "" for any other.

        ``own`` is the scale that the label tells.
        """
        unit = self.quantity.unit
        if unit in _PLAIN_UNITS or "/" in unit:
            return unit
        bare = first_found(_BARE_UNITS, f"{self.label} | {self.quantity.text}", default="")
        if bare and not unit:
            return bare
        price = _PRICE_OF.search(self.label)
        return f"{own.currency}/{price[1]}" if price and own.currency else ""

    def is_per_customer(self) -> bool:
        return self._may_be_money() and self.is_small() and _PER_CUSTOMER.search(self.label) is not None

    def kind(self) -> str:
        """What it counts: a kind of metric, or subscribers, whose whole numbers may be in thousands."""
        if self.column.percent:
            return "percent"
        if self.metric.kind:
            named = (self.metric.name, self.metric.kind)
            return "subscribers" if named == _SUBSCRIBERS and not self._has_decimals() else self.metric.kind
        by_head = first_found(_KINDS_BY_HEAD, self.column.text, default="")
        if kind := by_head or first_found(_KINDS_BY_LABEL, self.label, default=""):
            return kind
        return "count" if _PIECES.search(self.label) else "money"

    def _may_be_money(self) -> bool:
        return self.metric.kind in ("", "money")

    def _has_decimals(self) -> bool:
        return "." in self.quantity.text

    def is_small(self) -> bool:
        """True for what one share or one customer may bring: "4.83"."""
        return self._has_decimals() and abs(self.quantity.value) < _MOST_FOR_ONE


def _usual_currency(label: str, table: TableUnit) -> str:
    return "CNY" if is_chinese(label) else table.usual or "USD"


_DECEMBER = 12
_AT_A_DATE = frozenset({"book value per share", "cash and cash equivalents at beginning of period"})
"""Amounts that are no balances of the metric list, and no flows."""


@dataclass(frozen=True, slots=True)
class CellPeriods:
    """Tells the periods of the cells of one table."""

    context: FactContext
    statement: Statement
    of_one: bool = False  # all columns are of one period

    def in_year_of_row(self, label: RowLabel, column: Column) -> Column:
        """ "Three Months Ended | June 30," over rows in a section "2022": the column with that quarter as period.

        "First Quarter" is one of the section's year, too, whatever year stands over the labels.
        """
        if label.period is None or label.period.unit != "year":
            return column
        if column.period is not None:
            names_no_year = column.period.unit == "quarter" and column.certainty == QUARTER_OF_SETTING
            return replace(column, period=replace(column.period, year=label.period.year)) if names_no_year else column
        if not says_length(column.text) or self.context.year_end[0] != _DECEMBER:
            return column  # in a shifted year the section's year may not be the date's
        period = first_period(f"{column.text.strip(' ,')}, {label.period.year}")
        if period is None or period.end is None:
            return column
        return replace(column, period=self.context.named(period), member="")

    def stated(self, label: RowLabel, column: Column) -> Period | None:
        """The period of the column, or of a row that names nothing else; of its section where all columns have one."""
        if label.period is None:
            return column.period
        is_own = label.period_row or (self.of_one and column.period and label.period.unit == column.period.unit)
        if column.period is not None and not is_own:
            return column.period
        if label.period.unit == "year" and label.period.end is None:
            return self.context.fiscal_year(label.period.year)
        return self.context.named(label.period)

    def dated(self, period: Period | None, metric: Metric) -> Period | None:
        """Balances stand at a date, flows over a period, whatever short form the head has."""
        if period is None:
            return None
        if metric.balance:
            return self.context.balance_day(period)
        if period.is_instant and _is_flow(metric):
            return self._over_time(period)
        return period

    def _over_time(self, day: Period) -> Period | None:
        """A flow under a bare date: of the year where it is a report's on one and the year closes then.

        The day itself where nothing is known of the report. Else nothing tells how long a time ends on that day: None.
        """
        own = self.context.period
        if own is None:
            return day
        if own.unit != "year":
            return None
        if not self.context.closes_year(day.last_day):
            return None
        if self.statement in ("income statement", "cash flow"):
            return self.context.named(Period("year", day.year, fiscal=True, end=day.last_day))
        return day


def _is_flow(metric: Metric) -> bool:
    is_amount = metric.kind in ("money", "per share")
    return is_amount and not metric.balance and metric.name not in _AT_A_DATE
