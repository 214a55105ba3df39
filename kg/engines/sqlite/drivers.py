"""Drivers: a row each, and a row for every cause so that its class is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...drivers import Cause, Driver, DriverQuery
from ...storage.codec import dumps
from ...storage.driver_rows import cause_rows, driver_row, read_driver, wanted_values
from .catalogue import Catalogue
from .connection import Database

_NAMES = (
    "id company segment metric label direction outlook period start end text anchors published confidence extractor"
)
_FIELDS = (*_NAMES.split(), "data")
_READ = f"""SELECT {", ".join(f'v."{"key" if name == "id" else name}"' for name in _FIELDS)}, v.document, c.key
  FROM driver AS v JOIN chunk AS c ON c.id = v.chunk JOIN document AS d ON d.id = v.document"""
_ORDER = "ORDER BY v.company, v.metric, v.period_end, d.source, v.start, v.key"


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
    rows = db.rows(f"{_READ} WHERE {where} {_ORDER} LIMIT ?", (*values, query.limit))
    return [_driver(catalogue, row) for row in rows]


def drivers_of_part(db: Database, catalogue: Catalogue, part: int) -> tuple[Driver, ...]:
    """What one extractor read, in order of place."""
    return tuple(
        _driver(catalogue, row) for row in db.rows(f"{_READ} WHERE v.part = ? ORDER BY v.start, v.id", (part,))
    )


def _driver(catalogue: Catalogue, row: Sequence[Any]) -> Driver:
    *values, document, chunk = row
    return read_driver(dict(zip(_FIELDS, values, strict=True)), catalogue.source(document), chunk)


def _cause_values(cause: Cause) -> tuple[Any, ...]:
    amount = cause.amount
    size = (None, "") if amount is None else (float(amount.amount), amount.unit)
    return (cause.text, cause.sign, cause.category, cause.role, *size)
