"""A first load from files: what neo4j-admin loads is what the driver would have written."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from cliquerag.kg.copying import read_bundle
from cliquerag.kg.engines import open_store
from cliquerag.kg.graph import Mention
from cliquerag.kg.neo4j import bulk, rows, server
from cliquerag.kg.neo4j.facts import fact_rows
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import FactQuery, GraphPart
from support.bundles import bundle, entity, graph
from support.store_conformance import COAL, STEEL

pytestmark = pytest.mark.timeout(300)
QUOTED = bundle("c/“odd”.txt", '[Bolt] supplies [Acme "Inc."]; twice, \x1e', "two\nlines", embedder="")


@pytest.fixture
def written(tmp_path):
    """A workspace with a second extractor, an undone merge and a document without vectors, as files."""
    store = open_store("sqlite://")
    for document in (STEEL, COAL):
        store.put(document)
    store.put_graph(
        COAL.document.source, graph(COAL.document.source, [COAL.chunks[0].text], COAL.chunks[:1], extractor="llm-1")
    )
    store.undo(store.merge(entity("Bolt").id, entity("Acme Inc.").id, "by hand").id)
    counts = bulk.write_import(store, tmp_path / "files")
    assert counts["documents"] == 2 and counts["chunks"] == len(STEEL.chunks) + len(COAL.chunks)
    yield store, tmp_path / "files"
    store.close()


def columns(head: str) -> set[str]:
    return {name for column in head.split() if (name := column.partition(":")[0])}


def test_every_property_has_a_column():
    schema = load_schema()
    written = {
        "Document": rows.document_row(STEEL, 1),
        "Content": rows.content_row(STEEL),
        "Chunk": rows.chunk_rows(STEEL)[0]["properties"],
        "Fact": fact_rows("a", STEEL.facts)[0],
        "Entity": rows.entity_row(entity("Bolt"), schema)["properties"],
        "Statement": rows.statement_row(STEEL.graph.statements[0], "a", "x", schema)["properties"],
        "Extraction": rows.extraction_row("a", STEEL.graph),
        "Merge": rows.merge_row(COAL.graph.merges[0], True, 0)["properties"] if COAL.graph.merges else {},
    }
    for label, row in written.items():
        assert row.keys() <= columns(bulk.NODES[label]), label
    relation = rows.statement_row(STEEL.graph.statements[0], "a", "x", schema)["relation"]
    assert relation.keys() == columns(bulk.RELATIONSHIPS["RELATIONS"])


def test_any_text_comes_through(tmp_path):
    bulk.write_files([(QUOTED, [QUOTED.graph])], (), tmp_path)
    with (tmp_path / "Chunk.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["text"] for row in found] == [chunk.text for chunk in QUOTED.chunks]
    assert found[0]["vector:float[]"] == found[0]["sentences:byte[]"] == ""


def test_a_loaded_workspace_is_the_one_that_was_written(written, tmp_path, monkeypatch):
    if lacking := server.missing_tools():
        pytest.skip(f"the Neo4j engine is not tested: {lacking} is missing")
    store, files = written
    monkeypatch.setenv(server.PASSWORD_VARIABLE, "a password of tests")
    server.import_files(files, tmp_path / "server")
    running = server.start(tmp_path / "server")
    try:
        loaded = open_store(running.bolt)
        same_workspace(store, loaded)
        loaded.put(COAL)
        assert len(loaded.documents()) == 2, "and it can be written to"
        loaded.close()
    finally:
        server.stop(tmp_path / "server")


def same_workspace(store, loaded) -> None:
    assert {**store.counts(), "bytes": 0} == {**loaded.counts(), "bytes": 0}
    assert list(store.all_entities()) == list(loaded.all_entities())
    assert list(store.all_relations()) == list(loaded.all_relations())
    assert [(m.entity, m.into, m.undone) for m in store.merges()] == [
        (m.entity, m.into, m.undone) for m in loaded.merges()
    ]
    assert store.facts(FactQuery()) == loaded.facts(FactQuery())
    for record in store.documents():
        one, other = (read_bundle(engine, record.source, GraphPart("")) for engine in (store, loaded))
        assert one.document == other.document and one.chunks == other.chunks and one.words == other.words
        assert np.allclose(one.vectors, other.vectors, atol=1e-6)
        assert np.allclose(one.sentence_vectors, other.sentence_vectors, atol=1e-6)
        assert [part.extractor for part in store.parts(record.source)] == [
            part.extractor for part in loaded.parts(record.source)
        ]
    hits = [[hit.id for hit in engine.nearest(STEEL.vectors[0], 5)] for engine in (store, loaded)]
    assert hits[0] == hits[1]
    assert loaded.find_entities([entity("Bolt").key]) == store.find_entities([entity("Bolt").key])
    assert isinstance(loaded.mentions(entities=[entity("Bolt").id])[0], Mention)
