"""A better extractor over documents that are stored already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..kg.extraction.build import build_graph
from ..kg.store import DocumentRecord, Store
from ..kg.triple import Extractor
from .pipeline import Progress, extractor_label
from .report import AddReport


def enrich_documents(store: Store, extractor: Extractor, progress: Progress | None = None) -> Iterator[AddReport]:
    """Add an extractor's triples document by document, a transaction each; a document that has them is "unchanged".

    Can be stopped and started again: what is stored stays, and a model's answers are cached.
    """
    records = store.documents()
    for number, record in enumerate(records):
        if progress:
            progress(record.source, number / len(records))
        yield _enrich(store, record, extractor)


def _enrich(store: Store, record: DocumentRecord, extractor: Extractor) -> AddReport:
    if record.versions.get(f"extract:{extractor.name}") == extractor_label(extractor):
        return AddReport(record.source, "unchanged", chunks=record.chunks)
    document = store.document(record.source)
    if document is None:  # removed meanwhile
        return AddReport(record.source, "failed", error=f"{record.source}: removed meanwhile")
    part = build_graph(document, store.chunks_of(record.source), extractor)
    store.put_graph(record.source, part)
    return AddReport(
        record.source,
        "added",
        metadata=document.metadata,
        chunks=record.chunks,
        entities=len(part.entities),
        statements=len(part.statements),
        rejected=dict(Counter(triple.reason for triple in part.rejected)),
    )
