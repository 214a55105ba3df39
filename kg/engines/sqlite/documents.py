"""The records of all documents in memory, kept up to date; documents as they were read, put together from their parts;
texts in blocks, so that a chunk is read alone; chunks by their public ids, and who stands next to whom.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ....core.recent import Recent
from ....core.scope import Scope
from ....ingest.chunk import Chunk, SectionSummaries
from ....ingest.document import Line, Page, Table
from ...storage.codec import (
    TEXTS,
    VECTORS,
    dumps,
    expand,
    read_day,
    read_extras,
    read_lines,
    read_pages,
    read_pairs,
    read_period,
    read_tables,
    unpack_summaries,
)
from ...storage.scope_filter import ScopeIndex
from ...store import DocumentRecord, Hit
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


_MOST_PAGES, _PAGE = 20 << 20, 430
"""Bytes of pages kept, and of one; this size and those of a line, a cell and a chunk are of an annual report."""
_MOST_PARTS, _LINE, _CELL = 48 << 20, 310, 90
"""Bytes of texts, lines and tables of documents kept."""
_MOST_BLOCKS = 8 << 20
"""Bytes of blocks of text kept."""
_MOST_CHUNKS, _CHUNK = 20 << 20, 2_500
"""Bytes of chunks kept, and of one beside its text."""


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
        self._known: Recent[int, tuple[Page, ...]] = Recent(_MOST_PAGES, lambda pages: _PAGE * len(pages))

    def read(self, db: Database, documents: Collection[int]) -> Mapping[int, tuple[Page, ...]]:
        """Document -> its pages; none where there are none."""
        return self._known.read(documents, partial(_read_pages, db))


def _read_pages(db: Database, documents: Sequence[int]) -> dict[int, tuple[Page, ...]]:
    query = """SELECT document, data FROM part_of_document
      WHERE name = 'pages' AND document IN (SELECT value FROM json_each(?))"""
    found: dict[int, tuple[Page, ...]] = dict.fromkeys(documents, ())
    return found | {document: read_pages(expand(data)) for document, data in db.rows(query, (dumps(documents),))}


class PartsRead:
    """Texts, lines and tables of the documents read last: the steps of an answer, and questions on one company, ask for
    the same ones again and again.

    A document stored anew has another id, so they are never stale. Used under the lock of its database.
    """

    def __init__(self) -> None:
        self._texts: Recent[int, str] = Recent(_MOST_PARTS // 3, sys.getsizeof)
        self._tables: Recent[int, tuple[Table, ...]] = Recent(_MOST_PARTS // 3, _size_of_tables)
        self._lines: Recent[int, tuple[Line, ...]] = Recent(_MOST_PARTS // 3, lambda lines: _LINE * len(lines))

    def text(self, db: Database, document: int) -> str:
        """The whole text."""
        return self._texts.made(document, partial(read_text, db, document))

    def tables(self, db: Database, document: int) -> tuple[Table, ...]:
        """All tables, in order."""
        return self._tables.made(document, partial(_read_tables, db, document))

    def lines(self, db: Database, document: int) -> tuple[Line, ...]:
        """The printed lines, in order."""
        return self._lines.made(document, partial(_read_lines, db, document))


def _size_of_tables(tables: Sequence[Table]) -> int:
    return _CELL * sum(len(row) for table in tables for row in table.rows)


def _read_tables(db: Database, document: int) -> tuple[Table, ...]:
    return tuple(read_tables(read_part(db, document, "tables")))


def _read_lines(db: Database, document: int) -> tuple[Line, ...]:
    return tuple(read_lines(read_part(db, document, "lines")))


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
        self._known: Recent[tuple[int, int], str] = Recent(_MOST_BLOCKS, sys.getsizeof)

    def spans(self, db: Database, wanted: Sequence[tuple[int, int, int]]) -> list[str]:
        """The text of each (document, start, end)."""
        keys = {(document, i) for document, start, end in wanted for i in _blocks(start, end)}
        blocks = self._known.read(sorted(keys), partial(_read_blocks, db))
        return [_cut(blocks, document, start, end) for document, start, end in wanted]


def _read_blocks(db: Database, keys: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str]:
    query = """SELECT document, ordinal, text FROM json_each(?) AS k
      JOIN block ON document = json_extract(k.value, '$[0]') AND ordinal = json_extract(k.value, '$[1]')"""
    rows = db.rows(query, (dumps(keys),))
    return {(document, ordinal): _unpack_block(text) for document, ordinal, text in rows}


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


_AMONG = "(SELECT value FROM json_each(?))"


class RecentChunks:
    """The chunks read last: the steps of a search ask for the same ones. Used under the lock of its database."""

    def __init__(self) -> None:
        self._version = -1
        self._known: Recent[str, Chunk] = Recent(_MOST_CHUNKS, lambda chunk: _CHUNK + sys.getsizeof(chunk.text))
        self._blocks = BlocksRead()

    def read(self, db: Database, catalogue: Catalogue, ids: Sequence[str]) -> list[Chunk]:
        """In the order asked for; unknown ids are left out. A write of any process makes what is kept stale."""
        if self._version != catalogue.version:
            self._known.clear()
            self._version = catalogue.version
        found = self._known.read(ids, partial(self._missing, db, catalogue))
        return [found[id] for id in ids if id in found]

    def _missing(self, db: Database, catalogue: Catalogue, ids: Sequence[str]) -> dict[str, Chunk]:
        read = self._select(db, catalogue, f"key IN {_AMONG}", (dumps(sorted(ids)),))
        return {chunk.id: chunk for chunk in read}

    def read_document(self, db: Database, catalogue: Catalogue, source: str) -> list[Chunk]:
        """All chunks of a document, in order."""
        place = catalogue.place(source)
        return self._select(db, catalogue, "document = ? ORDER BY id", (place.id,)) if place else []

    def _select(self, db: Database, catalogue: Catalogue, condition: str, values: Sequence[object]) -> list[Chunk]:
        rows = db.rows(
            f'SELECT id, key, document, start, "end", kind, tokens, value, data FROM chunk WHERE {condition}', values
        )
        texts = self._blocks.spans(db, [(document, start, end) for _, _, document, start, end, *_ in rows])
        return [_chunk(catalogue, row, text) for row, text in zip(rows, texts, strict=True)]


def sources_of(db: Database, catalogue: Catalogue, ids: Collection[str]) -> dict[str, str]:
    """Chunk -> source of its document."""
    rows = db.rows(f"SELECT key, document FROM chunk WHERE key IN {_AMONG}", (dumps(list(ids)),))
    return {key: catalogue.source(document) for key, document in rows}


def neighbours(db: Database, catalogue: Catalogue, ids: Collection[str], distance: int) -> dict[str, tuple[str, ...]]:
    """Chunk -> the ids before and after it in its document, in order."""
    rows = db.rows(f"SELECT key, id, document FROM chunk WHERE key IN {_AMONG}", (dumps(list(ids)),))
    around: dict[str, list[int]] = {}
    for key, id, document in rows:
        place = catalogue.known_place(catalogue.source(document))
        low, high = max(place.first, id - distance), min(place.first + place.chunks - 1, id + distance)
        around[key] = [i for i in range(low, high + 1) if i != id]
    keys = chunk_keys(db, {i for near in around.values() for i in near})
    return {key: tuple(keys[i] for i in around[key]) for key in ids if key in around}


def hits_of(db: Database, catalogue: Catalogue, scores: Mapping[int, float]) -> list[Hit]:
    """Hits of internal ids, in any order."""
    rows = db.rows(f"SELECT id, key, document FROM chunk WHERE id IN {_AMONG}", (dumps(list(scores)),))
    return [Hit(key, scores[id], catalogue.source(document)) for id, key, document in rows]


def chunk_keys(db: Database, ids: Iterable[int]) -> dict[int, str]:
    """Internal id -> public id."""
    return dict(db.rows(f"SELECT id, key FROM chunk WHERE id IN {_AMONG}", (dumps(list(map(int, ids))),)))


def chunk_ids(db: Database, document: int, keys: Iterable[str]) -> Mapping[str, int]:
    """Public id -> internal id of those in a document."""
    query = f"SELECT key, id FROM chunk WHERE key IN {_AMONG} AND document = ?"
    return dict(db.rows(query, (dumps(list(keys)), document)))


def _chunk(catalogue: Catalogue, row: Sequence[Any], text: str) -> Chunk:
    id, key, document, start, end, kind, tokens, value, data = row
    source = catalogue.source(document)
    ordinal = id - catalogue.known_place(source).first
    extras = read_extras(data, text)
    return Chunk(key, source, ordinal, start, end, text, kind, tokens=tokens, value=value, **extras)
