"""Questions about one kind of relation: what the graph says of it answers, other sentences do not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from .....core.names import has_legal_form
from .....core.patterns import LazyPattern, PatternTable, on_demand
from .....core.records import dataclass
from .....core.rules import load_rules
from .....core.words import question_words, search_words
from .....kg.graph import Relation, Statement
from ....question.entity_linking import LinkedEntity, capitalised_names, link_entities
from ....question.plan import QuestionPlan
from ....question.wording.answer_type import only_points
from ....search.evidence import Evidence
from ....search.retrievers.graph import CONNECTS_ALL, statement_evidence
from ...remarks import closest_passage, not_stated
from ..quotables import statement, table_lead
from ..sentence_scoring import Quote
from .base import Requirement, SecondSearch, asked_words
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
_RULES = PatternTable(__package__, "relation.toml")
_OWNER_OR_YEAR = LazyPattern(r"['’]s?\b|\b(?:19|20)\d\d\b|\d{4}年", 0)

_LEGAL_NAME = on_demand(r"\b[A-Z][\w&.’'-]{0,60}(?: (?:of |and |& )?[A-Z][\w&.’'-]{0,60}){0,80},? [A-Z][\w.]+")
"""Words with capitals that may end in a legal form: names in tables, which the graph does not read."""

Names = tuple[str, ...]
"""One name as it may be written."""


@dataclass(frozen=True, slots=True)
class RelationRequirement(Requirement):
    """What is asked of whom. Empty for any other question: every sentence will do then."""

    plan: QuestionPlan | None = None
    said: LazyPattern = LazyPattern("")
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
        sentences: dict[tuple[str, int], Evidence] = {}
        for item in self.evidence:
            sentences.setdefault((item.source, item.start), item)
        chosen = list(sentences.values())[:MOST]
        return [Quote(item, statement(item), item.start, item.end) for item in chosen]

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
        return SecondSearch(self.words | asked_words(part), part.company_documents, self.is_said)

    def message(self, quotes: Sequence[Quote], evidence: Sequence[Evidence] = ()) -> str:
        """That no document states the relation, where nothing is quoted, and where the closest passage stands."""
        if quotes or self.plan is None or not self.names:
            return ""
        return not_stated(self.plan, self.names) + closest_passage(self.plan, evidence)

    def is_said(self, text: str) -> bool:
        """True where a sentence says that there is such a relation, and, where names are asked for, with whom."""
        if not self.said.search(text):
            return False
        if only_points(text) or tells_career(text):
            return False
        return not self.of or self._names_another(text)

    def _names_another(self, text: str) -> bool:
        """True where a text that speaks of the one asked about names an organisation of the graph beside it."""
        if self.plan is None:
            return True
        named = [link for link in link_entities(self.plan.store, text, similar=False) if not link.written.islower()]
        if not self._speaks_of_it(text, named):
            return False
        for link in named:
            if link.entity.type in _PARTNERS and not self._is_own(link, text):
                return True
        return any(has_legal_form(name) and not _is_named(self.of, name) for name in _LEGAL_NAME.findall(text))

    def _speaks_of_it(self, text: str, named: Sequence[LinkedEntity]) -> bool:
        """True for a text that names the one asked about or a segment, or says "we"."""
        if any(link.entity.type == "segment" for link in named):
            return True
        return _RULES.any("own", text) or _is_named(self.of, text)

    def _is_own(self, link: LinkedEntity, text: str) -> bool:
        """True for the one asked about and for its parts: "our BCC segment", "Boeing Capital"."""
        if link.entity.name in (self.of[0], *self.parts):
            return True
        written = re.escape(link.written)
        as_part = rf"\b(?:our|its) {written}\b|\b{written} (?:segment|business|division|unit|subsidiary)\b"
        return re.search(as_part, text) is not None

    def _is_speaking(self, names: Names, quote: Quote) -> bool:
        """True where the document is that company's own, and the sentence says "we"."""
        record = self.plan.catalogue.by_source.get(quote.evidence.source) if self.plan else None
        if record is None or not _RULES.any("own", quote.text):
            return False
        return any(_is_named(names, company) for company in record.companies)


def read_relation(plan: QuestionPlan) -> RelationRequirement:
    """Read a question about relations, and look up what the graph says; empty for any other question.

    A scope given by the user is a border; one read from the question is none for what others say.
    """
    text = plan.asked.trimmed
    rule = _rule_of(text)
    is_whether = _RULES.any("whether", text)
    asks_names = plan.expected.kind == "name" or _RULES.any("names", text)
    if rule is None or not (is_whether or asks_names):
        return RelationRequirement()
    links = [link for link in plan.linked if link.entity.type not in CONNECTS_ALL]
    return _whether(plan, rule, links) if is_whether else _whom(plan, rule, links)


def _whom(plan: QuestionPlan, rule: _Rule, links: Sequence[LinkedEntity]) -> RelationRequirement:
    """ "Who supplies A?": one has to be named."""
    text = plan.asked.trimmed
    who = next((who for who in rule.who if who.asked.search(text)), None)
    names = _one_named(plan, links)
    if who is None or not names:
        return RelationRequirement()
    words = frozenset(search_words(rule.words))
    if not links:
        return RelationRequirement(plan, rule.said, of=names, words=words)
    stated = () if _asks_more(text, links[0], who.asked) else _stated(plan, links, who.ends)
    parts = _parts(plan.store, links[0].entity.id)
    return RelationRequirement(plan, rule.said, stated, of=names, parts=parts, words=words)


