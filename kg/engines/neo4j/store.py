"""The store on a Neo4j server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....core.fact import Fact
from ....core.names import name_key
from ....core.scope import Scope
from ....ingest.chunk import Chunk, SectionSummaries
from ....ingest.document import Document, Page, Table
from ....models.embedders import MAIN, Space
from ...drivers import Driver, DriverQuery
from ...graph import Communities, Entity, Mention, Merge, Relation, Statement, Subgraph
from ...schema import Schema
from ...storage.codec import expand, pack_summaries, read_tables
from ...storage.preparation import check, check_graph
from ...storage.term_counts import ChunkWords, DocumentTerms
from ...store import Bundle, DocumentRecord, FactQuery, GraphPart, Hit
from ...triple import Triple
from . import chunks, entities, facts, relations, writer
from .connection import Graph, Result, Transaction
from .documents import (
    Catalogue,
    document_of,
    read_contents,
    read_documents,
    read_pages_of,
    read_part,
    read_summaries,
    read_vectors,
    terms_of,
    vectors_of,
)
from .entities import index_older
from .graph_writer import pack_part
from .relations import read_parts
from .rows import LAYOUT
from .second_space import INDEX as SECOND_INDEX
from .second_space import SecondSpace
from .session import Kept, Reading, read_counts
from .vector_queue import Rehearsal, VectorQueue, Waiting
from .writer import restore

if TYPE_CHECKING:
    import numpy as np

_COMPANIES = 64
"""Companies of the workspace up to which a question looks all of them up among the entities with the names in it."""


class Neo4jStore:
    """See :class:`kg.store.Store`. Vectors are searched exactly in narrow scopes and stores of up to 5,000 chunks.

    Labels and relationship types are those of the schema; everything else is passed as a parameter.
    """

    side_by_side = 3
    """The server works on one transaction, the next waits for its turn with its rows packed, a third is packed."""

    def __init__(self, url: str, *, create: bool = True, schema: Schema) -> None:
        self.url = url
        self._graph = Graph(url)
        self._schema = schema
        self._catalogue = Catalogue(self._graph, self.version)
        self._kept = Kept(self._graph, -1)
        self._queue, self._waiting = VectorQueue(self._graph), Waiting()
        self._second = SecondSpace(self._graph)
        self._facts = facts.Shelf()
        self._thread = threading.local()
        self._rehearsal = Rehearsal(self._graph, writer.STATEMENTS)
        self._index_dim = 0
        self._older = self._has_second_index = False
        try:
            self._open(create)
        except BaseException:
            self._graph.close()
            raise
        if create:
            self._rehearsal.begin()

    # --- writing
    def put(self, bundle: Bundle) -> None:
        self.put_all([bundle])

    def put_all(self, bundles: Sequence[Bundle]) -> None:
        for bundle in bundles:
            check(bundle)
        if not self._has_second_index and any(bundle.multilingual is not None for bundle in bundles):
            self._graph.run_alone(SECOND_INDEX)
            self._has_second_index = True
        dims = [bundle.vectors.shape[1] for bundle in bundles if bundle.vectors is not None]
        if dims:
            self._index_vectors(dims[-1], anew=False)
        packed = [writer.pack(bundle, self._schema) for bundle in bundles]
        self._write(lambda tx: _put_each(tx, packed))
        if dims:
            self._index_vectors(dims[-1], anew=True)
            self._queue.wake(sum(len(bundle.chunks) for bundle in bundles if bundle.vectors is not None))

    def put_graph(self, source: str, part: GraphPart) -> None:
        check_graph(part)
        packed = pack_part(source, part, self._schema)
        self._write(lambda tx: writer.put_graph(tx, packed))
        self._queue.wake(0)

    def remove(self, source: str) -> bool:
        return self._write(lambda tx: writer.remove(tx, source))

    def merge(self, entity: str, into: str, reason: str, score: float = 1.0) -> Merge:
        return self._write(lambda tx: writer.make(tx, entity, into, reason, score))

    def undo(self, merge: str) -> bool:
        return self._write(lambda tx: writer.undo(tx, merge))

    def restore_merges(self, merges: Sequence[Merge]) -> None:
        self._write(lambda tx: restore(tx, merges))

    def settle(self) -> bool:
        if entities.is_settled(self._graph):
            return False
        self._write(writer.settle_all)
        return True

    def close(self) -> None:
        """Also waits for what this process has written to be in the vector indexes."""
        self._queue.join()
        self._rehearsal.close()
        self._graph.close()

    @contextmanager
    def reading(self, keys: Iterable[str] = ()) -> Iterator[None]:
        if self._question:  # a search within an answer
            yield
            return
        keys = set(keys)
        companies = self._catalogue.companies() if keys else set()
        also = map(name_key, companies if len(companies) <= _COMPANIES else ())
        self._thread.question = Reading(self._graph, {*keys, *also}, self._keep_pages)
        try:
            yield
        finally:
            self._thread.question = None

    @property
    def _question(self) -> Reading | None:
        """What the question of this thread has read."""
        found: Reading | None = getattr(self._thread, "question", None)
        return found

    def wait_for_indexes(self, seconds: int = 3600) -> None:
        """Until what was written or imported is in all indexes."""
        self._queue.join()
        self._queue.drain()
        self._graph.run_alone("CALL db.awaitIndexes($seconds)", seconds=seconds)

    # --- documents
    def version(self) -> int:
        if self._question:
            return int(self._question.state["version"])
        return int(self._graph.read("MATCH (w:Workspace) RETURN w.version AS version")[0]["version"])

    def documents(self, scope: Scope | None = None) -> list[DocumentRecord]:
        return self._catalogue.select(scope)

    def text(self, source: str) -> str:
        if self._question:
            document = self.document(source)
            return document.text if document else ""
        text = read_part(self._graph, source, "text")
        return str(expand(text)) if text else ""

    def document(self, source: str) -> Document | None:
        if self._question:
            return self._now.document(source, self._question.sources())
        rows = read_documents(self._graph, [source])
        return document_of(rows[source]) if rows else None

    def tables(self, source: str) -> list[Table]:
        if self._question:
            document = self.document(source)
            return list(document.tables) if document else []
        tables = read_part(self._graph, source, "table_list")
        return read_tables(expand(tables)) if tables else []

    def pages(self, sources: Collection[str]) -> Mapping[str, Sequence[Page]]:
        return self._now.pages(sources) if self._question else read_pages_of(self._graph, sources)

    def counts(self) -> Mapping[str, int]:
        return self._now.counts if self._question else read_counts(self._graph)

    def embedder(self, space: Space = MAIN) -> str:
        if space != MAIN:
            return str(self._question.state["multilingual"]) if self._question else self._second.embedder()
        query = "MATCH (w:Workspace) RETURN w.embedder AS embedder, EXISTS { (d:Document {vectors: true}) } AS used"
        row = self._question.state if self._question else self._graph.read(query)[0]
        return row["embedder"] if row["used"] else ""

    # --- chunks
    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        if self._question:
            return self._question.chunks(ids)
        return chunks.read_chunks(self._graph, ids)

    def chunks_of(self, source: str) -> list[Chunk]:
        return chunks.read_chunks_of(self._graph, source) if self._catalogue.knows(source) else []

    def sources_of(self, chunks_: Collection[str]) -> Mapping[str, str]:
        return chunks.sources_of(self._graph, chunks_)

    def neighbours(self, ids: Sequence[str], distance: int = 1) -> Mapping[str, Sequence[str]]:
        return chunks.neighbours(self._graph, ids, distance)

    def nearest(
        self, vector: np.ndarray, k: int, documents: Collection[str] | None = None, space: Space = MAIN
    ) -> list[Hit]:
        stored, within = self._catalogue.chunks(documents)
        if not within or k <= 0:
            return []
        if space != MAIN:
            return chunks.best_of(self._second.nearest(vector, documents), k)
        found = chunks.nearest(self._graph, vector, k, documents, within, stored)
        waiting = self._waiting.hits(self._graph, found.pending, vector) if found.pending else []
        return chunks.best_of([*found.hits, *waiting], k)

    def vectors(self, ids: Sequence[str], space: Space = MAIN) -> np.ndarray:
        if space != MAIN:
            return self._second.vectors(ids)
        return read_vectors(self._graph, ids, self._dim())

    def vectors_of(self, documents: Collection[str], space: Space = MAIN) -> np.ndarray:
        if space != MAIN:
            return self._second.vectors_of(documents)
        if self._question:
            return self._question.vectors_of(documents)
        return vectors_of(self._graph, documents, read_contents(self._graph, documents), self._dim())

    def sentence_vectors(self, ids: Sequence[str], space: Space = MAIN) -> list[np.ndarray]:
        if space != MAIN:
            return self._second.sentence_vectors(ids)
        if self._question:
            return self._question.sentence_vectors(ids)
        return chunks.read_sentence_vectors(self._graph, ids, self._dim())

    def matching(self, words: Collection[str], k: int, documents: Collection[str] | None = None) -> list[Hit]:
        stored, within = self._catalogue.chunks(documents)
        if not words or not within:
            return []
        return chunks.matching(self._graph, self.document_frequency(words), k, documents, within, stored)

    def chunk_words(self, documents: Collection[str]) -> list[ChunkWords]:
        return chunks.read_words(self._graph, documents)

    def chunk_terms(self, documents: Collection[str]) -> list[DocumentTerms]:
        if self._question:
            return self._question.terms(documents)
        return terms_of(self._graph, documents, read_contents(self._graph, documents))

    def document_frequency(self, words: Collection[str]) -> Mapping[str, int]:
        if self._question:
            return self._now.document_frequency(words, self._question.words_asked)
        return chunks.document_frequency(self._graph, words)

    def known_words(self, words: Collection[str]) -> Collection[str]:
        frequency = self.document_frequency(words)
        return [word for word in words if frequency.get(word)]

    # --- graph
    def find_entities(self, keys: Collection[str]) -> list[Entity]:
        if self._question:
            return self._question.find_entities(keys)
        return entities.find_entities(self._graph, keys)

    def similar_entities(self, name: str, k: int) -> list[Entity]:
        return entities.similar_entities(self._graph, name, k)

    def entities(self, ids: Collection[str]) -> list[Entity]:
        if self._question:
            return self._question.entities(ids)
        return entities.entities(self._graph, ids)

    def entity_names(self, ids: Collection[str]) -> Mapping[str, str]:
        query = "UNWIND $ids AS id MATCH (e:Entity {id: id}) RETURN id, e.name AS name"
        return self._graph.lookup(query, ids=list(ids))

    def all_entities(self, limit: int = 1_000_000) -> Iterable[Entity]:
        return entities.all_entities(self._graph, limit)

    def mentions(
        self,
        *,
        chunks: Collection[str] = (),
        entities: Collection[str] = (),
        limit: int = 10_000,
        documents: Collection[str] | None = None,
    ) -> list[Mention]:
        if self._question and not chunks:
            return self._question.mentions(entities, limit, documents)
        return relations.mentions(self._graph, chunks, entities, limit, documents)

    def subgraph(
        self,
        seeds: Collection[str],
        limit: int = 200,
        documents: Collection[str] | None = None,
        kinds: Collection[str] = (),
    ) -> Subgraph:
        if self._question:
            return self._question.subgraph(seeds, limit, documents, kinds)
        return relations.subgraph(self._graph, seeds, limit, documents, kinds)

    def statements(
        self, *, ids: Collection[str] = (), documents: Collection[str] = (), chunks: Collection[str] = ()
    ) -> list[Statement]:
        if self._question and not (ids or documents):
            return self._question.statements(chunks)
        return relations.statements(self._graph, ids, documents, chunks)

    def all_relations(self, limit: int = 1_000_000) -> Iterable[Relation]:
        return relations.all_relations(self._graph, limit)

    def rejected(self, source: str) -> list[Triple]:
        return relations.rejected(self._graph, source)

    def parts(self, source: str) -> list[GraphPart]:
        return read_parts(self._graph, source)

    def merges(self) -> list[Merge]:
        return entities.read_merges(self._graph)

    # --- derived from the graph
    def communities(self) -> Communities | None:
        if self._question:
            return self._question.communities
        return relations.read_communities(self._graph)

    def put_communities(self, found: Communities) -> None:
        self._graph.run_alone(relations.COMMUNITY_CONSTRAINT)
        self._graph.write(lambda tx: relations.put_communities(tx, found))
        if self._question:
            self._question.communities = found

    def put_section_summaries(self, source: str, found: SectionSummaries, of_text: str = "") -> bool:
        parts = pack_summaries(found)
        try:
            self._write(lambda tx: writer.put_summaries(tx, source, found.author, parts, of_text))
        except writer.TextChangedError:
            return False
        self._queue.wake(0)
        return True

    def section_summaries(self, documents: Collection[str]) -> Mapping[str, SectionSummaries]:
        return read_summaries(self._graph, documents)

    # --- facts
    def facts(self, query: FactQuery) -> list[Fact]:
        if self._question:
            return self._facts.facts(self._graph, self.version(), query)
        return facts.read_facts(self._graph, query)

    # --- drivers
    def drivers(self, query: DriverQuery) -> list[Driver]:
        return facts.read_drivers(self._graph, query)

    # --- inside
    @property
    def _now(self) -> Kept:
        """What is in memory of the present version."""
        version = self.version()
        if version != self._kept.version:
            self._kept = Kept(self._graph, version)
        return self._kept

    def _keep_pages(self, pages: Mapping[str, Sequence[Page]]) -> None:
        self._now.keep_pages(pages)

    def _open(self, create: bool) -> None:
        state = writer.find_or_make(self._graph, self.url, create=create)
        self._older = state["layout"] < LAYOUT
        if state["imported"]:
            self._finish_import(state["dim"])

    def _finish_import(self, dim: int) -> None:
        """Files bring no indexes."""
        self._graph.set_up(chunks.vector_indexes(dim) if dim else ())
        self._graph.write(lambda tx: tx.run("MATCH (w:Workspace) REMOVE w.imported"))

    def _write(self, work: Callable[[Transaction], Result]) -> Result:
        """One transaction, in the present layout."""
        if self._older:
            index_older(self._graph)
            self._older = False
        self._rehearsal.join()
        with self._queue.writing():
            return self._graph.write(work)

    def _dim(self) -> int:
        if self._question:
            return int(self._question.state["dim"])
        return int(self._graph.read("MATCH (w:Workspace) RETURN w.dim AS dim")[0]["dim"])

    def _index_vectors(self, dim: int, *, anew: bool) -> None:
        if dim != self._index_dim and chunks.index_vectors(self._graph, dim, anew=anew):
            self._index_dim = dim


def _put_each(tx: Transaction, documents: Sequence[writer.Packed]) -> None:
    for packed in documents:
        writer.put(tx, packed)
