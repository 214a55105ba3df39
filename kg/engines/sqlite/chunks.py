"""Chunks by their public ids, and who stands next to whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ....core.sequences import without
from ....ingest.chunk import Chunk
from ...storage.codec import dumps, read_extras
from ...store import Hit
from .catalogue import Catalogue
from .connection import Database
from .documents import BlocksRead

_RECENT = 1_000
"""Chunks kept, about 5 KB each."""
_AMONG = "(SELECT value FROM json_each(?))"


class RecentChunks:
    """The chunks read last: the steps of a search ask for the same ones. Used under the lock of its database."""

    def __init__(self) -> None:
        self._version = -1
        self._known: dict[str, Chunk] = {}
        self._blocks = BlocksRead()

    def read(self, db: Database, catalogue: Catalogue, ids: Sequence[str]) -> list[Chunk]:
        """In the order asked for; unknown ids are left out. A write of any process makes what is kept stale."""
        if self._version != catalogue.version or len(self._known) > _RECENT:
            self._known, self._version = {}, catalogue.version
        missing = set(without(ids, self._known))
        if missing:
            read = self._select(db, catalogue, f"key IN {_AMONG}", (dumps(sorted(missing)),))
            self._known |= {chunk.id: chunk for chunk in read}
        return [self._known[id] for id in ids if id in self._known]

    def read_document(self, db: Database, catalogue: Catalogue, source: str) -> list[Chunk]:
        """All chunks of a document, in order."""
        place = catalogue.place(source)
        return self._select(db, catalogue, "document = ? ORDER BY id", (place.id,)) if place else []

    def _select(self, db: Database, catalogue: Catalogue, condition: str, values: Sequence[object]) -> list[Chunk]:
        rows = db.rows(
            f'SELECT id, key, document, start, "end", kind, tokens, value, data FROM chunk WHERE {condition}', values
        )
        texts = self._blocks.spans(db, [(document, start, end) for _, _, document, start, end, *_ in rows])
        return [_chunk(catalogue, row, text) for row, text in zip(rows, texts, strict=True)]


def sources_of(db: Database, catalogue: Catalogue, ids: Collection[str]) -> dict[str, str]:
    """Chunk -> source of its document."""
    rows = db.rows(f"SELECT key, document FROM chunk WHERE key IN {_AMONG}", (dumps(list(ids)),))
    return {key: catalogue.source(document) for key, document in rows}


def neighbours(db: Database, catalogue: Catalogue, ids: Collection[str], distance: int) -> dict[str, tuple[str, ...]]:
    """Chunk -> the ids before and after it in its document, in order."""
    rows = db.rows(f"SELECT key, id, document FROM chunk WHERE key IN {_AMONG}", (dumps(list(ids)),))
    around: dict[str, list[int]] = {}
    for key, id, document in rows:
        place = catalogue.known_place(catalogue.source(document))
        low, high = max(place.first, id - distance), min(place.first + place.chunks - 1, id + distance)
        around[key] = [i for i in range(low, high + 1) if i != id]
    keys = chunk_keys(db, {i for near in around.values() for i in near})
    return {key: tuple(keys[i] for i in around[key]) for key in ids if key in around}


def hits_of(db: Database, catalogue: Catalogue, scores: Mapping[int, float]) -> list[Hit]:
    """Hits of internal ids, in any order."""
    rows = db.rows(f"SELECT id, key, document FROM chunk WHERE id IN {_AMONG}", (dumps(list(scores)),))
    return [Hit(key, scores[id], catalogue.source(document)) for id, key, document in rows]


def chunk_keys(db: Database, ids: Iterable[int]) -> dict[int, str]:
    """Internal id -> public id."""
    return dict(db.rows(f"SELECT id, key FROM chunk WHERE id IN {_AMONG}", (dumps(list(map(int, ids))),)))


def chunk_ids(db: Database, document: int, keys: Iterable[str]) -> Mapping[str, int]:
    """Public id -> internal id of those in a document."""
    query = f"SELECT key, id FROM chunk WHERE key IN {_AMONG} AND document = ?"
    return dict(db.rows(query, (dumps(list(keys)), document)))


def _chunk(catalogue: Catalogue, row: Sequence[Any], text: str) -> Chunk:
    id, key, document, start, end, kind, tokens, value, data = row
    source = catalogue.source(document)
    ordinal = id - catalogue.known_place(source).first
    extras = read_extras(data, text)
    return Chunk(key, source, ordinal, start, end, text, kind, tokens=tokens, value=value, **extras)
