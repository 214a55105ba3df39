"""What a quotation must be by its form: a statement, no career and no order to who reads it; and of the kind of answer
that is expected: who holds an office, what a period brought, why, how much.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .....core.orders import gives_orders, stands_in_orders
from .....core.rules import load_rules
from .....core.words import search_words
from ....question.figures.operands import content_words
from ....question.wording.answer_type import only_points
from ..quotables import TEXT_KINDS, table_lead
from .base import SecondSearch, asked_words, company_documents, fitting_documents, topic_words

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ....question.wording.answer_type import Expected
    from ..scoring import Quote
_SUBJECT = 80
"""Characters in which a sentence that explains a figure names it: later on it is one of many things."""


class StatementRequirement:
    """Applies to every question; ``orders_asked`` where it is about what a document tells its readers to do."""

    def __init__(self, *, orders_asked: bool = False) -> None:
        self._orders_asked = orders_asked

    def applies(self) -> bool:
        """Always."""
        return True

    def holds(self, quote: Quote) -> bool:
        """True for a sentence or row that states something."""
        text = f"{table_lead(quote.evidence)} {quote.text}"
        if only_points(text) or tells_career(text):
            return False
        return self._orders_asked or not is_planted(quote)

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """None: it is no thing to look for."""
        return None

    def message(self, quotes: Sequence[Quote]) -> str:
        """Nothing: the answer refuses in general words."""
        return ""


def is_planted(quote: Quote) -> bool:
    """True for an order to the model that reads the document, and for what such an order is followed by."""
    if gives_orders(quote.text):
        return True
    item = quote.evidence
    if item.kind not in TEXT_KINDS:
        return False
    return stands_in_orders(item.text, quote.start - item.start, quote.end - item.start)


def tells_career(text: str) -> bool:
    """True for a sentence of somebody's life: names in it are those of former employers."""
    return _career().search(text) is not None


@cache
def _career() -> re.Pattern[str]:
    return re.compile(load_rules(__package__, "relation.toml")["career"], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OfficeRequirement:
    """Who holds an office, or what a period brought: told by words of its own."""

    expected: Expected

    def applies(self) -> bool:
        """True where a holder of an office or highlights are asked for."""
        return self.expected.role is not None or self.expected.kind == "highlights"

    def holds(self, quote: Quote) -> bool:
        """Every quotation may be shown; which of them answer tells in their order."""
        return True

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages with the office, in all documents of the company; highlights, in those of the period."""
        if not self.applies():
            return None
        documents = company_documents(part) if self.expected.role else fitting_documents(part)
        return SecondSearch(self.expected.words | asked_words(part), documents, self.expected.is_held)

    def message(self, quotes: Sequence[Quote]) -> str:
        """Nothing: the answer refuses in general words."""
        return ""


@dataclass(frozen=True, slots=True)
class TopicRequirement:
    """A reason for, or a figure of, the thing that the question names."""

    expected: Expected

    def applies(self) -> bool:
        """True where a reason or a figure is asked for."""
        return self.expected.kind in ("reason", "", "amount", "count")

    def holds(self, quote: Quote) -> bool:
        """Every quotation may be shown; which of them answer tells in their order."""
        return True

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Sentences that explain the thing, or rows that hold all words of it."""
        if not self.applies():
            return None
        topic = topic_words(part)
        if self.expected.kind == "reason":
            return SecondSearch(topic, fitting_documents(part), lambda text: self._explains(topic, text))
        topic = topic.intersection(content_words(part.asked.trimmed))
        return SecondSearch(topic, fitting_documents(part), lambda text: _is_figure_of(text, topic))

    def message(self, quotes: Sequence[Quote]) -> str:
        """Nothing: the answer refuses in general words."""
        return ""

    def _explains(self, topic: frozenset[str], text: str) -> bool:
        return topic <= set(search_words(text[:_SUBJECT])) and self.expected.is_held(text)


def _is_figure_of(text: str, topic: frozenset[str]) -> bool:
    """True for a row whose name, section and title hold all that is asked for."""
    return "|" in text and topic <= set(search_words(text))
