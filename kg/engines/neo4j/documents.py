"""The records of documents in memory, brought up to date by what has changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from ....core.scope import Scope
from ...storage.codec import read_day, read_pairs, read_period
from ...storage.scope_filter import ScopeIndex
from ...store import DocumentRecord
from .connection import PAUSES, Graph

_RECORD = (
    *("source", "title", "companies", "tickers", "kind", "period", "published", "ingested", "language"),
    *("content_hash", "pages", "chunks", "tokens", "versions", "how"),
)
_STATE = """MATCH (w:Workspace)
CALL () { MATCH (d:Document) RETURN collect([d.source, d.stamp]) AS stamps }
RETURN w.version AS version, w.documents AS documents, w.stamp_sum AS stamp_sum, stamps"""
PROJECTION = ", ".join(f".{name}" for name in _RECORD)
"""Of a document in a query: what its record is made from."""


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
        (state,) = self._graph.read(_STATE)
        stamps: dict[str, int] = {source: stamp for source, stamp in state["stamps"] if stamp is not None}
        for gone in self._stamps.keys() - stamps.keys():
            self._index.discard(gone)
        changed = [source for source, stamp in stamps.items() if self._stamps.get(source) != stamp]
        query = f"UNWIND $sources AS source MATCH (d:Document {{source: source}}) RETURN d {{{PROJECTION}}} AS record"
        found = [record_of(row["record"]) for row in self._graph.read(query, sources=changed)] if changed else []
        for record in found:
            self._index.add(record)
        seen = (len(stamps), sum(stamps.values()))
        whole = len(found) == len(changed) and seen == (state["documents"], state["stamp_sum"])
        missed = set(changed) - {record.source for record in found}
        self._stamps = {source: stamp for source, stamp in stamps.items() if source not in missed}
        self._version = state["version"] if whole else -1
        return whole


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
