"""A document, and what extractors read from it, written, replaced and removed: one transaction each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ....core.errors import StoreError
from ....core.records import dataclass
from ....ingest.chunk import SUMMARIES
from ....models.embedders import MAIN, MULTILINGUAL, Space
from ...graph import Entity, Statement
from ...resolution.clusters import pooled_context, preferred_name
from ...resolution.matching import name_grams
from ...storage.codec import (
    anchor_lists,
    chunk_extras,
    compress,
    day_text,
    dumps,
    line_lists,
    pack_vectors,
    page_lists,
    pairs,
    period_json,
    read_pairs,
    split_sentences,
    table_records,
    triple_lists,
)
from ...storage.preparation import check, document_fields, extractor_name, merges_in, names_in
from ...storage.term_counts import pack_terms
from ...store import Bundle, GraphPart
from .clusters import Clusters
from .connection import Database
from .documents import Place, chunk_ids, pack_text
from .entities import AMONG, index_spellings
from .facts import write_drivers, write_facts
from .vectors import TABLES
from .words import forget_words, index_words, pack_words, unpack_words

if TYPE_CHECKING:
    import numpy as np

_STATEMENT = (
    "key document part chunk head relation tail start end text anchors period published modality confidence extractor "
    "metadata"
)

Footprint = Mapping[int, int]
"""Entity -> how often the document mentions it; 0 where only a statement names it."""


def footprint(db: Database, document: int) -> Footprint:
    """The entities of a document."""
    mentions = Counter(
        entity
        for (entity,) in db.rows(
            """SELECT entity FROM (SELECT DISTINCT m.entity, m.chunk, m.start, m."end" FROM mention AS m
            JOIN chunk AS c ON c.id = m.chunk WHERE c.document = ?)""",
            (document,),
        )
    )
    named = chain.from_iterable(db.rows("SELECT head, tail FROM statement WHERE document = ?", (document,)))
    return {**dict.fromkeys(named, 0), **mentions}


def write_part(db: Database, document: int, source: str, part: GraphPart) -> set[int]:
    """Store a part; the clusters whose merges it changes."""
    rejected = compress(triple_lists(part.rejected)) if part.rejected else None
    number = db.insert(
        "INSERT INTO part (document, extractor, rejected) VALUES (?, ?, ?)", (document, part.extractor, rejected)
    )
    named = names_in(part)
    entities = _write_entities(db, [entity for entity in part.entities if entity.id in named])
    places = (part.mentions, part.statements, part.drivers)
    wanted = {found.chunk for listed in places for found in listed}
    chunks = chunk_ids(db, document, wanted)
    if len(chunks) != len(wanted):
        raise StoreError("the graph names a chunk that is not in the document", where=source)
    _write_mentions(db, document, number, part, entities, chunks)
    _write_statements(db, document, number, part.statements, entities, chunks)
    write_drivers(db, document, number, part.drivers, chunks)
    return Clusters(db).give(merges_in(part), number)


def forget_part(db: Database, part: int, document: int) -> None:
    """Take away what an extractor read."""
    db.run("""DELETE FROM mention WHERE part = ? AND chunk IN (SELECT id FROM chunk WHERE document = ?)""",
           (part, document))  # fmt: skip
    db.run("DELETE FROM statement WHERE part = ? AND document = ?", (part, document))
    db.run("DELETE FROM part WHERE id = ?", (part,))


def settle(db: Database, before: Footprint, after: Footprint, merged: set[int]) -> None:
    """Bring counts, orphans and clusters in step after a document's graph went from ``before`` to ``after``.

    ``merged`` are clusters whose merges have changed. Costs what the document names, not what is stored.
    """
    clusters = Clusters(db)
    touched = before.keys() | after.keys()
    clusters.count(before, after)
    db.run_many(
        "UPDATE entity SET mentions = mentions + ?, documents = documents + ? WHERE id = ?",
        (
            (after.get(entity, 0) - before.get(entity, 0), (entity in after) - (entity in before), entity)
            for entity in touched
            if after.get(entity) != before.get(entity)
        ),
    )
    changed = merged | clusters.drop_orphans(before.keys() - after.keys())
    unsettled = (after.keys() - before.keys()) | clusters.members(changed)
    clusters.regroup(changed)
    clusters.regroup(clusters.merge_namesakes(unsettled))


@dataclass(slots=True)
class _Stored:
    """An entity's row: its number, what it is called, what is known of it."""

    id: int
    name: str
    context: str


