"""The graph in other forms: networkx, GraphML, DOT, CSV for neo4j-admin, custom_kg, a store; by a target's ending."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError
from ..core.period import label_of
from .drivers import Driver, DriverQuery
from .engines.neo4j.bulk import write_import
from .graph import Entity, Relation
from .schema import Schema, node_label
from .storage.codec import cause_rows
from .store import Store
from .timeline import ended, marked

if TYPE_CHECKING:
    import networkx as nx

_ALL_DRIVERS = 10_000_000
_DRIVER_COLUMNS = (
    *("driver", "company", "segment", "metric", "figure", "direction", "period", "outlook"),
    *("number", "cause", "sign", "class", "role", "behind", "amount", "unit", "document", "page", "sentence"),
)
Counts = Mapping[str, int]
_CUSTOM = {"chunks": "chunks", "entities": "entities", "relations": "relationships"}
"""What LightRAG calls them."""


def to_networkx(entities: Iterable[Entity], relations: Iterable[Relation], schema: Schema) -> nx.MultiDiGraph[str]:
    """A directed multigraph by entity id; all attributes are strings and numbers, so that every format takes them.

    The schema says which relations end when another takes their place.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_nodes_from((entity.id, _node(entity)) for entity in entities)
    for relation in marked(relations, schema):
        for end in (relation.head, relation.tail):
            if end.id not in graph:
                graph.add_node(end.id, **_node(end))
        graph.add_edge(relation.head.id, relation.tail.id, key=relation.relation, **_edge(relation))
    return graph


def write_graphml(store: Store, path: Path, schema: Schema) -> Counts:
    """One GraphML file, for Gephi, yEd, Cytoscape."""
    import networkx as nx

    graph = to_networkx(store.all_entities(), store.all_relations(), schema)
    nx.write_graphml(graph, path)
    return {"entities": graph.number_of_nodes(), "relations": graph.number_of_edges()}


def write_dot(store: Store, path: Path, schema: Schema) -> Counts:
    """One DOT file, for Graphviz."""
    entities, relations = _graph_of(store, schema)
    lines = ["digraph knowledge {", "  node [shape=box, style=rounded];"]
    lines += [f"  {_quoted(e.id)} [label={_quoted(e.name)}, class={_quoted(e.type)}];" for e in entities]
    lines += [
        f"  {_quoted(r.head.id)} -> {_quoted(r.tail.id)} [label={_quoted(schema.relation_label(r.relation))}];"
        for r in relations
    ]
    path.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")
    return {"entities": len(entities), "relations": len(relations)}


def write_csv(store: Store, folder: Path, schema: Schema) -> Counts:
    """A folder with ``nodes.csv`` and ``relationships.csv`` for ``neo4j-admin database import full``.

    And ``drivers.csv``, a row for each cause of each figure, for a spreadsheet.
    """
    entities, relations = _graph_of(store, schema)
    folder.mkdir(parents=True, exist_ok=True)
    _write_rows(
        folder / "nodes.csv",
        ["id:ID", "name", "aliases:string[]", "mentions:long", ":LABEL"],
        ([e.id, e.name, ";".join(e.aliases), e.mentions, f"Entity;{_node_label(e.type, schema)}"] for e in entities),
    )
    _write_rows(
        folder / "relationships.csv",
        [":START_ID", ":END_ID", ":TYPE", "support:long", "documents:string[]", "text", "period", "modality", "ended"],
        map(_csv_row, relations),
    )
    drivers = store.drivers(DriverQuery(limit=_ALL_DRIVERS))
    _write_rows(folder / "drivers.csv", _DRIVER_COLUMNS, (row for driver in drivers for row in _driver_rows(driver)))
    return {"entities": len(entities), "relations": len(relations), "drivers": len(drivers)}


def write_custom_kg(store: Store, path: Path, schema: Schema) -> Counts:
    """The JSON that LightRAG's ``insert_custom_kg`` takes: chunks, entities, relationships, each with its source."""
    content = custom_kg(store, schema)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    return {name: len(content[key]) for name, key in _CUSTOM.items()}


def custom_kg(store: Store, schema: Schema) -> dict[str, list[dict[str, Any]]]:
    """The same at hand."""
    entities, relations = _graph_of(store, schema)
    chunks = [chunk for record in store.documents() for chunk in store.chunks_of(record.source)]
    first = {r.head.id: r for r in reversed(relations)} | {r.tail.id: r for r in reversed(relations)}
    return {
        "chunks": [
            {"content": c.text, "source_id": c.id, "file_path": c.document, "chunk_order_index": c.ordinal}
            for c in chunks
        ],
        "entities": [_custom_entity(entity, first.get(entity.id), schema) for entity in entities],
        "relationships": [_custom_relation(relation, schema) for relation in relations],
    }


