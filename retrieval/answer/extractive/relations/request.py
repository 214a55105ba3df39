"""What a question about relations wants to be told: of whom, by which relation, and which kinds of answer
(a person, a time, an amount ...); and which of these a text holds.


"What did Acme pay for Bolt and when?" wants an amount and a time of a deal with Bolt. A sentence that answers speaks of
those named, uses a word of the relation and holds the kinds of answer wanted (``request.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import chain

from .....core.names import is_chinese
from .....core.patterns import LazyPattern, PatternTable, on_demand
from .....core.period_text import find_periods
from .....core.records import dataclass
from .....core.rules import load_rules
from .....core.sequences import last
from .....core.words import question_words, search_words, without_numbers
from .....kg.extraction.structure.cells import offices_in
from .....kg.graph import Entity, Relation
from ....question.entity_linking import LinkedEntity, capitalised_names
from ....question.plan import QuestionPlan
from ....question.vocabulary.relation_words import words_of
from ....question.wording.answer_type import ordinary_words
from ....search.retrievers.asked_relations import AskedRelations, asked_of, asks_for_all, named_links
from ..requirements.statement import read_succession
from .relation_history import OFFICES
from .stated_text import Stated, price_of

_FILE = "request.toml"
_RULES = PatternTable(__package__, _FILE)
_WANTED = PatternTable(__package__, _FILE, "wanted")
_PLANNED = PatternTable(__package__, _FILE, "planned")
_SELLER = PatternTable(__package__, _FILE, "seller")
_BESIDE = PatternTable(__package__, _FILE, "beside")
_PLURAL = on_demand(r"(?:please |list |all |the ){0,4}[A-Za-z-]{3,20}s\b(?!['’])", re.IGNORECASE)
"""A request begins with what is to be listed."""
_OF_PERSON = frozenset({"career", "role"})
_AMOUNTS = frozenset({"amount", "share"})
_SOMEBODY = frozenset({"somebody", "person"})
_NAMED_KINDS = frozenset({"person", "company"})
"""Kinds of answer that are names: they are wanted of a relation, be it said in whatever words."""
_NOBODY = " X "
"""Stands for a name while the question is read: words inside names ask nothing ("Spectrum Brands")."""
_SHORTEST_NAME, _RARE_NAME = 4, 0.02
"""Characters that a name of one word has, and the share of all passages in which it may stand: more have "American"."""
_LEAST_TITLE = 0.6
"""Share of the words of an office in a question that the title of its holder has."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A way to ask for a relation, how sentences speak of it, and search terms of such passages."""

    asked: LazyPattern
    said: LazyPattern
    words: frozenset[str]

    def is_said(self, text: str) -> bool:
        """True where a text speaks of the relation."""
        return self.said.search(text) is not None


@dataclass(frozen=True, slots=True)
class RelationalRequest:
    """What is wanted, by which relations, and of whom."""

    wanted: frozenset[str]
    """Kinds of answer: names of the patterns under ``wanted`` in ``request.toml``."""
    cues: tuple[Cue, ...]
    rest: frozenset[str]
    """Search terms of the question beside the names of those who file, the relation and the period."""
    names: tuple[tuple[str, ...], ...]
    """Those named beside the companies of the documents, each by all its names."""
    entities: frozenset[str]
    """Ids of the graph's entities that these are."""
    person: str = ""
    """The family name of the person asked about, as a search term; "" where it is about none."""
    wants_all: bool = False
    offices: frozenset[str] = frozenset()
    """Offices that the question names, where it asks for somebody."""
    is_planned: bool = False
    """It asks for what is meant to happen."""
    asks_seller: bool = False
    """It asks who gave something away."""

    def tells_seller(self, text: str) -> bool:
        """True for a text that names whom something is from, and for every text where that is not asked."""
        return not self.asks_seller or _SELLER.any("said", text)

    def is_of_time(self, text: str) -> bool:
        """False for a text that tells no plan where a plan is asked for."""
        return not self.is_planned or _PLANNED.any("said", text)

    def speaks(self, text: str) -> bool:
        """True for a text that speaks of one of the relations asked."""
        return any(cue.is_said(text) for cue in self.cues)

    @property
    def search_terms(self) -> frozenset[str]:
        """What passages that may answer hold."""
        of_names = chain.from_iterable(map(search_words, chain.from_iterable(self.names)))
        of_cues = chain.from_iterable(cue.words for cue in self.cues)
        person = (self.person,) if self.person else ()
        return frozenset((*self.rest, *of_names, *of_cues, *person))

    @property
    def compared_terms(self) -> frozenset[str]:
        """What is looked for in each sentence; of relations nothing: a :class:`Cue` has patterns."""
        of_names = chain.from_iterable(map(search_words, chain.from_iterable(self.names)))
        person = (self.person,) if self.person else ()
        return frozenset((*self.rest, *of_names, *person))


