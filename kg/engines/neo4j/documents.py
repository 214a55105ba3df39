"""The records of all documents in memory, and whole documents: their parts, counted terms and vectors.

The parts stand on a node beside each document: the document's own stays light, whoever returns or draws it. Workspaces
of layout 1 have the parts on the document and nothing counted; they are read as they are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ....core.records import dataclass
from ....core.scope import Scope
from ....core.sequences import without
from ....ingest.chunk import SectionSummaries
from ....ingest.document import Document, Page
from ...storage.codec import (
    TEXTS,
    VECTORS,
    expand,
    read_day,
    read_lines,
    read_pages,
    read_pairs,
    read_period,
    read_tables,
    unpack_summaries,
    unpack_vectors,
)
from ...storage.scope_filter import ScopeIndex
from ...storage.term_counts import DocumentTerms, count_terms, unpack_terms
from ...store import DocumentRecord
from .chunks import matrix, read_vectors_of, read_words
from .connection import PAUSES, Graph, Row

if TYPE_CHECKING:
    import numpy as np

_RECORD = (
    *("source", "title", "companies", "tickers", "kind", "period", "published", "ingested", "language"),
    *("content_hash", "pages", "chunks", "tokens", "versions", "how"),
)
_STATE = """MATCH (w:Workspace)
CALL () { MATCH (d:Document) RETURN collect([d.source, d.stamp]) AS stamps }
RETURN w.version AS version, w.documents AS documents, w.stamp_sum AS stamp_sum, stamps"""
_ALWAYS = ("source", "title", "ingested", "content_hash", "pages", "chunks", "tokens")
PROJECTION = ", ".join(f".{name}" for name in _RECORD)
"""Of a document in a query: what its record is made from."""
_NEWER = f"""MATCH (w:Workspace)
CALL () {{ MATCH (d:Document) WHERE d.stamp > $since RETURN collect(d {{.stamp, {PROJECTION}}}) AS newer }}
RETURN w.version AS version, w.documents AS documents, w.stamp_sum AS stamp_sum, newer"""


class Catalogue:
    """The records of all documents; each write costs one look at what has changed."""

    def __init__(self, graph: Graph, version: Callable[[], int]) -> None:
        self._graph, self._current = graph, version
        self._lock = threading.Lock()
        self._version = -1
        self._stamps: dict[str, int] = {}
        self._index = ScopeIndex()

    def select(self, scope: Scope | None) -> list[DocumentRecord]:
        """Records within the scope, in order of their source."""
        with self._lock:
            self._sync()
            return self._index.select(scope)

    def knows(self, source: str) -> bool:
        """True for a stored document."""
        with self._lock:
            self._sync()
            return source in self._index.records

    def companies(self) -> set[str]:
        """The names of all companies that documents are about, as far as is known at the moment."""
        with self._lock:
            return {name for record in self._index.records.values() for name in record.companies}

    def chunks(self, documents: Collection[str] | None) -> tuple[int, int]:
        """How many chunks there are, in all and in these documents. The total need not be of this moment."""
        with self._lock:
            if documents is not None or not self._stamps:
                self._sync()
            records = self._index.records
            stored = sum(record.chunks for record in records.values())
            if documents is None:
                return stored, stored
            return stored, sum(records[source].chunks for source in set(documents) if source in records)

    def _sync(self) -> None:
        """The database shows what is committed at the moment, not one state: a torn view is looked at again."""
        for pause in PAUSES:
            if self._current() == self._version:
                return
            time.sleep(pause)
            if self._load():
                return

    def _load(self) -> bool:
        """Bring the records up to date; False where a writer was at work in between."""
        if self._version >= 0 and self._add_newer():
            return True
        return self._read_all()

    def _read_all(self) -> bool:
        """Compare the stamps of all documents; False where they are not those of one moment."""
        (state,) = self._graph.read(_STATE)
        stamps: dict[str, int] = {source: stamp for source, stamp in state["stamps"] if stamp is not None}
        for gone in self._stamps.keys() - stamps.keys():
            self._index.discard(gone)
        changed = [source for source, stamp in stamps.items() if self._stamps.get(source) != stamp]
        found = self._read_records(changed) if changed else []
        for record in found:
            self._index.add(record)
        missed = set(changed) - {record.source for record in found}
        self._stamps = {source: stamp for source, stamp in stamps.items() if source not in missed}
        whole = not missed and self._agrees(state)
        self._version = state["version"] if whole else -1
        return whole

    def _read_records(self, sources: Collection[str]) -> list[DocumentRecord]:
        """The records of these documents, but of those that are being taken away."""
        query = f"UNWIND $sources AS source MATCH (d:Document {{source: source}}) RETURN d {{{PROJECTION}}} AS record"
        rows = [row["record"] for row in self._graph.read(query, sources=list(sources))]
        return [record_of(row) for row in rows if is_whole(row)]

    def _add_newer(self) -> bool:
        """Read only what was written since the last look; False where that is not all, as after a removal.

        A loader looks after each document that it writes: to read all stamps each time would grow with what is stored.
        """
        (state,) = self._graph.read(_NEWER, since=self._version)
        if not all(is_whole(row) for row in state["newer"]):
            return False
        for row in state["newer"]:
            stamp = row.pop("stamp")
            record = record_of(row)
            self._index.add(record)
            self._stamps[record.source] = stamp
        if not self._agrees(state):
            return False
        self._version = state["version"]
        return True

    def _agrees(self, state: Row) -> bool:
        """True where the documents known are those that the workspace counts."""
        return (len(self._stamps), sum(self._stamps.values())) == (state["documents"], state["stamp_sum"])


def is_whole(row: Row) -> bool:
    """False for a document that was read while another process was taking it away: nulls stand for what is gone."""
    return all(row[name] is not None for name in _ALWAYS)


def record_of(row: dict[str, Any]) -> DocumentRecord:
    """A record from the properties of :data:`PROJECTION`."""
    return DocumentRecord(
        source=row["source"],
        title=row["title"],
        companies=tuple(row["companies"] or ()),
        tickers=tuple(row["tickers"] or ()),
        kind=row["kind"],
        period=read_period(row["period"]),
        published=read_day(row["published"]),
        ingested=datetime.fromisoformat(row["ingested"]),
        language="zh" if row["language"] == "zh" else "en",
        content_hash=row["content_hash"],
        pages=row["pages"],
        chunks=row["chunks"],
        tokens=row["tokens"],
        versions=read_pairs(row["versions"]),
        how=read_pairs(row["how"]),
    )


_DOCUMENT = "MATCH (d:Document {source: source}) OPTIONAL MATCH (d)-[:HOLDS]->(k)"
_TERMS = """UNWIND $sources AS source MATCH (:Document {source: source})-[:HOLDS]->(k) WHERE k.terms IS NOT NULL
RETURN source, k.chunk_list AS chunks, k.terms AS terms, k.chunk_vectors AS vectors, k.page_list AS pages"""

_SUMMARIES = f"""UNWIND $sources AS source MATCH (:Document {{source: source}})-[:HOLDS]->(k)
WHERE k.{TEXTS} IS NOT NULL
RETURN source, k {{.{TEXTS}, .{VECTORS}}} AS parts"""


@dataclass(frozen=True, slots=True)
class Content:
    """What a search reads of a document."""

    terms: DocumentTerms
    vectors: bytes | None
    pages: bytes

    def matrix(self, dim: int) -> np.ndarray:
        """Float32 (chunks, dim); zero rows for a document without vectors."""
        import numpy as np

        if self.vectors is None:
            return np.zeros((len(self.terms.ids), dim), np.float32)
        return unpack_vectors(self.vectors, dim)


def read_contents(graph: Graph, sources: Collection[str]) -> dict[str, Content]:
    """Document -> its content, for those that have one."""
    rows = graph.read(_TERMS, sources=sorted(set(sources)))
    return {row["source"]: Content(_terms(row), row["vectors"], row["pages"]) for row in rows}


def read_summaries(graph: Graph, sources: Collection[str]) -> dict[str, SectionSummaries]:
    """Document -> the summaries of its sections, for those that have some."""
    rows = graph.read(_SUMMARIES, sources=sorted(set(sources)))
    return {row["source"]: unpack_summaries(row["parts"]) for row in rows}


def terms_of(graph: Graph, sources: Collection[str], known: Mapping[str, Content]) -> list[DocumentTerms]:
    """The terms of the documents in order: counted now where nothing is ``known``."""
    older = without(sources, known)
    counted = count_terms(read_words(graph, older)) if older else []
    found = [*counted, *(known[source].terms for source in set(sources) if source in known)]
    return sorted(found, key=lambda terms: terms.source)


def vectors_of(graph: Graph, sources: Collection[str], known: Mapping[str, Content], dim: int) -> np.ndarray:
    """Float32 (all chunks of the documents, dim), in order of source and ordinal."""
    import numpy as np

    older = without(sources, known)
    if older and not known:
        return read_vectors_of(graph, sources, dim)
    parts = [np.zeros((0, dim), np.float32)]
    for source in sorted(set(sources)):
        parts.append(known[source].matrix(dim) if source in known else read_vectors_of(graph, [source], dim))
    return np.concatenate(parts)


def read_vectors(graph: Graph, ids: Sequence[str], dim: int) -> np.ndarray:
    """Float32 (len(ids), dim); zero rows where there is none. Chunks that wait for theirs have it in the content."""
    query = "UNWIND $ids AS id MATCH (c:Chunk {id: id}) RETURN id, c.vector AS vector, c.document AS document"
    rows = graph.read(query, ids=list(set(ids)))
    found = {row["id"]: row["vector"] for row in rows}
    waiting = {row["document"] for row in rows if row["vector"] is None}
    for content in read_contents(graph, waiting).values() if waiting else ():
        found |= {id: vector for id, vector in zip(content.terms.ids, content.matrix(dim), strict=True) if id in found}
    return matrix(ids, found, dim)


def read_part(graph: Graph, source: str, name: str) -> bytes | None:
    """One part of a document, compressed; None for an unknown document."""
    rows = graph.read(f"WITH $source AS source {_DOCUMENT} RETURN {_part(name)} AS part", source=source)
    return rows[0]["part"] if rows else None


def read_pages_of(graph: Graph, sources: Collection[str]) -> Mapping[str, Sequence[Page]]:
    """Document -> its pages."""
    query = f"UNWIND $sources AS source {_DOCUMENT} RETURN source, {_part('page_list')} AS pages"
    rows = graph.read(query, sources=list(sources))
    return {row["source"]: read_pages(expand(row["pages"])) for row in rows if row["pages"] is not None}


def read_documents(graph: Graph, sources: Sequence[str]) -> dict[str, Row]:
    """Document -> its properties and parts, those that are compressed as they are."""
    parts = ", ".join(f"{name}: {_part(name)}" for name in ("text", "page_list", "line_list", "table_list"))
    query = f"UNWIND $sources AS source {_DOCUMENT} RETURN d {{{PROJECTION}, {parts}}} AS part"
    found = [row["part"] for row in graph.read(query, sources=list(sources))]
    return {part["source"]: part for part in found if is_whole(part) and part["text"] is not None}


def document_of(row: Row) -> Document:
    """All but its segments and coverage."""
    record = record_of(row)
    return Document(
        source=record.source,
        text=expand(row["text"]),
        segments=(),
        metadata=record.metadata,
        pages=read_pages(expand(row["page_list"])),
        lines=tuple(read_lines(expand(row["line_list"]))),
        tables=tuple(read_tables(expand(row["table_list"]))),
        content_hash=record.content_hash,
    )


def _part(name: str) -> str:
    return f"coalesce(k.{name}, d.{name})"


def _terms(row: Row) -> DocumentTerms:
    import numpy as np

    chunks = expand(row["chunks"])
    spans = np.array([chunk[1:3] for chunk in chunks], np.int64).reshape(-1, 2)
    values = np.array([chunk[3] if len(chunk) > 3 else 1.0 for chunk in chunks], np.float32)  # older stores: no value
    ids = tuple(chunk[0] for chunk in chunks)
    return DocumentTerms(row["source"], ids, spans, *unpack_terms(row["terms"]), values)
