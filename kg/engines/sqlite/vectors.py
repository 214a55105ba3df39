"""Chunk vectors in memory as numpy blocks, brought up to date document by document; sentence vectors on disk."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ....models.embedders import MAIN, MULTILINGUAL, Space
from ...storage.codec import dots, dumps, packed_rows, scale_to_unit, unpack_sentences
from .connection import Database
from .documents import Place

if TYPE_CHECKING:
    import numpy as np

_BLOCK_ROWS = 8192
_FEW = 512
"""Up to so many documents are searched one by one, more by masking the whole."""

_FEWEST_LIVE = 0.5


class SpaceTables(NamedTuple):
    """Where the file keeps the vectors of a space: names of ours, so that they may stand in a query."""

    chunks: str
    sentences: str
    embedder: str
    """Setting that names the encoder; "" before the first vectors."""
    dim: str
    """Setting that has the numbers of a vector."""


TABLES: Mapping[Space, SpaceTables] = {
    MAIN: SpaceTables("vector", "sentence_vector", "embedder", "dim"),
    MULTILINGUAL: SpaceTables(
        "multilingual_vector", "multilingual_sentence_vector", "multilingual_embedder", "multilingual_dim"
    ),
}


class _Rows(NamedTuple):
    """Where a document's vectors are."""

    block: int
    start: int
    size: int


