"""Questions about one kind of relation: what the graph says of it answers, other sentences do not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from .....core.names import has_legal_form
from .....core.rules import load_rules
from .....core.words import question_words, search_words
from .....kg.graph import Relation, Statement
from ....question.entity_linking import LinkedEntity, capitalised_names, link_entities
from ....question.expectations.answer_type import only_points
from ....question.plan import QuestionPlan
from ....search.evidence import Evidence
from ....search.retrievers.paths import LOOSE
from ....search.retrievers.relations import statement_evidence
from ...remarks import not_stated
from ..quotables import table_lead
from ..scoring import Quote
from .base import SecondSearch, asked_words, company_documents
from .statement import tells_career

if TYPE_CHECKING:
    from .....kg.store import Store

MOST = 6
"""Sentences of an answer made of relations: each names somebody else."""
_MOST_RELATIONS = 1000
_PARTNERS = frozenset({"company", "organization"})
"""Types of those who supply, buy, compete or audit."""
_WHERE_TWO_ARE_NAMED = 2
_PART_OF = ("has_segment", "subsidiary_of")

_LEGAL_NAME = re.compile(r"\b[A-Z][\w&.’'-]{0,60}(?: (?:of |and |& )?[A-Z][\w&.’'-]{0,60}){0,80},? [A-Z][\w.]+")
"""Words with capitals that may end in a legal form: names in tables, which the graph does not read."""

Names = tuple[str, ...]
"""One name as it may be written."""


@dataclass(frozen=True, slots=True)
class RelationRequirement:
    """What is asked of whom. Empty for any other question: every sentence will do then."""

    plan: QuestionPlan | None = None
    said: re.Pattern[str] = re.compile("")
    evidence: tuple[Evidence, ...] = ()
    """The statements of the graph that answer, best first."""
    pair: tuple[Names, ...] = ()
    """The two that are asked about: "Does A supply B?"."""
    of: Names = ()
    """The one whose suppliers, customers ... are asked for: a sentence that names none of them is no answer."""
    parts: frozenset[str] = frozenset()
    """Its segments and subsidiaries: they are no partners of it."""
    words: frozenset[str] = frozenset()
    """Search terms of passages that may speak of the relation."""

    @property
    def names(self) -> list[str]:
        """Whom the question is about, a name each; empty where no relation is asked."""
        return [written[0] for written in self.pair] or list(self.of[:1])

    def quotes(self) -> list[Quote]:
        """The statements as sentences to quote, each sentence once."""
        first = {(item.source, item.start): item for item in reversed(self.evidence)}
        chosen = [item for item in self.evidence if first[item.source, item.start] is item][:MOST]
        return [Quote(item, item.text.partition(": ")[2] or item.text, item.start, item.end) for item in chosen]

    def applies(self) -> bool:
        """True where a relation is asked for."""
        return self.plan is not None

    def holds(self, quote: Quote) -> bool:
        """True for a sentence that speaks of such a relation: of both that are named, or with somebody else's name."""
        if not self.is_said(f"{table_lead(quote.evidence)} {quote.text}"):
            return False
        passage = " ".join((quote.evidence.text, *quote.evidence.headings))
        return all(_is_named(names, passage) or self._is_speaking(names, quote) for names in self.pair)

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages of all documents of the company that speak of the relation."""
        if not self.words:
            return None
        return SecondSearch(self.words | asked_words(part), company_documents(part), self.is_said)

    def message(self, quotes: Sequence[Quote]) -> str:
        """That no document states the relation, where nothing is quoted."""
        return "" if quotes or self.plan is None else not_stated(self.plan, self.names)

    def is_said(self, text: str) -> bool:
        """True where a sentence says that there is such a relation, and, where names are asked for, with whom."""
        if not self.said.search(text) or only_points(text) or tells_career(text):
            return False
        return not self.of or self._names_another(text)

    def _names_another(self, text: str) -> bool:
        """True where a text that speaks of the one asked about names an organisation of the graph beside it."""
        if self.plan is None:
            return True
        named = [link for link in link_entities(self.plan.store, text, similar=False) if not link.written.islower()]
        segment = any(link.entity.type == "segment" for link in named)
        if not (segment or _rules()["own"].search(text) or _is_named(self.of, text)):
            return False
        if any(link.entity.type in _PARTNERS and not self._is_own(link, text) for link in named):
            return True
        return any(has_legal_form(name) and not _is_named(self.of, name) for name in _LEGAL_NAME.findall(text))

    def _is_own(self, link: LinkedEntity, text: str) -> bool:
        """True for the one asked about and for its parts: "our BCC segment", "Boeing Capital"."""
        written = re.escape(link.written)
        as_part = re.search(
            rf"\b(?:our|its) {written}\b|\b{written} (?:segment|business|division|unit|subsidiary)\b", text
        )
        return link.entity.name in (self.of[0], *self.parts) or as_part is not None

    def _is_speaking(self, names: Names, quote: Quote) -> bool:
        """True where the document is that company's own, and the sentence says "we"."""
        record = self.plan.catalogue.by_source.get(quote.evidence.source) if self.plan else None
        own = _rules()["own"].search(quote.text)
        return bool(record and own and any(_is_named(names, company) for company in record.companies))


def read_relation(plan: QuestionPlan) -> RelationRequirement:
    """Read a question about relations, and look up what the graph says; empty for any other question.

    A scope given by the user is a border; one read from the question is none for what others say.
    """
    text = plan.asked.trimmed
    rule = next((rule for rule in _rules()["relations"] if rule["said"].search(text)), None)
    is_whether = bool(_rules()["whether"].search(text))
    asks_names = plan.expected.kind == "name" or _rules()["names"].search(text)
    if rule is None or not (is_whether or asks_names):
        return RelationRequirement()
    links = [link for link in plan.linked if link.entity.type not in LOOSE]
    return _whether(plan, rule, links) if is_whether else _whom(plan, rule, links)


