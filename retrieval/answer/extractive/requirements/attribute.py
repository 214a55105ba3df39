"""What is asked of somebody (pay, age, shares, education) or of a firm (its telephone): a quotation has to tell it.

Sentences near such a question say who holds the office that it names. They are no answer to what the holder is paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .....core.patterns import LazyPattern
from .....core.rules import load_rules
from .....core.words import search_words
from .....kg.extraction.structure.cells import offices_in
from ..quotables import row_section, table_lead
from .base import SecondSearch, asked_words, company_documents

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ..scoring import Quote


@dataclass(frozen=True, slots=True)
class Attribute:
    """A thing asked of somebody: how a question asks for it, how a text tells it, and search terms of such texts."""

    asked: LazyPattern
    told: LazyPattern
    words: frozenset[str]
    of_person: bool
    """It is asked of a person or of the holder of an office; asked of anything else it is another thing."""


@dataclass(frozen=True, slots=True)
class AttributeRequirement:
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
        return SecondSearch(self.attribute.words | asked_words(part), company_documents(part), self.is_told)

    def message(self, quotes: Sequence[Quote]) -> str:
        """Nothing: the answer refuses in general words."""
        return ""


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