class VectorMatrix:
    """All chunk vectors of a space, unit rows. Used under the lock of the database it is synchronised with."""

    def __init__(self, space: Space = MAIN) -> None:
        self._table = TABLES[space].chunks
        self.version = -1
        """Of the store, as its owner loaded it last."""
        self._blocks: list[_Block] = []
        self._rows: dict[int, _Rows] = {}

    def sync(self, db: Database, dim: int, places: Collection[Place]) -> None:
        """Load new documents and drop those that are gone."""
        current = {place.id: place for place in places}
        for document in self._rows.keys() - current.keys():
            self._drop(document)
        missing = sorted(current.keys() - self._rows.keys())
        # A handful of documents at a time: the blobs of a large store would otherwise be in memory twice.
        for i in range(0, len(missing), _FEW):
            query = f"SELECT document, chunks FROM {self._table} WHERE document IN (SELECT value FROM json_each(?))"
            found: dict[int, bytes] = dict(db.rows(query, (dumps(missing[i : i + _FEW]),)))
            for document in missing[i : i + _FEW]:
                self._add(current[document], packed_rows(found.get(document, b""), dim))
        for block in self._blocks:
            block.make_unit()

    def nearest(self, vector: np.ndarray, k: int, places: Collection[Place] | None) -> tuple[np.ndarray, np.ndarray]:
        """Internal chunk ids and scores of the ``k`` best, and of those that tie with the last of them."""
        import numpy as np

        parts = list(self._scores(np.ascontiguousarray(vector, np.float32), places))
        if not parts or k <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        chunks, scores = map(np.concatenate, zip(*parts, strict=True))
        if len(scores) > k:
            last = np.partition(scores, len(scores) - k)[len(scores) - k]
            best = np.flatnonzero(scores >= last - 1e-6)
            chunks, scores = chunks[best], scores[best]
        return chunks, scores

    def vector(self, document: int, ordinal: int) -> np.ndarray | None:
        """The vector of a chunk."""
        rows = self._rows.get(document)
        if rows is None or ordinal >= rows.size:
            return None
        row: np.ndarray = self._blocks[rows.block].vectors[rows.start + ordinal]
        return row

    def vectors_of(self, places: Collection[Place], dim: int) -> np.ndarray:
        """The vectors of all chunks of documents, one after the other; zero rows where there are none."""
        import numpy as np

        parts = []
        for place in places:
            rows = self._rows.get(place.id)
            if rows is not None and rows.size:
                parts.append(self._blocks[rows.block].vectors[rows.start : rows.start + rows.size])
            else:
                parts.append(np.zeros((place.chunks, dim), np.float32))
        return np.concatenate([np.zeros((0, dim), np.float32), *parts])

    def _scores(self, query: np.ndarray, places: Collection[Place] | None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        import numpy as np

        if places is None or len(places) > _FEW:
            wanted = None if places is None else np.array(sorted(place.id for place in places))
            for block in self._blocks:
                yield block.scores(query, wanted)
            return
        for place in places:
            if rows := self._rows.get(place.id):
                part = slice(rows.start, rows.start + rows.size)
                block = self._blocks[rows.block]
                yield block.chunks[part], dots(block.vectors[part], query)

    def _add(self, place: Place, vectors: np.ndarray) -> None:
        if not self._blocks or not self._blocks[-1].has_room(vectors):
            self._blocks.append(_Block(max(_BLOCK_ROWS, len(vectors)), vectors.shape[1]))
        start = self._blocks[-1].append(place, vectors)
        self._rows[place.id] = _Rows(len(self._blocks) - 1, start, len(vectors))

    def _drop(self, document: int) -> None:
        rows = self._rows.pop(document)
        block = self._blocks[rows.block]
        block.drop(rows.start, rows.size)
        if block.live < _FEWEST_LIVE * block.used:
            for document, start in block.compact():
                self._rows[document] = self._rows[document]._replace(start=start)


class _Block:
    """Rows of many documents; a dropped row stays, with document 0, until the block is compacted."""

    def __init__(self, capacity: int, dim: int) -> None:
        import numpy as np

        self.vectors = np.zeros((capacity, dim), np.float32)
        self.chunks = np.zeros(capacity, np.int64)
        self.documents = np.zeros(capacity, np.int64)
        self.used = self.live = 0
        self._unit = 0

    def has_room(self, vectors: np.ndarray) -> bool:
        return self.used + len(vectors) <= len(self.vectors) and vectors.shape[1] == self.vectors.shape[1]

    def append(self, place: Place, vectors: np.ndarray) -> int:
        import numpy as np

        start, end = self.used, self.used + len(vectors)
        self.vectors[start:end] = vectors
        self.chunks[start:end] = np.arange(place.first, place.first + len(vectors))
        self.documents[start:end] = place.id
        self.used, self.live = end, self.live + len(vectors)
        return start

    def make_unit(self) -> None:
        """Scale what was appended to length 1, in place."""
        scale_to_unit(self.vectors[self._unit : self.used])
        self._unit = self.used

    def drop(self, start: int, count: int) -> None:
        self.documents[start : start + count] = 0
        self.live -= count

    def compact(self) -> list[tuple[int, int]]:
        """Close the gaps; the new start of each document that is left."""
        import numpy as np

        kept = np.flatnonzero(self.documents[: self.used])
        for array in (self.vectors, self.chunks, self.documents):
            array[: len(kept)] = array[kept]
        self.used = self.live = self._unit = len(kept)
        documents, starts = np.unique(self.documents[: self.used], return_index=True)
        return list(zip(documents.tolist(), starts.tolist(), strict=True))

    def scores(self, query: np.ndarray, wanted: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Of all rows, or of those of the wanted documents."""
        import numpy as np

        documents, scores = self.documents[: self.used], dots(self.vectors[: self.used], query)
        if wanted is None and self.live == self.used:
            return self.chunks[: self.used], scores
        kept = documents > 0 if wanted is None else np.isin(documents, wanted)
        return self.chunks[: self.used][kept], scores[kept]


class StoredEncoder(NamedTuple):
    """Whose vectors a space has."""

    name: str
    """"" where it has none."""
    dim: int
    """Numbers of a vector; 0 before the first."""


def read_encoder(db: Database, space: Space) -> StoredEncoder:
    """Whose vectors a space has."""
    tables = TABLES[space]
    known = db.row("SELECT 1 FROM sqlite_master WHERE name = ?", (tables.chunks,))  # not in an older file, read only
    stored = known and db.row(f"SELECT 1 FROM {tables.chunks} LIMIT 1")
    query = "SELECT value FROM setting WHERE name = ?"
    return StoredEncoder(
        str(db.value(query, (tables.embedder,))) if stored else "", int(db.value(query, (tables.dim,)) or 0)
    )


def read_sentence_vectors(db: Database, ids: Sequence[str], space: Space, dim: int) -> list[np.ndarray]:
    """For each chunk, float32 (sentences, dim); no rows where nothing is stored."""
    import numpy as np

    query = f"""SELECT c.key, s.data FROM chunk AS c JOIN {TABLES[space].sentences} AS s ON s.chunk = c.id
      WHERE c.key IN (SELECT value FROM json_each(?))"""
    found: dict[str, bytes] = dict(db.rows(query, (dumps(list(set(ids))),)))
    nothing = np.zeros((0, dim), np.float32)
    if not found:
        return [nothing for _ in ids]
    rows = unpack_sentences(b"".join(found.values()), dim)
    ends = np.cumsum([len(data) // dim for data in found.values()])
    own = dict(zip(found, np.split(rows, ends[:-1]), strict=True))
    return [own.get(id, nothing) for id in ids]
