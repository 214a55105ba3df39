"""Entities as clusters, found by key, by likeness, by id, and by what other spellings of their name share with it; and
the merges that make the clusters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ...graph import Entity, Merge, most_mentioned
from ...resolution.clusters import StoredMerge, represent
from ...resolution.matching import LARGEST_BLOCK, likeness, name_grams, spelling_blocks
from ...resolution.whole import Settled, settled_merges
from ...storage.codec import read_pairs
from .connection import TAKE_TURN, UP_TO_DATE, Graph, Row, Transaction

_BATCH = 500
_CANDIDATES = 8
MEMBERS = """CALL (wanted) {
    UNWIND wanted AS cluster
    WITH DISTINCT cluster
    MATCH (x:Entity {cluster: cluster}) WITH cluster, collect(x) AS members
    CALL (members) {
      WITH members WHERE size(members) > 1
      UNWIND members AS x MATCH (d:Document)-[:NAMES]->(x) RETURN count(DISTINCT d) AS together
    }
    UNWIND members AS m
    CALL (m) { WITH m WHERE m.mentions IS NULL MATCH (:Document)-[n:NAMES]->(m) RETURN sum(n.mentions) AS counted }
    WITH cluster, members, together, m, coalesce(m.mentions, counted) AS mentions, COUNT { (m)<-[:NAMES]-() } AS own
    RETURN collect({cluster: cluster, documents: CASE size(members) WHEN 1 THEN own ELSE together END, own: own,
      mentions: mentions, member: m {.id, .name, .type, .key, .context}}) AS members
  }"""
"""The members of the clusters ``wanted``: part of a query, read by :func:`clusters_of`.

