"""The vectors of the multilingual encoder, which a document has beside the workspace's own or instead of them.

Documents in other languages are few, so no vector index holds them: a document keeps them in its :Content, those of
sentences stand at its chunks, and a search looks at all of them, as in the embedded engine. What was read of a document
is kept as long as the document stays what it is, 1.5 KB a chunk.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ....core.errors import StoreError
from ....models.embedders import SpaceVectors
from ...storage.codec import expand, pack_vectors, split_sentences, unpack_sentences, unpack_vectors
from ...store import Bundle, Hit
from .connection import TAKE_TURN, Graph, Row, Transaction

if TYPE_CHECKING:
    import numpy as np

INDEX = "CREATE INDEX document_multilingual IF NOT EXISTS FOR (n:Document) ON (n.multilingual)"
"""Of the documents that have such vectors; workspaces of before get it with the first of them."""

EMBEDDER = """CASE WHEN w.multilingual_dim > 0 AND EXISTS { (d:Document {multilingual: true}) }
    THEN w.multilingual_embedder ELSE '' END"""
"""Of a workspace ``w`` in a query: the encoder of its vectors, "" where no document has any."""
_STATE = f"MATCH (w:Workspace) RETURN coalesce(w.multilingual_dim, 0) AS dim, {EMBEDDER} AS embedder"
_CLAIMED = """MATCH (w:Workspace) RETURN w.multilingual_embedder AS embedder, w.multilingual_dim AS dim,
  EXISTS { (d:Document {multilingual: true}) WHERE d.source <> $source } AS others"""
_CLAIM = "MATCH (w:Workspace) SET w.multilingual_embedder = $embedder, w.multilingual_dim = $dim"
_ALL = """MATCH (d:Document {multilingual: true})
RETURN d.source AS source, d.stamp AS stamp, d.chunks AS chunks, true AS held ORDER BY source"""
_WITHIN = """UNWIND $documents AS source MATCH (d:Document {source: source})
RETURN source, d.stamp AS stamp, d.chunks AS chunks, d.multilingual IS NOT NULL AS held ORDER BY source"""
_READ = """UNWIND $sources AS source MATCH (d:Document {source: source})-[:HOLDS]->(k:Content)
WHERE k.multilingual_vectors IS NOT NULL
RETURN source, d.stamp AS stamp, k.chunk_list AS chunks, k.multilingual_vectors AS vectors"""
_SENTENCES = """UNWIND $ids AS id MATCH (c:Chunk {id: id}) WHERE c.multilingual_sentences IS NOT NULL
RETURN id, c.multilingual_sentences AS data"""
_DOCUMENTS = """UNWIND $ids AS id MATCH (c:Chunk {id: id}) WHERE c.multilingual_sentences IS NOT NULL
RETURN DISTINCT c.document AS source"""


def chunk_vectors(bundle: Bundle) -> bytes | None:
    """The packed vectors of a document's chunks; None where it has none of this encoder."""
    return None if bundle.multilingual is None else pack_vectors(bundle.multilingual.chunks)


def sentence_vectors(bundle: Bundle) -> list[bytes | None]:
    """The packed vectors of the sentences of each chunk."""
    if bundle.multilingual is None:
        return [None] * len(bundle.chunks)
    return list(split_sentences(bundle.multilingual.sentences, bundle.chunks))


def workspace_row(vectors: SpaceVectors | None) -> Row:
    """What the workspace says of the encoder of these vectors; nothing without any."""
    if vectors is None:
        return {}
    return {"multilingual_embedder": vectors.embedder, "multilingual_dim": vectors.chunks.shape[1]}


