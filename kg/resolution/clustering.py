"""What becomes of clusters after a write: a plan from what is stored around it. Pure functions for all engines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..graph import Entity, Merge
from .clusters import admissible, components, pair
from .matching import blocks, conflict, key_of, merges_for

BY_HAND = "by hand"
"""Reason of merges that a person makes; only such a merge takes back an undone one."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """A stored entity. ``made`` orders entities by age; one that is not ``alive`` is named nowhere any more."""

    entity: Entity
    cluster: str
    made: int
    alive: bool = True


@dataclass(frozen=True, slots=True)
class StoredMerge:
    """A merge as stored; ``given`` where only documents give it, ``giver`` while one still does."""

    merge: Merge
    given: bool = False
    giver: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be written."""

    dead: tuple[str, ...] = ()
    dropped: tuple[Pair, ...] = ()
    given: tuple[Merge, ...] = ()
    """Of the merges the document (or a person) gives, those that can be made; some may be stored already."""
    found: tuple[Merge, ...] = ()
    """Merges by resolution."""
    clusters: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """Entity -> its new cluster and the other names in it, where that has changed."""


def proposals(new: Sequence[Entity], stored: Iterable[Entity]) -> tuple[list[Merge], set[Pair]]:
    """Merges of new entities with stored ones that share a block, oldest first, and the pairs that must stay apart.

    Nothing is merged by way of a third that cannot be merged directly: "Merck & Co." stays apart from a "Merck" that
    is one with "Merck KGaA".
    """
    by_block = _Blocks()
    by_block.add(stored)
    new = [entity for entity in new if entity.key]
    near = {entity.key: by_block.meeting(entity) for entity in new}
    merges = merges_for(new, near)
    by_block.add(new)
    apart = set()
    for entity in new:
        for other in by_block.meeting(entity):
            if entity.id != other.id and conflict(entity, other):
                apart.add((min(entity.id, other.id), max(entity.id, other.id)))
    return merges, apart


class _Blocks:
    """Entities by the blocks of their names."""

    def __init__(self) -> None:
        self._entities: dict[str, list[Entity]] = defaultdict(list)

    def add(self, entities: Iterable[Entity]) -> None:
        for entity in entities:
            for block in blocks(entity):
                self._entities[block].append(entity)

    def meeting(self, entity: Entity) -> list[Entity]:
        """Those that share a block with an entity, namesakes first."""
        found: dict[str, Entity] = {}
        for block in blocks(entity):
            found.update((other.id, other) for other in self._entities.get(block, ()))
        return sorted(found.values(), key=lambda other: key_of(other) != key_of(entity))


def settle(
    members: Sequence[Member],
    stored: Iterable[StoredMerge],
    unsettled: Collection[str],
    given: Sequence[Merge] = (),
    near: Collection[str] | None = None,
) -> Plan:
    """Drop what nothing names, add what is given and what resolution finds for the unsettled ones, and group anew.

    ``members`` are all entities of the touched clusters and of their namesakes'; ``stored`` the merges among them.
    ``near`` are the entities that may be other spellings: those that only came along with their cluster are none.
    """
    alive = [member for member in members if member.alive]
    dead = [member for member in members if not member.alive]
    alive.sort(key=lambda member: (member.made, member.entity.id))
    ids = [member.entity.id for member in alive]
    before = _StoredEdges.of(stored, {member.entity.id for member in dead})

    accepted = admissible(given, _cluster_of(ids, before.kept), before.undone)
    edges = [*before.kept, *map(pair, accepted)]

    left = {member.cluster for member in dead}
    new = [m.entity for m in alive if m.entity.id in unsettled or m.cluster in left]
    merges, apart = proposals(new, _candidates(alive, new, near))
    found = admissible(merges, _cluster_of(ids, edges), before.undone | apart)
    groups = components(ids, [*edges, *map(pair, found)])
    return Plan(
        dead=tuple(member.entity.id for member in dead),
        dropped=before.dropped,
        given=tuple(accepted),
        found=tuple(found),
        clusters=dict(_changes(groups, members)),
    )


@dataclass(frozen=True, slots=True)
class _StoredEdges:
    """The stored merges by what becomes of them."""

    kept: tuple[Pair, ...]
    dropped: tuple[Pair, ...]
    undone: frozenset[Pair]

    @classmethod
    def of(cls, stored: Iterable[StoredMerge], dead: Collection[str]) -> _StoredEdges:
        kept, dropped, undone = [], [], []
        for known in stored:
            if known.merge.undone:
                undone.append(pair(known.merge))
            elif _is_dropped(known, dead):
                dropped.append(pair(known.merge))
            else:
                kept.append(pair(known.merge))
        return cls(tuple(kept), tuple(dropped), frozenset(undone))


def _is_dropped(stored: StoredMerge, dead: Collection[str]) -> bool:
    """True where an end of a merge is gone, or the last document that gave it."""
    if stored.merge.entity in dead or stored.merge.into in dead:
        return True
    return stored.given and not stored.giver


def _candidates(alive: Sequence[Member], new: Sequence[Entity], near: Collection[str] | None) -> list[Entity]:
    """The older entities that a new one may be: all, or the namesakes and those that are near."""
    fresh = {entity.id for entity in new}
    others = [member.entity for member in alive if member.entity.id not in fresh]
    if near is None:
        return others
    keys = {entity.key for entity in new}
    return [entity for entity in others if entity.key in keys or entity.id in near]


def _cluster_of(entities: Iterable[str], edges: Iterable[Pair]) -> dict[str, str]:
    """Entity -> its cluster, called by the smallest id in it."""
    clusters: dict[str, str] = {}
    for group in components(entities, edges):
        clusters.update(dict.fromkeys(group, min(group)))
    return clusters


def _changes(
    groups: Iterable[Sequence[str]], members: Iterable[Member]
) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    """The entities whose cluster changes, each with its new cluster and the other names in it."""
    before: dict[str, set[str]] = defaultdict(set)
    names: dict[str, str] = {}
    for member in members:
        before[member.cluster].add(member.entity.id)
        names[member.entity.id] = member.entity.name
    for group in groups:
        cluster = min(group)
        if before.get(cluster) == set(group):
            continue
        called = {names[id] for id in group}
        for id in group:
            yield id, (cluster, tuple(sorted(called - {names[id]})))