def _write_entities(db: Database, entities: Sequence[Entity]) -> dict[str, _Stored]:
    keys = dumps([entity.id for entity in entities])
    rows = db.rows(f"SELECT key, id, name, context FROM entity WHERE key IN {AMONG}", (keys,))
    known = {key: _Stored(*row) for key, *row in rows}
    for entity in entities:
        stored = known.get(entity.id)
        if stored is None:
            known[entity.id] = _Stored(_write_entity(db, entity), entity.name, pairs(entity.context))
            continue
        if entity.name != stored.name:
            _rename_entity(db, stored, preferred_name(stored.name, entity.name))
        if entity.context and pairs(entity.context) != stored.context:
            _join_entity(db, stored, entity.context)
    return known


def _write_entity(db: Database, entity: Entity) -> int:
    number = db.value("SELECT coalesce(max(id), 0) + 1 FROM entity")
    db.run(
        "INSERT INTO entity (id, key, name, type, name_key, context, cluster) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, entity.id, entity.name, entity.type, entity.key, pairs(entity.context), number),
    )
    db.run("INSERT INTO entity_name (rowid, grams) VALUES (?, ?)", (number, " ".join(name_grams(entity.name))))
    index_spellings(db, number, entity)
    return int(number)


def _rename_entity(db: Database, stored: _Stored, name: str) -> None:
    """Call an entity by another way to write its name; its mentions keep the words of their documents."""
    if name == stored.name:
        return
    db.run("UPDATE mention SET name = ? WHERE entity = ? AND name IS NULL", (stored.name, stored.id))
    db.run("UPDATE entity SET name = ? WHERE id = ?", (name, stored.id))
    stored.name = name


def _join_entity(db: Database, stored: _Stored, more: Mapping[str, str]) -> None:
    """Keep what this document knows of a stored entity with what is known already."""
    context = pairs(pooled_context(read_pairs(stored.context), more))
    if context != stored.context:
        db.run("UPDATE entity SET context = ? WHERE id = ?", (context, stored.id))
        stored.context = context


def _write_mentions(
    db: Database, document: int, part: int, given: GraphPart, entities: Mapping[str, _Stored], chunks: Mapping[str, int]
) -> None:
    rows = (
        (
            *(chunks[m.chunk], m.start, m.end, entities[m.entity].id, part, document),
            None if m.name == entities[m.entity].name else m.name,
        )
        for m in given.mentions
    )
    db.fill("mention", "chunk start end entity part document name", rows)


def _write_statements(
    db: Database,
    document: int,
    part: int,
    statements: Iterable[Statement],
    entities: Mapping[str, _Stored],
    chunks: Mapping[str, int],
) -> None:
    rows = (
        (
            *(s.id, document, part, chunks[s.chunk], entities[s.head].id, s.relation, entities[s.tail].id),
            *(s.start, s.end, s.text, dumps(anchor_lists(s.anchors)), period_json(s.period), day_text(s.published)),
            *(s.modality, s.confidence, s.extractor, pairs(s.metadata)),
        )
        for s in statements
    )
    db.fill("statement", _STATEMENT, rows)


