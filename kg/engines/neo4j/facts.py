"""Facts as nodes, and drivers: a figure, its causes behind one another, and the classes of causes that companies
share.

(Document)-[:EXPLAINS]->(Driver)-[:CAUSED_BY {sign}]->(Cause)-[:CAUSED_BY]->(Cause)-[:OF_CLASS]->(CauseClass),
and (Driver)-[:ABOUT]->(Company) where the graph has the company, (Driver)-[:FROM]->(Chunk).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, cast

from ....core.errors import StoreError
from ....core.fact import Basis, Consolidation, Fact, SourceKind
from ....core.ids import stable_id
from ....core.names import company_key
from ....core.period import label_of
from ...drivers import Driver, DriverQuery
from ...storage.codec import (
    anchor_lists,
    cause_id,
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
from .connection import Graph, Row, Transaction

SHELF_DOCUMENTS = 8
"""Documents of a scope whose facts are kept in memory: the reports of a few companies and years."""
_SHELF_SCOPES = 8
_MOST = 1_000_000


_ORDER = "f.company, f.metric, f.period_end, f.document, f.start, f.number"


def fact_rows(source: str, facts: Sequence[Fact]) -> list[Row]:
    """The properties of fact nodes: what people look at and queries filter by; ``data`` has the rest, as one text.

    A report has thousands of facts, and each property of a node costs the server time: half of them is half of it.
    """
    periods = {period: period_json(period) for period in {fact.period for fact in facts}}
    return [_row(source, i, fact, periods[fact.period]) for i, fact in enumerate(facts)]


def read_facts(graph: Graph, query: FactQuery) -> list[Fact]:
    """Facts that pass all filters, by company, metric, period end, source and start."""
    among: dict[str, list[str]] = {
        "company_key": list(map(company_key, query.companies)),
        "metric": list(query.metrics),
        "period_label": [period.label for period in query.periods],
        "document": list(query.sources),
        "digits": [significant_digits(query.value)] if query.value is not None else [],
    }
    conditions = [f"f.{name} IN ${name}" for name, wanted in among.items() if wanted]
    if query.label:
        conditions.append("toLower(f.label) CONTAINS toLower($label)")
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    cypher = f"""MATCH (f:Fact) {where} RETURN properties(f) AS fact
      ORDER BY {_ORDER} LIMIT $limit"""
    rows = graph.read(cypher, **among, label=query.label, limit=query.limit)
    return [_fact(row["fact"]) for row in rows]


class Shelf:
    """The facts of the scopes asked last, as long as nothing is written: the next question about them reads nothing."""

    def __init__(self) -> None:
        self._version = -1
        self._scopes: dict[frozenset[str], list[Fact]] = {}

    def facts(self, graph: Graph, version: int, query: FactQuery) -> list[Fact]:
        """As in the store."""
        scope = frozenset(query.sources)
        if not 0 < len(scope) <= SHELF_DOCUMENTS:
            return read_facts(graph, query)
        if version != self._version or len(self._scopes) >= _SHELF_SCOPES:
            self._scopes, self._version = {}, version
        if scope not in self._scopes:
            self._scopes[scope] = read_facts(graph, FactQuery(sources=tuple(scope), limit=_MOST))
        return [fact for fact in self._scopes[scope] if passes(fact, query)][: query.limit]


def passes(fact: Fact, query: FactQuery) -> bool:
    """True for a fact that a query asks for."""
    wanted_and_own = (
        (set(map(company_key, query.companies)), company_key(fact.company)),
        (query.metrics, fact.metric),
        ({period.label for period in query.periods}, label_of(fact.period)),
        (query.sources, fact.source),
    )
    if any(wanted and own not in wanted for wanted, own in wanted_and_own):
        return False
    if query.value is not None and significant_digits(fact.amount) != significant_digits(query.value):
        return False
    return query.label.lower() in fact.label.lower()


def _row(source: str, ordinal: int, fact: Fact, period: str | None) -> Row:
    amount = fact.amount
    exactly = [None if fact.value is None else str(fact.value), str(fact.scale)]
    kinds = [fact.basis, fact.consolidation, fact.source_kind]
    place = [fact.end, anchor_lists(fact.anchors)]
    return {
        "id": fact.id or stable_id("fact", fact.source, ordinal, fact.label, fact.text),
        "number": ordinal,
        "document": source,
        "company": fact.company,
        "company_key": company_key(fact.company),
        "metric": fact.metric,
        "label": fact.label,
        "period_label": label_of(fact.period),
        "period_end": fact.period.last_day.isoformat() if fact.period else "",
        "text": fact.text,
        "amount": None if amount is None else float(amount),
        "digits": significant_digits(amount),
        "unit": fact.unit,
        "dimensions": dumps(fact.dimensions) if fact.dimensions else "[]",
        "page": fact.page,
        "start": fact.start,
        "table": fact.table,
        "row": fact.row,
        "column": fact.column,
        "confidence": fact.confidence,
        "data": dumps([period, *exactly, *kinds, *place]),
    }


_DATA = ("period", "value", "scale", "basis", "consolidation", "source_kind", "end", "anchors")
"""What ``data`` holds, in order. Workspaces of layout 4 and older have a property for each."""


def _fact(row: dict[str, Any]) -> Fact:
    if "data" in row:
        row |= zip(_DATA, json.loads(row["data"]), strict=True)
    else:
        row["anchors"] = json.loads(row["anchors"])
    value = row.get("value")
    return Fact(
        company=row["company"],
        metric=row["metric"],
        label=row["label"],
        period=read_period(row.get("period")),
        text=row["text"],
        value=None if value is None else Decimal(value),
        unit=row["unit"],
        scale=Decimal(row["scale"]),
        dimensions=tuple((axis, member) for axis, member in json.loads(row["dimensions"])),
        basis=cast(Basis, row["basis"]),
        consolidation=cast(Consolidation, row["consolidation"]),
        source_kind=cast(SourceKind, row["source_kind"]),
        source=row["document"],
        anchors=read_anchors(row["anchors"]),
        start=row["start"],
        end=row["end"],
        table=row.get("table"),
        row=row.get("row"),
        column=row.get("column"),
        confidence=row["confidence"],
        id=row["id"],
    )


_WRITE = """MATCH (d:Document {source: $source})
UNWIND $rows AS row
MATCH (c:Chunk {id: row.properties.chunk, document: $source})
CREATE (d)-[:EXPLAINS]->(v:Driver) SET v = row.properties
CREATE (v)-[:FROM]->(c)
WITH v, row
OPTIONAL MATCH (e:Entity {id: row.entity})
FOREACH (known IN CASE WHEN e IS NULL THEN [] ELSE [e] END | CREATE (v)-[:ABOUT]->(known))
WITH v, row
CALL (v, row) {
  UNWIND row.causes AS cause
  CREATE (a:Cause) SET a = cause.properties
  FOREACH (first IN CASE WHEN cause.parent IS NULL THEN [v] ELSE [] END |
    CREATE (first)-[:CAUSED_BY {sign: cause.properties.sign, role: cause.properties.role}]->(a))
  WITH v, a, cause
  CALL (a, cause) {
    WITH a, cause WHERE cause.properties.category <> ''
    MERGE (k:CauseClass {name: cause.properties.category})
    CREATE (a)-[:OF_CLASS]->(k)
  }
  CALL (v, a, cause) {
    WITH v, a, cause WHERE cause.parent IS NOT NULL
    MATCH (before:Cause {id: cause.parent})
    CREATE (before)-[:CAUSED_BY {sign: cause.properties.sign, role: cause.properties.role}]->(a)
  }
}
RETURN count(DISTINCT v) AS made"""

FORGET = """OPTIONAL MATCH (v)-[:CAUSED_BY*1..9]->(a:Cause)
  OPTIONAL MATCH (a)-[:OF_CLASS]->(k:CauseClass)
  WITH collect(DISTINCT v) + collect(DISTINCT a) AS gone, collect(DISTINCT k) AS classes
  FOREACH (node IN gone | DETACH DELETE node)
  WITH classes UNWIND classes AS k
  WITH k WHERE NOT (k)<-[:OF_CLASS]-() DELETE k"""
"""End of a query that has matched drivers as ``v``: they go with their causes, and classes that nothing is of."""


def write_drivers(tx: Transaction, source: str, rows: Sequence[Row]) -> None:
    """Store the rows of :func:`written_row`, of a document whose chunks are there."""
    if not rows:
        return
    made = tx.run_batches(_WRITE, rows, source=source)
    if sum(row["made"] for row in made) != len(rows):
        raise StoreError("the graph names a chunk that is not in the document", where=source)


def written_row(driver: Driver, source: str, extraction: str) -> Row:
    """A driver with its causes, as the statement that writes it wants them."""
    places = {"document": source, "chunk": driver.chunk, "extraction": extraction}
    causes = []
    for found in cause_rows(driver):
        cause = found.cause
        properties = {
            "id": cause_id(driver, found.number),
            "driver": driver.id,
            "text": cause.text,
            "sign": cause.sign,
            "category": cause.category,
            "role": cause.role,
            "amount": None if cause.amount is None else float(cause.amount.amount),
            "unit": cause.amount.unit if cause.amount else "",
        }
        parent = None if found.parent is None else cause_id(driver, found.parent)
        causes.append({"properties": properties, "parent": parent})
    entity = stable_id("entity", "company", driver.company.casefold())
    return {"properties": driver_row(driver) | places, "entity": entity, "causes": causes}


def read_drivers(graph: Graph, query: DriverQuery) -> list[Driver]:
    """Drivers that pass all filters, by company, metric, period end, source and start."""
    among = wanted_values(query)
    conditions = [f"v.{column} IN ${column}" for column in among]
    if query.categories:
        conditions.append("EXISTS { (v)-[:CAUSED_BY*1..9]->(a:Cause) WHERE a.category IN $categories }")
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    cypher = f"""MATCH (v:Driver) {where} RETURN properties(v) AS driver
      ORDER BY v.company, v.metric, v.period_end, v.document, v.start, v.id LIMIT $limit"""
    rows = graph.read(cypher, **among, categories=list(query.categories), limit=query.limit)
    return [_driver(row["driver"]) for row in rows]


def drivers_of_part(rows: Iterable[Row]) -> tuple[Driver, ...]:
    """Drivers from their nodes, in order of place."""
    return tuple(sorted(map(_driver, rows), key=lambda driver: (driver.start, driver.id)))


def _driver(row: Row) -> Driver:
    given = {"period": None, "published": None, **row}
    return read_driver(given, row["document"], row["chunk"])
