"""What becomes of clusters after a write: a plan from what is stored around it. Pure functions for all engines."""

from __future__ import annotations

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
    by_block: dict[str, list[Entity]] = {}
    for entity in stored:
        for block in blocks(entity):
            by_block.setdefault(block, []).append(entity)
    new = [entity for entity in new if entity.key]
    near = {entity.id: _meeting(entity, by_block) for entity in new}
    merges = merges_for(new, {entity.key: near[entity.id] for entity in new})
    for entity in new:
        for block in blocks(entity):
            by_block.setdefault(block, []).append(entity)
    apart = {
        (min(entity.id, other.id), max(entity.id, other.id))
        for entity in new
        for other in _meeting(entity, by_block)
        if entity.id != other.id and conflict(entity, other)
    }
    return merges, apart


def _meeting(entity: Entity, by_block: Mapping[str, Sequence[Entity]]) -> list[Entity]:
    """Those that share a block with an entity, namesakes first."""
    found = {other.id: other for block in blocks(entity) for other in by_block.get(block, ())}
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
    stored = list(stored)
    alive = {
        member.entity.id: member for member in sorted(members, key=lambda m: (m.made, m.entity.id)) if member.alive
    }
    dead = tuple(member.entity.id for member in members if not member.alive)
    dropped = tuple(pair(s.merge) for s in stored if _drops(s, dead))
    undone = {pair(s.merge) for s in stored if s.merge.undone}
    edges = [pair(s.merge) for s in stored if not s.merge.undone and pair(s.merge) not in dropped]
    accepted = admissible(given, _where(components(alive, edges)), undone)
    edges += map(pair, accepted)
    left = {m.cluster for m in members if not m.alive}
    new = [m.entity for m in alive.values() if m.entity.id in unsettled or m.cluster in left]
    fresh = {entity.id for entity in new}
    keys = {entity.key for entity in new}
    others = [m.entity for m in alive.values() if m.entity.id not in fresh]
    if near is not None:
        others = [entity for entity in others if entity.key in keys or entity.id in near]
    merges, apart = proposals(new, others)
    found = admissible(merges, _where(components(alive, edges)), undone | apart)
    groups = components(alive, [*edges, *map(pair, found)])
    return Plan(dead, dropped, tuple(accepted), tuple(found), dict(_changes(groups, members)))


def _drops(stored: StoredMerge, dead: Collection[str]) -> bool:
    if stored.merge.undone:
        return False
    orphaned = stored.merge.entity in dead or stored.merge.into in dead
    return orphaned or (stored.given and not stored.giver)


def _where(groups: Iterable[Sequence[str]]) -> dict[str, str]:
    return {entity: min(group) for group in groups for entity in group}


def _changes(
    groups: Iterable[Sequence[str]], members: Iterable[Member]
) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    before: dict[str, set[str]] = {}
    names: dict[str, str] = {}
    for member in members:
        before.setdefault(member.cluster, set()).add(member.entity.id)
        names[member.entity.id] = member.entity.name
    for group in groups:
        cluster = min(group)
        if before.get(cluster) != set(group):
            for id in group:
                yield id, (cluster, tuple(sorted({names[other] for other in group} - {names[id]})))
