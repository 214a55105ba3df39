"""What a question about relations wants to be told: of whom, by which relation, and which kinds of answer
(a person, a time, an amount ...); and the passages that may tell it.

"What did Acme pay for Bolt and when?" wants an amount and a time of a deal with Bolt. A sentence that answers speaks of
those named, uses a word of the relation and holds the kinds of answer wanted (``relational_request.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from itertools import chain

from ....core.names import is_chinese, name_key
from ....core.patterns import LazyPattern, PatternTable, on_demand
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import last
from ....core.words import question_words, search_words, without_numbers
from ....kg.extraction.structure.cells import offices_in
from ....kg.graph import Entity, Relation
from ...question.entity_linking import GENERATION, LinkedEntity, capitalised_names
from ...question.plan import QuestionPlan, once_a_plan
from ...question.vocabulary.relation_words import words_of
from ...question.wording.answer_type import RoleAsked, ordinary_words, role_said
from ..chunk_evidence import load_passages
from ..scoring import Candidate
from .asked_relations import OFFICES, AskedRelations, asked_of, asks_for_all, named_links
from .base import Findings, SearchRequest, retriever

_FILE = "relational_request.toml"
_RULES = PatternTable(__package__, _FILE)
_WANTED = PatternTable(__package__, _FILE, "wanted")
_PLANNED = PatternTable(__package__, _FILE, "planned")
_SELLER = PatternTable(__package__, _FILE, "seller")
_BESIDE = PatternTable(__package__, _FILE, "beside")
HELD = PatternTable(__package__, _FILE, "held")
"""How texts tell the kinds of answer that no name is."""
_PLURAL = on_demand(r"(?:please |list |all |the ){0,4}[A-Za-z-]{3,20}s\b(?!['’])", re.IGNORECASE)
"""A request begins with what is to be listed."""
_OF_PERSON = frozenset({"career", "role"})
_AMOUNTS = frozenset({"amount", "share"})
_SOMEBODY = frozenset({"somebody", "person"})
_WHO = frozenset({"company", "somebody"})
_NAMED_KINDS = frozenset({"person", "company"})
"""Kinds of answer that are names: they are wanted of a relation, be it said in whatever words."""
_NOBODY = " X "
"""Stands for a name while the question is read: words inside names ask nothing ("Spectrum Brands")."""
_SHORTEST_NAME, _RARE_NAME = 4, 0.02
"""Characters that a name of one word has, and the share of all passages in which it may stand: more have "American"."""
_TOLD = 5
"""Passages with most of the words of a request, of which those on pages not shown yet are taken."""
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
    """Kinds of answer: names of the patterns under ``wanted`` in ``relational_request.toml``."""
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

    def is_missed_by(self, texts: Sequence[str]) -> bool:
        """True for texts without a word of what is asked beside a relation of one company: what it says of lending
        tells no "bank" of a "credit facility"."""
        is_of_one = not any((self.names, self.person, self.offices))
        asks_who = not _WHO.isdisjoint(self.wanted)
        if not all((self.cues, is_of_one, asks_who, len(self.rest) > 1)):
            return False
        return all(self.rest.isdisjoint(search_words(text)) for text in texts)

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


@once_a_plan
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
    is_request = wants_all or _RULES.any("terse", text)
    is_no_relation = not names and (_asks_figure(plan, wanted) or _RULES.any("whether", text))
    if is_no_relation or not _asks_relation(wanted, cues, names, is_request=is_request):
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
    """True for a reason, a definition, a list of risks: what is not told as relations are."""
    if plan.asked.explains:
        return True
    return _RULES.any("none", plan.asked.trimmed) and not asked.directed


def _asks_relation(
    wanted: Collection[str], cues: Sequence[Cue], names: Collection[tuple[str, ...]], *, is_request: bool
) -> bool:
    """True where a relation is spoken of and something is wanted of it, or something of somebody beside the filer."""
    if cues:
        return bool(wanted) or is_request
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
        is_new = not own.issuperset(words) and not any(name in one or one in name for one in written)
        if is_new:
            names.append((name,))
    return tuple(names), frozenset(entities)


def _short_form(plan: QuestionPlan, link: LinkedEntity, own: Collection[str]) -> list[str]:
    """The first word of a company's name ("Tower" for "Tower Semiconductor Ltd"), where few passages have it."""
    words = link.entity.name.split()
    first = words[0].strip(",.")
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
    return [*known, *plan.companies, *(taken.written for taken in plan.taken_for)]


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
    named = [link.entity.name for link in named_links(plan) if link.entity.type == "person"]
    written = [name for name, *_ in names if " " in name and not is_chinese(name)]
    people = named or written or [holder.name for holder in _holders(plan)]
    if not people:
        return ""
    if is_chinese(people[0]):
        return people[0]
    return last(search_words(GENERATION.sub("", name_key(people[0]))), "")


def _holders(plan: QuestionPlan) -> list[Entity]:
    """Who holds the office of a company that the question names ("Acme's digital business president"), the best
    fitting title first."""
    text = plan.asked.trimmed
    firms = [link.entity.id for link in plan.linked_with_companies if link.entity.type == "company"]
    asked, offices, role = frozenset(question_words(text)), offices_in(text), role_said(text)
    if not firms or not (offices or role):
        return []
    fits: dict[str, tuple[float, Entity]] = {}
    for relation in plan.relations_around(firms, kinds=OFFICES):
        fit = _office_fit(relation, asked, offices, role)
        if fit > fits.get(relation.head.id, (0.0, relation.head))[0]:
            fits[relation.head.id] = (fit, relation.head)
    ranked = sorted(fits.values(), key=lambda pair: (-pair[0], pair[1].id))
    return [entity for fit, entity in ranked if fit >= _LEAST_TITLE]


def _office_fit(relation: Relation, asked: frozenset[str], offices: frozenset[str], role: RoleAsked | None) -> float:
    """How well the office that somebody holds by a relation, and still does, is the one asked about, 0 to 1."""
    held = [one for one in relation.statements if not one.metadata.get("until")]
    by_title = max((_title_fit(one.metadata.get("role", ""), asked, offices) for one in held), default=0.0)
    if role is not None and any(role.is_held(one.text) for one in held):
        return max(by_title, _LEAST_TITLE)
    return by_title


def _title_fit(title: str, asked: frozenset[str], offices: frozenset[str]) -> float:
    """How well a title is the one that the question says, 0 to 1."""
    if offices.isdisjoint(offices_in(title)):
        return 0.0
    words = frozenset(search_words(title))
    return max(len(words & asked) / len(words) if words else 0.0, 0.6 if len(words) > 2 else 0.9)


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


# --- passages that may tell it


def documents_told_in(plan: QuestionPlan) -> Collection[str] | None:
    """Where to look: all documents of the companies named, those of the period where one is asked; None for all.

    What an older report tells of a deal the newest may not.
    """
    selection = plan.selection
    if selection.everything:
        return None
    if plan.asked.periods or plan.scope is not None:
        return selection.sources
    return plan.company_documents or selection.sources


@retriever("told")
def passages_that_may_tell(request: SearchRequest) -> Findings:
    """Passages with the words asked and those by which sentences speak of the relation, the best first."""
    plan = request.plan
    wanted = read_request(plan)
    if wanted is None:
        return Findings()
    hits = plan.store.matching(wanted.search_terms, _TOLD, documents_told_in(plan))
    found = [Candidate(hit.id, hit.document, (hit.document, at), hit.score) for at, hit in enumerate(hits)]
    return Findings(passages=load_passages(plan.store, request.query, found))
