"""What a whole table tells about its cells: which of the financial statements it is and on which basis, the unit and
the scale of its amounts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Literal

from ...core.fact import Basis
from ...core.patterns import first_found, on_demand, one_of
from ...core.period import Period
from ...core.period_text import find_periods
from ...core.quantity import Scale, bracketed, read_scale
from ...core.records import dataclass
from ...core.sequences import last
from ..document import Table
from ..tables.values import is_number, is_unit_line
from .context import FactContext
from .metrics import MetricList

Statement = Literal["balance sheet", "income statement", "cash flow", "equity", "exhibits", ""]

_TITLES: tuple[tuple[re.Pattern[str], Statement], ...] = (
    (re.compile(r"cash flows?|现金流量表", re.IGNORECASE), "cash flow"),
    (re.compile(r"balance sheets?|financial (?:position|condition)|资产负债表", re.IGNORECASE), "balance sheet"),
    (
        re.compile(r"statements?\s+of\s{1,9}.{0,200}(?:shareholders|stockholders|equity)|权益变动表", re.IGNORECASE),
        "equity",
    ),
    (
        re.compile(r"statements?\s+of\s{1,9}.{0,200}(?:income|operations|earnings|loss)|利润表|损益表", re.IGNORECASE),
        "income statement",
    ),
    (re.compile(r"\bexhibits?\b|incorporated by reference", re.IGNORECASE), "exhibits"),
)
_CASH = ("cash", "change in cash", "effect of exchange")


@dataclass(frozen=True, slots=True)
class _Keys:
    """A table whose rows name at least so many of these metrics, and none that another statement has, is one."""

    statement: Statement
    metrics: frozenset[str]
    least: int
    without: frozenset[str] = frozenset()

    def fit(self, found: Collection[str]) -> bool:
        return len(self.metrics.intersection(found)) >= self.least and self.without.isdisjoint(found)


_KEYS = (
    _Keys(
        "cash flow",
        frozenset({"cash from operations", "cash from investing", "cash from financing"}),
        least=2,
        without=frozenset({"total assets"}),
    ),
    _Keys(
        "balance sheet",
        frozenset(
            {"total assets", "total current assets", "total liabilities", "total equity", "total current liabilities"}
        ),
        least=3,
    ),
    _Keys(
        "income statement",
        frozenset({"revenue", "operating income", "income before tax", "income tax", "net income", "cost of revenue"}),
        least=4,
    ),
)


def statement_of(table: Table, metrics: MetricList) -> Statement:
    """By its rows, which do not lie, else by its title and heads; "" for all other tables."""
    found = {metrics.get(row[0]).name for row in table.rows} - {""}
    for keys in _KEYS:
        if keys.fit(found):
            return keys.statement
    titled = first_found(_TITLES, " ".join((table.title, *map(" ".join, table.heads))), default="")
    is_sure = titled in ("equity", "exhibits") or len(found) >= 2
    return titled if is_sure else ""


def means_change(statement: Statement, metric: str, balances: Collection[str]) -> bool:
    """True for a balance sheet item in the cash flow statement: there it is the change over the period.

    >>> means_change("cash flow", "inventory", {"inventory"}), means_change("balance sheet", "inventory", {"inventory"})
    (True, False)
    """
    return statement == "cash flow" and metric in balances and not metric.startswith(_CASH)


_BASES: tuple[tuple[re.Pattern[str], Basis], ...] = (
    (
        re.compile(
            r"(?<!\d)(?:19|20)\d\d\s?[EFP]\b(?![-.&’'])"
            r"|(?<!of )\bforecasts?\b(?! (?:transactions?|purchases?|errors?)\b)|预测(?!误差)",
            re.IGNORECASE,
        ),
        "forecast",
    ),
    (re.compile(r"\brestated\b|调整后|重述", re.IGNORECASE), "restated"),
    (re.compile(r"\bpro[\s-]forma\b|备考", re.IGNORECASE), "pro forma"),
    (re.compile(r"\b(?:non-?gaap|adjusted|as adjusted|core)\b", re.IGNORECASE), "adjusted"),
    (re.compile(r"\breported\b|\bgaap\b|^actual$", re.IGNORECASE), "reported"),
)
"""The first that is found counts."""


@lru_cache(maxsize=1024)
def stated_basis(text: str) -> Basis | None:
    """The basis that a text names; None where it names none.

    >>> [stated_basis(text) for text in ("Reported, GAAP Measure", "Core, Non-GAAP Measure", "2024E", "Sales")]
    ['reported', 'adjusted', 'forecast', None]
    """
    return first_found(_BASES, text, default=None)


def basis_of(*texts: str) -> Basis:
    """The basis that the first of the texts names which names one, else "reported".

    >>> basis_of("2022", "Operating profit, as restated", "Non-GAAP reconciliation"), basis_of("2022")
    ('restated', 'reported')
    """
    named: Iterator[Basis] = filter(None, map(stated_basis, texts))
    return next(named, "reported")


SAYS_PER_SHARE = on_demand(
    one_of(
        r"\bper\s+(?:\w+\s+){0,2}share|\beps\b",
        r"每股|元\s*[/／]\s*股",
    ),
    re.IGNORECASE,
)
_NEAR_UNIT = on_demand(
    one_of(
        r"\((?:[^()\n]{0,60}\b)?in (?:millions|thousands|billions)\b[^()\n]{0,80}\)",
        r"\b(?:in|of) (?:millions|thousands)\b",
        r"单位[:：]\s*[^\n|]{1,16}",
    ),
    re.IGNORECASE,
)
"""The unit in the words before a table."""
_MONEY = one_of("(?:US|AU?|CA?|HK|NZ|S)?[$€£¥₹]", "[A-Z]{3}", r"Rs\.?")
_SCALE = "(?:['’]?mm?|mn|bn|k|1?['’,]?000s?|millions?|thousands?|billions?|lakhs?|crores?)"
_HEAD_UNIT = on_demand(
    one_of(
        rf"(?:^|(?<=\s)){_MONEY}\s?{_SCALE}$",
        rf"(?:^|(?<=\s))(?:(?:Mio|Mrd|Tsd)\b\.?\s?{_MONEY}|T(?:EUR|€))$",
        r"\(1,000s?\)$",
    )
)
"""The unit that a head is, or ends in: "2019 €m", "US$'000", "USDm", "Number of shares (1,000)"."""
_AMOUNT_IN_WORDS = on_demand(
    r"(?<![\d.,])\d[\d.,]{0,20}\s?(?:thousand|million|billion|trillion|mn|bn|m|k|万|亿)\b", re.IGNORECASE
)
"""An amount in a title tells its own scale: "Net loss of $3.1 million"."""
_SENTENCE_END = on_demand(r"(?<=[a-z\d)][.!?])\s+|\n+")
_NEAR = 320
"""Characters before a table in which its unit may be told."""
_CURRENCY_SIGN = on_demand(r"[$€£¥]")
_CENTS = on_demand(r"(?<!\d)\d{1,3}\.\d\d(?!\d)")
_ONE = Decimal(1)
_USUAL_SCALE, _NO_SCALE = 0.85, 0.8
"""How sure the unit is where a scale is not told: the document's usual one under a currency sign, else none."""


