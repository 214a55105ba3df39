"""The scale-out engine keeps the same contract on a real server, started once for all tests."""

from __future__ import annotations

import json
import os
import signal
import time
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.errors import StoreError
from cliquerag.kg.engines import opening
from cliquerag.kg.engines.neo4j import chunks, connection, entities, server
from cliquerag.kg.engines.neo4j import session as ahead
from cliquerag.kg.engines.neo4j.rows import LAYOUT, STATEMENT_DATA
from cliquerag.kg.schema import load_schema
from cliquerag.kg.storage.copying import copy_documents
from cliquerag.kg.store import FactQuery
from support.bundles import DIM, bundle
from support.neo4j_server import restart
from support.store_conformance import (
    COAL,
    STEEL,
    cluster_names,
    crowd,
    same_state,
)
from support.store_safety import SafetyTests, version_of
from support.store_suites import *  # noqa: F403 - the contract, which pytest collects here
from support.stores import OWN_SCHEMA, open_store, rated

from benchmarks.asking import answer_question, search, stream_answer

SERVER_KILLS = int(os.environ.get("CLIQUERAG_SERVER_KILLS", "1"))
pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def store_url(empty_neo4j):
    return empty_neo4j


class TestSafety(SafetyTests):
    longest = 0.5
    writes = 8


@pytest.fixture
def store(store_url):
    opened = open_store(store_url)
    yield opened
    opened.close()


def round_trips(store, work) -> int:
    before = store._graph.round_trips
    work()
    return store._graph.round_trips - before


def test_round_trips_of_a_write(store, monkeypatch):
    store.put(STEEL)
    new = bundle("new.txt", "[Nickel SA] supplies [Zinc Ltd]")
    assert round_trips(store, lambda: store.put(new)) <= 2, "the document, then the commit"
    assert round_trips(store, lambda: store.put(COAL)) <= 3, "and what becomes of entities that are one"
    assert round_trips(store, lambda: store.put(COAL)) <= 6, "to replace one takes its older version away"
    assert round_trips(store, lambda: store.remove("b/report.pdf")) <= 12
    monkeypatch.setattr(connection, "BATCH", 2)
    rows = 2 * len(STEEL.chunks) + len(STEEL.graph.mentions) + len(STEEL.graph.statements) + len(STEEL.facts)
    assert round_trips(store, lambda: store.put(STEEL)) <= 12 + rows / 2


def test_a_document_read_while_it_is_taken_away_is_read_again(store, store_url, monkeypatch):
    """The server gives a node that was removed in between with nulls; it cannot be made to at a chosen moment."""
    store.put(STEEL)
    read, torn = store._graph.read, []

    def tearing(query, **values):
        rows = read(query, **values)
        of_rows = [row["record"] for row in rows if "record" in row]
        of_rows += [newer for row in rows for newer in row.get("newer", ())]
        if of_rows and len(torn) < 2:
            torn.append(query)
            of_rows[0].update(dict.fromkeys(set(of_rows[0]) - {"stamp"}))
        return rows

    monkeypatch.setattr(store._graph, "read", tearing)
    assert [record.source for record in store.documents()] == [STEEL.document.source]
    other = open_store(store_url)
    other.put(COAL)
    other.close()
    assert {record.source for record in store.documents()} == {STEEL.document.source, COAL.document.source}
    assert len(torn) == 2


@pytest.mark.parametrize("mode", ["vector", "local", "hybrid"])
@pytest.mark.parametrize("question", ["Whom does Acme supply with steel?", "How did revenue develop in FY2023?"])
def test_round_trips_of_a_question(store, mode, question):
    """Also the first one on these documents; the second one finds their words and vectors in memory."""
    for document in (STEEL, COAL):
        store.put(document)
    store.documents()
    encoder = _Encoder()
    first = round_trips(store, lambda: search(store, encoder, question, mode=mode))
    again = round_trips(store, lambda: search(store, encoder, question, mode=mode))
    # Statements of the relation, their passages, and whether a name that no company has is a segment of one.
    more = 4 if question.startswith("Whom") and mode != "vector" else 0
    assert first <= 4 + more and again <= 4 + more
    other = open_store("sqlite://")
    for document in (STEEL, COAL):
        other.put(document)
    found = [[item.id for item in search(engine, encoder, question, mode=mode)] for engine in (store, other)]
    assert found[0] == found[1]


