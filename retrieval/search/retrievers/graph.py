"""The graph side of a search: the passages it leads to, the relations of the entities and themes asked about, and the
paths between two entities that a question names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ....core.tokens import estimate_tokens
from ....core.words import search_words, sought
from ....ingest.chunk import Chunk
from ....kg.graph import Entity, Mention, Relation, Statement
from ....kg.paths import best_paths
from ....kg.schema import Schema
from ....kg.store import Store
from ...question.entity_linking import LinkedEntity
from ..evidence import Evidence
from ..index.corpus import corpus_of
from ..passages import Passage
from ..query import Query
from ..rerankers.page_content import row_names
from .base import Findings, SearchRequest, retriever
from .communities import asks_broadly
from .relations import relation_evidence, relations_of_statements, statement_evidence

_MENTION, _FIGURE, _STATEMENT, _THEME = 0.2, 0.5, 0.3, 0.4
"""What each kind of seed adds to a passage's score."""
_MOST_MENTIONS = 3000
_MOST_RELATIONS = 300
_THEME_PASSAGES = 20
"""Passages whose relations tell the themes of a question without names."""
_SPEAKS_OF_THEME = 0.5
"""Share of the words asked that a passage or the name of a row holds to speak of the theme."""
_RELATES_TO_THEME = 0.2
"""Share of the words asked in a passage whose relations belong to the theme."""
_MOST_STATEMENTS = 30
_MOST_DOCUMENTS = 2_000
"""Documents whose statements are indexed at once."""
_ENTITIES_SHOWN = 3
_LOOSE = frozenset({"role", "thing"})
"""Types of names that lead everywhere."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the graph knows to stand in which chunk."""

    mentions: Collection[str]
    """Chunks that mention an entity named in the question."""
    statements: Collection[str]
    """Chunks in which a relation is told."""


@retriever("passage")
def reached_passages(request: SearchRequest) -> Findings:
    """The passages that names, figures, relations and themes of the question lead to, the strongest first."""
    seeds = _seeds(request)
    reached: list[Passage] = []
    for passage in request.passages:
        ways = ways_to(passage, seeds, request.query)
        if ways:
            reached.append(_raised(passage, ways))
    reached.sort(key=lambda passage: -passage.found.score)
    return Findings(passages=tuple(reached))


def ways_to(passage: Passage, seeds: Seeds, query: Query) -> Mapping[str, float]:
    """How the graph leads to a passage: kind of seed -> its strength; empty where it does not."""
    ways: dict[str, float] = {}
    chunk = passage.chunk
    if chunk.id in seeds.mentions:
        ways["mention"] = _MENTION
    if passage.fact is not None:
        ways["figure"] = _FIGURE * passage.fact.fit
    theme = theme_share(chunk, query)
    if theme >= _SPEAKS_OF_THEME:
        ways["theme"] = _THEME * theme
    if ways and chunk.id in seeds.statements:
        ways["statement"] = _STATEMENT
    return ways


def theme_share(chunk: Chunk, query: Query) -> float:
    """Share of the words asked in a text, or in the names of a table's rows, 0..1."""
    asked = {term: weight for term, weight in query.terms.items() if not term.isdigit()}
    everything = sum(asked.values())
    if not everything:
        return 0.0
    if chunk.kind == "table":
        held = frozenset().union(*row_names(chunk), search_words(" ".join(chunk.headings)))
    else:
        held = frozenset(sought(frozenset(asked)).found_in(chunk.text))
    return sum(weight for term, weight in asked.items() if term in held) / everything


def _seeds(request: SearchRequest) -> Seeds:
    plan = request.plan
    named = [link.entity.id for link in request.links if link.entity.type not in _LOOSE]
    chunks = [passage.chunk.id for passage in request.passages]
    found = plan.store.mentions(chunks=chunks, entities=named, limit=_MOST_MENTIONS) if named and chunks else []
    told = plan.store.statements(chunks=chunks) if chunks else []
    return Seeds({mention.chunk for mention in found}, {statement.chunk for statement in told})


def _raised(passage: Passage, ways: Mapping[str, float]) -> Passage:
    found = passage.found
    parts = {**found.parts, **{name: round(strength, 4) for name, strength in ways.items()}}
    return replace(passage, found=replace(found, score=found.score + sum(ways.values()), parts=parts))


@retriever("local")
def local_relations(request: SearchRequest) -> Findings:
    """Low level: the relations of the linked entities, and the passages that mention them."""
    plan, ids = request.plan, [link.entity.id for link in request.links]
    if not ids:
        return Findings()
    store, schema = plan.store, plan.vocabulary.schema
    within = None if plan.selection.everything else plan.selection.sources
    around = plan.relations_around(ids, within)[:_MOST_RELATIONS]
    mentioned = {m.chunk for m in store.mentions(entities=ids, limit=_MOST_MENTIONS, documents=within)}
    return Findings(
        tuple(relation_evidence(store, request.query, around, set(ids), request.k, schema)),
        tuple(passage for passage in request.passages if passage.chunk.id in mentioned),
    )


@retriever("global")
def theme_relations(request: SearchRequest) -> Findings:
    """High level: the relations about the themes asked, whoever they are about.

    In ``global``, where the whole is asked about, and where a model named the themes, they come from the index of all
    statements in scope; else from the passages found.
    """
    ranked = request.passages[:_THEME_PASSAGES]
    first = [passage for passage in ranked if theme_share(passage.chunk, request.query) >= _RELATES_TO_THEME]
    store, schema = request.plan.store, request.plan.vocabulary.schema
    statements = store.statements(chunks=[passage.chunk.id for passage in first]) if first else []
    told = {statement.chunk for statement in statements}
    has_themes = bool(request.plan.keywords.themes)
    if request.mode == "global" or has_themes or asks_broadly(request.plan.asked):
        index = corpus_of(store).statements(_searched(request))
        statements = index.best(request.query.theme_terms, request.query.theme_vector, _MOST_STATEMENTS)
    relations = relations_of_statements(store, statements)
    return Findings(
        tuple(relation_evidence(store, request.query, relations, (), request.k, schema)),
        tuple(passage for passage in first if passage.chunk.id in told),
    )


