"""What extractors read, written as nodes and relationships, and the clusters brought in step with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ....core.errors import StoreError
from ....core.records import dataclass
from ....ingest.chunk import Chunk
from ...graph import Merge
from ...resolution.clusters import BY_HAND, Member, Plan, StoredMerge, pooled_context, preferred_name, settle
from ...schema import Schema
from ...storage.codec import pairs, read_pairs
from ...storage.preparation import names_in
from ...store import GraphPart
from .connection import Change, Row, Transaction, batches
from .entities import NEAR
from .facts import write_drivers, written_row
from .relations import entity_of
from .rows import (
    MOST_A_WRITE,
    STATEMENT,
    age,
    entity_row,
    extraction_code,
    extraction_id,
    from_values,
    merge_row,
    pair_key,
    statement_row,
    values_of,
)

_ENTITY = """MERGE (e:Entity {id: row.id})
ON CREATE SET e += row.properties, e.cluster = row.id, e.aliases = [], e.made = $since + row.made, e.mentions = 0
SET e:$(row.labels)
FOREACH (block IN CASE WHEN e.blocks IS NULL THEN row.blocks ELSE [] END |
  MERGE (:Spelling {block: block, entity: row.id}))
SET e.blocks = row.blocks"""
_HAS_MORE = "NOT row.properties.context IN ['', e.context] OR row.properties.name <> e.name"
_MORE = "{id: e.id, known: e.context, more: row.properties.context, name: e.name, written: row.properties.name}"
_ENTITIES = f"UNWIND $rows AS row {_ENTITY} WITH e, row WHERE {_HAS_MORE} RETURN {_MORE} AS more"

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

_HEAD = 5
"""Of the row of a statement what stands before its properties: chunk, ends, type of the relation, day."""

WITH_GRAPH = f"""CALL (w) {{
  UNWIND $entities AS row
  {_ENTITY.replace("$since + row.made", f"w.version * {MOST_A_WRITE} + row.made")}
  WITH e, row ORDER BY row.place
  RETURN collect(e) AS entities, collect(CASE WHEN {_HAS_MORE} THEN {_MORE} END) AS more
}}
CALL (d, entities) {{
  UNWIND $names AS row
  WITH d, entities[row[0]] AS e, row[1] AS mentions
  CREATE (d)-[:NAMES {{mentions: mentions}}]->(e) SET e.mentions = e.mentions + mentions
}}
CALL (chunks, entities) {{
  UNWIND $mentions AS row
  WITH row, chunks[row[0]] AS c, entities[row[1]] AS e
  CREATE (c)-[:MENTIONS {{start: row[2], end: row[3], name: row[4], extraction: $extracted}}]->(e)
}}
CALL (chunks, entities) {{
  UNWIND $statements AS row
  WITH row, chunks[row[0]] AS c, entities[row[1]] AS h, entities[row[2]] AS t
  CREATE (s:Statement {from_values(STATEMENT, _HEAD)})
  CREATE (s)-[:FROM]->(c)
  CREATE (h)-[r:$(row[3]) {{document: s.document, published: row[4], confidence: s.confidence, relation: s.relation,
    statement: s.id, period: s.period_label, modality: s.modality}}]->(t)
}}"""
"""The graph of a document ``d`` that is written anew, its ``chunks`` and entities found by their place in the lists."""

_NAMES = """MATCH (d:Document {source: $source})
OPTIONAL MATCH (d)-[old:NAMES]->(was) SET was.mentions = was.mentions - old.mentions DELETE old
WITH DISTINCT d
CALL (d) {
  MATCH (d)-[:HAS_CHUNK]->(c)-[m:MENTIONS]->(e)
  WITH d, e, count(DISTINCT [c.id, m.start, m.end]) AS mentions
  CREATE (d)-[:NAMES {mentions: mentions}]->(e) SET e.mentions = e.mentions + mentions
}
CALL (d) {
  MATCH (d)-[:HAS_CHUNK]->()<-[:FROM]-(s:Statement) UNWIND [s.head, s.tail] AS id
  WITH DISTINCT d, id MATCH (e:Entity {id: id}) WHERE NOT (d)-[:NAMES]->(e)
  CREATE (d)-[:NAMES {mentions: 0}]->(e)
}"""

AROUND = f"""CALL (fresh) {{ {NEAR} RETURN collect(DISTINCT entity) AS near }}
CALL (near, touched) {{
  CALL (near) {{ UNWIND near AS id MATCH (t:Entity {{id: id}}) RETURN collect(t) AS alike }}
  UNWIND touched + alike AS t
  OPTIONAL MATCH (n:Entity {{key: t.key}}) WHERE t.key <> ''
  WITH collect(DISTINCT t.cluster) + collect(DISTINCT n.cluster) AS clusters
  UNWIND clusters AS cluster
  WITH DISTINCT cluster
  MATCH (m:Entity {{cluster: cluster}})
  RETURN
    collect(m {{.id, .name, .type, .key, .context, .cluster, .made, alive: EXISTS {{ (m)<-[:NAMES]-() }}}}) AS members
}}
CALL (members) {{
  WITH [m IN members | m.id] AS ids
  MATCH (g:Merge) WHERE g.low IN ids AND g.high IN ids
  RETURN collect(g {{.id, .entity, .into, .reason, .score, .undone, .given,
    giver: EXISTS {{ (g)<-[:GIVES]-() }}}}) AS merges
}}"""
"""All that is in the clusters around the entities ``touched``, and around those whose names may be other spellings of
the ``fresh`` ones: ``near``, ``members`` and ``merges``."""

_LOOK_AROUND = f"""CALL () {{ {_NAMES} }}
CALL () {{ UNWIND $touched AS id MATCH (e:Entity {{id: id}}) RETURN collect(e) AS touched }}
CALL () {{ UNWIND $ids AS id MATCH (e:Entity {{id: id}}) RETURN collect(e) AS fresh }}
{AROUND}
RETURN near, members, merges"""
"""Names anew, by the mentions of $source, then what is around."""

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
  UNWIND $pooled AS row MATCH (e:Entity {id: row.id}) SET e.context = row.context, e.name = row.name
}
CALL () {
  UNWIND $clusters AS row MATCH (e:Entity {id: row.id}) SET e.cluster = row.cluster, e.aliases = row.aliases
}"""

