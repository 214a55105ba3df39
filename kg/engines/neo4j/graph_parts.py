"""The graph of a document as it was put: entities as written, a part an extractor."""

from __future__ import annotations

from typing import Any

from ...graph import Entity, Mention, Merge
from ...storage.codec import expand, read_pairs, read_triples
from ...store import GraphPart
from .connection import Graph
from .relations import STATEMENT, read_statement

_PARTS = f"""MATCH (d:Document {{source: $source}})-[:READ_BY]->(x:Extraction)
RETURN x.extractor AS extractor, x.rejected AS rejected,
  [(d)-[:HAS_CHUNK]->(c)-[m:MENTIONS {{extraction: x.id}}]->(e) |
    {{entity: e.id, chunk: c.id, start: m.start, end: m.end, name: m.name}}] AS mentions,
  COLLECT {{ MATCH (s:Statement {{document: d.source}}) WHERE s.extraction = x.id RETURN {STATEMENT} }} AS statements,
  [(x)-[:GIVES]->(g) | g {{.made, .id, .entity, .into, .reason, .score, .undone}}] AS merges
ORDER BY extractor"""
_ENTITIES = """MATCH (d:Document {source: $source})-[:NAMES]->(e)
RETURN e {.id, .name, .type, .key, .context} AS entity ORDER BY e.made, e.id"""


def read_parts(graph: Graph, source: str) -> list[GraphPart]:
    """All parts of a document, by extractor: two round trips."""
    entities = [_entity(row["entity"]) for row in graph.read(_ENTITIES, source=source)]
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
    )


def _entity(row: dict[str, Any]) -> Entity:
    return Entity(row["id"], row["name"], row["type"], row["key"], context=read_pairs(row["context"]))