def _searched(request: SearchRequest) -> Sequence[str]:
    """The documents whose statements are searched: those in scope, of too many those of the passages found."""
    sources = request.plan.selection.sources
    if len(sources) <= _MOST_DOCUMENTS:
        return sources
    return list(dict.fromkeys(passage.chunk.document for passage in request.passages))


@retriever("entity")
def who_is_who(request: SearchRequest) -> Findings:
    """The first linked entities themselves as evidence, each at its first mention, in scope where there is one."""
    store, selection = request.plan.store, request.plan.selection
    shown = [link.entity for link in request.links]
    within = None if selection.everything else selection.sources
    ids = [entity.id for entity in shown]
    first = _first_mentions(store.mentions(entities=ids, limit=_MOST_MENTIONS, documents=within))
    shown = shown[:_ENTITIES_SHOWN]
    elsewhere = [entity.id for entity in shown if entity.id not in first]
    if elsewhere:
        first = _first_mentions(store.mentions(entities=elsewhere, limit=_MOST_MENTIONS)) | first
    places = [first[entity.id].chunk for entity in shown if entity.id in first]
    chunks = {chunk.id: chunk for chunk in store.chunks(places)}
    return Findings([_entity_evidence(entity, first.get(entity.id), chunks) for entity in shown])


def _first_mentions(mentions: Sequence[Mention]) -> dict[str, Mention]:
    """Entity -> the mention that stands first in its document."""
    ordered = sorted(mentions, key=lambda m: (m.start, m.chunk), reverse=True)
    return {mention.entity: mention for mention in ordered}


def _entity_evidence(entity: Entity, first: Mention | None, chunks: Mapping[str, Chunk]) -> Evidence:
    """Who or what an entity is, at a mention."""
    aliases = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    text = f"{entity.name} ({entity.type}{aliases}): {entity.mentions} mentions in {entity.documents} documents"
    found = Evidence("entity", text, score=0.0, source="", id=entity.id, tokens=estimate_tokens(text))
    if first is None or first.chunk not in chunks:
        return found
    chunk = chunks[first.chunk]
    return replace(
        found, source=chunk.document, page=chunk.page, anchors=chunk.anchors, start=first.start, end=first.end
    )


CONNECTS_ALL = frozenset({"role", "metric", "place", "market", "thing"})
"""Types by way of which everything is connected with everything."""
_MOST_PAIRS = 3
_SHARE = 4
"""Steps of paths are at most one in so many places of a result."""
_ROUNDS, _BREADTH = 2, 300
"""Steps out from both ends and relations read in each: paths of up to four steps."""


@retriever("path")
def paths_between(request: SearchRequest) -> Findings:
    """The paths between the entities that the question names."""
    plan = request.plan
    # What the user gives is a border; a scope read from the question is none for what connects two names.
    within = plan.selection.sources if plan.scope is not None else None
    most = request.k // _SHARE
    return Findings(path_evidence(plan.store, request.links, most, plan.vocabulary.schema, within))


def path_evidence(
    store: Store, links: Sequence[LinkedEntity], k: int, schema: Schema, sources: Collection[str] | None = None
) -> list[Evidence]:
    """The best supported path between each two entities named; nothing for one name. The first one, and others while
    there are at most ``k`` steps in all.

    A step is a relation with the statement that says it, in one of the ``sources`` where they are given; its heading
    shows the whole path.
    """
    named = [link.entity.id for link in links if link.entity.type not in CONNECTS_ALL]
    pairs = list(combinations(dict.fromkeys(named), 2))[:_MOST_PAIRS]
    found: list[Evidence] = []
    for start, goal in pairs:
        for path in best_paths(store, start, goal, schema, limit=1, rounds=_ROUNDS, breadth=_BREADTH):
            shown = {item.id for item in found}
            steps = [step for step in _steps(path, start, schema, sources) if step.id not in shown]
            if not found or len(found) + len(steps) <= k:
                found += steps
    return found


def _steps(path: Sequence[Relation], start: str, schema: Schema, sources: Collection[str] | None) -> list[Evidence]:
    """The steps in order; nothing where one of them is said only elsewhere."""
    steps: list[Evidence] = []
    title = path_title(path, start)
    for relation in path:
        said = [statement for statement in relation.statements if _says_so(statement, sources)]
        if not said:
            return []
        best = max(said, key=lambda s: (s.modality == "asserted", s.confidence))
        step = statement_evidence(1.0 / len(path), relation, best, schema)
        steps.append(replace(step, headings=(title,), why={**step.why, "path": float(len(path))}))
    return steps


def _says_so(statement: Statement, sources: Collection[str] | None) -> bool:
    is_within = sources is None or statement.document in sources
    return is_within and statement.modality != "negated"


def path_title(path: Sequence[Relation], start: str) -> str:
    """ "Acme - Bolt - Crux": the entities on the way, from the one with that id."""
    at = start
    names: list[str] = []
    for relation in path:
        here, there = relation.head, relation.tail
        if here.id != at:
            here, there = there, here
        if not names:
            names.append(here.name)
        names.append(there.name)
        at = there.id
    return " - ".join(names)
