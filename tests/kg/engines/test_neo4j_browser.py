"""The style knows the schema's types; every query of the tour runs on a real server and answers its question."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files

import pytest
from click.testing import CliRunner
from cliquerag.cli import main
from cliquerag.core.errors import StoreError, UsageError
from cliquerag.kg.engines.neo4j.connection import Graph
from cliquerag.kg.engines.neo4j.tour import GUIDE, PICTURE, STYLE, load_tour, run_tour
from cliquerag.kg.graph import Communities, Community
from cliquerag.kg.schema import load_schema
from support.bundles import bundle, entity, fact
from support.bundles import driver as moved_figure
from support.store_conformance import COAL, STEEL
from support.stores import open_store

FOLDER = files("cliquerag.kg.engines.neo4j") / "browser"
OWN_LABELS = {
    *("Entity", "Document", "Content", "Chunk", "Statement", "Fact", "Extraction", "Merge", "Community", "Spelling"),
    *("Driver", "Cause", "CauseClass"),
}
TOUR = load_tour()
GIVEN = {
    "words": "supplies",
    "head": "Acme",
    "tail": "Bolt",
    "from": "Acme",
    "to": "Drill",
    "company": "Acme",
    "topic": "steel",
}


def rules():
    text = FOLDER.joinpath(STYLE).read_text(encoding="utf-8")
    assert "/*" not in text, "the Browser takes a comment for a part of the next selector"
    return dict(re.findall(r"([\w.]+) \{\n(.*?)\n\}", text, flags=re.DOTALL))


def test_the_style_has_one_colour_for_each_type_of_the_schema():
    styled = {name.removeprefix("node."): body for name, body in rules().items() if name.startswith("node.")}
    types = {kind.neo4j for kind in load_schema().types.values()}
    assert styled.keys() == types | OWN_LABELS
    colours = [re.search(r"\n  color: (#[0-9a-f]{6});", styled[label])[1] for label in types]
    assert len(set(colours)) == len(types)
    assert all('caption: "{name}";' in styled[label] for label in types)
    assert list(styled).index("Entity") < min(list(styled).index(label) for label in types), "a later rule wins"


def test_the_guide_shows_every_query():
    guide = FOLDER.joinpath(GUIDE).read_text(encoding="utf-8")
    assert re.findall(r"include::(\S+)\.cypher\[\]", guide) == [query.name for query in TOUR]


def test_a_question_and_its_number_come_first():
    assert [query.name[:2] for query in TOUR] == [f"{number:02}" for number in range(1, len(TOUR) + 1)]
    assert all(query.question.endswith("?") for query in TOUR)
    assert all(f"${name}" in query.cypher for query in TOUR for name in query.parameters)


@pytest.fixture(scope="module")
def url(module_neo4j, driver):
    """A small workspace that no test here writes to."""
    store = open_store(module_neo4j)
    explained = replace(STEEL, graph=replace(STEEL.graph, drivers=(moved_figure(STEEL.chunks[0]),)))
    stated = bundle("c/report.pdf", "steel", facts=[fact("c/report.pdf", "revenue", "7")])
    for document in (explained, COAL, stated):
        store.put(document)
    ends = [entity(name).id for name in ("Acme Inc.", "Bolt")]
    groups = (Community("one", 0, (ends[0],), title="Makers"), Community("two", 0, (ends[1],), title="Buyers"))
    store.put_communities(Communities(store.version(), groups))
    store.wait_for_indexes(60)
    store.close()
    assert run_tour(module_neo4j, {"from": "Acme", "to": "Drill"}, "04")[0].rows == (), (
        "what is only planned is no step of a path"
    )
    driver.execute_query("MATCH ()-[r]->() WHERE r.modality = 'planned' SET r.modality = 'asserted'")
    driver.execute_query(
        "MATCH (d:Document {source: 'a/report.pdf'}), (post:Entity {name: 'Drill AG'}) "
        "CREATE (d)-[:NAMES]->(:Person {name: 'Jane Roe'})-[:LEADS]->(post)"
    )
    return module_neo4j


@pytest.mark.parametrize("query", TOUR, ids=lambda query: query.name)
def test_every_query_runs_and_draws(url, query):
    graph = Graph(url)
    try:
        graph.read(query.cypher, **query.parameters)
    finally:
        graph.close()
    assert re.search(rf"\b{PICTURE}\b", query.cypher.rpartition("RETURN")[2])


def test_the_answers_are_those_of_the_documents(url):
    found = {answered.name[:2]: answered.rows for answered in run_tour(url, GIVEN)}
    assert [(row["supplier"], row["customer"]) for row in found["01"]] == [("Acme Corp", "Bolt"), ("Acme Inc.", "Bolt")]
    assert [row["relation"] for row in found["04"]][-1] == "sues" and found["04"][0]["step"] == 1
    assert {(row["group"], row["other_group"]) for row in found["09"]} == {("Makers", "Buyers")}
    assert {(row["figure"], row["cause"], row["sign"]) for row in found["11"]} == {
        ("Cloud revenue", "volume", 1),
        ("Cloud revenue", "mild weather", 1),
        ("Cloud revenue", "currency, $5 million", -1),
    }
    assert found["10"][0]["sentence"] == "[Acme Inc.] supplies [Bolt] with steel"
    assert ["Drill AG"] in [row["posts"] for row in found["06"]], "a speaker names himself in none of his passages"
    assert {row["document"] for row in found["08"]} == {"a/report.pdf", "b/report.pdf"}
    assert all(PICTURE not in row for rows in found.values() for row in rows)


def test_what_is_given_is_a_value_and_never_cypher(url):
    (answered,) = run_tour(url, {"year": '2023" DETACH DELETE a //'}, "03")
    assert answered.rows == () and run_tour(url, {}, "01")[0].rows


def test_a_query_can_only_read(url):
    graph = Graph(url)
    try:
        with pytest.raises(StoreError, match="read-only"):
            graph.read("CREATE (:Entity {id: 'x'})")
    finally:
        graph.close()


def test_the_command_prints_tables_and_json(url, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    arguments = ["graph", "tour", "08", "--workspace", url, "--set", "head=Acme", "--set", "tail=Bolt"]
    told = CliRunner().invoke(main, arguments)
    assert told.exit_code == 0 and "stand behind one relation?" in told.output and "report.pdf" in told.output
    (answered,) = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).output)
    assert answered["parameters"] == {"head": "Acme", "relation": "supplies", "tail": "Bolt"}


def test_wrong_use_is_explained(url):
    with pytest.raises(UsageError, match="no query takes colour"):
        run_tour(url, {"colour": "red"})
    with pytest.raises(UsageError, match="begins with '99'"):
        run_tour(url, {}, "99")
    refused = CliRunner().invoke(main, ["graph", "tour", "--workspace", "sqlite:///x.db"])
    assert refused.exit_code == 2 and "Neo4j server" in refused.output
