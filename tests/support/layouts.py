"""Page layouts of our own writing: words placed by hand, as a PDF library would give them."""

from __future__ import annotations

from collections.abc import Sequence

from cliquerag.core.anchor import Box
from cliquerag.ingest.pdf.backend import PageLayout, Word

SIZE = 10.0
WIDE = 5.0
"""Width of a character in points."""

Placed = tuple[float, str]
"""A text and where it starts; a negative place is where it ends (right-aligned)."""


def line(y: float, *texts: Placed) -> list[Word]:
    """Words of one printed line."""
    words = []
    for place, text in texts:
        x = place if place >= 0 else -place - len(text) * WIDE
        for part in text.split(" "):
            if part:
                words.append(Word(part, (x, y, x + len(part) * WIDE, y + SIZE), SIZE))
            x += (len(part) + 0.5) * WIDE
    return words


def page(*lines: Sequence[Word], number: int = 1, rules: Sequence[Box] = (), height: float = 800.0) -> PageLayout:
    """A page 600 points wide."""
    return PageLayout(number, 600.0, height, tuple(word for words in lines for word in words), tuple(rules))


def grid_rules(xs: Sequence[float], ys: Sequence[float]) -> list[Box]:
    """All lines of a bordered table."""
    across = [(xs[0], y, xs[-1], y) for y in ys]
    return across + [(x, ys[0], x, ys[-1]) for x in xs]


def statement(number: int = 1, top: float = 160.0, rows: int = 6, heads: bool = True) -> PageLayout:
    """A borderless table with a title, a unit line, two years and a few rows."""
    lines = []
    if heads:
        lines = [
            line(top - 60, (200, "CONSOLIDATED BALANCE SHEETS")),
            line(top - 45, (230, "(in millions)")),
            line(top - 15, (-420, "2022"), (-520, "2021")),
        ]
    for n in range(rows):
        lines.append(line(top + 14 * n, (50, f"Item number {n}"), (-420, f"{1000 + n:,}"), (-520, f"({900 + n:,})")))
    return page(*lines, number=number)