def test_no_read_of_a_question_looks_at_all_that_is_stored(store, monkeypatch):
    """Every chunk, statement and entity is found by an index or from its document."""
    for document in (STEEL, COAL):
        store.put(document)
    asked = {}

    def read(cypher, **values):
        asked[cypher] = values
        return connection.Graph.read(store._graph, cypher, **values)

    monkeypatch.setattr(store._graph, "read", read)
    answer_question(store, _Encoder(), None, "Whom does Acme supply with steel?")
    store.nearest(STEEL.vectors[0], 3, ["a/report.pdf"])
    store.chunk_words(["a/report.pdf"]), store.vectors_of(["a/report.pdf"]), store.parts("a/report.pdf")
    with store._graph._session("READ") as session:
        plans = [
            session.run(f"EXPLAIN {connection.with_one_plan(cypher)}", given=values).consume().plan
            for cypher, values in asked.items()
        ]
    looked_at = {
        step["args"]["Details"] for plan in plans for step in steps(plan) if "ByLabelScan" in step["operatorType"]
    }
    labels = {details.partition(":")[2] for details in looked_at}
    assert labels and not labels & {"Chunk", "Statement", "Entity", "Fact"}


def steps(plan):
    yield plan
    for child in plan.get("children", ()):
        yield from steps(child)


def test_a_hub_is_read_no_further_than_needed(store, monkeypatch):
    """Its statements stand in more chunks than come along: the others are read when they are shown."""
    other = open_store("sqlite://")
    for document in (
        STEEL,
        COAL,
        *(bundle(f"{i}.txt", "[Acme Inc.] supplies [Bolt]", f"[Acme Inc.] sues [Drill {i}]") for i in range(6)),
    ):
        store.put(document)
        other.put(document)
    monkeypatch.setattr(ahead, "_AHEAD", 1)
    found = [search(engine, _Encoder(), "Whom does Acme supply?", mode="local") for engine in (store, other)]
    assert [(item.id, item.text) for item in found[0]] == [(item.id, item.text) for item in found[1]] != []


def test_round_trips_of_an_answer(store):
    """With its citations, streamed or whole; the documents stay in memory until somebody writes."""
    for document in (STEEL, COAL):
        store.put(document)
    store.documents()
    other = open_store("sqlite://")
    copy_documents(store, other)
    asked = [
        ("Whom does Acme supply with steel?", "hybrid", 6 + 2),  # its parts; names in sentences that may answer
        ("How did revenue develop in FY2023?", "hybrid", 6),
        ("How is Acme connected to Drill AG?", "hybrid", 6 + 2),  # a step of the walk each
        ("Who is supplied with steel?", "global", 6 + 5),  # statements of the relation, and the passages that state it
    ]  # two of them to understand the question: how often its names and its unknown words stand in the store
    for question, mode, most in asked:
        made = []

        def ask(question=question, mode=mode, made=made):
            made += stream_answer(store, _Encoder(), None, question, mode=mode)

        ask()
        assert round_trips(store, ask) <= most, question
        same = answer_question(other, _Encoder(), None, question, mode=mode)
        assert made[-1].citations == same.citations
        assert same.citations or "revenue" in question, "of which nothing is stored"
    lines = STEEL.document.text.split("\n")
    for engine in (store, other):
        engine.put(bundle("a/report.pdf", "A line before all that was cited", *lines))
    found = [answer_question(engine, _Encoder(), None, asked[0][0]).citations for engine in (store, other)]
    assert found[0] == found[1] != (), "and nothing of the old text is left in memory"


