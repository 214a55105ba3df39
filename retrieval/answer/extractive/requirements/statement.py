"""What a quotation must be by its form: a statement, no career and no order to who reads it; and what it must tell.

That is the kind of answer expected (who holds an office, what a period brought, why, how much); the pay, age or
education that is asked of somebody; whoever comes after somebody in an office. Sentences near a question for pay say
who holds the office that it names: they are no answer to what the holder is paid.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from .....core.orders import gives_orders, stands_in_orders
from .....core.patterns import LazyPattern, PatternTable
from .....core.records import dataclass
from .....core.rules import load_rules
from .....core.words import search_words
from .....kg.extraction.structure.cells import offices_in
from ....question.entity_linking import capitalised_names, link_entities
from ....question.figures.operands import content_words
from ....question.wording.answer_type import only_points
from ....search.evidence import TEXTS
from ..quotables import row_section, table_lead
from .base import Requirement, SecondSearch, asked_words, fitting_documents, topic_words

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ....question.wording.answer_type import Expected
    from ..sentence_scoring import Quote

_SUBJECT = 80
"""Characters in which a sentence that explains a figure names it: later on it is one of many things."""


class StatementRequirement(Requirement):
    """Applies to every question; ``orders_asked`` where it is about what a document tells its readers to do."""

    def __init__(self, *, orders_asked: bool = False) -> None:
        self._orders_asked = orders_asked

    def holds(self, quote: Quote) -> bool:
        """True for a sentence or row that states something."""
        text = f"{table_lead(quote.evidence)} {quote.text}"
        if only_points(text) or tells_career(text):
            return False
        return self._orders_asked or not is_planted(quote)


def is_planted(quote: Quote) -> bool:
    """True for an order to the model that reads the document, and for what such an order is followed by."""
    if gives_orders(quote.text):
        return True
    item = quote.evidence
    if item.kind not in TEXTS:
        return False
    return stands_in_orders(item.text, quote.start - item.start, quote.end - item.start)


def tells_career(text: str) -> bool:
    """True for a sentence of somebody's life: names in it are those of former employers."""
    return _career().search(text) is not None


