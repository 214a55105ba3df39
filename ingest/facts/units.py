"""The unit and the scale of a cell: by its own signs, its row, its column, the unit line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ...core.names import is_chinese
from ...core.quantity import Quantity
from ..table import Table
from ..tables.values import is_number
from .column_heads import Column
from .context import FactContext
from .metrics import Metric
from .scales import Scale, read_scale

_PER_SHARE = re.compile(r"\bper\s+(?:\w+\s+){0,2}share|每股|元\s*[/／]\s*股|\beps\b", re.IGNORECASE)
_SHARES = re.compile(
    r"\bshares?\s+(?:outstanding|issued|authorized|used)|\bnumber of (?:\w+ )?shares|"
    r"\bweighted[- ]average\b.*\b(?:shares|number)|"
    r"股份数|股数|持股数量|[（(]股[）)]",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    r"[%％][)）]?$|\bpercent(?:age)?\b|\bmargin\b|\brates?$|\brate of\b|\bratio\b|比例|比率|占比|率$|率[（(]",
    re.IGNORECASE,
)
_PER_CUSTOMER = re.compile(
    r"\bper\s+(?:\w+\s+){0,2}(?:member(?:ship)?|subscri(?:ber|ption)|user|customer|account|household|guest|passenger)\b",
    re.IGNORECASE,
)
"""With decimals money, whatever the unit of the table: "(in thousands, except revenue per membership)"."""
_EACH = re.compile(r"(?:^|> )(?:basic|diluted)(?: .*)?$", re.IGNORECASE)
_SHARE_PRICE = 1000
"""Below it a basic or diluted figure with decimals is one a share, not a number of shares."""
_AMOUNT = re.compile(r"\([^()]*\d[^()]*\)")
"""A figure in brackets explains the row: "Dividends declared ($0.12 per share)"."""
_CENTS = re.compile(r"(?<!\d)\d{1,3}\.\d\d(?!\d)")
_PRICE = re.compile(r"\bprices?\b|\bfair value per\b|\bgrant[- ]date fair value\b|价格|单价", re.IGNORECASE)
_PEOPLE = re.compile(r"\bemployees\b|\bheadcount\b|员工|人数|人员|[（(][人名][）)]", re.IGNORECASE)
_NEAR_UNIT = re.compile(
    r"\((?:[^()\n]{0,60}\b)?in (?:millions|thousands|billions)\b[^()\n]{0,80}\)"
    r"|\b(?:in|of) (?:millions|thousands)\b|单位[:：]\s*[^\n|]{1,16}",
    re.IGNORECASE,
)
_HEAD_UNIT = re.compile(
    r"(?:^|(?<=\s))(?:(?:US|AU?|CA?|HK|NZ|S)?[$€£¥]|[A-Z]{3})\s?(?:mm?|mn|bn|k|['’]?000s?|millions?|thousands?|billions?)$"
    r"|\(1,000s?\)$"
)
"""The unit that a head is, or ends in: "2019 €m", "US$'000", "USDm", "Number of shares (1,000)"."""
_NEAR = 320
"""Characters before a table in which its unit may be told."""
_CURRENCY_SIGN = re.compile(r"[$€£¥]")
_PLAIN_UNITS = ("%", "x", "bp", "pp", "people", "shares")


@dataclass(frozen=True, slots=True)
class TableUnit:
    """``factor`` multiplies money; ``certainty`` is less than 1 where the scale is only the document's usual one."""

    currency: str
    factor: Decimal
    shares_factor: Decimal
    certainty: float = 1.0
    per_share: bool = False
    """True where the whole table is in money a share."""
    subscribers_factor: Decimal = Decimal(1)
    """Multiplies counts of subscribers: "(in thousands)" holds for them, "$ in thousands" may not."""