class _Encoder:
    """Any unit vector: which passages are near is not what is tested."""

    name, dim = "fake", DIM

    def embed(self, texts):
        return np.ones((len(texts), DIM), np.float32) / np.float32(DIM**0.5)


def test_statements_and_entities_have_the_vectors_of_their_sentences(store):
    store.put(STEEL)
    store.wait_for_indexes()
    (row,) = store._graph.read(
        """MATCH (s:Statement)-[:FROM]->(c:Chunk {ordinal: 0}) MATCH (e:Entity {id: s.head})
        RETURN s.vector AS said, e.vector AS meant, c.id AS chunk"""
    )
    rows = STEEL.sentence_vectors[: len(STEEL.chunks[0].sentences)]
    mean = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
    assert np.dot(row["said"], mean) > 0.999 and len(row["meant"]) == DIM
    indexes = store._graph.read("SHOW VECTOR INDEXES YIELD name, labelsOrTypes AS of RETURN name, of[0] AS label")
    assert {row["name"]: row["label"] for row in indexes} == chunks.VECTOR_INDEXES
    assert not hasattr(store.statements(chunks=[STEEL.chunks[0].id])[0], "vector")


def test_a_workspace_of_the_first_layout(store, store_url):
    """Its documents had their parts themselves, and nothing was counted; what is written to it has the new layout."""
    for document in (STEEL, COAL):
        store.put(document)
    store.wait_for_indexes()
    parts = ", ".join(f"d.{name} = k.{name}" for name in ("text", "page_list", "line_list", "table_list"))
    store._graph.write(
        lambda tx: tx.run(f"MATCH (w:Workspace) SET w.layout = 1 WITH w MATCH (d:Document)-[:HOLDS]->(k) SET {parts} "
                          "DETACH DELETE k")
    )  # fmt: skip
    older = open_store(store_url)
    same_state(older, STEEL, COAL)
    found = [[item.id for item in search(engine, _Encoder(), "Who supplies steel?")] for engine in (store, older)]
    assert found[0] == found[1] != []
    older.put(COAL)
    assert older._graph.read("MATCH (w:Workspace), (k:Content) RETURN w.layout AS layout, k.document AS document") == [
        {"layout": LAYOUT, "document": "b/report.pdf"}
    ]
    same_state(older, STEEL, COAL)
    older.close()


def test_a_workspace_whose_statements_have_all_as_properties(store, store_url):
    """As before layout 7: read as it is, and written and removed from as any other."""
    for document in (STEEL, COAL):
        store.put(document)
    said = bundle(COAL.document.source, *(chunk.text for chunk in COAL.chunks), extractor="llm-1").graph
    store.put_graph(COAL.document.source, said)
    store.wait_for_indexes()
    before = [store.statements(documents=[d.document.source]) for d in (STEEL, COAL)]
    parts = store.parts(COAL.document.source)
    rows = [
        dict(zip(STATEMENT_DATA, json.loads(row["data"]), strict=True)) | {"id": row["id"]}
        for row in store._graph.read("MATCH (s:Statement) RETURN s.id AS id, s.data AS data")
    ]
    for row in rows:
        row["anchors"] = json.dumps(row["anchors"])
    older = (
        "UNWIND $rows AS row MATCH (s:Statement {id: row.id}) SET s += row REMOVE s.data",
        """MATCH (d:Document)-[:READ_BY]->(x:Extraction), (d)-[:HAS_CHUNK]->(c)
        CALL (x, c) { MATCH (c)<-[:FROM]-(s:Statement {extraction: x.code}) SET s.extraction = x.id }
        CALL (x, c) { MATCH (c)-[m:MENTIONS {extraction: x.code}]->() SET m.extraction = x.id }""",
        "MATCH (w:Workspace) SET w.layout = 6 WITH w MATCH (x:Extraction) REMOVE x.code",
    )
    for statement in older:
        store._graph.write(lambda tx, statement=statement: tx.run(statement, rows=rows))
    store._graph.run_alone("CREATE INDEX statement_chunk IF NOT EXISTS FOR (n:Statement) ON (n.chunk)")
    store._graph.run_alone("CALL db.awaitIndexes(60)")
    opened = open_store(store_url)
    assert [opened.statements(documents=[d.document.source]) for d in (STEEL, COAL)] == before
    assert opened.parts(COAL.document.source) == parts
    opened.put_graph(COAL.document.source, said)
    assert opened.parts(COAL.document.source) == parts
    assert opened._graph.read("MATCH (w:Workspace) RETURN w.layout AS layout") == [{"layout": LAYOUT}]
    assert opened._graph.read("SHOW INDEXES YIELD name WHERE name = 'statement_chunk' RETURN name") == []
    opened.put(STEEL)
    assert opened.statements(documents=[STEEL.document.source]) == before[0]
    for document in (STEEL, COAL):
        assert opened.remove(document.document.source)
    assert opened._graph.read("MATCH (n:Statement|Entity|Chunk) RETURN count(n) AS left") == [{"left": 0}]
    opened.close()


