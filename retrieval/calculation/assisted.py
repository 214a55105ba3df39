"""Answers in numbers: by the rules, and where those are unsure or decline, with a model's help.

The model never calculates and never answers: it names the figures, or writes a SELECT over the facts, and the program
does the rest. Whatever goes wrong with it leaves the rules' outcome as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...core.errors import ModelError, UsageError
from ...core.fact import Fact
from ...core.patterns import on_demand
from ...core.period import label_of
from ...core.records import dataclass
from ...core.scope import Scope
from ...kg.store import FactQuery
from ...models.language import Message
from ..question.figures.asked import chat, read_with_model
from ..question.figures.selection_request import read_statistic
from ..question.plan import QuestionPlan
from ..question.vocabulary.vocabulary import FormulaList
from .answer import explain_numbers, sources_in_scope
from .formatting import Numbering, as_printed
from .result import NumberAnswer, Outcome, components_of
from .sql_guard import VIEW, Rows, select_facts

if TYPE_CHECKING:
    from ...kg.store import Store
    from ...models.language import LanguageModel


_WORDS = ("text", "general")
_COMBINES = ("calculation", "comparison")
"""Routes of what no single passage states; companies may be compared by any."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"sql": {"type": "string"}},
    "required": ["sql"],
    "additionalProperties": False,
}
_ATTEMPTS = 2
"""A statement that is refused goes back to the model once, with the reason."""
MOST_ROWS = 50
_SECONDS = 5.0
_MOST_CELLS = 20
_MOST_COMPANIES = 60
_PLAIN = on_demand(rf"\s*select\b(?P<columns>.*?)\bfrom\s+{VIEW}\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_SUMMARY = on_demand(r"\b(?:count|sum|avg|total|min|max)\s*\(", re.IGNORECASE)
_TAIL = on_demand(r"\b(?:group\s+by|having|order\s+by|limit|window|union|except|intersect)\b", re.IGNORECASE)
_CELL = "source, metric, label, period, text"


@dataclass(slots=True)
class _Search:
    plan: QuestionPlan
    trace: dict[str, Any] = field(default_factory=dict)

    def by_rules(self) -> Outcome:
        outcome = explain_numbers(self.plan)
        asked = outcome.asked
        self.trace |= {"route": asked.route, "reason": asked.reason, "sure": asked.sure, "by": "rules"}
        return outcome

    def with_model(self, outcome: Outcome, model: LanguageModel) -> Outcome:
        """First the figures that the model names, then its SQL."""
        reading = read_with_model(model, self.plan.text, self.plan.vocabulary.formulas)
        self.trace |= {"route": reading.route, "reason": "a model read the question", "by": "model"}
        if reading.route in _WORDS:
            return outcome
        if reading.route == "statistics":
            return self.in_sql(outcome, model)
        if not reading.figures:
            return outcome
        plan = self.plan
        if plan.scope is None and reading.companies and not outcome.sources:
            plan = plan.within(Scope(companies=reading.companies))
        found = explain_numbers(plan, reading)
        return outcome if found.answer is None else found

    def in_sql(self, outcome: Outcome, model: LanguageModel) -> Outcome:
        plan = self.plan
        found = answer_in_sql(plan.store, plan.text, model, plan.vocabulary.formulas, sources_in_scope(plan))
        if found is None:
            return outcome
        self.trace |= {"by": "SQL", "sql": found.statement, "rows": len(found.rows.rows)}
        answer = write_rows(found, outcome)
        return replace(outcome, answer=answer) if answer else outcome


def find_numbers(plan: QuestionPlan, model: LanguageModel | None = None) -> Outcome:
    """As :func:`.answer.explain_numbers`, with ``trace``; a model is asked only where the rules give no answer.

    It is asked only for what no single passage states: where companies are compared or counted, something is to be
    calculated, or a known figure stands among words that the rules cannot place ("how much of each dollar of sales").
    A value that has no such name is in the passages, which the model reads anyway: 19 real readings of questions on
    filings, calls and notes changed no answer.
    """
    search = _Search(plan)
    outcome = search.by_rules()
    asked = outcome.asked
    is_named = asked.route == "look-up" and asked.names_figure
    combines = asked.question.numeric and (is_named or asked.route in _COMBINES)
    is_for_model = outcome.answer is None and (combines or read_statistic(asked.question.trimmed) is not None)
    if model is not None and is_for_model and plan.store.facts(FactQuery(limit=1)):
        try:
            outcome = search.with_model(outcome, model)
        except ModelError as error:
            search.trace["model"] = str(error)
    return replace(outcome, trace={**search.trace, **_told(outcome)})


def _told(outcome: Outcome) -> dict[str, Any]:
    """What was understood, for the trace, and how sure the answer is; or why there is none."""
    asked = outcome.asked
    told: dict[str, Any] = {
        "operation": asked.operation,
        "figures": [operand.name or operand.text for operand in asked.operands],
        "periods": [period.label for period in asked.periods],
    }
    if outcome.answer is None:
        return told | {"declined": outcome.declined}
    likeness: dict[str, float] = {}
    for part in components_of(outcome.answer.figures):
        if part.score < 1:
            likeness[part.name] = round(part.score, 2)
    if likeness:
        told["likeness"] = likeness
    return told | {"notes": list(outcome.answer.notes)}


def write_rows(found: SqlAnswer, outcome: Outcome) -> NumberAnswer | None:
    """The rows of a statement as text, with the facts behind it; None without a row or a fact to point to."""
    if not found.rows.rows or not found.facts:
        return None
    numbering = Numbering()
    lines: list[str] = []
    for row in found.rows.rows:
        own = [fact for fact in found.facts if _states(row, fact.company, fact.amount)]
        values = ", ".join(_shown(row, found.rows.columns))
        lines.append(f"{values} {numbering.of(own)}".rstrip())
    rest = numbering.of(found.facts)
    if not any("[" in line for line in lines):
        lines[-1] = f"{lines[-1]} {rest}"
    return NumberAnswer(
        text="\n".join(lines),
        value=None,
        unit="",
        scale=Decimal(1),
        citations=numbering.citations(),
        figures=(),
        asked=outcome.asked,
        notes=(f"by SQL: {found.statement}",),
    )


def _states(row: tuple[object, ...], company: str, amount: Decimal | None) -> bool:
    if company not in row or amount is None:
        return False
    numbers = [Decimal(str(value)) for value in row if isinstance(value, (int, float))]
    return amount in numbers


def _shown(row: tuple[object, ...], columns: tuple[str, ...]) -> list[str]:
    """ "company Acme", "revenue 1,200": each value under its column's name."""
    return [f"{column} {as_printed(value)}" for column, value in zip(columns, row, strict=True) if value is not None]


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """A statement that ran, what it gave, and the facts that it read, as far as they can be named."""

    statement: str
    rows: Rows
    facts: tuple[Fact, ...] = ()


def answer_in_sql(
    store: Store,
    question: str,
    model: LanguageModel,
    formulas: FormulaList,
    sources: Collection[str] | None = None,
) -> SqlAnswer | None:
    """Let the model write a statement and run it; None where it writes none or none that may run.

    ``sources`` are the documents whose facts it sees; None: all.

    Raises ModelError where the model cannot be reached or gives no such answer.
    """
    messages = _messages(store, question, formulas)
    for _ in range(_ATTEMPTS):
        reply = model.reply(messages, schema=_SCHEMA)
        statement = str(reply.data.get("sql", "")) if isinstance(reply.data, Mapping) else ""
        statement = statement.strip().rstrip(";").strip()
        if not statement:
            return None
        try:
            rows = select_facts(store, statement, limit=MOST_ROWS, seconds=_SECONDS, sources=sources)
        except UsageError as refused:
            messages = [*messages, Message("assistant", reply.text), Message("user", f"Refused: {refused}")]
            continue
        return SqlAnswer(statement, rows, facts_behind(store, statement, sources))
    return None


def facts_behind(store: Store, statement: str, sources: Collection[str] | None = None) -> tuple[Fact, ...]:
    """The first facts that a plain SELECT reads: its conditions alone, under the same guard; none for a nested one."""
    plain = _PLAIN.fullmatch(statement)
    if plain is None:
        return ()
    rest = plain["rest"]
    if _SUMMARY.search(plain["columns"]) or re.search(r"\bgroup\s+by\b", rest, re.IGNORECASE):
        rest = _outer(rest)
    try:
        found = select_facts(
            store, f"SELECT {_CELL} FROM {VIEW} {rest}", limit=_MOST_CELLS, seconds=_SECONDS, sources=sources
        )
    except UsageError:
        return ()
    return _stored(store, found.rows)


def _outer(rest: str) -> str:
    """The conditions without grouping, order and limit, where those stand outside of all parentheses."""
    depth, at = 0, 0
    while at < len(rest):
        depth += {"(": 1, ")": -1}.get(rest[at], 0)
        if depth == 0 and _TAIL.match(rest, at):
            return rest[:at]
        at += 1
    return rest


def _stored(store: Store, cells: Sequence[tuple[object, ...]]) -> tuple[Fact, ...]:
    wanted = list(dict.fromkeys(cells))
    sources = tuple({str(cell[0]) for cell in wanted})
    metrics = tuple({str(cell[1]) for cell in wanted if cell[1]})
    if not sources:
        return ()
    known: dict[tuple[object, ...], Fact] = {}
    for fact in store.facts(FactQuery(sources=sources, metrics=metrics, limit=50_000)):
        period = label_of(fact.period)
        known.setdefault((fact.source, fact.metric, fact.label, period, fact.text), fact)
    return tuple(known[cell] for cell in wanted if cell in known)


def _messages(store: Store, question: str, formulas: FormulaList) -> list[Message]:
    companies = list(dict.fromkeys(chain.from_iterable(record.companies for record in store.documents())))
    names = ", ".join(formulas.known.metrics)
    return chat("facts_sql", question, names=names, companies=", ".join(companies[:_MOST_COMPANIES]) or "-")
