"""The unit and the scale of a cell: by its own signs, its row, its column, the unit line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain

from ...core.names import is_chinese
from ...core.patterns import first_found, one_of
from ...core.quantity import Quantity
from ..table import Table
from ..tables.values import is_number
from .column_heads import Column
from .context import FactContext
from .metrics import Metric
from .scales import Scale, read_scale

_PER_SHARE = re.compile(r"\bper\s+(?:\w+\s+){0,2}share|每股|元\s*[/／]\s*股|\beps\b", re.IGNORECASE)
_SHARES = re.compile(
    one_of(
        r"\bshares?\s+(?:outstanding|issued|authorized|used)",
        r"\bnumber of (?:\w+ )?shares",
        r"\bweighted[- ]average\b.*\b(?:shares|number)",
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
_CUSTOMER = one_of("member(?:ship)?|subscri(?:ber|ption)", "user|customer|account", "household|guest|passenger")
_PER_CUSTOMER = re.compile(rf"\bper\s+(?:\w+\s+){{0,2}}{_CUSTOMER}\b", re.IGNORECASE)
"""With decimals money, whatever the unit of the table: "(in thousands, except revenue per membership)"."""
_EACH = re.compile(r"(?:^|> )(?:basic|diluted)(?: .*)?$", re.IGNORECASE)
_MOST_FOR_ONE = 1000
"""Below it a basic or diluted figure with decimals is one a share, not a number of shares."""
_AMOUNT = re.compile(r"\([^()]*\d[^()]*\)")
"""A figure in brackets explains the row: "Dividends declared ($0.12 per share)"."""
_CENTS = re.compile(r"(?<!\d)\d{1,3}\.\d\d(?!\d)")
_PRICE = re.compile(r"\bprices?\b|\bfair value per\b|\bgrant[- ]date fair value\b|价格|单价", re.IGNORECASE)
_PEOPLE = re.compile(r"\bemployees\b|\bheadcount\b|员工|人数|人员|[（(][人名][）)]", re.IGNORECASE)
_NEAR_UNIT = re.compile(
    one_of(
        r"\((?:[^()\n]{0,60}\b)?in (?:millions|thousands|billions)\b[^()\n]{0,80}\)",
        r"\b(?:in|of) (?:millions|thousands)\b",
        r"单位[:：]\s*[^\n|]{1,16}",
    ),
    re.IGNORECASE,
)
"""The unit in the words before a table."""
_MONEY = one_of("(?:US|AU?|CA?|HK|NZ|S)?[$€£¥]", "[A-Z]{3}")
_SCALE = "(?:mm?|mn|bn|k|['’]?000s?|millions?|thousands?|billions?)"
_HEAD_UNIT = re.compile(
    one_of(
        rf"(?:^|(?<=\s)){_MONEY}\s?{_SCALE}$",
        r"\(1,000s?\)$",
    )
)
"""The unit that a head is, or ends in: "2019 €m", "US$'000", "USDm", "Number of shares (1,000)"."""
_NEAR = 320
"""Characters before a table in which its unit may be told."""
_CURRENCY_SIGN = re.compile(r"[$€£¥]")
_BRACKET = re.compile(r"[(（]")
_PLAIN_UNITS = ("%", "x", "bp", "pp", "people", "shares")
_KINDS_BY_LABEL = ((_PERCENT, "percent"), (_SHARES, "shares"), (_PEOPLE, "people"))
"""What a row without a metric counts, by its label; else it is money."""
_UNITS = {"percent": "%", "ratio": "x", "count": "", "shares": "shares", "people": "people", "subscribers": "people"}
"""Kind of value -> its unit, where that is not money."""
_SUBSCRIBERS = ("subscribers", "people")
_ONE = Decimal(1)


@dataclass(frozen=True, slots=True)
class TableUnit:
    """``factor`` multiplies money; ``certainty`` is less than 1 where the scale is only the document's usual one."""

    currency: str
    factor: Decimal = _ONE
    certainty: float = 1.0
    per_share: bool = False
    """True where the whole table is in money a share."""
    count_factors: Mapping[str, Decimal] = field(default_factory=dict)
    """What multiplies "shares" and "subscribers", where a scale does."""


def table_unit(table: Table, text_before: str, context: FactContext) -> TableUnit:
    """From the unit line, else the words before the table, else the document's usual one under a currency sign."""
    heads = " ".join(map(" ".join, table.heads))
    scale = _first_scale(table.unit, table.title, _head_unit(table), _unit_near(text_before), _bracketed(heads))
    currency = scale.currency or context.currency
    has_signs = _has_currency_signs(table)
    if has_signs and _is_per_share(table):
        return TableUnit(currency, per_share=True)
    if scale.factor is not None:
        return TableUnit(currency, scale.factor, count_factors=_count_factors(scale, scale.factor))
    if has_signs:
        return TableUnit(currency, context.scale, certainty=0.85)
    return TableUnit(scale.currency, certainty=0.8)


