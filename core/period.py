"""Time as finance names it: fiscal years, quarters, halves, instants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Unit = Literal["year", "half", "nine months", "quarter", "month", "day", "span"]


@dataclass(frozen=True, slots=True)
class Period:
    """A span of time, or an instant (``unit="day"``: a balance sheet date).

    ``year`` is the fiscal year where ``fiscal`` is true, else the calendar year; ``number`` counts the quarter (1-4),
    half (1-2), month (1-12), and is 0 for a year. ``end`` (and ``start``) are known only where the text gives them;
    a "span" covers the years ``year`` to ``end.year``.
    """

    unit: Unit
    year: int
    number: int = 0
    fiscal: bool = False
    end: date | None = None
    start: date | None = None

    @property
    def label(self) -> str:
        """The canonical name: "FY2023", "2023", "Q2 FY2023", "H1 2023", "9M 2023", "2023-06", "2023-06-30"."""
        year = f"FY{self.year}" if self.fiscal else f"{self.year}"
        if self.unit == "quarter":
            return f"Q{self.number} {year}"
        if self.unit == "half":
            return f"H{self.number} {year}"
        if self.unit == "nine months":
            return f"9M {year}"
        if self.unit == "month":
            return f"{self.year}-{self.number:02d}"
        if self.unit == "day" and self.end:
            return self.end.isoformat()
        if self.unit == "span" and self.end:
            return f"{self.year}-{self.end.year}"
        return year

    def __str__(self) -> str:
        return self.label
