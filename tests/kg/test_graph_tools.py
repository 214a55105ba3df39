"""Communities, paths, exports and the picture, over a small store."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from cliquerag.kg.export import copy_store, to_networkx, write_csv, write_custom_kg, write_dot, write_graphml
from cliquerag.kg.graph import Entity, Relation, Statement, Subgraph
from cliquerag.kg.paths import best_paths, shortest_paths
from cliquerag.kg.store import Store
from cliquerag.views.graph_page import subgraph_html
from support.bundles import bundle, entity
from support.stores import SCHEMA, open_store


def relation(
    head: str, name: str, tail: str, documents: int = 1, modality: str = "asserted", tail_type: str = "company"
):
    a, b = entity(head), entity(tail, tail_type)
    statements = tuple(
        Statement(
            f"{head}-{tail}-{n}",
            a.id,
            name,
            b.id,
            f"d{n}.pdf",
            f"c{n}",
            0,
            9,
            f"{head} {name} {tail}.",
            modality=modality,
        )
        for n in range(documents)
    )
    return Relation(a, name, b, statements)


@pytest.fixture
def store():
    made = open_store("sqlite://")
    made.put(
        bundle("a.txt", "[Acme] supplies [Bolt].", "[Bolt] acquires [Crux].", 'A "quoted" [Crux] partners_with [Dart].')
    )
    made.put(bundle("b.txt", "[Acme] supplies [Bolt].", "[Zeta] sues [Yoyo]."))
    yield made
    made.close()


def names(path) -> list[tuple[str, str, str]]:
    return [(r.head.name, r.relation, r.tail.name) for r in path]


def test_a_path_gives_its_relations_in_order(store: Store):
    paths = best_paths(store, entity("Dart").id, entity("Acme").id, SCHEMA)
    assert [names(path) for path in paths] == [
        [("Crux", "partners_with", "Dart"), ("Bolt", "acquires", "Crux"), ("Acme", "supplies", "Bolt")]
    ]
    assert paths[0][2].support == 2


def test_no_path_between_strangers(store: Store):
    assert best_paths(store, entity("Acme").id, entity("Zeta").id, SCHEMA) == []
    assert best_paths(store, entity("Acme").id, entity("Acme").id, SCHEMA) == []
    assert best_paths(store, entity("Acme").id, "unknown", SCHEMA) == []


def test_well_supported_steps_beat_weak_ones_and_hubs():
    relations = [
        relation("Acme", "supplies", "Bolt", 5),
        relation("Bolt", "supplies", "Crux", 5),
        relation("Acme", "operates_in", "Texas", tail_type="place"),
        relation("Crux", "operates_in", "Texas", tail_type="place"),
        relation("Acme", "acquires", "Crux", modality="negated"),
    ]
    paths = shortest_paths(relations, entity("Acme").id, entity("Crux").id)
    assert [len(path) for path in paths] == [2, 2]
    assert paths[0][0].tail.name == "Bolt"
    assert paths[1][0].tail.name == "Texas"


def test_networkx_and_graphml(store: Store, tmp_path: Path):
    import networkx as nx

    graph = to_networkx(store.all_entities(), store.all_relations(), SCHEMA)
    assert graph.number_of_edges() == 4
    edge = graph.edges[entity("Acme").id, entity("Bolt").id, "supplies"]
    assert (edge["support"], edge["statements"]) == (2, 2)
    write_graphml(store, tmp_path / "g.graphml", SCHEMA)
    again = nx.read_graphml(tmp_path / "g.graphml")
    assert again.nodes[entity("Acme").id]["label"] == "Acme"


def test_csv_for_neo4j_admin(store: Store, tmp_path: Path):
    assert write_csv(store, tmp_path / "out", SCHEMA) == {"entities": 6, "relations": 4, "drivers": 0}
    nodes = list(csv.DictReader((tmp_path / "out" / "nodes.csv").open(encoding="utf-8")))
    assert {row[":LABEL"] for row in nodes} == {"Entity;Company"}
    edges = list(csv.DictReader((tmp_path / "out" / "relationships.csv").open(encoding="utf-8")))
    assert {row[":TYPE"] for row in edges} == {"SUPPLIES", "ACQUIRES", "PARTNERS_WITH", "SUES"}
    assert {row[":START_ID"] for row in edges} <= {row["id:ID"] for row in nodes}


def test_dot_escapes_quotes(store: Store, tmp_path: Path):
    write_dot(store, tmp_path / "g.dot", SCHEMA)
    text = (tmp_path / "g.dot").read_text(encoding="utf-8")
    assert text.startswith("digraph knowledge {")
    assert '[label="partners with"]' in text


def test_lightrag_custom_kg_points_every_row_to_a_chunk(store: Store, tmp_path: Path):
    write_custom_kg(store, tmp_path / "kg.json", SCHEMA)
    content = json.loads((tmp_path / "kg.json").read_text(encoding="utf-8"))
    chunks = {chunk["source_id"] for chunk in content["chunks"]}
    assert len(content["chunks"]) == 5
    assert {row["source_id"] for row in content["relationships"] + content["entities"]} <= chunks
    names = {row["entity_name"] for row in content["entities"]}
    assert {row[end] for row in content["relationships"] for end in ("src_id", "tgt_id")} <= names


def test_a_store_copies_into_another(store: Store, tmp_path: Path):
    url = f"sqlite:///{tmp_path}/copy.db"
    copy_store(store, url, SCHEMA)
    copy = open_store(url)
    try:
        assert [r.source for r in copy.documents()] == [r.source for r in store.documents()]
        for name in ("chunks", "entities", "statements", "facts"):
            assert copy.counts()[name] == store.counts()[name]
        assert {names([r])[0] for r in copy.all_relations()} == {names([r])[0] for r in store.all_relations()}
    finally:
        copy.close()


def test_the_picture_stands_alone_and_runs_nothing_of_the_document():
    hostile = Entity("x", "</script><script>alert(1)</script>", "company")
    bolt = Entity("b", "博流", "product")
    said = Statement("s", "x", "launches", "b", "d.pdf", "c", 0, 1, "<img src=x onerror=alert(1)>", modality="planned")
    around = Subgraph((hostile, bolt), (Relation(hostile, "launches", bolt, (said,)),))
    page = subgraph_html(around, SCHEMA, title="A & <b>")
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert "A &amp; &lt;b&gt;" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    data = json.loads(page.split('id="graph">')[1].split("</script>")[0])
    assert [node["name"] for node in data["nodes"]] == [hostile.name, "博流"]
    assert data["links"][0] | {"said": 0} == {
        "head": "x",
        "tail": "b",
        "label_text": "launches",
        "weak": True,
        "ended": "",
        "said": 0,
    }
    assert set(data["types"]) == {"company", "product"}


def test_an_empty_picture_is_a_page_too():
    assert "<svg" in subgraph_html(Subgraph(), SCHEMA)