@dataclass(frozen=True, slots=True)
class PackedVectors:
    """A document's vectors in a space."""

    embedder: str
    dim: int
    chunks: bytes
    sentences: list[bytes]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What can be packed before the store is locked."""

    blocks: list[tuple[int, bytes]]
    parts: dict[str, bytes]
    extras: list[bytes]
    spaces: Mapping[Space, PackedVectors]


def prepare(bundle: Bundle) -> Prepared:
    """Pack a document. Raises ValueError for one that contradicts itself."""
    check(bundle)
    document = bundle.document
    parts = {"words": pack_words(bundle), "terms": pack_terms(bundle.words, bundle.heading_words)}
    for name, lists in (
        ("tables", table_records(document.tables)),
        ("pages", page_lists(document.pages)),
        ("lines", line_lists(document.lines)),
    ):
        if lists:
            parts[name] = compress(lists)
    return Prepared(
        blocks=pack_text(document.text),
        parts=parts,
        extras=list(map(chunk_extras, bundle.chunks)),
        spaces=_packed_spaces(bundle),
    )


def _packed_spaces(bundle: Bundle) -> dict[Space, PackedVectors]:
    packed: dict[Space, PackedVectors] = {}
    if bundle.vectors is not None:
        packed[MAIN] = _packed(bundle, bundle.embedder, bundle.vectors, bundle.sentence_vectors)
    if bundle.multilingual is not None:
        beside = bundle.multilingual
        packed[MULTILINGUAL] = _packed(bundle, beside.embedder, beside.chunks, beside.sentences)
    return packed


def _packed(bundle: Bundle, embedder: str, vectors: np.ndarray, sentences: np.ndarray | None) -> PackedVectors:
    split: Iterable[bytes] = ()
    if sentences is not None:
        split = split_sentences(sentences, bundle.chunks)
    return PackedVectors(embedder, vectors.shape[1], pack_vectors(vectors), list(split))


def put(db: Database, bundle: Bundle, prepared: Prepared) -> None:
    """Store a document in place of its older version."""
    source = bundle.document.source
    version = next_version(db)
    before, merged = _clear(db, source)
    for space, packed in prepared.spaces.items():
        _claim_embedder(db, space, packed)
    document = _write_document(db, bundle, version)
    _write_chunks(db, document, bundle, prepared)
    write_facts(db, document, bundle.facts)
    merged |= write_part(db, document, source, bundle.graph)
    settle(db, before, footprint(db, document), merged)


def put_graph(db: Database, source: str, part: GraphPart) -> None:
    """Replace what an extractor of the same name had read."""
    row = db.row("SELECT id, versions FROM document WHERE source = ?", (source,))
    if row is None:
        raise StoreError("there is no such document", where=source, hint="Add it first")
    document, versions = row
    before = footprint(db, document)
    name = extractor_name(part.extractor)
    parts = db.rows("SELECT id, extractor FROM part WHERE document = ?", (document,))
    merged = _forget_parts(db, document, [id for id, other in parts if extractor_name(other) == name])
    merged |= write_part(db, document, source, part)
    settle(db, before, footprint(db, document), merged)
    versions = {**read_pairs(versions), f"extract:{name}": part.extractor}
    values = (pairs(versions), next_version(db), document)
    db.run("UPDATE document SET versions = ?, stamp = ? WHERE id = ?", values)


def put_summaries(db: Database, source: str, author: str, parts: Mapping[str, bytes], of_text: str) -> bool:
    """Replace what a model wrote of a document's sections; False where its text is no longer that of a hash."""
    row = db.row("SELECT id, versions, content_hash FROM document WHERE source = ?", (source,))
    if of_text and (row is None or row[2] != of_text):
        return False
    if row is None:
        raise StoreError("there is no such document", where=source, hint="Add it first")
    document, versions, _ = row
    rows = ((document, name, data) for name, data in parts.items())
    db.run_many("INSERT OR REPLACE INTO part_of_document (document, name, data) VALUES (?, ?, ?)", rows)
    values = (pairs({**read_pairs(versions), SUMMARIES: author}), next_version(db), document)
    db.run("UPDATE document SET versions = ?, stamp = ? WHERE id = ?", values)
    return True


