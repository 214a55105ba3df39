"""Lines that say nothing: symbols alone, and what the line before has just said."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ..block import PrintedLine
from .patterns import CLEANING, is_protected

_FEWEST_LETTERS = 8
"""A repeated line with fewer letters may be a value or a short label that is meant twice."""


def is_symbol_line(text: str) -> bool:
    """True for a line without a letter or digit; check boxes say something and stay.

    >>> is_symbol_line("______"), is_symbol_line("☒"), is_symbol_line("—")
    (True, False, True)
    """
    if any(map(str.isalnum, text)):
        return False
    return not CLEANING.any("exempt_symbol", text)


def symbol_lines(lines: Sequence[PrintedLine]) -> list[int]:
    """Positions of lines of symbols alone; a table's place is none."""
    return [at for at, line in enumerate(lines) if line.table is None and is_symbol_line(line.text)]


def repeated_lines(lines: Sequence[PrintedLine]) -> list[int]:
    """Positions of lines that say again what the line just before said; numbers may repeat, text seldom does."""
    repeated = []
    for at, (before, line) in enumerate(itertools.pairwise(lines), start=1):
        if before.text == line.text and _may_not_repeat(line.text):
            repeated.append(at)
    return repeated


def _may_not_repeat(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters >= _FEWEST_LETTERS and not is_protected(text)
