"""How two entities hang together: the best supported paths between them, with the sentences behind every step."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from .graph import Relation
from .schema import Schema
from .store import Store
from .timeline import marked

if TYPE_CHECKING:
    import networkx as nx

_ROUNDS = 3
"""Steps out from both ends: paths of up to twice as many relations are found."""
_BREADTH = 2_000
"""Relations read in one round for each end; what is best supported comes first."""
_GENERIC = {
    "place": 2.0,
    "role": 2.0,
    "metric": 2.0,
    "market": 2.0,
    "method": 2.0,
    "regulation": 1.0,
    "regulator": 1.0,
    "thing": 0.5,
}
"""What a step by way of such an entity costs more: two firms that both operate in Texas are not therefore related."""

_VAGUE = frozenset(("contracts_with", "partners_with"))
_LESS_TOLD = 0.8
"""A step that says only that two do business counts less than one that says which."""


def best_paths(
    store: Store,
    start: str,
    goal: str,
    schema: Schema,
    limit: int = 3,
    *,
    rounds: int = _ROUNDS,
    breadth: int = _BREADTH,
) -> list[tuple[Relation, ...]]:
    """The best supported paths between two entities (ids), best first; each is its relations in order.

    A relation may be walked against its direction. Denied statements are no step. Nothing is read but the
    neighbourhoods of both ends, a few rounds wide.
    """
    if start == goal:
        return []
    relations: dict[tuple[str, str, str], Relation] = {}
    reached = {start: {start}, goal: {goal}}
    frontier = {start: {start}, goal: {goal}}
    for _ in range(rounds):
        found = _around(store, frontier[start] | frontier[goal], 2 * breadth)
        relations.update((relation.key, relation) for relation in found)
        for end in (start, goal):
            frontier[end] = _beyond(frontier[end], found) - reached[end]
            reached[end] |= frontier[end]
        if reached[start] & reached[goal]:
            break
    return shortest_paths(marked(relations.values(), schema), start, goal, limit)


def shortest_paths(relations: Iterable[Relation], start: str, goal: str, limit: int = 3) -> list[tuple[Relation, ...]]:
    """The cheapest simple paths (Yen 1971) in given relations; a well supported relation is cheap, a hub is dear."""
    import networkx as nx

    graph = _graph(relations)
    if start not in graph or goal not in graph:
        return []
    try:
        found = list(islice(nx.shortest_simple_paths(graph, start, goal, weight="cost"), limit))
    except nx.NetworkXNoPath:
        return []
    return [tuple(graph[a][b]["relation"] for a, b in pairwise(nodes)) for nodes in found]


def _around(store: Store, seeds: Collection[str], limit: int) -> Sequence[Relation]:
    """What both ends reach in one step: read together."""
    return store.subgraph(seeds, limit).relations if seeds else ()


def _beyond(seeds: set[str], found: Iterable[Relation]) -> set[str]:
    """The ends of the relations that touch a seed."""
    ends: set[str] = set()
    for relation in found:
        pair = {relation.head.id, relation.tail.id}
        if pair & seeds:
            ends |= pair
    return ends


def _graph(relations: Iterable[Relation]) -> nx.Graph[str]:
    """One edge between two entities, their best supported relation; weak relations and broad ends are dear."""
    import networkx as nx

    best: dict[tuple[str, str], Relation] = {}
    strengths: dict[tuple[str, str], float] = {}
    for relation in relations:
        one, other = sorted((relation.head.id, relation.tail.id))
        strength = _strength(relation)
        if one != other and strength > strengths.get((one, other), 0.0):
            best[one, other], strengths[one, other] = relation, strength
    graph: nx.Graph[str] = nx.Graph()
    graph.add_edges_from((*ends, {"relation": relation}) for ends, relation in best.items())
    degrees: Mapping[str, int] = dict(graph.degree)
    for a, b, edge in graph.edges(data=True):
        edge["cost"] = _cost(edge, degrees[a], degrees[b])
    return graph


def _cost(edge: Mapping[str, Any], *degrees: int) -> float:
    relation: Relation = edge["relation"]
    generic = sum(_GENERIC.get(end.type, 0.0) for end in relation.ends) / 2
    breadth = sum(map(math.log1p, degrees)) / 20
    return 1 / math.log2(1 + _strength(relation)) + generic + breadth


def _strength(relation: Relation) -> float:
    """Documents count in full, more statements of one document a little; denied ones not at all, past ones half."""
    said = [statement for statement in relation.statements if statement.modality != "negated"]
    strength = len({statement.document for statement in said}) + 0.1 * math.log1p(len(said))
    if relation.relation in _VAGUE:
        strength *= _LESS_TOLD
    return strength / 2 if relation.successor else strength
