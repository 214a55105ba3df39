"""A store as it looked on a day: only documents that were public by then, and nothing that only later ones say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..core.fact import Fact
from ..core.scope import Scope
from .graph import Communities, Entity, Mention, Relation, Statement, Subgraph
from .storage.term_counts import ChunkWords, DocumentTerms
from .store import DocumentRecord, FactQuery, Hit, Store

if TYPE_CHECKING:
    import numpy as np

_ALL_MENTIONS = 1_000_000


def as_of(store: Store, day: date | None) -> Store:
    """The store as readers see it that look no further than ``day``; the store itself for None.

    Names and counts of entities stay those of the whole store. Writing goes to the store itself.
    """
    if day is None or (isinstance(store, _StoreAsOf) and store.day <= day):
        return store
    return cast("Store", _StoreAsOf(store, day))


class View(NamedTuple):
    """What readers of a store look at: a store, and the last day that they see, None for today."""

    store: Store
    day: date | None


def view_of(store: Store) -> View:
    """The store behind one that :func:`as_of` gave, and its day; any other is seen whole."""
    return View(store.store, store.day) if isinstance(store, _StoreAsOf) else View(store, None)


class _StoreAsOf:
    """Readers of documents, chunks, graph and facts narrowed to the day; all else is the store's own."""

    def __init__(self, store: Store, day: date) -> None:
        self.store, self.day = view_of(store).store, day
        self._public: tuple[int, frozenset[str]] = (-1, frozenset())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def documents(self, scope: Scope | None = None) -> list[DocumentRecord]:
        scope = scope or Scope()
        day = min(self.day, scope.as_of) if scope.as_of else self.day
        return self.store.documents(replace(scope, as_of=day))

    # --- chunks
    def nearest(self, vector: np.ndarray, k: int, documents: Collection[str] | None = None) -> list[Hit]:
        return self.store.nearest(vector, k, self._within(documents))

    def matching(self, words: Collection[str], k: int, documents: Collection[str] | None = None) -> list[Hit]:
        return self.store.matching(words, k, self._within(documents))

    def chunk_words(self, documents: Collection[str]) -> list[ChunkWords]:
        return self.store.chunk_words(self._within(documents))

    def chunk_terms(self, documents: Collection[str]) -> list[DocumentTerms]:
        return self.store.chunk_terms(self._within(documents))

    def vectors_of(self, documents: Collection[str]) -> np.ndarray:
        return self.store.vectors_of(self._within(documents))

    # --- graph
    def all_entities(self, limit: int = 1_000_000) -> Iterable[Entity]:
        named = {m.entity for source in self._sources() for m in self._mentions_in(source)}
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

    def subgraph(self, seeds: Collection[str], limit: int = 200, documents: Collection[str] | None = None) -> Subgraph:
        return self.store.subgraph(seeds, limit, self._within(documents))

    def statements(
        self, *, ids: Collection[str] = (), documents: Collection[str] = (), chunks: Collection[str] = ()
    ) -> list[Statement]:
        public = self._sources()
        found = self.store.statements(ids=ids, documents=documents, chunks=chunks)
        return [statement for statement in found if statement.document in public]

    def all_relations(self, limit: int = 1_000_000) -> Iterator[Relation]:
        public = self._sources()
        for relation in self.store.all_relations(limit):
            said = tuple(statement for statement in relation.statements if statement.document in public)
            if said:
                yield replace(relation, statements=said)

    # --- derived from the graph: of what was public, and not to be stored
    def communities(self) -> Communities | None:
        return None

    def put_communities(self, found: Communities) -> None:
        pass

    # --- facts
    def facts(self, query: FactQuery) -> list[Fact]:
        sources = self._within(query.sources or None)
        return self.store.facts(replace(query, sources=tuple(sources))) if sources else []

    # --- inside
    def _sources(self) -> frozenset[str]:
        version = self.store.version()
        if version != self._public[0]:
            self._public = version, frozenset(record.source for record in self.documents())
        return self._public[1]

    def _within(self, documents: Collection[str] | None) -> list[str]:
        public = self._sources()
        return sorted(public if documents is None else public.intersection(documents))

    def _mentions_in(self, source: str) -> list[Mention]:
        chunks = [chunk.id for chunk in self.store.chunks_of(source)]
        return self.store.mentions(chunks=chunks, limit=_ALL_MENTIONS) if chunks else []
