"""What has become of a relation: its statements in the order of time, which is superseded, who came before whom.

"Is B still a partner of A?", "What happened to A's stake in B?", "Who was CFO before Jane Roe?"
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from itertools import chain
from operator import attrgetter

from .....core.records import dataclass
from .....core.words import search_words
from .....kg.extraction.structure.cells import offices_in
from .....kg.graph import Relation, Statement
from .....kg.timeline import marked, told
from ....question.entity_linking import LinkedEntity
from ....question.plan import QuestionPlan
from ....search.retrievers.asked_relations import OFFICES, AskedRelations

MOST = 5
"""Statements of a history."""
_EVENTS = frozenset(
    [
        "acquires",
        "divests",
        "sells_to",
        "merges_with",
        "spins_off",
        "formerly_named",
        "cuts_stake",
        "closes",
        "settles_with",
    ]
)
"""Relations by which others come to an end, whatever is asked of."""
_ENDS = _EVENTS - {"formerly_named"}

_OF_SEVERAL = frozenset(
    {"President", "Vice President", "Senior Vice President", "Executive Vice President", "Director"}
)
"""Offices that several hold at a time: who is "President and Chief Executive Officer" follows a chief executive."""

Told = tuple[Relation, Statement]


def around(plan: QuestionPlan, named: Collection[str]) -> list[Relation]:
    """All relations of those named, each with the statement that ended it where one did."""
    return marked(plan.relations_around(named), plan.vocabulary.schema)


def history(plan: QuestionPlan, asked: AskedRelations, about: Sequence[Relation], named: Collection[str]) -> list[Told]:
    """The relations ``about`` all those named that are asked for or end others, and what is stated under a later name;
    the newest statement of each, the newest first."""
    later = {relation.head.id for relation in about if relation.relation == "formerly_named"} - {*named}
    once = {relation.key: relation for relation in about}
    for relation in around(plan, later) if later else ():
        is_of_named = any(end.id in named for end in relation.ends)
        if is_of_named and relation.relation in asked.all:
            once[relation.key] = relation
    of_interest = {*asked.all, *_EVENTS}
    found: list[_Dated] = []
    for relation in once.values():
        newest = _newest(relation) if relation.relation in of_interest else None
        if newest is not None:
            found.append(newest)
    kinds = frozenset(map(attrgetter("relation.relation"), found))
    if kinds.isdisjoint((*asked.all, *_ENDS)):
        return []  # by what name somebody goes now tells nothing of the relation asked
    found.sort(key=lambda dated: (dated.day, dated.statement.id), reverse=True)
    return [(dated.relation, dated.statement) for dated in found[:MOST]]


@dataclass(frozen=True, slots=True)
class _Dated:
    """A statement of a relation and the day on which it was so."""

    day: date
    relation: Relation
    statement: Statement


def _newest(relation: Relation) -> _Dated | None:
    """The last statement of a relation whose day is known.

    Of what happens once it is the one that dates it best, not the last to speak of it.
    """
    dated: list[_Dated] = []
    for said in relation.statements:
        day = told(said)
        if day and said.modality == "asserted":
            dated.append(_Dated(day, relation, said))
    if relation.relation in _EVENTS:
        return max(dated, key=_how_well_dated, default=None)
    return max(dated, key=lambda item: (item.day, item.statement.confidence, item.statement.id), default=None)


def _how_well_dated(item: _Dated) -> tuple[bool, int, str]:
    said = item.statement
    return _is_exact(said), len(said.metadata), said.id


def _is_exact(said: Statement) -> bool:
    return said.period is not None and said.period.unit in ("day", "month")


def others_in_office(plan: QuestionPlan, person: LinkedEntity, *, before: bool) -> list[Told]:
    """Who held the office that the question names, else that of the person, last before a person, or first after, in
    the same documents."""
    held = _held(plan, person)
    own = [office for office in held if office.holder == person.entity.id]
    if not own:
        return []
    days = [office.since for office in own]
    begun = max(days) if before else min(days)
    documents = {office.statement.document for office in own}
    firms = {office.relation.tail.id for office in own if office.since == begun}
    others: list[_Office] = []
    for office in held:
        is_near = office.statement.document in documents or office.is_of_one(firms)
        is_another = office.holder != person.entity.id
        if is_another and is_near and _is_beside(office.since, begun, before=before):
            others.append(office)
    others = _not_elsewhere(others, firms, plan.asked.trimmed)
    others.sort(key=lambda office: (office.since, office.statement.id), reverse=before)
    return [(office.relation, office.statement) for office in others[:1]]


def _not_elsewhere(offices: Sequence[_Office], firms: Collection[str], text: str) -> list[_Office]:
    """The offices but those that are told of another firm, or of a part of one, in the same term."""
    elsewhere = {office.term for office in offices if office.is_elsewhere(firms, text)}
    return [office for office in offices if office.term not in elsewhere]


@dataclass(frozen=True, slots=True)
class _Office:
    """That somebody holds the office asked about, since when, and what says so."""

    since: date
    relation: Relation
    statement: Statement

    @property
    def holder(self) -> str:
        return self.relation.head.id

    @property
    def term(self) -> tuple[str, date]:
        """Who holds it, and since when."""
        return self.holder, self.since

    @property
    def titles(self) -> frozenset[str]:
        """The offices of its statement; of a sentence that names the offices of several, its own where it has one."""
        return offices_in(self.statement.metadata.get("role") or self.statement.text)

    def is_of_one(self, firms: Collection[str]) -> bool:
        """True for an office of one of these firms, by their ids."""
        return self.relation.tail.type != "role" and self.relation.tail.id in firms

    def is_elsewhere(self, firms: Collection[str], text: str) -> bool:
        """True for an office of none of these firms, or of a part of one that the question does not name."""
        is_of_other = self.relation.tail.type != "role" and self.relation.tail.id not in firms
        return is_of_other or is_of_other_unit(self.statement, text)


def _held(plan: QuestionPlan, person: LinkedEntity) -> list[_Office]:
    """Who held the office that the question names, as far as it is told since when; "Who ran Acme before Jane Roe?"
    asks for hers."""
    dated: list[_Office] = []
    for relation in plan.relations_around(_ends_with(plan, person), kinds=OFFICES):
        dated.extend(_Office(said.period.first_day, relation, said) for said in relation.statements if said.period)
    offices = offices_in(plan.asked.trimmed) or _last_offices(dated, person)
    return [office for office in dated if not offices.isdisjoint(office.titles)]


def is_of_other_unit(said: Statement, text: str) -> bool:
    """True for an office in a part of the firm that a question does not name: the CFO of "Bolt Global Services" is none
    of Bolt's."""
    unit = said.metadata.get("unit", "")
    return not {*search_words(text)}.issuperset(search_words(unit))


def _last_offices(dated: Sequence[_Office], person: LinkedEntity) -> frozenset[str]:
    """The offices that a person took up last."""
    own = [office for office in dated if office.holder == person.entity.id]
    last = max((office.since for office in own), default=None)
    offices = frozenset(chain.from_iterable(office.titles for office in own if office.since == last))
    return offices - _OF_SEVERAL or offices


def _is_beside(day: date, begun: date, *, before: bool) -> bool:
    return day < begun if before else day > begun


def _ends_with(plan: QuestionPlan, person: LinkedEntity) -> list[str]:
    """The person, and the firms and offices that are told of it."""
    own = plan.relations_around([person.entity.id])
    ends = chain.from_iterable(relation.ends for relation in own)
    return sorted({end.id for end in ends if end.type in ("company", "person", "role")})