def read_request(plan: QuestionPlan) -> RelationalRequest | None:
    """What a question about relations wants to be told; None for any other question."""
    text = plan.asked.trimmed
    asked = asked_of(plan)
    if _asks_otherwise(plan, asked):
        return None
    masked = _without_names(plan, text)
    wanted = frozenset(kind for kind in _WANTED if _WANTED.any(kind, masked))
    cues = tuple(cue for cue in _cues() if cue.asked.search(masked)) or _cues_of_schema(plan, asked)
    names, entities = _others_named(plan)
    wants_all = _wants_all(text, masked)
    is_request = wants_all or _RULES.any("terse", text) or asked.is_sure
    is_figure = not names and _asks_figure(plan, wanted)
    if is_figure or not _asks_relation(wanted, cues, names, is_request=is_request):
        return None
    is_of_person = not _OF_PERSON.isdisjoint(wanted) or _names_person(plan)
    return RelationalRequest(
        wanted=wanted,
        cues=cues,
        rest=_rest(plan, masked, cues),
        names=names,
        entities=entities,
        person=_person_meant(plan, names) if is_of_person else "",
        wants_all=wants_all,
        is_planned=_PLANNED.any("asked", masked),
        asks_seller=_SELLER.any("asked", masked),
        offices=frozenset() if _SOMEBODY.isdisjoint(wanted) else offices_in(masked),
    )


def _asks_otherwise(plan: QuestionPlan, asked: AskedRelations) -> bool:
    """True for a reason, a successor, a definition, a list of risks: what is not told as relations are."""
    if plan.asked.explains or read_succession(plan).applies():
        return True
    return _RULES.any("none", plan.asked.trimmed) and not asked.directed


def _asks_relation(
    wanted: Collection[str], cues: Sequence[Cue], names: Collection[tuple[str, ...]], *, is_request: bool
) -> bool:
    """True where a relation is spoken of and something is wanted of it, or something of somebody beside the filer."""
    if cues:
        return bool(wanted or names) or is_request
    return bool(wanted) and (bool(names) or not _NAMED_KINDS.isdisjoint(wanted))


def _asks_figure(plan: QuestionPlan, wanted: Collection[str]) -> bool:
    """True where a figure of the accounts is surely asked for, and no more than that."""
    if not (plan.figures.sure and plan.asked.numeric):
        return False
    return _AMOUNTS.issuperset(wanted) or _RULES.any("of_figure", plan.asked.trimmed)


def _wants_all(text: str, masked: str) -> bool:
    """True where all there are is asked for: "which companies", "each deal", "Directors who signed the report"."""
    if asks_for_all(text) or _RULES.any("every", text):
        return True
    return _RULES.any("terse", text) and _PLURAL.match(masked) is not None


def _without_names(plan: QuestionPlan, text: str) -> str:
    for link in named_links(plan):
        if not link.written.islower():
            text = text.replace(link.written, _NOBODY)
    return text


def _others_named(plan: QuestionPlan) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """Whom the question names beside the companies that its documents are of."""
    own = frozenset(chain.from_iterable(map(search_words, _names_of_filers(plan))))
    names: list[tuple[str, ...]] = []
    entities: list[str] = []
    written: list[str] = []
    for link in named_links(plan):
        if own.issuperset(search_words(link.written)):
            continue
        written.append(link.written)
        entities.append(link.entity.id)
        known = (link.written, link.entity.name, *link.entity.aliases)
        names.append(tuple(dict.fromkeys((*known, *_short_form(plan, link, own)))))
    for name, _, _ in capitalised_names(plan.asked.trimmed, plan.vocabulary.metrics):
        words = search_words(name)
        is_new = words and not own.issuperset(words) and not any(name in one or one in name for one in written)
        if is_new:
            names.append((name,))
    return tuple(names), frozenset(entities)


