"""What is shown of our data: plain JSON values, and texts cut short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any

from .period import Period


def as_plain(value: Any) -> Any:
    """Dataclasses become objects, periods their label, decimals exact strings, dates ISO 8601, else lists and scalars.

    >>> as_plain({"value": Decimal("1.50"), "period": Period("quarter", 2023, 2, fiscal=True)})
    {'value': '1.50', 'period': 'Q2 FY2023'}
    >>> as_plain([0.5, float("nan")])
    [0.5, None]
    """
    if isinstance(value, Period):
        return value.label
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [as_plain(item) for item in value]
    if isinstance(value, (Decimal, Path)):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "item"):  # a numpy scalar
        return as_plain(value.item())
    if isinstance(value, float) and not isfinite(value):  # JSON has no such number
        return None
    return value


def shortened(text: str, longest: int) -> str:
    """A text on one line, cut where it is longer.

    >>> shortened("Net  sales rose", 9)
    'Net sale…'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def first_words(text: str, longest: int) -> str:
    """A text on one line, cut between words where it is longer.

    >>> first_words("Net sales  rose", 11)
    'Net sales …'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest].rpartition(' ')[0]} …"
