"""Lines that say nothing: symbols alone, and what the line before has just said."""

from __future__ import annotations

from collections.abc import Sequence

from ..block import PrintedLine
from .patterns import is_protected, pattern


def is_symbol_line(text: str) -> bool:
    """True for a line without a letter or digit; check boxes say something and stay.

    >>> is_symbol_line("______"), is_symbol_line("☒"), is_symbol_line("—")
    (True, False, True)
    """
    return not any(map(str.isalnum, text)) and not pattern("exempt_symbol").search(text)


def repeated_lines(lines: Sequence[PrintedLine]) -> list[int]:
    """Positions of lines that say again what the line just before said; numbers may repeat, text seldom does."""
    return [
        at
        for at in range(1, len(lines))
        if lines[at].text == lines[at - 1].text
        and sum(map(str.isalpha, lines[at].text)) >= 8
        and not is_protected(lines[at].text)
    ]
