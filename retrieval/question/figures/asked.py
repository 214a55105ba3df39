"""A question about numbers as it was understood; and how a model reads it where the rules are unsure.

The model says which figures are asked; the program calculates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from string import Template
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from ....core.language import Language, language_of
from ....core.patterns import on_demand
from ....core.period import Period
from ....core.records import dataclass
from ....models.language import Message
from ....prompts import load_prompt, load_shots
from ..question import Question
from ..vocabulary.vocabulary import FormulaList
from .defined_formula import DefinedFormula
from .operands import Operand
from .selection_request import Pick, Statistic

if TYPE_CHECKING:
    from ....models.language import LanguageModel

Route = Literal["look-up", "calculation", "comparison", "statistics", "text", "general", "mixed"]
_FOUND = ("which period", "which row", "periods where")
"""What is found by comparing is not calculated."""
_COMPARES = on_demand(r"\b(?:change|difference)|变动|变化|差", re.IGNORECASE)
_SAYS_TOTAL = on_demand(r"\btotal\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the numbers: which figures, of which periods (single ones, ascending), combined how."""

    question: Question
    route: Route
    reason: str
    operation: str = "value"
    operands: tuple[Operand, ...] = ()
    periods: tuple[Period, ...] = ()
    due: tuple[Period, ...] = ()
    """The years in which the amount falls due: those of the rows and columns of a table of payments."""
    last_years: int = 0
    """So many of the last years are asked of where no period is named."""
    before: bool = False
    """The period before the one named is asked as well."""
    lowest: bool = False
    statistic: Statistic | None = None
    pick: Pick | None = None
    """Which row or period, or how many of them."""
    formula: DefinedFormula | None = None
    """A formula that the question defines itself; there are no operands then."""
    outer: str | None = ""
    """What is done with the figures of the periods: "the average ratio"; "" for nothing, None where it is unclear."""
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
    def over_time(self) -> str:
        """What is done with the figures of several periods."""
        return self.outer or self.operation

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
        return self.question.language

    @property
    def chinese(self) -> bool:
        """True where the answer is to be in Chinese."""
        return self.language == "zh"


OPERATIONS = ("value", "change", "percent change", "cagr", "share", "ratio", "difference", "average", "sum", "trend")
_MOST_FIGURES = 6
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "route": {"type": "string", "enum": ["text", "look-up", "calculation", "statistics", "mixed", "general"]},
        "figures": {"type": "array", "items": {"type": "string"}},
        "operation": {"type": "string", "enum": list(OPERATIONS)},
        "companies": {"type": "array", "items": {"type": "string"}},
        "periods": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["route", "figures", "operation", "companies", "periods"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as a model understood it."""

    route: Route
    figures: tuple[str, ...] = ()
    operation: str = "value"
    companies: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()

    def applied(self, asked: Asked, formulas: FormulaList) -> Asked:
        """The question with these figures; what the rules read of periods, rounding and scale stays."""
        operands = tuple(_operand(name, formulas) for name in self.figures)
        return replace(
            asked,
            route=self.route,
            reason="the model named the figures",
            operation=self.operation,
            operands=operands or asked.operands,
            periods=asked.periods or tuple(sorted(self.periods, key=lambda period: period.sort_key)),
            statistic=None,
            outer="",
        )


def read_with_model(model: LanguageModel, question: str, formulas: FormulaList) -> Reading:
    """Ask the model which figures a question needs; examples go before it as turns of a chat.

    Raises ModelError where the model cannot be reached or gives no such answer.
    """
    reply = model.reply(chat("read_numbers", question, names=figure_names(formulas)), schema=SCHEMA)
    return _reading(reply.data if isinstance(reply.data, Mapping) else {})


def chat(task: str, question: str, **values: str) -> list[Message]:
    """The prompt of a task with its examples and the question, in the question's language."""
    language = language_of(question)
    system = Template(load_prompt(task, language)).substitute(values)
    messages = [Message("system", system)]
    for role, text in load_shots(f"{task}_shots", language):
        messages.append(Message("user" if role == "user" else "assistant", text))
    return [*messages, Message("user", question)]


def figure_names(formulas: FormulaList) -> str:
    """All metrics and formulas, for a prompt."""
    return ", ".join(dict.fromkeys((*formulas.known.metrics, *formulas.formulas)))


def _operand(name: str, formulas: FormulaList) -> Operand:
    known = formulas.find(name) or formulas.known.find(name)
    if known is None:
        return Operand(name, "", tuple(name.lower().split()), written=name)
    return Operand(name, known.name, (), written=name)


def _reading(data: Mapping[str, Any]) -> Reading:
    """What is odd in the answer is left out: the rest may still be right."""
    route = data.get("route")
    operation = str(data.get("operation"))
    periods = list(map(_period, _texts(data.get("periods"))))
    return Reading(
        route=cast("Route", route) if route in get_args(Route) else "text",
        figures=_texts(data.get("figures"))[:_MOST_FIGURES],
        operation=operation if operation in OPERATIONS else "value",
        companies=_texts(data.get("companies")),
        periods=tuple(filter(None, periods)),
    )


def _texts(value: object) -> tuple[str, ...]:
    items: Sequence[object] = value if isinstance(value, list) else ()
    return tuple(item.strip() for item in items if isinstance(item, str) and item.strip())


def _period(text: str) -> Period | None:
    try:
        return Period.parse(text)
    except ValueError:
        return None
