"""What goes on behind the writers: vectors are brought into the vector indexes, and at first the plans of a write made.

Building the graph of a vector index costs the server more than all else that a document brings. So a document is stored
with its vectors in its :Content, and marked ``pending``; a thread of the writer then gives chunks, statements and
entities their property ``vector``, thousands in a transaction, while the next document is read. Until then searches
look at the vectors of pending documents themselves (:meth:`Waiting.hits`): what was written is found at once.

A process that ends in between leaves documents pending, and the next writer's thread brings them in. Threads of several
processes take turns by the lock on one node, which the server lets go when a connection breaks.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from ....core.errors import StoreError
from ....core.records import dataclass
from ...storage.codec import expand, unpack_vectors
from ...store import Hit
from .connection import TAKE_TURN, Change, Graph, Row, Transaction
from .documents import read_contents
from .rows import Place, mean_vectors, stored_sentences

if TYPE_CHECKING:
    import numpy as np

CHUNKS = 4_000
"""Of pending documents, indexed in one transaction: an index is brought up to date with each, at a cost of its own."""

_MOST_BEHIND = 20_000
"""Chunks that this process has written and not indexed; beyond, a write waits, for searches look at all of them."""

_LINGER = 1.0
"""Seconds without a write after which the thread begins: a few documents together cost less than one by one."""

_TURN = "MERGE (q:VectorQueue {name: 'vectors'}) SET q.turn = coalesce(q.turn, 0) + 1"
_PENDING = "MATCH (d:Document {pending: true}) RETURN d.source AS source, d.chunks AS chunks ORDER BY d.stamp LIMIT 500"
# Setting what is set already takes the lock of the document: it is not replaced while it is indexed.
_TAKE = """UNWIND $sources AS source MATCH (d:Document {source: source, pending: true}) SET d.pending = true
WITH d OPTIONAL MATCH (d)-[:HOLDS]->(k)
RETURN d.source AS source, d.stamp AS stamp, k.chunk_list AS chunks, k.chunk_vectors AS vectors,
  COLLECT { MATCH (d)-[:HAS_CHUNK]->(c) WHERE c.vector IS NULL RETURN c.id } AS missing,
  COLLECT { MATCH (d)-[:HAS_CHUNK]->()<-[:FROM]-(s:Statement) WHERE s.vector IS NULL
    RETURN [s.id, s.chunk, s.start, s.end, s.data] } AS statements,
  COLLECT { MATCH (d)-[:HAS_CHUNK]->(c)-[m:MENTIONS]->(e) WHERE e.vector IS NULL
    RETURN [e.id, c.id, m.start, m.end] } AS mentions"""
_SET = """UNWIND $rows AS row MATCH (n:{label} {{id: row.id}}) WHERE n.vector IS NULL
CALL db.create.setNodeVectorProperty(n, 'vector', row.vector)"""
_DONE = """UNWIND $documents AS row
MATCH (d:Document {source: row.source}) WHERE d.stamp = row.stamp REMOVE d.pending"""

Vectors = Mapping[str, Sequence[float]]


class VectorQueue:
    """Indexes what is pending, in a thread that ends when there is nothing more."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._wanted = self._hurry = False
        self._behind = self._writing = 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Inside, the thread leaves the server to the writer, unless enough has come together."""
        with self._changed:
            self._writing += 1
        try:
            yield
        finally:
            with self._changed:
                self._writing -= 1
                self._changed.notify_all()

    def wake(self, chunks: int) -> None:
        """Some more chunks wait. Returns at once, but where very many do."""
        with self._changed:
            self._wanted = True
            self._behind += chunks
            self._changed.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="cliquerag-vectors", daemon=True)
                self._thread.start()
        if self._behind > _MOST_BEHIND:
            self.join()

    def join(self) -> None:
        """Until all that this process has written is indexed, or cannot be."""
        with self._changed:
            thread, self._hurry = self._thread, True
            self._changed.notify_all()
        if thread is not None:
            thread.join()
        self._hurry = False

    def drain(self) -> None:
        """Index all that is pending, in this thread."""
        while taken := self._graph.write_behind(_index_documents):
            self._graph.write_behind(partial(_index_entities, taken=taken))

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._worth_a_transaction():
                    if not self._changed.wait(_LINGER) and not self._writing:
                        break
                if not self._wanted:
                    self._thread = None
                    return
                self._wanted, self._behind = False, 0
            # The server may be gone, or busy for long. What is pending stays so: searches look at it, and the next
            # writer brings it in.
            with suppress(StoreError):
                self.drain()

    def _worth_a_transaction(self) -> bool:
        return self._hurry or self._behind >= CHUNKS


@dataclass(frozen=True, slots=True)
class Taken:
    """Documents whose chunks and statements are indexed, and the vectors of their entities."""

    documents: list[Row]
    """Source and stamp of each."""
    entities: Vectors


def _index_documents(tx: Transaction) -> Taken | None:
    """Index chunks and statements of the documents that have waited longest; None where none waits."""
    tx.run(_TURN)
    sources = _first(tx.run(_PENDING))
    if not sources:
        return None
    order = {source: number for number, source in enumerate(sources)}
    taken = sorted(tx.run(_TAKE, sources=sources), key=lambda row: order[row["source"]])
    dim = int(tx.run("MATCH (w:Workspace) RETURN w.dim AS dim")[0]["dim"])
    chunks: dict[str, Sequence[float]] = {}
    for row in taken:
        chunks |= _chunk_vectors(row, dim)
    statements, entities = _meanings(tx, taken, dim)
    _set_vectors(tx, "Chunk", chunks)
    _set_vectors(tx, "Statement", statements)
    return Taken([{"source": row["source"], "stamp": row["stamp"]} for row in taken], entities)


def _index_entities(tx: Transaction, taken: Taken) -> None:
    """Writers share entities: this takes its turn with them, and so never waits for one that waits for it."""
    tx.run(TAKE_TURN)
    _set_vectors(tx, "Entity", taken.entities)
    tx.run(_DONE, documents=taken.documents)


def _set_vectors(tx: Transaction, label: str, vectors: Vectors) -> None:
    rows: list[Row] = [{"id": id, "vector": vectors[id]} for id in sorted(vectors)]
    tx.run_batches(_SET.format(label=label), rows)


def _first(waiting: Iterable[Row]) -> list[str]:
    """Documents of about ``CHUNKS`` chunks together, one at least."""
    found: list[str] = []
    chunks = 0
    for row in waiting:
        chunks += row["chunks"]
        if found and chunks > CHUNKS:
            break
        found.append(row["source"])
    return found


def _chunk_vectors(row: Row, dim: int) -> Vectors:
    if row["vectors"] is None or not row["missing"]:
        return {}
    missing = set(row["missing"])
    ids = [chunk[0] for chunk in expand(row["chunks"])]
    vectors = unpack_vectors(row["vectors"], dim).tolist()
    return {id: vector for id, vector in zip(ids, vectors, strict=True) if id in missing}


def _meanings(tx: Transaction, taken: Iterable[Row], dim: int) -> tuple[Vectors, Vectors]:
    """Vectors of statements and of entities; an entity has that of the first document that mentions it."""
    statements: dict[str, Sequence[float]] = {}
    entities: dict[str, Sequence[float]] = {}
    for row in taken:
        said = list(map(_place_of, row["statements"]))
        places = [*said, *row["mentions"]]
        sentences = stored_sentences(tx, {chunk for _, chunk, *_ in places}, dim)
        statements |= mean_vectors(said, sentences)
        entities = {**mean_vectors(row["mentions"], sentences), **entities}
    return statements, entities


def _place_of(statement: Sequence[Any]) -> Place:
    """Where a statement stands, which its ``data`` says of one of today."""
    id, chunk, start, end, data = statement
    if data is not None:
        start, end, *_ = json.loads(data)
    return id, chunk, start, end


class Waiting:
    """The vectors of pending documents, kept as long as the documents stay what they are."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[tuple[str, ...], np.ndarray]] = {}

    def hits(self, graph: Graph, pending: Sequence[tuple[str, int]], vector: np.ndarray) -> list[Hit]:
        """Cosines of all chunks of the documents, given by source and stamp; in no order."""
        pending = [one for one in pending if one[0]]  # one that is replaced at this moment has no source
        missing = [source for source, stamp in pending if (source, stamp) not in self._known]
        contents = read_contents(graph, missing) if missing else {}
        found: list[Hit] = []
        known = {}
        for source, stamp in pending:
            if source in contents:
                content = contents[source]
                known[source, stamp] = content.terms.ids, content.matrix(len(vector))
            elif (source, stamp) in self._known:
                known[source, stamp] = self._known[source, stamp]
            else:  # taken away a moment ago
                continue
            ids, matrix = known[source, stamp]
            found += [Hit(id, score, source) for id, score in zip(ids, (matrix @ vector).tolist(), strict=True)]
        self._known = known
        return found


class Rehearsal:
    """The plans of a write, made behind whoever opens a store to write: its statements run once, with no values.

    A server that has just started takes five seconds of a processor for them, and the first document is read meanwhile.
    """

    def __init__(self, graph: Graph, statements: Sequence[Change]) -> None:
        self._graph, self._statements = graph, statements
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Returns at once."""
        self._thread = threading.Thread(target=self._run, name="cliquerag-plans", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Until the server has all plans: a write that runs beside would have them made twice."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """End after the statement that runs: the connection must not be closed under it."""
        self._ended.set()
        self.join()

    def _run(self) -> None:
        self._graph.rehearse(self._wanted())

    def _wanted(self) -> Iterator[Change]:
        for statement in self._statements:
            if not self._ended.is_set():
                yield statement
