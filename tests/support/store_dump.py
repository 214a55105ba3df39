"""All that a store says, in an order of its own: two stores with equal dumps answer alike.

Left out is what tells when and in what order something was stored: the time of adding, version, the age of merges.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from cliquerag.kg.drivers import DriverQuery
from cliquerag.kg.store import FactQuery, GraphPart, Store

_ALL = 10_000_000
_THEN = datetime(2000, 1, 1, tzinfo=timezone.utc)


def dump(store: Store) -> dict[str, Any]:
    """Section -> what the store says there, sorted."""
    records = store.documents()
    sources = [record.source for record in records]
    counts = {name: count for name, count in store.counts().items() if name != "bytes"}
    found: dict[str, Any] = {
        "records": [replace(record, ingested=_THEN) for record in records],
        "documents": [store.document(source) for source in sources],
        "chunks": [store.chunks_of(source) for source in sources],
        "vectors": digest(store.vectors_of(sources).round(6)),
        "words": store.chunk_words(sources),
        "facts": _sorted(replace(fact, id="") for fact in store.facts(FactQuery(limit=_ALL))),
        "drivers": _sorted(store.drivers(DriverQuery(limit=_ALL))),
        "parts": [_sorted(_part(part) for part in store.parts(source)) for source in sources],
        "rejected": [_sorted(store.rejected(source)) for source in sources],
        "entities": _sorted(store.all_entities()),
        "relations": _sorted(
            replace(relation, statements=tuple(sorted(relation.statements, key=lambda said: said.id)))
            for relation in store.all_relations()
        ),
        "merges": _sorted(store.merges()),
        "counts": counts,
    }
    ids = [chunk.id for chunks in found["chunks"] for chunk in chunks]
    found["sentence vectors"] = digest(*(rows.round(6) for rows in store.sentence_vectors(ids)))
    words = sorted({word for row in found["words"] for word in row.words.split()})
    found["frequency"] = sorted(store.document_frequency(words).items())
    return found


def differences(one: Store, other: Store) -> list[str]:
    """The sections in which two stores differ, each with the first thing that only one of them says."""
    return differing(dump(one), dump(other))


def differing(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    """The same of two dumps."""
    return [f"{name}: {_first(first[name], second[name])}" for name in first if first[name] != second[name]]


def digest(*arrays: Any) -> str:
    """A hash of numbers; those that are rounded to nothing have no sign."""
    made = hashlib.sha256()
    for array in arrays:
        made.update((array + 0.0).tobytes())
    return made.hexdigest()


def _first(one: Any, other: Any) -> str:
    if not (isinstance(one, list) and isinstance(other, list)):
        return f"{one} / {other}"
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            return f"{mine} / {theirs}"
    return f"{len(one)} / {len(other)}"


def _part(part: GraphPart) -> GraphPart:
    lists = ("entities", "mentions", "statements", "merges", "rejected", "drivers")
    return replace(part, **{name: tuple(_sorted(getattr(part, name))) for name in lists})


def _sorted(values: Any) -> list[Any]:
    return sorted(values, key=repr)
