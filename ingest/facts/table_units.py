"""The unit and the scale of a table's amounts: by its unit line, its heads, the words before it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain

from ...core.patterns import one_of
from ...core.sequences import last
from ...core.units import Scale, bracketed, read_scale
from ..table import Table
from ..tables.values import is_number
from .context import FactContext

SAYS_PER_SHARE = re.compile(
    one_of(
        r"\bper\s+(?:\w+\s+){0,2}share|\beps\b",
        r"每股|元\s*[/／]\s*股",
    ),
    re.IGNORECASE,
)
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
_CENTS = re.compile(r"(?<!\d)\d{1,3}\.\d\d(?!\d)")
_ONE = Decimal(1)
_USUAL_SCALE, _NO_SCALE = 0.85, 0.8
"""How sure the unit is where a scale is not told: the document's usual one under a currency sign, else none."""


@dataclass(frozen=True, slots=True)
class TableUnit:
    """``factor`` multiplies money; ``certainty`` is less than 1 where the scale is only the document's usual one."""

    currency: str
    factor: Decimal = _ONE
    certainty: float = 1.0
    per_share: bool = False
    """True where the whole table is in money a share."""
    by_row: bool = False
    """True where rows tell their scale themselves and money has its sign: "Orders (in thousands)" are no money."""
    count_factors: Mapping[str, Decimal] = field(default_factory=dict)
    """What multiplies "shares" and "subscribers", where a scale does."""


def table_unit(table: Table, text_before: str, context: FactContext) -> TableUnit:
    """From the unit line, else the words before the table, else the document's usual one under a currency sign."""
    heads = " ".join(map(" ".join, table.heads))
    scale = _first_scale(table.unit, table.title, _head_unit(table), _unit_near(text_before), bracketed(heads))
    currency = scale.currency or context.currency
    has_signs = _has_currency_signs(table)
    if has_signs and _is_per_share(table):
        return TableUnit(currency, per_share=True)
    if scale.factor is not None:
        return TableUnit(currency, scale.factor, count_factors=_count_factors(scale, scale.factor))
    if has_signs and _rows_say_their_scale(table):
        return TableUnit(currency, by_row=True)
    if has_signs:
        return TableUnit(currency, context.scale, certainty=_USUAL_SCALE)
    return TableUnit(scale.currency, certainty=_NO_SCALE)


def _count_factors(scale: Scale, factor: Decimal) -> dict[str, Decimal]:
    """The counts that a scale holds for: of shares not "except share data", of subscribers not "$ in thousands"."""
    factors = {}
    if scale.shares_too:
        factors["shares"] = factor
    if not scale.currency:
        factors["subscribers"] = factor
    return factors


def _rows_say_their_scale(table: Table) -> bool:
    """True where some labels tell a scale, "Orders (in thousands)": the rows that tell none are in single units."""
    return any(read_scale(bracketed(row[0])).factor not in (None, _ONE) for row in table.body)


def _has_currency_signs(table: Table) -> bool:
    return any(_CURRENCY_SIGN.search(" ".join(row[1:])) for row in table.rows)


def _is_per_share(table: Table) -> bool:
    """True where title, heads or first label speak of amounts a share and all values have cents."""
    words = " ".join((table.title, *map(" ".join, table.rows[: table.header_rows + 1])))
    if not SAYS_PER_SHARE.search(words):
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
    return last(found, "")


def _first_scale(*texts: str) -> Scale:
    """The first scale named, with the first currency named before or with it."""
    currency = ""
    for text in texts:
        scale = read_scale(text)
        currency = currency or scale.currency
        if "元" in text or scale.factor not in (None, _ONE):
            return Scale(scale.factor, currency, scale.shares_too)
    return Scale(None, currency)
