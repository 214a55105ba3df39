"""Wishes for the form of an answer: unit, digits, percent, a number alone, a language."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from ....core.language import Language
from ....core.patterns import LazyPattern
from ....core.rules import load_rules


@dataclass(frozen=True, slots=True)
class Wishes:
    """How an answer is to look; None or False where the question leaves it open.

    ``scale`` is the factor of the unit (10^9 for billions), ``decimals`` the digits after the point.
    """

    scale: Decimal | None = None
    decimals: int | None = None
    percent: bool = False
    only_number: bool = False
    currency: str = ""
    language: Language | None = None


def read_wishes(form: str) -> Wishes:
    """The wishes in the words on the form of the answer.

    >>> wishes = read_wishes("(in USD billions) Round to one decimal place. Respond with just a number.")
    >>> wishes.scale, wishes.decimals, wishes.only_number, wishes.currency
    (Decimal('1000000000'), 1, True, 'USD')
    """
    languages: dict[str, Language] = _rules()["languages"]
    return Wishes(
        scale=_scale(form),
        decimals=_decimals(form),
        percent=_says("percent", form),
        only_number=_says("number", form),
        currency=_first(_rules()["currencies"], form) or "",
        language=_first(languages, form),
    )


def _scale(form: str) -> Decimal | None:
    factor = _first(_rules()["scales"], form)
    return None if factor is None else Decimal(factor)


def _decimals(form: str) -> int | None:
    rules = _rules()["decimals"]
    for pattern in rules["patterns"]:
        match = _pattern(pattern).search(form)
        if match is None:
            continue
        word = next(filter(None, match.groups())).lower()
        return int(word) if word.isdigit() else rules["words"].get(word)
    return None


def _says(name: str, form: str) -> bool:
    return any(_pattern(pattern).search(form) for pattern in _rules()["forms"][name])


def _first(rules: dict[str, Any], form: str) -> Any:
    return next((value for pattern, value in rules.items() if _pattern(pattern).search(form)), None)


@cache
def _pattern(text: str) -> LazyPattern:
    return LazyPattern(text)


def _rules() -> dict[str, Any]:
    return load_rules(__package__, "wishes.toml")
