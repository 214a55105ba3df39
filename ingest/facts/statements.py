"""Which of the financial statements a table is, and on which basis it states its figures: what a label means."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from ...core.fact import Basis
from ...core.patterns import first_found
from ..table import Table
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
    (re.compile(r"\brestated\b|调整后|重述", re.IGNORECASE), "restated"),
    (re.compile(r"\bpro[\s-]forma\b|备考", re.IGNORECASE), "pro forma"),
    (re.compile(r"\b(?:non-?gaap|adjusted|as adjusted|core)\b", re.IGNORECASE), "adjusted"),
    (re.compile(r"\breported\b|\bgaap\b", re.IGNORECASE), "reported"),
)
"""The first that is found counts."""


def stated_basis(text: str) -> Basis | None:
    """The basis that a text names; None where it names none.

    >>> [stated_basis(text) for text in ("Reported, GAAP Measure", "Core, Non-GAAP Measure", "Operating profit")]
    ['reported', 'adjusted', None]
    """
    return first_found(_BASES, text, default=None)


def basis_of(*texts: str) -> Basis:
    """The basis that the first of the texts names which names one, else "reported".

    >>> basis_of("2022", "Operating profit, as restated", "Non-GAAP reconciliation"), basis_of("2022")
    ('restated', 'reported')
    """
    named: Iterator[Basis] = filter(None, map(stated_basis, texts))
    return next(named, "reported")
