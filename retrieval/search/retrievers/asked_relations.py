"""The relations that a question asks for: who acquired whom, who audits, who was what and when; one step, or two.

The words of the question say which relations of the schema are meant and at which end the one that it names stands
(``asked_relations.toml``). Where the one named is only on the way ("Who audits the company that acquired Bolt?"), the
second step starts from those that the first one leads to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

from ....core.patterns import LazyPattern
from ....core.rules import load_rules
from ....kg.extraction.structure.cells import offices_in
from ....kg.graph import Relation
from ...question.entity_linking import LinkedEntity
from ...question.plan import QuestionPlan
from .base import Findings, SearchRequest, retriever
from .relations import relation_evidence

_MOST_RELATIONS = 400
_MOST_ON_THE_WAY = 12
"""Entities from which a second step is taken; more say that the first step led nowhere in particular."""
_NOT_NAMED = frozenset({"role", "metric", "thing", "market", "place"})
"""Types of linked entities that stand for words of the question rather than for somebody."""
_MAY_BE_MEANT = frozenset({"company", "organization", "product", "segment"})
"""Types that one name may have at different places of the text."""
_ANSWERS = 3
"""Statements of a second step that are shown first."""
_LEAST = 0.45
"""A statement that fits less is of such a relation, but answers something else."""

_SOMEBODY = "Acme"
"""Stands for a name while a question is read for relations."""
_WANTS_VERB = re.compile(r"\b(?:does|did|do)\s$", re.I)
_LAST_WORD = re.compile(r"\b[a-z]{2,20}$")
"""The verb of "What does the company that Acme bought make?": it stands behind the words that say who is meant."""

Ends = Mapping[str, str]
"""Relation -> "head", "tail" or "either": the end at which the one named stands."""


@dataclass(frozen=True, slots=True)
class AskedRelations:
    """The relations asked for, those of each kind of asking apart."""

    kinds: tuple[Ends, ...]
    said: tuple[LazyPattern, ...] = ()
    """What the question says to ask for each of them."""

    @property
    def all(self) -> Ends:
        """The relations of all kinds; an end that two kinds see differently is "either"."""
        merged: dict[str, str] = {}
        for ends in self.kinds:
            for relation, end in ends.items():
                merged[relation] = end if merged.get(relation, end) == end else "either"
        return merged


@dataclass(frozen=True, slots=True)
class Steps:
    """Relations of those named, and of the entities ``through`` which these lead on."""

    first: Sequence[Relation] = ()
    second: Sequence[Relation] = ()
    through: tuple[str, ...] = ()
    text: str = ""
    """What the second step is asked by: the question without the words that only say who is meant."""


@dataclass(frozen=True, slots=True)
class Description:
    """Words that say who is meant by a relation ("the company that acquired Bolt"), and the question without them."""

    clause: str
    rest: str


def read_description(question: str) -> Description | None:
    """What describes somebody by a relation in a question that asks something else of them.

    >>> read_description("Who audits the company that acquired Bolt?")
    Description(clause='acquired Bolt', rest='Who audits ?')
    >>> read_description("Who is the chief executive of Acme?")
    """
    for said in _rows()["described"]:
        match = re.search(str(said), question, re.I)
        if match:
            return _description(question[: match.start()], match["clause"], question[match.end() :])
    return None


def _description(before: str, clause: str, behind: str) -> Description:
    """The clause and what stands around it; the verb that ends a question is no part of the clause."""
    ends_question = not behind.strip("? ") and _WANTS_VERB.search(before)
    verb = _LAST_WORD.search(clause) if ends_question else None
    if verb is None:
        return Description(clause.strip(), before + behind)
    return Description(clause[: verb.start()].strip(), before + verb[0] + behind)


def read_asked_relations(question: str) -> AskedRelations:
    """Which relations a question asks for.

    >>> read_asked_relations("Who audits Acme?").all
    {'audits': 'either'}
    >>> read_asked_relations("What was Acme's revenue?").kinds
    ()
    """
    met = [(said, ends) for said, ends in _kinds() if said.search(question)]
    return AskedRelations(tuple(ends for _, ends in met), tuple(said for said, _ in met))


def asked_of(plan: QuestionPlan) -> AskedRelations:
    """Which relations a question asks for; words inside the names in it ask nothing: "Spectrum Brands"."""
    text = plan.asked.trimmed
    for link in named_links(plan):
        if not link.written.islower():
            text = text.replace(link.written, _SOMEBODY)
    return read_asked_relations(text)


@retriever("asked")
def asked_relations(request: SearchRequest) -> Findings:
    """Statements of the relations asked for, of those that the question names, the best first."""
    plan = request.plan
    asked = asked_of(plan)
    named = named_entities(plan)
    if not asked.kinds or not named:
        return Findings()
    steps = relations_asked(plan, asked, named)
    schema = plan.vocabulary.schema
    first = relation_evidence(plan.store, request.query, steps.first, set(named), 2 * request.k, schema)
    second = relation_evidence(plan.store, request.query, steps.second, set(steps.through), request.k, schema)
    wants_all = asks_for_all(plan.asked.trimmed)
    fitting = [item for item in first if wants_all or item.score >= _LEAST]
    # Where there is a second step it answers; the first one only leads there.
    marks = {"asked": 1.0, "list": 1.0} if wants_all else {"asked": 1.0}
    found = [replace(item, why={**item.why, **marks}) for item in (*second[:_ANSWERS], *fitting)]
    return Findings(tuple(found)[: request.k])


def asks_for_all(question: str) -> bool:
    """True where a complete list is asked for: "Which companies did Acme acquire?"."""
    return _complete().search(question) is not None


def named_entities(plan: QuestionPlan) -> Mapping[str, int]:
    """Id -> the number of the name that means it: those whom the question names, the companies that it is about among
    them. What bears one name with different types (a product and the firm that makes it) has one number."""
    number: dict[str, int] = {}
    for place, link in enumerate(named_links(plan)):
        namesakes = plan.store.find_entities({link.entity.key}) if link.entity.key else ()
        for entity in (link.entity, *namesakes):
            if entity.type == link.entity.type or entity.type in _MAY_BE_MEANT:
                number.setdefault(entity.id, place)
    return number


def named_links(plan: QuestionPlan) -> list[LinkedEntity]:
    """Whom the question names, as it writes them; words that only are a type of name are nobody."""
    return [link for link in plan.linked_with_companies if _is_somebody(plan, link)]


def _is_somebody(plan: QuestionPlan, link: LinkedEntity) -> bool:
    """False for a type of name, and for the word of an office, which may be a ticker as well: "COO"."""
    if len(link.written.split()) == 1 and offices_in(link.written):
        return False
    return link.entity.type not in _NOT_NAMED or _is_firm_too(plan, link)


def _is_firm_too(plan: QuestionPlan, link: LinkedEntity) -> bool:
    """True for a thing of whose name there is a firm as well."""
    return link.entity.type == "thing" and any(
        entity.type in _MAY_BE_MEANT for entity in plan.store.find_entities({link.entity.key})
    )


def relations_asked(plan: QuestionPlan, asked: AskedRelations, named: Collection[str]) -> Steps:
    """Relations of the kinds asked around those named, or around those whom the question describes by others."""
    given = plan.scope is not None and not plan.selection.everything
    within = plan.selection.sources if given else None
    described = _through_description(plan, within)
    if described.second:
        return described
    return Steps(_around(plan, named, asked.all, within))


def _through_description(plan: QuestionPlan, within: Collection[str] | None) -> Steps:
    """The relations asked of those whom the question describes by another relation; empty where it describes nobody."""
    described = read_description(plan.asked.trimmed)
    if described is None:
        return Steps()
    named = [link.entity.id for link in named_links(plan) if link.written in described.clause]
    meant, wanted = read_asked_relations(described.clause).all, read_asked_relations(described.rest).all
    if not named or not meant or not wanted:
        return Steps()
    offices = offices_in(described.clause)
    first = [relation for relation in _around(plan, named, meant, within) if _is_of_office(relation, offices)]
    through = _described_by(first, named)
    if not 0 < len(through) <= _MOST_ON_THE_WAY:
        return Steps()
    leading = {relation.key for relation in first}
    second = [relation for relation in _around(plan, through, wanted, within) if relation.key not in leading]
    return Steps(first, second, tuple(through), described.rest)


def _described_by(relations: Iterable[Relation], named: Collection[str]) -> list[str]:
    """Ids of those at the other ends of the relations of those named, sorted."""
    ends = chain.from_iterable(relation.ends for relation in relations)
    return sorted({end.id for end in ends if end.type not in _NOT_NAMED} - {*named})


def _is_of_office(relation: Relation, offices: Collection[str]) -> bool:
    """True where a statement gives one of the offices, without an end of its term; and where none is asked for."""
    if not offices:
        return True
    held = (said for said in relation.statements if not said.metadata.get("until"))
    told = (offices_in(f"{said.metadata.get('role', '')} {said.text}") for said in held)
    return any(not set(offices).isdisjoint(own) for own in told)


def _around(plan: QuestionPlan, named: Collection[str], ends: Ends, within: Collection[str] | None) -> list[Relation]:
    """The relations of these kinds with one of the named at the right end."""
    around = plan.store.subgraph(list(named), _MOST_RELATIONS, within).relations
    return [relation for relation in around if _fits(relation, ends, named)]


def _fits(relation: Relation, ends: Ends, named: Collection[str]) -> bool:
    end = ends.get(relation.relation, "")
    if end in ("head", "either") and relation.head.id in named:
        return True
    return end in ("tail", "either") and relation.tail.id in named


@cache
def _kinds() -> tuple[tuple[LazyPattern, Ends], ...]:
    rows: Iterable[dict[str, object]] = _rows()["asked"]
    return tuple((LazyPattern(str(row["said"])), _ends(row["relations"])) for row in rows)


@cache
def _complete() -> LazyPattern:
    return LazyPattern(_rows()["complete"])


@cache
def _rows() -> Mapping[str, Any]:
    return load_rules(__package__, "asked_relations.toml")


def _ends(given: object) -> Ends:
    assert isinstance(given, dict)
    return {str(relation): str(end) for relation, end in given.items()}
