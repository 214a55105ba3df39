"""A table as read from a page, a filing or Markdown, and where the cells of its Markdown stand in the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from ..core.anchor import Anchor


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of printed cells; every row has the same length, an empty cell is "".

    The first ``header_rows`` rows are column heads. ``unit`` is the unit line as printed ("in millions", "单位:元").
    ``start`` and ``end`` are its Markdown in the document's text. ``indents`` gives each row's depth, 0 for the
    outermost.
    """

    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1
    title: str = ""
    unit: str = ""
    notes: str = ""
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    indents: tuple[int, ...] = ()
    headings: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, int, int], ...] = ()
    """Cells that cover several, as (row, column, last row, last column); the text stands in the first, the rest is
    ""."""
    places: Mapping[tuple[int, int], Anchor] = field(default_factory=dict, compare=False, repr=False)
    """Where each filled cell is printed, by (row, column); empty for sources without boxes, and not stored."""

    @property
    def heads(self) -> tuple[tuple[str, ...], ...]:
        """The rows of column heads."""
        return self.rows[: self.header_rows]

    @property
    def body(self) -> tuple[tuple[str, ...], ...]:
        """The rows below the heads."""
        return self.rows[self.header_rows :]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0


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