Counts of an entity stand on it and in its degree: thousands of documents may name one, and a passage names ten.
"""
WANTED = """CALL () { MATCH (x:Entity) WHERE x.id IN $members RETURN collect(x.cluster) AS by_id }
  CALL () { MATCH (x:Entity) WHERE x.key IN $keys RETURN collect(x.cluster) AS by_key }
  WITH by_id + by_key + $clusters AS wanted"""


class Clusters(NamedTuple):
    """Clusters as entities, the cluster of each of their members, and the clusters of each name key."""

    entities: dict[str, Entity]
    of: dict[str, str]
    by_key: dict[str, set[str]]


def read_clusters(
    graph: Graph, clusters: Iterable[str] = (), members: Iterable[str] = (), keys: Iterable[str] = ()
) -> Clusters:
    """These clusters, those of the members, and those with a member of a key: one round trip, none for nothing."""
    wanted = {"clusters": clusters, "members": members, "keys": keys}
    values = {name: list(dict.fromkeys(given)) for name, given in wanted.items()}
    if not any(values.values()):
        return Clusters({}, {}, {})
    (row,) = graph.read(f"{WANTED} {MEMBERS} RETURN members", **values)
    return clusters_of(row["members"])


def clusters_of(members: Iterable[Row]) -> Clusters:
    """Clusters from their members, in the order given."""
    groups: dict[str, list[Entity]] = {}
    documents: dict[str, int] = {}
    by_key: dict[str, set[str]] = {}
    for row in members:
        member = dict(row["member"])
        context = read_pairs(member.pop("context"))
        entity = Entity(**member, mentions=row["mentions"], documents=row["own"], context=context)
        groups.setdefault(row["cluster"], []).append(entity)
        documents[row["cluster"]] = row["documents"]
        by_key.setdefault(entity.key, set()).add(row["cluster"])
    of = {entity.id: cluster for cluster, group in groups.items() for entity in group}
    return Clusters({cluster: represent(group, documents[cluster]) for cluster, group in groups.items()}, of, by_key)


def find_entities(graph: Graph, keys: Collection[str]) -> list[Entity]:
    """Clusters with a member of one of these name keys, most mentioned first."""
    return most_mentioned(read_clusters(graph, keys=filter(None, keys)).entities.values())


def entities(graph: Graph, ids: Collection[str]) -> list[Entity]:
    """The clusters of these members, each once, in the order asked for."""
    found = read_clusters(graph, members=ids)
    return [found.entities[cluster] for cluster in dict.fromkeys(found.of[id] for id in ids if id in found.of)]


def similar_entities(graph: Graph, name: str, k: int) -> list[Entity]:
    """Clusters with a name that shares words or trigrams, best first."""
    grams = name_grams(name)
    if not grams or k <= 0:
        return []
    query = f"""{UP_TO_DATE}
      CALL db.index.fulltext.queryNodes('entity_grams', $grams, {{limit: $limit}}) YIELD node AS e
      RETURN e.cluster AS cluster, e.name AS name"""
    match = " OR ".join(f'"{gram}"' for gram in grams)
    best: dict[str, float] = {}
    for row in graph.read(query, grams=match, limit=_CANDIDATES * k + 50):
        best[row["cluster"]] = max(best.get(row["cluster"], 0.0), likeness(name, row["name"]))
    found = read_clusters(graph, best).entities
    return [found[cluster] for cluster in sorted(found, key=lambda c: (-best[c], found[c].id))[:k]]


def all_entities(graph: Graph, limit: int) -> Iterator[Entity]:
    """Most mentioned first."""
    query = """MATCH (e:Entity) OPTIONAL MATCH (:Document)-[n:NAMES]->(e)
      WITH e.cluster AS cluster, sum(n.mentions) AS mentions, min(e.id) AS first
      RETURN cluster ORDER BY mentions DESC, first LIMIT $limit"""
    ranked = [row["cluster"] for row in graph.read(query, limit=limit)]
    for i in range(0, len(ranked), _BATCH):
        found = read_clusters(graph, ranked[i : i + _BATCH]).entities
        yield from (found[cluster] for cluster in ranked[i : i + _BATCH] if cluster in found)


_INDEXED = 2_000
"""Older entities indexed in one transaction."""

NEAR = f"""UNWIND fresh AS e UNWIND e.blocks AS block
WITH DISTINCT block
CALL (block) {{
  MATCH (s:Spelling {{block: block}}) WHERE s.entity IS NOT NULL
  WITH s.entity AS entity LIMIT {LARGEST_BLOCK + 1}
  RETURN collect(entity) AS found
}}
WITH found WHERE size(found) <= {LARGEST_BLOCK}
UNWIND found AS entity"""
"""Stored entities whose names may be other spellings of those of the nodes ``fresh``; what very many share is
a form, not a name."""

_UNUSED = ("statement_document", "statement_chunk")
"""Indexes of older layouts: statements are found from their chunks now."""

_OLDER = """MATCH (e:Entity) WHERE e.blocks IS NULL OR e.mentions IS NULL
RETURN e.id AS id, e.name AS name, e.type AS type, e.key AS key LIMIT $limit"""
_INDEX = """UNWIND $rows AS row MATCH (e:Entity {id: row.id})
FOREACH (block IN row.blocks | MERGE (:Spelling {block: block, entity: row.id}))
WITH e, row
CALL (e) { MATCH (:Document)-[n:NAMES]->(e) RETURN sum(n.mentions) AS mentions }
SET e.blocks = row.blocks, e.mentions = mentions"""


def index_older(graph: Graph) -> None:
    """Have the entities of an older layout found by :data:`NEAR`, and their mentions counted."""
    graph.set_up()
    for name in _UNUSED:
        graph.run_alone(f"DROP INDEX {name} IF EXISTS")
    while older := graph.read(_OLDER, limit=_INDEXED):
        rows = [{"id": row["id"], "blocks": spelling_blocks(Entity(**row))} for row in older]
        graph.write(partial(_index, rows=rows))


def _index(tx: Transaction, rows: Sequence[Row]) -> None:
    tx.run(TAKE_TURN)  # waits for writers, who count mentions too
    tx.run_batches(_INDEX, rows)


MERGE = "g {.id, .entity, .into, .reason, .score, .undone} AS merge"
"""A merge ``g`` as :func:`merge_of` reads it."""

_ENTITIES = """MATCH (e:Entity) RETURN e {.id, .name, .type, .key, .context,
  mentions: reduce(sum = 0, n IN [(e)<-[names:NAMES]-() | names.mentions] | sum + n)} AS entity"""
_STORED = f"""MATCH (g:Merge)
RETURN {MERGE}, g.given AS given, EXISTS {{ (g)<-[:GIVES]-() }} AS giver ORDER BY g.made, g.id"""


_NEVER_EMPTY = ("id", "name", "type", "key", "entity", "into")
"""Properties that each entity or merge that stays has."""


def is_settled(graph: Graph) -> bool:
    """True where the merges are those that the whole store decides; False also while somebody removes.

    It reads beside writers: of a node that is removed at this moment the server tells some properties no more.
    """
    entities, merges = graph.read(_ENTITIES), graph.read(_STORED)
    known = [*(row["entity"] for row in entities), *(row["merge"] for row in merges)]
    if any(node.get(name, "") is None for node in known for name in _NEVER_EMPTY):
        return False
    stored, settled = _settled(entities, merges)
    return _pairs_of(stored) == _pairs_of(settled)


def stored_and_settled(run: Callable[[str], list[Row]]) -> tuple[list[StoredMerge], list[Settled]]:
    """The merges that are stored, and those that the whole store decides; ``run`` gives the rows of a query."""
    return _settled(run(_ENTITIES), run(_STORED))


def _settled(entities: Iterable[Row], merges: Iterable[Row]) -> tuple[list[StoredMerge], list[Settled]]:
    """The merges that are stored, and those that shall be."""
    stored = [StoredMerge(merge_of(row), bool(row["given"]), row["giver"]) for row in merges]
    return stored, settled_merges([_entity(row["entity"]) for row in entities], stored)


def _pairs_of(merges: Iterable[StoredMerge] | Iterable[Settled]) -> list[tuple[Merge, bool]]:
    return [(known.merge, known.given) for known in merges]


def read_merges(graph: Graph) -> list[Merge]:
    """All, also undone ones, in the order they were made."""
    return list(map(merge_of, graph.read(f"MATCH (g:Merge) RETURN {MERGE} ORDER BY g.made, g.id")))


def _entity(row: Row) -> Entity:
    known = {name: row[name] for name in ("id", "name", "type", "key", "mentions")}
    return Entity(**known, context=read_pairs(row["context"]))


def merge_of(row: Row) -> Merge:
    """A merge from the database."""
    return Merge(**row["merge"])
