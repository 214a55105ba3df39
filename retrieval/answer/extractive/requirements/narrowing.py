"""What narrows the figure asked for ("revenue from cloud computing"): an answer has to speak of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from .....core.period_text import find_periods
from .....core.rules import load_rules
from .....core.words import search_words
from ....question.figures.asked import Asked
from ....question.figures.operands import content_words
from ....question.plan import QuestionPlan
from ....question.scope.companies import CompanyIndex
from ..defined_names import spelled_out
from ..quotables import row_section, table_lead
from ..scoring import Quote
from .base import SecondSearch
from .documents import asked_words, fitting_documents

_OF_WHAT = re.compile(
    r"\s*(?:figures?\s+)?(?:from|in|on|for|of|with|at|by|through|to)\s+(?P<what>[^?.,;]+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NarrowingRequirement:
    """Search terms of which a quote has to hold one."""

    words: frozenset[str] = frozenset()

    def applies(self) -> bool:
        """True where the figure asked for is of something."""
        return bool(self.words)

    def holds(self, quote: Quote) -> bool:
        """True where the quote speaks of it, a row also by its section, its table's title and the headings."""
        item = quote.evidence
        said = (quote.text, row_section(item, quote.start), table_lead(item), *item.headings)
        return not self.words.isdisjoint(search_words(spelled_out(" ".join(said))))

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages that tell how large the part is."""
        if not self.words:
            return None
        return SecondSearch(self.words | asked_words(part), fitting_documents(part), self._tells_how_much)

    def message(self, quotes: Sequence[Quote]) -> str:
        """Nothing: the answer refuses in general words."""
        return ""

    def _tells_how_much(self, text: str) -> bool:
        return self.words <= set(search_words(spelled_out(text))) and any(letter.isdigit() for letter in text)


def read_narrowing(asked: Asked, companies: CompanyIndex) -> NarrowingRequirement:
    """What stands behind the name of the one figure asked for, without companies and time.

    Nothing where no figure is named, or where what it is of is not said in English.
    """
    named = [operand for operand in asked.operands if operand.name and operand.written]
    if asked.chinese or asked.route != "look-up" or len(named) != 1:
        return NarrowingRequirement()
    text = asked.question.trimmed
    at = text.lower().find(named[0].written.lower())
    match = _OF_WHAT.match(text, at + len(named[0].written)) if at >= 0 else None
    if match is None:
        return NarrowingRequirement()
    words = content_words(spelled_out(_bare(match["what"], companies)))
    return NarrowingRequirement(frozenset(search_words(" ".join(words))) - _whole())


@cache
def _whole() -> frozenset[str]:
    return frozenset(search_words(load_rules("cliquerag.retrieval.question", "question.toml")["whole"]))


def _bare(text: str, companies: CompanyIndex) -> str:
    spans = [(mention.start, mention.end) for mention in find_periods(text)]
    spans += [(start, end) for start, end, _ in companies.mentions(text)]
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text
