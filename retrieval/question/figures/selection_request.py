"""Questions that pick: the row with the highest value, the years above a mark, how many there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from ....core.quantity_text import find_quantities
from ....core.rules import load_rules

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
    for pattern in _patterns("bounded"):
        if match := pattern.search(masked):
            return _bounded(match)
    for pattern in _patterns("ranked"):
        if match := pattern.search(masked):
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
    if _says("negative", sign) or _says("positive", sign):
        return Bound(_says("positive", sign), Decimal(0))
    quantities = find_quantities(_MANY.sub(r"\1", mark))
    if not quantities:
        return Bound(_says("above", sign), other=mark.strip()) if mark.strip(" ?？。.") else None
    amount = abs(quantities[0].amount) / (100 if quantities[0].unit == "%" else 1)
    return Bound(_says("above", sign), -amount if _MINUS.match(mark.strip()) else amount)


def _ranked(match: re.Match[str]) -> tuple[Pick, str]:
    said = match.groupdict()
    order, rest = said["order"], said["rest"]
    change = next((name for name in ("percent change", "change") if _says(name, f"{order} {rest}")), "")
    falls = bool(change) and _says("falls", f"{order} {rest}")
    for name in ("order", "change", "percent change", "falls") if change else ("order",):
        for pattern in _patterns(name):
            rest = pattern.sub(" ", rest)
    rank = next((n for n, words in enumerate(_rules()["ranks"], 2) if _pattern(words).search(match[0])), 1)
    lowest = _says("lowest", order) is not falls
    return Pick("rows", said["group"].strip(), lowest, rank, change), rest


def _says(name: str, text: str) -> bool:
    return any(pattern.search(text) for pattern in _patterns(name))


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(_pattern, _rules()[name]))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _rules() -> Any:
    return load_rules(__package__, "selection_request.toml")
