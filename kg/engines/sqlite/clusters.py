"""Merges in the file: who is one with whom, kept in the entities' rows; only clusters that change are touched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from ....core.ids import stable_id
from ...graph import Entity, Merge
from ...resolution.clusters import BY_HAND, StoredMerge, admissible, components, pair, proposals
from ...resolution.matching import has_variants, name_grams, near_ones
from ...resolution.whole import Settled, settled_merges
from ...storage.codec import dumps, read_pairs
from .connection import Database
from .entities import AMONG, clusters_of, forget_spellings, near_names

_COLUMNS = 'key, entity, "into", reason, score, undone'
# What documents say stands above what was found; of several reasons the first by the alphabet, whichever came first.
_IS_FIRM = f"undone OR reason = '{BY_HAND}' OR NOT excluded.given"
_IS_FIRST = """EXISTS (SELECT 1 FROM merge_part AS p WHERE p.merge = merge.id)
  AND (reason, score) < (excluded.reason, excluded.score)"""
_WRITE = f"""INSERT INTO merge (key, entity, "into", low, high, reason, score, given) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (low, high) DO UPDATE SET given = min(given, excluded.given),
    reason = CASE WHEN {_IS_FIRM} OR {_IS_FIRST} THEN reason ELSE excluded.reason END,
    score = CASE WHEN {_IS_FIRM} OR {_IS_FIRST} THEN score ELSE excluded.score END"""


class Clusters:
    """The merges, inside one write transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def give(
        self, merges: Iterable[Merge], part: int | None = None, apart: Collection[tuple[str, str]] = ()
    ) -> set[int]:
        """Make merges, unless somebody has undone them or taken the two apart; the clusters they touch.

        ``part`` is the extraction that gives them and takes them away with it; None for good. ``apart`` are further
        pairs that must not come together.
        """
        merges = list(merges)
        if not merges:
            return set()
        where = clusters_of(self._db, {id for merge in merges for id in (merge.entity, merge.into)})
        members = dict(
            self._db.rows(
                f"SELECT key, cluster FROM entity WHERE cluster IN {AMONG}", (dumps(list(set(where.values()))),)
            )
        )
        accepted = admissible(merges, members, self._undone(members).union(apart))
        for merge in accepted:
            self._write(merge, part)
        return {where[id] for merge in accepted for id in (merge.entity, merge.into)}

    def make(self, entity: str, into: str, reason: str, score: float) -> tuple[Merge, set[int]]:
        """One merge that stays until it is undone, or the undone one in its place; and the clusters it touches."""
        merge = Merge(stable_id("merge", entity, into), entity, into, reason, score)
        if reason == BY_HAND:
            self._db.run("DELETE FROM merge WHERE low = ? AND high = ? AND undone", pair(merge))
            self._write(merge, None)
            touched = set(clusters_of(self._db, (entity, into)).values())
        else:
            touched = self.give([merge])
        row = self._db.row(f"SELECT {_COLUMNS} FROM merge WHERE low = ? AND high = ?", pair(merge))
        return (read_merge(row) if row else Merge(merge.id, entity, into, reason, score, undone=True)), touched

    def undo(self, key: str) -> set[int] | None:
        """Mark a merge as undone; the clusters that it held together, or None if it was not in force."""
        row = self._db.row('SELECT entity, "into" FROM merge WHERE key = ? AND NOT undone', (key,))
        if row is None:
            return None
        self._db.run("UPDATE merge SET undone = 1 WHERE key = ?", (key,))
        return set(clusters_of(self._db, row).values())

    def restore(self, merges: Sequence[Merge]) -> set[int]:
        """Have exactly these, in this order; documents go on giving what they gave. The clusters that any touches."""
        known = self._db.rows("SELECT low, high, given FROM merge")
        gave = self._db.rows("SELECT m.low, m.high, p.part FROM merge_part AS p JOIN merge AS m ON m.id = p.merge")
        givers: dict[tuple[str, str], list[int | None]] = {(low, high): [] for low, high, _ in known}
        for low, high, part in gave:
            givers[low, high].append(part)
        lasting = {(low, high) for low, high, given in known if not given}
        self._db.run("DELETE FROM merge")
        for merge in merges:
            parts = givers.get(pair(merge), [])
            for part in [*parts, None] if not parts or pair(merge) in lasting else parts:
                self._write(merge, part)
        self._db.run_many(
            "UPDATE merge SET undone = 1 WHERE key = ?", ((merge.id,) for merge in merges if merge.undone)
        )
        ends = {*givers, *map(pair, merges)}
        return set(clusters_of(self._db, {id for both in ends for id in both}).values())

    def settle_all(self) -> bool:
        """Have the merges that the whole store decides, whatever the order in which it came; True if any changes."""
        entities = self._db.rows("SELECT key, name, type, name_key, context, mentions FROM entity")
        rows = self._db.rows(f"SELECT {_COLUMNS}, given, id FROM merge ORDER BY id")
        givers: dict[int, list[int | None]] = defaultdict(list)
        for merge, part in self._db.rows("SELECT merge, part FROM merge_part"):
            givers[merge].append(part)
        stored = [StoredMerge(read_merge(row[:6]), bool(row[6]), bool(givers[row[7]])) for row in rows]
        settled = settled_merges((_entity(*row) for row in entities), stored)
        if [(known.merge, known.given) for known in stored] == [(made.merge, made.given) for made in settled]:
            return False
        self._rewrite(settled, {pair(known.merge): givers[row[7]] for known, row in zip(stored, rows, strict=True)})
        merges = [*(known.merge for known in stored), *(made.merge for made in settled)]
        ends = {id for merge in merges for id in pair(merge)}
        self.regroup(set(clusters_of(self._db, ends).values()))
        return True

    def _rewrite(self, settled: Iterable[Settled], parts: Mapping[tuple[str, str], Sequence[int | None]]) -> None:
        """Have these merges and no others, each given by the parts of its pair and by the store itself."""
        self._db.run("DELETE FROM merge")
        undone = []
        for made in settled:
            lasting = [] if made.given else [None]
            for part in (*parts.get(pair(made.merge), ()), *lasting):
                self._write(made.merge, part)
            if made.merge.undone:
                undone.append((made.merge.id,))
        self._db.run_many("UPDATE merge SET undone = 1 WHERE key = ?", undone)

    def given_by(self, parts: Collection[int]) -> set[int]:
        """The clusters that hold merges given by these extractions."""
        query = f"""SELECT m.entity, m."into" FROM merge_part AS p JOIN merge AS m ON m.id = p.merge
          WHERE p.part IN {AMONG}"""
        return set(
            clusters_of(self._db, {id for row in self._db.rows(query, (dumps(list(parts)),)) for id in row}).values()
        )

    def drop_ungiven(self, candidates: Collection[int]) -> None:
        """Drop the merges among these that only documents gave and none gives any more."""
        self._db.run(
            f"""DELETE FROM merge WHERE id IN {AMONG} AND given AND NOT undone
              AND id NOT IN (SELECT merge FROM merge_part)""",
            (dumps(list(candidates)),),
        )

    def merges_of(self, parts: Collection[int]) -> set[int]:
        """Internal ids of the merges that these extractions give."""
        return set(self._db.column(f"SELECT merge FROM merge_part WHERE part IN {AMONG}", (dumps(list(parts)),)))

    def count(self, before: Mapping[int, int], after: Mapping[int, int]) -> None:
        """Keep the document counts of clusters in step with one document's entities."""
        touched = dumps(sorted(before.keys() | after.keys()))
        rows = self._db.rows(
            f"""SELECT e.id, e.cluster FROM entity AS e JOIN cluster AS c ON c.id = e.cluster
            WHERE e.id IN {AMONG}""",
            (touched,),
        )
        had = {cluster for entity, cluster in rows if entity in before}
        has = {cluster for entity, cluster in rows if entity in after}
        changes = [(1, cluster) for cluster in has - had] + [(-1, cluster) for cluster in had - has]
        self._db.run_many("UPDATE cluster SET documents = documents + ? WHERE id = ?", changes)

    def drop_orphans(self, candidates: Collection[int]) -> set[int]:
        """Delete entities that nothing names any more, with their merges; the clusters they leave behind."""
        query = f"""SELECT id, cluster, key, name, type, name_key FROM entity AS e WHERE id IN {AMONG}
          AND NOT EXISTS (SELECT 1 FROM mention WHERE entity = e.id)
          AND NOT EXISTS (SELECT 1 FROM statement WHERE head = e.id)
          AND NOT EXISTS (SELECT 1 FROM statement WHERE tail = e.id)"""
        rows = self._db.rows(query, (dumps(list(candidates)),))
        orphans = {id: Entity(key, name, type, name_key) for id, _, key, name, type, name_key in rows}
        keys = dumps([entity.id for entity in orphans.values()])
        self._db.run(f"DELETE FROM merge WHERE low IN {AMONG} AND NOT undone", (keys,))
        self._db.run(f"DELETE FROM merge WHERE high IN {AMONG} AND NOT undone", (keys,))
        self._db.run_many(
            "INSERT INTO entity_name (entity_name, rowid, grams) VALUES ('delete', ?, ?)",
            ((id, " ".join(name_grams(entity.name))) for id, entity in orphans.items()),
        )
        forget_spellings(self._db, orphans.items())
        self._db.run_many("DELETE FROM entity WHERE id = ?", ((id,) for id in orphans))
        return {cluster for _, cluster, *_ in rows}

    def members(self, clusters: Collection[int]) -> set[int]:
        """The entities that were last grouped into these clusters."""
        return set(self._db.column(f"SELECT id FROM entity WHERE cluster IN {AMONG}", (dumps(list(clusters)),)))

    def merge_namesakes(self, entities: Collection[int]) -> set[int]:
        """Merge these with stored entities of the same or a like name, as resolution says; the clusters they touch."""
        rows = self._db.rows(
            f"""SELECT id, key, name, type, name_key, context FROM entity WHERE name_key IN (
              SELECT name_key FROM entity WHERE id IN {AMONG} AND name_key != '') ORDER BY id""",
            (dumps(list(entities)),),
        )
        found = {row[0]: _entity(*row[1:]) for row in rows}
        new = [entity for id, entity in found.items() if id in entities]
        like = self._like(list(filter(has_variants, new)), found)
        stored = {id: entity for id, entity in (*found.items(), *like.items()) if id not in entities}
        merges, apart = proposals(new, [stored[id] for id in sorted(stored)])
        return self.give(merges, apart=apart)

    def _like(self, new: Sequence[Entity], known: Collection[int]) -> dict[int, Entity]:
        """Stored entities whose names may be other spellings of new ones."""
        ids = near_names(self._db, new) - set(known)
        query = f"SELECT id, key, name, type, name_key, context FROM entity WHERE id IN {AMONG}"
        found = {row[0]: _entity(*row[1:]) for row in self._db.rows(query, (dumps(list(ids)),))} if ids else {}
        near = {entity.id for entity in near_ones(new, found.values())}
        return {id: entity for id, entity in found.items() if entity.id in near}

    def regroup(self, clusters: Collection[int]) -> None:
        """Find anew who belongs together among the members of these clusters."""
        rows = self._db.rows(
            f"SELECT key, id, cluster FROM entity WHERE cluster IN {AMONG} ORDER BY id", (dumps(list(clusters)),)
        )
        ids = {key: id for key, id, _ in rows}
        self._db.run(f"DELETE FROM cluster WHERE id IN {AMONG}", (dumps(list(clusters)),))
        old = {id: cluster for _, id, cluster in rows}
        groups = [[ids[key] for key in group] for group in components(ids, self._edges(ids))]
        self._db.run_many(
            "UPDATE entity SET cluster = ? WHERE id = ?",
            ((group[0], id) for group in groups for id in group if old[id] != group[0]),
        )
        self._db.run_many(
            """INSERT INTO cluster (id, documents) SELECT ?, count(DISTINCT document) FROM (
              SELECT document FROM mention WHERE entity IN (SELECT id FROM entity WHERE cluster = ?1)
              UNION SELECT document FROM statement WHERE head IN (SELECT id FROM entity WHERE cluster = ?1)
              UNION SELECT document FROM statement WHERE tail IN (SELECT id FROM entity WHERE cluster = ?1))""",
            ((group[0],) for group in groups if len(group) > 1),
        )

    def _edges(self, keys: Collection[str]) -> list[tuple[str, str]]:
        return self._pairs(keys, "NOT undone")

    def _undone(self, keys: Collection[str]) -> set[tuple[str, str]]:
        return set(self._pairs(keys, "undone"))

    def _pairs(self, keys: Collection[str], condition: str) -> list[tuple[str, str]]:
        query = f"""SELECT low, high FROM merge WHERE low IN {AMONG} AND {condition}"""
        return [(low, high) for low, high in self._db.rows(query, (dumps(list(keys)),)) if high in keys]

    def _write(self, merge: Merge, part: int | None) -> None:
        self._db.run(
            _WRITE, (merge.id, merge.entity, merge.into, *pair(merge), merge.reason, merge.score, int(part is not None))
        )
        if part is not None:
            self._db.run(
                "INSERT OR IGNORE INTO merge_part (merge, part) SELECT id, ? FROM merge WHERE low = ? AND high = ?",
                (part, *pair(merge)),
            )


def _entity(key: str, name: str, type: str, name_key: str, context: str, mentions: int = 0) -> Entity:
    return Entity(key, name, type, name_key, mentions=mentions, context=read_pairs(context))


def read_merge(row: tuple[str, str, str, str, float, int]) -> Merge:
    """A merge from its row."""
    key, entity, into, reason, score, undone = row
    return Merge(key, entity, into, reason, score, bool(undone))


def all_merges(db: Database) -> list[Merge]:
    """All, also undone ones, in the order they were made."""
    return list(map(read_merge, db.rows(f"SELECT {_COLUMNS} FROM merge ORDER BY id")))
