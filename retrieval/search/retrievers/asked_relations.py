"""The relations that a question asks for: who acquired whom, who audits, who was what and when; one step, or two.

The words of the question say which relations of the schema are meant and at which end the one that it names stands
(``asked_relations.toml``). Where the one named is only on the way ("Who audits the company that acquired Bolt?"), the
second step starts from those that the first one leads to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from itertools import chain
from typing import Any

from ....core.names import company_key
from ....core.patterns import LazyPattern, on_demand
from ....core.records import dataclass
from ....core.rules import load_rules
from ....kg.extraction.structure.cells import offices_in
from ....kg.graph import Relation, Statement
from ...question.entity_linking import LinkedEntity
from ...question.plan import QuestionPlan, once_a_plan
from ...question.vocabulary.relation_words import SOMEBODY, Phrase, ends_told, phrases_said, words_of
from .base import Findings, SearchRequest, retriever
from .graph import relation_evidence

_MOST_ON_THE_WAY = 12
"""Entities from which a second step is taken; more say that the first step led nowhere in particular."""
_NOT_NAMED = frozenset({"role", "metric", "thing", "market", "place"})
"""Types of linked entities that stand for words of the question rather than for somebody."""
_MAY_BE_MEANT = frozenset({"company", "organization", "product", "segment"})
"""Types that one name may have at different places of the text."""
OFFICES = frozenset({"leads", "works_for", "director_of", "holds_role"})
"""Relations of a person to a firm that an office gives."""
_ANSWERS = 3
"""Statements of a second step that are shown first."""
_LEAST = 0.45
"""A statement that fits less is of such a relation, but answers something else."""

_WANTS_VERB = on_demand(r"\b(?:does|did|do)\s$", re.I)
_LAST_WORD = on_demand(r"\b[a-z]{2,20}$")
"""The verb of "What does the company that Acme bought make?": it stands behind the words that say who is meant."""

_LEFT_OUT = on_demand(
    r"\b(?:besides|other than|apart from|aside from|except(?: for)?|in addition to) (?:the )?$|除了?$", re.I
)
"""What stands before somebody whom the answer is not to name."""

_FOLLOWED = on_demand(r"\bt[ao][ko]e?[ns]? over from\b", re.I)
"""Says of somebody that he followed another, not that he bought him."""

_OWN_VOICE = on_demand(r"\b(?:[Ww]e|us|[Tt]he [Cc]ompany|[Tt]he [Rr]egistrant)\b|本?公司")
"""How a report speaks of the company that it is of."""

Ends = Mapping[str, str]
"""Relation -> "head", "tail" or "either": the end at which the one named stands."""


@dataclass(frozen=True, slots=True)
class AskedRelations:
    """The relations asked for, those of each kind of asking apart."""

    kinds: tuple[Ends, ...]
    said: tuple[LazyPattern, ...] = ()
    """What the question says to ask for each of them."""
    named: Ends = field(default_factory=dict)
    """Those of them that the question asks for by a word of their own ("trustee"), not of their kin ("notes")."""
    directed: Ends = field(default_factory=dict)
    """Those whose direction its grammar shows: in "Who sued Acme?" Acme is the "tail"."""

    of_schema: frozenset[str] = frozenset()
    """Those that no kind of asking is written for: the schema alone says how they are asked for."""

    @property
    def all(self) -> Ends:
        """The relations of all kinds; an end that two kinds see differently is "either", if grammar does not tell."""
        merged: dict[str, str] = {}
        for ends in self.kinds:
            _note_ends(merged, ends)
        merged.update((relation, end) for relation, end in self.directed.items() if relation in merged)
        return merged

    @property
    def said_itself(self) -> frozenset[str]:
        """Those named or directed, and what states the same."""
        return _with_alike((*self.named, *self.directed))

    @property
    def answering(self) -> frozenset[str]:
        """Those whose statements answer: of a kind of asking that has a relation named or directed, only these and
        what states the same ("Who is the trustee?" is not answered by what notes there are)."""
        own = frozenset((*self.named, *self.directed))
        answering = set(self.said_itself)
        for ends in self.kinds:
            if own.isdisjoint(ends):
                answering.update(ends)
        return frozenset(answering)


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
    for said in _described():
        if match := said.search(question):
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
    met = [kind for kind in _kinds() if kind.said.search(question)]
    directed: dict[str, str] = {}
    for kind in met:
        _note_ends(directed, kind.ends if kind.is_directed else {})
    return AskedRelations(
        tuple(kind.ends for kind in met), tuple(kind.said for kind in met), directed=_without_open(directed)
    )


def _note_ends(noted: dict[str, str], ends: Ends) -> None:
    """Keep where somebody stands; "either" where another word has said otherwise."""
    for relation, end in ends.items():
        noted[relation] = end if noted.get(relation, end) == end else "either"


def _without_open(ends: Ends) -> dict[str, str]:
    return {relation: end for relation, end in ends.items() if end != "either"}


@once_a_plan
def asked_of(plan: QuestionPlan) -> AskedRelations:
    """Which relations a question asks for; words inside the names in it ask nothing: "Spectrum Brands".

    To those of ``asked_relations.toml`` come the relations of the workspace's schema that the question says by a word
    of their own; a question for a figure of the accounts asks for none of these.
    """
    text = plan.asked.trimmed
    for link in named_links(plan):
        text = _without_name(text, link.written)
    text = _FOLLOWED.sub("succeeded", text)
    asked = read_asked_relations(text)
    said = phrases_said(text, plan.vocabulary.schema)
    return _with_own_words(asked, said, asks_figure=plan.figures.names_figure)


def _without_name(text: str, name: str) -> str:
    """A text with "Acme" where it says a name, or the first words of one ("Bolt" for "BOLT HOLDINGS, INC.")."""
    if name in text:
        return text if name.islower() else text.replace(name, SOMEBODY)
    words = name.split()
    for count in range(len(words), 0, -1):
        said = r"\s".join(re.escape(word.rstrip(",.")) for word in words[:count])
        found = re.search(rf"(?<!\w){said}(?!\w)", text, re.IGNORECASE)
        if found and not found[0].islower():
            return text.replace(found[0], SOMEBODY)
    return text


def _with_own_words(asked: AskedRelations, said: Mapping[Phrase, str], *, asks_figure: bool) -> AskedRelations:
    """The relations asked for with those that the phrases said add, and the direction that these show."""
    known = asked.all
    named: dict[str, str] = {}
    directed = dict(asked.directed)
    new: list[Phrase] = []
    for phrase, end in said.items():
        is_known = phrase.relation in known
        if not phrase.is_shared and (is_known or not asks_figure):
            named.setdefault(phrase.relation, end)
            if not is_known:
                new.append(phrase)
        _note_ends(directed, _without_open({phrase.relation: end}))
    return AskedRelations(
        (*asked.kinds, *({phrase.relation: "either"} for phrase in new)),
        (*asked.said, *(LazyPattern(phrase.stem) for phrase in new)),
        named,
        {relation: end for relation, end in _without_open(directed).items() if relation in {*known, *named}},
        frozenset(phrase.relation for phrase in new),
    )


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
    relations = _of_years(steps.first, plan)
    first = relation_evidence(plan.store, request.query, relations, set(named), 2 * request.k, schema)
    second = relation_evidence(plan.store, request.query, steps.second, set(steps.through), request.k, schema)
    wants_all = asks_for_all(plan.asked.trimmed)
    fitting = [item for item in first if wants_all or item.score >= _LEAST]
    # Where there is a second step it answers; the first one only leads there.
    marks = {"asked": 1.0, "list": 1.0} if wants_all else {"asked": 1.0}
    found = [replace(item, why={**item.why, **marks}) for item in (*second[:_ANSWERS], *fitting)]
    return Findings(tuple(found)[: request.k])


def _of_years(relations: Sequence[Relation], plan: QuestionPlan) -> list[Relation]:
    """Of events those that no statement puts into another year than the years asked."""
    asked, kinds = frozenset(plan.asked.years), plan.vocabulary.schema.relations
    kept: list[Relation] = []
    for relation in relations:
        kind = kinds.get(relation.relation)
        is_event = kind is not None and kind.tense == "event"
        if not asked or not is_event or any(_may_be_of(said, asked) for said in relation.statements):
            kept.append(relation)
    return kept


def _may_be_of(statement: Statement, years: frozenset[int]) -> bool:
    """False for a statement with a day or a month of another year; a year alone is often that of the report."""
    period = statement.period
    return period is None or period.unit not in ("day", "month") or period.year in years


def asks_for_all(question: str) -> bool:
    """True where a complete list is asked for: "Which companies did Acme acquire?"."""
    return _complete().search(question) is not None


@once_a_plan
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


@once_a_plan
def named_links(plan: QuestionPlan) -> Sequence[LinkedEntity]:
    """Whom the question names, as it writes them; words that only are a type of name are nobody, nor is who is left
    out ("besides Bolt")."""
    return [link for link in plan.linked_with_companies if _is_somebody(plan, link) and not _is_left_out(plan, link)]


def left_out(plan: QuestionPlan) -> Sequence[LinkedEntity]:
    """Whom the answer is not to name: "besides Bolt"."""
    return [link for link in plan.linked_with_companies if _is_left_out(plan, link)]


def _is_left_out(plan: QuestionPlan, link: LinkedEntity) -> bool:
    before, _, _ = plan.asked.trimmed.partition(link.written)
    return _LEFT_OUT.search(before) is not None


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
    others = {link.entity.id for link in left_out(plan)}
    found = plan.relations_around(named, within, ends)
    return [one for one in found if _fits(one, ends, named) and others.isdisjoint((one.head.id, one.tail.id))]


def says_directed(plan: QuestionPlan, asked: AskedRelations, text: str) -> bool:
    """False for a text without a word of the relations whose direction the question shows; True where it shows none."""
    if not asked.directed:
        return True
    known = tuple(plan.vocabulary.schema.relations.values())
    said = (*asked.said, words_of(_with_alike(asked.directed), known))
    return any(pattern.search(text) for pattern in said)


def tells_the_other_way(plan: QuestionPlan, asked: AskedRelations, text: str, source: str) -> bool:
    """True for a sentence whose grammar puts somebody named at the other end of a relation than the question does: for
    "Who acquired Acme?" all that says "we acquired" in a report of Acme."""
    if not asked.directed:
        return False
    known = tuple(plan.vocabulary.schema.relations.values())
    record = plan.catalogue.by_source.get(source)
    for link in named_links(plan):
        said = _without_name(text, link.written)
        is_own = record is not None and company_key(link.entity.name) in map(company_key, record.companies)
        if is_own:
            said = _OWN_VOICE.sub(SOMEBODY, said)
        for relation, end in asked.directed.items():
            ends = ends_told(said, relation, known)
            if ends and end not in ends:
                return True
    return False


def _with_alike(relations: Collection[str]) -> frozenset[str]:
    """Relations, and those that state the same from another side."""
    found = set(relations)
    for alike in _rows()["alike"]:
        if not found.isdisjoint(alike):
            found.update(alike)
    return frozenset(found)


def is_the_other_way(relation: str, head: str, tail: str, asked: AskedRelations, named: Collection[str]) -> bool:
    """True for a statement in which somebody named stands at the end of the one asked for: that Acme sued Bolt is no
    answer to "Who sued Acme?"."""
    end = asked.directed.get(relation)
    if end is None or (head in named and tail in named):
        return False
    return (tail if end == "head" else head) in named


def _fits(relation: Relation, ends: Ends, named: Collection[str]) -> bool:
    end = ends.get(relation.relation, "")
    if end in ("head", "either") and relation.head.id in named:
        return True
    return end in ("tail", "either") and relation.tail.id in named


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of asking: what a question says, and the relations that it asks for."""

    said: LazyPattern
    ends: Ends
    is_directed: bool
    """Its words show the end at which the one named stands: "suits against Acme"."""


@cache
def _kinds() -> tuple[_Kind, ...]:
    rows: Iterable[dict[str, object]] = _rows()["asked"]
    return tuple(_Kind(LazyPattern(str(row["said"])), _ends(row["relations"]), "directed" in row) for row in rows)


@cache
def _described() -> tuple[LazyPattern, ...]:
    return tuple(map(LazyPattern, _rows()["described"]))


@cache
def _complete() -> LazyPattern:
    return LazyPattern(_rows()["complete"])


@cache
def _rows() -> Mapping[str, Any]:
    return load_rules(__package__, "asked_relations.toml")


def _ends(given: object) -> Ends:
    assert isinstance(given, dict)
    return {str(relation): str(end) for relation, end in given.items()}
