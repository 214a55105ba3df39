"""Merges as an overlay: which entities are one, and what the cluster is called. Pure functions for all engines."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Generic, TypeVar

from ...core.sequences import grouped
from ..graph import NOTES, Entity, Merge

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
