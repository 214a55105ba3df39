"""What a company expects and what it reports: guidance answers "sees Q2 revenue", a result "Q2 revenue"."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ....core.rules import load_rules
from ..question import Question

AHEAD = 0.5
"""Worth of a sentence that looks ahead where an outlook is asked; lost by it where a figure reported is."""
AMOUNT = 0.2
"""Worth of holding an amount where a figure is asked."""


def form_fit(question: Question, names_figure: bool, text: str) -> float:
    """What a sentence is worth by its form: whether it looks ahead as asked, and holds an amount where one is asked."""
    asks_figure = (question.numeric or names_figure) and not question.explains
    if not question.outlook and not asks_figure:
        return 0.0
    worth = AMOUNT if asks_figure and holds_amount(text) else 0.0
    return worth + (AHEAD if question.outlook else -AHEAD) * looks_ahead(text)


@lru_cache(maxsize=1 << 15)
def looks_ahead(text: str) -> bool:
    """True for a sentence that says what is expected; a result held against expectations is none.

    >>> looks_ahead("We expect sales of $5 million."), looks_ahead("Sales were $5 million, above our guidance.")
    (True, False)
    """
    return bool(_pattern("told").search(_pattern("compared").sub(" ", text)))


def holds_amount(text: str) -> bool:
    """True for a sentence with a sum of money, a share or a number with its scale."""
    return bool(_pattern("amount").search(text))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(load_rules(__package__, "outlook.toml")[name]), re.I)