def claim(tx: Transaction, bundle: Bundle) -> None:
    """Note the encoder; vectors of two never meet. Raises StoreError where the workspace has those of another one."""
    if bundle.multilingual is None:
        return
    tx.run(TAKE_TURN)
    embedder, dim = bundle.multilingual.embedder, int(bundle.multilingual.chunks.shape[1])
    (known,) = tx.run(_CLAIMED, source=bundle.document.source)
    is_same = (known["embedder"], known["dim"]) == (embedder, dim)
    if known["others"] and not is_same:
        what = f"its multilingual vectors come from {known['embedder']} ({known['dim']} numbers), not from {embedder}"
        raise StoreError(what, where=bundle.document.source, hint="Use the same embedding model, or another workspace")
    if not is_same:
        tx.run(_CLAIM, embedder=embedder, dim=dim)


class _Held(NamedTuple):
    """A document's chunks in order, and their vectors, float32 (chunks, dim)."""

    stamp: int
    ids: list[str]
    vectors: np.ndarray


class SecondSpace:
    """Reads the vectors of the multilingual encoder. Methods are those of the store, for its space."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, _Held] = {}

    def embedder(self) -> str:
        """ "" where no document has such vectors."""
        return str(self._state()["embedder"])

    def nearest(self, vector: np.ndarray, documents: Collection[str] | None) -> list[Hit]:
        """Cosines of all chunks of the documents that have such vectors, in no order."""
        held = self._held(self._documents(documents))
        return [
            Hit(id, score)
            for one in held.values()
            for id, score in zip(one.ids, (one.vectors @ vector).tolist(), strict=True)
        ]

    def vectors(self, ids: Sequence[str]) -> np.ndarray:
        """Float32 (len(ids), dim); zero rows where there is none."""
        import numpy as np

        found = np.zeros((len(ids), self._state()["dim"]), np.float32)
        sources = [row["source"] for row in self._graph.read(_DOCUMENTS, ids=list(set(ids)))]
        held = self._held(self._documents(sources)).values()
        rows = {id: row for one in held for id, row in zip(one.ids, one.vectors, strict=True)}
        for at, id in enumerate(ids):
            if id in rows:
                found[at] = rows[id]
        return found

    def vectors_of(self, documents: Collection[str]) -> np.ndarray:
        """Float32 (all chunks of the documents, dim), in order of source and ordinal; zero rows where there is none."""
        import numpy as np

        dim = self._state()["dim"]
        rows = self._documents(documents)
        held = self._held(rows)
        parts = [np.zeros((0, dim), np.float32)]
        for row in rows:
            nothing = np.zeros((row["chunks"], dim), np.float32)
            parts.append(held[row["source"]].vectors if row["source"] in held else nothing)
        return np.concatenate(parts)

    def sentence_vectors(self, ids: Sequence[str]) -> list[np.ndarray]:
        """For each chunk, float32 (sentences, dim)."""
        import numpy as np

        dim = self._state()["dim"]
        found: Mapping[str, bytes] = self._graph.lookup(_SENTENCES, ids=list(set(ids)))
        nothing = np.zeros((0, dim), np.float32)
        return [unpack_sentences(found[id], dim) if id in found else nothing for id in ids]

    def _state(self) -> Row:
        return self._graph.read(_STATE)[0]

    def _documents(self, documents: Collection[str] | None) -> list[Row]:
        """Source, stamp, number of chunks and ``held`` of the stored ones among the documents, in order."""
        if documents is None:
            return self._graph.read(_ALL)
        return self._graph.read(_WITHIN, documents=sorted(set(documents)))

    def _held(self, documents: Sequence[Row]) -> dict[str, _Held]:
        """Document -> its vectors, for those that have them; read where they were not, or are no longer the same."""
        wanted = {row["source"]: row["stamp"] for row in documents if row["held"]}
        known = {source: one for source in wanted if (one := self._known.get(source))}
        changed = [source for source, stamp in wanted.items() if source not in known or known[source].stamp != stamp]
        dim = self._state()["dim"] if changed else 0
        for row in self._graph.read(_READ, sources=changed) if changed else ():
            ids = [chunk[0] for chunk in expand(row["chunks"])]
            known[row["source"]] = _Held(row["stamp"], ids, unpack_vectors(row["vectors"], dim))
        self._known |= known
        return known
