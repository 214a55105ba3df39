"""Facts from tables inside raw page text, for documents that are added as page texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

from ...core.fact import Fact
from ..document import Document
from ..tables.raw_text import RawTable, from_text_lines
from .cells import Span
from .column_heads import read_columns
from .context import FactContext
from .table_facts import table_facts

_CERTAINTY = 0.85
"""Columns are told by order alone."""


def raw_table_facts(document: Document, context: FactContext) -> Iterator[Fact]:
    """Facts of every page's lines; ``start`` and ``end`` are those of the row, from its label to its last value."""
    for page in document.pages:
        lines, starts = _lines(document.text, page.start, page.end)
        for found in from_text_lines(lines):
            spans = _spans(found, lines, starts)
            table = replace(found.table, start=spans[0][0][0], end=spans[-1][0][1])
            columns = read_columns(table, context)
            for fact in table_facts(document, table, None, context, columns, spans):
                yield replace(fact, confidence=fact.confidence * _CERTAINTY)


def _lines(text: str, start: int, end: int) -> tuple[list[str], list[int]]:
    """The lines of ``text[start:end]`` and where each begins."""
    lines = text[start:end].split("\n")
    lengths = (len(line) + 1 for line in lines[:-1])
    return lines, list(accumulate(lengths, initial=start))


def _spans(found: RawTable, lines: list[str], starts: list[int]) -> list[list[Span]]:
    """For each row the span from its label to its last value, the same for all its cells."""
    head = (starts[found.first], starts[found.first] + len(lines[found.first]))
    spans = [head] * found.table.header_rows
    for first, last in zip(found.row_lines, found.row_ends, strict=True):
        spans.append((starts[first], starts[last] + len(lines[last])))
    return [[span] * found.table.width for span in spans]
