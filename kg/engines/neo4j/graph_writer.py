"""What extractors read, written as nodes and relationships, and the clusters brought in step with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ....core.errors import StoreError
from ....core.records import dataclass
from ...graph import Merge
from ...resolution.clusters import BY_HAND, Member, Plan, StoredMerge, pooled_context, preferred_name, settle
from ...resolution.matching import LARGEST_BLOCK
from ...schema import Schema
from ...storage.codec import pairs, read_pairs
from ...storage.preparation import names_in
from ...store import GraphPart
from .connection import Change, Row, Transaction, batches
from .entities import NEAR
from .facts import write_drivers, written_row
from .relations import entity_of
from .rows import (
    age,
    entity_row,
    extraction_id,
    merge_row,
    pair_key,
    statement_row,
)

_ENTITIES = """UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
ON CREATE SET e += row.properties, e.cluster = row.id, e.aliases = [], e.made = $since + row.made, e.mentions = 0
SET e:$(row.labels)
FOREACH (block IN CASE WHEN e.blocks IS NULL THEN row.blocks ELSE [] END |
  MERGE (:Spelling {block: block, entity: row.id}))
SET e.blocks = row.blocks
WITH e, row WHERE NOT row.properties.context IN ['', e.context] OR row.properties.name <> e.name
RETURN e.id AS id, e.context AS known, row.properties.context AS more, e.name AS name, row.properties.name AS written"""

_POOLED = "UNWIND $rows AS row MATCH (e:Entity {id: row.id}) SET e.context = row.context, e.name = row.name"

_SAID = """CALL () {
  UNWIND $mentions AS row
  MATCH (c:Chunk {id: row.chunk, document: $source}) MATCH (e:Entity {id: row.entity})
  CREATE (c)-[:MENTIONS {start: row.start, end: row.end, name: row.name, extraction: $extraction}]->(e)
  RETURN count(*) AS mentioned
}
CALL () {
  UNWIND $statements AS row
  MATCH (c:Chunk {id: row.properties.chunk, document: $source})
  MATCH (h:Entity {id: row.properties.head}) MATCH (t:Entity {id: row.properties.tail})
  MERGE (s:Statement {id: row.properties.id})
  ON CREATE SET s += row.properties
  MERGE (s)-[:FROM]->(c)
  CREATE (h)-[r:$(row.type)]->(t) SET r = row.relation
  RETURN count(*) AS stated
}
RETURN mentioned + stated AS made"""

_NAMES = """MATCH (d:Document {source: $source})
OPTIONAL MATCH (d)-[old:NAMES]->(was) SET was.mentions = was.mentions - old.mentions DELETE old
WITH DISTINCT d
CALL (d) {
  MATCH (d)-[:HAS_CHUNK]->(c)-[m:MENTIONS]->(e)
  WITH d, e, count(DISTINCT [c.id, m.start, m.end]) AS mentions
  CREATE (d)-[:NAMES {mentions: mentions}]->(e) SET e.mentions = e.mentions + mentions
}
CALL (d) {
  MATCH (s:Statement {document: d.source}) UNWIND [s.head, s.tail] AS id
  WITH DISTINCT d, id MATCH (e:Entity {id: id}) WHERE NOT (d)-[:NAMES]->(e)
  CREATE (d)-[:NAMES {mentions: 0}]->(e)
}"""

_AROUND = f"""CALL () {{ {_NAMES} }}
CALL () {{ {NEAR} RETURN collect(DISTINCT entity) AS near }}
WITH near, near + $touched AS touched
UNWIND touched AS id
MATCH (t:Entity {{id: id}})
OPTIONAL MATCH (n:Entity {{key: t.key}}) WHERE t.key <> ''
WITH near, collect(DISTINCT t.cluster) + collect(DISTINCT n.cluster) AS clusters
UNWIND clusters AS cluster
WITH DISTINCT near, cluster
MATCH (m:Entity {{cluster: cluster}})
WITH near,
  collect(m {{.id, .name, .type, .key, .context, .cluster, .made, alive: EXISTS {{ (m)<-[:NAMES]-() }}}}) AS members
