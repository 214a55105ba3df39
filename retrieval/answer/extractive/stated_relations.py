"""Answers from the graph without a model: who, with whom, since when; complete lists; two steps; what several share.

Each line is a statement of the graph in words with its period, price or office, and the sentence that says so. A
statement that lacks most of what else the question asks is none: then the passages answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ....core.names import company_key
from ....core.orders import gives_orders
from ....core.patterns import PatternTable
from ....core.period_text import first_period
from ....core.words import question_words, search_words
from ....kg.graph import Entity, Relation, Statement
from ....kg.schema import Schema
from ...question.entity_linking import LinkedEntity
from ...question.plan import QuestionPlan
from ...search.retrievers.asked_relations import (
    AskedRelations,
    asks_for_all,
    named_entities,
    named_links,
    read_asked_relations,
    relations_asked,
)
from ...search.retrievers.relations import readable, statement_evidence
from ..citations import Citations, with_marks
from .quote_text import readable as on_one_line
from .relation_history import Told, around, history, others_in_office

if TYPE_CHECKING:
    from ...search.evidence import Evidence

MOST, MOST_IN_A_LIST = 3, 15
"""Statements of an answer, and of a complete list."""
_LEAST_FIT = 0.6
"""Share of what else is asked that a statement holds."""
_BEHIND = 3
"""Sentences behind a statement in which its price may stand."""
_RULES = PatternTable(__package__, "stated_relations.toml")
_MONEY = re.compile(r"[$€£¥]\s?\d|\d\s?(?:million|billion)\b|\d\s?[万亿]?元")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DATE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" (?:\d{1,2}, )?\d{4}|\b(?:19|20)\d\d\b"
)
_NOTES = ("role", "since", "until", "value", "share", "agreement", "date")
"""What of a statement's details is written, in this order."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A relation that answers, the statement that says so best, and what share of the rest of the question it holds."""

    relation: Relation
    statement: Statement
    fit: float
    dates: float = 1.0
    """Share of the dates asked that it tells."""


def stated_relations(plan: QuestionPlan) -> list[Stated]:
    """The statements that answer a question about relations, best first; empty for any other question."""
    text = plan.asked.trimmed
    asked, named = read_asked_relations(text), named_entities(plan)
    told = _in_time(plan, asked, named)
    if told is not None:
        return told
    asks_so = _RULES.any("names", text) or (_RULES.any("whether", text) and _names(named) > 1)
    if plan.asked.explains or not (asked.kinds and named and asks_so):
        return []
    steps = relations_asked(plan, asked, named)
    has_led_on = bool(steps.second)
    relations = list(steps.second) if has_led_on else _of_those_named(plan, steps.first, named)
    # Where something is shared, or one leads to the next, a statement speaks of one of those named at a time.
    beside = () if has_led_on or _asks_for_common(plan, steps.first, named) else named_links(plan)
    rest = _rest(plan, asked, steps.text or text)
    found: list[Stated] = []
    for relation in relations:
        stated = _best(relation, plan, rest, beside)
        if stated is not None:
            found.append(stated)
    found.sort(key=lambda stated: (-stated.fit, -stated.dates, not _is_current_office(stated), _day(stated.statement)))
    if _RULES.any("earlier", text):
        found.sort(key=lambda stated: (stated.fit, stated.dates, _last_day(stated.statement)), reverse=True)
    if asks_for_all(text):
        return found[:MOST_IN_A_LIST]
    return [stated for stated in found if (stated.fit, stated.dates) == (found[0].fit, found[0].dates)][:MOST]


def relations_in_time(plan: QuestionPlan) -> list[Stated]:
    """What has become of a relation, or who held an office before or after somebody; empty for other questions."""
    asked = read_asked_relations(plan.asked.trimmed)
    return list(_in_time(plan, asked, named_entities(plan)) or ()) if asked.kinds else []


def _in_time(plan: QuestionPlan, asked: AskedRelations, named: Mapping[str, int]) -> list[Stated] | None:
    """As :func:`relations_in_time`; None where neither is asked."""
    text, links = plan.asked.trimmed, named_links(plan)
    found: Sequence[Told] | None = None
    if _RULES.any("changes", text) and len(links) > 1 and asked.kinds:
        relations = around(plan, named)
        between = [relation for relation in relations if _is_between(relation, links, named)]
        between += _renamed(plan, between, named)
        about = between or [relation for relation in relations if _speaks_of_all(relation, links, plan)]
        found = history(plan, asked, about, named)
    people = [link for link in links if link.entity.type == "person"]
    for word in ("before", "after"):
        said = _RULES.first(word, text)
        if said and len(people) == 1 and text.find(people[0].written) >= said.start():
            found = others_in_office(plan, people[0], before=word == "before")
    return None if found is None else [Stated(relation, statement, 1.0) for relation, statement in found]


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
    if _asks_for_common(plan, relations, named) and (shared := _shared(relations, named)):
        return shared
    if _RULES.any("whom", text) and not _RULES.any("times", text):
        new = [relation for relation in relations if _names_somebody_new(relation, plan, named)]
        firms = [relation for relation in new if any(_is_firm(end) and end.id not in named for end in relation.ends)]
        return firms if firms and _RULES.any("firm", text) else new
    between = _between(relations, named) if _names(named) > 1 else relations
    asks_whom = _RULES.any("whom", text)
    return list(between or (relations if asks_whom else ()))


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


