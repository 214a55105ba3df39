"""Communities of the entity graph, groups of entities that are related mostly to each other, as they are now:
derived when first needed, kept in the store, derived anew after a write.

With what documents say about the companies in them: latest headline figures, and the risks that they name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from typing import Any

from ...core.errors import StoreError
from ...core.fact import Fact
from ...core.ids import stable_id
from ...core.names import name_key
from ...core.rules import load_rules
from ...core.sequences import grouped
from ...ingest.chunk import Chunk
from ..graph import Communities, Community, Entity, Finding, Place, Relation
from ..schema import Schema
from ..store import DocumentRecord, FactQuery, Store
from .reports import AUTHOR, is_generic, write_reports

SEED = 20240601
"""Any fixed number: the same graph gives the same communities in every run."""
MAX_SIZE = 12
"""A group above this is split on the next level: a dozen names are what a reader keeps in view."""

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


_SIGNS = frozenset("$€£¥￥%")
_FACTS = 4_000
"""Facts of one company looked at: headline metrics of every period that its documents give."""


def known_of_companies(store: Store) -> dict[str, list[Finding]]:
    """Entity -> figures and risks, for the companies that documents are about."""
    known = {}
    for entity, records in _filers(store).values():
        found = [*_figures(store, entity, records), *_risks(store, entity, records)]
        if found:
            known[entity.id] = found
    return known


def _filers(store: Store) -> Mapping[str, tuple[Entity, list[DocumentRecord]]]:
    named = (record for record in store.documents() if record.companies)
    records = grouped(named, key=lambda record: name_key(record.companies[0]))
    entities: dict[str, Entity] = {}
    for entity in store.find_entities(list(records)):
        if entity.type == "company":
            for key in entity.keys:
                entities.setdefault(key, entity)
    found: dict[str, tuple[Entity, list[DocumentRecord]]] = {}
    for key, own in records.items():
        company = entities.get(key)
        if company is not None:
            found.setdefault(company.id, (company, []))[1].extend(own)
    return found


def _figures(store: Store, entity: Entity, records: Sequence[DocumentRecord]) -> Iterator[Finding]:
    """The latest whole-company value of each headline metric, a year's before a quarter's."""
    headline = _rules()["headline"]
    query = FactQuery(sources=tuple(r.source for r in records), metrics=tuple(headline), limit=_FACTS)
    names = entity.keys
    for record in records:
        names.update(map(name_key, record.companies))
    told: dict[str, list[Fact]] = defaultdict(list)
    for fact in store.facts(query):
        if _is_headline(fact) and name_key(fact.company) in names:
            told[fact.metric].append(fact)
    for metric in filter(told.__contains__, headline):
        fact = _latest(told[metric])
        place = Place(fact.source, fact.start, fact.end, fact.page)
        yield Finding("figure", f"{entity.name}: {_said(fact)}", (place,))


def _is_headline(fact: Fact) -> bool:
    """True for a value of a whole company in a period, from a table or tagged."""
    if fact.value is None or fact.period is None:
        return False
    return not fact.dimensions and fact.source_kind != "prose"


def _latest(facts: Sequence[Fact]) -> Fact:
    """Of the last period, as reported for the group; of several values the one printed most often."""
    printed = Counter((_recency(fact), fact.amount) for fact in facts)
    return max(facts, key=lambda fact: (_recency(fact), printed[_recency(fact), fact.amount], fact.confidence))


def _recency(fact: Fact) -> tuple[object, ...]:
    assert fact.period is not None
    is_year = fact.period.unit == "year" or fact.period.is_instant
    return is_year, fact.period.last_day, fact.basis == "reported", fact.consolidation != "parent"


def _said(fact: Fact) -> str:
    """ "revenue 17,606 million USD (FY2022)"."""
    scales = {Decimal(size): word for size, word in _rules()["scales"].items()}
    parts = [_plain(fact.own_label) or fact.metric, fact.text, scales.get(fact.scale, "")]
    if fact.unit not in fact.text and _SIGNS.isdisjoint(fact.text):
        parts.append(fact.unit)
    if fact.period:
        parts.append(f"({fact.period.label})")
    return " ".join(filter(None, parts))


def _risks(store: Store, entity: Entity, records: Sequence[DocumentRecord]) -> list[Finding]:
    """The headings of the risk factors that most is written under, of the latest document that has them."""
    latest = sorted(records, key=lambda r: (r.published or r.ingested.date(), r.source), reverse=True)
    for record in latest:
        written: Counter[str] = Counter()
        first: dict[str, Chunk] = {}
        for chunk in store.chunks_of(record.source):
            heading = _risk_heading(chunk.headings) if chunk.kind == "text" else ""
            if heading:
                written[heading] += chunk.tokens
                first.setdefault(heading, chunk)
        if written:
            text = store.text(record.source)
            most = written.most_common(_rules()["risks"])
            return [_risk(entity, heading, first[heading], text) for heading, _ in most]
    return []


def _risk_heading(headings: Sequence[str]) -> str:
    """The heading of one risk; "" outside the risk factors and right under a heading that only groups them."""
    sections, groups = _patterns()
    inside = any(map(sections.search, headings[:-1]))
    return headings[-1] if inside and not groups.search(headings[-1]) else ""


def _risk(entity: Entity, heading: str, chunk: Chunk, text: str) -> Finding:
    """The heading as the claim, at its own place on paper where that is found before the chunk."""
    start, end = _place_of(heading, chunk, text)
    said = _plain(heading.capitalize() if heading.isupper() else heading)
    return Finding("risk", f"{entity.name}: {said}", (Place(chunk.document, start, end, chunk.page, chunk.id),))


def _place_of(heading: str, chunk: Chunk, text: str) -> tuple[int, int]:
    """Where the heading stands before its chunk, else the chunk's first sentence."""
    at = text.rfind(heading, 0, chunk.start)
    if at >= 0:
        return at, at + len(heading)
    return chunk.sentences[0] if chunk.sentences else (chunk.start, chunk.end)