def test_no_write_waits_for_an_index_of_text(store):
    """Searches wait for it instead: what was written is found at once, each time."""
    rows = store._graph.read("SHOW FULLTEXT INDEXES YIELD name, options RETURN name, options.indexConfig AS settings")
    behind = {row["name"]: row["settings"]["fulltext.eventually_consistent"] for row in rows}
    assert behind == {"chunk_words": True, "entity_grams": True}
    for number in range(12):
        store.put(bundle(f"{number}.txt", f"[Nickel{number} SA] supplies [Zinc{number} Ltd] with platinum{number}"))
        assert store.document_frequency([f"platinum{number}"]) == {f"platinum{number}": 1}
        assert len(store.matching([f"platinum{number}"], 5)) == 1
        assert store.similar_entities(f"Nickel{number} SA", 1)[0].name == f"Nickel{number} SA"


def test_a_workspace_of_before_finds_other_spellings_too(store, store_url, monkeypatch):
    store.put(crowd())
    store._graph.write(
        lambda tx: tx.run(
            """MATCH (w:Workspace) SET w.layout = 2 WITH w MATCH (s:Spelling) DELETE s
            WITH DISTINCT w MATCH (e:Entity) REMOVE e.blocks"""
        )
    )
    monkeypatch.setattr(entities, "_INDEXED", 50)
    older = open_store(store_url)
    older.put(bundle("b.txt", "[Transprent Financial]"))
    assert cluster_names(older, "Transparent Financial") == {"Transparent Financial", "Transprent Financial"}
    older.close()


def test_sqlite_and_neo4j_find_the_same_other_spellings(store):
    """Mistyped, with other blanks, in a crowd of like names, and of a form that too many share."""
    other = open_store("sqlite://")
    forms = [f"[Venture{a}{b} Holdings]" for a in "abcdefghi" for b in "abcdefghi"]
    documents = [crowd(), bundle("forms.txt", *forms), bundle("c.txt", "[Wal-Mart Stores] and [Goldmann Sachs]")]
    documents.append(bundle("d.txt", "[Transprent Financial]", "[Walmart Stores]", "[Goldman Sachs]"))
    documents.append(bundle("e.txt", "[Ventureab1 Holdings]", "[Ventrueab Holdings]", "[Ventureax Holdings]"))
    for document in documents:
        store.put(document)
        other.put(document)
    made = [[(m.entity, m.into, m.reason) for m in engine.merges()] for engine in (store, other)]
    assert made[0] == made[1] and {reason for *_, reason in made[0]} >= {"spelling", "blanks, accents or abbreviation"}
    assert list(store.all_entities()) == list(other.all_entities())
    for document in documents:
        store.remove(document.document.source)
    assert store._graph.read("MATCH (s:Spelling) RETURN count(s) AS left") == [{"left": 0}]


