"""Documents as they were read, put together from their parts; texts in blocks, so that a chunk is read alone."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ....core.sequences import without
from ....ingest.document import Document, Page
from ....ingest.section_summaries import SectionSummaries
from ...storage.codec import dumps, expand, read_lines, read_pages, read_tables
from ...storage.summary_parts import TEXTS, VECTORS, unpack_summaries
from ...store import DocumentRecord
from .connection import Database

_RECENT = 2_000
"""Documents whose pages are kept, about 100 bytes a page."""
_RECENT_BLOCKS = 500
"""Blocks of text kept, 16 KB each of English, twice that of Chinese."""


def read_part(db: Database, document: int, name: str) -> list[Any]:
    """One of the parts that are kept whole; empty where there is none."""
    data = db.value("SELECT data FROM part_of_document WHERE document = ? AND name = ?", (document, name))
    return expand(data) if data else []


def read_summaries(db: Database, documents: Mapping[int, str]) -> dict[str, SectionSummaries]:
    """Source -> the summaries of its sections, for those of the documents (id -> source) that have some."""
    query = """SELECT document, name, data FROM part_of_document
      WHERE name IN (?, ?) AND document IN (SELECT value FROM json_each(?))"""
    parts: dict[str, dict[str, bytes]] = {}
    for document, name, data in db.rows(query, (TEXTS, VECTORS, dumps(list(documents)))):
        parts.setdefault(documents[document], {})[name] = data
    return {source: unpack_summaries(own) for source, own in parts.items()}


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
        missing = without(documents, self._known)
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


BLOCK_CHARACTERS = 16_384


def pack_text(text: str) -> list[tuple[int, bytes]]:
    """(ordinal, compressed text) of each block."""
    return [(i, _pack_block(text, i)) for i in range(-(-len(text) // BLOCK_CHARACTERS))]


def read_text(db: Database, document: int) -> str:
    """The whole text."""
    rows = db.rows("SELECT text FROM block WHERE document = ? ORDER BY ordinal", (document,))
    return "".join(_unpack_block(text) for (text,) in rows)


class BlocksRead:
    """The blocks of text read last, which questions in a row share: unpacking them anew was a twelfth of a question.

    A document stored anew has another id, so they are never stale. Used under the lock of its database.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], str] = {}

    def spans(self, db: Database, wanted: Sequence[tuple[int, int, int]]) -> list[str]:
        """The text of each (document, start, end)."""
        keys = {(document, i) for document, start, end in wanted for i in _blocks(start, end)}
        missing = sorted(keys - self._known.keys())
        if len(self._known) + len(missing) > _RECENT_BLOCKS:
            self._known = {key: self._known[key] for key in keys & self._known.keys()}
        if missing:
            query = """SELECT document, ordinal, text FROM json_each(?) AS k
              JOIN block ON document = json_extract(k.value, '$[0]') AND ordinal = json_extract(k.value, '$[1]')"""
            for document, ordinal, text in db.rows(query, (dumps(missing),)):
                self._known[document, ordinal] = _unpack_block(text)
        return [_cut(self._known, document, start, end) for document, start, end in wanted]


def _pack_block(text: str, ordinal: int) -> bytes:
    start = ordinal * BLOCK_CHARACTERS
    return zlib.compress(text[start : start + BLOCK_CHARACTERS].encode("utf-8", "surrogatepass"))


def _unpack_block(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


def _blocks(start: int, end: int) -> range:
    return range(start // BLOCK_CHARACTERS, max(end - 1, start) // BLOCK_CHARACTERS + 1)


def _cut(blocks: dict[tuple[int, int], str], document: int, start: int, end: int) -> str:
    numbers = _blocks(start, end)
    text = "".join(blocks.get((document, i), "") for i in numbers)
    offset = numbers.start * BLOCK_CHARACTERS
    return text[start - offset : end - offset]
