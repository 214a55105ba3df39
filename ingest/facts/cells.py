"""Offsets of a table's cells in the document's text, from the lines of its Markdown."""

from __future__ import annotations

import re
from itertools import pairwise

_RULE = re.compile(r"\|?[\s:|-]+\|?$")
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
        stripped = line.strip()
        if stripped.startswith("|") and not (_RULE.fullmatch(stripped) and "-" in stripped):
            rows.append(_cells(line, at))
        at += len(line)
    return rows


def _cells(line: str, offset: int) -> list[Span]:
    bars = [m.start() for m in _PIPE.finditer(line)]
    spans = []
    for left, right in pairwise(bars):
        cell = line[left + 1 : right]
        first = left + 1 + len(cell) - len(cell.lstrip())
        spans.append((offset + first, offset + max(first, left + 1 + len(cell.rstrip()))))
    return spans