def remove(db: Database, source: str) -> bool:
    """Take a document away with all that only it gave."""
    if db.row("SELECT 1 FROM document WHERE source = ?", (source,)) is None:
        return False
    next_version(db)
    before, merged = _clear(db, source)
    settle(db, before, {}, merged)
    return True


def next_version(db: Database) -> int:
    """Count a write, so that every process sees that its caches are stale."""
    version: int = db.value("UPDATE setting SET value = value + 1 WHERE name = 'version' RETURNING value")
    return version


def _clear(db: Database, source: str) -> tuple[Footprint, set[int]]:
    """Delete a document's rows; the entities it named, and the clusters whose merges it gave."""
    row = db.row("SELECT id, first_chunk, chunks FROM document WHERE source = ?", (source,))
    if row is None:
        return {}, set()
    place = Place(*row)
    before = footprint(db, place.id)
    parts = db.column("SELECT id FROM part WHERE document = ?", (place.id,))
    merged = _forget_parts(db, place.id, parts)
    forget_words(db, place)
    db.run("DELETE FROM document WHERE id = ?", (place.id,))
    return before, merged


def _forget_parts(db: Database, document: int, parts: list[int]) -> set[int]:
    clusters = Clusters(db)
    touched, merges = clusters.given_by(parts), clusters.merges_of(parts)
    for part in parts:
        forget_part(db, part, document)
    clusters.drop_ungiven(merges)
    return touched


def _claim_embedder(db: Database, space: Space, packed: PackedVectors) -> None:
    """Vectors of different models never meet in one space."""
    tables, name, dim = TABLES[space], packed.embedder, packed.dim
    if db.row(f"SELECT 1 FROM {tables.chunks} LIMIT 1"):
        settings = (tables.embedder, tables.dim)
        known = tuple(db.value("SELECT value FROM setting WHERE name = ?", (key,)) for key in settings)
        if known != (name, dim):
            what = f"its vectors come from {known[0]} ({known[1]} numbers), not from {name} ({dim})"
            raise StoreError(what, where=db.where, hint="Use the same embedding model, or another workspace")
    values = ((name, tables.embedder), (dim, tables.dim))
    db.run_many("UPDATE setting SET value = ? WHERE name = ?", values)


def _write_document(db: Database, bundle: Bundle, version: int) -> int:
    known = bundle.document.metadata
    columns = {
        **document_fields(bundle, version),
        "companies": dumps(known.companies),
        "tickers": dumps(known.tickers),
        "first_chunk": db.value("SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'chunk'"),
    }
    marks = ", ".join("?" * len(columns))
    return db.insert(f"INSERT INTO document ({', '.join(columns)}) VALUES ({marks})", tuple(columns.values()))


def _write_chunks(db: Database, document: int, bundle: Bundle, prepared: Prepared) -> None:
    first = db.value("SELECT first_chunk FROM document WHERE id = ?", (document,))
    db.run_many("INSERT INTO block VALUES (?, ?, ?)", ((document, *block) for block in prepared.blocks))
    db.run_many("INSERT INTO part_of_document VALUES (?, ?, ?)", ((document, *p) for p in prepared.parts.items()))
    db.run_many(
        "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (first + i, chunk.id, document, chunk.start, chunk.end, chunk.kind, chunk.tokens, chunk.value, extras)
            for i, (chunk, extras) in enumerate(zip(bundle.chunks, prepared.extras, strict=True))
        ),
    )
    for space, packed in prepared.spaces.items():
        tables = TABLES[space]
        db.run(f"INSERT INTO {tables.chunks} VALUES (?, ?)", (document, packed.chunks))
        rows = ((first + i, data) for i, data in enumerate(packed.sentences))
        db.run_many(f"INSERT INTO {tables.sentences} VALUES (?, ?)", rows)
    index_words(db, first, unpack_words(prepared.parts["words"]))