def _whether(plan: QuestionPlan, rule: _Rule, links: Sequence[LinkedEntity]) -> RelationRequirement:
    """ "Does A supply B?": both have to be named."""
    pair = tuple(_named(plan, links))
    if len(pair) != _WHERE_TWO_ARE_NAMED:
        return RelationRequirement()
    found: tuple[Evidence, ...] = ()
    if len(links) == _WHERE_TWO_ARE_NAMED:
        found = _stated(plan, links, dict.fromkeys(rule.relations, "either"))
    return RelationRequirement(plan, rule.said, found, pair)


def _parts(store: Store, company: str) -> frozenset[str]:
    """Names of the company's segments and subsidiaries."""
    names: set[str] = set()
    for relation in store.subgraph([company], _MOST_RELATIONS, kinds=_PART_OF).relations:
        names.update(end.name for end in relation.ends if end.id != company)
    return frozenset(names)


def _one_named(plan: QuestionPlan, links: Sequence[LinkedEntity]) -> Names:
    """The one that the question is about, by all its names; a company of the store need not be in the graph."""
    if len(links) == 1:
        return (links[0].entity.name, *links[0].entity.aliases)
    if links or len(plan.companies) != 1:
        return ()
    (key,) = plan.companies
    records = plan.catalogue.by_company.get(key, ())
    if not records:
        return ()
    names = chain.from_iterable(record.companies for record in records)
    return tuple(dict.fromkeys((*names, key)))


def _asks_more(text: str, link: LinkedEntity, asked: LazyPattern) -> bool:
    """True where the question holds more than the name and the relation: "... for more than 10 % of sales"."""
    rest = asked.sub(" ", text).replace(link.written, " ")
    return bool(question_words(_OWNER_OR_YEAR.sub(" ", _RULES.without("beside", rest))))


def _named(plan: QuestionPlan, links: Sequence[LinkedEntity]) -> list[Names]:
    """Who is named: entities of the graph, and other words with capitals."""
    named: list[Names] = [(link.written, link.entity.name, *link.entity.aliases) for link in links]
    linked = tuple(named)
    for name, _, _ in capitalised_names(plan.asked.trimmed, plan.vocabulary.metrics):
        is_linked = any(_is_named((name,), names[0]) or _is_named(names, name) for names in linked)
        if not is_linked:
            named.append((name,))
    return named


def _is_named(names: Names, text: str) -> bool:
    said = f" {' '.join(search_words(text))} "
    for name in names:
        words = search_words(name)
        if words and f" {' '.join(words)} " in said:
            return True
    return False


def _stated(plan: QuestionPlan, links: Sequence[LinkedEntity], ends: Mapping[str, str]) -> tuple[Evidence, ...]:
    """The statements of these relations of the first linked entity; where two are linked, of one to the other."""
    ids = [link.entity.id for link in links]
    store, scope = plan.store, plan.scope
    sources = {record.source for record in store.documents(scope)} if scope else None
    found: list[tuple[Relation, Statement]] = []
    for relation in store.subgraph(ids, _MOST_RELATIONS, sources).relations:
        if not _is_asked(relation, ids, ends.get(relation.relation, "")):
            continue
        best = _best(relation, plan.asked.years, denied_too=len(ids) > 1)
        if best is not None:
            found.append((relation, best))
    found.sort(key=lambda pair: (-pair[0].support, -pair[1].confidence, pair[1].id))
    schema = plan.vocabulary.schema
    return tuple(statement_evidence(said.confidence, relation, said, schema) for relation, said in found)


def _is_asked(relation: Relation, ids: Sequence[str], end: str) -> bool:
    """True for a relation between the two named, or one in which the one named stands at the end asked for."""
    if not end:
        return False
    head, tail = relation.head.id, relation.tail.id
    if len(ids) > 1:
        return {head, tail} == set(ids)
    asked = {"head": (head,), "tail": (tail,), "either": (head, tail)}
    return ids[0] in asked[end]


def _best(relation: Relation, years: Sequence[int], *, denied_too: bool) -> Statement | None:
    """Its surest statement, of the years asked; a denial only answers whether there is such a relation."""
    said = list(relation.statements)
    if not denied_too:
        said = [one for one in said if one.modality != "negated"]
    if years:
        said = [one for one in said if one.period is not None and one.period.year in years]
    return max(said, key=lambda one: (one.modality == "asserted", one.confidence), default=None)


@dataclass(frozen=True, slots=True)
class _Who:
    """A question about one name, and the end at which that name stands in each relation that answers."""

    asked: LazyPattern
    ends: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A kind of relation that is asked about; see ``relation.toml``."""

    relations: Sequence[str]
    said: LazyPattern
    words: str
    who: Sequence[_Who]


def _rule_of(text: str) -> _Rule | None:
    """The first kind of relation that a question speaks of."""
    return next((rule for rule in _relations() if rule.said.search(text)), None)


@cache
def _relations() -> tuple[_Rule, ...]:
    rules: list[_Rule] = []
    for rule in load_rules(__package__, "relation.toml")["relation"]:
        who = [_Who(LazyPattern(one["asked"]), one["ends"]) for one in rule["who"]]
        rules.append(_Rule(rule["relations"], LazyPattern(rule["said"]), rule["words"], who))
    return tuple(rules)
