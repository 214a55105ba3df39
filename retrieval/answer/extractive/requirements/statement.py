"""A quotation has to state something: not to lead elsewhere, to tell a career, or to give orders to who reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from .....core.orders import gives_orders, stands_in_orders
from .....core.rules import load_rules
from ....question.expectations.answer_type import only_points
from ..quotables import TEXT_KINDS, table_lead
from .base import SecondSearch

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ..scoring import Quote


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
