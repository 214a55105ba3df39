"""The graph side of a search: relations as evidence (who does what to whom, when), the passages it leads to, the
relations of the entities and themes asked about, and the paths between two entities that a question names.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

from ....core.language import language_of
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import grouped
from ....core.tokens import estimate_tokens
from ....core.words import search_words, sought
from ....ingest.chunk import Chunk
from ....ingest.document import Page
from ....kg.graph import Entity, Mention, Relation, Statement
from ....kg.paths import best_paths
from ....kg.schema import Schema
from ....kg.store import Store
from ....kg.timeline import ended, with_rivals
from ...question.entity_linking import LinkedEntity
from ..chunk_evidence import Passage, sentence_cosines
from ..evidence import Evidence
from ..index.corpus import corpus_of
from ..index.ranking_units import page_index, page_number
from ..query import Query
from ..rerankers.page_content import figures_in, row_names
from .base import Findings, SearchRequest, retriever
from .communities import asks_broadly

_SCORED = 30
"""Statements compared with the question by their sentence's vector."""
_ASKED_WORDS, _VERB, _BOTH_ENDS, _SUPPORT, _YEAR, _UNSURE, _ENDED = 0.5, 0.3, 0.2, 0.05, 0.15, 0.1, 0.3
WORDS = "words besides names"
"""In ``why`` of a relation: the share of the asked words that its sentence holds beside the two names."""
_SURELY = 0.9
"""Share of a class from which a page is of it; the auditor's report is at 1, a page that goes on about it at .6."""
_STEM = 5
"""Letters in which "supplies" and "supplier" agree."""


def relation_evidence(
    store: Store, query: Query, relations: Iterable[Relation], linked: Collection[str], k: int, schema: Schema
) -> list[Evidence]:
    """The ``k`` relations that answer best, each with its best statement; ``linked`` are ids of entities asked for.

    Of several statements of a relation the one on a page that exists to state it comes first: the auditor's report
    says who audits, and its one signed line holds no word of the question.
    """
    relations = with_rivals(store, relations, schema)
    pairs = [(relation, statement) for relation in relations for statement in relation.statements]
    by_words = _lexical(query, relations, linked)
    pairs = sorted(pairs, key=lambda pair: -by_words[pair[1].id])[:_SCORED]
    cosines = _cosines(store, query, [statement for _, statement in pairs])
    scored = [(by_words[said.id] + cosines.get(said.id, 0.0), relation, said) for relation, said in pairs]
    scored.sort(key=lambda item: (-item[0], item[2].document, item[2].start, item[2].id))
    best: dict[tuple[str, str, str], tuple[float, Relation, Statement]] = {}
    for score, relation, statement in scored:
        best.setdefault(relation.key, (score, relation, statement))
    chosen = list(best.values())[:k]
    pages = store.pages({statement.document for _, _, statement in chosen})
    chosen = [(score, relation, _at_home(relation, said, pages)) for score, relation, said in chosen]
    figures = frozenset(figure.digits for figure in figures_in(query.question.trimmed))
    found: list[Evidence] = []
    for score, relation, said in chosen:
        item = statement_evidence(score, relation, said, schema, pages.get(said.document, ()))
        found.append(replace(item, why={**item.why, WORDS: round(_besides_names(query, figures, relation, said), 3)}))
    return found


def _at_home(relation: Relation, best: Statement, pages: Mapping[str, Sequence[Page]]) -> Statement:
    """The first statement of a relation on a page of the class that exists to state it, in the document of the best
    one; the best one where there is none."""
    home = _homes().get(relation.relation)
    if home is None:
        return best
    own = pages.get(best.document, ())
    for said in sorted(relation.statements, key=lambda said: said.start):
        if said.document == best.document and said.modality == best.modality and _is_on(own, said, home):
            return said
    return best


def _is_on(pages: Sequence[Page], statement: Statement, page_class: str) -> bool:
    """True where most of a statement stands on a page that surely is of a class."""
    if not pages:
        return False
    page = pages[page_index(pages, statement.start, statement.end)]
    return page.classes.get(page_class, 0.0) >= _SURELY


