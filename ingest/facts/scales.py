"""Unit lines as numbers: currency, scale, and what the scale does not hold for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_SCALES: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"\bbillions?\b|十亿|\bbn\b", re.IGNORECASE), 9),
    (re.compile(r"亿"), 8),
    (
        re.compile(
            r"\bmillions?\b|百万|\bmn\b|[$€£¥]\s?mm?\b|\(mm?\)|\b(?:usd|eur|gbp)\s?mm?\b|000,000", re.IGNORECASE
        ),
        6,
    ),
    (re.compile(r"万"), 4),
    (re.compile(r"\bthousands?\b|千|[$€£¥]\s?0{3}s?\b|\((?:1,)?0{3}s?\)|\b000s\b|['’]000", re.IGNORECASE), 3),
)
_CURRENCIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"美元|US\$|U\.S\. dollars?|\bUSD(?:mm?|k|bn)?\b", re.IGNORECASE), "USD"),
    (re.compile(r"港[元币]|HK\$|\bHKD\b"), "HKD"),
    (re.compile(r"欧元|€|\beuros?\b|\bEUR(?:mm?|k|bn)?\b", re.IGNORECASE), "EUR"),
    (re.compile(r"英镑|£|\bGBP(?:mm?|k|bn)?\b|\bpounds?\b|sterling", re.IGNORECASE), "GBP"),
    (re.compile(r"日元|\bJPY\b|\byen\b", re.IGNORECASE), "JPY"),
    (re.compile(r"人民币|\bRMB\b|\bCNY\b|\byuan\b|元", re.IGNORECASE), "CNY"),
    (re.compile(r"\$|\bdollars?\b", re.IGNORECASE), "USD"),
)
_CODE = re.compile(
    r"\b(?:AED|AUD|BRL|CAD|CHF|CLP|CZK|DKK|HUF|IDR|ILS|INR|KRW|MXN|MYR|NOK|NZD|PHP|PLN|SAR|SEK|SGD|THB|TRY|TWD|ZAR)\b"
)
"""Currencies that are written by their code."""
_NOT_SHARE_COUNTS = re.compile(
    r"except[^)]{0,40}?\b(?<!per )(?<!per common )(?:number of shares|share|shares)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Scale:
    """What a unit line says. ``factor`` is None where it names no scale."""

    factor: Decimal | None = None
    currency: str = ""
    shares_too: bool = True
    """False for "in millions, except share data"."""


def read_scale(text: str) -> Scale:
    """Currency and scale of a unit line; nothing where it has neither.

    >>> read_scale("(in thousands, except share and per share data)")
    Scale(factor=Decimal('1000'), currency='', shares_too=False)
    >>> read_scale("单位：万元 币种：人民币").factor
    Decimal('10000')
    """
    if not text:
        return Scale()
    power = next((power for pattern, power in _SCALES if pattern.search(text)), None)
    named = _CODE.search(text)
    currency = named.group() if named else next((code for pattern, code in _CURRENCIES if pattern.search(text)), "")
    if power is None:
        whole = "元" in text or "单位" in text
        return Scale(Decimal(1) if whole else None, currency)
    return Scale(Decimal(10) ** power, currency, not _NOT_SHARE_COUNTS.search(text))
