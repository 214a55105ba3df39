"""A store as it looked on a day: only documents that were public by then, and nothing that only later ones say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from ..core.errors import StoreError
from ..core.fact import Fact
from ..core.records import dataclass
from ..core.scope import Scope
from ..core.sequences import without
from ..ingest.chunk import Chunk, SectionSummaries
from ..ingest.document import Document, Page, Table
from ..models.embedders import MAIN, Space
from .drivers import Driver, DriverQuery
from .graph import Communities, Entity, Mention, Merge, Relation, Statement, Subgraph
from .storage.term_counts import ChunkWords, DocumentTerms
from .store import Bundle, DocumentRecord, FactQuery, GraphPart, Hit, Store
from .triple import Triple

if TYPE_CHECKING:
    import numpy as np

_ALL_MENTIONS = 1_000_000


def as_of(store: Store, day: date | None) -> Store:
    """The store as readers see it that look no further than ``day``; the store itself for None.

    Entities, their names, merges and counts, and how often words occur stay those of the whole store. A view is only
    read: every write raises :class:`core.errors.StoreError`, and communities are neither kept nor given.
    """
    if day is None or (isinstance(store, StoreAsOf) and store.day <= day):
        return store
    return StoreAsOf(store, day)


class View(NamedTuple):
    """What readers of a store look at: a store, and the last day that they see, None for today."""

    store: Store
    day: date | None


def view_of(store: Store) -> View:
    """The store behind one that :func:`as_of` gave, and its day; any other is seen whole."""
    return View(store.store, store.day) if isinstance(store, StoreAsOf) else View(store, None)


@dataclass(frozen=True, slots=True)
class _Public:
    """What was public at one version of the store."""

    version: int
    sources: frozenset[str]
    hides_nothing: bool


class StoreAsOf:
    """Every method of :class:`kg.store.Store`, narrowed to the documents that were public on the day.

    Nothing is passed on by default: a reader that the contract gains is missing here until somebody has decided what
    of it a view shows.
    """

    def __init__(self, store: Store, day: date) -> None:
        self.store, self.day = view_of(store).store, day
        self.url = self.store.url
        self._known = _Public(-1, frozenset(), hides_nothing=False)

    side_by_side = 1

    # --- writing
    def put(self, bundle: Bundle) -> None:
        self._refuse()

    def put_all(self, bundles: Sequence[Bundle]) -> None:
        self._refuse()

    def put_graph(self, source: str, part: GraphPart) -> None:
        self._refuse()

    def remove(self, source: str) -> bool:
        self._refuse()

    def merge(self, entity: str, into: str, reason: str, score: float = 1.0) -> Merge:
        self._refuse()

    def undo(self, merge: str) -> bool:
        self._refuse()

    def restore_merges(self, merges: Sequence[Merge]) -> None:
        self._refuse()

    def settle(self) -> bool:
        self._refuse()

    def close(self) -> None:
        self.store.close()

    def reading(self, keys: Iterable[str] = ()) -> AbstractContextManager[None]:
        return self.store.reading(keys)

    # --- documents
    def version(self) -> int:
        return self.store.version()

    def documents(self, scope: Scope | None = None) -> list[DocumentRecord]:
        scope = scope or Scope()
        day = min(self.day, scope.as_of) if scope.as_of else self.day
        return self.store.documents(replace(scope, as_of=day))

    def text(self, source: str) -> str:
        return self.store.text(source) if self._shows(source) else ""

    def document(self, source: str) -> Document | None:
        return self.store.document(source) if self._shows(source) else None

    def tables(self, source: str) -> list[Table]:
        return self.store.tables(source) if self._shows(source) else []

    def pages(self, sources: Collection[str]) -> Mapping[str, Sequence[Page]]:
        return self.store.pages(self._within(sources))

    def counts(self) -> Mapping[str, int]:
        return self.store.counts()

    def embedder(self, space: Space = MAIN) -> str:
        return self.store.embedder(space)

    # --- chunks
    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        return [chunk for chunk in self.store.chunks(ids) if self._shows(chunk.document)]

    def chunks_of(self, source: str) -> list[Chunk]:
        return self.store.chunks_of(source) if self._shows(source) else []

    def sources_of(self, chunks: Collection[str]) -> Mapping[str, str]:
        found = self.store.sources_of(chunks)
        return {chunk: source for chunk, source in found.items() if self._shows(source)}

    def neighbours(self, ids: Sequence[str], distance: int = 1) -> Mapping[str, Sequence[str]]:
        hidden = self._hidden(ids)
        return self.store.neighbours(without(ids, hidden), distance)

    def nearest(
        self, vector: np.ndarray, k: int, documents: Collection[str] | None = None, space: Space = MAIN
    ) -> list[Hit]:
        return self.store.nearest(vector, k, self._within(documents), space)

    def vectors(self, ids: Sequence[str], space: Space = MAIN) -> np.ndarray:
        hidden = self._hidden(ids)
        rows = self.store.vectors(ids, space)
        if hidden:
            rows = rows.copy()
            rows[[number for number, id in enumerate(ids) if id in hidden]] = 0.0
        return rows

    def vectors_of(self, documents: Collection[str], space: Space = MAIN) -> np.ndarray:
        return self.store.vectors_of(self._within(documents), space)

    def sentence_vectors(self, ids: Sequence[str], space: Space = MAIN) -> list[np.ndarray]:
        hidden = self._hidden(ids)
        found = self.store.sentence_vectors(ids, space)
        return [rows[:0] if id in hidden else rows for id, rows in zip(ids, found, strict=True)]

    def matching(self, words: Collection[str], k: int, documents: Collection[str] | None = None) -> list[Hit]:
        return self.store.matching(words, k, self._within(documents))

    def chunk_words(self, documents: Collection[str]) -> list[ChunkWords]:
        return self.store.chunk_words(self._within(documents))

    def chunk_terms(self, documents: Collection[str]) -> list[DocumentTerms]:
        return self.store.chunk_terms(self._within(documents))

    def document_frequency(self, words: Collection[str]) -> Mapping[str, int]:
        return self.store.document_frequency(words)

    def known_words(self, words: Collection[str]) -> Collection[str]:
        return self.store.known_words(words)

    # --- graph
    def find_entities(self, keys: Collection[str]) -> list[Entity]:
        return self.store.find_entities(keys)

    def similar_entities(self, name: str, k: int) -> list[Entity]:
        return self.store.similar_entities(name, k)

    def entities(self, ids: Collection[str]) -> list[Entity]:
        return self.store.entities(ids)

    def entity_names(self, ids: Collection[str]) -> Mapping[str, str]:
        return self.store.entity_names(ids)

    def all_entities(self, limit: int = 1_000_000) -> Iterable[Entity]:
        named = {m.entity for source in self._public().sources for m in self._mentions_in(source)}
        return (entity for entity in self.store.all_entities(limit) if entity.id in named)

    def mentions(
        self,
        *,
        chunks: Collection[str] = (),
        entities: Collection[str] = (),
        limit: int = 10_000,
        documents: Collection[str] | None = None,
    ) -> list[Mention]:
        within = self._within(documents)
        return self.store.mentions(chunks=chunks, entities=entities, limit=limit, documents=within)

    def subgraph(
        self,
        seeds: Collection[str],
        limit: int = 200,
        documents: Collection[str] | None = None,
        kinds: Collection[str] = (),
    ) -> Subgraph:
        return self.store.subgraph(seeds, limit, self._within(documents), kinds)

    def statements(
        self, *, ids: Collection[str] = (), documents: Collection[str] = (), chunks: Collection[str] = ()
    ) -> list[Statement]:
        public = self._public().sources
        found = self.store.statements(ids=ids, documents=documents, chunks=chunks)
        return [statement for statement in found if statement.document in public]

    def all_relations(self, limit: int = 1_000_000) -> Iterator[Relation]:
        public = self._public().sources
        for relation in self.store.all_relations(limit):
            said = tuple(statement for statement in relation.statements if statement.document in public)
            if said:
                yield replace(relation, statements=said)

    def rejected(self, source: str) -> list[Triple]:
        return self.store.rejected(source) if self._shows(source) else []

    def parts(self, source: str) -> list[GraphPart]:
        return self.store.parts(source) if self._shows(source) else []

    def merges(self) -> list[Merge]:
        return self.store.merges()

    # --- derived from the graph: of all documents, so neither given nor kept
    def communities(self) -> Communities | None:
        return None

    def put_communities(self, found: Communities) -> None:
        pass

    def put_section_summaries(self, source: str, found: SectionSummaries, of_text: str = "") -> bool:
        self._refuse()

    def section_summaries(self, documents: Collection[str]) -> Mapping[str, SectionSummaries]:
        return self.store.section_summaries(self._within(documents))

    # --- facts
    def facts(self, query: FactQuery) -> list[Fact]:
        sources = self._within(query.sources or None)
        return self.store.facts(replace(query, sources=tuple(sources))) if sources else []

    # --- drivers
    def drivers(self, query: DriverQuery) -> list[Driver]:
        sources = self._within(query.sources or None)
        return self.store.drivers(replace(query, sources=tuple(sources))) if sources else []

    # --- inside
    def _public(self) -> _Public:
        version = self.store.version()
        if version != self._known.version:
            sources = frozenset(record.source for record in self.documents())
            hides_nothing = len(sources) == len(self.store.documents())
            self._known = _Public(version, sources, hides_nothing)
        return self._known

    def _shows(self, source: str) -> bool:
        return source in self._public().sources

    def _within(self, documents: Collection[str] | None) -> list[str]:
        public = self._public().sources
        return sorted(public if documents is None else public.intersection(documents))

    def _hidden(self, chunks: Collection[str]) -> set[str]:
        """Those of the chunks that a later document holds."""
        if self._public().hides_nothing:
            return set()
        sources = self.store.sources_of(chunks)
        return {chunk for chunk, source in sources.items() if not self._shows(source)}

    def _mentions_in(self, source: str) -> list[Mention]:
        chunks = [chunk.id for chunk in self.store.chunks_of(source)]
        return self.store.mentions(chunks=chunks, limit=_ALL_MENTIONS)

    def _refuse(self) -> NoReturn:
        raise StoreError(f"the workspace as of {self.day} is only read", where=self.url)
