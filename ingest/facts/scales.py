"""Unit lines as numbers: currency, scale, and what the scale does not hold for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from ...core.units import currency_in, scale_power_in

_NOT_SHARE_COUNTS = re.compile(
    r"except[^)]{0,40}?\b(?<!per )(?<!per common )(?:number of shares|share|shares)\b", re.IGNORECASE
)
_BRACKET = re.compile(r"[(（]")
_WHOLE = re.compile("元|单位")
"""A unit line without a scale: amounts are in the currency itself."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a unit line says. ``factor`` is None where it names no scale."""

    factor: Decimal | None = None
    currency: str = ""
    shares_too: bool = True
    """False for "in millions, except share data"."""


@lru_cache(maxsize=4096)
def read_scale(text: str) -> Scale:
    """Currency and scale of a unit line; nothing where it has neither.

    >>> read_scale("(in thousands, except share and per share data)")
    Scale(factor=Decimal('1000'), currency='', shares_too=False)
    >>> read_scale("单位：万元 币种：人民币").factor
    Decimal('10000')
    """
    if not text:
        return Scale()
    power = scale_power_in(text)
    currency = currency_in(text)
    if power is not None:
        return Scale(Decimal(10) ** power, currency, not _NOT_SHARE_COUNTS.search(text))
    if _WHOLE.search(text):
        return Scale(Decimal(1), currency)
    return Scale(None, currency)


def bracketed(text: str) -> str:
    """The text if it has brackets, in which units are told, else ""."""
    return text if _BRACKET.search(text) else ""
