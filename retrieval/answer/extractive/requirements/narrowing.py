"""What narrows what is asked to a part ("revenue from cloud computing"), of which an answer has to speak; and the thing
asked of somebody ("the salary of the CFO"): where no document of theirs has a word for it, nothing can be quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, filterfalse
from typing import TYPE_CHECKING

from .....core.language import language_of
from .....core.patterns import on_demand
from .....core.period_text import period_places
from .....core.records import dataclass
from .....core.rules import load_rules
from .....core.words import has_digit, question_words, search_words
from .....ingest.facts.metrics import MetricList
from ....question.figures.asked import Asked
from ....question.figures.operands import content_words
from ....question.plan import QuestionPlan
from ....question.scope.companies import CompanyIndex
from ....question.scope.periods import without_periods
from ....question.wording.answer_type import holds_amount
from ..quotables import row_section, table_lead
from ..sentence_scoring import Quote
from ..subject_fit import spelled_out
from .base import OF_TIME, Requirement, SecondSearch, asked_words, fitting_documents

if TYPE_CHECKING:
    from ....calculation import NumberAnswer

_OF_WHAT = on_demand(
    r"\s*(?:figures?\s+)?(?:from|in|on|for|of|with|at|by|through|to)\s+(?P<what>[^?.,;]+)", re.IGNORECASE
)
_IS = r"\bwhat(?:['’]s| is| was| are| were)"
_WHAT = on_demand(
    rf"{_IS}(?: currently)? (?:the |their |its |his |her )?(?P<what>[a-z][a-z -]{{2,40}}?) (?:of|for) ", re.IGNORECASE
)
_WHOSE = on_demand(
    rf"{_IS} [^?]{{0,200}}?\w['’]s? (?P<what>[a-z][a-z -]{{2,40}}?)(?: (?:in|at|on|for)\b|[?.]|$)", re.IGNORECASE
)
"""The name of one thing between "what is" and whose it is, and behind whose it is."""
_NO_AMOUNT = on_demand(
    r"\b(?:which|why|who|whom|whose|when|where|methods?|polic(?:y|ies)|how (?!much\b|many\b|high\b|large\b|big\b))",
    re.IGNORECASE,
)
"""What asks for something else than the figure it names: "with which method are inventories valued?"."""
_IN_MANY_NAMES = frozenset(search_words("total net gross current other year per group consolidated reported"))
"""Words that tell no metric from another."""
_COUNTED = frozenset(search_words("days ratio percent times number"))
"""Of the name of a formula: what it is counted in."""
_NEAR = 0.6
"""Similarity from which one of the best sentences may say it in other words."""
_BEST = 4
_KINDS = ("", "amount")
"""Kinds of answer that are told by the noun alone; a reason or a name is told in words of its own."""


@dataclass(frozen=True, slots=True)
class NarrowingRequirement(Requirement):
    """Search terms of which a quote has to hold one."""

    words: frozenset[str] = frozenset()
    metric: frozenset[str] = frozenset()
    """Search terms of all names of the figure, where it is one of a part of the company: one of them, and an amount."""

    def applies(self) -> bool:
        """True where the figure asked for is of something."""
        return bool(self.words or self.metric)

    def holds(self, quote: Quote) -> bool:
        """True where the quote speaks of it, a row also by its section, its table's title and the headings."""
        held = said_of(quote)
        if self.words and self.words.isdisjoint(held):
            return False
        if not self.metric:
            return True
        return not self.metric.isdisjoint(held) and (quote.is_figure or holds_amount(quote.text))

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages that tell how large the part is."""
        if not self.words:
            return None
        return SecondSearch(self.words | asked_words(part), fitting_documents(part), self._tells_how_much)

    def _tells_how_much(self, text: str) -> bool:
        return self.words <= set(search_words(spelled_out(text))) and has_digit(text)


def said_of(quote: Quote) -> frozenset[str]:
    """The search terms of a quote and of what stands over it."""
    item = quote.evidence
    said = (quote.text, row_section(item, quote.start), table_lead(item), *item.headings)
    return frozenset(search_words(spelled_out(" ".join(said))))


def read_narrowing(asked: Asked, companies: CompanyIndex, metrics: MetricList) -> NarrowingRequirement:
    """What stands behind the name of the one figure asked for, without companies and time; for one that is calculated
    the words of its name: "30 days" are no days of inventory.

    Nothing where no figure is named, or where what it is of is not said in English.
    """
    named = [operand for operand in asked.operands if operand.name]
    if asked.chinese or len(named) != 1:
        return NarrowingRequirement()
    if asked.route == "calculation" and asked.operation == "value":
        named_by = frozenset(search_words(f"{named[0].written} {named[0].name}"))
        return NarrowingRequirement(named_by - _whole() - _COUNTED)
    if asked.route != "look-up":
        return NarrowingRequirement()
    text = asked.question.trimmed
    at = text.lower().find(named[0].written.lower())
    match = _OF_WHAT.match(text, at + len(named[0].written)) if at >= 0 else None
    if match is None:
        return NarrowingRequirement()
    words = content_words(spelled_out(_bare(match["what"], companies)))
    narrowed = frozenset(search_words(" ".join(words))) - _whole()
    asks_amount = bool(narrowed) and _NO_AMOUNT.search(text) is None
    return NarrowingRequirement(narrowed, words_of_metric(metrics, named[0].name) if asks_amount else frozenset())


def unexplained_words(plan: QuestionPlan, number: NumberAnswer) -> frozenset[str]:
    """What a question asks for beyond the stated figure that was found for it: that of employees may be all of them,
    where those "in the US" are meant. Nothing where the figure and its row account for all its words, or is calculated.
    """
    asked = number.asked
    named = [operand for operand in asked.operands if operand.name]
    if asked.chinese or asked.route != "look-up" or asked.operation != "value" or len(named) != 1:
        return frozenset()
    of_figure = frozenset(search_words(named[0].written)) | words_of_metric(plan.vocabulary.metrics, named[0].name)
    rows = " ".join(f"{fact.label} {' '.join(chain.from_iterable(fact.dimensions))}" for fact in number.facts)
    said = frozenset(search_words(spelled_out(f"{rows} {number.text}")))
    return _telling_words(plan) - of_figure - said


def _telling_words(plan: QuestionPlan) -> frozenset[str]:
    """The words of a question without its companies, its time and what asks for the whole."""
    text = without_periods(_bare(plan.asked.trimmed, plan.catalogue.companies))
    return frozenset(filterfalse(OF_TIME.match, question_words(spelled_out(text)))) - _whole()


@lru_cache(maxsize=1000)
def words_of_metric(metrics: MetricList, metric: str) -> frozenset[str]:
    """The search terms of all names of a metric, but for those that stand in the names of many ("net", "total")."""
    names = [plain for plain, name in metrics.names.items() if name == metric]
    return frozenset(search_words(" ".join((metric, *names)))) - _whole() - _IN_MANY_NAMES


@cache
def _whole() -> frozenset[str]:
    return frozenset(search_words(load_rules("cliquerag.retrieval.question", "question.toml")["whole"]))


def _bare(text: str, companies: CompanyIndex) -> str:
    for start, end in sorted([*period_places(text), *companies.spans(text)], reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def names_absent_attribute(part: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    """True where one thing of a named company is asked, and no document of it has the noun or a synonym of it.

    Sentences near such a question speak of whose it is, and of other things.
    """
    noun = attribute_of(part.asked.trimmed)
    documents = part.company_documents
    if not noun or not documents or part.expected.kind not in _KINDS:
        return False
    if part.vocabulary.synonyms.expand(part.asked.trimmed).words or _is_near(quotes):
        return False
    known = part.catalogue.by_source
    if {known[source].language for source in documents} != {language_of(part.text)}:
        return False
    return not part.store.matching({noun}, 1, documents)


def _is_near(quotes: Sequence[Quote]) -> bool:
    return any(quote.similarity >= _NEAR for quote in quotes[:_BEST])


def attribute_of(question: str) -> str:
    """The noun of the thing asked of somebody, as a search term; "" for another form or for an abstract noun.

    >>> attribute_of("What is the annual salary of the chief financial officer of Acme?")
    'salari'
    >>> attribute_of("What is Acme's share price?"), attribute_of("What is the outlook of Acme?")
    ('price', '')
    """
    match = _WHAT.search(question) or _WHOSE.search(question)
    words = search_words(match["what"]) if match else []
    nouns = list(filterfalse(OF_TIME.match, words))
    return nouns[-1] if nouns and nouns[-1] not in _abstract() else ""


@cache
def _abstract() -> frozenset[str]:
    return frozenset(search_words(load_rules(__package__, "attribute.toml")["abstract"]))
