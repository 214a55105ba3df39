"""Which entities of a whole store are one, decided in an order of its own: the order in which documents came tells
nothing. A store decides as documents come (``clusters``), which costs what a document names; this costs what a store
names, once after many documents were loaded. Pure functions for all engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations

from ...core.ids import stable_id
from ...core.names import legal_form
from ...core.records import dataclass
from ..graph import Entity, Merge
from .clusters import BY_HAND, Pair, StoredMerge, admissible, components, pair
from .matching import REASONS, conflict, merges_for


@dataclass(frozen=True, slots=True)
class Settled:
    """A merge that a store shall have; ``given`` where only documents give it."""

    merge: Merge
    given: bool


def settled_merges(entities: Iterable[Entity], stored: Iterable[StoredMerge]) -> list[Settled]:
    """All merges of a store of these entities, as often mentioned as they say, in an order that only they decide.

    What people made or took back stays, and so does what documents give; what resolution finds is found anew.

    >>> acme, other = Entity("1", "Acme Inc.", "company", "acme"), Entity("2", "ACME", "company", "acme")
    >>> settled_merges([other, acme], []) == settled_merges([acme, other], [])
    True
    """
    decided = _Decided.of(stored)
    settled = {ends: Settled(merge, given=True) for ends, merge in decided.given.items()}
    for merge in _found(sorted(entities, key=_place), decided):
        ends = pair(merge)
        settled[ends] = Settled(decided.given.get(ends, merge), given=False)
    for ends, merge in decided.by_people.items():
        settled[ends] = Settled(merge, given=False)
    return [settled[ends] for ends in sorted(settled)]


@dataclass(slots=True)
class _Decided:
    """The stored merges that are not found but decided, by the pair that they merge."""

    by_people: dict[Pair, Merge] = field(default_factory=dict)
    given: dict[Pair, Merge] = field(default_factory=dict)
    """By documents."""
    undone: set[Pair] = field(default_factory=set)

    @classmethod
    def of(cls, stored: Iterable[StoredMerge]) -> _Decided:
        decided = cls()
        for known in stored:
            ends = pair(known.merge)
            if _is_of_people(known):
                decided.by_people[ends] = known.merge
            elif known.giver:
                decided.given[ends] = _directed(known.merge)
            if known.merge.undone:
                decided.undone.add(ends)
        return decided

    def edges(self) -> list[Pair]:
        """The pairs that are one, whatever resolution finds."""
        return sorted({*self.by_people, *self.given} - self.undone)


def _place(entity: Entity) -> tuple[int, bool, str]:
    """The most mentioned come first: "Netflix" is the Netflix, Inc. of every page, not the Netflix K.K. of one list."""
    return -entity.mentions, not legal_form(entity.name), entity.id


def _is_of_people(known: StoredMerge) -> bool:
    """True for what a person, or a program of theirs, made or took back."""
    if known.merge.undone or known.merge.reason == BY_HAND:
        return True
    is_of_documents = known.given or known.giver
    return not is_of_documents and known.merge.reason not in REASONS


def _directed(merge: Merge) -> Merge:
    """A merge that documents give, in one direction: of two documents each may have given the other."""
    low, high = pair(merge)
    return replace(merge, id=stable_id("merge", high, low), entity=high, into=low)


@dataclass(slots=True)
class _Group:
    """Entities that would be one if all that is proposed were done."""

    members: list[Entity] = field(default_factory=list)
    proposed: list[Merge] = field(default_factory=list)
    edges: list[Pair] = field(default_factory=list)
    apart: set[Pair] = field(default_factory=set)

    def accepted(self) -> list[Merge]:
        """What is proposed, but for what would bring together, by way of a third, two that cannot be one."""
        if len(self.proposed) > 1:  # a single merge was looked at when it was proposed
            self.apart.update(_conflicts(self.members))
        cluster: dict[str, str] = {}
        for group in components([member.id for member in self.members], self.edges):
            cluster.update(dict.fromkeys(group, group[0]))
        return admissible(self.proposed, cluster, self.apart)


def _found(ordered: Sequence[Entity], decided: _Decided) -> Iterator[Merge]:
    """What resolution finds."""
    proposed = merges_for([entity for entity in ordered if entity.key], {})
    edges = decided.edges()
    groups = _groups_of(ordered, [*edges, *map(pair, proposed)])
    for merge in proposed:
        groups[merge.entity].proposed.append(merge)
    for ends in edges:
        if ends[0] in groups:
            groups[ends[0]].edges.append(ends)
    for ends in decided.undone:
        if ends[0] in groups:
            groups[ends[0]].apart.add(ends)
    for group in {id(group): group for group in groups.values()}.values():
        if group.proposed:
            yield from group.accepted()


def _groups_of(ordered: Sequence[Entity], edges: Iterable[Pair]) -> Mapping[str, _Group]:
    """The group of each entity."""
    groups: dict[str, _Group] = {}
    by_id = {entity.id: entity for entity in ordered}
    for ids in components(by_id, edges):
        groups.update(dict.fromkeys(ids, _Group([by_id[id] for id in ids])))
    return groups


def _conflicts(members: Sequence[Entity]) -> Iterator[Pair]:
    for one, other in combinations(members, 2):
        if conflict(one, other):
            yield min(one.id, other.id), max(one.id, other.id)
