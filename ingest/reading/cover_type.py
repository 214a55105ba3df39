"""What the first pages print largest: a cover shows the name in type, not in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from .block import PrintedLine

_PAGES = 3
"""Pages looked at: a picture, a letter to the exchange or a blank page may come before the cover."""
_SHARE = 0.6
"""Of the largest size on its page, from which a line counts as large."""
_LEAST = 14.0
"""Points; smaller type is no display type."""
_LONGEST = 160
"""Characters of large type that may hold a name; more of it is a motto or a whole page set large."""


def largest_type(pages: Sequence[Sequence[PrintedLine]]) -> tuple[str, ...]:
    """Texts in display type on the first pages, in order; lines of one size that follow each other are one text."""
    found: list[str] = []
    for lines in pages[:_PAGES]:
        printed = [line for line in lines if line.table is None]
        size = max((line.size for line in printed), default=0.0)
        least = max(_LEAST, _SHARE * size)
        for run_size, run in groupby(printed, key=lambda line: line.size):
            text = " ".join(" ".join(line.text for line in run).split())
            if run_size >= least and len(text) <= _LONGEST:
                found.append(text)
    return tuple(found)
