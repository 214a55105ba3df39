"""Answers from the graph without a model: who, with whom, since when; complete lists; two steps; what several share.

A statement that lacks most of what else the question asks is no answer: then the passages answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ....core.names import company_key
from ....core.orders import gives_orders
from ....core.patterns import PatternTable
from ....core.period_text import first_period
from ....core.words import question_words, search_words
from ....kg.extraction.structure.cells import offices_in
from ....kg.graph import Entity, Relation, Statement
from ...question.entity_linking import LinkedEntity
from ...question.plan import QuestionPlan
from ...search.retrievers.asked_relations import (
    AskedRelations,
    asked_of,
    asks_for_all,
    named_entities,
    named_links,
    relations_asked,
)
from .relation_history import OFFICES, Told, around, history, others_in_office
from .stated_text import MONEY, Stated

MOST, MOST_IN_A_LIST = 3, 15
"""Statements of an answer, and of a complete list."""
_LEAST_FIT = 0.6
"""Share of what else is asked that a statement holds."""
_RULES = PatternTable(__package__, "stated_relations.toml")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DATE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" (?:\d{1,2}, )?\d{4}|\b(?:19|20)\d\d\b"
)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a statement has to tell: the question or its last step, its other words, and those it has to be about."""

    plan: QuestionPlan
    text: str
    rest: frozenset[str]
    around: Sequence[LinkedEntity]

    def asks(self, kind: str) -> bool:
        """True where the text asks in such a way (``stated_relations.toml``)."""
        return _RULES.any(kind, self.text)

    @property
    def years(self) -> frozenset[int]:
        """The years that the text names."""
        return frozenset(year for year in self.plan.asked.years if str(year) in self.text or self.text == self._whole)

    @property
    def _whole(self) -> str:
        return self.plan.asked.trimmed


def stated_relations(plan: QuestionPlan) -> list[Stated]:
    """The statements that answer a question about relations, best first; empty for any other question."""
    text = plan.asked.trimmed
    asked, named = asked_of(plan), named_entities(plan)
    told = _in_time(plan, asked, named)
    if told is not None:
        return told
    if plan.asked.explains or not (asked.kinds and named and _asks_for_names(text, named)):
        return []
    steps = relations_asked(plan, asked, named)
    has_led_on = bool(steps.second)
    relations = list(steps.second) if has_led_on else _of_those_named(plan, steps.first, named)
    # Where something is shared, or one leads to the next, a statement speaks of one of those named at a time.
    beside = () if has_led_on or _asks_for_common(plan, steps.first, named) else named_links(plan)
    # What describes somebody says nothing of the time or the office that is asked of them.
    wanted = _Wanted(plan, steps.text or text, _rest(plan, asked, steps.text or text), beside)
    best = (_best(relation, wanted) for relation in relations)
    return _as_many_as_asked(_in_order([stated for stated in best if stated is not None], text), text)


def _as_many_as_asked(found: Sequence[Stated], text: str) -> list[Stated]:
    """A complete list where that is asked, else those that fit as well as the first."""
    if asks_for_all(text):
        return list(found[:MOST_IN_A_LIST])
    return [stated for stated in found if (stated.fit, stated.dates) == (found[0].fit, found[0].dates)][:MOST]


def _asks_for_names(text: str, named: Mapping[str, int]) -> bool:
    """True for a question for somebody's name, and for one whether two that are named are related."""
    return _RULES.any("names", text) or (_RULES.any("whether", text) and _names(named) > 1)


def _in_order(found: list[Stated], text: str) -> list[Stated]:
    """What fits best first; of like ones current offices and earlier days, or the last where that is asked."""
    found.sort(key=lambda stated: (-stated.fit, -stated.dates, not _is_current_office(stated), _day(stated.statement)))
    if _RULES.any("earlier", text):
        found.sort(key=lambda stated: (stated.fit, stated.dates, _last_day(stated.statement)), reverse=True)
    return found


def relations_in_time(plan: QuestionPlan) -> list[Stated]:
    """What has become of a relation, or who held an office before or after somebody; empty for other questions."""
    asked = asked_of(plan)
    return list(_in_time(plan, asked, named_entities(plan)) or ()) if asked.kinds else []


def _in_time(plan: QuestionPlan, asked: AskedRelations, named: Mapping[str, int]) -> list[Stated] | None:
    """As :func:`relations_in_time`; None where neither is asked."""
    links = named_links(plan)
    found = _told_of_office(plan, links)
    if found is None and asked.kinds and len(links) > 1 and _RULES.any("changes", plan.asked.trimmed):
        found = _what_became(plan, asked, named, links)
    return None if found is None else [Stated(relation, statement, 1.0) for relation, statement in found]


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
    bearing = {end.id for relation in between for end in relation.ends} - {*named}
    return [relation for relation in around(plan, bearing) if relation.relation == "formerly_named"] if bearing else []