def _short_form(plan: QuestionPlan, link: LinkedEntity, own: Collection[str]) -> list[str]:
    """The first word of a company's name ("Tower" for "Tower Semiconductor Ltd"), where few passages have it."""
    words = link.entity.name.split()
    first = words[0].strip(",.") if words else ""
    term = search_words(first)
    may_be_short = link.entity.type == "company" and len(words) > 1 and len(first) >= _SHORTEST_NAME
    if not may_be_short or len(term) != 1 or term[0] in own or first.lower() in ordinary_words():
        return []
    store = plan.store
    share = store.document_frequency(set(term)).get(term[0], 0) / max(1, int(store.counts().get("chunks", 1)))
    return [first] if share <= _RARE_NAME else []


def _names_of_filers(plan: QuestionPlan) -> list[str]:
    records = plan.catalogue.records_about(plan.companies)
    known = chain.from_iterable((*record.companies, *record.tickers) for record in records)
    return [*known, *plan.companies]


def _rest(plan: QuestionPlan, masked: str, cues: Sequence[Cue]) -> frozenset[str]:
    for cue in cues:
        masked = cue.asked.sub(" ", masked)
    masked = _BESIDE.all("words")[0].sub(" ", masked)
    own = frozenset(chain.from_iterable(map(search_words, _names_of_filers(plan))))
    return without_numbers(question_words(masked)) - own - {"x"}


# --- whose career it is about


def _names_person(plan: QuestionPlan) -> bool:
    return any(link.entity.type == "person" for link in named_links(plan))


def _person_meant(plan: QuestionPlan, names: Collection[tuple[str, ...]]) -> str:
    """The family name of the person named, or of the one who holds the office that the question names."""
    people = [link.entity.name for link in named_links(plan) if link.entity.type == "person"]
    if not people:
        people = [written[0] for written in names if len(written[0].split()) > 1 and not is_chinese(written[0])]
    if not people:
        people = [holder.name for holder in _holders(plan)]
    if not people:
        return ""
    words = search_words(people[0])
    if is_chinese(people[0]):
        return people[0]
    return last(words, "")


def _holders(plan: QuestionPlan) -> list[Entity]:
    """Who holds the office of a company that the question names ("Acme's digital business president"), the best
    fitting title first."""
    text = plan.asked.trimmed
    firms = [link.entity.id for link in plan.linked_with_companies if link.entity.type == "company"]
    asked = frozenset(question_words(text))
    offices = offices_in(text)
    if not firms or not offices:
        return []
    fits: dict[str, tuple[float, Entity]] = {}
    for relation in plan.relations_around(firms, kinds=OFFICES):
        fit = _title_fit(relation, asked, offices)
        if fit > fits.get(relation.head.id, (0.0, relation.head))[0]:
            fits[relation.head.id] = (fit, relation.head)
    ranked = sorted(fits.values(), key=lambda pair: (-pair[0], pair[1].id))
    return [entity for fit, entity in ranked if fit >= _LEAST_TITLE]


def _title_fit(relation: Relation, asked: frozenset[str], offices: frozenset[str]) -> float:
    """How well the present titles of somebody are those that the question says, 0 to 1."""
    best = 0.0
    for said in relation.statements:
        title = said.metadata.get("role", "")
        if said.metadata.get("until") or not title or offices.isdisjoint(offices_in(title)):
            continue
        words = frozenset(search_words(title))
        best = max(best, len(words & asked) / len(words) if words else 0.0, 0.6 if len(words) > 2 else 0.9)
    return best


def _cues_of_schema(plan: QuestionPlan, asked: AskedRelations) -> tuple[Cue, ...]:
    """How the schema says the relations asked for that only the schema knows."""
    known = tuple(plan.vocabulary.schema.relations.values())
    said = [words_of(frozenset((relation,)), known) for relation in sorted(asked.of_schema)]
    return tuple(Cue(pattern, pattern, frozenset()) for pattern in said)


@cache
def _cues() -> tuple[Cue, ...]:
    rows = load_rules(__package__, _FILE)["cue"]
    return tuple(
        Cue(LazyPattern(row["asked"]), LazyPattern(row["said"]), frozenset(search_words(row["words"]))) for row in rows
    )


_HELD = PatternTable(__package__, "request.toml", "held")
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
        return _HELD.any(kind, text)

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
