"""Entities as clusters: found by key, by likeness, by id, and by what other spellings of their name share with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from ...graph import Entity, most_mentioned
from ...resolution.clusters import represent
from ...resolution.matching import LARGEST_BLOCK, likeness, name_grams, spelling_blocks
from ...storage.codec import dumps, read_pairs
from ...storage.term_counts import rarest
from .connection import Database
from .words import any_of

AMONG = "(SELECT value FROM json_each(?))"
_BATCH = 500
_CANDIDATES = 8
"""Names looked at for each similar entity asked for."""

_SCORED_NAMES = 5_000
"""Names that may be scored for one: trigrams that stand in too many tell little."""


def clusters_of(db: Database, ids: Iterable[str]) -> dict[str, int]:
    """Public id of any member -> cluster."""
    return dict(db.rows(f"SELECT key, cluster FROM entity WHERE key IN {AMONG}", (dumps(list(ids)),)))


def read_clusters(db: Database, clusters: Iterable[int]) -> dict[int, Entity]:
    """Cluster -> the entity that stands for it."""
    wanted = dumps(list(clusters))
    members: dict[int, list[Entity]] = {}
    documents: dict[int, int] = {}
    query = f"""SELECT cluster, key, name, type, name_key, context, mentions, documents FROM entity
      WHERE cluster IN {AMONG}"""
    for cluster, key, name, type, name_key, context, mentions, count in db.rows(query, (wanted,)):
        member = Entity(key, name, type, name_key, (), mentions, count, read_pairs(context))
        members.setdefault(cluster, []).append(member)
        documents[cluster] = count
    documents.update(db.rows(f"SELECT id, documents FROM cluster WHERE id IN {AMONG}", (wanted,)))
    return {cluster: represent(group, documents[cluster]) for cluster, group in members.items()}


def find_entities(db: Database, keys: Collection[str]) -> list[Entity]:
    """Clusters with a member of one of these name keys, most mentioned first."""
    query = f"SELECT DISTINCT cluster FROM entity WHERE name_key IN {AMONG}"
    return most_mentioned(read_clusters(db, (cluster for (cluster,) in db.rows(query, (dumps(list(keys)),)))).values())


def entities(db: Database, ids: Collection[str]) -> list[Entity]:
    """The clusters of these members, each once, in the order asked for."""
    wanted = clusters_of(db, ids)
    found = read_clusters(db, set(wanted.values()))
    return [found[cluster] for cluster in dict.fromkeys(wanted[id] for id in ids if id in wanted)]


def entity_names(db: Database, ids: Collection[str]) -> dict[str, str]:
    """Public id -> the name that this entity itself was written with."""
    return dict(db.rows(f"SELECT key, name FROM entity WHERE key IN {AMONG}", (dumps(list(set(ids))),)))


def similar_entities(db: Database, name: str, k: int) -> list[Entity]:
    """Clusters with a name that shares words or trigrams, best first."""
    grams = name_grams(name)
    if not grams or k <= 0:
        return []
    query = """SELECT e.cluster, e.name FROM entity_name AS n JOIN entity AS e ON e.id = n.rowid
      WHERE entity_name MATCH ? ORDER BY n.rank LIMIT ?"""
    count = f"SELECT term, doc FROM entity_name_count WHERE term IN {AMONG}"
    telling = rarest(dict(db.rows(count, (dumps(grams),))), _SCORED_NAMES)
    best: dict[int, float] = {}
    for cluster, found in db.rows(query, (any_of(telling), _CANDIDATES * k + 50)) if telling else ():
        best[cluster] = max(best.get(cluster, 0.0), likeness(name, found))
    found_clusters = read_clusters(db, best)
    ranked = sorted(best, key=lambda cluster: (-best[cluster], found_clusters[cluster].id))
    return [found_clusters[cluster] for cluster in ranked[:k]]


def all_entities(db: Database, limit: int) -> list[int]:
    """Clusters, most mentioned first."""
    query = """SELECT cluster FROM entity GROUP BY cluster ORDER BY sum(mentions) DESC, min(key) LIMIT ?"""
    return db.column(query, (limit,))


def in_batches(clusters: list[int]) -> Iterator[list[int]]:
    """So many at a time that reading them holds little memory."""
    for i in range(0, len(clusters), _BATCH):
        yield clusters[i : i + _BATCH]


def public_ids(db: Database, clusters: Iterable[int]) -> Mapping[int, str]:
    """Cluster -> the public id it goes by."""
    return {cluster: entity.id for cluster, entity in read_clusters(db, clusters).items()}


def block_numbers(type: str, name: str, name_key: str) -> str:
    """The blocks of a stored entity, as a JSON list.

    >>> block_numbers("company", "Wal-Mart", "wal mart") == block_numbers("company", "Walmart", "walmart")
    True
    """
    return dumps(spelling_blocks(Entity("", name, type, name_key)))


def index_spellings(db: Database, id: int, entity: Entity) -> None:
    """Have a stored entity found by :func:`near_names`."""
    rows = ((number, id) for number in spelling_blocks(entity))
    db.run_many("INSERT OR IGNORE INTO entity_block (block, entity) VALUES (?, ?)", rows)


def forget_spellings(db: Database, entities: Iterable[tuple[int, Entity]]) -> None:
    """Entities that are gone are found no more."""
    rows = ((number, id) for id, entity in entities for number in spelling_blocks(entity))
    db.run_many("DELETE FROM entity_block WHERE block = ? AND entity = ?", rows)


def near_names(db: Database, entities: Iterable[Entity]) -> set[int]:
    """Stored entities whose names may be other spellings of these; what very many share is a form, not a name."""
    query = "SELECT entity FROM entity_block WHERE block = ? LIMIT ?"
    near: set[int] = set()
    for number in dict.fromkeys(chain.from_iterable(map(spelling_blocks, entities))):
        sharing = db.column(query, (number, LARGEST_BLOCK + 1))
        if len(sharing) <= LARGEST_BLOCK:
            near.update(sharing)
    return near