UNIT_AFTER = re.compile(
    r"(?<=\d)\s+[(（]?"
    + one_of(
        r"(?:US)?[$€£¥]\s?(?:['’]?mm?|k|bn|['’]?000s?|millions?|thousands?|billions?)?",
        "%",
        r"in\s+(?:millions|thousands)",
    )
    + r"[)）]?(?=\s|$)",
    re.IGNORECASE,
)
"""The unit below a year or a date: "2019 €m"."""
UNIT_OR_BASIS = re.compile(
    r"[(（]?(?<!\w)(?:US|HK|A|C)?[$€£¥](?:\s?(?:m|mm|k|bn|millions?|thousands?|billions?|['’]?000s?))?(?!\w)[)）]?"
    r"|[(（](?:as )?restated[)）]"
    r"|[(（]?\b(?:un)?(?:audited|reviewed)\b[)）]?|[(（]?(?:未经|经)(?:审计|审阅|审核)[)）]?",
    re.IGNORECASE,
)
"""What a head says beside its column's name: "Total (restated) £m", "Unaudited"."""
_UNIT_IN_HEAD = re.compile(
    r"(?:\bin )?\b(?:thousands?|millions?|billions?) of "
    + one_of(r"(?:U\.?S\.?|Canadian|Australian|Hong Kong) dollars", "dollars|yen|euros|pounds|RMB|renminbi|won|rupees")
    + r"|(?:^|(?<=\s))(?:(?:US|HK|A|C|NT|S)?[$€£¥₹]|RMB)$",
    re.IGNORECASE,
)


def unit_in_head(text: str) -> str:
    """The unit that a head tells beside its period, a currency alone in its last line; "" where it tells none.

    >>> unit_in_head("Millions of yen 2022"), unit_in_head("2022 US$"), unit_in_head("Own 2022")
    ('Millions of yen', 'US$', '')
    """
    return "".join(_UNIT_IN_HEAD.findall(text)[:1])


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
    usual: str = ""
    """The currency of the document, where the table tells none."""
    count_factors: Mapping[str, Decimal] = field(default_factory=dict)
    """What multiplies "shares" and "subscribers", where a scale does."""

    def in_column(self, own: Scale) -> TableUnit:
        """The unit of a column whose head tells one of its own."""
        if not own.currency:
            return self
        return replace(self, currency=own.currency, factor=own.factor or self.factor)


