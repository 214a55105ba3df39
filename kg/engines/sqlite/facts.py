"""Facts: stored as exact text, found by company, metric, period and amount."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast

from ....core.fact import Basis, Consolidation, Fact, SourceKind
from ....core.ids import stable_id
from ....core.names import company_key
from ...storage.codec import anchor_lists, dumps, period_json, read_anchors, read_period
from ...storage.preparation import significant_digits
from ...store import FactQuery
from .catalogue import Catalogue
from .connection import Database

_COLUMNS = (
    "key document company company_key metric label period period_label period_end text value scale amount digits "
    "unit dimensions basis consolidation source_kind anchors page start end table row column confidence"
)
_READ = """SELECT f.key, f.document, f.company, f.metric, f.label, f.period, f.text, f.value, f.unit, f.scale,
  f.dimensions, f.basis, f.consolidation, f.source_kind, f.anchors, f.start, f."end", f."table", f."row", f."column",
  f.confidence FROM fact AS f JOIN document AS d ON d.id = f.document"""


def write_facts(db: Database, document: int, facts: Sequence[Fact]) -> None:
    """Store the facts of a new document."""
    db.fill("fact", _COLUMNS, (_row(document, i, fact) for i, fact in enumerate(facts)))


def read_facts(db: Database, catalogue: Catalogue, query: FactQuery) -> list[Fact]:
    """Facts that pass all filters, by company, metric, period end, source and start."""
    conditions, values = _conditions(catalogue, query)
    order = "ORDER BY f.company, f.metric, f.period_end, d.source, f.start, f.id LIMIT ?"
    rows = db.rows(f"{_READ} WHERE {' AND '.join(conditions) or 1} {order}", (*values, query.limit))
    return [_fact(catalogue, row) for row in rows]


def _row(document: int, ordinal: int, fact: Fact) -> tuple[Any, ...]:
    amount, period = fact.amount, fact.period
    return (
        *(fact.id or stable_id("fact", fact.source, ordinal, fact.label, fact.text), document),
        *(fact.company, company_key(fact.company), fact.metric, fact.label),
        *(period_json(period), period.label if period else "", period.last_day.isoformat() if period else ""),
        *(fact.text, None if fact.value is None else str(fact.value), str(fact.scale)),
        *(None if amount is None else float(amount), significant_digits(amount), fact.unit, dumps(fact.dimensions)),
        *(fact.basis, fact.consolidation, fact.source_kind, dumps(anchor_lists(fact.anchors)), fact.page),
        *(fact.start, fact.end, fact.table, fact.row, fact.column, fact.confidence),
    )


def _conditions(catalogue: Catalogue, query: FactQuery) -> tuple[list[str], list[Any]]:
    among = {
        "f.company_key": list(map(company_key, query.companies)),
        "f.metric": query.metrics,
        "f.period_label": [period.label for period in query.periods],
        "f.document": [place.id for place in catalogue.places(query.sources)] if query.sources else (),
        "f.digits": [significant_digits(query.value)] if query.value is not None else (),
    }
    given = {column: wanted for column, wanted in among.items() if wanted or (column == "f.document" and query.sources)}
    conditions = [f"{column} IN (SELECT value FROM json_each(?))" for column in given]
    values: list[Any] = [dumps(list(wanted)) for wanted in given.values()]
    if query.label:
        conditions.append("instr(lower(f.label), lower(?)) > 0")
        values.append(query.label)
    return conditions, values


def _fact(catalogue: Catalogue, row: Sequence[Any]) -> Fact:
    key, document, company, metric, label, period, text, value, unit, scale, dimensions, basis, *rest = row
    consolidation, source_kind, anchors, start, end, table, line, column, confidence = rest
    return Fact(
        *(company, metric, label, read_period(period), text, None if value is None else Decimal(value), unit),
        scale=Decimal(scale),
        dimensions=tuple((axis, member) for axis, member in json.loads(dimensions)),
        basis=cast(Basis, basis),
        consolidation=cast(Consolidation, consolidation),
        source_kind=cast(SourceKind, source_kind),
        source=catalogue.source(document),
        anchors=read_anchors(json.loads(anchors)),
        start=start,
        end=end,
        table=table,
        row=line,
        column=column,
        confidence=confidence,
        id=key,
    )
