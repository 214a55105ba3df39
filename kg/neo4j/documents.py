"""Documents: their records in memory, brought up to date by what has changed, and their parts."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

from ...core.scope import Scope
from ...ingest.document import Document, Metadata
from ..codec import expand, read_day, read_lines, read_pages, read_pairs, read_period, read_tables
from ..scoping import ScopeIndex
from ..store import DocumentRecord
from .connection import Graph, Row

_RECORD = (
    *("source", "title", "companies", "tickers", "kind", "period", "published", "ingested", "language"),
    *("content_hash", "pages", "chunks", "tokens", "versions", "how"),
)
_PROJECTION = ", ".join(f".{name}" for name in _RECORD)


class Catalogue:
    """The records of all documents; each write costs one look at what has changed."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
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

    def _sync(self) -> None:
        (state,) = self._graph.read("MATCH (w:Workspace) RETURN w.version AS version")
        if state["version"] == self._version:
            return
        rows = self._graph.read("MATCH (d:Document) RETURN d.source AS source, d.stamp AS stamp")
        stamps = {row["source"]: row["stamp"] for row in rows}
        for gone in self._stamps.keys() - stamps.keys():
            self._index.discard(gone)
        changed = [source for source, stamp in stamps.items() if self._stamps.get(source) != stamp]
        query = f"UNWIND $sources AS source MATCH (d:Document {{source: source}}) RETURN d {{{_PROJECTION}}} AS record"
        for row in self._graph.read(query, sources=changed) if changed else ():
            self._index.add(_record(row["record"]))
        self._stamps, self._version = stamps, state["version"]


def read_part(graph: Graph, source: str, *names: str) -> Row | None:
    """Some properties of a document; None for an unknown one."""
    projection = ", ".join(f".{name}" for name in names)
    rows = graph.read(f"MATCH (d:Document {{source: $source}}) RETURN d {{{projection}}} AS part", source=source)
    return dict(rows[0]["part"]) if rows else None


def read_document(graph: Graph, source: str) -> Document | None:
    """All but its segments and coverage."""
    row = read_part(graph, source, *_RECORD, "text", "page_list", "line_list", "table_list")
    if row is None:
        return None
    record = _record(row)
    return Document(
        source=source,
        text=expand(row["text"]),
        segments=(),
        metadata=Metadata(
            title=record.title,
            companies=record.companies,
            tickers=record.tickers,
            kind=record.kind,
            period=record.period,
            published=record.published,
            language=record.language,
            how=record.how,
        ),
        pages=read_pages(expand(row["page_list"])),
        lines=tuple(read_lines(expand(row["line_list"]))),
        tables=tuple(read_tables(expand(row["table_list"]))),
        content_hash=record.content_hash,
    )


def _record(row: dict[str, Any]) -> DocumentRecord:
    return DocumentRecord(
        source=row["source"],
        title=row["title"],
        companies=tuple(row["companies"]),
        tickers=tuple(row["tickers"]),
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
