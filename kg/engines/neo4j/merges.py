"""Merges by hand and taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....core.errors import StoreError
from ....core.ids import stable_id
from ...graph import Entity, Merge
from ...resolution.clusters import BY_HAND, StoredMerge, pair
from ...resolution.whole import Settled, settled_merges
from ...storage.codec import read_pairs
from .connection import Graph, Row, Transaction
from .graph_writer import settle_clusters
from .rows import age, merge_row, pair_key
from .writer import begin

_MERGE = "g {.id, .entity, .into, .reason, .score, .undone} AS merge"
_UNDO = """MATCH (g:Merge {id: $id}) WHERE NOT g.undone SET g.undone = true
WITH g OPTIONAL MATCH (:Entity {id: g.entity})-[same:SAME_AS]-(:Entity {id: g.into}) DELETE same
RETURN DISTINCT g.entity AS entity, g.into AS into"""


_FORGET = """UNWIND $pairs AS pair MATCH (g:Merge {pair: pair})
OPTIONAL MATCH (:Entity {id: g.entity})-[same:SAME_AS]-(:Entity {id: g.into}) DELETE same
WITH DISTINCT g DETACH DELETE g"""
_RESTORE = """UNWIND $rows AS row
OPTIONAL MATCH (a:Entity {id: row.properties.entity}) OPTIONAL MATCH (b:Entity {id: row.properties.into})
MERGE (g:Merge {pair: row.pair}) SET g = row.properties, g.pair = row.pair, g.undone = row.undone
WITH a, b, g
OPTIONAL MATCH (a)-[same:SAME_AS]-(b) DELETE same
WITH DISTINCT a, b, g WHERE NOT g.undone AND a IS NOT NULL AND b IS NOT NULL
CREATE (a)-[:SAME_AS {reason: g.reason}]->(b)"""

_ENTITIES = """MATCH (e:Entity) RETURN e {.id, .name, .type, .key, .context,
  mentions: reduce(sum = 0, n IN [(e)<-[names:NAMES]-() | names.mentions] | sum + n)} AS entity"""
_STORED = f"""MATCH (g:Merge)
RETURN {_MERGE}, g.given AS given, EXISTS {{ (g)<-[:GIVES]-() }} AS giver ORDER BY g.made, g.id"""


def make(tx: Transaction, entity: str, into: str, reason: str, score: float) -> Merge:
    """One merge that stays until it is undone, or the undone one in its place."""
    found = tx.run("UNWIND $ids AS id MATCH (e:Entity {id: id}) RETURN id", ids=[entity, into])
    if entity == into or len(found) < 2:
        raise StoreError(f"two stored entities are needed to merge, not {entity} and {into}")
    merge = Merge(stable_id("merge", entity, into), entity, into, reason, score)
    key = pair_key(*pair(merge))
    version = begin(tx).version
    if reason == BY_HAND:
        tx.run("MATCH (g:Merge {pair: $pair}) WHERE g.undone DETACH DELETE g", pair=key)
    settle_clusters(tx, version, (entity, into), (), [merge])
    rows = tx.run(f"MATCH (g:Merge {{pair: $pair}}) RETURN {_MERGE}", pair=key)
    return _read(rows[0]) if rows else Merge(merge.id, entity, into, reason, score, undone=True)


def undo(tx: Transaction, merge: str) -> bool:
    """Mark a merge as undone; False if it was not in force."""
    if not tx.run("MATCH (g:Merge {id: $id}) WHERE NOT g.undone RETURN g.id", id=merge):
        return False
    version = begin(tx).version
    rows = tx.run(_UNDO, id=merge)
    settle_clusters(tx, version, [id for row in rows for id in row.values()], ())
    return bool(rows)


def restore(tx: Transaction, merges: Sequence[Merge]) -> None:
    """Have exactly these merges, and the clusters that they make; documents go on giving what they gave."""
    version = begin(tx).version
    known = tx.run("MATCH (g:Merge) RETURN g.pair AS pair, g.given AS given, [g.entity, g.into] AS ends")
    given = {row["pair"]: bool(row["given"]) for row in known}
    wanted = {pair_key(*pair(merge)): merge for merge in merges}
    rows = [
        merge_row(merge, given.get(key, False), age(version, i)) | {"undone": merge.undone}
        for i, (key, merge) in enumerate(wanted.items())
    ]
    tx.run(_FORGET, pairs=sorted(given.keys() - wanted.keys()))
    tx.run_batches(_RESTORE, rows)
    ends = {id for row in known for id in row["ends"]} | {id for merge in merges for id in (merge.entity, merge.into)}
    settle_clusters(tx, version, ends, ())


def is_settled(graph: Graph) -> bool:
    """True where the merges are those that the whole store decides."""
    stored, settled = _settled(graph.read(_ENTITIES), graph.read(_STORED))
    return _pairs_of(stored) == _pairs_of(settled)


def settle_all(tx: Transaction) -> None:
    """Have the merges that the whole store decides, whatever the order in which it came."""
    version = begin(tx).version
    stored, settled = _settled(tx.run(_ENTITIES), tx.run(_STORED))
    kept = {pair(made.merge) for made in settled}
    rows = [
        merge_row(made.merge, made.given, age(version, i)) | {"undone": made.merge.undone}
        for i, made in enumerate(settled)
    ]
    gone = [pair_key(*pair(known.merge)) for known in stored if pair(known.merge) not in kept]
    tx.run(_FORGET, pairs=gone)
    tx.run_batches(_RESTORE, rows)
    merges = [*(known.merge for known in stored), *(made.merge for made in settled)]
    settle_clusters(tx, version, {id for merge in merges for id in pair(merge)}, ())


def _settled(entities: Iterable[Row], merges: Iterable[Row]) -> tuple[list[StoredMerge], list[Settled]]:
    """The merges that are stored, and those that shall be."""
    stored = [StoredMerge(_read(row), bool(row["given"]), row["giver"]) for row in merges]
    return stored, settled_merges([_entity(row["entity"]) for row in entities], stored)


def _pairs_of(merges: Iterable[StoredMerge] | Iterable[Settled]) -> list[tuple[Merge, bool]]:
    return [(known.merge, known.given) for known in merges]


def read_merges(graph: Graph) -> list[Merge]:
    """All, also undone ones, in the order they were made."""
    return list(map(_read, graph.read(f"MATCH (g:Merge) RETURN {_MERGE} ORDER BY g.made, g.id")))


def _entity(row: Row) -> Entity:
    known = {name: row[name] for name in ("id", "name", "type", "key", "mentions")}
    return Entity(**known, context=read_pairs(row["context"]))


def _read(row: Row) -> Merge:
    return Merge(**row["merge"])
