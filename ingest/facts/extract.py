"""All facts of a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...core.fact import Fact
from ...core.ids import stable_id
from ..document import Document
from .cells import cell_spans
from .column_heads import Column, read_columns
from .context import FactContext
from .metrics import MetricList
from .own_dollars import in_own_dollars
from .prose_facts import prose_facts
from .raw_tables import raw_table_facts
from .table_facts import table_facts
from .xbrl_facts import with_tagged, xbrl_facts

VERSION = "7"
"""Of this step: a stored document read by another version is read again."""


def extract_facts(document: Document, metrics: MetricList | None = None) -> list[Fact]:
    """Facts of tables, prose and tagged values, in the order of the text, each with its place.

    The document's metadata give the company and, where a table or sentence names none, the period; ``metrics`` the
    names to look for, the shipped ones by default.
    """
    context = FactContext.of(document, metrics)
    read = [*_of_tables(document, context), *prose_facts(document, context)]
    facts = with_tagged(list(in_own_dollars(read, document)), list(xbrl_facts(document, context)))
    facts.sort(key=lambda fact: (fact.start, fact.end))
    return [replace(fact, id=stable_id("fact", VERSION, document.source, n)) for n, fact in enumerate(facts)]


def _of_tables(document: Document, context: FactContext) -> Iterator[Fact]:
    """A table without heads and title goes on with the columns of the one before, if it has as many."""
    if not document.tables:
        yield from raw_table_facts(document, context)
    columns: Sequence[Column] = ()
    for ordinal, table in enumerate(document.tables):
        is_bare = not table.heads and not table.title
        goes_on = is_bare and 0 < len(columns) == table.width
        columns = columns if goes_on else read_columns(table, context)
        spans = cell_spans(document.text, table.start, table.end)
        yield from table_facts(document, table, ordinal, context, columns, spans)
