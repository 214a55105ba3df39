"""Documents of one table or of sentences, to read facts from."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from cliquerag.core.fact import Fact
from cliquerag.core.period import Period
from cliquerag.ingest.document import Document, Metadata, Segment, Table
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.tables.markdown import to_markdown


def document(*tables: Table, prose: str = "", period: str = "FY2022", language: str = "en") -> Document:
    """Sentences, then the tables as Markdown."""
    text, segments, placed = prose, [], []
    if prose:
        segments.append(Segment("paragraph", 0, len(prose)))
    for n, table in enumerate(tables):
        text += "\n\n" if text else ""
        start = len(text)
        text += to_markdown(table)
        placed.append(replace(table, start=start, end=len(text)))
        segments.append(Segment("table", start, len(text), table=n))
    about = Metadata(companies=("Acme",), period=Period.parse(period), language=language)  # type: ignore[arg-type]
    return Document("acme.pdf", text, tuple(segments), about, tables=tuple(placed))


def facts_of(*tables: Table, **about: str) -> list[Fact]:
    return extract_facts(document(*tables, **about))


def brief(fact: Fact) -> tuple[str, str, Decimal | None, str]:
    """Metric (or label), period, amount and unit."""
    return (fact.metric or fact.label, fact.period.label if fact.period else "", fact.amount, fact.unit)
