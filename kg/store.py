"""The store: everything that lasts, behind one protocol, opened from one URL."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from ..core.fact import Fact
from ..core.period import Period
from ..core.records import dataclass
from ..core.scope import Scope
from ..ingest.chunk import Chunk, SectionSummaries
from ..ingest.document import Document, Language, Metadata, Page, Table
from ..models.embedders import MAIN, Space, SpaceVectors
from .drivers import Driver, DriverQuery
from .graph import Communities, Entity, Mention, Merge, Relation, Statement, Subgraph
from .storage.term_counts import ChunkWords, DocumentTerms
from .triple import Triple

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class GraphPart:
    """What one extractor read from one document, ready to store."""

    extractor: str
    """"rules-1": name and version."""
    entities: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    statements: tuple[Statement, ...] = ()
    merges: tuple[Merge, ...] = ()
    """Merges the document itself gives ("Acme Corporation ("Acme")")."""
    rejected: tuple[Triple, ...] = ()
    drivers: tuple[Driver, ...] = ()


@dataclass(frozen=True, slots=True)
class Bundle:
    """A whole document, ready to store in one transaction.

    ``words[i]`` and ``heading_words[i]`` are the search terms of chunk i, separated by blanks (``core.words``: stems,
    Chinese bigrams). ``vectors`` is float32 (chunks, dim), unit rows; ``sentence_vectors`` float32 (sum of
    ``len(chunk.sentences)``, dim) in chunk order; both None without an embedder, whose name is ``embedder``.
    ``multilingual`` has those of the encoder of many languages, which a document may have beside these or instead.
    ``versions`` names the version of each step ("parse", "chunk", "embed", "extract:rules"); ``ingested`` says when the
    document was first stored, None for now.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    words: tuple[str, ...]
    heading_words: tuple[str, ...]
    facts: tuple[Fact, ...] = ()
    graph: GraphPart = GraphPart("")
    vectors: np.ndarray | None = None
    sentence_vectors: np.ndarray | None = None
    embedder: str = ""
    multilingual: SpaceVectors | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    ingested: datetime | None = None


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """What the store knows of a document without reading its text."""

    source: str
    title: str
    companies: tuple[str, ...]
    tickers: tuple[str, ...]
    kind: str
    period: Period | None
    published: date | None
    ingested: datetime
    language: Language
    content_hash: str
    pages: int
    chunks: int
    tokens: int
    versions: Mapping[str, str]
    how: Mapping[str, str]

    @property
    def unsure(self) -> bool:
        """True for a report whose company is not certain; see :attr:`ingest.document.Metadata.unsure`."""
        return self.metadata.unsure

    @property
    def metadata(self) -> Metadata:
        """As the reader found it."""
        return Metadata(
            title=self.title,
            companies=self.companies,
            tickers=self.tickers,
            kind=self.kind,
            period=self.period,
            published=self.published,
            language=self.language,
            how=self.how,
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate and its score in one reader; scores of different readers are not comparable."""

    id: str
    score: float
    document: str = field(default="", compare=False)
    """Source of its document; "" where the engine has to be asked (:meth:`Store.sources_of`)."""


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Filters for facts; empty or None does not restrict. ``value`` finds an amount in any scale."""

    companies: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    sources: tuple[str, ...] = ()
    label: str = ""
    value: Decimal | None = None
    limit: int = 1000


TOGETHER = 500
"""Chunks of documents that are stored in one transaction where many come at once: what each transaction costs, a commit
above all, is then shared by short documents, and a long one still has its own."""


def fit_together(bundles: Iterable[Bundle]) -> bool:
    """True for documents with so few chunks in all that they are stored in one transaction."""
    return sum(len(bundle.chunks) for bundle in bundles) <= TOGETHER


class Store(Protocol):
    """What a workspace keeps, and the contract that every engine's conformance test checks.

    Writing. ``put``, ``put_all``, ``put_graph``, ``put_section_summaries``, ``remove``, ``merge``, ``undo``,
    ``restore_merges`` and ``settle`` are ONE transaction each: after an exception or ``kill -9`` the store holds the
    old or the new state, never half of it. ``put`` replaces the older version of the same source. Cost depends on the
    document, not on what is stored already. Two processes may write; one waits for the other. ``version`` grows with
    every committed write of any process, so that caches know when they are stale.

    Reading. Ids are the public stable ids. Readers give what is stored at the time of the call; an unknown id is left
    out. ``documents=None`` means all; an empty collection means none. Hits come best first, ties by id, so that
    engines agree. Engines give candidates and neighbourhoods only: BM25 of a scope, fusion and walks on the graph are
    shared Python.

    Entities. Every reader resolves merges: it names a cluster by the id of its most mentioned member (ties: smallest
    id), and takes any member's id for the cluster. Removing a document removes its mentions, statements, facts and
    the merges that it gave; entities that nobody mentions any more disappear. What documents tell of an entity, and how
    they write its name, is pooled, whichever came first (``clusters.pooled_context``, ``preferred_name``).

    Errors: :class:`core.errors.StoreError` when it cannot be opened, is not ours, is locked for more than 30 seconds,
    or full.
    """

    url: str
    side_by_side: int
    """Writes worth beginning at once, from threads of one process: 1 where each has the store to itself."""

    # --- writing
    def put(self, bundle: Bundle) -> None: ...
    def put_all(self, bundles: Sequence[Bundle]) -> None:
        """``put`` for documents of up to about :data:`TOGETHER` chunks together: all of them, or none."""

    def put_graph(self, source: str, part: GraphPart) -> None:
        """Replace what the same extractor (name before the dash) had read from a document."""

    def remove(self, source: str) -> bool:
        """True if it was there."""

    def merge(self, entity: str, into: str, reason: str, score: float = 1.0) -> Merge: ...
    def undo(self, merge: str) -> bool:
        """Take a merge back; it is not made again. True if it was there and in force."""

    def restore_merges(self, merges: Sequence[Merge]) -> None:
        """Have exactly these merges, undone ones too, in this order: a copy decides nothing anew."""

    def settle(self) -> bool:
        """Decide anew, for the whole store, which entities are one: the same whatever the order in which documents
        came. Merges that documents give stay, and those that people made or took back. True if anything changes."""

    def close(self) -> None: ...
    def reading(self, keys: Iterable[str] = ()) -> AbstractContextManager[None]:
        """One question of this thread: inside, an engine behind a network may read ahead and answer from what it has
        read since the beginning. ``keys`` are name keys that ``find_entities`` may be asked for. Nothing is written
        inside."""

    # --- documents
    def version(self) -> int: ...
    def documents(self, scope: Scope | None = None) -> list[DocumentRecord]:
        """In order of their source. ``scope`` filters by exact source, kind, company name key, period label, and the
        day by which a document was public (``timeline.public_by``)."""

    def text(self, source: str) -> str:
        """The document's cleaned text."""

    def document(self, source: str) -> Document | None:
        """The document as it was read (without segments and coverage): its ``lines`` give any offsets their page and
        boxes."""

    def tables(self, source: str) -> list[Table]: ...
    def pages(self, sources: Collection[str]) -> Mapping[str, Sequence[Page]]: ...
    def counts(self) -> Mapping[str, int]:
        """documents, chunks, sentences, tables, facts, entities, statements, merges, tokens, bytes."""

    def embedder(self, space: Space = MAIN) -> str:
        """Name of the embedding model that the vectors of a space come from; "" without vectors there."""

    # --- chunks
    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """In the order asked for."""

    def chunks_of(self, source: str) -> list[Chunk]: ...
    def sources_of(self, chunks: Collection[str]) -> Mapping[str, str]:
        """Chunk -> source of its document, without reading the chunks."""

    def neighbours(self, ids: Sequence[str], distance: int = 1) -> Mapping[str, Sequence[str]]:
        """Chunk -> ids of the chunks up to ``distance`` before and after it in the same document, in order, without
        itself."""

    def nearest(
        self, vector: np.ndarray, k: int, documents: Collection[str] | None = None, space: Space = MAIN
    ) -> list[Hit]:
        """Chunks by cosine to a unit vector (dim,) of a space. Exact unless the engine says otherwise."""

    def vectors(self, ids: Sequence[str], space: Space = MAIN) -> np.ndarray:
        """Float32 (len(ids), dim); a zero row for a chunk without vector."""

    def vectors_of(self, documents: Collection[str], space: Space = MAIN) -> np.ndarray:
        """Float32 (all chunks of the known documents, dim), in order of source and ordinal; zero rows as in
        :meth:`vectors`."""

    def sentence_vectors(self, ids: Sequence[str], space: Space = MAIN) -> list[np.ndarray]:
        """For each chunk float32 (its sentences, dim), no rows where it has none; cosine to what was put is at least
        .999."""

    def matching(self, words: Collection[str], k: int, documents: Collection[str] | None = None) -> list[Hit]:
        """Chunks that hold any of the search terms, by BM25 over the whole store; a pre-selection, rescored by the
        caller."""

    def chunk_words(self, documents: Collection[str]) -> list[ChunkWords]:
        """All chunks of the documents, in order of source and ordinal."""

    def chunk_terms(self, documents: Collection[str]) -> list[DocumentTerms]:
        """The terms of all chunks of the known documents, counted; in order of source."""

    def document_frequency(self, words: Collection[str]) -> Mapping[str, int]:
        """In how many chunks of the store each search term stands."""

    def known_words(self, words: Collection[str]) -> Collection[str]:
        """Those of the search terms that stand in some chunk: told faster than in how many."""

    # --- graph
    def find_entities(self, keys: Collection[str]) -> list[Entity]:
        """Clusters with a member whose ``key`` is one of these."""

    def similar_entities(self, name: str, k: int) -> list[Entity]:
        """Clusters whose name shares words or character trigrams with this one, best first: candidates for fuzzy
        links."""

    def entities(self, ids: Collection[str]) -> list[Entity]: ...
    def entity_names(self, ids: Collection[str]) -> Mapping[str, str]:
        """The name that each entity itself was written with, merges left aside."""

    def all_entities(self, limit: int = 1_000_000) -> Iterable[Entity]:
        """Most mentioned first."""

    def mentions(
        self,
        *,
        chunks: Collection[str] = (),
        entities: Collection[str] = (),
        limit: int = 10_000,
        documents: Collection[str] | None = None,
    ) -> list[Mention]:
        """Mentions in these chunks and of these entities (either may be empty); entity ids are clusters."""

    def subgraph(
        self,
        seeds: Collection[str],
        limit: int = 200,
        documents: Collection[str] | None = None,
        kinds: Collection[str] = (),
    ) -> Subgraph:
        """Relations that touch a seed, best supported first, at most ``limit``, with all entities they name; only
        those of the ``kinds`` ("works_for"), where any are given."""

    def statements(
        self, *, ids: Collection[str] = (), documents: Collection[str] = (), chunks: Collection[str] = ()
    ) -> list[Statement]: ...
    def all_relations(self, limit: int = 1_000_000) -> Iterable[Relation]: ...
    def rejected(self, source: str) -> list[Triple]: ...
    def parts(self, source: str) -> list[GraphPart]:
        """What each extractor read from a document, as it was put: entities as written, not clusters. For copies."""

    def merges(self) -> list[Merge]:
        """All, also undone ones, in the order they were made."""

    # --- derived from the graph
    def communities(self) -> Communities | None:
        """What :meth:`put_communities` stored last, stale or not; None before."""

    def put_communities(self, found: Communities) -> None:
        """Replace the derived communities in one transaction. They say nothing new: ``version`` stays as it is."""

    # --- summaries of sections, as a language model wrote them
    def put_section_summaries(self, source: str, found: SectionSummaries, of_text: str = "") -> bool:
        """Replace those of a document in one transaction; its record then names their author as a step ("summaries").
        They go when the document is stored anew. Raises StoreError for a document that is not there.

        ``of_text`` is the content hash of what was summarised: where the document has another by now, or is no longer
        there, nothing is written, and False is returned."""

    def section_summaries(self, documents: Collection[str]) -> Mapping[str, SectionSummaries]:
        """Those of the documents that have some; the cosine of a vector to what was put is above .999999."""

    # --- facts
    def facts(self, query: FactQuery) -> list[Fact]:
        """Ordered by company, metric, period end, source, start."""

    # --- drivers
    def drivers(self, query: DriverQuery) -> list[Driver]:
        """What moved figures; ordered by company, metric, period end, source, start. Part of the graph: it comes and
        goes with the part that gave it."""
