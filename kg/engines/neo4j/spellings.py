"""Entities by what their name shares with other spellings of it: exact and of one cost in a graph of any size."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from ...graph import Entity
from ...resolution.blocking import spelling_blocks
from ...resolution.matching import LARGEST_BLOCK
from .connection import Graph, Row, Transaction

_BATCH = 2_000
"""Older entities indexed in one transaction."""

_NEAR = """UNWIND $ids AS id MATCH (e:Entity {id: id}) UNWIND e.blocks AS block
WITH DISTINCT block
CALL (block) {
  MATCH (s:Spelling {block: block}) WHERE s.entity IS NOT NULL
  WITH s.entity AS entity LIMIT $limit
  RETURN collect(entity) AS found
}
WITH found WHERE size(found) < $limit
UNWIND found AS entity
RETURN DISTINCT entity"""

_OLDER = """MATCH (e:Entity) WHERE e.blocks IS NULL
RETURN e.id AS id, e.name AS name, e.type AS type, e.key AS key LIMIT $limit"""
_INDEX = """UNWIND $rows AS row MATCH (e:Entity {id: row.id})
FOREACH (block IN row.blocks | MERGE (:Spelling {block: block, entity: row.id}))
SET e.blocks = row.blocks"""


def near_names(tx: Transaction, new: Collection[str]) -> set[str]:
    """Stored entities whose names may be other spellings of new ones; what very many share is a form, not a name."""
    rows = tx.run(_NEAR, ids=sorted(new), limit=LARGEST_BLOCK + 1) if new else []
    return {row["entity"] for row in rows}.difference(new)


def index_older(graph: Graph) -> None:
    """Have the entities of an older layout found by :func:`near_names`."""
    graph.set_up()
    while older := graph.read(_OLDER, limit=_BATCH):
        rows = [{"id": row["id"], "blocks": spelling_blocks(Entity(**row))} for row in older]
        graph.write(partial(_index, rows=rows))


def _index(tx: Transaction, rows: Sequence[Row]) -> None:
    tx.run_batches(_INDEX, rows)
