"""What an extractor read from a document, written and taken away; counts are kept in step with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ....core.errors import StoreError
from ...graph import Entity, Statement
from ...resolution.clusters import pooled_context, preferred_name
from ...resolution.matching import name_grams
from ...storage.codec import anchor_lists, compress, day_text, dumps, pairs, period_json, read_pairs, triple_lists
from ...storage.preparation import merges_in, names_in
from ...store import GraphPart
from .clusters import Clusters
from .connection import Database
from .documents import chunk_ids
from .entities import AMONG, index_spellings
from .facts import write_drivers

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