def test_a_document_brings_no_text_where_people_look(store):
    """Drawn in the Browser or returned by a query, it would bring a megabyte."""
    store.put(STEEL)
    (row,) = store._graph.read("MATCH (d:Document) RETURN properties(d) AS d")
    assert not any(isinstance(value, bytes) for value in row["d"].values()) and len(str(row)) < 2_000


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_read_waits_for_what_this_program_wrote(store_url, scheme):
    """On a cluster the read may go to another member: the bookmark of the write travels with it."""
    store = open_store(store_url.replace("bolt", scheme))
    store.put(STEEL)
    (written,) = store._graph.bookmarks.get_bookmarks()
    store.put(COAL)
    with store._graph._session("READ") as session:
        session.run("RETURN 1").consume()
        assert written not in session.last_bookmarks().raw_values != frozenset()
    assert len(store.documents()) == 2
    store.close()


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_reads_may_go_to_a_replica(store_url, scheme):
    """They say that they only read: a router sends them to members that take no writes, and so does this server."""
    store = open_store(store_url.replace("bolt", scheme))
    with pytest.raises(StoreError, match="read-only"):
        store._graph.read("CREATE (:Entity {id: 'x'})")
    store.put(STEEL)
    encoder = _Encoder()
    wrote = []
    store._graph.write = wrote.append
    assert search(store, encoder, "Who supplies steel?") and answer_question(store, encoder, None, "Who leads Bolt?")
    assert store.documents() and list(store.all_relations()) and store.counts()["documents"] == 1 and not wrote
    store.close()


def test_the_graph_that_people_see(store):
    store.put(STEEL)
    store.put(COAL)
    seen = store._graph.read(
        """MATCH (d:Document {source: 'a/report.pdf'})-[:HAS_CHUNK]->(one:Chunk)-[:NEXT]->(two:Chunk)-[:NEXT]->(:Chunk)
        MATCH (a:Entity:Company)-[r:SUPPLIES]->(b:Entity:Company {name: 'Bolt'})
        MATCH (s:Statement {id: r.statement})-[:FROM]->(one)-[:MENTIONS]->(a)
        MATCH (d)-[:STATES]->(f:Fact {metric: 'revenue'})
        MATCH (a)-[:SAME_AS]-(other) WHERE other.name IN a.aliases
        RETURN a.name AS name, r.period AS period, r.published AS published, s.text AS text, f.amount AS amount,
          other.name AS alias"""
    )
    assert seen == [
        {
            "name": "Acme Inc.",
            "period": "FY2023",
            "published": "2024-02-01",
            "text": STEEL.chunks[0].text,
            "amount": 1.234e9,
            "alias": "Acme Corp",
        }
    ]


def test_names_from_documents_never_become_cypher(store):
    """Types and relations outside the schema stay properties; what looks like Cypher stays text."""
    import dataclasses

    evil = "x`) DETACH DELETE (n) //"
    given = bundle("evil.txt", "[Acme Inc.] supplies [Bolt]")
    entities = tuple(dataclasses.replace(e, type=evil) for e in given.graph.entities)
    statements = tuple(dataclasses.replace(s, relation=evil) for s in given.graph.statements)
    part = dataclasses.replace(given.graph, entities=entities, statements=statements, extractor=evil)
    store.put(STEEL)
    store.put(dataclasses.replace(given, graph=part))
    assert store.subgraph([entities[0].id]).relations[-1].relation == evil
    labels = {row["label"] for row in store._graph.read("CALL db.labels() YIELD label RETURN label")}
    types = {
        row["type"]
        for row in store._graph.read("CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type")
    }
    assert evil not in labels | types and "RELATED_TO" in types
    same_state(store, STEEL, dataclasses.replace(given, graph=part))


