"""Communities of the entity graph: groups of entities that are related mostly to each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from ...core.ids import stable_id
from ..graph import Community, Relation

SEED = 20240601
"""Any fixed number: the same graph gives the same communities in every run."""
MAX_SIZE = 12
"""A group above this is split on the next level: a dozen names are what a reader keeps in view."""

_GENERIC = frozenset({"role", "metric", "place", "market", "risk", "regulation"})
"""Types that many unrelated things share: they would tie the whole graph into one community."""
_SERVICES = frozenset({"audits", "regulates", "advises", "trustee_of"})
"""Relations that many unrelated firms have to one: two clients of an auditor have nothing to do with each other."""

Edge = tuple[str, str, float]
Group = tuple[int, tuple[str, ...], tuple[str, ...]]
"""Level, members, members of the group that it is part of."""


def find_communities(
    relations: Iterable[Relation], max_size: int = MAX_SIZE, seed: int = SEED, method: str = ""
) -> list[Community]:
    """Groups of entities that are related mostly to each other, coarse levels first.

    Hierarchical Leiden (Traag et al. 2019, arXiv 1810.08473) by the Rust core of graspologic; without that extra
    Louvain (Blondel et al. 2008) by networkx, group by group. An edge weighs as many documents as support it. Denied
    relations, generic ends (places, roles, metrics, risks) and services to many (audits) do not count. Deterministic.
    """
    edges = _edges(relations)
    if not edges:
        return []
    found = _leiden if (method or available_method()) == "leiden" else _louvain
    groups = sorted(found(edges, max_size, seed), key=lambda group: (group[0], -len(group[1]), group[1]))
    return [
        Community(_id(level, members), level, members, parent=_id(level - 1, whole) if level else "")
        for level, members, whole in groups
    ]


def available_method() -> str:
    """ "leiden", or "louvain" where the extra ``communities`` is not installed."""
    return "leiden" if find_spec("graspologic_native") else "louvain"


def _id(level: int, members: Sequence[str]) -> str:
    return stable_id("community", level, *members)


def _edges(relations: Iterable[Relation]) -> list[Edge]:
    """Pairs of entities that are related, with how many documents say so."""
    weights: Counter[tuple[str, str]] = Counter()
    for relation in relations:
        if is_generic(relation) or relation.head.id == relation.tail.id:
            continue
        documents = {said.document for said in relation.statements if said.modality != "negated"}
        if documents:
            one, other = sorted((relation.head.id, relation.tail.id))
            weights[one, other] += len(documents)
    return [(one, other, float(weight)) for (one, other), weight in sorted(weights.items())]


def is_generic(relation: Relation) -> bool:
    """True for a relation that many unrelated things have: it says something of one, and ties nothing together."""
    return relation.relation in _SERVICES or bool({relation.head.type, relation.tail.type} & _GENERIC)


def _leiden(edges: list[Edge], max_size: int, seed: int) -> Iterator[Group]:
    from graspologic_native import hierarchical_leiden

    entries: list[Any] = hierarchical_leiden(
        edges=edges,
        max_cluster_size=max_size,
        seed=seed,
        starting_communities=None,
        resolution=1.0,
        randomness=0.001,
        use_modularity=True,
        iterations=1,
    )
    members: dict[tuple[int, int], list[str]] = defaultdict(list)
    parents: dict[tuple[int, int], tuple[int, int]] = {}
    for entry in entries:
        key = (entry.level, entry.cluster)
        members[key].append(entry.node)
        parents[key] = (entry.level - 1, entry.parent_cluster or 0)
    for key, nodes in members.items():
        whole = members[parents[key]] if key[0] else []
        yield key[0], tuple(sorted(nodes)), tuple(sorted(whole))


def _louvain(edges: list[Edge], max_size: int, seed: int) -> Iterator[Group]:
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    waiting: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = [(0, tuple(sorted(graph)), ())]
    while waiting:
        level, nodes, whole = waiting.pop()
        groups = nx.community.louvain_communities(graph.subgraph(nodes), weight="weight", seed=seed)
        if level and len(groups) < 2:
            continue
        for group in groups:
            members = tuple(sorted(group))
            yield level, members, whole
            if len(members) > max_size:
                waiting.append((level + 1, members, members))