def _plain(name: str) -> str:
    """Without its number and on one line."""
    return " ".join(re.sub(_rules()["numbering"], "", name).split())


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    rules = _rules()
    return re.compile("|".join(rules["risk_sections"]), re.I), re.compile("|".join(rules["risk_groups"]), re.I)


def _rules() -> Mapping[str, Any]:
    return load_rules(__package__, "sources.toml")


VERSION = "1"
"""Of groups and reports by rules; those of another version are derived anew."""


def current_communities(store: Store, schema: Schema) -> Communities:
    """The communities of the store's present version, with reports.

    What is stored of this version is read; else they are found anew and stored, and a report that a model wrote is
    kept where its community and all that it rests on are the same. Never part of an add.
    """
    stored, version = store.communities(), store.version()
    if stored is not None and _is_fresh(stored, version):
        return stored
    written = {c.digest: c for c in stored.groups if c.author != AUTHOR} if stored else {}
    groups = tuple(_with_report_of(community, written.get(community.digest)) for community in derive(store, schema))
    found = Communities(version, groups, _method())
    keep(store, found)
    return found


def is_current(store: Store) -> bool:
    """True where :func:`current_communities` only reads."""
    stored = store.communities()
    return stored is not None and _is_fresh(stored, store.version())


def keep(store: Store, found: Communities) -> None:
    """Store what was derived; a store that cannot be written is only read."""
    try:
        store.put_communities(found)
    except StoreError:
        if store.communities() is not None and store.version() != found.version:
            raise


def derive(store: Store, schema: Schema) -> list[Community]:
    """Communities of the graph as it is, with reports by rules."""
    relations = list(store.all_relations())
    known = known_of_companies(store)
    return write_reports(find_communities(relations), relations, schema, known)


def _is_fresh(stored: Communities, version: int) -> bool:
    return stored.version == version and stored.method == _method()


def _method() -> str:
    """ "leiden-1": how groups are found here, and the version of what is written about them."""
    return f"{available_method()}-{VERSION}"


def _with_report_of(community: Community, before: Community | None) -> Community:
    if before is None:
        return community
    return replace(community, title=before.title, report=before.report, findings=before.findings, author=before.author)
