"""The graph side of a search: relations of the entities asked about (local) and of the themes asked about (global)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....core.tokens import estimate_tokens
from ....ingest.chunk import Chunk
from ....kg.graph import Entity, Mention
from ..evidence import Evidence
from .base import Findings, SearchRequest, retriever
from .graph_passages import theme_share
from .relations import relation_evidence, relations_of_statements

_MOST_RELATIONS = 300
_THEME_PASSAGES = 20
"""Passages whose relations tell the themes of a question without names."""
_LEAST_THEME = 0.2
"""Share of the words asked in a passage whose relations belong to the theme."""
_MOST_MENTIONS = 3000
_ENTITIES_SHOWN = 3


@retriever("local")
def local_relations(request: SearchRequest) -> Findings:
    """Low level: the relations of the linked entities, and the passages that mention them."""
    plan, ids = request.plan, [link.entity.id for link in request.links]
    if not ids:
        return Findings()
    store, schema = plan.store, plan.vocabulary.schema
    within = None if plan.selection.everything else plan.selection.sources
    graph = store.subgraph(ids, _MOST_RELATIONS, within)
    mentioned = {m.chunk for m in store.mentions(entities=ids, limit=_MOST_MENTIONS, documents=within)}
    return Findings(
        tuple(relation_evidence(store, request.query, graph.relations, set(ids), request.k, schema)),
        tuple(passage for passage in request.passages if passage.chunk.id in mentioned),
    )


@retriever("global")
def theme_relations(request: SearchRequest) -> Findings:
    """High level: the relations told in the passages about the themes asked, whoever they are about."""
    ranked = request.passages[:_THEME_PASSAGES]
    first = [passage for passage in ranked if theme_share(passage.chunk, request.query) >= _LEAST_THEME]
    if not first:
        return Findings()
    store, schema = request.plan.store, request.plan.vocabulary.schema
    statements = store.statements(chunks=[passage.chunk.id for passage in first])
    told = {statement.chunk for statement in statements}
    relations = relations_of_statements(store, statements)
    return Findings(
        tuple(relation_evidence(store, request.query, relations, (), request.k, schema)),
        tuple(passage for passage in first if passage.chunk.id in told),
    )


@retriever("entity")
def who_is_who(request: SearchRequest) -> Findings:
    """The first linked entities themselves as evidence, each at its first mention, in scope where there is one."""
    store, selection = request.plan.store, request.plan.selection
    shown = [link.entity for link in request.links]
    within = None if selection.everything else selection.sources
    first = _first_mentions(store.mentions(entities=[e.id for e in shown], limit=_MOST_MENTIONS, documents=within))
    shown = shown[:_ENTITIES_SHOWN]
    elsewhere = [entity.id for entity in shown if entity.id not in first]
    if elsewhere:
        first = _first_mentions(store.mentions(entities=elsewhere, limit=_MOST_MENTIONS)) | first
    chunks = {chunk.id: chunk for chunk in store.chunks([first[e.id].chunk for e in shown if e.id in first])}
    return Findings([_entity_evidence(entity, first.get(entity.id), chunks) for entity in shown])


def _first_mentions(mentions: Sequence[Mention]) -> dict[str, Mention]:
    """Entity -> the mention that stands first in its document."""
    ordered = sorted(mentions, key=lambda m: (m.start, m.chunk), reverse=True)
    return {mention.entity: mention for mention in ordered}


def _entity_evidence(entity: Entity, first: Mention | None, chunks: Mapping[str, Chunk]) -> Evidence:
    """Who or what an entity is, at a mention."""
    chunk = chunks.get(first.chunk) if first else None
    aliases = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    text = f"{entity.name} ({entity.type}{aliases}): {entity.mentions} mentions in {entity.documents} documents"
    return Evidence(
        kind="entity",
        text=text,
        score=0.0,
        source=chunk.document if chunk else "",
        id=entity.id,
        page=chunk.page if chunk else None,
        anchors=chunk.anchors if chunk else (),
        start=first.start if first else 0,
        end=first.end if first else 0,
        tokens=estimate_tokens(text),
    )
