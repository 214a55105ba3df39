"""A value that a document itself tags with its meaning: inline XBRL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class TaggedValue:
    """``text[start:end]`` of the document states ``concept``; ``value`` is None for words.

    ``value`` is the printed number with its sign; ``power`` of ten is what it is to be multiplied by.
    """

    concept: str
    """With its prefix: "us-gaap:Revenues"."""
    start: int
    end: int
    text: str
    value: Decimal | None = None
    power: int = 0
    unit: str = ""
    """Without prefixes: "USD", "shares", "USD/shares", "pure"."""
    first_day: date | None = None
    """None where the value stands at ``last_day``."""
    last_day: date | None = None
    dimensions: tuple[tuple[str, str], ...] = ()
    """Axes and members with their prefixes."""
