"""A document read back from one store in the form that another takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .graph import Entity
from .store import Bundle, FactQuery, GraphPart, Store

if TYPE_CHECKING:
    import numpy as np


def copy_documents(source: Store, target: Store) -> Mapping[str, int]:
    """Copy all documents, one transaction each; what is there already is replaced.

    Entities go over as their clusters: names that were one stay one, and the merges behind them are not copied.
    """
    copied = 0
    for record in source.documents():
        bundle = read_bundle(source, record.source)
        if bundle is not None:
            target.put(bundle)
            copied += 1
    counts = target.counts()
    return {"documents": copied, "entities": counts["entities"], "statements": counts["statements"]}


def read_bundle(store: Store, source: str) -> Bundle | None:
    """A stored document as it was put, its entities by cluster; None where it is not there."""
    record = next((r for r in store.documents() if r.source == source), None)
    document = store.document(source)
    if record is None or document is None:
        return None
    chunks = tuple(store.chunks_of(source))
    words = {entry.id: entry for entry in store.chunk_words([source])}
    ids = [chunk.id for chunk in chunks]
    embedder = store.embedder() if record.versions.get("embed", "none") != "none" else ""
    sentences = store.sentence_vectors(ids) if embedder and ids else []
    return Bundle(
        document=document,
        chunks=chunks,
        words=tuple(words[id].words for id in ids),
        heading_words=tuple(words[id].heading_words for id in ids),
        facts=tuple(store.facts(FactQuery(sources=(source,), limit=10_000_000))),
        graph=_graph(store, source, ids, record.versions.get("extract", "rules-1")),
        vectors=store.vectors(ids) if embedder and ids else None,
        sentence_vectors=_stacked(sentences) if sentences else None,
        embedder=embedder,
        versions=record.versions,
    )


def _graph(store: Store, source: str, chunks: list[str], extractor: str) -> GraphPart:
    mentions = store.mentions(chunks=chunks, limit=10_000_000) if chunks else []
    statements = store.statements(documents=[source])
    named = {m.entity for m in mentions} | {end for s in statements for end in (s.head, s.tail)}
    entities: dict[str, Entity] = {entity.id: entity for entity in store.entities(sorted(named))}
    return GraphPart(
        extractor=extractor.split("+")[0] or "rules-1",
        entities=tuple(entities.values()),
        mentions=tuple(m for m in mentions if m.entity in entities),
        statements=tuple(s for s in statements if s.head in entities and s.tail in entities),
        rejected=tuple(store.rejected(source)),
    )


def _stacked(vectors: Sequence[np.ndarray]) -> np.ndarray:
    import numpy as np

    return np.concatenate(vectors).astype(np.float32)
