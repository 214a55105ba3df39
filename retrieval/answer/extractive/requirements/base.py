"""What a quotation must meet to be an answer: one class for subject, period, relation, kind of answer.

What meets it is looked for a second time: here, in which documents and by which words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import filterfalse
from typing import TYPE_CHECKING

from .....core.patterns import on_demand
from .....core.records import dataclass
from .....core.words import question_words, search_words

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ..sentence_scoring import Quote
OF_TIME = on_demand(r"^(?:\d+|fiscal|year|quarter|month|annual|end|fy|q[1-4])$")
"""Search terms that say when, not what."""
MOVES = on_demand(
    r"(?:change|chang|increas|decreas|declin|rise|rose|fall|fell|grow|grew|drop|improv|high|low|up|down|develop|evolv|trend)"
)
"""Search terms that say how something moved; a document may put it otherwise."""
_WHEN_OR_HOW = on_demand(f"(?:{OF_TIME.pattern})|(?:{MOVES.pattern})")


@dataclass(frozen=True, slots=True)
class SecondSearch:
    """Where passages that meet a requirement are looked for beside the first hits.

    ``words`` are search terms, ``documents`` sources; ``holds`` tells whether a sentence or row meets it.
    """

    words: Collection[str]
    documents: Collection[str]
    holds: Callable[[str], bool]


class Requirement:
    """What a quotation must meet; one that does not apply to the question is met by every quotation.

    A kind of requirement says what it asks for and leaves the rest as it is here: it applies, every quotation meets it,
    the first hits are enough, and the answer refuses in general words.
    """

    __slots__ = ()

    def applies(self) -> bool:
        """True where the question asks for it."""
        return True

    def holds(self, quote: Quote) -> bool:
        """True where the quotation meets it."""
        return True

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Where to look for what meets it, if it applies; None where the first hits are enough."""
        return None

    def message(self, quotes: Sequence[Quote]) -> str:
        """What the answer says about it before these quotations, or in place of them where there are none; or ""."""
        return ""


def meets(requirements: Sequence[Requirement], quote: Quote) -> bool:
    """True where a quotation meets every requirement that the question makes."""
    return all(requirement.holds(quote) for requirement in requirements if requirement.applies())


def asked_words(part: QuestionPlan) -> frozenset[str]:
    """The search terms of the question."""
    return frozenset(question_words(part.asked.trimmed))


def topic_words(part: QuestionPlan) -> frozenset[str]:
    """The words of what is to be explained: without the company, the time, and how it moved."""
    names: set[str] = set()
    for record in part.catalogue.records_about(part.companies):
        names.update(search_words(" ".join(record.companies)))
    asked = question_words(part.asked.trimmed)
    return frozenset(filterfalse(_WHEN_OR_HOW.match, asked)) - names


def fitting_documents(part: QuestionPlan) -> set[str]:
    """The documents of a company that fit the period asked best; none where no company is named."""
    selection = part.selection
    if selection.everything:
        return set()
    return {source for source in selection.certain if selection.preference.get(source, 0.0) >= 0}


def reports_apart(part: QuestionPlan) -> tuple[tuple[str, ...], ...]:
    """The documents of each report where several periods or companies are named; none for any other question."""
    names_several = len(part.asked.periods) > 1 or len(part.companies) > 1
    groups = part.selection.groups
    return groups if names_several and len(groups) > 1 else ()
