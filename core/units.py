"""Words and signs for scales, currencies and units from ``units.toml``, to read and to write; unit lines as numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from .patterns import PatternTable
from .rules import load_rules

_SCALE_SIGNS = PatternTable(__package__, "units.toml", "scale_pattern")
_CURRENCY_SIGNS = PatternTable(__package__, "units.toml", "currency_pattern")


@cache
def scale_powers() -> Mapping[str, int]:
    """Word after a number, in lower case and in the singular -> power of ten: "million" -> 6, "万" -> 4."""
    return {word: int(power) for word, power in _by_word("scale").items()}


@cache
def currency_codes() -> Mapping[str, str]:
    """Word or sign beside a number, in lower case and in the singular -> ISO 4217 code: "us$" -> "USD"."""
    return _by_word("currency")


@cache
def unit_symbols() -> Mapping[str, str]:
    """Word after a number, in lower case and in the singular -> unit of a quantity: "basis point" -> "bp"."""
    return _by_word("unit")


def scale_power_in(unit_line: str) -> int | None:
    """The power of ten of the scale that a unit line or a column's head names; None where it names none.

    >>> scale_power_in("(in thousands, except per share data)"), scale_power_in("单位：万元"), scale_power_in("2023")
    (3, 4, None)
    """
    power = _SCALE_SIGNS.which(unit_line)
    return int(power) if power else None


def currency_in(unit_line: str) -> str:
    """The ISO 4217 code of the currency that a unit line or a column's head names; "" where it names none.

    >>> currency_in("(SEK in millions)"), currency_in("US$'000"), currency_in("单位：万元"), currency_in("2023")
    ('SEK', 'USD', 'CNY', '')
    """
    if code := _written_code().search(unit_line):
        return code.group()
    word = _CURRENCY_SIGNS.which(unit_line)
    return currency_codes().get(word.lower(), "")


@cache
def _written_code() -> re.Pattern[str]:
    """Of currencies that are written by their code only; in capitals, for "try" is a word, too."""
    codes: str = load_rules(__package__, "units.toml")["currency_code"]["codes"]
    return re.compile(rf"\b(?:{'|'.join(codes.split())})\b")


def _by_word(section: str) -> dict[str, str]:
    by_word: dict[str, str] = {}
    for meaning, words in load_rules(__package__, "units.toml")[section].items():
        for word in words:
            by_word[word] = meaning
    return by_word


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
