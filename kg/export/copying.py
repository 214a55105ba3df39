"""A whole workspace copied from one store to another, of any engine, losing nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...core.scope import Scope
from ..resolution.clusters import pair
from ..store import Bundle, FactQuery, GraphPart, Store

if TYPE_CHECKING:
    import numpy as np


def copy_documents(source: Store, target: Store) -> Mapping[str, int]:
    """Copy all documents, one transaction each, and the merges; what is there already is replaced.

    Into a store that has no other documents the merges are copied as they are. Beside others they are decided anew, but
    for those that people made or took back.
    """
    records = sorted(source.documents(), key=lambda record: (record.ingested, record.source))
    others = {record.source for record in target.documents()} - {record.source for record in records}
    copied = 0
    for record in records:
        parts = source.parts(record.source)
        bundle = read_bundle(source, record.source, parts[0] if parts else GraphPart(""))
        if bundle is None:
            continue
        target.put(bundle)
        for part in parts[1:]:
            target.put_graph(record.source, part)
        copied += 1
    if others:
        copy_merges(source, target)
    else:
        target.restore_merges(source.merges())
    counts = target.counts()
    return {"documents": copied, "entities": counts["entities"], "statements": counts["statements"]}


def copy_merges(source: Store, target: Store) -> None:
    """Make the merges that people made, and take back those that they took back."""
    made = {pair(merge): merge for merge in target.merges()}
    for merge in source.merges():
        there = made.get(pair(merge))
        if there is None and len(target.entity_names((merge.entity, merge.into))) == 2:
            there = target.merge(merge.entity, merge.into, merge.reason, merge.score)
        if there is not None and merge.undone and not there.undone:
            target.undo(there.id)


def read_bundle(store: Store, source: str, part: GraphPart) -> Bundle | None:
    """A stored document as it was put, with one part of its graph; None where it is not there."""
    records = store.documents(Scope(sources=(source,)))
    document = store.document(source)
    if not records or document is None:
        return None
    chunks = tuple(store.chunks_of(source))
    words = {entry.id: entry for entry in store.chunk_words([source])}
    ids = [chunk.id for chunk in chunks]
    vectors = store.vectors(ids) if ids and store.embedder() else None
    if vectors is not None and not vectors.any():
        vectors = None
    return Bundle(
        document=document,
        chunks=chunks,
        words=tuple(words[id].words for id in ids),
        heading_words=tuple(words[id].heading_words for id in ids),
        facts=tuple(store.facts(FactQuery(sources=(source,), limit=10_000_000))),
        graph=part,
        vectors=vectors,
        sentence_vectors=None if vectors is None else _stacked(store.sentence_vectors(ids)),
        embedder="" if vectors is None else store.embedder(),
        versions=records[0].versions,
        ingested=records[0].ingested,
    )


def _stacked(vectors: Sequence[np.ndarray]) -> np.ndarray:
    import numpy as np

    return np.concatenate(vectors).astype(np.float32)
