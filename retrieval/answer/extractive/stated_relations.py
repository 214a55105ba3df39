"""Answers from the graph without a model: who, with whom, since when; complete lists; two steps; what several share.

Each line is a statement of the graph in words with its period, price or office, and the sentence that says so. A
statement that lacks most of what else the question asks is none: then the passages answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ....core.names import company_key
from ....core.orders import gives_orders
from ....core.patterns import PatternTable
from ....core.words import question_words, search_words
from ....kg.graph import Relation, Statement
from ....kg.schema import Schema
from ...question.entity_linking import LinkedEntity
from ...question.plan import QuestionPlan
from ...search.retrievers.asked_relations import (
    AskedRelations,
    named_entities,
    named_links,
    read_asked_relations,
    relations_asked,
)
from ...search.retrievers.relations import readable, statement_evidence
from ..citations import Citations, with_marks
from .quote_text import readable as on_one_line

if TYPE_CHECKING:
    from ...search.evidence import Evidence

MOST, MOST_IN_A_LIST = 3, 15
"""Statements of an answer, and of a complete list."""
_LEAST_FIT = 0.6
"""Share of what else is asked that a statement holds."""
_BEHIND = 3
"""Sentences behind a statement in which its price may stand."""
_MONEY = re.compile(r"[$€£¥]\s?\d|\d\s?(?:million|billion)\b|\d\s?[万亿]?元")
_RULES = PatternTable(__package__, "stated_relations.toml")
_NOTES = ("role", "since", "until", "value", "share", "agreement", "date")
"""What of a statement's details is written, in this order."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A relation that answers, the statement that says so best, and what share of the rest of the question it holds."""

    relation: Relation
    statement: Statement
    fit: float


def stated_relations(plan: QuestionPlan) -> list[Stated]:
    """The statements that answer a question about relations, best first; empty for any other question."""
    text = plan.asked.trimmed
    asked, named = read_asked_relations(text), named_entities(plan)
    if plan.asked.explains or not (asked.kinds and named and _RULES.any("names", text)):
        return []
    steps = relations_asked(plan, asked, named)
    has_led_on = bool(steps.second)
    relations = list(steps.second) if has_led_on else _of_those_named(plan, steps.first, named)
    # Where something is shared, or one leads to the next, a statement speaks of one of those named at a time.
    around = () if has_led_on or _RULES.any("common", text) else named_links(plan)
    rest = _rest(plan, asked)
    found: list[Stated] = []
    for relation in relations:
        stated = _best(relation, plan, rest, around)
        if stated is not None:
            found.append(stated)
    found.sort(key=lambda stated: (-stated.fit, not _is_current_office(stated), _day(stated.statement)))
    if _RULES.any("all", text):
        return found[:MOST_IN_A_LIST]
    return [stated for stated in found if stated.fit == found[0].fit][:MOST]


def _of_those_named(plan: QuestionPlan, relations: Sequence[Relation], named: Sequence[str]) -> list[Relation]:
    """Of the relations of those named the ones that can answer: shared, between two, or with somebody else."""
    text = plan.asked.trimmed
    if _RULES.any("common", text):
        return _shared(relations, named)
    asks_whom = _RULES.any("whom", text)
    between = _between(relations, named) if len(named) > 1 else []
    if len(named) > 1 and not asks_whom:
        return between
    chosen = between or list(relations)
    if not asks_whom or _RULES.any("times", text):
        return chosen
    return [relation for relation in chosen if any(end.id not in named for end in relation.ends)]


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
            fitting.append(Stated(relation, statement, fit))
    return max(fitting, key=lambda stated: _rank(stated, plan), default=None)


def _rank(stated: Stated, plan: QuestionPlan) -> tuple[float, bool, int, float, str]:
    said = stated.statement
    wants_time = _RULES.any("times", plan.asked.trimmed)
    is_dated = wants_time and said.period is not None
    return stated.fit, is_dated, len(said.metadata), said.confidence, said.id


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
    return _is_done_as_asked(statement, text) and _is_of_years(statement, plan.asked.years)


def _is_done_as_asked(statement: Statement, text: str) -> bool:
    """True for what is planned where the question asks for plans, and has happened where it asks for that."""
    if _RULES.any("planned", text):
        return statement.modality in ("planned", "possible")
    if _RULES.any("happened", text):
        return statement.modality == "asserted"
    return True


def _is_of_years(statement: Statement, years: Sequence[int]) -> bool:
    if not years:
        return True
    if statement.period is not None and statement.period.year is not None:
        return statement.period.year in years
    return any(str(year) in statement.text for year in years)


def _is_about(links: Sequence[LinkedEntity], relation: Relation, said: Statement, plan: QuestionPlan) -> bool:
    """True for a statement of, beside, or in a document of each of those named."""
    told = f" {' '.join(search_words(said.text))} "
    record = plan.catalogue.by_source.get(said.document)
    own = {company_key(company) for company in record.companies} if record else set()
    for link in links:
        is_end = link.entity.id in (relation.head.id, relation.tail.id)
        is_beside = f" {' '.join(search_words(link.written))} " in told
        if not (is_end or is_beside or company_key(link.entity.name) in own):
            return False
    return True


def _fit(relation: Relation, statement: Statement, rest: frozenset[str]) -> float:
    """Share of what else is asked that a statement holds."""
    if not rest:
        return 1.0
    told = " ".join((relation.head.name, relation.tail.name, statement.text, *statement.metadata.values()))
    return len(rest.intersection(search_words(told))) / len(rest)


def _rest(plan: QuestionPlan, asked: AskedRelations) -> frozenset[str]:
    """The search words of the question beside those named, the relation and the period."""
    text = plan.asked.trimmed
    for link in plan.linked_with_companies:
        text = text.replace(link.written, " ")
    for said in asked.said:
        text = said.sub(" ", text)
    for beside in _RULES.all("beside"):
        text = beside.sub(" ", text)
    return frozenset(word for word in question_words(text) if not word.isdigit())


def _between(relations: Sequence[Relation], named: Collection[str]) -> list[Relation]:
    """Those from one of the named to another."""
    return [r for r in relations if r.head.id in named and r.tail.id in named]


def _shared(relations: Sequence[Relation], named: Sequence[str]) -> list[Relation]:
    """Those that lead from several of the named to one and the same."""
    reached: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        for own, other in (relation.ends, relation.ends[::-1]):
            if own.id in named:
                reached[other.id].add(own.id)
    common = {other for other, own in reached.items() if len(own) > 1}
    return [r for r in relations if r.head.id in common or r.tail.id in common]


def _day(statement: Statement) -> str:
    return statement.period.last_day.isoformat() if statement.period else ""
