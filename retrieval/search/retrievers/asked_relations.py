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

from ....core.rules import load_rules
from ....kg.graph import Relation
from ...question.entity_linking import LinkedEntity
from ...question.plan import QuestionPlan
from ..evidence import Evidence
from .base import Findings, SearchRequest, retriever
from .relations import relation_evidence

_MOST_RELATIONS = 400
_MOST_ON_THE_WAY = 12
"""Entities from which a second step is taken; more say that the first step led nowhere in particular."""
_NOT_NAMED = frozenset({"role", "metric", "thing", "market", "place"})
"""Types of linked entities that stand for words of the question rather than for somebody."""
_ANSWERS = 3
"""Statements of a second step that are shown first."""
_LEAST = 0.45
"""A statement that fits less is of such a relation, but answers something else."""

Ends = Mapping[str, str]
"""Relation -> "head", "tail" or "either": the end at which the one named stands."""


@dataclass(frozen=True, slots=True)
class AskedRelations:
    """The relations asked for, those of each kind of asking apart."""

    kinds: tuple[Ends, ...]
    said: tuple[re.Pattern[str], ...] = ()
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


def read_asked_relations(question: str) -> AskedRelations:
    """Which relations a question asks for.

    >>> read_asked_relations("Who audits Acme?").all
    {'audits': 'either'}
    >>> read_asked_relations("What was Acme's revenue?").kinds
    ()
    """
    met = [(said, ends) for said, ends in _kinds() if said.search(question)]
    return AskedRelations(tuple(ends for _, ends in met), tuple(said for said, _ in met))


@retriever("asked")
def asked_relations(request: SearchRequest) -> Findings:
    """Statements of the relations asked for, of those that the question names, the best first."""
    plan = request.plan
    asked = read_asked_relations(plan.asked.trimmed)
    named = named_entities(plan)
    if not asked.kinds or not named:
        return Findings()
    steps = relations_asked(plan, asked, named)
    schema = plan.vocabulary.schema
    first = relation_evidence(plan.store, request.query, steps.first, set(named), 2 * request.k, schema)
    second = relation_evidence(plan.store, request.query, steps.second, set(steps.through), request.k, schema)
    fitting = [item for item in first if item.score >= _LEAST]
    # Where there is a second step it answers; the first one only leads there.
    return Findings(tuple(_marked(item) for item in (*second[:_ANSWERS], *fitting))[: request.k])


def named_entities(plan: QuestionPlan) -> list[str]:
    """Ids of those whom the question names, the companies that it is about among them."""
    return list(dict.fromkeys(link.entity.id for link in named_links(plan)))


def named_links(plan: QuestionPlan) -> list[LinkedEntity]:
    """Whom the question names, as it writes them; words that only are a type of name are nobody."""
    return [link for link in plan.linked_with_companies if link.entity.type not in _NOT_NAMED]


def relations_asked(plan: QuestionPlan, asked: AskedRelations, named: Sequence[str]) -> Steps:
    """Relations of the kinds asked around those named; of kinds that are not told of these, one step on."""
    given = plan.scope is not None and not plan.selection.everything
    within = plan.selection.sources if given else None
    first = _around(plan, named, asked.all, within)
    told = {relation.relation for relation in first}
    missing = tuple(ends for ends in asked.kinds if told.isdisjoint(ends))
    through = {end.id for relation in first for end in relation.ends} - {*named}
    if not missing or not 0 < len(through) <= _MOST_ON_THE_WAY:
        return Steps(first)
    known = {relation.key for relation in first}
    further = _around(plan, sorted(through), AskedRelations(missing).all, within)
    return Steps(first, [relation for relation in further if relation.key not in known], tuple(sorted(through)))


def _around(plan: QuestionPlan, named: Sequence[str], ends: Ends, within: Collection[str] | None) -> list[Relation]:
    """The relations of these kinds with one of the named at the right end."""
    around = plan.store.subgraph(named, _MOST_RELATIONS, within).relations
    return [relation for relation in around if _fits(relation, ends, named)]


def _fits(relation: Relation, ends: Ends, named: Collection[str]) -> bool:
    end = ends.get(relation.relation, "")
    at_head, at_tail = relation.head.id in named, relation.tail.id in named
    return (at_head and end in ("head", "either")) or (at_tail and end in ("tail", "either"))


def _marked(item: Evidence) -> Evidence:
    return replace(item, why={**item.why, "asked": 1.0})


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], Ends], ...]:
    rows: Iterable[dict[str, object]] = load_rules(__package__, "asked_relations.toml")["asked"]
    return tuple((re.compile(str(row["said"]), re.I), _ends(row["relations"])) for row in rows)


def _ends(given: object) -> Ends:
    assert isinstance(given, dict)
    return {str(relation): str(end) for relation, end in given.items()}
