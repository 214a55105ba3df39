"""Which kinds of answer a sentence or a statement of the graph holds: a person, a firm, a time, an amount."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from .....core.names import is_chinese
from .....core.patterns import on_demand
from .....core.period_text import find_periods
from .....core.records import dataclass
from .....core.words import search_words
from .....kg.extraction.structure.cells import offices_in
from .....kg.graph import Entity
from ....question.plan import QuestionPlan
from ....question.wording.answer_type import ordinary_words
from ....search.retrievers.relational_request import HELD, RelationalRequest
from .stated_text import Stated, price_of

_PERSON = on_demand(
    r"\b(?:M[rs]s?\.|Dr\.)\s[A-Z]\w{1,30}"
    r"|\b[A-Z][a-z’'-]{1,20}(?: [A-Z]\.)? (?:(?:de|van|von|Van) )?[A-Z][a-z’'-]{1,30}\b"
)
_NAME = on_demand(r"\b[A-Z][\w&’'-]{1,30}(?:(?: of| and| &)? [A-Z][\w&.’'-]{1,30}){0,6}")
_POSSESSIVE = on_demand(r"['’]s?$")
_FIRMS = frozenset({"company", "organization"})
_PURCHASE = "acquires"
_NAMES_SOMEBODY = _FIRMS | {"person"}
_MAY_BE_SOMEBODY = _NAMES_SOMEBODY | {"thing", "regulator"}
_TYPES: Mapping[str, frozenset[str]] = {
    "person": frozenset({"person"}),
    "company": _FIRMS,
    "somebody": _NAMES_SOMEBODY,
}
"""Kind of answer -> types of entities that are one."""
_UNSURE = 0.6
"""Worth of a name by its capitals alone, to one that the graph knows for a person or a firm."""
_EXACT = ("day", "month")


@dataclass(frozen=True, slots=True)
class HeldKinds:
    """The kinds wanted that a text holds, their worth 0 to 1 of all wanted, and ids of whom it names anew."""

    kinds: frozenset[str]
    worth: float
    named: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AnswerKinds:
    """Tells the kinds of answer that are wanted; ``asked`` are the search terms of the question."""

    wanted: frozenset[str]
    asked: frozenset[str]

    @classmethod
    def of(cls, request: RelationalRequest, plan: QuestionPlan) -> AnswerKinds:
        return cls(request.wanted, frozenset(search_words(plan.asked.trimmed)))

    def held(self, text: str, entities: Sequence[Entity]) -> HeldKinds:
        """What a text that names these entities holds."""
        new = [entity for entity in entities if self._is_new(entity.name)]
        types = {entity.type for entity in new}
        others = [entity.name for entity in entities if entity.type not in _MAY_BE_SOMEBODY]
        kinds = self.kinds_in(text, types, others)
        sure = {kind for kind in kinds if kind not in _TYPES or not _TYPES[kind].isdisjoint(types)}
        met = len(sure) + _UNSURE * (len(kinds) - len(sure))
        worth = met / len(self.wanted) if self.wanted else 1.0
        return HeldKinds(kinds, worth, frozenset(entity.id for entity in new))

    def worth_unseen(self, kinds: frozenset[str]) -> float:
        """The worth of kinds that a text holds, of all wanted, where names are told by their capitals alone."""
        likely = sum(kind in _TYPES for kind in kinds)
        met = len(kinds) - likely + _UNSURE * likely
        return met / len(self.wanted) if self.wanted else 0.0

    def kinds_in(self, text: str, types: Collection[str] = (), others: Collection[str] = ()) -> frozenset[str]:
        """The kinds that a text holds; ``types`` are those of whom it names, ``others`` names of no person or firm."""
        return frozenset(kind for kind in self.wanted if self._holds(kind, text, types, others))

    def _holds(self, kind: str, text: str, types: Collection[str], others: Collection[str]) -> bool:
        if kind in _TYPES:
            names = _PERSON if kind == "person" else _NAME
            return not _TYPES[kind].isdisjoint(types) or self._names_new(names, text, others)
        if kind == "time":
            return bool(find_periods(text))
        return HELD.any(kind, text)

    def _names_new(self, names: re.Pattern[str], text: str, others: Collection[str]) -> bool:
        """True for a name that does not begin the text, where a capital says nothing; Chinese has no capitals."""
        if is_chinese(text):
            return True
        for found in names.finditer(text):
            is_other = any(found[0] in other or other in found[0] for other in others)
            if found.start() > 0 and not is_other and self._is_new(found[0]):
                return True
        return False

    def _is_new(self, name: str) -> bool:
        """True for a name that the question does not say, that is no ordinary word and no office."""
        words = set(search_words(name)) - self.asked
        plain = {_POSSESSIVE.sub("", word.strip(".,").lower()) for word in name.split()}
        return bool(words) and not plain <= ordinary_words() and not offices_in(name)

    def told_by(self, stated: Stated, plan: QuestionPlan) -> frozenset[str]:
        """The kinds that a statement of the graph tells, with its details, or with the sentence of its price."""
        said = stated.statement
        text = " ".join((said.text, *said.metadata.values()))
        types = {end.type for end in stated.relation.ends if self._is_new(end.name)}
        told = set(self.kinds_in(text, types))
        if said.period is not None and said.period.unit in _EXACT:
            told.add("time")
        if "since" in said.metadata:
            told.add("start")
        if "amount" in self.wanted - told and price_of(plan, stated, plan.vocabulary.schema) is not None:
            told.add("amount")
        return frozenset(told)


def tells_all(request: RelationalRequest, plan: QuestionPlan, found: Sequence[Stated]) -> bool:
    """True where statements of the graph tell all kinds of answer that are wanted, or are a list that is asked for."""
    if request.wants_all and len(found) > 1:
        return True
    kinds = AnswerKinds.of(request, plan)
    found = [
        stated
        for stated in found
        if stated.relation.relation != _PURCHASE or request.tells_seller(stated.statement.text)
    ]
    return request.wanted <= frozenset().union(*(kinds.told_by(stated, plan) for stated in found))
