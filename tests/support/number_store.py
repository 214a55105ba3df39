"""A store in memory that holds documents with the facts a test names."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from cliquerag.core.anchor import Anchor
from cliquerag.core.fact import Fact
from cliquerag.core.ids import stable_id
from cliquerag.core.period import Period
from cliquerag.ingest.document import Document, Metadata
from cliquerag.kg.store import Bundle
from support.stores import open_store

MILLION = Decimal(10) ** 6


def fact(metric: str, period: str, text: str, **more: object) -> Fact:
    """A fact of a table in USD millions; ``text`` as printed, a value where it is a number."""
    digits = text.replace(",", "").replace("%", "").replace("(", "-").strip(") $")
    value = Decimal(digits) if digits.replace("-", "").replace(".", "").isdigit() else None
    known = {
        "company": "Acme Inc.",
        "metric": metric,
        "label": metric.capitalize(),
        "unit": "USD" if value is not None else "",
        "scale": MILLION if value is not None else Decimal(1),
        "source_kind": "table",
        "anchors": (Anchor(7),),
        "confidence": 0.9,
        **more,
    }
    return Fact(period=Period.parse(period), text=text, value=value, **known)


def number_store(**documents: tuple[str, str, Sequence[Fact]]):
    """Source -> (company, its period, facts). The store is closed by the test or with it."""
    store = open_store("sqlite://")
    for source, (company, period, facts) in documents.items():
        about = Metadata(
            companies=(company,) if company else (),
            kind="10-K",
            period=Period.parse(period) if period else None,
            how={"companies": "argument"},
        )
        document = Document(source, f"The report of {company}.", (), about, content_hash=source)
        store.put(Bundle(document, (), (), (), tuple(_placed(f, source, company, n) for n, f in enumerate(facts))))
    return store


def _placed(fact: Fact, source: str, company: str, n: int) -> Fact:
    from dataclasses import replace

    start, end = (fact.start, fact.end) if fact.end else (n, n + 1)  # a test may say where a fact stands
    return replace(fact, source=source, company=company, start=start, end=end, id=stable_id("fact", source, n))
