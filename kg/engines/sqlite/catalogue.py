"""The records of all documents in memory, brought up to date by reading only those that have changed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from ....core.scope import Scope
from ...storage.codec import dumps, read_day, read_pairs, read_period
from ...storage.scope_filter import ScopeIndex
from ...store import DocumentRecord
from .connection import Database

_COLUMNS = """id, stamp, first_chunk, source, title, companies, tickers, kind, period, published, ingested, language,
  content_hash, pages, chunks, tokens, versions, how"""


class Place(NamedTuple):
    """A document's internal id and those of its chunks: ``first`` to ``first + chunks - 1``."""

    id: int
    first: int
    chunks: int


class Catalogue:
    """What :meth:`sync` found last. Used under the lock of the database it is synchronised with."""

    def __init__(self) -> None:
        self.version = -1
        """Of the store, at the last :meth:`sync`."""
        self.chunks = 0
        """Of all documents."""
        self._stamps: dict[int, int] = {}
        self._source_of: dict[int, str] = {}
        self._places: dict[str, Place] = {}
        self._index = ScopeIndex()

    def sync(self, db: Database) -> None:
        """Bring up to date with what the open transaction sees."""
        version = db.value("SELECT value FROM setting WHERE name = 'version'")
        if version == self.version:
            return
        stamps: dict[int, int] = dict(db.rows("SELECT id, stamp FROM document INDEXED BY document_stamp"))
        for gone in self._stamps.keys() - stamps.keys():
            self._forget(gone)
        self._load(db, [id for id, stamp in stamps.items() if self._stamps.get(id) != stamp])
        self.chunks = sum(place.chunks for place in self._places.values())
        self._stamps, self.version = stamps, version

    def select(self, scope: Scope | None) -> list[DocumentRecord]:
        """Records within the scope, in order of their source."""
        return self._index.select(scope)

    def place(self, source: str) -> Place | None:
        """Where a document is; None for an unknown one."""
        return self._places.get(source)

    def known_place(self, source: str) -> Place:
        """Where a stored document is."""
        return self._places[source]

    def record(self, source: str) -> DocumentRecord:
        """The record of a known document."""
        return self._index.records[source]

    def places(self, sources: Iterable[str]) -> list[Place]:
        """Where the known ones among the documents are, each once."""
        return [self._places[source] for source in dict.fromkeys(sources) if source in self._places]

    def all_places(self) -> Collection[Place]:
        """Where all documents are."""
        return self._places.values()

    def source(self, document: int) -> str:
        """The key of a document."""
        return self._source_of[document]

    def _forget(self, document: int) -> None:
        source = self._source_of.pop(document)
        if self._places[source].id == document:
            del self._places[source]
            self._index.discard(source)

    def _load(self, db: Database, documents: list[int]) -> None:
        query = f"SELECT {_COLUMNS} FROM document WHERE id IN (SELECT value FROM json_each(?))"
        for id, _stamp, first, *fields in db.rows(query, (dumps(documents),)):
            record = _record(*fields)
            self._source_of[id] = record.source
            self._places[record.source] = Place(id, first, record.chunks)
            self._index.add(record)


def _record(
    source: str, title: str, companies: str, tickers: str, kind: str, period: str | None, published: str | None,
    ingested: str, language: str, content_hash: str, pages: int, chunks: int, tokens: int, versions: str, how: str,
) -> DocumentRecord:  # fmt: skip
    return DocumentRecord(
        source=source,
        title=title,
        companies=_names(companies),
        tickers=_names(tickers),
        kind=kind,
        period=_period(period),
        published=read_day(published),
        ingested=datetime.fromisoformat(ingested),
        language="zh" if language == "zh" else "en",
        content_hash=content_hash,
        pages=pages,
        chunks=chunks,
        tokens=tokens,
        versions=_pairs(versions),
        how=_pairs(how),
    )


# Many documents share a company, a period, their versions and how they were read.
_period = lru_cache(maxsize=1 << 14)(read_period)
_pairs = lru_cache(maxsize=1 << 14)(read_pairs)


@lru_cache(maxsize=1 << 14)
def _names(lists: str) -> tuple[str, ...]:
    return tuple(json.loads(lists))
