"""Communities of the entity graph by hierarchical Leiden, and reports about them made without a model."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.errors import UsageError
from ..core.ids import stable_id
from .graph import Community, Entity, Relation
from .schema import Schema, load_schema

SEED = 20240601
"""Any fixed number: the same graph gives the same communities in every run."""

_GENERIC = frozenset({"role", "metric", "place", "market"})
"""Types that many unrelated things share: they would tie the whole graph into one community."""


def find_communities(relations: Iterable[Relation], max_size: int = 12, seed: int = SEED) -> list[Community]:
    """Groups of entities that are related mostly to each other, coarse levels first.

    Hierarchical Leiden (Traag et al. 2019, arXiv 1810.08473) by the Rust core of graspologic; an edge weighs as many
    documents as support it. Denied relations and generic ends (places, roles, metrics) do not count. A group above
    ``max_size`` is split on the next level. Deterministic. Raises UsageError where the extra is not installed.
    """
    edges = _edges(relations)
    if not edges:
        return []
    found = _leiden(edges, max_size, seed)
    members: dict[tuple[int, int], list[str]] = defaultdict(list)
    parents: dict[tuple[int, int], int | None] = {}
    for entry in found:
        members[entry.level, entry.cluster].append(entry.node)
        parents[entry.level, entry.cluster] = entry.parent_cluster
    ids = {key: stable_id("community", key[0], *sorted(nodes)) for key, nodes in members.items()}
    return [
        Community(ids[key], key[0], tuple(sorted(nodes)), parent=ids.get((key[0] - 1, parents[key] or 0), ""))
        for key, nodes in sorted(members.items())
    ]


def write_reports(
    communities: Sequence[Community],
    entities: Mapping[str, Entity],
    relations: Iterable[Relation],
    *,
    language: str = "en",
    schema: Schema | None = None,
    limit: int = 12,
) -> list[Community]:
    """The communities with a title (their best connected names) and a report: who is in it, and its best supported
    relations, each with the document and page that says so.

    ``entities`` are by id; ``limit`` bounds the relations of a report.
    """
    by_end: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        by_end[relation.head.id].append(relation)
    return [
        _with_report(community, entities, _inside(community, by_end), language, schema or load_schema(), limit)
        for community in communities
    ]


def member_hash(community: Community) -> str:
    """What a report is cached by: it holds as long as the same entities are together."""
    return stable_id("members", *community.entities)


def _edges(relations: Iterable[Relation]) -> list[tuple[str, str, float]]:
    weights: Counter[tuple[str, str]] = Counter()
    for relation in relations:
        ends = relation.head, relation.tail
        asserted = [s for s in relation.statements if s.modality != "negated"]
        if asserted and ends[0].id != ends[1].id and not {end.type for end in ends} & _GENERIC:
            one, other = sorted(end.id for end in ends)
            weights[one, other] += len({s.document for s in asserted})
    return [(one, other, float(weight)) for (one, other), weight in sorted(weights.items())]


def _leiden(edges: list[tuple[str, str, float]], max_size: int, seed: int) -> list[Any]:
    """Clusters of all levels, with ``node``, ``cluster``, ``level`` and ``parent_cluster``."""
    try:
        from graspologic_native import hierarchical_leiden
    except ImportError as error:
        hint = 'Install it with: pip install "cliquerag[communities]"'
        raise UsageError("communities need the extra communities (graspologic-native)", hint=hint) from error
    found: list[Any] = hierarchical_leiden(
        edges=edges,
        max_cluster_size=max_size,
        seed=seed,
        starting_communities=None,
        resolution=1.0,
        randomness=0.001,
        use_modularity=True,
        iterations=1,
    )
    return found


def _inside(community: Community, by_end: Mapping[str, Sequence[Relation]]) -> list[Relation]:
    members = set(community.entities)
    inside = [relation for id in community.entities for relation in by_end.get(id, ()) if relation.tail.id in members]
    return sorted(inside, key=lambda r: (-r.support, -len(r.statements), r.head.name, r.relation, r.tail.name))


def _with_report(
    community: Community,
    entities: Mapping[str, Entity],
    relations: Sequence[Relation],
    language: str,
    schema: Schema,
    limit: int,
) -> Community:
    degrees = Counter(end.id for relation in relations for end in (relation.head, relation.tail))
    known = [entities[id] for id in community.entities if id in entities]
    ranked = sorted(known, key=lambda entity: (-degrees[entity.id], -entity.mentions, entity.name))
    comma = "、" if language == "zh" else ", "
    title = comma.join(entity.name for entity in ranked[:3])
    kinds = _by_type(ranked, language, schema, comma)
    lines = [_line(relation, language, schema) for relation in relations[:limit]]
    return replace(community, title=title, report="\n".join([*kinds, *lines]))


def _by_type(ranked: Sequence[Entity], language: str, schema: Schema, comma: str) -> list[str]:
    names: dict[str, list[str]] = defaultdict(list)
    for entity in ranked:
        names[entity.type].append(entity.name)
    return [
        f"{schema.types[kind].label(language) if kind in schema.types else kind}: {comma.join(found)}"
        for kind, found in names.items()
    ]


def _line(relation: Relation, language: str, schema: Schema) -> str:
    """ "Acme supplies Bolt (planned) [acme.pdf, p. 3; 2 documents]"."""
    known = schema.relations.get(relation.relation)
    label = known.label(language) if known else relation.relation.replace("_", " ")
    statement = relation.statements[0]
    modality = "" if statement.modality == "asserted" else f" ({statement.modality})"
    page = f", p. {statement.page}" if statement.page else ""
    more = f"; {relation.support} documents" if relation.support > 1 else ""
    return f"{relation.head.name} {label} {relation.tail.name}{modality} [{statement.document}{page}{more}]"
