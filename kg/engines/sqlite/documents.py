"""A document as it was read, put together from its parts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ....ingest.document import Document, Page
from ...storage.codec import dumps, expand, read_lines, read_pages, read_tables
from ...store import DocumentRecord
from .connection import Database
from .texts import read_text

_RECENT = 2_000
"""Documents whose pages are kept, about 100 bytes a page."""


def read_part(db: Database, document: int, name: str) -> list[Any]:
    """One of the parts that are kept whole; empty where there is none."""
    data = db.value("SELECT data FROM part_of_document WHERE document = ? AND name = ?", (document, name))
    return expand(data) if data else []


class PagesRead:
    """The pages of documents read last: a document stored anew has another id, so they are never stale.

    Used under the lock of its database.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Page, ...]] = {}

    def read(self, db: Database, documents: Collection[int]) -> Mapping[int, tuple[Page, ...]]:
        """Document -> its pages; none where there are none."""
        if len(self._known) > _RECENT:
            self._known = {}
        missing = [document for document in documents if document not in self._known]
        if missing:
            query = """SELECT document, data FROM part_of_document
              WHERE name = 'pages' AND document IN (SELECT value FROM json_each(?))"""
            self._known |= dict.fromkeys(missing, ())
            self._known |= {document: read_pages(expand(data)) for document, data in db.rows(query, (dumps(missing),))}
        return self._known


def read_document(db: Database, document: int, record: DocumentRecord) -> Document:
    """All but its segments and coverage."""
    return Document(
        source=record.source,
        text=read_text(db, document),
        segments=(),
        metadata=record.metadata,
        pages=read_pages(read_part(db, document, "pages")),
        lines=tuple(read_lines(read_part(db, document, "lines"))),
        tables=tuple(read_tables(read_part(db, document, "tables"))),
        content_hash=record.content_hash,
    )
