"""Reads of one question, put together: each round trip also brings what the next steps of a search ask for.

The state of the workspace comes with the entities that the question may name, a chunk with its sentence vectors
and statements, a neighbourhood with its mentions and the chunks that its statements stand in, the terms of
documents with their vectors and pages. Everything is dropped when the question is done, but for what questions
read again and again, which is kept in memory until the next write of any process.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ....core.sequences import without
from ....core.words import search_words
from ....ingest.chunk import Chunk
from ....ingest.document import Document, Page
from ...graph import Communities, Entity, Mention, Statement, Subgraph, most_mentioned
from ...storage.codec import expand, read_pages, unpack_sentences
from ...storage.term_counts import DocumentTerms
from . import relations as relation_readers
from . import second_space
from .chunks import CHUNK, chunk_of, document_frequency, is_whole
from .connection import Graph, Row
from .documents import Content, document_of, read_contents, read_documents, read_pages_of, terms_of, vectors_of
from .entities import MEMBERS, WANTED, Clusters, clusters_of, read_clusters
from .relations import (
    ENDS_OF_SAID,
    MENTIONED,
    STATEMENT,
    in_order,
    mentions_of,
    read_communities,
    statements_of,
    subgraph_of,
    subgraph_query,
)

if TYPE_CHECKING:
    import numpy as np

_MENTIONS = 3_000
"""Of a neighbourhood's seeds, read with it."""
_AHEAD = 300
"""Chunks of its statements, read with it: a hub's are thousands."""

_STATE = f"""MATCH (w:Workspace)
CALL () {{ {WANTED} {MEMBERS} RETURN members }}
RETURN w.version AS version, w.embedder AS embedder, w.dim AS dim, EXISTS {{ (d:Document {{vectors: true}}) }} AS used,
  w.documents AS documents, {second_space.EMBEDDER} AS multilingual, members"""
_CHUNK = f"{{chunk: {CHUNK}, sentences: c.sentences}}"
_CHUNKS = f"""CALL () {{ UNWIND $ids AS id MATCH (c:Chunk {{id: id}}) RETURN collect({_CHUNK}) AS chunks }}
CALL () {{
  UNWIND $ids AS id MATCH (:Chunk {{id: id}})<-[:FROM]-(s:Statement) RETURN collect({STATEMENT}) AS said
}}
{ENDS_OF_SAID}
{MEMBERS}
RETURN chunks, said, members"""


_AROUND = f"""CALL (rows) {{
  UNWIND rows AS row UNWIND row.statements AS said
  WITH DISTINCT said.chunk AS id LIMIT $most_chunks
  MATCH (c:Chunk {{id: id}}) RETURN collect({_CHUNK}) AS chunks
}}
RETURN clusters, rows, members, [] AS mentions, chunks
UNION ALL
CALL () {{ MATCH (x:Entity) WHERE x.id IN $seeds RETURN collect(DISTINCT x.cluster) AS clusters }}
CALL (clusters) {{
  MATCH (e:Entity) WHERE e.cluster IN clusters MATCH (c:Chunk)-[m:MENTIONS]->(e)
  WITH c, m, e WHERE c.document IN $documents
  {MENTIONED.replace("$limit", "$most")}
}}
WITH clusters, mentions, [cluster IN clusters | reduce(first = null, m IN mentions |
  CASE WHEN m.cluster = cluster AND (first IS NULL OR [m.start, m.chunk] < [first.start, first.chunk]) THEN m
  ELSE first END).chunk] AS firsts
CALL (firsts) {{ UNWIND firsts AS id MATCH (c:Chunk {{id: id}}) RETURN collect({_CHUNK}) AS chunks }}
RETURN clusters, [] AS rows, [] AS members, mentions, chunks"""
"""Continues :func:`.relations.subgraph_query` with the chunks of statements; a second row has mentions, and the chunks
of first mentions. The database counts all that stands in a row as memory of each row it sorts: the two must not meet.
"""


KeepPages = Callable[[Mapping[str, Sequence[Page]]], None]


class _Around(NamedTuple):
    """The first mentions of some clusters in some documents; ``whole`` where that is all of them."""

    clusters: frozenset[str]
    documents: frozenset[str]
    mentions: list[Mention]
    whole: bool


