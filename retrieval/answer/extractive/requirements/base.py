"""What a quotation must meet to be an answer: one protocol for subject, period, relation, kind of answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ..scoring import Quote


@dataclass(frozen=True, slots=True)
class SecondSearch:
    """Where passages that meet a requirement are looked for beside the first hits.

    ``words`` are search terms, ``documents`` sources; ``holds`` tells whether a sentence or row meets it.
    """

    words: Collection[str]
    documents: Collection[str]
    holds: Callable[[str], bool]


class Requirement(Protocol):
    """What a quotation must meet. One that does not apply to the question is met by every quotation."""

    def applies(self) -> bool:
        """True where the question asks for it."""
        ...

    def holds(self, quote: Quote) -> bool:
        """True where the quotation meets it."""
        ...

    def second_search(self, part: QuestionPlan) -> SecondSearch | None:
        """Where to look for what meets it; None where the first hits are enough."""
        ...

    def message(self, quotes: Sequence[Quote]) -> str:
        """What the answer says about it before these quotations, or in place of them where there are none; or ""."""
        ...


def meets(requirements: Sequence[Requirement], quote: Quote) -> bool:
    """True where a quotation meets every requirement that the question makes."""
    return all(requirement.holds(quote) for requirement in requirements if requirement.applies())
