"""A user's schema file reaches all that reads the graph: what ends, how it is called, which label it has."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from cliquerag.kg import export
from cliquerag.kg.communities.current import current_communities
from cliquerag.kg.engines.neo4j.bulk import write_import
from cliquerag.kg.schema import Schema, load_schema
from cliquerag.kg.store import Store
from support.stores import OWN_SCHEMA, open_store, rated

ENDED = "until 2024-03-01, superseded by 2024.txt"


@pytest.fixture
def schema(tmp_path: Path) -> Schema:
    file = tmp_path / "own.toml"
    file.write_text(OWN_SCHEMA, encoding="utf-8")
    return load_schema(file)


@pytest.fixture
def store() -> Iterator[Store]:
    made = open_store("sqlite://")
    made.put(rated("2022.txt", "Bolt", date(2022, 3, 1)))
    made.put(rated("2024.txt", "Crane", date(2024, 3, 1)))
    yield made
    made.close()


def test_a_functional_relation_of_the_users_ends(store: Store, schema: Schema):
    graph = export.to_networkx(store.all_entities(), store.all_relations(), schema)
    ended = {graph.nodes[tail]["label"]: edge["ended"] for _, tail, edge in graph.edges(data=True)}
    assert ended["Bolt"].startswith(ENDED)
    assert ended["Crane"] == ended["Zolimab"] == ""


def test_graphml_and_csv_say_what_has_ended(store: Store, schema: Schema, tmp_path: Path):
    export.write_graphml(store, tmp_path / "g.graphml", schema)
    assert ENDED in (tmp_path / "g.graphml").read_text(encoding="utf-8")
    export.write_csv(store, tmp_path / "out", schema)
    rows = list(csv.DictReader((tmp_path / "out" / "relationships.csv").open(encoding="utf-8")))
    assert [row["ended"][:5] for row in rows if row[":TYPE"] == "RATED_BY"] in (["until", ""], ["", "until"])


def test_exports_name_what_is_the_users(store: Store, schema: Schema, tmp_path: Path):
    export.write_dot(store, tmp_path / "g.dot", schema)
    assert '[label="has in trials"]' in (tmp_path / "g.dot").read_text(encoding="utf-8")
    export.write_csv(store, tmp_path / "out", schema)
    nodes = list(csv.DictReader((tmp_path / "out" / "nodes.csv").open(encoding="utf-8")))
    assert {row["name"]: row[":LABEL"] for row in nodes}["Zolimab"] == "Entity;Medicine"
    export.write_custom_kg(store, tmp_path / "kg.json", schema)
    content = json.loads((tmp_path / "kg.json").read_text(encoding="utf-8"))
    assert {row["entity_name"]: row["entity_type"] for row in content["entities"]}["Zolimab"] == "Medicine"
    assert any(row["keywords"].startswith("is rated by") for row in content["relationships"])


def test_files_for_neo4j_have_the_users_labels(store: Store, schema: Schema, tmp_path: Path):
    write_import(store, tmp_path, schema)
    assert "Medicine" in (tmp_path / "Entity.csv").read_text(encoding="utf-8")
    relations = (tmp_path / "RELATIONS.csv").read_text(encoding="utf-8")
    assert '"RATED_BY"' in relations and '"DEVELOPS"' in relations and "RELATED_TO" not in relations


def test_reports_speak_the_users_words(store: Store, schema: Schema):
    found = current_communities(store, schema)
    assert any("Acme has in trials Zolimab" in community.report for community in found.groups)
    assert any("Drug: Zolimab" in community.report for community in found.groups)
