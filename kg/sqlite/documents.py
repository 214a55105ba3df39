"""A document as it was read, put together from its parts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...ingest.document import Document
from ..codec import dumps, expand, read_lines, read_pages, read_tables
from ..store import DocumentRecord
from .connection import Database
from .texts import read_text


def read_part(db: Database, document: int, name: str) -> list[Any]:
    """One of the parts that are kept whole; empty where there is none."""
    data = db.value("SELECT data FROM part_of_document WHERE document = ? AND name = ?", (document, name))
    return expand(data) if data else []


def read_page_lists(db: Database, documents: Collection[int]) -> dict[int, list[Any]]:
    """Document -> its pages as they are kept, of those that have any."""
    query = """SELECT document, data FROM part_of_document
      WHERE name = 'pages' AND document IN (SELECT value FROM json_each(?))"""
    return {document: expand(data) for document, data in db.rows(query, (dumps(list(documents)),))}


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