def _number(end: Entity, links: Sequence[LinkedEntity], named: Mapping[str, int]) -> int | None:
    """The number of the name that an entity bears, among those of a question."""
    if end.id in named:
        return named[end.id]
    words = frozenset(search_words(end.name))
    bearing = [place for place, link in enumerate(links) if frozenset(search_words(link.entity.name)) <= words]
    return bearing[0] if bearing else None


def _speaks_of_all(relation: Relation, links: Sequence[LinkedEntity], plan: QuestionPlan) -> bool:
    return any(_is_about(links, relation, statement, plan) for statement in relation.statements)


def _of_those_named(plan: QuestionPlan, relations: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """Of the relations of those named the ones that can answer: shared, between two, or with somebody else."""
    text = plan.asked.trimmed
    shared = _shared(relations, named) if _asks_for_common(plan, relations, named) else []
    if shared:
        return shared
    asks_whom = _RULES.any("whom", text) and not _RULES.any("part", text)
    if asks_whom and not _RULES.any("times", text):
        new = [relation for relation in relations if _names_somebody_new(relation, plan, named)]
        firms = [relation for relation in new if _has_new_firm(relation, named)]
        return firms if firms and _RULES.any("firm", text) else new
    between = _between(relations, named) if _names(named) > 1 else relations
    if between or not asks_whom:
        return list(between)
    return list(relations)


def _has_new_firm(relation: Relation, named: Mapping[str, int]) -> bool:
    return any(_is_firm(end) and end.id not in named for end in relation.ends)


def _asks_for_common(plan: QuestionPlan, relations: Sequence[Relation], named: Mapping[str, int]) -> bool:
    """True where somebody is asked for whom several have in common, in the words of the question or by what it asks:
    "Who worked for A before leading B?"."""
    text = plan.asked.trimmed
    if _RULES.any("common", text):
        return True
    both_named = _names(named) > 1 and _RULES.any("whom", text) and not _between(relations, named)
    return bool(both_named) and any(_is_person(end) for end in _reached_by_several(relations, named))


def _names_somebody_new(relation: Relation, plan: QuestionPlan, named: Mapping[str, int]) -> bool:
    """True where an end is neither one of those named nor a part of one: "Acme Europe B.V." is no answer to Acme."""
    written = [frozenset(search_words(link.written)) for link in named_links(plan)]
    others = [end for end in relation.ends if end.id not in named]
    return any(not any(words <= frozenset(search_words(end.name)) for words in written) for end in others)


def _best(relation: Relation, wanted: _Wanted) -> Stated | None:
    """The statement of a relation that answers best; None where none does."""
    fitting: list[Stated] = []
    for statement in relation.statements:
        answers = _can_answer(statement, wanted) and _is_the_office(relation, statement, wanted)
        if not answers or not _is_about(wanted.around, relation, statement, wanted.plan):
            continue
        fit = _fit(relation, statement, wanted.rest)
        if fit >= _LEAST_FIT:
            fitting.append(Stated(relation, statement, fit, _dates_told(statement, wanted)))
    return max(fitting, key=lambda stated: _rank(stated, wanted), default=None)


def _is_the_office(relation: Relation, said: Statement, wanted: _Wanted) -> bool:
    """False for an office that the question does not ask for: the CEO is no answer to "Who is the general counsel?"."""
    if relation.relation not in OFFICES:
        return True
    asked = _offices_asked(wanted.text, named_links(wanted.plan))
    if not asked or not _RULES.any("whom", wanted.plan.asked.trimmed):
        return True
    held = " ".join((said.metadata.get("role", ""), relation.tail.name, said.text))
    return not asked.isdisjoint(offices_in(held))


def _offices_asked(text: str, links: Sequence[LinkedEntity]) -> frozenset[str]:
    """The offices that a question asks for, by their names or by a verb ("Who chairs Acme's board?"); one that stands
    before a name only says who is meant ("its new director Jane Roe")."""
    for link in links:
        if _is_person(link.entity):
            before, name, behind = text.partition(link.written)
            text = _RULES.all("title")[0].sub(" ", before) + name + behind
    return offices_in(_RULES.all("chairs")[0].sub("chair", text))


def _rank(stated: Stated, wanted: _Wanted) -> tuple[float, float, int, bool, int, float, str]:
    """What else is asked comes first: a price, a share, a day or a term."""
    said = stated.statement
    tells_price = "value" in said.metadata or MONEY.search(said.text) is not None
    tells_time = "since" in said.metadata or said.period is not None
    told = (
        wanted.asks("price") and tells_price,
        wanted.asks("share") and "share" in said.metadata,
        wanted.asks("times") and tells_time,
        wanted.asks("term") and "since" in said.metadata,
    )
    # Of what is only planned the plan answers whether it has happened; a sentence without a date says neither.
    is_certain = said.modality == "asserted" and (said.period is not None or not wanted.asks("whether"))
    return stated.fit, stated.dates, sum(told), is_certain, len(said.metadata), said.confidence, said.id


def _is_current_office(stated: Stated) -> bool:
    """True for an office that is told with its title and without an end."""
    details = stated.statement.metadata
    return bool(details.get("role")) and not details.get("until")


def _can_answer(statement: Statement, wanted: _Wanted) -> bool:
    """True for a statement of the years asked, planned or done as the question says, that holds no orders."""
    if statement.modality == "negated" or gives_orders(statement.text):
        return False
    if statement.metadata.get("until") and wanted.asks("now"):
        return False
    if not _is_done_as_asked(statement, wanted):
        return False
    return not wanted.years or not wanted.years.isdisjoint(years_of(statement, wanted.plan))


def _is_done_as_asked(statement: Statement, wanted: _Wanted) -> bool:
    """True for what is planned where the question asks for plans, and has happened where it asks for that."""
    if wanted.asks("whether"):
        return True
    if wanted.asks("planned"):
        return statement.modality in ("planned", "possible")
    if wanted.asks("happened"):
        return statement.modality == "asserted"
    return True


def years_of(statement: Statement, plan: QuestionPlan) -> set[int]:
    """The years that a statement speaks of, the first and last of a term and those between; else when it was made."""
    told = {int(year) for year in _YEAR.findall(" ".join((*statement.metadata.values(), statement.text)))}
    terms = [int(year) for name in ("since", "until") for year in _YEAR.findall(statement.metadata.get(name, ""))]
    if len(terms) > 1:
        told.update(range(min(terms), max(terms) + 1))
    if statement.period is not None and statement.period.year is not None:
        return {statement.period.year, *(told if terms else ())}
    record = plan.catalogue.by_source.get(statement.document)
    if told or record is None:
        return told
    return {day.year for day in (record.published,) if day}


def _dates_told(statement: Statement, wanted: _Wanted) -> float:
    """Share of the dates in a question ("August 2017") that a statement tells."""
    asked = _DATE.findall(wanted.text)
    details = statement.metadata
    has_term = "since" in details or "until" in details
    told = " ".join(details.values() if has_term else (*details.values(), statement.text))
    return sum(date in told for date in asked) / len(asked) if asked else 1.0


def _is_about(links: Sequence[LinkedEntity], relation: Relation, said: Statement, plan: QuestionPlan) -> bool:
    """True for a statement of, beside, or in a document of each of those named."""
    told = f" {' '.join(search_words(said.text))} "
    record = plan.catalogue.by_source.get(said.document)
    own = {company_key(company) for company in record.companies} if record else set()
    filers = [link for link in links if company_key(link.entity.name) in plan.catalogue.by_company]
    told_of = [_is_told_of(link, relation, told, own) for link in links]
    if len(filers) > 1:
        others = [is_told for link, is_told in zip(links, told_of, strict=True) if link not in filers]
        return all(others) and any(told_of)
    return all(told_of)


def _is_told_of(link: LinkedEntity, relation: Relation, told: str, own: Collection[str]) -> bool:
    """True where one of those named is an end of a statement, stands beside it, or has the document written."""
    is_end = any(end.id == link.entity.id or end.key == link.entity.key for end in relation.ends)
    is_beside = f" {' '.join(search_words(link.written))} " in told
    return is_end or is_beside or company_key(link.entity.name) in own


def _fit(relation: Relation, statement: Statement, rest: frozenset[str]) -> float:
    """Share of what else is asked that a statement holds."""
    if not rest:
        return 1.0
    told = " ".join((relation.head.name, relation.tail.name, statement.text, *statement.metadata.values()))
    return len(rest.intersection(search_words(told))) / len(rest)


def _rest(plan: QuestionPlan, asked: AskedRelations, text: str) -> frozenset[str]:
    """The search words of the question beside those named, the relation and the period."""
    of_names: set[str] = set()
    for link in named_links(plan):
        if link.written in text:
            text = text.replace(link.written, " ")
        else:  # a company in another form than the question gives it: "Acme" for "Acme Holdings, Inc."
            of_names.update(search_words(link.written))
    for said in asked.said:
        text = said.sub(" ", text)
    for beside in _RULES.all("beside"):
        text = beside.sub(" ", text)
    return frozenset(word for word in question_words(text) if not word.isdigit() and word not in of_names)


def _between(relations: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """Those from one of the named to another."""
    return [r for r in relations if r.head.id in named and r.tail.id in named and named[r.head.id] != named[r.tail.id]]


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


def _is_firm(entity: Entity) -> bool:
    return entity.type in ("company", "organization")


def _is_person(entity: Entity) -> bool:
    return entity.type == "person"


def _shared(relations: Sequence[Relation], named: Mapping[str, int]) -> list[Relation]:
    """Those that lead from several of the named to one and the same."""
    common = {entity.id for entity in _reached_by_several(relations, named)}
    return [r for r in relations if r.head.id in common or r.tail.id in common]


def _last_day(statement: Statement) -> str:
    """The last day of a term or period as text that sorts by time; "" where none is told."""
    until = first_period(statement.metadata.get("until", ""))
    return until.last_day.isoformat() if until else _day(statement)


def _day(statement: Statement) -> str:
    return statement.period.last_day.isoformat() if statement.period else ""
