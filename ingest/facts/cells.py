"""Offsets of a table's cells in the document's text, from the lines of its Markdown."""

from __future__ import annotations

import re
from itertools import pairwise

_ROW = re.compile(r"\s*\|(?![\s:|]*-[\s:|-]*$)")
"""The begin of a row's line: the rule under the heads has nothing but dashes, colons and pipes."""
_PIPE = re.compile(r"(?<!\\)\|")

Span = tuple[int, int]


def cell_spans(text: str, start: int, end: int) -> list[list[Span]]:
    """For each row of the pipe table in ``text[start:end]``, without the rule under the heads, the spans of its cells.

    >>> spans = cell_spans("| a | b |\\n| --- | --- |\\n| c | 12 |", 0, 34)
    >>> spans[1][1]
    (30, 32)
    """
    rows = []
    at = start
    for line in text[start:end].splitlines(keepends=True):
        if _ROW.match(line):
            rows.append(_cells(line, at))
        at += len(line)
    return rows


def _cells(line: str, offset: int) -> list[Span]:
    """Where the text of each cell stands, without the blanks around it."""
    bars = [bar.start() for bar in _PIPE.finditer(line)]
    spans = []
    for left, right in pairwise(bars):
        cell = line[left + 1 : right]
        first = left + 1 + len(cell) - len(cell.lstrip())
        last = left + 1 + len(cell.rstrip())
        spans.append((offset + first, offset + max(first, last)))
    return spans
