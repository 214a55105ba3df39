"""Checks that raise or lower the confidence of a table's facts: the balance sheet balances, subtotals add up."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ...core.fact import Fact

_RAISED, _LOWERED = 1.11, 0.6
"""Factors of the confidence of a figure that a check confirms or doubts."""
_TOTAL = re.compile(r"^\s*total\b|合计|总计|小计", re.IGNORECASE)
_TOLERANCE = Decimal("0.002")
"""Share of the total by which rounded parts may miss it."""
_ROUNDING = Decimal(2)
"""The least that parts may miss their total by, in the last digit printed."""
_WHOLE_NUMBERS, _CENTS = Decimal(1), Decimal("0.02")
"""What the rows above a total may miss it by."""
_MOST_ROWS = 24
"""Rows above a total that may be its parts."""


@dataclass(frozen=True, slots=True)
class _Identity:
    """What has to be the sum of what in a company's statements, by the names of the metrics."""

    total: str
    added: tuple[str, ...]
    subtracted: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return (self.total, *self.added, *self.subtracted)

    def holds(self, amounts: Mapping[str, Decimal]) -> bool:
        """True where it adds up; what is subtracted may be printed with or without a minus of its own."""
        whole = amounts[self.total]
        added = sum(map(amounts.__getitem__, self.added))
        subtracted = list(map(amounts.__getitem__, self.subtracted))
        least = min(abs(added - sum(subtracted) - whole), abs(added - sum(map(abs, subtracted)) - whole))
        return least <= max(_ROUNDING, abs(whole) * _TOLERANCE)


_BALANCE = "total assets"
_IDENTITIES = (
    _Identity(_BALANCE, ("total liabilities and equity",)),
    _Identity(_BALANCE, ("total liabilities", "total equity")),
    _Identity(_BALANCE, ("total current assets", "total non-current assets")),
    _Identity("total liabilities", ("total current liabilities", "total non-current liabilities")),
    _Identity("gross profit", ("revenue",), subtracted=("cost of revenue",)),
    _Identity("net income", ("income before tax",), subtracted=("income tax",)),
)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A figure of a column: its place among the facts and its amount as printed."""

    fact: int
    name: str
    metric: str
    """Empty for one that is narrowed to a part of the company: only the whole adds up."""
    amount: Decimal


def checked(facts: Sequence[Fact]) -> list[Fact]:
    """The facts with their confidence after the checks, column by column: one doubt outweighs all that confirms."""
    confirmed: set[int] = set()
    doubted: set[int] = set()
    for column in _columns(facts):
        _check_identities(column, confirmed, doubted)
        _check_totals(column, confirmed)
    factors = dict.fromkeys(confirmed, _RAISED) | dict.fromkeys(doubted, _LOWERED)
    after = list(facts)
    for n, factor in factors.items():
        after[n] = replace(facts[n], confidence=min(1.0, facts[n].confidence * factor))
    return after


def _columns(facts: Sequence[Fact]) -> Iterable[list[_Cell]]:
    """The figures of each column from top to bottom."""
    columns: dict[int | None, list[_Cell]] = defaultdict(list)
    for n, fact in enumerate(facts):
        if fact.value is not None:
            metric = "" if fact.dimensions else fact.metric
            columns[fact.column].append(_Cell(n, fact.own_label, metric, fact.value))
    return columns.values()


def _check_identities(column: Sequence[_Cell], confirmed: set[int], doubted: set[int]) -> None:
    """What has to add up by its metrics. A balance sheet that balances was read right as a whole."""
    first: dict[str, _Cell] = {}
    for cell in column:
        first.setdefault(cell.metric, cell)
    amounts = {metric: cell.amount for metric, cell in first.items()}
    for identity in _IDENTITIES:
        if not amounts.keys() >= set(identity.metrics):
            continue
        cells = {first[metric].fact for metric in identity.metrics}
        if identity.holds(amounts):
            confirmed |= cells
            if identity.total == _BALANCE:
                confirmed.update(cell.fact for cell in column)
        elif identity.total == _BALANCE:
            doubted |= cells


def _check_totals(column: Sequence[_Cell], confirmed: set[int]) -> None:
    """Rows called a total that are the sum of the rows right above confirm them and themselves."""
    for row, cell in enumerate(column):
        if _TOTAL.search(cell.name):
            confirmed.update(part.fact for part in _added_up(column, row))


def _added_up(column: Sequence[_Cell], row: int) -> Sequence[_Cell]:
    """A total with the rows, two at least, right above it that add up to it; empty where none do."""
    total = column[row].amount
    rounding = _WHOLE_NUMBERS if total == total.to_integral() else _CENTS
    added = Decimal(0)
    for first in reversed(range(max(0, row - _MOST_ROWS), row)):
        added += column[first].amount
        if row - first >= 2 and abs(added - total) <= rounding:
            return column[first : row + 1]
    return ()
