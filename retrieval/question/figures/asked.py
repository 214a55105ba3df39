"""A question about numbers as it was understood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ....core.language import Language, language_of
from ....core.period import Period
from ..question import Question
from .defined_formula import DefinedFormula
from .operands import Operand
from .selection_request import Pick, Statistic

Route = Literal["look-up", "calculation", "comparison", "statistics", "text", "general", "mixed"]
_FOUND = ("which period", "which row", "periods where")
"""What is found by comparing is not calculated."""
_COMPARES = re.compile(r"\b(?:change|difference)|变动|变化|差", re.IGNORECASE)
_SAYS_TOTAL = re.compile(r"\btotal\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the numbers: which figures, of which periods (single ones, ascending), combined how."""

    question: Question
    route: Route
    reason: str
    operation: str = "value"
    operands: tuple[Operand, ...] = ()
    periods: tuple[Period, ...] = ()
    before: bool = False
    """The period before the one named is asked as well."""
    lowest: bool = False
    statistic: Statistic | None = None
    pick: Pick | None = None
    """Which row or period, or how many of them."""
    formula: DefinedFormula | None = None
    """A formula that the question defines itself; there are no operands then."""
    nested: bool = False
    """A calculation within a calculation is asked."""
    respective: bool = False
    between: str = ""
    """ "higher" or "lower": which of several companies has it is asked."""
    sure: bool = True
    """False where the rules cannot tell the way: a model may."""

    @property
    def names_figure(self) -> bool:
        """True where one of the operands is a figure that is known by name."""
        return any(operand.name for operand in self.operands)

    @property
    def decimals(self) -> int | None:
        """Decimals wished; None: as usual for the unit."""
        return self.question.wishes.decimals

    @property
    def scale(self) -> Decimal | None:
        """Factor of the unit wished, such as 10^6; None: as printed."""
        return self.question.wishes.scale

    @property
    def computes(self) -> bool:
        """True where the value asked is calculated, also as a total over several periods.

        "The increase in revenue in 2019" is what the text states; "the change from 2018 to 2019" is calculated.
        """
        text = self.question.trimmed
        if self.operation == "change" and len(self.periods) < 2 and not _COMPARES.search(text):
            return False
        if self.route == "calculation" and self.operation not in _FOUND:
            return True
        total = _SAYS_TOTAL.search(text) is not None and not self.respective
        return total and len(self.periods) > 1

    @property
    def language(self) -> Language:
        """The language of the answer."""
        return self.question.wishes.language or language_of(self.question.text)

    @property
    def chinese(self) -> bool:
        """True where the answer is to be in Chinese."""
        return self.language == "zh"