def copy_store(store: Store, url: str, schema: Schema) -> Counts:
    """Copy every document with its chunks, facts, vectors and graph into the store at another URL."""
    from .engines.opening import open_store
    from .storage.copying import copy_documents

    target = open_store(url, schema=schema)
    try:
        return copy_documents(store, target)
    finally:
        target.close()


def _graph_of(store: Store, schema: Schema) -> tuple[list[Entity], list[Relation]]:
    """All entities and relations, an entity that only a relation names among them."""
    relations = marked(store.all_relations(), schema)
    entities = {entity.id: entity for entity in store.all_entities()}
    for relation in relations:
        entities.setdefault(relation.head.id, relation.head)
        entities.setdefault(relation.tail.id, relation.tail)
    return list(entities.values()), relations


def _node(entity: Entity) -> dict[str, Any]:
    aliases = "; ".join(entity.aliases)
    return {"label": entity.name, "type": entity.type, "aliases": aliases, "mentions": entity.mentions}


def _edge(relation: Relation) -> dict[str, Any]:
    statement = relation.statements[0]
    return {
        "relation": relation.relation,
        "support": relation.support,
        "statements": len(relation.statements),
        "modality": statement.modality,
        "period": str(statement.period or ""),
        "ended": ended(relation),
        "source": statement.document,
        "page": statement.page or 0,
        "text": " ".join(statement.text.split()),
    }


def _csv_row(relation: Relation) -> list[object]:
    statement = relation.statements[0]
    documents = ";".join(sorted({s.document for s in relation.statements}))
    text = " ".join(statement.text.split())
    ends = [relation.head.id, relation.tail.id, relation.relation.upper()]
    period = str(statement.period or "")
    return [*ends, relation.support, documents, text, period, statement.modality, ended(relation)]


def _driver_rows(driver: Driver) -> Iterator[list[object]]:
    """A row for each cause; ``behind`` is the number of the cause that it explains in turn."""
    period = label_of(driver.period)
    figure = [driver.company, driver.segment, driver.metric, driver.label, driver.direction, period, driver.outlook]
    place = [driver.document, driver.page or "", " ".join(driver.text.split())]
    for found in cause_rows(driver):
        cause = found.cause
        amount = ["", ""] if cause.amount is None else [str(cause.amount.amount), cause.amount.unit]
        behind = "" if found.parent is None else found.parent
        said = [found.number, " ".join(cause.text.split()), cause.sign, cause.category, cause.role, behind]
        yield [driver.id, *figure, *said, *amount, *place]


def _write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)


def _custom_entity(entity: Entity, relation: Relation | None, schema: Schema) -> dict[str, Any]:
    statement = relation.statements[0] if relation else None
    others = f" (also {', '.join(entity.aliases)})" if entity.aliases else ""
    said = f": {' '.join(statement.text.split())}" if statement else ""
    return {
        "entity_name": entity.name,
        "entity_type": _node_label(entity.type, schema),
        "description": f"{entity.name}{others}{said}",
        "source_id": statement.chunk if statement else "UNKNOWN",
        "file_path": statement.document if statement else "",
    }


def _custom_relation(relation: Relation, schema: Schema) -> dict[str, Any]:
    statement = relation.statements[0]
    return {
        "src_id": relation.head.name,
        "tgt_id": relation.tail.name,
        "description": " ".join(statement.text.split()),
        "keywords": ", ".join(_keywords(relation, schema)),
        "weight": float(relation.support),
        "source_id": statement.chunk,
        "file_path": statement.document,
    }


def _keywords(relation: Relation, schema: Schema) -> Iterator[str]:
    statement = relation.statements[0]
    yield schema.relation_label(relation.relation)
    if statement.modality != "asserted":
        yield statement.modality
    if statement.period:
        yield statement.period.label


def _node_label(kind: str, schema: Schema) -> str:
    known = schema.types.get(kind)
    return known.neo4j if known else node_label(kind)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


Writer = Callable[[Store, Path, Schema], Mapping[str, int]]
_WRITERS: Mapping[str, Writer] = {
    ".graphml": write_graphml,
    ".dot": write_dot,
    ".json": write_custom_kg,
    ".csv": write_csv,
}


def export_graph(store: Store, target: str, schema: Schema, workers: int = 1) -> Mapping[str, int]:
    """Write the graph to ``FILE.graphml``, ``DIR.csv`` ... or a store's URL; how many of what were written.

    With ``workers`` above 1 as many processes make the files of ``DIR.neo4j``. Raises UsageError for an ending that is
    not known.
    """
    if "://" in target:
        return copy_store(store, target, schema)
    path = Path(target)
    writers: Mapping[str, Writer] = {**_WRITERS, ".neo4j": partial(write_import, workers=workers)}
    if path.suffix not in writers:
        hint = f"Known endings: {', '.join(writers)}, or a URL"
        raise UsageError(f"unknown target {target!r}", where="--to", hint=hint)
    return writers[path.suffix](store, path, schema)