def cell_unit(
    quantity: Quantity,
    label: str,
    column: Column,
    metric: Metric,
    table: TableUnit,
) -> tuple[str, Decimal]:
    """Unit and scale of one value: by its own signs, its metric and its words, else those of the table's money."""
    if quantity.unit in _PLAIN_UNITS or "/" in quantity.unit:
        return quantity.unit, quantity.scale
    cell = _Cell(quantity, label, column, metric)
    own = read_scale(_bracketed(label))
    money = quantity.unit or table.currency
    if cell.is_per_share(table):
        named = filter(None, (quantity.unit, own.currency, table.currency))
        return f"{next(named, _usual_currency(label))}/share", _ONE
    if cell.is_per_customer() or quantity.scale != 1:
        return money, quantity.scale
    if quantity.unit:
        return money, table.factor
    kind = cell.kind()
    if kind in _UNITS:
        return _UNITS[kind], table.count_factors.get(kind, _ONE)
    return own.currency or money, own.factor or table.factor


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
        if self._has_decimals() and _PRICE.search(words):
            return True
        if self._is_small() and _EACH.search(self.label):
            return True
        return not _SHARES.search(self.label) and _PER_SHARE.search(_AMOUNT.sub("", words)) is not None

    def is_per_customer(self) -> bool:
        return self._may_be_money() and self._is_small() and _PER_CUSTOMER.search(self.label) is not None

    def kind(self) -> str:
        """What it counts: a kind of metric, or subscribers, whose whole numbers may be in thousands."""
        if self.column.percent:
            return "percent"
        if self.metric.kind:
            named = (self.metric.name, self.metric.kind)
            return "subscribers" if named == _SUBSCRIBERS and not self._has_decimals() else self.metric.kind
        return first_found(_KINDS_BY_LABEL, self.label, default="money")

    def _may_be_money(self) -> bool:
        return self.metric.kind in ("", "money")

    def _has_decimals(self) -> bool:
        return "." in self.quantity.text

    def _is_small(self) -> bool:
        """True for what one share or one customer may bring: "4.83"."""
        return self._has_decimals() and abs(self.quantity.value) < _MOST_FOR_ONE


def _count_factors(scale: Scale, factor: Decimal) -> dict[str, Decimal]:
    """The counts that a scale holds for: of shares not "except share data", of subscribers not "$ in thousands"."""
    factors = {}
    if scale.shares_too:
        factors["shares"] = factor
    if not scale.currency:
        factors["subscribers"] = factor
    return factors


def _usual_currency(label: str) -> str:
    return "CNY" if is_chinese(label) else "USD"


def _has_currency_signs(table: Table) -> bool:
    return any(_CURRENCY_SIGN.search(" ".join(row[1:])) for row in table.rows)


def _is_per_share(table: Table) -> bool:
    """True where title, heads or first label speak of amounts a share and all values have cents."""
    words = " ".join((table.title, *map(" ".join, table.rows[: table.header_rows + 1])))
    if not _PER_SHARE.search(words):
        return False
    numbers: list[str] = []
    for row in table.body:
        numbers += filter(is_number, row[1:])
    return bool(numbers) and all(map(_CENTS.search, numbers))


def _head_unit(table: Table) -> str:
    """The unit in the heads of the columns: the first one, since tables that mix scales are rare."""
    cells = map(str.strip, chain.from_iterable(table.heads))
    found = next(filter(None, map(_HEAD_UNIT.search, cells)), None)
    return found.group() if found else ""


def _unit_near(text: str) -> str:
    """The last unit told in the words before a table; "" where they tell none."""
    found: list[str] = _NEAR_UNIT.findall(text[-_NEAR:])
    return found[-1] if found else ""


def _bracketed(text: str) -> str:
    """The text if it has brackets, in which units are told, else ""."""
    return text if _BRACKET.search(text) else ""


def _first_scale(*texts: str) -> Scale:
    """The first scale named, with the first currency named before or with it."""
    currency = ""
    for text in texts:
        scale = read_scale(text)
        currency = currency or scale.currency
        if "元" in text or scale.factor not in (None, _ONE):
            return Scale(scale.factor, currency, scale.shares_too)
    return Scale(None, currency)