@cache
def _homes() -> Mapping[str, str]:
    """Relation -> the class of the pages that exist to state it."""
    homes: Mapping[str, str] = load_rules(__package__, "asked_relations.toml")["homes"]
    return homes


def _besides_names(query: Query, figures: Collection[str], relation: Relation, statement: Statement) -> float:
    """Share of the asked words in a sentence, those of its two names left out; 1 where nothing else is asked, or where
    it prints one of the ``figures`` asked about ("Which region brought 142,212?")."""
    if figures and any(figure.digits in figures for figure in figures_in(statement.text)):
        return 1.0
    terms = sought(frozenset(query.theme_terms))
    names = terms.held_in(relation.head.name) | terms.held_in(relation.tail.name)
    asked = sum(weight for term, weight in query.terms.items() if term not in names)
    if not asked:
        return 1.0
    held = terms.held_in(statement.text) - names
    return _share(query.theme_terms, held, asked)


def relations_of_statements(store: Store, statements: Sequence[Statement]) -> list[Relation]:
    """Statements joined into relations, with the entities that they name."""
    named = {*(said.head for said in statements), *(said.tail for said in statements)}
    entities = {entity.id: entity for entity in store.entities(named)}
    stated = grouped(statements, key=lambda statement: (statement.head, statement.relation, statement.tail))
    return [
        Relation(entities[head], relation, entities[tail], tuple(own))
        for (head, relation, tail), own in stated.items()
        if head in entities and tail in entities
    ]


def readable(relation: Relation, statement: Statement, schema: Schema) -> str:
    """ "A supplies B (FY2023, planned)": the relation in words, without its sentence."""
    kind = schema.relations.get(relation.relation)
    verb = relation.relation.replace("_", " ") if kind is None else kind.label(language_of(statement.text))
    notes: list[str] = []
    if statement.period:
        notes.append(statement.period.label)
    if statement.modality != "asserted":
        notes.append(statement.modality)
    if relation.successor:
        notes.append(ended(relation))
    when = f" ({', '.join(notes)})" if notes else ""
    return f"{relation.head.name} {verb} {relation.tail.name}{when}"


def _lexical(query: Query, relations: Iterable[Relation], linked: Collection[str]) -> dict[str, float]:
    """Statement -> how well it answers by its words, its year and who else says so."""
    beginnings = {term[:_STEM] for term in query.theme_terms}
    terms, everything = sought(frozenset(query.theme_terms)), sum(query.terms.values()) or 1.0
    years = frozenset(query.question.years)
    found: dict[str, float] = {}
    shares: dict[frozenset[str], float] = {}  # hundreds of statements hold a few dozen choices of the words asked
    for relation in relations:
        verb = not beginnings.isdisjoint(_verb_stems(relation.relation))
        both = relation.head.id in linked and relation.tail.id in linked
        common = _VERB * verb + _BOTH_ENDS * both + _SUPPORT * math.log1p(relation.support)
        names = terms.held_in(relation.head.name) | terms.held_in(relation.tail.name)
        for said in relation.statements:
            held = terms.held_in(said.text) | names
            asked = shares.get(held)
            if asked is None:
                asked = shares[held] = _share(query.theme_terms, held, everything)
            year = bool(said.period and said.period.year in years)
            score = common + _ASKED_WORDS * asked + _YEAR * year - _UNSURE * (said.modality in ("negated", "possible"))
            score -= _ENDED * (relation.successor is not None and not year)
            found[said.id] = score * said.confidence
    return found


def _share(themes: Mapping[str, float], held: Collection[str], everything: float) -> float:
    """Share of the words asked: a theme that a model names tells as one of them does, its absence tells nothing."""
    return min(1.0, sum(weight for term, weight in themes.items() if term in held) / everything)


@cache
def _verb_stems(relation: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in search_words(relation.replace("_", " ")))


