"""Drivers as rows of simple values and back, the same for every engine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

from ...core.ids import stable_id
from ...core.names import company_key
from ...core.quantity import Quantity
from ..drivers import Cause, Direction, Driver, DriverQuery, Role
from .codec import anchor_lists, day_text, dumps, period_json, read_anchors, read_day, read_period

Row = dict[str, Any]
FILTERS: Mapping[str, str] = {
    "company_key": "company_keys",
    "metric": "metrics",
    "period_label": "periods",
    "document": "sources",
}
"""Column -> the field of a query that it has to be among."""


@dataclass(frozen=True, slots=True)
class CauseRow:
    """One cause: ``parent`` is the number of the cause in front of it, None for one of the figure itself."""

    number: int
    parent: int | None
    cause: Cause


def driver_row(driver: Driver) -> Row:
    """A driver without its document and chunk; ``data`` holds causes and amounts exactly."""
    period = driver.period
    amounts = list(map(quantity_list, (driver.change, driver.percent, driver.level)))
    return {
        "id": driver.id,
        "company": driver.company,
        "company_key": company_key(driver.company),
        "segment": driver.segment,
        "metric": driver.metric,
        "label": driver.label,
        "direction": driver.direction,
        "outlook": driver.outlook,
        "period": period_json(period),
        "period_label": period.label if period else "",
        "period_end": period.last_day.isoformat() if period else "",
        "start": driver.start,
        "end": driver.end,
        "text": driver.text,
        "anchors": dumps(anchor_lists(driver.anchors)),
        "page": driver.page,
        "published": day_text(driver.published),
        "confidence": driver.confidence,
        "extractor": driver.extractor,
        "data": dumps([amounts, list(map(_cause_list, driver.causes))]),
    }


def read_driver(row: Mapping[str, Any], document: str, chunk: str) -> Driver:
    """The driver of :func:`driver_row`."""
    (change, percent, level), causes = json.loads(row["data"])
    return Driver(
        id=row["id"],
        company=row["company"],
        metric=row["metric"],
        label=row["label"],
        direction=cast(Direction, row["direction"]),
        causes=tuple(map(_read_cause, causes)),
        document=document,
        chunk=chunk,
        start=row["start"],
        end=row["end"],
        text=row["text"],
        segment=row["segment"],
        period=read_period(row["period"]),
        change=read_quantity(change),
        percent=read_quantity(percent),
        level=read_quantity(level),
        outlook=bool(row["outlook"]),
        anchors=read_anchors(json.loads(row["anchors"])),
        published=read_day(row["published"]),
        confidence=row["confidence"],
        extractor=row["extractor"],
    )


def cause_rows(driver: Driver) -> Iterator[CauseRow]:
    """All causes of a driver, numbered from 0, each after the one that it is behind."""
    waiting: list[tuple[int | None, Cause]] = [(None, cause) for cause in driver.causes]
    number = 0
    while waiting:
        parent, cause = waiting.pop(0)
        yield CauseRow(number, parent, cause)
        waiting += [(number, behind) for behind in cause.causes]
        number += 1


def cause_id(driver: Driver, number: int) -> str:
    """The public id of a cause."""
    return stable_id("cause", driver.id, number)


def wanted_values(query: DriverQuery) -> dict[str, list[str]]:
    """Column -> the values that a query asks for; columns that it leaves open are left out."""
    found: dict[str, list[str]] = {}
    for column, name in FILTERS.items():
        values = getattr(query, name)
        if values:
            found[column] = [period.label for period in values] if name == "periods" else list(values)
    return found


def quantity_list(quantity: Quantity | None) -> list[Any] | None:
    """A quantity as a list."""
    if quantity is None:
        return None
    return [quantity.text, str(quantity.value), quantity.unit, str(quantity.scale), quantity.start]


def read_quantity(values: Sequence[Any] | None) -> Quantity | None:
    """The quantity of :func:`quantity_list`."""
    if values is None:
        return None
    text, value, unit, scale, start = values
    return Quantity(text, Decimal(value), unit, Decimal(scale), start)


def _cause_list(cause: Cause) -> list[Any]:
    behind = list(map(_cause_list, cause.causes))
    place = [cause.text, cause.start, cause.end]
    return [*place, cause.sign, cause.category, cause.role, quantity_list(cause.amount), behind]


def _read_cause(values: Sequence[Any]) -> Cause:
    text, start, end, sign, category, role, amount, behind = values
    causes = tuple(map(_read_cause, behind))
    return Cause(text, start, end, sign, category, cast(Role, role), read_quantity(amount), causes)
