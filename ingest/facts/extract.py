"""All facts of a document: of its tables, also those in raw page text, of its sentences and of its tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from ...core.fact import Fact
from ...core.ids import stable_id
from ..document import Document, Span, Table, cell_spans
from ..tables.raw_text import RawTable, from_text_lines
from .column_heads import Column, read_columns
from .context import FactContext
from .metrics import MetricList
from .prose_facts import prose_facts
from .table_facts import table_facts
from .xbrl_facts import with_tagged, xbrl_facts

_CERTAINTY = 0.85
"""Columns are told by order alone."""
_FEWEST_CONTENTS = 8
"""Rising whole numbers, none above the number of pages, that make a table a list of contents."""


RawFound = tuple[Table, list[list[Span]]]
"""A table of raw page text, and for each row the span from its label to its last value, the same for all its cells."""


def raw_tables(document: Document) -> Iterator[RawFound]:
    """The tables in every page's lines, for a document whose reader tells none apart."""
    if document.tables:
        return
    for page in document.pages:
        lines, starts = _lines(document.text, page.start, page.end)
        for found in from_text_lines(lines):
            spans = _spans(found, lines, starts)
            yield replace(found.table, start=spans[0][0][0], end=spans[-1][0][1]), spans


def raw_table_facts(document: Document, context: FactContext, found: Sequence[RawFound]) -> Iterator[Fact]:
    """Facts of raw tables; ``start`` and ``end`` are those of the row."""
    for table, spans in found:
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


_DOLLARS = ("AUD", "CAD", "NZD", "HKD", "SGD")
_AMERICAN = re.compile(r"US\$|\bUSD\b|\b(?:U\.S\.|US|United\s+States)\s*(?:\$|dollars?)", re.IGNORECASE)


def in_own_dollars(facts: Sequence[Fact], document: Document) -> Iterator[Fact]:
    """The facts in the dollar that the document reports in, but for those that are printed as American ones."""
    own = document.metadata.currency
    for fact in facts:
        unit, _, per = fact.unit.partition("/")
        if own not in _DOLLARS or unit != "USD" or _AMERICAN.search(_printed(fact, document)):
            yield fact
        else:
            yield replace(fact, unit=f"{own}/{per}" if per else own)


def _printed(fact: Fact, document: Document) -> str:
    """What is printed of the unit: in the value and its name, in a table also above it and over its columns."""
    said = f"{fact.text} {fact.label}"
    if fact.table is None or fact.table >= len(document.tables):
        return said
    table = document.tables[fact.table]
    heads = " ".join(cell for row in table.rows[: table.header_rows] for cell in row)
    return f"{said} {table.unit} {table.title} {heads}"


VERSION = "12"
"""Of this step: a stored document read by another version is read again."""


def extract_facts(document: Document, metrics: MetricList | None = None) -> list[Fact]:
    """Facts of tables, prose and tagged values, in the order of the text, each with its place.

    The document's metadata give the company and, where a table or sentence names none, the period; ``metrics`` the
    names to look for, the shipped ones by default.
    """
    context = FactContext.of(document, metrics)
    raw = list(raw_tables(document))
    rows = [row[0] for _, spans in raw for row in spans if row]
    read = [
        *raw_table_facts(document, context, raw),
        *_of_tables(document, context),
        *prose_facts(document, context, rows),
    ]
    facts = with_tagged(list(in_own_dollars(read, document)), list(xbrl_facts(document, context)))
    facts.sort(key=lambda fact: (fact.start, fact.end))
    return [replace(fact, id=stable_id("fact", VERSION, document.source, n)) for n, fact in enumerate(facts)]


def _of_tables(document: Document, context: FactContext) -> Iterator[Fact]:
    """A table without heads and title goes on with the columns of the one before, if it has as many."""
    columns: Sequence[Column] = ()
    for ordinal, table in enumerate(document.tables):
        if _is_contents(table, len(document.pages)):
            continue
        is_bare = not table.heads and not table.title
        goes_on = is_bare and 0 < len(columns) == table.width
        columns = columns if goes_on else read_columns(table, context)
        spans = cell_spans(document.text, table.start, table.end)
        yield from table_facts(document, table, ordinal, context, columns, spans)


def _is_contents(table: Table, pages: int) -> bool:
    """True for a list of contents, whose numbers are pages of the document and rise from row to row."""
    columns = [list(filter(None, column)) for column in zip(*table.body, strict=True)]
    numbers = [column for column in columns if column and all(map(str.isdecimal, column))]
    if sum(map(len, numbers)) < _FEWEST_CONTENTS or len(numbers) < len(columns) // 2:
        return False
    return all(_are_pages(list(map(int, column)), pages) for column in numbers)


def _are_pages(numbers: Sequence[int], pages: int) -> bool:
    return list(numbers) == sorted(numbers) and numbers[0] > 0 and numbers[-1] <= pages
