"""Facts, stored as exact text, found by company, metric, period and amount; drivers, with a row for every cause."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, cast

from ....core.fact import Basis, Consolidation, Fact, SourceKind
from ....core.ids import stable_id
from ....core.names import company_key
from ....core.period import label_of, last_day_of
from ...drivers import Cause, Driver, DriverQuery
from ...storage.codec import (
    anchor_lists,
    cause_rows,
    driver_row,
    dumps,
    period_json,
    read_anchors,
    read_driver,
    read_period,
    wanted_values,
)
from ...storage.preparation import significant_digits
from ...store import FactQuery
from .connection import Database
from .documents import Catalogue

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
    return [_fact(catalogue.source(row[1]), row) for row in rows]


def _row(document: int, ordinal: int, fact: Fact) -> tuple[Any, ...]:
    amount, period = fact.amount, fact.period
    return (
        *(fact.id or stable_id("fact", fact.source, ordinal, fact.label, fact.text), document),
        *(fact.company, company_key(fact.company), fact.metric, fact.label),
        *(period_json(period), label_of(period), last_day_of(period)),
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


_KEPT = 1 << 14
"""Facts as stored, about 2 KB each: a question reads those of a report several times, as does the next one."""


@lru_cache(maxsize=_KEPT)
def _fact(source: str, row: tuple[Any, ...]) -> Fact:
    key, _, company, metric, label, period, text, value, unit, scale, dimensions, basis, *rest = row
    consolidation, source_kind, anchors, start, end, table, line, column, confidence = rest
    return Fact(
        *(company, metric, label, read_period(period), text, None if value is None else Decimal(value), unit),
        scale=Decimal(scale),
        dimensions=tuple((axis, member) for axis, member in json.loads(dimensions)),
        basis=cast(Basis, basis),
        consolidation=cast(Consolidation, consolidation),
        source_kind=cast(SourceKind, source_kind),
        source=source,
        anchors=read_anchors(json.loads(anchors)),
        start=start,
        end=end,
        table=table,
        row=line,
        column=column,
        confidence=confidence,
        id=key,
    )


_NAMES = (
    "id company segment metric label direction outlook period start end text anchors published confidence extractor"
)
_FIELDS = (*_NAMES.split(), "data")
_READ_DRIVERS = f"""SELECT {", ".join(f'v."{"key" if name == "id" else name}"' for name in _FIELDS)}, v.document, c.key
  FROM driver AS v JOIN chunk AS c ON c.id = v.chunk JOIN document AS d ON d.id = v.document"""
_DRIVER_ORDER = "ORDER BY v.company, v.metric, v.period_end, d.source, v.start, v.key"


def write_drivers(db: Database, document: int, part: int, drivers: Sequence[Driver], chunks: Mapping[str, int]) -> None:
    """Store what an extractor read of a document."""
    for driver in drivers:
        row = driver_row(driver)
        columns = {"key": row.pop("id"), "document": document, "part": part, "chunk": chunks[driver.chunk], **row}
        names, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
        number = db.insert(f"INSERT INTO driver ({names}) VALUES ({marks})", tuple(columns.values()))
        db.run_many(
            "INSERT INTO driver_cause VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, found.number, found.parent, *_cause_values(found.cause)) for found in cause_rows(driver)],
        )


def read_drivers(db: Database, catalogue: Catalogue, query: DriverQuery) -> list[Driver]:
    """Drivers that pass all filters, by company, metric, period end, source and start."""
    conditions, values = [], []
    for column, wanted in wanted_values(query).items():
        among: Sequence[Any] = wanted
        if column == "document":
            among = [place.id for place in catalogue.places(wanted)]
        conditions.append(f"v.{column} IN (SELECT value FROM json_each(?))")
        values.append(dumps(list(among)))
    if query.categories:
        listed = "SELECT driver FROM driver_cause WHERE category IN (SELECT value FROM json_each(?))"
        conditions.append(f"v.id IN ({listed})")
        values.append(dumps(list(query.categories)))
    where = " AND ".join(conditions) or "1"
    rows = db.rows(f"{_READ_DRIVERS} WHERE {where} {_DRIVER_ORDER} LIMIT ?", (*values, query.limit))
    return [_driver(catalogue, row) for row in rows]


def drivers_of_part(db: Database, catalogue: Catalogue, part: int) -> tuple[Driver, ...]:
    """What one extractor read, in order of place."""
    return tuple(
        _driver(catalogue, row) for row in db.rows(f"{_READ_DRIVERS} WHERE v.part = ? ORDER BY v.start, v.id", (part,))
    )


def _driver(catalogue: Catalogue, row: Sequence[Any]) -> Driver:
    *values, document, chunk = row
    return read_driver(dict(zip(_FIELDS, values, strict=True)), catalogue.source(document), chunk)


def _cause_values(cause: Cause) -> tuple[Any, ...]:
    amount = cause.amount
    size = (None, "") if amount is None else (float(amount.amount), amount.unit)
    return (cause.text, cause.sign, cause.category, cause.role, *size)
