"""Mentions, statements and relations, the parts that extractors gave them in, and communities, each with its
members and the community it is part of.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from ...graph import Communities, Community, Entity, Mention, Merge, Relation, Statement, Subgraph, statement_place
from ...storage.codec import (
    community_data,
    compress,
    expand,
    read_anchors,
    read_community_data,
    read_day,
    read_pairs,
    read_period,
    read_triples,
)
from ...store import GraphPart
from ...triple import Modality, Triple
from .connection import Graph, Row, Transaction
from .entities import MEMBERS, Clusters, clusters_of, read_clusters
from .facts import drivers_of_part
from .rows import OF_EXTRACTION, STATEMENT_DATA

_BATCH = 500
STATEMENT = """CASE WHEN s.data IS NULL
  THEN s {.id, .head, .relation, .tail, .document, .chunk, .start, .end, .text, .anchors, .period, .published,
    .modality, .confidence, .extractor, .metadata}
  ELSE s {.id, .head, .relation, .tail, .document, .chunk, .text, .modality, .confidence, .data} END"""
"""A statement without its vector."""
MENTIONED = """WITH DISTINCT e.id AS id, e.cluster AS cluster, c, m.start AS start, m.end AS end, m.name AS name
  ORDER BY c.document, c.ordinal, start, end, id LIMIT $limit
  RETURN collect({cluster: cluster, chunk: c.id, start: start, end: end, name: name}) AS mentions"""
"""Mentions ``(c)-[m]->(e)`` in order of document and place: end of a query."""
_TRIPLETS = """WITH DISTINCT r
  WITH startNode(r).cluster AS head, r.relation AS relation, endNode(r).cluster AS tail, count(*) AS size,
    collect(r.statement) AS ids, count(DISTINCT r.document) AS support,
    min(startNode(r).id) AS first, min(endNode(r).id) AS second
  ORDER BY support DESC, size DESC, first, relation, second LIMIT $limit"""
_STATEMENTS = f"""CALL (ids) {{
    UNWIND ids AS id MATCH (s:Statement {{id: id}}) RETURN collect({STATEMENT}) AS statements
  }}"""
_ROW = "{head: head, relation: relation, tail: tail, statements: statements}"
_ENDS = "reduce(ends = {start}, row IN {rows} | ends + [row.head, row.tail]) AS wanted"


ENDS_OF_SAID = """CALL (said) {
    UNWIND said AS row UNWIND [row.head, row.tail] AS id
    WITH DISTINCT id MATCH (e:Entity {id: id}) RETURN collect(DISTINCT e.cluster) AS wanted
  }"""
"""The clusters of the ends of the statements ``said``: a passage names the same few again and again."""

_BY_ID = "UNWIND $id AS id MATCH (s:Statement {id: id})"
_IN_CHUNKS = "UNWIND $chunk AS id MATCH (:Chunk {id: id})<-[:FROM]-(s:Statement)"
_IN_DOCUMENTS = """UNWIND $document AS id
  MATCH (:Document {source: id})-[:HAS_CHUNK]->()<-[:FROM]-(s:Statement)"""


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
    if wanted:
        start = """MATCH (x:Entity) WHERE x.id IN $entities WITH collect(DISTINCT x.cluster) AS clusters
          MATCH (e:Entity) WHERE e.cluster IN clusters MATCH (c)-[m:MENTIONS]->(e)"""
        start += " WHERE c.id IN $chunks" if chunks else ""
    else:
        start = "UNWIND $chunks AS id MATCH (c:Chunk {id: id})-[m:MENTIONS]->(e)"
    within = "" if documents is None else "WITH c, m, e WHERE c.document IN $documents"
    query = f"""CALL () {{ {start} {within} {MENTIONED} }}
      WITH mentions, [m IN mentions | m.cluster] AS wanted {MEMBERS} RETURN mentions, members"""
    given = {"chunks": list(chunks), "entities": list(wanted), "documents": list(documents or ())}
    (row,) = graph.read(query, **given, limit=limit)
    return mentions_of(row["mentions"], clusters_of(row["members"]).entities)


def mentions_of(rows: Sequence[Row], named: Mapping[str, Entity]) -> list[Mention]:
    """Mentions by the name of their cluster."""
    return [Mention(named[r["cluster"]].id, r["chunk"], r["start"], r["end"], r["name"]) for r in rows]


def statements(
    graph: Graph, ids: Collection[str], documents: Collection[str], chunks: Collection[str]
) -> list[Statement]:
    """Those with one of the ids, in one of the documents and in one of the chunks, where given; in order of place."""
    given = {"id": list(dict.fromkeys(ids)), "document": list(set(documents)), "chunk": list(set(chunks))}
    conditions = [f"s.{name} IN ${name}" for name, values in given.items() if values]
    if not conditions:
        return []
    found = _IN_CHUNKS if chunks else _IN_DOCUMENTS if documents else _BY_ID
    query = f"""CALL () {{
        {found} WHERE {" AND ".join(conditions)} RETURN collect({STATEMENT}) AS said
      }}
      {ENDS_OF_SAID} {MEMBERS} RETURN said, members"""
    (row,) = graph.read(query, **given)
    return statements_of(row["said"], clusters_of(row["members"]))


def statements_of(rows: Sequence[Row], named: Clusters) -> list[Statement]:
    """Statements whose ends go by the names of their clusters, in order of place.

    One whose end is taken away or comes into another cluster at this moment is left out.
    """
    ids = {id: named.entities[cluster].id for id, cluster in named.of.items()}
    whole = [row for row in rows if row["head"] in ids and row["tail"] in ids]
    return in_order(read_statement(row, ids[row["head"]], ids[row["tail"]]) for row in whole)


def in_order(found: Iterable[Statement]) -> list[Statement]:
    """By document and place."""
    return sorted(found, key=statement_place)


def subgraph_query(documents: Collection[str] | None, kinds: Collection[str] = ()) -> str:
    """Gives ``clusters`` (of ``$seeds``), ``rows`` and ``members``; one row more than ``$kept`` says there are more."""
    within = "" if documents is None else "AND r.document IN $documents"
    among = "AND r.relation IN $kinds" if kinds else ""
    return f"""CALL () {{ MATCH (x:Entity) WHERE x.id IN $seeds RETURN collect(DISTINCT x.cluster) AS clusters }}
      CALL (clusters) {{
        MATCH (e:Entity) WHERE e.cluster IN clusters
        MATCH (e)-[r]-(:Entity) WHERE r.statement IS NOT NULL {within} {among}
        {_TRIPLETS} {_STATEMENTS} RETURN collect({_ROW}) AS rows
      }}
      WITH clusters, rows, {_ENDS.format(start="clusters", rows="rows[..$kept]")} {MEMBERS}"""


def subgraph(
    graph: Graph, seeds: Collection[str], limit: int, documents: Collection[str] | None, kinds: Collection[str] = ()
) -> Subgraph:
    """Relations that touch a seed, of these kinds or all, best supported first, with all entities they name."""
    query = f"{subgraph_query(documents, kinds)} RETURN rows, members"
    bounds = {"limit": limit + 1, "kept": limit, "kinds": sorted(kinds)}
    (row,) = graph.read(query, seeds=list(seeds), documents=list(documents or ()), **bounds)
    return subgraph_of(row, limit)


def subgraph_of(row: Row, limit: int) -> Subgraph:
    """A neighbourhood from what :func:`subgraph_query` gives."""
    named = clusters_of(row["members"]).entities
    relations = tuple(_relation(found, named) for found in row["rows"][:limit])
    return Subgraph(tuple(named.values()), relations, truncated=len(row["rows"]) > limit)


def all_relations(graph: Graph, limit: int) -> Iterator[Relation]:
    """Best supported first."""
    query = f"MATCH (:Entity)-[r]->(:Entity) WHERE r.statement IS NOT NULL {_TRIPLETS} RETURN head, relation, tail, ids"
    ranked = graph.read(query, limit=limit)
    for i in range(0, len(ranked), _BATCH):
        rows = graph.read(
            f"UNWIND $rows AS row WITH row.head AS head, row.relation AS relation, row.tail AS tail, row.ids AS ids "
            f"{_STATEMENTS} RETURN head, relation, tail, statements",
            rows=ranked[i : i + _BATCH],
        )
        named = read_clusters(graph, (row[end] for row in rows for end in ("head", "tail"))).entities
        yield from (_relation(row, named) for row in rows)


def rejected(graph: Graph, source: str) -> list[Triple]:
    """Triples kept out of the graph, by extractor."""
    query = """MATCH (:Document {source: $source})-[:READ_BY]->(x:Extraction) WHERE x.rejected IS NOT NULL
      RETURN x.rejected AS data ORDER BY x.extractor"""
    return [triple for row in graph.read(query, source=source) for triple in read_triples(expand(row["data"]))]


def _relation(row: Row, named: Mapping[str, Entity]) -> Relation:
    head, tail = named[row["head"]], named[row["tail"]]
    found: Sequence[Statement] = [read_statement(properties, head.id, tail.id) for properties in row["statements"]]
    return Relation(head, row["relation"], tail, tuple(sorted(found, key=statement_place)))


def read_statement(row: dict[str, Any], head: str, tail: str) -> Statement:
    """A statement from its node, with the ids that its ends go by."""
    if "data" in row:
        row = row | dict(zip(STATEMENT_DATA, json.loads(row["data"]), strict=True))
    else:
        row = row | {"anchors": json.loads(row["anchors"])}
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
        anchors=read_anchors(row["anchors"]),
        period=read_period(row.get("period")),
        published=read_day(row.get("published")),
        modality=cast(Modality, row["modality"]),
        confidence=row["confidence"],
        extractor=row["extractor"],
        metadata=read_pairs(row["metadata"]),
    )


_PARTS = f"""MATCH (d:Document {{source: $source}})-[:READ_BY]->(x:Extraction)
RETURN x.extractor AS extractor, x.rejected AS rejected,
  [(d)-[:HAS_CHUNK]->(c)-[m:MENTIONS]->(e) WHERE m.extraction IN {OF_EXTRACTION} |
    {{entity: e.id, chunk: c.id, start: m.start, end: m.end, name: m.name}}] AS mentions,
  COLLECT {{ MATCH (d)-[:HAS_CHUNK]->()<-[:FROM]-(s:Statement) WHERE s.extraction IN {OF_EXTRACTION}
    RETURN {STATEMENT} }} AS statements,
  COLLECT {{ MATCH (v:Driver {{extraction: x.id}}) RETURN properties(v) }} AS drivers,
  [(x)-[:GIVES]->(g) | g {{.made, .id, .entity, .into, .reason, .score, .undone}}] AS merges
