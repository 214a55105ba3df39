"""Merges as an overlay: which entities are one, what the cluster is called, and what becomes of clusters after a
write. Pure functions for all engines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import Generic, TypeVar

from ...core.records import dataclass
from ...core.sequences import grouped
from ..graph import NOTES, Entity, Merge
from .matching import blocks, conflict, key_of, merges_for

Node = TypeVar("Node", bound=Hashable)


def components(nodes: Iterable[Node], edges: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """Connected groups by union-find, in order of their first node; edges to other nodes are left out.

    >>> components("abcd", [("c", "a"), ("d", "x")])
    [['a', 'c'], ['b'], ['d']]
    """
    parent = {node: node for node in nodes}

    def root(node: Node) -> Node:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for one, other in edges:
        if one in parent and other in parent:
            parent[root(other)] = root(one)
    return list(grouped(parent, key=root).values())


def represent(members: Collection[Entity], documents: int) -> Entity:
    """A cluster as one entity: the most mentioned name (ties: smallest id), the others as its aliases.

    A name in capitals throughout gives way to one of the same key that is not; the id stays that of the most
    mentioned. ``documents`` counts those that mention any member.
    """
    ranked = sorted(members, key=lambda member: (-member.mentions, member.id))
    first = ranked[0]
    if len(ranked) == 1:
        return first
    name = _caption(ranked)
    aliases = dict.fromkeys(member.name for member in ranked)
    aliases.pop(name, None)
    context = reduce(join_context, (member.context for member in ranked))
    mentions = sum(member.mentions for member in ranked)
    return Entity(first.id, name, first.type, first.key, tuple(aliases), mentions, documents, context)


def join_context(known: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """What two names of one entity tell: notes line by line, each line once; of all else what was known first.

    >>> join_context({"ticker": "ACM", "description": "Makes pumps."}, {"description": "Sued Bolt.\\nMakes pumps."})
    {'ticker': 'ACM', 'description': 'Makes pumps.\\nSued Bolt.'}
    """
    joined = {**known, **{name: text for name, text in more.items() if name not in known}}
    for name in NOTES & known.keys() & more.keys():
        joined[name] = "\n".join(dict.fromkeys([*known[name].splitlines(), *more[name].splitlines()]))
    return joined


def pooled_context(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """What two documents know of one entity, the same whichever came first: the lines of notes in order; of all else
    that they tell differently the first by the alphabet.

    >>> pooled_context({"ticker": "ACM", "description": "Sued Bolt."}, {"ticker": "AC", "description": "Makes pumps."})
    {'description': 'Makes pumps.\\nSued Bolt.', 'ticker': 'AC'}
    """
    pooled = {**one, **other}
    for name in one.keys() & other.keys():
        if name in NOTES:
            pooled[name] = "\n".join(sorted({*one[name].splitlines(), *other[name].splitlines()}))
        else:
            pooled[name] = min(one[name], other[name])
    return dict(sorted(pooled.items()))


def preferred_name(one: str, other: str) -> str:
    """Of two ways to write one name, which differ in their capitals, the one that is shown whichever came first.

    >>> preferred_name("NASDAQ Global", "Nasdaq Global"), preferred_name("eBay", "EBAY"), preferred_name("eBay", "ebay")
    ('Nasdaq Global', 'eBay', 'eBay')
    """
    return min(one, other, key=lambda name: (name.isupper() or name.islower(), name.swapcase()))


def _caption(ranked: Sequence[Entity]) -> str:
    """The first name, or where it is written in capitals the next of its key that is not ("ADOBE INC.")."""
    first = ranked[0]
    for member in ranked:
        if member.key == first.key and not member.name.isupper():
            return member.name
    return first.name


def pair(merge: Merge) -> tuple[str, str]:
    """The two entities in order: a merge has no direction."""
    return (merge.entity, merge.into) if merge.entity < merge.into else (merge.into, merge.entity)


def admissible(
    merges: Iterable[Merge], cluster: Mapping[str, Node], undone: Collection[tuple[str, str]]
) -> list[Merge]:
    """The merges that do not bring together, directly or by way of others, two entities somebody has taken apart.

    ``cluster`` gives the group of every entity that may be touched. Merges are taken in order.
    """
    groups = _Groups(cluster, undone)
    return list(filter(groups.join, merges))


class _Groups(Generic[Node]):
    """Entities in groups that grow with every merge."""

    def __init__(self, cluster: Mapping[str, Node], undone: Collection[tuple[str, str]]) -> None:
        self._group = dict(cluster)
        self._undone = undone
        self._members: dict[Node, set[str]] = {}
        for entity, group in cluster.items():
            self._members.setdefault(group, set()).add(entity)

    def join(self, merge: Merge) -> bool:
        """Bring the ends of a merge together; False where one is unknown or somebody has taken them apart."""
        one, other = self._group.get(merge.entity), self._group.get(merge.into)
        if one is None or other is None or pair(merge) in self._undone:
            return False
        if one == other:
            return True
        if self._taken_apart(self._members[one], self._members[other]):
            return False
        moved = self._members.pop(other)
        self._group.update(dict.fromkeys(moved, one))
        self._members[one] |= moved
        return True

    def _taken_apart(self, one: Collection[str], other: Collection[str]) -> bool:
        """True where one of two groups has the one end of an undone merge, and the other the other."""
        for low, high in self._undone:
            crosses = (low in one and high in other) or (low in other and high in one)
            if crosses:
                return True
        return False


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