def _whom(plan: QuestionPlan, rule: Mapping[str, Any], links: Sequence[LinkedEntity]) -> RelationRequirement:
    """ "Who supplies A?": one has to be named."""
    text = plan.asked.trimmed
    who = next((who for who in rule["who"] if who["asked"].search(text)), None)
    names = _one_named(plan, links)
    if who is None or not names:
        return RelationRequirement()
    words = frozenset(search_words(rule["words"]))
    if not links:
        return RelationRequirement(plan, rule["said"], of=names, words=words)
    stated = () if _asks_more(text, links[0], who["asked"]) else _stated(plan, links, who["ends"])
    parts = _parts(plan.store, links[0].entity.id)
    return RelationRequirement(plan, rule["said"], stated, of=names, parts=parts, words=words)


def _whether(plan: QuestionPlan, rule: Mapping[str, Any], links: Sequence[LinkedEntity]) -> RelationRequirement:
    """ "Does A supply B?": both have to be named."""
    pair = tuple(_named(plan, links))
    if len(pair) != _WHERE_TWO_ARE_NAMED:
        return RelationRequirement()
    ends = dict.fromkeys(rule["relations"], "either")
    found = _stated(plan, links, ends) if len(links) == _WHERE_TWO_ARE_NAMED else ()
    return RelationRequirement(plan, rule["said"], found, pair)


def _parts(store: Store, company: str) -> frozenset[str]:
    """Names of the company's segments and subsidiaries."""
    own = [r for r in store.subgraph([company], _MOST_RELATIONS).relations if r.relation in _PART_OF]
    return frozenset(
        entity.name for relation in own for entity in (relation.head, relation.tail) if entity.id != company
    )


def _one_named(plan: QuestionPlan, links: Sequence[LinkedEntity]) -> Names:
    """The one that the question is about, by all its names; a company of the store need not be in the graph."""
    if links:
        return (links[0].entity.name, *links[0].entity.aliases) if len(links) == 1 else ()
    keys = plan.companies
    own = plan.catalogue.by_company.get(keys[0], ()) if len(keys) == 1 else ()
    return tuple(dict.fromkeys((*(name for record in own for name in record.companies), *keys[: len(own)])))


def _asks_more(text: str, link: LinkedEntity, asked: re.Pattern[str]) -> bool:
    """True where the question holds more than the name and the relation: "... for more than 10 % of sales"."""
    rest = asked.sub(" ", text).replace(link.written, " ")
    rest = re.sub(r"['’]s?\b|\b(?:19|20)\d\d\b|\d{4}年", " ", _rules()["beside"].sub(" ", rest))
    return bool(question_words(rest))


def _named(plan: QuestionPlan, links: Sequence[LinkedEntity]) -> list[Names]:
    """Who is named: entities of the graph, and other words with capitals."""
    known = [(link.written, link.entity.name, *link.entity.aliases) for link in links]
    capitalised = capitalised_names(plan.asked.trimmed, plan.vocabulary.metrics)
    others = [name for name, _, _ in capitalised if not any(_is_named((name,), names[0]) for names in known)]
    return [*known, *((name,) for name in others if not any(_is_named(names, name) for names in known))]


def _is_named(names: Names, text: str) -> bool:
    said = f" {' '.join(search_words(text))} "
    return any(f" {' '.join(words)} " in said for name in names if (words := search_words(name)))


def _stated(plan: QuestionPlan, links: Sequence[LinkedEntity], ends: dict[str, str]) -> tuple[Evidence, ...]:
    """The statements of these relations of the first linked entity; where two are linked, of one to the other."""
    ids = [link.entity.id for link in links]
    store, scope = plan.store, plan.scope
    sources = {record.source for record in store.documents(scope)} if scope else None
    found = [
        (relation, best)
        for relation in store.subgraph(ids, _MOST_RELATIONS, sources).relations
        if _is_asked(relation, ids, ends.get(relation.relation, ""))
        and (best := _best(relation, plan.asked.years, len(ids) > 1))
    ]
    found.sort(key=lambda pair: (-pair[0].support, -pair[1].confidence, pair[1].id))
    return tuple(
        statement_evidence(said.confidence, relation, said, plan.vocabulary.schema) for relation, said in found
    )


def _is_asked(relation: Relation, ids: Sequence[str], end: str) -> bool:
    head, tail = relation.head.id, relation.tail.id
    if len(ids) > 1:
        return bool(end) and {head, tail} == set(ids)
    return (end in ("head", "either") and head == ids[0]) or (end in ("tail", "either") and tail == ids[0])


def _best(relation: Relation, years: Sequence[int], denied_too: bool) -> Statement | None:
    """Its surest statement, of the years asked; a denial only answers whether there is such a relation."""
    said = [
        s
        for s in relation.statements
        if (denied_too or s.modality != "negated") and (not years or (s.period is not None and s.period.year in years))
    ]
    return max(said, key=lambda s: (s.modality == "asserted", s.confidence), default=None)


@cache
def _rules() -> dict[str, Any]:
    rules = load_rules(__package__, "relation.toml")
    compiled: dict[str, Any] = {name: re.compile(rules[name], re.I) for name in ("whether", "names", "beside", "own")}
    compiled["relations"] = [
        {
            "relations": rule["relations"],
            "said": re.compile(rule["said"], re.I),
            "words": rule["words"],
            "who": [{"asked": re.compile(who["asked"], re.I), "ends": who["ends"]} for who in rule["who"]],
        }
        for rule in rules["relation"]
    ]
    return compiled