class Reading:
    """What one question has read so far. ``keys`` are the name keys that it may look entities up by."""

    def __init__(self, graph: Graph, keys: Collection[str], keep_pages: KeepPages) -> None:
        self._graph = graph
        self._keep_pages = keep_pages
        self._keys = set(filter(None, keys))
        self._by_key: dict[str, list[Entity]] = {}
        self._named: dict[str, Entity] = {}
        self._clusters: dict[str, str] = {}
        self._chunks: dict[str, Chunk | None] = {}
        self._sentences: dict[str, bytes] = {}
        self._said: dict[str, list[Statement]] = {}
        self._contents: dict[str, Content] = {}
        self._around: _Around | None = None
        self._subgraphs: dict[tuple[frozenset[str], int, frozenset[str] | None, frozenset[str]], Subgraph] = {}

    @cached_property
    def state(self) -> Row:
        """version, embedder, dim, used, multilingual: read once, with the entities of the keys."""
        (row,) = self._graph.read(_STATE, members=[], clusters=[], keys=sorted(self._keys))
        self._know(clusters_of(row.pop("members")), self._keys)
        return row

    @cached_property
    def words_asked(self) -> set[str]:
        """The search terms of the names that the question may hold: of most of its words."""
        return {word for key in self._keys for word in search_words(key)}

    @cached_property
    def communities(self) -> Communities | None:
        """As in the store."""
        return read_communities(self._graph)

    def sources(self) -> list[str]:
        """The documents whose chunks were read, those of most chunks first: an answer will cite some of them."""
        found = Counter(chunk.document for chunk in self._chunks.values() if chunk)
        return [source for source, _ in found.most_common()]

    # --- entities
    def find_entities(self, keys: Collection[str]) -> list[Entity]:
        """As in the store."""
        assert self.state
        missing = set(filter(None, keys)) - self._by_key.keys()
        if missing:
            self._know(read_clusters(self._graph, keys=missing), missing)
        return most_mentioned({entity.id: entity for key in keys for entity in self._by_key.get(key, ())}.values())

    def entities(self, ids: Collection[str]) -> list[Entity]:
        """As in the store."""
        missing = without(ids, self._named)
        if missing:
            self._know(read_clusters(self._graph, members=missing))
        found = [self._named[id] for id in ids if id in self._named]
        return list({entity.id: entity for entity in found}.values())

    def subgraph(
        self, seeds: Collection[str], limit: int, documents: Collection[str] | None, kinds: Collection[str] = ()
    ) -> Subgraph:
        """As in the store. A search starts from the first neighbourhood in its scope: what it leads to comes along."""
        if documents is None or self._around or kinds:
            within = None if documents is None else frozenset(documents)
            key = (frozenset(seeds), limit, within, frozenset(kinds))
            if key not in self._subgraphs:
                self._subgraphs[key] = relation_readers.subgraph(self._graph, seeds, limit, documents, kinds)
            return self._subgraphs[key]
        row, places = self._graph.read(
            f"{subgraph_query(documents)} {_AROUND}",
            **{"seeds": list(seeds), "limit": limit + 1, "kept": limit, "most": _MENTIONS, "most_chunks": _AHEAD},
            documents=list(documents),
        )
        named = clusters_of(row["members"])
        self._know(named)
        self._keep([*row["chunks"], *places["chunks"]])
        mentions = mentions_of(places["mentions"], named.entities)
        clusters = frozenset(row["clusters"])
        self._around = _Around(clusters, frozenset(documents), mentions, len(mentions) < _MENTIONS)
        return subgraph_of(row, limit)

    def mentions(self, entities: Collection[str], limit: int, documents: Collection[str] | None) -> list[Mention]:
        """As in the store, of entities only."""
        around, clusters = self._around, {self._clusters.get(id, id) for id in entities}
        if around and clusters <= around.clusters and self._same(around.documents, documents):
            names = {self._named[id].id for id in entities}
            found = [mention for mention in around.mentions if mention.entity in names]
            if around.whole or limit <= (_MENTIONS if clusters == around.clusters else len(found)):
                return found[:limit]
        return relation_readers.mentions(self._graph, (), entities, limit, documents)

    def _same(self, documents: Collection[str], others: Collection[str] | None) -> bool:
        return len(documents) == self.state["documents"] if others is None else documents == {*others}

    # --- chunks
    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """As in the store."""
        missing = without(dict.fromkeys(ids), self._chunks)
        if missing:
            (row,) = self._graph.read(_CHUNKS, ids=missing)
            self._keep(row["chunks"])
            named = clusters_of(row["members"])
            self._know(named)
            self._said |= {id: [] for id in missing}
            for statement in statements_of(row["said"], named):
                self._said[statement.chunk].append(statement)
            self._chunks = dict.fromkeys(missing) | self._chunks
        found = (self._chunks[id] for id in ids)
        return [chunk for chunk in found if chunk is not None]

    def sentence_vectors(self, ids: Sequence[str]) -> list[np.ndarray]:
        """As in the store."""
        self.chunks(ids)
        found = [self._sentences.get(id, b"") for id in ids]
        return [unpack_sentences(data, self.state["dim"] or 1) for data in found]

    def statements(self, chunks: Collection[str]) -> list[Statement]:
        """As in the store, of chunks only."""
        if any(id not in self._said for id in chunks):
            return relation_readers.statements(self._graph, (), (), chunks)
        return in_order([statement for id in dict.fromkeys(chunks) for statement in self._said[id]])

    # --- whole documents
    def terms(self, documents: Collection[str]) -> list[DocumentTerms]:
        """As in the store; their vectors and pages come along."""
        return terms_of(self._graph, documents, self._contents_of(documents))

    def vectors_of(self, documents: Collection[str]) -> np.ndarray:
        """As in the store: also of documents that wait for their places in the vector index."""
        return vectors_of(self._graph, documents, self._contents_of(documents), self.state["dim"])

    # --- inside
    def _contents_of(self, documents: Collection[str]) -> Mapping[str, Content]:
        """What there is of these documents, each read once; older ones have no content."""
        missing = set(documents) - self._contents.keys()
        if missing:
            found = read_contents(self._graph, missing)
            self._keep_pages({source: read_pages(expand(content.pages)) for source, content in found.items()})
            self._contents |= found
        return {source: self._contents[source] for source in documents if source in self._contents}

    def _know(self, found: Clusters, keys: Collection[str] = ()) -> None:
        self._named |= {id: found.entities[cluster] for id, cluster in found.of.items()}
        self._clusters |= found.of
        for key in keys:
            clusters = found.by_key.get(key, ())
            self._by_key[key] = [found.entities[cluster] for cluster in clusters]

    def _keep(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if is_whole(row["chunk"]):
                chunk = chunk_of(row["chunk"])
                self._chunks[chunk.id] = chunk
                self._sentences[chunk.id] = row["sentences"] or b""


_COUNTS = """MATCH (d:Document)
WITH count(d) AS documents, sum(d.chunks) AS chunks, sum(d.sentences) AS sentences, sum(d.tables) AS tables,
  sum(d.facts) AS facts, sum(d.tokens) AS tokens, sum(d.bytes) AS bytes
CALL () { MATCH (e:Entity) RETURN count(DISTINCT e.cluster) AS entities }
CALL () { MATCH (s:Statement) RETURN count(s) AS statements }
CALL () { MATCH (g:Merge) WHERE NOT g.undone RETURN count(g) AS merges }
RETURN documents, chunks, sentences, tables, facts, tokens, entities, statements, merges, bytes"""

_DOCUMENTS = 16
"""Whole documents kept: a report has about a megabyte."""
_WORDS = 100_000


class Kept:
    """One version of a store, as far as it has been read. A newer version is a new object."""

    def __init__(self, graph: Graph, version: int) -> None:
        self.version = version
        self._graph = graph
        self._pages: dict[str, Sequence[Page]] = {}
        self._documents: OrderedDict[str, _Folded | None] = OrderedDict()
        self._frequency: dict[str, int] = {}

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """As in the store."""
        return read_counts(self._graph)

    def pages(self, sources: Collection[str]) -> Mapping[str, Sequence[Page]]:
        """As in the store."""
        missing = without(sources, self._pages)
        if missing:
            self._pages |= read_pages_of(self._graph, missing)
        return {source: self._pages[source] for source in sources if source in self._pages}

    def keep_pages(self, pages: Mapping[str, Sequence[Page]]) -> None:
        """What came along with something else."""
        self._pages |= pages

    def document(self, source: str, likely: Sequence[str] = ()) -> Document | None:
        """As in the store; ``likely`` are documents that will be asked for next, and are read with it."""
        if source not in self._documents:
            wanted = dict.fromkeys((source, *without(likely, self._documents)))
            wanted = dict.fromkeys(list(wanted)[: _DOCUMENTS // 2])
            rows = read_documents(self._graph, list(wanted))
            self._documents |= {one: _Folded(rows[one]) if one in rows else None for one in wanted}
        self._documents.move_to_end(source)
        folded = self._documents[source]
        while len(self._documents) > _DOCUMENTS:
            self._documents.popitem(last=False)
        return folded.document if folded else None

    def document_frequency(self, words: Collection[str], likely: Collection[str] = ()) -> Mapping[str, int]:
        """As in the store; ``likely`` are words that will be asked for next."""
        if missing := set(words) - self._frequency.keys():
            if len(self._frequency) > _WORDS:
                self._frequency = {}
                missing = set(words)
            self._frequency |= document_frequency(self._graph, missing | (set(likely) - self._frequency.keys()))
        return {word: self._frequency[word] for word in set(words)}


def read_counts(graph: Graph) -> Mapping[str, int]:
    """How much of everything there is."""
    return graph.read(_COUNTS)[0]


class _Folded:
    """A document as it was read, unpacked when it is first needed."""

    def __init__(self, row: Row) -> None:
        self._row = row

    @cached_property
    def document(self) -> Document:
        return document_of(self._row)