def _cosines(store: Store, query: Query, statements: Sequence[Statement]) -> dict[str, float]:
    """Statement -> cosine of the stored sentence that it was read from."""
    ids = list({said.chunk for said in statements})
    chunks = {chunk.id: chunk for chunk in store.chunks(ids)}
    vectors = sentence_cosines(store, query, list(chunks))
    found: dict[str, float] = {}
    for said in statements:
        if said.chunk not in chunks:
            continue
        sentences = zip(chunks[said.chunk].sentences, vectors.get(said.chunk, ()), strict=False)
        inside = [float(cosine) for (start, end), cosine in sentences if start < said.end and said.start < end]
        found[said.id] = max(inside, default=0.0)
    return found


def statement_evidence(
    score: float, relation: Relation, statement: Statement, schema: Schema, pages: Sequence[Page] = ()
) -> Evidence:
    """One statement of a relation; ``pages`` of its document give the page on which most of it stands."""
    page = page_number(pages, statement.start, statement.end, default=statement.page)
    text = f"{readable(relation, statement, schema)}: {' '.join(statement.text.split())}"
    return Evidence(
        kind="relation",
        text=text,
        score=score,
        source=statement.document,
        id=statement.id,
        page=page,
        anchors=statement.anchors,
        start=statement.start,
        end=statement.end,
        highlights=((statement.start, statement.end),),
        tokens=estimate_tokens(text),
        why={"relation": round(score, 4), "documents": float(relation.support)},
    )


_MENTION, _FIGURE, _STATEMENT, _THEME = 0.2, 0.5, 0.3, 0.4
"""What each kind of seed adds to a passage's score."""
_MOST_MENTIONS = 3000
_MOST_RELATIONS = 300
THEME_PASSAGES = 20
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
        held = query.held.get(chunk.id) or frozenset(sought(frozenset(asked)).found_in(chunk.text))
    return sum(weight for term, weight in asked.items() if term in held) / everything


def _seeds(request: SearchRequest) -> Seeds:
    plan = request.plan
    named = [link.entity.id for link in request.links if link.entity.type not in _LOOSE]
    chunks = [passage.chunk.id for passage in request.passages]
    found = plan.store.mentions(chunks=chunks, entities=named, limit=_MOST_MENTIONS) if named and chunks else []
    told = plan.store.statements(chunks=chunks)
    return Seeds({mention.chunk for mention in found}, {statement.chunk for statement in told})


def _raised(passage: Passage, ways: Mapping[str, float]) -> Passage:
    found = passage.found
    parts = {**found.parts, **{name: round(strength, 4) for name, strength in ways.items()}}
    return replace(passage, found=replace(found, score=found.score + sum(ways.values()), parts=parts))


@retriever("local")
def local_relations(request: SearchRequest) -> Findings:
    """Low level: the relations of the linked entities."""
    plan, ids = request.plan, [link.entity.id for link in request.links]
    if not ids:
        return Findings()
    store, schema = plan.store, plan.vocabulary.schema
    within = None if plan.selection.everything else plan.selection.sources
    around = plan.relations_around(ids, within)[:_MOST_RELATIONS]
    return Findings(tuple(relation_evidence(store, request.query, around, set(ids), request.k, schema)))


@retriever("global")
def theme_relations(request: SearchRequest) -> Findings:
    """High level: the relations about the themes asked, whoever they are about.

    In ``global``, where the whole is asked about, and where a model named the themes, they come from the index of all
    statements in scope; else from the passages found.
    """
    ranked = request.passages[:THEME_PASSAGES]
    first = [passage for passage in ranked if theme_share(passage.chunk, request.query) >= _RELATES_TO_THEME]
    store, schema = request.plan.store, request.plan.vocabulary.schema
    statements = store.statements(chunks=[passage.chunk.id for passage in first])
    has_themes = bool(request.plan.keywords.themes)
    if request.mode == "global" or has_themes or asks_broadly(request.plan.asked):
        index = corpus_of(store).statements(_searched(request))
        statements = index.best(request.query.theme_terms, request.query.theme_vector, _MOST_STATEMENTS)
    relations = relations_of_statements(store, statements)
    return Findings(tuple(relation_evidence(store, request.query, relations, (), request.k, schema)))


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


CONNECTS_ALL = frozenset({"role", "metric", "place", "market", "method", "thing"})
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
