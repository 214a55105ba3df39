"""The store in one SQLite file: each method of the contract, in one transaction of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.errors import StoreError
from ....core.fact import Fact
from ....core.scope import Scope
from ....core.sequences import without
from ....ingest.chunk import Chunk, SectionSummaries
from ....ingest.document import Document, Page, Table
from ....models.embedders import MAIN, SPACES, Space
from ...drivers import Driver, DriverQuery
from ...graph import Communities, Entity, Mention, Merge, Relation, Statement, Subgraph
from ...storage.codec import dumps, pack_summaries
from ...storage.preparation import check_graph
from ...storage.term_counts import ChunkWords, DocumentTerms
from ...store import Bundle, DocumentRecord, FactQuery, GraphPart, Hit
from ...triple import Triple
from . import entities, facts, relations, vectors, words, writer
from .clusters import Clusters, all_merges
from .connection import Database
from .documents import (
    Catalogue,
    PagesRead,
    PartsRead,
    Place,
    RecentChunks,
    hits_of,
    neighbours,
    read_summaries,
    sources_of,
)
from .opening import open_database
from .relations import read_parts
from .vectors import StoredEncoder, VectorMatrix

if TYPE_CHECKING:
    import numpy as np


class SqliteStore:
    """See :class:`kg.store.Store`. May be used by several threads: one connection reads while another writes."""

    side_by_side = 1

    def __init__(self, path: Path | None, *, url: str, create: bool = True, read_only: bool = False) -> None:
        self.url = url
        self._write = open_database(path, create=create, read_only=read_only)
        self._read = open_database(path, create=create, read_only=read_only) if path else self._write
        self._catalogue = Catalogue()
        self._matrices = {space: VectorMatrix(space) for space in SPACES}
        self._recent = RecentChunks()
        self._pages = PagesRead()
        self._parts = PartsRead()
        self._subgraphs = relations.SubgraphsRead()
        self._frequency: dict[str, int] = {}
        self._counts: Mapping[str, int] = {}
        self._frequency_version = -1
        self._encoders: Mapping[Space, StoredEncoder] = {}
        self._encoders_version = -1

    # --- writing
    def put(self, bundle: Bundle) -> None:
        self.put_all([bundle])

    def put_all(self, bundles: Sequence[Bundle]) -> None:
        prepared = list(map(writer.prepare, bundles))
        with self._write.writing() as db:
            for bundle, packed in zip(bundles, prepared, strict=True):
                writer.put(db, bundle, packed)

    def put_graph(self, source: str, part: GraphPart) -> None:
        check_graph(part)
        with self._write.writing() as db:
            writer.put_graph(db, source, part)

    def remove(self, source: str) -> bool:
        with self._write.writing() as db:
            return writer.remove(db, source)

    def merge(self, entity: str, into: str, reason: str, score: float = 1.0) -> Merge:
        with self._write.writing() as db:
            if entity == into or len(entities.clusters_of(db, (entity, into))) < 2:
                raise StoreError(f"two stored entities are needed to merge, not {entity} and {into}", where=self.url)
            writer.next_version(db)
            merge, touched = Clusters(db).make(entity, into, reason, score)
            Clusters(db).regroup(touched)
            return merge

    def undo(self, merge: str) -> bool:
        with self._write.writing() as db:
            touched = Clusters(db).undo(merge)
            if touched is not None:
                writer.next_version(db)
                Clusters(db).regroup(touched)
            return touched is not None

    def restore_merges(self, merges: Sequence[Merge]) -> None:
        with self._write.writing() as db:
            writer.next_version(db)
            Clusters(db).regroup(Clusters(db).restore(merges))

    def settle(self) -> bool:
        with self._write.writing() as db:
            changed = Clusters(db).settle_all()
            if changed:
                writer.next_version(db)
            return changed

    def close(self) -> None:
        self._read.close()
        self._write.close()

    def reading(self, keys: Iterable[str] = ()) -> AbstractContextManager[None]:
        return nullcontext()

    # --- documents
    def version(self) -> int:
        with self._read.reading() as db:
            return int(db.value("SELECT value FROM setting WHERE name = 'version'"))

    def documents(self, scope: Scope | None = None) -> list[DocumentRecord]:
        with self._reading():
            return self._catalogue.select(scope)

    def text(self, source: str) -> str:
        with self._reading() as db:
            place = self._catalogue.place(source)
            return self._parts.text(db, place.id) if place else ""

    def document(self, source: str) -> Document | None:
        with self._reading() as db:
            place = self._catalogue.place(source)
            return self._document(db, place.id, self._catalogue.record(source)) if place else None

    def tables(self, source: str) -> list[Table]:
        with self._reading() as db:
            place = self._catalogue.place(source)
            return list(self._parts.tables(db, place.id)) if place else []

    def pages(self, sources: Collection[str]) -> Mapping[str, Sequence[Page]]:
        with self._reading() as db:
            known, places = self._known(sources)
            found = self._pages.read(db, [place.id for place in places])
            return {source: found[place.id] for source, place in zip(known, places, strict=True)}

    def counts(self) -> Mapping[str, int]:
        with self._read.reading() as db:
            self._frequency_of(db)
            if not self._counts:
                self._counts = _counts(db)
            return self._counts

    def embedder(self, space: Space = MAIN) -> str:
        with self._reading() as db:
            return self._encoder(db, space).name

    # --- chunks
    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        with self._reading() as db:
            return self._recent.read(db, self._catalogue, ids)

    def chunks_of(self, source: str) -> list[Chunk]:
        with self._reading() as db:
            return self._recent.read_document(db, self._catalogue, source)

    def sources_of(self, chunks_: Collection[str]) -> Mapping[str, str]:
        with self._reading() as db:
            return sources_of(db, self._catalogue, chunks_)

    def neighbours(self, ids: Sequence[str], distance: int = 1) -> Mapping[str, Sequence[str]]:
        with self._reading() as db:
            return neighbours(db, self._catalogue, ids, distance)

    def nearest(
        self, vector: np.ndarray, k: int, documents: Collection[str] | None = None, space: Space = MAIN
    ) -> list[Hit]:
        with self._reading() as db:
            places = self._places(documents)
            matrix, _ = self._loaded_matrix(db, space)
            found, scores = matrix.nearest(vector, k, places)
            hits = hits_of(db, self._catalogue, dict(zip(found.tolist(), scores.tolist(), strict=True)))
        return sorted(hits, key=lambda hit: (-round(hit.score, 6), hit.id))[:k]

    def vectors(self, ids: Sequence[str], space: Space = MAIN) -> np.ndarray:
        import numpy as np

        with self._reading() as db:
            matrix, dim = self._loaded_matrix(db, space)
            query = f"SELECT key, id, document FROM chunk WHERE key IN {entities.AMONG}"
            rows = {key: (id, document) for key, id, document in db.rows(query, (dumps(list(set(ids))),))}
            result = np.zeros((len(ids), dim), np.float32)
            for i, (id, document) in ((i, rows[key]) for i, key in enumerate(ids) if key in rows):
                place = self._catalogue.known_place(self._catalogue.source(document))
                row = matrix.vector(document, id - place.first)
                if row is not None:
                    result[i] = row
            return result

    def vectors_of(self, documents: Collection[str], space: Space = MAIN) -> np.ndarray:
        with self._reading() as db:
            matrix, dim = self._loaded_matrix(db, space)
            rows: np.ndarray = matrix.vectors_of(self._known(documents)[1], dim)
            return rows

    def sentence_vectors(self, ids: Sequence[str], space: Space = MAIN) -> list[np.ndarray]:
        with self._reading() as db:
            return vectors.read_sentence_vectors(db, ids, space, self._encoder(db, space).dim)

    def matching(self, words_: Collection[str], k: int, documents: Collection[str] | None = None) -> list[Hit]:
        with self._reading() as db:
            frequency = self._known_frequency(db, words_)
            return words.matching(db, self._catalogue, frequency, k, self._places(documents))

    def chunk_words(self, documents: Collection[str]) -> list[ChunkWords]:
        with self._reading() as db:
            found = ((source, self._catalogue.place(source)) for source in sorted(set(documents)))
            return [row for source, place in found if place for row in words.read_words(db, source, place)]

    def chunk_terms(self, documents: Collection[str]) -> list[DocumentTerms]:
        with self._reading() as db:
            return words.read_terms(db, *self._known(documents))

    def document_frequency(self, words_: Collection[str]) -> Mapping[str, int]:
        with self._read.reading() as db:
            return self._known_frequency(db, words_)

    def known_words(self, words_: Collection[str]) -> Collection[str]:
        with self._read.reading() as db:
            known = self._known_frequency(db, words_)
            return [word for word in words_ if known[word]]

    # --- graph
    def find_entities(self, keys: Collection[str]) -> list[Entity]:
        with self._read.reading() as db:
            return entities.find_entities(db, keys)

    def similar_entities(self, name: str, k: int) -> list[Entity]:
        with self._read.reading() as db:
            return entities.similar_entities(db, name, k)

    def entities(self, ids: Collection[str]) -> list[Entity]:
        with self._read.reading() as db:
            return entities.entities(db, ids)

    def entity_names(self, ids: Collection[str]) -> Mapping[str, str]:
        with self._read.reading() as db:
            return entities.entity_names(db, ids)

    def all_entities(self, limit: int = 1_000_000) -> Iterable[Entity]:
        with self._read.reading() as db:
            ranked = entities.all_entities(db, limit)
        return self._entities_in_turn(ranked)

    def mentions(
        self,
        *,
        chunks: Collection[str] = (),
        entities: Collection[str] = (),
        limit: int = 10_000,
        documents: Collection[str] | None = None,
    ) -> list[Mention]:
        with self._reading() as db:
            return relations.mentions(db, chunks, entities, limit, self._places(documents))

    def subgraph(
        self,
        seeds: Collection[str],
        limit: int = 200,
        documents: Collection[str] | None = None,
        kinds: Collection[str] = (),
    ) -> Subgraph:
        with self._reading() as db:
            return self._subgraphs.read(db, self._catalogue, seeds, limit, self._places(documents), kinds)

    def statements(
        self, *, ids: Collection[str] = (), documents: Collection[str] = (), chunks: Collection[str] = ()
    ) -> list[Statement]:
        with self._reading() as db:
            return relations.statements(db, self._catalogue, ids, documents, chunks)

    def all_relations(self, limit: int = 1_000_000) -> Iterable[Relation]:
        with self._read.reading() as db:
            ranked = relations.best_supported(db, limit)
        return self._relations_in_turn(ranked)

    def rejected(self, source: str) -> list[Triple]:
        with self._reading() as db:
            place = self._catalogue.place(source)
            return relations.rejected(db, place.id) if place else []

    def parts(self, source: str) -> list[GraphPart]:
        with self._reading() as db:
            place = self._catalogue.place(source)
            return read_parts(db, self._catalogue, place.id) if place else []

    def merges(self) -> list[Merge]:
        with self._read.reading() as db:
            return all_merges(db)

    # --- derived from the graph
    def communities(self) -> Communities | None:
        with self._read.reading() as db:
            return relations.read_communities(db)

    def put_communities(self, found: Communities) -> None:
        with self._write.writing() as db:
            relations.put_communities(db, found)

    def put_section_summaries(self, source: str, found: SectionSummaries, of_text: str = "") -> bool:
        parts = pack_summaries(found)
        with self._write.writing() as db:
            return writer.put_summaries(db, source, found.author, parts, of_text)

    def section_summaries(self, documents: Collection[str]) -> Mapping[str, SectionSummaries]:
        with self._reading() as db:
            sources, places = self._known(documents)
            return read_summaries(db, {place.id: source for source, place in zip(sources, places, strict=True)})

    # --- facts
    def facts(self, query: FactQuery) -> list[Fact]:
        with self._reading() as db:
            return facts.read_facts(db, self._catalogue, query)

    # --- drivers
    def drivers(self, query: DriverQuery) -> list[Driver]:
        with self._reading() as db:
            return facts.read_drivers(db, self._catalogue, query)

    # --- inside
    @contextmanager
    def _reading(self) -> Iterator[Database]:
        with self._read.reading() as db:
            self._catalogue.sync(db)
            yield db

    def _document(self, db: Database, document: int, record: DocumentRecord) -> Document:
        """All but its segments and coverage."""
        return Document(
            source=record.source,
            text=self._parts.text(db, document),
            segments=(),
            metadata=record.metadata,
            pages=self._pages.read(db, [document])[document],
            lines=self._parts.lines(db, document),
            tables=self._parts.tables(db, document),
            content_hash=record.content_hash,
        )

    def _places(self, documents: Collection[str] | None) -> list[Place] | None:
        """Where the documents of a scope are; None for a scope of all, which needs no comparing row by row."""
        if documents is None:
            return None
        places = self._catalogue.places(documents)
        return None if len(places) == len(self._catalogue.all_places()) else places

    def _known(self, documents: Collection[str]) -> tuple[list[str], list[Place]]:
        """The known ones among the documents, in order, and where they are."""
        found = {source: place for source in sorted(set(documents)) if (place := self._catalogue.place(source))}
        return list(found), list(found.values())

    def _encoder(self, db: Database, space: Space) -> StoredEncoder:
        """Whose vectors a space has, as of the state that was read last: each step of a search asks for it."""
        if self._encoders_version != self._catalogue.version:
            self._encoders = {one: vectors.read_encoder(db, one) for one in SPACES}
            self._encoders_version = self._catalogue.version
        return self._encoders[space]

    def _loaded_matrix(self, db: Database, space: Space) -> tuple[VectorMatrix, int]:
        """All vectors of a space, up to date, and how many numbers one has."""
        matrix, dim = self._matrices[space], self._encoder(db, space).dim
        if matrix.version != self._catalogue.version:
            matrix.sync(db, dim, self._catalogue.all_places())
            matrix.version = self._catalogue.version
        return matrix, dim

    def _known_frequency(self, db: Database, wanted: Collection[str]) -> Mapping[str, int]:
        """How common words are, remembered until the next write: common words take a millisecond each."""
        known = self._frequency_of(db)
        known.update(words.document_frequency(db, without(wanted, known)))
        return {word: known[word] for word in sorted(set(wanted))}

    def _frequency_of(self, db: Database) -> dict[str, int]:
        """What is known of the state that is read."""
        version = db.value("SELECT value FROM setting WHERE name = 'version'")
        if version != self._frequency_version:
            self._frequency, self._counts, self._frequency_version = {}, {}, version
        return self._frequency

    def _entities_in_turn(self, ranked: list[int]) -> Iterator[Entity]:
        for batch in entities.in_batches(ranked):
            with self._read.reading() as db:
                found = entities.read_clusters(db, batch)
            yield from (found[cluster] for cluster in batch if cluster in found)

    def _relations_in_turn(self, ranked: list[relations.Triplet]) -> Iterator[Relation]:
        for i in range(0, len(ranked), _RELATIONS):
            with self._reading() as db:
                found = relations.relations(db, self._catalogue, ranked[i : i + _RELATIONS])
            yield from found


_RELATIONS = 500
"""Relations read at a time."""


def _counts(db: Database) -> Mapping[str, int]:
    """Entities and statements are counted one by one: a question asks for the chunks several times."""
    names = ("documents", "chunks", "sentences", "tables", "facts", "tokens")
    sums = ", ".join(f"coalesce(sum({name}), 0)" for name in names[1:])
    found = dict(zip(names, db.rows(f"SELECT count(*), {sums} FROM document")[0], strict=True))
    found["entities"] = db.value("SELECT count(*) FROM entity WHERE cluster = id")
    found["statements"] = db.value("SELECT count(*) FROM statement")
    found["merges"] = db.value("SELECT count(*) FROM merge WHERE NOT undone")
    found["bytes"] = db.value("PRAGMA page_count") * db.value("PRAGMA page_size")
    return found
