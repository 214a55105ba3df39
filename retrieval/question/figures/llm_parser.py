"""Where the rules are unsure what a question asks, a model says which figures: it reads, the program calculates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import Template
from typing import TYPE_CHECKING, Any, cast, get_args

from ....core.names import is_chinese
from ....core.period import Period
from ....models.language import Message
from ....prompts import load_prompt, load_shots
from ..vocabulary.vocabulary import FormulaList
from .asked import Asked, Route
from .operands import Operand

if TYPE_CHECKING:
    from ....models.language import LanguageModel

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
            nested=False,
        )


def read_with_model(model: LanguageModel, question: str, formulas: FormulaList) -> Reading:
    """Ask the model which figures a question needs; examples go before it as turns of a chat.

    Raises ModelError where the model cannot be reached or gives no such answer.
    """
    reply = model.reply(chat("read_numbers", question, names=figure_names(formulas)), schema=SCHEMA)
    return _reading(reply.data if isinstance(reply.data, Mapping) else {})


def chat(task: str, question: str, **values: str) -> list[Message]:
    """The prompt of a task with its examples and the question, in the question's language."""
    language = "zh" if is_chinese(question) else "en"
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
