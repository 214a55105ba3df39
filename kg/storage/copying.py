"""A whole workspace copied from one store to another, of any engine, losing nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.scope import Scope
from ...core.sequences import first
from ...models.embedders import MAIN, MULTILINGUAL, Space, SpaceVectors
from ..graph import Merge
from ..resolution.clusters import pair
from ..store import Bundle, FactQuery, GraphPart, Store, fit_together

if TYPE_CHECKING:
    import numpy as np


def copy_documents(source: Store, target: Store) -> Mapping[str, int]:
    """Copy all documents, short ones several in a transaction, and the merges; what is there already is replaced.

    Into a store that has no other documents the merges are copied as they are. Beside others they are decided anew, but
    for those that people made or took back.
    """
    records = sorted(source.documents(), key=lambda record: (record.ingested, record.source))
    others = {record.source for record in target.documents()} - {record.source for record in records}
    copied = 0
    waiting: list[Bundle] = []
    for record in records:
        parts = source.parts(record.source)
        bundle = read_bundle(source, record.source, first(parts, GraphPart("")))
        if bundle is None:
            continue
        copied += 1
        if waiting and not fit_together([*waiting, bundle]):
            target.put_all(waiting)
            waiting = []
        waiting.append(bundle)
        written = source.section_summaries([record.source])
        if parts[1:] or written:
            target.put_all(waiting)
            waiting = []
        for part in parts[1:]:
            target.put_graph(record.source, part)
        for found in written.values():
            target.put_section_summaries(record.source, found)
    if waiting:
        target.put_all(waiting)
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
        there = made.get(pair(merge)) or _made_again(merge, target)
        if there and merge.undone and not there.undone:
            target.undo(there.id)


def _made_again(merge: Merge, target: Store) -> Merge | None:
    """The merge made in another store, where that has both entities."""
    if len(target.entity_names((merge.entity, merge.into))) < 2:
        return None
    return target.merge(merge.entity, merge.into, merge.reason, merge.score)


def read_bundle(store: Store, source: str, part: GraphPart) -> Bundle | None:
    """A stored document as it was put, with one part of its graph; None where it is not there."""
    records = store.documents(Scope(sources=(source,)))
    document = store.document(source)
    if not records or document is None:
        return None
    chunks = tuple(store.chunks_of(source))
    words = {entry.id: entry for entry in store.chunk_words([source])}
    bundle = Bundle(
        document=document,
        chunks=chunks,
        words=tuple(words[chunk.id].words for chunk in chunks),
        heading_words=tuple(words[chunk.id].heading_words for chunk in chunks),
        facts=tuple(store.facts(FactQuery(sources=(source,), limit=10_000_000))),
        graph=part,
        versions=records[0].versions,
        ingested=records[0].ingested,
    )
    return _with_vectors(bundle, store)


def _with_vectors(bundle: Bundle, store: Store) -> Bundle:
    """The bundle with the vectors of its chunks and sentences in each space where it was stored with any."""
    own, beside = _vectors_in(bundle, store, MAIN), _vectors_in(bundle, store, MULTILINGUAL)
    if own is not None:
        bundle = replace(bundle, vectors=own.chunks, sentence_vectors=own.sentences, embedder=own.embedder)
    return replace(bundle, multilingual=beside)


def _vectors_in(bundle: Bundle, store: Store, space: Space) -> SpaceVectors | None:
    ids = [chunk.id for chunk in bundle.chunks]
    embedder = store.embedder(space)
    if not ids or not embedder:
        return None
    vectors = store.vectors(ids, space)
    if not vectors.any():
        return None
    return SpaceVectors(embedder, vectors, _stacked(store.sentence_vectors(ids, space)))


def _stacked(vectors: Sequence[np.ndarray]) -> np.ndarray:
    import numpy as np

    return np.concatenate(vectors).astype(np.float32)