def table_unit(table: Table, text_before: str, context: FactContext) -> TableUnit:
    """From the unit line, else the words before the table, else the document's usual one under a currency sign."""
    heads = " ".join(map(" ".join, table.heads))
    own = (table.unit, _unit_row(table), _AMOUNT_IN_WORDS.sub("", table.title), _head_unit(table))
    scale = _first_scale(*own, _unit_near(text_before), bracketed(heads))
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
    return TableUnit(scale.currency, certainty=_NO_SCALE, usual=context.currency)


def told_period(title: str, text_before: str, context: FactContext) -> Period | None:
    """The one period that a table's title, else the sentence that leads to it, names; None where they name several.

    >>> from .context import FactContext
    >>> context = FactContext("Acme", "acme.md", "en", None)
    >>> told_period("", "As we said. The table sets forth our cash as of March 31, 2025.", context).label
    '2025-03-31'
    """
    sentence = _SENTENCE_END.split(text_before[-_NEAR:].strip())[-1]
    mentions = find_periods(title) or find_periods(sentence)
    periods = {context.named(mention.period) for mention in mentions}
    return periods.pop() if len(periods) == 1 else None


_UPCOMING = on_demand(
    r"\b(?:matur(?:e|es|ing|ity|ities)|future|minimum|scheduled|estimated|expected(?! credit)|principal payments?)\b",
    re.IGNORECASE,
)
_INTRODUCES = on_demand(
    r"^.{0,200}?\b(?:presents?|summari[sz]es?|sets? forth|shows?|provides?|(?:is|are) (?=(?:our|the|future)\b))\s"
    r"|^(?:as of|at|on) [^,]{4,40}, (?:\d{4}, )?|^(?:(?:the|our|an?|of|(?:19|20)\d\d)\s)+",
    re.IGNORECASE,
)
"""Before what a sentence leads to: "The following table presents"."""
_INTRODUCED = on_demand(
    r"(?:[,(:]|\b(?:as of|as at|at|by (?:fiscal )?year|for (?:the|each)|in the (?:next|following)|during|outstanding"
    r"|is|are|was|were|and reconciliation|through|thereafter)\b).*",
    re.IGNORECASE | re.DOTALL,
)
TO_COME = ("Payments due", "Expected")
"""Sections of rows that are years to come, under a head that does not name what is counted."""
NAMELESS = re.compile(
    r"\W{0,3}(?:amounts?|totals?|(?:fiscal |calendar )?years?(?: end(?:ed|ing)(?: [a-z]+(?: \d{1,2})?)?)?)?\W{0,3}"
    r"(?:[(（][^()（）]{0,60}\b(?:thousands|millions|billions)\b[^()（）]{0,60}[)）])?",
    re.IGNORECASE,
)
"""A head that says nothing of what is counted: "Amount", "Year ending December 31,", "(in millions)"."""
_IS_EXPENSE = on_demand(r"\b(?:amorti[sz]ation|depreciation|expenses?|revenues?|income)\b", re.IGNORECASE)
_MATURITIES = on_demand(r"^(?:\w+ )?maturit(?:y|ies)(?: analysis)? of ", re.IGNORECASE)
_LONGEST_NAME = 80


def due_name(title: str, text_before: str) -> str:
    """What falls due in the years that are the rows of a table, by its title, else by the sentence that leads to it;
    "" where neither speaks of what is to come.

    >>> due_name("", "It has leases. A maturity analysis of operating lease liabilities as of 2022 is as follows:")
    'operating lease liabilities'
    >>> due_name("", "The following table presents debt maturities by year as of December 31, 2022:")
    'debt maturities'
    """
    sentence = _SENTENCE_END.split(text_before[-_NEAR:].strip())[-1]
    for said in (title, sentence):
        name = said
        for _ in range(3):  # a date, a verb and an article
            name = _INTRODUCES.sub("", name.strip())
        name = _INTRODUCED.sub("", name).rstrip()
        if _UPCOMING.search(name) and len(name) <= _LONGEST_NAME:
            return _MATURITIES.sub("", name)
    return ""


def due_path(name: str) -> tuple[str, ...]:
    """The label, with its section, of rows that are the years in which this falls due."""
    return TO_COME[_IS_EXPENSE.search(name) is not None], name


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
    labels = [row[0] for row in table.body if any(row[1:])]
    return any(read_scale(bracketed(label)).factor not in (None, _ONE) for label in labels)


def _unit_row(table: Table) -> str:
    """A row of its own that says the unit below the heads: "(In thousands)"."""
    bare = (row[0] for row in table.body if not any(row[1:]))
    return next(filter(is_unit_line, bare), "")


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
    """The unit over the labels, else in the heads of the columns: the first one, since tables rarely mix scales."""
    corners = (row[0].strip() for row in table.heads)
    if corner := next(filter(is_unit_line, corners), ""):
        return corner
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
