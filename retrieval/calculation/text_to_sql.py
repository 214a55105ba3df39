"""Text to SQL: a model writes one SELECT on the view of facts, which runs under the same guard as a user's."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...core.fact import Fact
from ...kg.store import FactQuery
from ...models.language import Message
from ..question.figures.llm_parser import chat
from ..question.vocabulary.formulas import FormulaList
from .sql_guard import VIEW, Rows, select_facts

if TYPE_CHECKING:
    from ...kg.store import Store
    from ...models.language import LanguageModel


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
_PLAIN = re.compile(rf"\s*select\b(?P<columns>.*?)\bfrom\s+{VIEW}\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_SUMMARY = re.compile(r"\b(?:count|sum|avg|total|min|max)\s*\(", re.IGNORECASE)
_TAIL = re.compile(r"\b(?:group\s+by|having|order\s+by|limit|window|union|except|intersect)\b", re.IGNORECASE)
_CELL = "source, metric, label, period, text"


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
        period = fact.period.label if fact.period else ""
        known.setdefault((fact.source, fact.metric, fact.label, period, fact.text), fact)
    return tuple(known[cell] for cell in wanted if cell in known)


def _messages(store: Store, question: str, formulas: FormulaList) -> list[Message]:
    companies = list(dict.fromkeys(name for record in store.documents() for name in record.companies))
    names = ", ".join(formulas.known.metrics)
    return chat("facts_sql", question, names=names, companies=", ".join(companies[:_MOST_COMPANIES]) or "-")
