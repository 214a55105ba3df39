"""Entities as clusters, mentions, statements and relations."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from ..clusters import represent
from ..codec import expand, read_anchors, read_day, read_pairs, read_period, read_triples
from ..grams import likeness, name_grams
from ..graph import Entity, Mention, Relation, Statement, Subgraph
from ..triple import Modality, Triple
from .connection import Graph, Row

_BATCH = 500
_CANDIDATES = 8
_MEMBERS = """CALL () { MATCH (x:Entity) WHERE x.id IN $members RETURN collect(x.cluster) AS by_id }
  CALL () { MATCH (x:Entity) WHERE x.key IN $keys RETURN collect(x.cluster) AS by_key }
  WITH by_id + by_key + $clusters AS wanted
  UNWIND wanted AS cluster
  WITH DISTINCT cluster
  CALL (cluster) {
    MATCH (d:Document)-[:NAMES]->(:Entity {cluster: cluster}) RETURN count(DISTINCT d) AS documents
  }
  MATCH (m:Entity {cluster: cluster})
  CALL (m) { MATCH (d:Document)-[n:NAMES]->(m) RETURN sum(n.mentions) AS mentions, count(d) AS own }
  RETURN cluster, documents, own, mentions, m {.id, .name, .type, .key, .context} AS member"""
_TRIPLETS = """WITH DISTINCT r
  WITH startNode(r).cluster AS head, r.relation AS relation, endNode(r).cluster AS tail, count(*) AS size,
    collect(r.statement) AS ids, count(DISTINCT r.document) AS support,
    min(startNode(r).id) AS first, min(endNode(r).id) AS second
  ORDER BY support DESC, size DESC, first, relation, second LIMIT $limit"""
STATEMENT = """s {.id, .head, .relation, .tail, .document, .chunk, .start, .end, .text, .anchors, .period, .published,
  .modality, .confidence, .extractor, .metadata}"""
"""A statement without its vector."""
_WITH_STATEMENTS = f"""CALL (ids) {{
    UNWIND ids AS id MATCH (s:Statement {{id: id}}) RETURN collect({STATEMENT}) AS statements
  }}
  RETURN head, relation, tail, statements"""


class Clusters(NamedTuple):
    """Clusters as entities, and the cluster of each of their members."""

    entities: dict[str, Entity]
    of: dict[str, str]


def read_clusters(
    graph: Graph, clusters: Iterable[str] = (), members: Iterable[str] = (), keys: Iterable[str] = ()
) -> Clusters:
    """These clusters, those of the members, and those with a member of a key: one round trip, none for nothing."""
    wanted = {"clusters": clusters, "members": members, "keys": keys}
    values = {name: list(dict.fromkeys(given)) for name, given in wanted.items()}
    groups: dict[str, list[Entity]] = {}
    documents: dict[str, int] = {}
    for row in graph.read(_MEMBERS, **values) if any(values.values()) else ():
        member = row["member"]
        context = read_pairs(member.pop("context"))
        entity = Entity(**member, mentions=row["mentions"], documents=row["own"], context=context)
        groups.setdefault(row["cluster"], []).append(entity)
        documents[row["cluster"]] = row["documents"]
    of = {entity.id: cluster for cluster, group in groups.items() for entity in group}
    return Clusters({cluster: represent(group, documents[cluster]) for cluster, group in groups.items()}, of)


def find_entities(graph: Graph, keys: Collection[str]) -> list[Entity]:
    """Clusters with a member of one of these name keys, most mentioned first."""
    found = read_clusters(graph, keys=(key for key in keys if key)).entities
    return sorted(found.values(), key=lambda entity: (-entity.mentions, entity.id))


def entities(graph: Graph, ids: Collection[str]) -> list[Entity]:
    """The clusters of these members, each once, in the order asked for."""
    found = read_clusters(graph, members=ids)
    return [found.entities[cluster] for cluster in dict.fromkeys(found.of[id] for id in ids if id in found.of)]


def similar_entities(graph: Graph, name: str, k: int) -> list[Entity]:
    """Clusters with a name that shares words or trigrams, best first."""
    grams = name_grams(name)
    if not grams or k <= 0:
        return []
    query = """CALL db.index.fulltext.queryNodes('entity_grams', $grams, {limit: $limit}) YIELD node AS e
      RETURN e.cluster AS cluster, e.name AS name"""
    match = " OR ".join(f'"{gram}"' for gram in grams)
    best: dict[str, float] = {}
    for row in graph.read(query, grams=match, limit=_CANDIDATES * k + 50):
        best[row["cluster"]] = max(best.get(row["cluster"], 0.0), likeness(name, row["name"]))
    found = read_clusters(graph, best).entities
    return [found[cluster] for cluster in sorted(found, key=lambda c: (-best[c], found[c].id))[:k]]


def all_entities(graph: Graph, limit: int) -> Iterator[Entity]:
    """Most mentioned first."""
    query = """MATCH (e:Entity) OPTIONAL MATCH (:Document)-[n:NAMES]->(e)
      WITH e.cluster AS cluster, sum(n.mentions) AS mentions, min(e.id) AS first
      RETURN cluster ORDER BY mentions DESC, first LIMIT $limit"""
    ranked = [row["cluster"] for row in graph.read(query, limit=limit)]
    for i in range(0, len(ranked), _BATCH):
        found = read_clusters(graph, ranked[i : i + _BATCH]).entities
        yield from (found[cluster] for cluster in ranked[i : i + _BATCH] if cluster in found)


def mentions(
    graph: Graph,
    chunks: Collection[str],
    wanted: Collection[str],
    limit: int,
    documents: Collection[str] | None = None,
) -> list[Mention]:
    """In these chunks and of these entities, in order of document and place."""
    if not chunks and not wanted:
        return []
    pattern = "MATCH (c)-[m:MENTIONS]->(e)"
    if wanted:
        start = "MATCH (x:Entity) WHERE x.id IN $entities WITH collect(DISTINCT x.cluster) AS clusters "
        start += f"MATCH (e:Entity) WHERE e.cluster IN clusters {pattern}"
        start += " WHERE c.id IN $chunks" if chunks else ""
    else:
        start = f"UNWIND $chunks AS id MATCH (c:Chunk {{id: id}}) {pattern}"
    within = "" if documents is None else "WITH c, m, e WHERE c.document IN $documents"
    query = f"""{start} {within}
      WITH DISTINCT e.id AS id, e.cluster AS cluster, c, m.start AS start, m.end AS end, m.name AS name
      RETURN cluster, c.id AS chunk, start, end, name
      ORDER BY c.document, c.ordinal, start, end, id LIMIT $limit"""
    rows = graph.read(query, chunks=list(chunks), entities=list(wanted), limit=limit, documents=list(documents or ()))
    named = read_clusters(graph, (row["cluster"] for row in rows)).entities
    return [Mention(named[r["cluster"]].id, r["chunk"], r["start"], r["end"], r["name"]) for r in rows]


def statements(
    graph: Graph, ids: Collection[str], documents: Collection[str], chunks: Collection[str]
) -> list[Statement]:
    """Those with one of the ids, in one of the documents and in one of the chunks, where given; in order of place."""
    given = {"id": list(ids), "document": list(documents), "chunk": list(chunks)}
    conditions = [f"s.{name} IN ${name}" for name, values in given.items() if values]
    if not conditions:
        return []
    query = f"""MATCH (s:Statement) WHERE {" AND ".join(conditions)}
      MATCH (h:Entity {{id: s.head}}), (t:Entity {{id: s.tail}})
      RETURN {STATEMENT} AS statement, h.cluster AS head, t.cluster AS tail"""
    rows = graph.read(query, **given)
    named = read_clusters(graph, (row[end] for row in rows for end in ("head", "tail"))).entities
    found = [read_statement(row["statement"], named[row["head"]].id, named[row["tail"]].id) for row in rows]
    return sorted(found, key=_place)


def subgraph(graph: Graph, seeds: Collection[str], limit: int, documents: Collection[str] | None) -> Subgraph:
    """Relations that touch a seed, best supported first, with all entities they name."""
    within = "" if documents is None else "AND r.document IN $documents"
    query = f"""MATCH (x:Entity) WHERE x.id IN $seeds WITH collect(DISTINCT x.cluster) AS clusters
      MATCH (e:Entity) WHERE e.cluster IN clusters MATCH (e)-[r]-(:Entity) WHERE r.statement IS NOT NULL {within}
      {_TRIPLETS} {_WITH_STATEMENTS}"""
    rows = graph.read(query, seeds=list(seeds), limit=limit + 1, documents=list(documents or ()))
    kept = rows[:limit]
    named = read_clusters(graph, (row[end] for row in kept for end in ("head", "tail")), seeds).entities
    relations = tuple(_relation(row, named) for row in kept)
    return Subgraph(tuple(named.values()), relations, truncated=len(rows) > limit)


def all_relations(graph: Graph, limit: int) -> Iterator[Relation]:
    """Best supported first."""
    query = f"MATCH (:Entity)-[r]->(:Entity) WHERE r.statement IS NOT NULL {_TRIPLETS} RETURN head, relation, tail, ids"
    ranked = graph.read(query, limit=limit)
    for i in range(0, len(ranked), _BATCH):
        rows = graph.read(
            f"UNWIND $rows AS row WITH row.head AS head, row.relation AS relation, row.tail AS tail, row.ids AS ids "
            f"{_WITH_STATEMENTS}",
            rows=ranked[i : i + _BATCH],
        )
        named = read_clusters(graph, (row[end] for row in rows for end in ("head", "tail"))).entities
        yield from (_relation(row, named) for row in rows)


def rejected(graph: Graph, source: str) -> list[Triple]:
    """Triples kept out of the graph, by extractor."""
    query = """MATCH (:Document {source: $source})-[:READ_BY]->(x:Extraction) WHERE x.rejected IS NOT NULL
      RETURN x.rejected AS data ORDER BY x.extractor"""
    return [triple for row in graph.read(query, source=source) for triple in read_triples(expand(row["data"]))]


def _relation(row: Row, named: dict[str, Entity]) -> Relation:
    head, tail = named[row["head"]], named[row["tail"]]
    found: Sequence[Statement] = [read_statement(properties, head.id, tail.id) for properties in row["statements"]]
    return Relation(head, row["relation"], tail, tuple(sorted(found, key=_place)))


def read_statement(row: dict[str, Any], head: str, tail: str) -> Statement:
    """A statement from its node, with the ids that its ends go by."""
    return Statement(
        id=row["id"],
        head=head,
        relation=row["relation"],
        tail=tail,
        document=row["document"],
        chunk=row["chunk"],
        start=row["start"],
        end=row["end"],
        text=row["text"],
        anchors=read_anchors(json.loads(row["anchors"])),
        period=read_period(row.get("period")),
        published=read_day(row.get("published")),
        modality=cast(Modality, row["modality"]),
        confidence=row["confidence"],
        extractor=row["extractor"],
        metadata=read_pairs(row["metadata"]),
    )


def _place(statement: Statement) -> tuple[str, int, str]:
    return statement.document, statement.start, statement.id