WITH near, members, [m IN members | m.id] AS ids
OPTIONAL MATCH (g:Merge) WHERE g.low IN ids AND g.high IN ids
RETURN near, members, collect(g {{.id, .entity, .into, .reason, .score, .undone, .given,
  giver: EXISTS {{ (g)<-[:GIVES]-() }}}}) AS merges"""
"""Names anew, by the mentions of $source, and all that is in the clusters around what was touched."""

_APPLY = """CALL () {
  UNWIND $dead AS id MATCH (e:Entity {id: id})
  CALL (e) { UNWIND e.blocks AS block MATCH (s:Spelling {block: block, entity: e.id}) DELETE s }
  DETACH DELETE e
}
CALL () {
  UNWIND $dropped AS pair MATCH (g:Merge {pair: pair})
  OPTIONAL MATCH (:Entity {id: g.entity})-[same:SAME_AS]-(:Entity {id: g.into}) DELETE same
  WITH DISTINCT g DETACH DELETE g
}
CALL () {
  UNWIND $made AS row
  MERGE (g:Merge {pair: row.pair})
  ON CREATE SET g += row.properties
  ON MATCH SET g.given = g.given AND row.properties.given
  WITH g, row, g.undone OR g.reason = $by_hand OR NOT row.properties.given OR (EXISTS { (g)<-[:GIVES]-() }
    AND (g.reason < row.properties.reason OR g.reason = row.properties.reason AND g.score < row.properties.score))
    AS firm
  SET g.reason = CASE WHEN firm THEN g.reason ELSE row.properties.reason END,
    g.score = CASE WHEN firm THEN g.score ELSE row.properties.score END
  WITH g, row
  MATCH (a:Entity {id: row.properties.entity}) MATCH (b:Entity {id: row.properties.into})
  MERGE (a)-[s:SAME_AS]-(b) ON CREATE SET s.reason = row.properties.reason
  WITH g, row WHERE row.properties.given
  MATCH (x:Extraction {id: $extraction}) MERGE (x)-[:GIVES]->(g)
}
CALL () {
  UNWIND $clusters AS row MATCH (e:Entity {id: row.id}) SET e.cluster = row.cluster, e.aliases = row.aliases
}"""

PART_STATEMENTS = (
    Change(_ENTITIES, {"rows": [], "since": 0}),
    Change(_SAID, {"source": "", "extraction": "", "mentions": [], "statements": []}),
    Change(_AROUND, {"source": "", "touched": [], "ids": [], "limit": 0}),
    Change(_APPLY, {"dead": [], "dropped": [], "made": [], "clusters": [], "extraction": "", "by_hand": BY_HAND}),
)
"""What every write of a part runs, with values of nothing."""


@dataclass(frozen=True, slots=True)
class PackedPart:
    """What an extractor read from one document, as rows."""

    source: str
    part: GraphPart
    entities: list[Row]
    """Each with its place in the part as ``made``."""
    mentions: list[Row]
    statements: list[Row]
    drivers: list[Row]


def pack_part(source: str, part: GraphPart, schema: Schema) -> PackedPart:
    """The rows of a part: entities in the order of their ids, in which all writers lock them."""
    extraction, named = extraction_id(source, part.extractor), names_in(part)
    entities = [
        entity_row(entity, schema) | {"made": number}
        for number, entity in enumerate(part.entities)
        if entity.id in named
    ]
    places = {(m.chunk, m.start, m.end, m.entity): m.name for m in part.mentions}
    mentions: list[Row] = [
        {"chunk": chunk, "start": start, "end": end, "entity": entity, "name": name}
        for (chunk, start, end, entity), name in places.items()
    ]
    said = {s.id: s for s in part.statements}
    return PackedPart(
        source,
        part,
        sorted(entities, key=lambda row: str(row["id"])),
        mentions,
        [statement_row(s, source, extraction, schema) for s in said.values()],
        [written_row(driver, source, extraction) for driver in part.drivers],
    )


def write_part(tx: Transaction, packed: PackedPart, version: int) -> None:
    """Store a part of a document whose chunks are there."""
    source, extraction = packed.source, extraction_id(packed.source, packed.part.extractor)
    _pool(tx, tx.run_batches(_ENTITIES, packed.entities, since=age(version, 0)))
    made = 0
    for mentions, statements in batches(packed.mentions, packed.statements):
        given = {"mentions": mentions, "statements": statements}
        made += tx.run(_SAID, source=source, extraction=extraction, **given)[0]["made"]
    if made != len(packed.mentions) + len(packed.statements):
        raise StoreError("the graph names a chunk that is not in the document", where=source)
    write_drivers(tx, source, packed.drivers)


def _pool(tx: Transaction, found: Iterable[Mapping[str, Any]]) -> None:
    """Keep what this document knows of stored entities, and how it writes them, with what is known already."""
    pooled = [
        {
            "id": row["id"],
            "context": pairs(pooled_context(read_pairs(row["known"]), read_pairs(row["more"]))),
            "name": preferred_name(row["name"], row["written"]),
        }
        for row in found
    ]
    if pooled:
        tx.run_batches(_POOLED, pooled)


def settle_clusters(
    tx: Transaction,
    version: int,
    touched: Iterable[str],
    unsettled: Collection[str],
    given: Sequence[Merge] = (),
    extraction: str = "",
    source: str = "",
) -> Plan:
    """Drop orphans, make merges and group anew around the touched entities: two round trips.

    With a ``source``, first say anew which entities the document names and how often: a place counts once, whoever
    finds it. Entities whose names may be other spellings of the ``unsettled`` ones are looked at too.
    """
    ids = {*touched, *(id for merge in given for id in (merge.entity, merge.into))}
    values = {"touched": sorted(ids), "ids": sorted(unsettled), "limit": LARGEST_BLOCK + 1, "source": source}
    (row,) = tx.run(_AROUND, **values) or ({"members": [], "merges": [], "near": []},)
    near = set(row["near"]).difference(unsettled)
    members = list(map(_member, row["members"]))
    stored = list(map(_stored, row["merges"]))
    plan = settle(members, stored, unsettled, given, near)
    made = [(merge, bool(extraction)) for merge in plan.given] + [(merge, False) for merge in plan.found]
    if plan.dead or plan.dropped or made or plan.clusters:
        tx.run(
            _APPLY,
            dead=list(plan.dead),
            dropped=[pair_key(*found) for found in plan.dropped],
            made=[merge_row(merge, is_given, age(version, number)) for number, (merge, is_given) in enumerate(made)],
            clusters=[
                {"id": id, "cluster": cluster, "aliases": list(aliases)}
                for id, (cluster, aliases) in plan.clusters.items()
            ],
            extraction=extraction,
            by_hand=BY_HAND,
        )
    return plan


def _member(row: dict[str, Any]) -> Member:
    return Member(entity_of(row), row["cluster"], row["made"], row["alive"])


def _stored(row: dict[str, Any]) -> StoredMerge:
    given, giver = row.pop("given"), row.pop("giver")
    return StoredMerge(Merge(**row), given, giver)