def test_the_users_schema_gives_labels_and_relationship_types(store_url, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(OWN_SCHEMA, encoding="utf-8")
    store = opening.open_store(store_url, schema=load_schema(file))
    try:
        store.put(rated("2022.txt", "Bolt", date(2022, 3, 1)))
        labels = store._graph.read("MATCH (e:Entity {name: 'Zolimab'}) RETURN labels(e) AS found")[0]["found"]
        assert set(labels) == {"Entity", "Medicine"}
        rows = store._graph.read(
            "MATCH (:Entity {name: 'Acme'})-[r]->(t:Entity) RETURN t.name AS tail, type(r) AS type"
        )
        assert {row["tail"]: row["type"] for row in rows} == {"Bolt": "RATED_BY", "Zolimab": "DEVELOPS"}
    finally:
        store.close()


def test_wide_searches_use_the_index(store, monkeypatch):
    documents = [bundle(f"doc {i}", *["a line"] * 30) for i in range(10)]
    for document in documents:
        store.put(document)
    store._graph.run_alone("CALL db.awaitIndexes(60)")
    exact = [store.nearest(d.vectors[3], 10) for d in documents]
    monkeypatch.setattr(chunks, "EXACT_CHUNKS", 0)
    wide = [store.nearest(d.vectors[3], 10) for d in documents]
    found = sum(len({h.id for h in a} & {h.id for h in b}) for a, b in zip(exact, wide, strict=True))
    assert found >= 95, "recall@10 of the index against all cosines"


def test_sqlite_and_neo4j_answer_alike(store):
    other = open_store("sqlite://")
    documents = [version_of(f"doc {i}", i) for i in range(6)] + [STEEL, COAL]
    for document in documents:
        store.put(document)
        other.put(document)
    for engine in (store, other):
        engine.remove("doc 2")
    assert list(store.all_entities()) == list(other.all_entities())
    assert list(store.all_relations()) == list(other.all_relations())
    for one in other.all_entities():
        assert store.subgraph([one.id], 3) == other.subgraph([one.id], 3)
        assert store.mentions(entities=[one.id]) == other.mentions(entities=[one.id])
    for document in documents:
        hits = [[hit.id for hit in engine.nearest(document.vectors[0], 5)] for engine in (store, other)]
        assert hits[0] == hits[1]
        known = store.nearest(document.vectors[0], 5) + store.matching(["steel"], 5)
        assert {hit.id: hit.document for hit in known} == store.sources_of([hit.id for hit in known])
    assert store.facts(FactQuery()) == other.facts(FactQuery())
    assert [(m.entity, m.into, m.reason) for m in store.merges()] == [
        (m.entity, m.into, m.reason) for m in other.merges()
    ]


def test_a_database_of_another_program(driver, store_url):
    driver.execute_query("MATCH (w:Workspace) DETACH DELETE w")
    driver.execute_query("CREATE (:Theirs)")
    with pytest.raises(StoreError, match="another program"):
        open_store(store_url)
    driver.execute_query("MATCH (t:Theirs) DELETE t")
    with pytest.raises(StoreError, match="no workspace"):
        open_store(store_url, create=False)


@pytest.mark.timeout(120 * (SERVER_KILLS + 1))
def test_a_killed_server_comes_back_whole(running, store_url):
    """The server is killed, not the client: what was committed is there, what was not is not."""
    writer_url = store_url
    for round in range(SERVER_KILLS):
        store = open_store(writer_url)
        store.put(version_of("kept", round + 1))
        number, stop_at = 1, time.monotonic() + 0.3 + 0.2 * round
        while time.monotonic() < stop_at:
            store.put(version_of("doc", number))
            number += 1
        os.kill(running.pid, signal.SIGKILL)
        store.close()
        while server.find(Path(running.folder)):
            time.sleep(0.05)
        restart(running)  # not read-only at once: what was killed has to write to recover
        store = open_store(writer_url)
        same_state(store, version_of("kept", round + 1), version_of("doc", number - 1))
        store.close()
