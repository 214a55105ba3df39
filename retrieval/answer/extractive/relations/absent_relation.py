"""Questions about a relation that no document states: of two that no document names together, or of another year."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from .....core.names import company_key
from .....ingest.sentences import split_text
from .....kg.extraction.structure.cells import offices_in
from .....kg.graph import Statement
from ....question.entity_linking import LinkedEntity
from ....question.plan import QuestionPlan
from ....search.evidence import Evidence
from ....search.retrievers.asked_relations import (
    AskedRelations,
    asked_of,
    named_entities,
    named_links,
    relations_asked,
)
from .relation_history import OFFICES
from .statement_choice import years_of

_BESIDE = 40
"""Characters within which a year belongs to a word."""
_DEALS = frozenset({"acquires", "divests", "merges_with", "spins_off", "sells_to"})
"""Relations of which a report dates each: one that no sentence dates in a year was not made in it."""
_SOMEBODY = frozenset({"company", "person", "organization"})


def names_without_relation(plan: QuestionPlan, evidence: Sequence[Evidence]) -> list[str]:
    """Of whom no document states the relation that is asked; empty where one may, or none is asked.

    Asked only after neither the graph nor a rule has answered: ``evidence`` is what the search found.
    """
    asked = asked_of(plan)
    if not asked.kinds or plan.asked.explains:
        return []
    return (
        _never_together(plan, evidence)
        or _only_of_other_years(plan, asked, evidence)
        or _without_the_office(plan, asked, evidence)
    )


def _without_the_office(plan: QuestionPlan, asked: AskedRelations, evidence: Sequence[Evidence]) -> list[str]:
    """The one named, where an office of it is asked for that no passage found names."""
    links, offices = named_links(plan), offices_in(plan.asked.trimmed)
    if len(links) != 1 or not offices or OFFICES.isdisjoint(asked.all):
        return []
    if any(not offices.isdisjoint(offices_in(item.text)) for item in evidence):
        return []
    return [links[0].entity.name]


def _never_together(plan: QuestionPlan, evidence: Sequence[Evidence]) -> list[str]:
    """A firm with documents, and somebody without whom none of these names."""
    links = [link for link in named_links(plan) if link.entity.type in _SOMEBODY and link.how != "similar"]
    for firm in links:
        own = plan.catalogue.by_company.get(company_key(firm.entity.name), ())
        sources = {record.source for record in own}
        if not sources:
            continue
        for other in links:
            is_filer = company_key(other.entity.name) in plan.catalogue.by_company
            if not is_filer and not _is_mentioned(other, sources, plan, evidence):
                return [firm.entity.name, other.entity.name]
    return []


def _is_mentioned(link: LinkedEntity, sources: set[str], plan: QuestionPlan, evidence: Sequence[Evidence]) -> bool:
    """True where one of the documents names somebody, as the graph or the passages found have it."""
    if plan.store.mentions(entities=[link.entity.id], limit=1, documents=sources):
        return True
    return any(link.written in item.text for item in evidence if item.source in sources)


def _only_of_other_years(plan: QuestionPlan, asked: AskedRelations, evidence: Sequence[Evidence]) -> list[str]:
    """The one named, where the graph tells such relations of it in other years than the one asked, and no sentence
    found speaks of them in that year."""
    links, years = named_links(plan), frozenset(plan.asked.years)
    if len(links) != 1 or not years:
        return []
    relations = relations_asked(plan, asked, named_entities(plan)).first
    told = list(chain.from_iterable(relation.statements for relation in relations))
    if not told and _DEALS.isdisjoint(asked.all):
        return []
    if any(_may_be_of(years, statement, plan) for statement in told):
        return []
    for item in evidence:
        for sentence in split_text(item.text):
            if _says_so_in(years, item.text[sentence.start : sentence.end], asked):
                return []
    return [links[0].entity.name]


def _may_be_of(years: frozenset[int], statement: Statement, plan: QuestionPlan) -> bool:
    """True for a statement of one of the years, and for one that nobody can date."""
    own = years_of(statement, plan)
    return not own or not years.isdisjoint(own)


def _says_so_in(years: frozenset[int], sentence: str, asked: AskedRelations) -> bool:
    """True where one of the years stands beside a word of the relation."""
    for said in asked.said:
        for match in said.finditer(sentence):
            beside = sentence[max(0, match.start() - _BESIDE) : match.end() + _BESIDE]
            if any(str(year) in beside for year in years):
                return True
    return False