@cache
def _career() -> re.Pattern[str]:
    return re.compile(load_rules(__package__, "relation.toml")["career"], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OfficeRequirement(Requirement):
    """Who holds an office, or what a period brought: told by words of its own."""

    expected: Expected

    def applies(self) -> bool:
        """True where a holder of an office or highlights are asked for."""
        return self.expected.role is not None or self.expected.kind == "highlights"

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages with the office, in all documents of the company; highlights, in those of the period."""
        documents = part.company_documents if self.expected.role else fitting_documents(part)
        return SecondSearch(self.expected.words | asked_words(part), documents, self.expected.is_held)


@dataclass(frozen=True, slots=True)
class TopicRequirement(Requirement):
    """A reason for, or a figure of, the thing that the question names."""

    expected: Expected

    def applies(self) -> bool:
        """True where a reason or a figure is asked for."""
        return self.expected.kind in ("reason", "", "amount", "count")

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Sentences that explain the thing, or rows that hold all words of it."""
        topic = topic_words(part)
        if self.expected.kind == "reason":
            return SecondSearch(topic, fitting_documents(part), lambda text: self._explains(topic, text))
        topic = topic.intersection(content_words(part.asked.trimmed))
        return SecondSearch(topic, fitting_documents(part), lambda text: _is_figure_of(text, topic))

    def _explains(self, topic: frozenset[str], text: str) -> bool:
        return topic <= set(search_words(text[:_SUBJECT])) and self.expected.is_held(text)


def _is_figure_of(text: str, topic: frozenset[str]) -> bool:
    """True for a row whose name, section and title hold all that is asked for."""
    return "|" in text and topic <= set(search_words(text))


@dataclass(frozen=True, slots=True)
class Attribute:
    """A thing asked of somebody: how a question asks for it, how a text tells it, and search terms of such texts."""

    asked: LazyPattern
    told: LazyPattern
    words: frozenset[str]
    of_person: bool
    """It is asked of a person or of the holder of an office; asked of anything else it is another thing."""


@dataclass(frozen=True, slots=True)
class AttributeRequirement(Requirement):
    """The thing asked of somebody, which a quotation has to tell."""

    attribute: Attribute | None = None

    def applies(self) -> bool:
        """True where such a thing is asked."""
        return self.attribute is not None

    def is_told(self, text: str) -> bool:
        """True for a text that tells it, and for every text where no such thing is asked."""
        return self.attribute is None or self.attribute.told.search(text) is not None

    def holds(self, quote: Quote) -> bool:
        """True for a quotation that tells it, a row also by what stands over it."""
        item = quote.evidence
        return self.is_told(" ".join((quote.text, row_section(item, quote.start), table_lead(item))))

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages with words of the thing, in all documents of the company."""
        if self.attribute is None:
            return None
        return SecondSearch(self.attribute.words | asked_words(part), part.company_documents, self.is_told)


def read_attribute(plan: QuestionPlan) -> AttributeRequirement:
    """What the question asks of somebody; a requirement that does not apply where it asks for nothing of the kind."""
    text = plan.asked.trimmed
    for attribute in _attributes():
        if attribute.asked.search(text) is None:
            continue
        if not attribute.of_person or _is_about_person(plan, text):
            return AttributeRequirement(attribute)
    return AttributeRequirement()


def _is_about_person(plan: QuestionPlan, text: str) -> bool:
    if any(link.entity.type == "person" for link in plan.linked):
        return True
    return bool(offices_in(text)) or _people().search(text) is not None


@cache
def _people() -> LazyPattern:
    return LazyPattern(load_rules(__package__, "attribute.toml")["people"])


@cache
def _attributes() -> tuple[Attribute, ...]:
    rows = load_rules(__package__, "attribute.toml")["attribute"]
    return tuple(
        Attribute(
            LazyPattern(row["asked"]),
            LazyPattern(row["told"]),
            frozenset(search_words(row["words"])),
            row.get("of_person", True),
        )
        for row in rows
    )


_JUST_BESIDE = 250
"""Characters beside a sentence in which the other one may be named: "Jane Roe left. John Doe was appointed."."""
_RULES = PatternTable(__package__, "relation.toml")
_PASSES_ON = ("succeeds", "leaves")
"""How a sentence tells who comes after somebody; who came before is told by the second as well."""


@dataclass(frozen=True, slots=True)
class SuccessionRequirement(Requirement):
    """Whom the question names, by the search terms of the family name; nobody for any other question."""

    plan: QuestionPlan | None = None
    person: str = ""
    is_predecessor: bool = False
    """It is asked who was there before."""

    def applies(self) -> bool:
        """True where somebody's successor or predecessor is asked for."""
        return self.plan is not None

    def holds(self, quote: Quote) -> bool:
        """True for a sentence by which another person comes into office, right after or with the one named; of a
        predecessor for one by which another leaves it, right before or with the one named."""
        text, begin = quote.evidence.text, quote.evidence.start
        before = text[: max(0, quote.start - begin)][-_JUST_BESIDE:]
        behind = text[max(0, quote.end - begin) :][:_JUST_BESIDE]
        said = search_words(f"{quote.text} {behind if self.is_predecessor else before}")
        return self.person in said and self._tells(quote.text)

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages of all documents of the company that name the person, and tell of coming into office."""
        return SecondSearch({self.person}, part.company_documents or set(part.selection.sources), self._tells)

    def _tells(self, text: str) -> bool:
        """True where a text says that another person comes into the office, or leaves it to the one named."""
        if self.plan is None or not any(_RULES.any(way, text) for way in _PASSES_ON[: 1 + self.is_predecessor]):
            return False
        links = link_entities(self.plan.store, text)
        people = [link for link in links if link.entity.type == "person" and not link.written.islower()]
        return any(self.person not in search_words(link.written) for link in people)


def read_succession(plan: QuestionPlan) -> SuccessionRequirement:
    """The requirement for a question such as "Who succeeded Jane Roe as CFO?" or "Who ran Acme before Jane Roe?"; empty
    for any other question."""
    text = plan.asked.trimmed
    said = _RULES.first("succession", text)
    if said is None:
        return SuccessionRequirement()
    firms = (link.written for link in plan.linked if link.entity.type != "person")
    owners = set(search_words(" ".join((*plan.companies, *firms))))
    for name, start, _ in capitalised_names(text, plan.vocabulary.metrics):
        words = search_words(name)
        is_company = bool(owners.intersection(words))
        if start > said.start() and len(words) > 1 and not is_company:
            return SuccessionRequirement(plan, words[-1], _RULES.any("predecessor", text))
    return SuccessionRequirement()
