"""Checks that raise or lower the confidence of a table's facts: the balance sheet balances, subtotals add up."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from ...core.fact import Fact

_RAISED, _LOWERED = 1.11, 0.6
_TOTAL = re.compile(r"^\s*total\b|合计|总计|小计", re.IGNORECASE)
_IDENTITIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("total assets", ("total liabilities and equity",)),
    ("total assets", ("total liabilities", "total equity")),
    ("total assets", ("total current assets", "total non-current assets")),
    ("total liabilities", ("total current liabilities", "total non-current liabilities")),
    ("gross profit", ("revenue", "-cost of revenue")),
    ("net income", ("income before tax", "-income tax")),
)
"""What has to be the sum of what; a minus marks what is subtracted."""
_TOLERANCE = Decimal("0.002")
"""Share of the total by which rounded parts may miss it."""


def checked(facts: Sequence[Fact]) -> list[Fact]:
    """The facts with their confidence after the checks, column by column."""
    columns: dict[int | None, list[int]] = defaultdict(list)
    for n, fact in enumerate(facts):
        if fact.value is not None:
            columns[fact.column].append(n)
    factors = [1.0] * len(facts)
    for members in columns.values():
        for n, factor in _column_factors(facts, members):
            factors[n] = min(factor, factors[n]) if factors[n] < 1.0 else factor
    return [
        fact if factor == 1.0 else replace(fact, confidence=min(1.0, fact.confidence * factor))
        for fact, factor in zip(facts, factors, strict=True)
    ]


def _column_factors(facts: Sequence[Fact], members: Sequence[int]) -> Iterable[tuple[int, float]]:
    first: dict[str, int] = {}
    for n in members:
        if facts[n].metric and not facts[n].dimensions:
            first.setdefault(facts[n].metric, n)
    held = False
    for total, parts in _IDENTITIES:
        names = [part.lstrip("-") for part in parts]
        if total not in first or not all(name in first for name in names):
            continue
        right = _adds_up(facts, first, total, parts)
        held = held or (right and total == "total assets")
        if right or total == "total assets":
            yield from ((first[name], _RAISED if right else _LOWERED) for name in (total, *names))
    if held:
        yield from ((n, _RAISED) for n in members)
    yield from ((n, _RAISED) for n in _sums(facts, members))


def _adds_up(facts: Sequence[Fact], first: dict[str, int], total: str, parts: Sequence[str]) -> bool:
    whole = facts[first[total]].value or Decimal(0)
    values = [facts[first[part.lstrip("-")]].value or Decimal(0) for part in parts]
    signed = [-abs(value) if part.startswith("-") else value for value, part in zip(values, parts, strict=True)]
    plain = [-value if part.startswith("-") else value for value, part in zip(values, parts, strict=True)]
    return any(
        abs(sum(some, Decimal(0)) - whole) <= max(Decimal(2), abs(whole) * _TOLERANCE) for some in (signed, plain)
    )


def _sums(facts: Sequence[Fact], members: Sequence[int]) -> Iterable[int]:
    """Rows called a total that are the sum of the rows right above, and those rows."""
    for at, n in enumerate(members):
        name = facts[n].label.rsplit(" > ", 1)[-1]
        if not _TOTAL.search(name):
            continue
        whole, total = facts[n].value or Decimal(0), Decimal(0)
        rounding = Decimal(1) if whole == whole.to_integral() else Decimal("0.02")
        for back in range(at - 1, max(-1, at - 25), -1):
            total += facts[members[back]].value or Decimal(0)
            if at - back >= 2 and abs(total - whole) <= rounding:
                yield from members[back : at + 1]
                break