ORDER BY extractor"""
_ENTITIES_OF_PART = """MATCH (d:Document {source: $source})-[:NAMES]->(e)
RETURN e {.id, .name, .type, .key, .context} AS entity ORDER BY e.made, e.id"""


def read_parts(graph: Graph, source: str) -> list[GraphPart]:
    """All parts of a document, by extractor: two round trips."""
    entities = [entity_of(row["entity"]) for row in graph.read(_ENTITIES_OF_PART, source=source)]
    return [_part(row, entities) for row in graph.read(_PARTS, source=source)]


def _part(row: dict[str, Any], entities: list[Entity]) -> GraphPart:
    mentions = sorted((Mention(**m) for m in row["mentions"]), key=lambda m: (m.start, m.end, m.entity))
    statements = sorted(
        (read_statement(s, s["head"], s["tail"]) for s in row["statements"]), key=lambda s: (s.start, s.id)
    )
    named = {m.entity for m in mentions} | {end for s in statements for end in (s.head, s.tail)}
    merges = sorted(row["merges"], key=lambda merge: merge.pop("made"))
    return GraphPart(
        extractor=row["extractor"],
        entities=tuple(entity for entity in entities if entity.id in named),
        mentions=tuple(mentions),
        statements=tuple(statements),
        merges=tuple(Merge(**merge) for merge in merges),
        rejected=tuple(read_triples(expand(row["rejected"]))) if row["rejected"] else (),
        drivers=drivers_of_part(row["drivers"]),
    )


def entity_of(row: Mapping[str, Any]) -> Entity:
    """An entity from the properties of its node."""
    return Entity(row["id"], row["name"], row["type"], row["key"], context=read_pairs(row["context"]))


COMMUNITY_CONSTRAINT = "CREATE CONSTRAINT community_id IF NOT EXISTS FOR (n:Community) REQUIRE n.id IS UNIQUE"
_CREATE = """UNWIND $rows AS row
CREATE (c:Community) SET c = row.properties
WITH c, row
CALL (c, row) { UNWIND row.members AS id MATCH (e:Entity {id: id}) CREATE (e)-[:MEMBER_OF]->(c) }
CALL (c, row) { MATCH (p:Community {id: row.properties.parent}) CREATE (c)-[:PART_OF]->(p) }"""
_READ = """MATCH (w:Workspace)
OPTIONAL MATCH (c:Community) WITH w, c ORDER BY c.number
RETURN w.communities AS version, w.communities_method AS method,
  collect({community: c {.id, .level, .parent, .title, .author, .digest}, data: c.data}) AS groups"""


def put_communities(tx: Transaction, found: Communities) -> None:
    """Replace all of them; coarse levels come first, so that a part finds its whole."""
    tx.run("MATCH (c:Community) DETACH DELETE c")
    tx.run_batches(_CREATE, [_row(number, community) for number, community in enumerate(found.groups)])
    tx.run(
        "MATCH (w:Workspace) SET w.communities = $version, w.communities_method = $method",
        version=found.version,
        method=found.method,
    )


def read_communities(graph: Graph) -> Communities | None:
    """All of them in the order given; None before the first were put."""
    (found,) = graph.read(_READ)
    if found["version"] is None:
        return None
    rows = (row for row in found["groups"] if row["data"] is not None)
    groups = (Community(**row["community"], **read_community_data(expand(row["data"]))) for row in rows)
    return Communities(found["version"], tuple(groups), found["method"] or "")


def _row(number: int, community: Community) -> Row:
    properties = {
        "id": community.id,
        "number": number,
        "level": community.level,
        "parent": community.parent,
        "title": community.title,
        "report": community.report,
        "author": community.author,
        "digest": community.digest,
        "size": len(community.entities),
        "data": compress(community_data(community)),
    }
    return {"properties": properties, "members": list(community.entities)}