_LISTS = ("dead", "dropped", "made", "pooled", "clusters")
SETTLING = Change(_APPLY, {"extraction": "", "by_hand": BY_HAND, **{name: [] for name in _LISTS}})
"""What writes run whose entities do not all stay what they were, with values of nothing."""


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
    code, named = extraction_code(source, part.extractor), names_in(part)
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
        [statement_row(s, source, code, schema) for s in said.values()],
        [written_row(driver, source, extraction_id(source, part.extractor)) for driver in part.drivers],
    )


def placed_rows(packed: PackedPart, chunks: Sequence[Chunk]) -> dict[str, list[Any]]:
    """What :data:`WITH_GRAPH` wants: chunks and entities by their places in the lists."""
    at = {chunk.id: place for place, chunk in enumerate(chunks)}
    of = {row["id"]: place for place, row in enumerate(packed.entities)}
    mentions = Counter(row["entity"] for row in packed.mentions)
    return {
        "entities": [row | {"place": of[row["id"]]} for row in packed.entities],
        "names": [[place, mentions[id]] for id, place in of.items()],
        "mentions": [
            [at[row["chunk"]], of[row["entity"]], row["start"], row["end"], row["name"]] for row in packed.mentions
        ],
        "statements": [_placed_statement(row, at, of) for row in packed.statements],
    }


def _placed_statement(row: Row, at: Mapping[str, int], of: Mapping[str, int]) -> list[Any]:
    own = row["properties"]
    head = [at[own["chunk"]], of[own["head"]], of[own["tail"]], row["type"], row["relation"]["published"]]
    return head + values_of(own, STATEMENT)


def write_part(tx: Transaction, packed: PackedPart, version: int) -> None:
    """Store a part of a document whose chunks are there."""
    source, code = packed.source, extraction_code(packed.source, packed.part.extractor)
    found = tx.run_batches(_ENTITIES, packed.entities, since=age(version, 0))
    if pooled := pooled_rows(row["more"] for row in found):
        tx.run_batches(_POOLED, pooled)
    made = 0
    for mentions, statements in batches(packed.mentions, packed.statements):
        given = {"mentions": mentions, "statements": statements}
        made += tx.run(_SAID, source=source, extraction=code, **given)[0]["made"]
    if made != len(packed.mentions) + len(packed.statements):
        raise StoreError("the graph names a chunk that is not in the document", where=source)
    write_drivers(tx, source, packed.drivers)


def pooled_rows(found: Iterable[Row]) -> list[Row]:
    """What this document knows of stored entities, and how it writes them, with what is known already."""
    return [
        {
            "id": row["id"],
            "context": pairs(pooled_context(read_pairs(row["known"]), read_pairs(row["more"]))),
            "name": preferred_name(row["name"], row["written"]),
        }
        for row in found
    ]


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
    values = {"touched": sorted(ids), "ids": sorted(unsettled), "source": source}
    (row,) = tx.run(_LOOK_AROUND, **values)
    return apply_plan(tx, row, version, unsettled, given, extraction)


def apply_plan(
    tx: Transaction,
    row: Row,
    version: int,
    unsettled: Collection[str],
    given: Sequence[Merge],
    extraction: str,
    pooled: Sequence[Row] = (),
) -> Plan:
    """Settle what :data:`AROUND` has found, and note what is known of entities now."""
    near = set(row["near"]).difference(unsettled)
    now = {known["id"]: known for known in pooled}
    for member in row["members"]:
        member |= now.get(member["id"], {})
    members = list(map(_member, row["members"]))
    stored = list(map(_stored, row["merges"]))
    plan = settle(members, stored, unsettled, given, near)
    made = [(merge, bool(extraction)) for merge in plan.given] + [(merge, False) for merge in plan.found]
    if plan.dead or plan.dropped or made or plan.clusters or pooled:
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
            pooled=list(pooled),
        )
    return plan


def _member(row: dict[str, Any]) -> Member:
    return Member(entity_of(row), row["cluster"], row["made"], row["alive"])


def _stored(row: dict[str, Any]) -> StoredMerge:
    given, giver = row.pop("given"), row.pop("giver")
    return StoredMerge(Merge(**row), given, giver)