def table_unit(table: Table, text_before: str, context: FactContext) -> TableUnit:
    """From the unit line, else the words before the table, else the document's usual one under a currency sign."""
    heads = " ".join(cell for row in table.rows[: table.header_rows] for cell in row)
    signed = any(_CURRENCY_SIGN.search(cell) for row in table.rows for cell in row[1:])
    bracketed = heads if "(" in heads or "（" in heads else ""
    scale = _first(table.unit, table.title, _head_unit(table), _near(text_before), bracketed)
    if signed and _is_per_share(table):
        return TableUnit(scale.currency or context.currency, Decimal(1), Decimal(1), per_share=True)
    if scale.factor is not None:
        currency = scale.currency or context.currency
        shares, subscribers = scale.shares_too, not scale.currency
        return TableUnit(
            currency,
            scale.factor,
            scale.factor if shares else Decimal(1),
            subscribers_factor=scale.factor if subscribers else Decimal(1),
        )
    if signed:
        return TableUnit(scale.currency or context.currency, context.scale, Decimal(1), 0.85)
    return TableUnit(scale.currency, Decimal(1), Decimal(1), 0.8)


def _is_per_share(table: Table) -> bool:
    """True where title, heads or first label speak of amounts a share and all values have cents."""
    body = table.rows[table.header_rows :]
    said = " ".join((table.title, *(cell for row in table.rows[: table.header_rows + 1] for cell in row)))
    values = [cell for row in body for cell in row[1:] if is_number(cell)]
    return bool(_PER_SHARE.search(said)) and bool(values) and all(_CENTS.search(cell) for cell in values)


def cell_unit(
    quantity: Quantity, label: str, column: Column, metric: Metric | None, table: TableUnit
) -> tuple[str, Decimal]:
    """Unit and scale of one value."""
    if quantity.unit in _PLAIN_UNITS or "/" in quantity.unit:
        return quantity.unit, quantity.scale
    said = _AMOUNT.sub("", f"{label} {column.text}")
    kind = metric.kind if metric and metric.kind != "money" else ""
    priced = not kind and "." in quantity.text and _PRICE.search(f"{label} {column.text}")
    bare = not kind and "." in quantity.text and abs(quantity.value) < _SHARE_PRICE and _EACH.search(label)
    counted = not kind and _SHARES.search(label)
    if (
        kind == "per share"
        or priced
        or bare
        or (table.per_share and not kind)
        or (not kind and not counted and _PER_SHARE.search(said))
    ):
        named = read_scale(label).currency if "(" in label or "（" in label else ""
        currency = quantity.unit or named or table.currency or ("CNY" if is_chinese(label) else "USD")
        return f"{currency}/share", Decimal(1)
    if not kind and "." in quantity.text and abs(quantity.value) < _SHARE_PRICE and _PER_CUSTOMER.search(label):
        return quantity.unit or table.currency, quantity.scale
    if quantity.unit or quantity.scale != 1:
        factor = quantity.scale if quantity.scale != 1 else table.factor
        return quantity.unit or table.currency, factor
    if kind == "percent" or column.percent or (not metric and _PERCENT.search(label)):
        return "%", Decimal(1)
    if kind == "shares" or (not metric and _SHARES.search(label)):
        return "shares", table.shares_factor
    if kind == "people" or (not metric and _PEOPLE.search(label)):
        in_thousands = metric is not None and metric.name == "subscribers" and "." not in quantity.text
        return "people", table.subscribers_factor if in_thousands else Decimal(1)
    if kind == "ratio":
        return "x", Decimal(1)
    if kind == "count":
        return "", Decimal(1)
    own = read_scale(label) if "(" in label or "（" in label else Scale()
    return own.currency or table.currency, own.factor or table.factor


def _head_unit(table: Table) -> str:
    """The unit in the heads of the columns: the first one, since tables that mix scales are rare."""
    heads = (cell.strip() for row in table.rows[: table.header_rows] for cell in row)
    return next((found.group() for cell in heads if (found := _HEAD_UNIT.search(cell))), "")


def _near(text: str) -> str:
    found = _NEAR_UNIT.findall(text[-_NEAR:])
    return found[-1] if found else ""


def _first(*texts: str) -> Scale:
    """The first scale named, with the first currency named before or with it."""
    currency = ""
    for text in texts:
        scale = read_scale(text)
        currency = currency or scale.currency
        if scale.factor is not None and (scale.factor != 1 or "元" in text):
            return Scale(scale.factor, currency, scale.shares_too)
    return Scale(None, currency)
