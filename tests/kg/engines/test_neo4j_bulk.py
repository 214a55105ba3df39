"""A first load from files: what neo4j-admin loads is what the driver would have written."""

from __future__ import annotations

import csv
import os
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest
from cliquerag.core.errors import StoreError
from cliquerag.kg.drivers import DriverQuery
from cliquerag.kg.engines.neo4j import bulk, csv_files, rows, server
from cliquerag.kg.engines.neo4j.facts import fact_rows, written_row
from cliquerag.kg.graph import Entity, Mention
from cliquerag.kg.resolution.matching import spelling_blocks
from cliquerag.kg.schema import load_schema
from cliquerag.kg.storage.codec import expand, pack_vectors, unpack_vectors
from cliquerag.kg.storage.copying import read_bundle
from cliquerag.kg.store import FactQuery, GraphPart
from cliquerag.models.embedders import MULTILINGUAL, SpaceVectors
from support.bundles import bundle, driver, entity, graph, unit_rows
from support.neo4j_server import READ_ONLY, neo4j_server, restart
from support.store_conformance import COAL, STEEL
from support.stores import open_store

pytestmark = pytest.mark.timeout(300)
QUOTED = bundle("c/“odd”.txt", '[Bolt] supplies [Acme "Inc."]; twice, \x1e', "two\nlines", embedder="")
SPELT = bundle("spelt.txt", "[Transparent Financial] pays [Goldman Sachs]")
BESIDE = SpaceVectors("many", unit_rows(np.random.default_rng(8), 1, 24), unit_rows(np.random.default_rng(9), 2, 24))
WRITTEN = (STEEL, COAL, replace(SPELT, multilingual=BESIDE))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A workspace with a second extractor, an undone merge and a document without vectors, as files."""
    folder = tmp_path_factory.mktemp("written")
    store = open_store(f"sqlite:///{folder}/written.db")
    for document in WRITTEN:
        found = tuple(driver(chunk, company="Acme Inc.") for chunk in document.chunks)
        store.put(replace(document, graph=replace(document.graph, drivers=found)))
    store.put_graph(
        COAL.document.source, graph(COAL.document.source, [COAL.chunks[0].text], COAL.chunks[:1], extractor="llm-1")
    )
    store.undo(store.merge(entity("Bolt").id, entity("Acme Inc.").id, "by hand").id)
    counts = bulk.write_import(store, folder, load_schema(), workers=2)
    assert counts["documents"] == len(WRITTEN) and counts["chunks"] == sum(len(d.chunks) for d in WRITTEN)
    yield store, folder
    store.close()


@pytest.fixture(scope="module")
def imported(written):
    """A server of its own on what neo4j-admin has loaded."""
    with neo4j_server(written[1]) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv(server.PASSWORD_VARIABLE, running.password)
        yield running


def columns(head: str) -> set[str]:
    return {name for column in head.split() if (name := column.partition(":")[0])}


def test_every_property_has_a_column():
    schema = load_schema()
    written = {
        "Document": rows.document_row(STEEL, 1),
        "Content": rows.content_row(STEEL),
        "Chunk": rows.chunk_rows(STEEL)[0],
        "Fact": fact_rows("a", STEEL.facts)[0],
        "Entity": rows.entity_row(entity("Bolt"), schema)["properties"],
        "Statement": rows.statement_row(STEEL.graph.statements[0], "a", "x", schema)["properties"],
        "Driver": written_row(driver(STEEL.chunks[0]), "a", "x")["properties"],
        "Cause": written_row(driver(STEEL.chunks[0]), "a", "x")["causes"][0]["properties"],
        "Extraction": rows.extraction_row("a", STEEL.graph),
        "Merge": rows.merge_row(COAL.graph.merges[0], True, 0)["properties"] if COAL.graph.merges else {},
    }
    for label, row in written.items():
        assert row.keys() <= columns(csv_files.NODES[label]), label
    relation = rows.statement_row(STEEL.graph.statements[0], "a", "x", schema)["relation"]
    assert relation.keys() == columns(csv_files.RELATIONSHIPS["RELATIONS"])


def test_any_text_comes_through(tmp_path):
    bulk.write_files(lambda begin, end: [(QUOTED, [QUOTED.graph])], 1, (), tmp_path, load_schema())
    with (tmp_path / "Chunk.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["text"] for row in found] == [chunk.text for chunk in QUOTED.chunks]
    assert found[0]["vector:float[]"] == found[0]["sentences"] == ""


def test_bytes_stand_in_the_files_as_base64(tmp_path):
    bulk.write_files(lambda begin, end: [(STEEL, [STEEL.graph])], 1, (), tmp_path, load_schema())
    with (tmp_path / "Content.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert expand(row["text"]) == STEEL.document.text == expand(b64decode(row["text"]))
    assert b64decode(row["chunk_vectors"]) == pack_vectors(STEEL.vectors)
    assert np.allclose(unpack_vectors(row["chunk_vectors"], STEEL.vectors.shape[1]), STEEL.vectors, atol=2e-3)


def test_several_processes_make_the_files_of_one(written, tmp_path):
    store, folder = written
    bulk.write_import(store, tmp_path, load_schema(), workers=5)
    bulk.write_import(store, tmp_path, load_schema())
    assert not list(tmp_path.glob("*.0*.csv")), "shares of an earlier export are gone"
    assert list(folder.glob("Chunk.001.csv"))
    for name in csv_files.NODES | csv_files.RELATIONSHIPS:
        shares = [folder / f"{name}.csv", *folder.glob(f"{name}.001.csv")]
        assert b"".join(path.read_bytes() for path in shares) == (tmp_path / f"{name}.csv").read_bytes(), name


def fatal(begin, end):
    """Documents whose reader dies."""
    os._exit(1)


def test_a_process_that_dies_is_said(tmp_path):
    with pytest.raises(StoreError, match="fewer workers"):
        bulk.write_files(fatal, 2, (), tmp_path, load_schema(), workers=2)


def test_a_loaded_workspace_is_the_one_that_was_written(written, imported):
    loaded = open_store(imported.bolt)
    same_workspace(written[0], loaded)
    assert loaded.embedder(MULTILINGUAL) == "many"
    assert np.allclose(loaded.vectors_of(["spelt.txt"], MULTILINGUAL), BESIDE.chunks, atol=2e-3)
    (sentences,) = loaded.sentence_vectors([SPELT.chunks[0].id], MULTILINGUAL)
    assert float(sentences[0] @ BESIDE.sentences[0]) > 0.99
    loaded.put(COAL)
    assert len(loaded.documents()) == len(WRITTEN), "and it can be written to"
    loaded.close()


def test_names_loaded_are_found_by_other_spellings(imported):
    loaded = open_store(imported.bolt)
    rows = loaded._graph.read("MATCH (e:Entity) RETURN e {.id, .name, .type, .key} AS entity, e.blocks AS blocks")
    found = loaded._graph.read("MATCH (s:Spelling) RETURN s.block AS block, s.entity AS entity")
    blocks = {row["entity"]["id"]: spelling_blocks(Entity(**row["entity"])) for row in rows}
    assert {row["entity"]["id"]: row["blocks"] or [] for row in rows} == blocks, "an empty list is none in a file"
    wanted = [(block, id) for id, own in blocks.items() for block in own]
    assert sorted((row["block"], row["entity"]) for row in found) == sorted(wanted) != []
    loaded.close()


def test_a_read_only_database_answers_and_refuses_documents(imported):
    open_store(imported.bolt).close()
    restart(imported, READ_ONLY)
    store = open_store(imported.bolt)
    assert store.nearest(STEEL.vectors[0], 2) and store.documents()
    with pytest.raises(StoreError, match="read-only"):
        store.put(bundle("new.txt", "[Acme Inc.] supplies [Bolt]"))
    with pytest.raises(StoreError, match="read-only"):
        store.remove(STEEL.document.source)
    store.close()


def same_workspace(store, loaded) -> None:
    assert {**store.counts(), "bytes": 0} == {**loaded.counts(), "bytes": 0}
    assert list(store.all_entities()) == list(loaded.all_entities())
    assert list(store.all_relations()) == list(loaded.all_relations())
    assert [(m.entity, m.into, m.undone) for m in store.merges()] == [
        (m.entity, m.into, m.undone) for m in loaded.merges()
    ]
    assert store.facts(FactQuery()) == loaded.facts(FactQuery())
    assert store.drivers(DriverQuery(categories=("weather",))) == loaded.drivers(DriverQuery(categories=("weather",)))
    assert len(loaded.drivers(DriverQuery())) == sum(len(bundle.chunks) for bundle in WRITTEN)
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
