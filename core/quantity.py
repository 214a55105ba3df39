"""Amounts as finance writes them: sign, scale, unit."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Quantity:
    """A printed amount. ``amount`` is ``value * scale`` in ``unit``.

    >>> Quantity("$3.4 billion", Decimal("3.4"), "USD", Decimal(10**9)).amount
    Decimal('3400000000.0')
    """

    text: str
    value: Decimal
    unit: str = ""
    """"USD", "CNY", "%", "bp", "shares", "people", "x", "" when unknown."""
    scale: Decimal = Decimal(1)
    start: int = 0
    """Offset in the text it was found in."""

    @property
    def amount(self) -> Decimal:
        """The value in its unit, scale multiplied in."""
        return self.value * self.scale

    @property
    def end(self) -> int:
        """Offset after the last character."""
        return self.start + len(self.text)
