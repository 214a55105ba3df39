"""Relations of the graph as evidence: who does what to whom, when, and the sentence that says so."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from ....core.names import is_chinese
from ....core.rules import load_rules
from ....core.sequences import grouped
from ....core.tokens import estimate_tokens
from ....core.words import search_words, sought
from ....ingest.document import Page
from ....kg.graph import Relation, Statement
from ....kg.schema import Schema
from ....kg.store import Store
from ....kg.timeline import ended, with_rivals
from ..evidence import Evidence
from ..index.ranking_units import page_index
from ..passages import sentence_cosines
from ..query import Query

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
    by_words = _lexical(query, pairs, linked)
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
    found: list[Evidence] = []
    for score, relation, said in chosen:
        item = statement_evidence(score, relation, said, schema, pages.get(said.document, ()))
        found.append(replace(item, why={**item.why, WORDS: round(_share_besides_names(query, relation, said), 3)}))
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


def _share_besides_names(query: Query, relation: Relation, statement: Statement) -> float:
    """Share of the asked words in a sentence, those of its two names left out; 1 where nothing else is asked.

    A theme that a model names counts as a word asked where the sentence holds it.
    """
    names = set(search_words(f"{relation.head.name} {relation.tail.name}"))
    asked = sum(weight for term, weight in query.terms.items() if term not in names)
    if not asked:
        return 1.0
    told = {term: weight for term, weight in query.theme_terms.items() if term not in names}
    held = sought(frozenset(told)).found_in(statement.text)
    return min(1.0, sum(weight for term, weight in told.items() if term in held) / asked)


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
    if kind is None:
        verb = relation.relation.replace("_", " ")
    else:
        verb = kind.label("zh" if is_chinese(statement.text) else "en")
    notes: list[str] = []
    if statement.period:
        notes.append(statement.period.label)
    if statement.modality != "asserted":
        notes.append(statement.modality)
    if relation.successor:
        notes.append(ended(relation))
    when = f" ({', '.join(notes)})" if notes else ""
    return f"{relation.head.name} {verb} {relation.tail.name}{when}"


def _lexical(query: Query, pairs: Sequence[tuple[Relation, Statement]], linked: Collection[str]) -> dict[str, float]:
    """Statement -> how well it answers by its words, its year and who else says so."""
    # A theme that a model names tells for a statement as a word asked does, and its absence tells nothing.
    terms, everything = query.theme_terms, sum(query.terms.values()) or 1.0
    beginnings = {term[:_STEM] for term in terms}
    told = [f"{relation.head.name}\n{relation.tail.name}\n{statement.text}" for relation, statement in pairs]
    found: dict[str, float] = {}
    for (relation, statement), words in zip(pairs, sought(frozenset(terms)).found_in_each(told), strict=True):
        verb = not beginnings.isdisjoint(_verb_stems(relation.relation))
        both = relation.head.id in linked and relation.tail.id in linked
        common = _VERB * verb + _BOTH_ENDS * both + _SUPPORT * math.log1p(relation.support)
        asked = min(1.0, sum(terms[term] for term in terms if term in words) / everything)
        year = bool(statement.period and statement.period.year in query.question.years)
        score = common + _ASKED_WORDS * asked + _YEAR * year - _UNSURE * (statement.modality in ("negated", "possible"))
        score -= _ENDED * (relation.successor is not None and not year)
        found[statement.id] = score * statement.confidence
    return found


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
    page = pages[page_index(pages, statement.start, statement.end)].number if pages else statement.page
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