def write_stated(found: Sequence[Stated], plan: QuestionPlan, citations: Citations) -> str:
    """The statements as text, a line each, every one with its citation; with the price where one is asked for."""
    schema = plan.vocabulary.schema
    wants_price = _RULES.any("price", plan.asked.trimmed)
    lines: list[str] = []
    for stated in found:
        said = stated.statement
        evidence = as_evidence(stated, schema)
        number = citations.cite(evidence, said.text, said.start, said.end)
        line = f"{_in_words(stated, schema)}: {with_marks(on_one_line(said.text), [number])}"
        price = _price_behind(plan, said) if wants_price and not _MONEY.search(said.text) else None
        if price is not None:
            start, end, text = price
            number = citations.cite(replace(evidence, start=start, end=end, text=text), text, start, end)
            line = f"{line} {with_marks(on_one_line(text), [number])}"
        lines.append(line)
    return "\n".join(lines)


def _price_behind(plan: QuestionPlan, said: Statement) -> tuple[int, int, str] | None:
    """The sentence with an amount among those that follow a statement in its chunk: start, end and text."""
    for chunk in plan.store.chunks([said.chunk]):
        behind = [span for span in chunk.sentences if span[0] >= said.end][:_BEHIND]
        for start, end in behind:
            text = chunk.text[start - chunk.start : end - chunk.start]
            if _MONEY.search(text):
                return start, end, text
    return None


def as_evidence(stated: Stated, schema: Schema) -> Evidence:
    """A stated relation as the evidence that its citation points to."""
    return statement_evidence(stated.fit, stated.relation, stated.statement, schema)


def _in_words(stated: Stated, schema: Schema) -> str:
    details = stated.statement.metadata
    notes = [details[name] for name in _NOTES if details.get(name)]
    words = readable(stated.relation, stated.statement, schema)
    return f"{words} [{'; '.join(notes)}]" if notes else words


def _best(
    relation: Relation, plan: QuestionPlan, rest: frozenset[str], around: Sequence[LinkedEntity]
) -> Stated | None:
    """The statement of a relation that answers best and is about all those ``around``; None where none does."""
    fitting: list[Stated] = []
    for statement in relation.statements:
        if not _can_answer(statement, plan) or not _is_about(around, relation, statement, plan):
            continue
        fit = _fit(relation, statement, rest)
        if fit >= _LEAST_FIT:
            fitting.append(Stated(relation, statement, fit, _dates_told(statement, plan)))
    return max(fitting, key=lambda stated: _rank(stated, plan), default=None)


def _rank(stated: Stated, plan: QuestionPlan) -> tuple[float, float, bool, int, float, str]:
    said = stated.statement
    wants_time = _RULES.any("times", plan.asked.trimmed)
    is_dated = wants_time and said.period is not None
    return stated.fit, stated.dates, is_dated, len(said.metadata), said.confidence, said.id


def _is_current_office(stated: Stated) -> bool:
    """True for an office that is told with its title and without an end."""
    details = stated.statement.metadata
    return bool(details.get("role")) and not details.get("until")


def _can_answer(statement: Statement, plan: QuestionPlan) -> bool:
    """True for a statement of the years asked, planned or done as the question says, that holds no orders."""
    text = plan.asked.trimmed
    if statement.modality == "negated" or gives_orders(statement.text):
        return False
    if statement.metadata.get("until") and _RULES.any("now", text):
        return False
    if not _is_done_as_asked(statement, text):
        return False
    years = frozenset(plan.asked.years)
    if not years:
        return True
    return not years.isdisjoint(years_of(statement, plan))


def _is_done_as_asked(statement: Statement, text: str) -> bool:
    """True for what is planned where the question asks for plans, and has happened where it asks for that."""
    if _RULES.any("planned", text):
        return statement.modality in ("planned", "possible")
    if _RULES.any("happened", text):
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


def _dates_told(statement: Statement, plan: QuestionPlan) -> float:
    """Share of the dates in a question ("August 2017") that a statement tells."""
    asked = _DATE.findall(plan.asked.trimmed)
    told = " ".join((*statement.metadata.values(), statement.text))
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
    for link in named_links(plan):
        text = text.replace(link.written, " ")
    for said in asked.said:
        text = said.sub(" ", text)
    for beside in _RULES.all("beside"):
        text = beside.sub(" ", text)
    return frozenset(word for word in question_words(text) if not word.isdigit())


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
