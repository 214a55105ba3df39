"""Which of the financial statements a table is: what a label means depends on it."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from ..table import Table
from .metrics import MetricList, default_metrics

Statement = Literal["balance sheet", "income statement", "cash flow", "equity", "exhibits", ""]

_TITLES: tuple[tuple[re.Pattern[str], Statement], ...] = (
    (re.compile(r"cash flows?|现金流量表", re.IGNORECASE), "cash flow"),
    (re.compile(r"balance sheets?|financial (?:position|condition)|资产负债表", re.IGNORECASE), "balance sheet"),
    (
        re.compile(r"statements?\s+of\s+.*(?:shareholders|stockholders|equity)|权益变动表", re.IGNORECASE),
        "equity",
    ),
    (
        re.compile(r"statements?\s+of\s+.*(?:income|operations|earnings|loss)|利润表|损益表", re.IGNORECASE),
        "income statement",
    ),
    (re.compile(r"\bexhibits?\b|incorporated by reference", re.IGNORECASE), "exhibits"),
)
_KEYS: tuple[tuple[frozenset[str], int, Statement], ...] = (
    (frozenset({"cash from operations", "cash from investing", "cash from financing"}), 2, "cash flow"),
    (
        frozenset(
            {"total assets", "total current assets", "total liabilities", "total equity", "total current liabilities"}
        ),
        3,
        "balance sheet",
    ),
    (
        frozenset({"revenue", "operating income", "income before tax", "income tax", "net income", "cost of revenue"}),
        4,
        "income statement",
    ),
)
_CASH = ("cash", "change in cash", "effect of exchange")


def statement_of(table: Table, metrics: MetricList | None = None) -> Statement:
    """By its rows, which do not lie, else by its title and heads; "" for all other tables."""
    known = metrics or default_metrics()
    found = {metric.name for row in table.rows if row[0] and (metric := known.find(row[0]))}
    for keys, least, statement in _KEYS:
        if len(keys & found) >= least and not (statement == "cash flow" and "total assets" in found):
            return statement
    heads = " ".join(cell for row in table.rows[: table.header_rows] for cell in row)
    words = f"{table.title} {heads}"
    named: Statement = next((statement for pattern, statement in _TITLES if pattern.search(words)), "")
    return named if named in ("equity", "exhibits") or len(found) >= 2 else ""


def means_change(statement: Statement, metric: str, balances: Collection[str]) -> bool:
    """True for a balance sheet item in the cash flow statement: there it is the change over the period.

    >>> means_change("cash flow", "inventory", {"inventory"}), means_change("balance sheet", "inventory", {"inventory"})
    (True, False)
    """
    return statement == "cash flow" and metric in balances and not metric.startswith(_CASH)
