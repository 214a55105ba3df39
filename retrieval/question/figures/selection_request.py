"""Questions that pick: the row with the highest value, the years above a mark, how many there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ....core.patterns import PatternTable
from ....core.quantity_text import find_quantities

_RULES = PatternTable(__package__, "selection_request.toml")
_MANY = re.compile(r"\b(thousand|million|billion)s\b", re.IGNORECASE)
_MINUS = re.compile(r"(?<![\w)])[-−–(]\s?[$€£¥]?\s?\d")


@dataclass(frozen=True, slots=True)
class Bound:
    """A mark that values lie above or below of; ``other`` are the words of a figure that is the mark."""

    above: bool
    amount: Decimal | None = None
    other: str = ""

    def holds(self, value: Decimal, mark: Decimal) -> bool:
        """True where the value lies on the asked side of the mark."""
        return value > mark if self.above else value < mark


@dataclass(frozen=True, slots=True)
class Pick:
    """What is picked among what: ``over`` the periods of one figure, or the rows of a table that state it.

    ``group`` is what the rows are called ("region"); ``rank`` counts from the highest, or the lowest; ``change`` is the
    operation between two periods by which rows are ranked. ``counts`` asks how many meet the ``bound``.
    """

    over: Literal["periods", "rows"]
    group: str = ""
    lowest: bool = False
    rank: int = 1
    change: str = ""
    bound: Bound | None = None
    counts: bool = False

    @property
    def operation(self) -> str:
        """The name of what is asked."""
        return "count" if self.counts else "which row" if self.over == "rows" else "periods where"


def read_pick(masked: str) -> tuple[Pick, str] | None:
    """The pick that a question asks for, and the words that name the figure; None for other questions.

    >>> pick, rest = read_pick("Which region had the second highest net sales in 2019?")
    >>> pick.group, pick.rank, pick.lowest, " ".join(rest.split())
    ('region', 2, False, 'the net sales in 2019?')
    >>> pick, rest = read_pick("How many years did net income exceed $30,000 thousand?")
    >>> pick.counts, pick.bound.above, pick.bound.amount, rest.strip()
    (True, True, Decimal('30000000'), 'net income')
    """
    if match := _RULES.first("bounded", masked):
        return _bounded(match)
    if match := _RULES.first("ranked", masked):
        return _ranked(match)
    return None


def _bounded(match: re.Match[str]) -> tuple[Pick, str] | None:
    said = match.groupdict()
    bound = _bound(said.get("sign") or "", said.get("mark") or "")
    if bound is None:
        return None
    over: Literal["periods", "rows"] = "periods" if said.get("time") else "rows"
    rest = f"{said.get('group') or ''} {said['rest']}" if over == "rows" else said["rest"]
    return Pick(over, said.get("group") or "", bound=bound, counts=bool(said.get("many"))), rest


def _bound(sign: str, mark: str) -> Bound | None:
    if _RULES.any("negative", sign) or _RULES.any("positive", sign):
        return Bound(_RULES.any("positive", sign), Decimal(0))
    quantities = find_quantities(_MANY.sub(r"\1", mark))
    if not quantities:
        return Bound(_RULES.any("above", sign), other=mark.strip()) if mark.strip(" ?？。.") else None
    amount = abs(quantities[0].amount) / (100 if quantities[0].unit == "%" else 1)
    return Bound(_RULES.any("above", sign), -amount if _MINUS.match(mark.strip()) else amount)


def _ranked(match: re.Match[str]) -> tuple[Pick, str]:
    said = match.groupdict()
    order, rest = said["order"], said["rest"]
    change = next((name for name in ("percent change", "change") if _RULES.any(name, f"{order} {rest}")), "")
    falls = bool(change) and _RULES.any("falls", f"{order} {rest}")
    for name in ("order", "change", "percent change", "falls") if change else ("order",):
        for pattern in _RULES.all(name):
            rest = pattern.sub(" ", rest)
    rank = next((n for n, pattern in enumerate(_RULES.all("ranks"), 2) if pattern.search(match[0])), 1)
    lowest = _RULES.any("lowest", order) is not falls
    return Pick("rows", said["group"].strip(), lowest, rank, change), rest
