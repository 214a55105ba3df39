"""Drivers as nodes: a figure, its causes behind one another, and the classes of causes that companies share.

(Document)-[:EXPLAINS]->(Driver)-[:CAUSED_BY {sign}]->(Cause)-[:CAUSED_BY]->(Cause)-[:OF_CLASS]->(CauseClass), and
(Driver)-[:ABOUT]->(Company) where the graph has the company, (Driver)-[:FROM]->(Chunk).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....core.errors import StoreError
from ....core.ids import stable_id
from ...drivers import Driver, DriverQuery
from ...storage.driver_rows import cause_id, cause_rows, driver_row, read_driver, wanted_values
from .connection import Graph, Row, Transaction

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


def write_drivers(tx: Transaction, source: str, extraction: str, drivers: Sequence[Driver]) -> None:
    """Store what an extractor read of a document whose chunks are there."""
    if not drivers:
        return
    rows = [written_row(driver, source, extraction) for driver in drivers]
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
