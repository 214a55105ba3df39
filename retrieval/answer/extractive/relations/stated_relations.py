"""Answers from the graph without a model: who, with whom, since when; complete lists; two steps; what several share.

A statement that lacks most of what else the question asks is no answer: then the passages answer. Of a relation that no
document states (of two that no document names together, or of another year) just that is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from .....core.names import company_key
from .....core.patterns import PatternTable, on_demand
from .....core.period_text import first_period
from .....core.sequences import first
from .....core.words import search_words
from .....ingest.sentences import split_text
from .....kg.extraction.structure.cells import offices_in
from .....kg.graph import Entity, Relation, Statement
from ....question.entity_linking import LinkedEntity
from ....question.plan import QuestionPlan
from ....search.evidence import Evidence
from ....search.rerankers.page_content import figures_in
from ....search.retrievers.asked_relations import (
    OFFICES,
    AskedRelations,
    asked_of,
    asks_for_all,
    is_the_other_way,
    named_entities,
    named_links,
    relations_asked,
)
from ..requirements.statement import read_attribute, read_succession
from .relation_history import Told, around, history, others_in_office
from .rosters import reported_last
from .stated_text import Stated
from .statement_choice import (
    Wanted,
    best_statement,
    is_about,
    of_the_relation_said,
    only_says_who,
    other_words,
    tells_holder,
    tells_term,
    told_at,
    who_moved,
    years_of,
)

MOST, MOST_IN_A_LIST = 3, 15
"""Statements of an answer, and of a complete list."""
_OF_PARTS = frozenset({"subsidiary_of", "has_segment", "owns_brand", "spins_off"})
"""Relations to parts of a firm, which often bear its name."""
_RULES = PatternTable(__package__, "stated_relations.toml")
_NUMBER = on_demand(r"\d{1,3}(?:\.\d+)?")
_FIRMS = frozenset({"company", "organization"})
_SOMEBODY = _FIRMS | {"person"}
_TYPES_ASKED = {"firm": _FIRMS, "somebody": _SOMEBODY | {"regulator", "thing"}}
"""Words of a question (``stated_relations.toml``) -> types of those that it asks for."""


def stated_relations(plan: QuestionPlan) -> list[Stated]:
    """The statements that answer a question about relations, best first; empty for any other question."""
    text = plan.asked.trimmed
    asked, named = asked_of(plan), named_entities(plan)
    told = _in_time(plan, asked, named)
    if told is not None:
        return told
    if read_succession(plan).applies():  # what is told of the one who left is no answer
        return []
    asks_relation = bool(asked.kinds) and bool(named) and not plan.asked.explains
    if not asks_relation or not _asks_for_names(text, asked, named):
        return []
    steps = relations_asked(plan, asked, named)
    # What describes somebody says nothing of the time or the office that is asked of them.
    last_step = steps.text or text
    first = [relation for relation in steps.first if relation.relation in asked.answering]
    relations: Sequence[Relation] = list(steps.second)
    beside: Sequence[LinkedEntity] = []
    if not steps.second:
        relations, beside = _of_those_named(plan, first, named), _asked_about(plan, first, named)
    figures = frozenset(figure.digits for figure in figures_in(last_step))
    wanted = Wanted(plan, last_step, other_words(plan, asked, last_step), beside, figures)
    moved = who_moved(_told(relations, wanted), text)
    found = of_the_relation_said(_in_order(moved, plan), asked)
    return _as_many_as_asked(found, text)


def _asked_about(plan: QuestionPlan, relations: Sequence[Relation], named: Mapping[str, int]) -> Sequence[LinkedEntity]:
    """Those of whom a statement has to speak; of whom share something one does at a time."""
    if _asks_for_common(plan, relations, named):
        return []
    return [link for link in named_links(plan) if not only_says_who(link, plan)]


def _told(relations: Sequence[Relation], wanted: Wanted) -> list[Stated]:
    """The statement of each relation that answers best, where one does."""
    found: list[Stated] = []
    attribute = read_attribute(wanted.plan)
    wanted = replace(wanted, told_at=told_at(relations))
    for relation in relations:
        stated = best_statement(relation, wanted)
        if stated is not None and attribute.is_told(stated.statement.text):
            found.append(stated)
    if wanted.asks("term") and not wanted.asks("somebody"):  # else the sentences of the pages may tell it
        found = [stated for stated in found if tells_term(stated.statement)]
    holders = [stated for stated in found if tells_holder(stated.statement, wanted)]
    return holders or found


def _as_many_as_asked(found: Sequence[Stated], text: str) -> list[Stated]:
    """A complete list where that is asked, else those that fit as well as the first."""
    if _RULES.any("largest_one", text):
        return list(found[:1])
    if asks_for_all(text) or _RULES.any("largest", text):
        return list(found[:MOST_IN_A_LIST])
    return [stated for stated in found if (stated.fit, stated.dates) == (found[0].fit, found[0].dates)][:MOST]


def _asks_for_names(text: str, asked: AskedRelations, named: Mapping[str, int]) -> bool:
    """True for a question for somebody's name or for the relation itself ("what lawsuits"), and for one whether two
    that are named are related."""
    if _RULES.any("names", text) or _RULES.any("terse", text):
        return True
    opening = _RULES.first("what", text)
    if opening is not None and any(said.search(opening["noun"]) for said in asked.said):
        return True
    return _RULES.any("whether", text) and _names(named) > 1


def _in_order(found: list[Stated], plan: QuestionPlan) -> list[Stated]:
    """What fits best first; of like ones current offices and earlier days, or the last where that is asked.

    Of all who hold an office those of the latest report come first.
    """
    text = plan.asked.trimmed
    found.sort(key=lambda stated: (-stated.fit, -stated.dates, not _is_current_office(stated), _day(stated.statement)))
    if _RULES.any("earlier", text):
        found.sort(key=lambda stated: (stated.fit, stated.dates, _last_day(stated.statement)), reverse=True)
    if _RULES.any("largest", text):
        found.sort(key=lambda stated: (stated.fit, stated.dates, _share(stated.statement)), reverse=True)
    if asks_for_all(text) and not plan.asked.years:
        found.sort(key=lambda stated: reported_last(stated.statement.document, plan) if _is_office(stated) else 0)
    return found


def _share(statement: Statement) -> float:
    """The percentage that a statement tells; 0.0 where it tells none."""
    number = _NUMBER.search(statement.metadata.get("share", ""))
    return float(number[0]) if number else 0.0


def _is_office(stated: Stated) -> bool:
    return stated.relation.relation in OFFICES


def _is_current_office(stated: Stated) -> bool:
    """True for an office that is told with its title and without an end."""
    details = stated.statement.metadata
    return bool(details.get("role")) and not details.get("until")


def _last_day(statement: Statement) -> str:
    """The last day of a term or period as text that sorts by time; "" where none is told."""
    until = first_period(statement.metadata.get("until", ""))
    return until.last_day.isoformat() if until else _day(statement)


def _day(statement: Statement) -> str:
    return statement.period.last_day.isoformat() if statement.period else ""


# --- what became of a relation, who held an office when


def relations_in_time(plan: QuestionPlan) -> list[Stated]:
    """What has become of a relation, or who held an office before or after somebody; empty for other questions."""
    asked = asked_of(plan)
    if not asked.kinds:
        return []
    return _in_time(plan, asked, named_entities(plan)) or []


def _in_time(plan: QuestionPlan, asked: AskedRelations, named: Mapping[str, int]) -> list[Stated] | None:
    """As :func:`relations_in_time`; None where neither is asked."""
    links = named_links(plan)
    found = _told_of_office(plan, links)
    asks_what_became = len(links) > 1 and _RULES.any("changes", plan.asked.trimmed)
    if found is None and asked.kinds and asks_what_became:
        found = _what_became(plan, asked, named, links)
    if found is None:
        return None
    return [Stated(relation, statement, 1.0) for relation, statement in found]


def _what_became(
    plan: QuestionPlan, asked: AskedRelations, named: Mapping[str, int], links: Sequence[LinkedEntity]
) -> Sequence[Told] | None:
    """What has become of the relation between those named."""
    relations = around(plan, named)
    between = [relation for relation in relations if _is_between(relation, links, named)]
    between += _renamed(plan, between, named)
    about = between or [relation for relation in relations if _speaks_of_all(relation, links, plan)]
    return history(plan, asked, about, named)


def _told_of_office(plan: QuestionPlan, links: Sequence[LinkedEntity]) -> Sequence[Told] | None:
    """Who held an office before or after the one person named; None where that is not asked."""
    people = [link for link in links if link.entity.type == "person"]
    if len(people) != 1:
        return None
    (person,) = people
    text = plan.asked.trimmed
    found: Sequence[Told] | None = None
    for word in ("before", "after"):
        said = _RULES.first(word, text)
        if said and text.find(person.written) >= said.start():
            found = others_in_office(plan, person, before=word == "before")
    return found


def _is_between(relation: Relation, links: Sequence[LinkedEntity], named: Mapping[str, int]) -> bool:
    """True for a relation from one of those named to another, or to what bears its name ("Acme Health JV")."""
    meant = [_number(end, links, named) for end in relation.ends]
    return None not in meant and meant[0] != meant[1]


def _renamed(plan: QuestionPlan, between: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """By which name those at the ends of relations go later."""
    ends = chain.from_iterable(relation.ends for relation in between)
    bearing = {end.id for end in ends} - {*named}
    if not bearing:
        return []
    return [relation for relation in around(plan, bearing) if relation.relation == "formerly_named"]


def _number(end: Entity, links: Sequence[LinkedEntity], named: Mapping[str, int]) -> int | None:
    """The number of the name that an entity bears, among those of a question."""
    if end.id in named:
        return named[end.id]
    words = frozenset(search_words(end.name))
    bearing = (place for place, link in enumerate(links) if words.issuperset(search_words(link.entity.name)))
    return first(bearing, None)


def _speaks_of_all(relation: Relation, links: Sequence[LinkedEntity], plan: QuestionPlan) -> bool:
    return any(is_about(links, relation, statement, plan) for statement in relation.statements)


# --- which of the relations of those named


def _of_those_named(plan: QuestionPlan, relations: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """Of the relations of those named the ones that can answer: shared, between two, or with somebody else."""
    text = plan.asked.trimmed
    if _asks_for_common(plan, relations, named):
        shared = _shared(relations, named)
        if shared:
            return shared
    asks_whom = _RULES.any("whom", text) and not _RULES.any("part", text)
    if asks_whom and not _RULES.any("times", text):
        return _with_somebody_new(plan, relations, named)
    if _names(named) < 2:
        return list(relations)
    between = _between(relations, named)
    return list(relations) if asks_whom and not between else between


def _with_somebody_new(plan: QuestionPlan, relations: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """Those that lead to somebody whom the question does not name: to a firm where one is asked for, and to a person or
    firm, not to a method of accounting, where it asks who."""
    new = [relation for relation in relations if _names_somebody_new(relation, plan, named)]
    for kind, types in _TYPES_ASKED.items():
        if _RULES.any(kind, plan.asked.trimmed):
            fitting = [one for one in new if any(end.type in types and end.id not in named for end in one.ends)]
            return fitting or new
    return new


def _asks_for_common(plan: QuestionPlan, relations: Sequence[Relation], named: Mapping[str, int]) -> bool:
    """True where somebody is asked for whom several have in common, in the words of the question or by what it asks:
    "Who worked for A before leading B?"."""
    text = plan.asked.trimmed
    if _RULES.any("common", text):
        return True
    if _names(named) < 2 or not _RULES.any("whom", text) or _between(relations, named):
        return False
    return any(end.type == "person" for end in _reached_by_several(relations, named))


def _names_somebody_new(relation: Relation, plan: QuestionPlan, named: Mapping[str, int]) -> bool:
    """True where an end is neither one of those named nor a part of one: "Acme Europe B.V." is no answer to Acme.

    Who asks for the parts of a firm gets those with its name, too.
    """
    is_of_parts = relation.relation in _OF_PARTS
    written = [] if is_of_parts else [frozenset(search_words(link.written)) for link in named_links(plan)]
    for end in relation.ends:
        words = frozenset(search_words(end.name))
        bears_a_name = any(name <= words for name in written)
        if end.id not in named and not bears_a_name:
            return True
    return False


def _between(relations: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """Those from one of the named to another."""
    between: list[Relation] = []
    for relation in relations:
        head, tail = named.get(relation.head.id), named.get(relation.tail.id)
        if head is not None and tail is not None and head != tail:
            between.append(relation)
    return between


def _names(named: Mapping[str, int]) -> int:
    """How many names there are, whatever they mean."""
    return len(set(named.values()))


def _reached_by_several(relations: Sequence[Relation], named: Mapping[str, int]) -> list[Entity]:
    """Those with whom several of the named have a relation."""
    reached: dict[str, set[int]] = defaultdict(set)
    ends: dict[str, Entity] = {}
    for relation in relations:
        for own, other in (relation.ends, relation.ends[::-1]):
            if own.id in named and other.id not in named:
                reached[other.id].add(named[own.id])
                ends[other.id] = other
    return [ends[other] for other, own in reached.items() if len(own) > 1]


def _shared(relations: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """Those that lead from several of the named to one and the same."""
    common = {entity.id for entity in _reached_by_several(relations, named)}
    return [r for r in relations if r.head.id in common or r.tail.id in common]


_BESIDE = 40
"""Characters within which a year belongs to a word."""
_DEALS = frozenset({"acquires", "divests", "merges_with", "spins_off", "sells_to"})
"""Relations of which a report dates each: one that no sentence dates in a year was not made in it."""


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


def only_the_other_way(plan: QuestionPlan) -> list[str]:
    """The one of whom all that the graph tells of the relation asked goes the other way ("Who sued Acme?", of whom only
    is told whom it sued); empty where grammar shows no direction or the graph tells it as it is asked."""
    asked, named = asked_of(plan), named_entities(plan)
    if not asked.directed or not named:
        return []
    told = [relation for relation in around(plan, named) if relation.relation in asked.directed]
    the_other_way = [
        relation
        for relation in told
        if is_the_other_way(relation.relation, relation.head.id, relation.tail.id, asked, named)
    ]
    if not told or len(the_other_way) < len(told):
        return []
    return [link.entity.name for link in named_links(plan)[:1]]


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
    is_of_quarter = any(period.unit == "quarter" for period in plan.asked.periods)  # its call says "in the quarter"
    if len(links) != 1 or not years or is_of_quarter:
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
