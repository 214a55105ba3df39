"""Names that are meant to be read as Cypher, in documents, companies, entities, and in what the tour is asked."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from cliquerag.cli import main
from cliquerag.kg.engines.neo4j import server
from cliquerag.kg.engines.neo4j.tour import load_tour, run_tour
from cliquerag.kg.store import FactQuery
from neo4j import GraphDatabase
from support.bundles import bundle, entity, fact
from support.stores import open_store

pytestmark = pytest.mark.timeout(180)
DELETING = "Evil' }) DETACH DELETE n //"
NAMES = (
    DELETING,
    'Quote" OR 1=1 WITH * MATCH (n) DETACH DELETE n //',
    "`Tick`) SET n.name = 'owned' //",
    "\\u0027 }) RETURN 1 //",
    "$year {from} :Entity",
    "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "四方'科技\"股份` CALL db.labels() //",
)
SOURCE = "a/'}) DETACH DELETE (n) //.pdf"
QUOTES = "'\"`"
"""A full-text search reads these as its own marks as well."""


@pytest.fixture(scope="module")
def url(module_neo4j):
    store = open_store(module_neo4j)
    lines = [f"[{name}] supplies [Bolt] with steel" for name in NAMES]
    figures = [fact(SOURCE, "revenue", "12", 10**6, company=DELETING)]
    store.put(bundle(SOURCE, *lines, company=DELETING, kind=DELETING, facts=figures))
    store.wait_for_indexes(60)
    store.close()
    return module_neo4j


def counted(url: str) -> int:
    with GraphDatabase.driver(url, auth=(server.USER, server_password())) as driver:
        return driver.execute_query("MATCH (n) RETURN count(n) AS n").records[0]["n"]


def server_password() -> str:
    import os

    return os.environ[server.PASSWORD_VARIABLE]


def test_names_come_back_as_they_were_given(url):
    store = open_store(url)
    try:
        (record,) = store.documents()
        assert record.source == SOURCE and record.companies == (DELETING,) and record.kind == DELETING
        found = {stored.name for stored in store.entities([entity(name).id for name in NAMES])}
        assert found == set(NAMES)
        assert [one.company for one in store.facts(FactQuery(companies=(DELETING,)))] == [DELETING]
    finally:
        store.close()


@pytest.mark.parametrize("query", load_tour(), ids=lambda query: query.name)
def test_the_saved_queries_take_them_as_values(url, query):
    before = counted(url)
    for name in (*NAMES, SOURCE, QUOTES, "\\", "a\x00b", "+-&|!(){}[]^~*?:/"):
        for parameter in query.parameters or {"": ""}:
            given = {parameter: name} if parameter else {}
            run_tour(url, given, query.name)
    assert counted(url) == before


def test_the_tour_shows_them_as_text(url):
    (answered,) = run_tour(url, {}, "01")
    assert {row["supplier"] for row in answered.rows} == set(NAMES)
    told = CliRunner().invoke(main, ["graph", "tour", "01", "--workspace", url, "--json"])
    assert told.exit_code == 0
    assert {row["supplier"] for row in json.loads(told.output)[0]["rows"]} == set(NAMES)


def test_questions_with_them_change_nothing(url):
    before = counted(url)
    for name in NAMES:
        for command in (("ask", f"Who supplies {name}?"), ("graph", "entity", name), ("facts", "--company", name)):
            done = CliRunner().invoke(main, [*command, "--workspace", url])
            assert done.exit_code in (0, 2) and "Traceback" not in done.output, (command, done.output)
    assert counted(url) == before
