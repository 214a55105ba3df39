"""Questions for whoever comes after somebody in an office: only a sentence that names another person answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .....core.patterns import PatternTable
from .....core.words import search_words
from .....kg.extraction.structure.cells import offices_in
from ....question.entity_linking import capitalised_names, link_entities
from .base import SecondSearch, company_documents

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ..scoring import Quote

_JUST_BEFORE = 250
"""Characters before a sentence in which the one who left may be named: "Jane Roe left. John Doe was appointed."."""
_RULES = PatternTable(__package__, "relation.toml")


@dataclass(frozen=True, slots=True)
class SuccessionRequirement:
    """Whom the question names, by the search terms of the family name; nobody for any other question."""

    plan: QuestionPlan | None = None
    person: str = ""
    offices: frozenset[str] = frozenset()
    """The offices that the question names."""

    def applies(self) -> bool:
        """True where somebody's successor is asked for."""
        return self.plan is not None

    def holds(self, quote: Quote) -> bool:
        """True for a sentence by which another person comes into office, right after or with the one named."""
        before = quote.evidence.text[: max(0, quote.start - quote.evidence.start)]
        said = search_words(f"{before[-_JUST_BEFORE:]} {quote.text}")
        return self.person in said and self._tells(quote.text)

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Passages of all documents of the company that name the person, and tell of coming into office."""
        if self.plan is None:
            return None
        return SecondSearch({self.person}, company_documents(part) or set(part.selection.sources), self._tells)

    def message(self, quotes: Sequence[Quote]) -> str:
        """Nothing: the answer refuses in general words."""
        return ""

    def _tells(self, text: str) -> bool:
        """True where a text says that another person comes into the office."""
        if self.plan is None or not _RULES.any("succeeds", text):
            return False
        told = offices_in(text)
        if self.offices and told and self.offices.isdisjoint(told):
            return False
        links = link_entities(self.plan.store, text, similar=False)
        people = [link for link in links if link.entity.type == "person" and not link.written.islower()]
        return any(self.person not in search_words(link.written) for link in people)


def read_succession(plan: QuestionPlan) -> SuccessionRequirement:
    """The requirement for a question such as "Who succeeded Jane Roe as CFO?"; empty for any other question."""
    text = plan.asked.trimmed
    said = _RULES.first("succession", text)
    if said is None:
        return SuccessionRequirement()
    owners = set(search_words(" ".join(plan.companies)))
    for name, start, _ in capitalised_names(text, plan.vocabulary.metrics):
        words = search_words(name)
        is_company = bool(owners.intersection(words))
        if start > said.start() and len(words) > 1 and not is_company:
            return SuccessionRequirement(plan, words[-1], offices_in(text))
    return SuccessionRequirement()
