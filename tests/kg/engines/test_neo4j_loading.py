"""Loading a Neo4j server: vectors that are indexed behind the writers, and several loaders at once."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from cliquerag.core.errors import StoreError
from cliquerag.indexing import loading
from cliquerag.indexing.loading import Loading
from cliquerag.kg.engines.neo4j import chunks, connection, entities, writer
from cliquerag.kg.engines.neo4j.vector_queue import VectorQueue
from cliquerag.kg.storage.bundle_file import write_bundle
from support.bundles import bundle, entity, merge
from support.store_conformance import COAL, STEEL, same_state
from support.stores import open_store

pytestmark = pytest.mark.timeout(600)
_PROCESSES = multiprocessing.get_context("fork")
LOADERS = 4


@pytest.fixture
def store_url(empty_neo4j):
    return empty_neo4j


@pytest.fixture
def store(store_url):
    opened = open_store(store_url)
    yield opened
    opened.close()


@contextmanager
def killed_behind():
    """Inside, writers end before their vectors are in the indexes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(VectorQueue, "wake", lambda self, chunks: None)
        yield


def pending(store) -> list[str]:
    rows = store._graph.read("MATCH (d:Document {pending: true}) RETURN d.source AS source ORDER BY source")
    return [row["source"] for row in rows]


def without_vector(store) -> int:
    labels = "|".join(chunks.VECTOR_INDEXES.values())
    return store._graph.read(f"MATCH (n:{labels}) WHERE n.vector IS NULL RETURN count(n) AS left")[0]["left"]


@pytest.mark.parametrize("exact", [True, False])
def test_what_waits_for_the_vector_index_is_found_at_once(store, monkeypatch, exact):
    """Alone, beside indexed documents, in a scope, and with another version in its place."""
    store.put(COAL)
    store.wait_for_indexes()
    with killed_behind():
        store.put(STEEL)
    assert pending(store) == [STEEL.document.source] and without_vector(store)
    if not exact:
        monkeypatch.setattr(chunks, "EXACT_CHUNKS", 0)
    other = open_store("sqlite://")
    for document in (COAL, STEEL):
        other.put(document)
    ids = [chunk.id for document in (STEEL, COAL) for chunk in document.chunks]
    for scope in (None, [STEEL.document.source], [COAL.document.source], []):
        for vector in (*STEEL.vectors, *COAL.vectors):
            hits = [engine.nearest(vector, 3, scope) for engine in (store, other)]
            assert [hit.id for hit in hits[0]] == [hit.id for hit in hits[1]]
            assert np.allclose([hit.score for hit in hits[0]], [hit.score for hit in hits[1]], atol=1e-3)
    assert np.allclose(store.vectors(ids), other.vectors(ids), atol=1e-3) and store.vectors(ids).any(axis=1).all()
    sources = [STEEL.document.source, COAL.document.source]
    assert np.allclose(store.vectors_of(sources), other.vectors_of(sources), atol=1e-3)
    again = bundle(STEEL.document.source, "Something else altogether")
    with killed_behind():
        store.put(again)
    assert store.nearest(again.vectors[0], 1)[0].id == again.chunks[0].id
    left = {chunk.id for document in (again, COAL) for chunk in document.chunks}
    assert {hit.id for hit in store.nearest(STEEL.vectors[0], 50)} == left


def test_a_question_that_knows_the_terms_reads_the_vectors_of_a_waiting_document(store):
    """Terms are kept between questions, vectors are not: a later question asks for these alone."""
    store.put(COAL)
    store.wait_for_indexes()
    with killed_behind():
        store.put(STEEL)
    ordered = sorted((STEEL, COAL), key=lambda one: one.document.source)
    with store.reading():
        found = store.vectors_of([one.document.source for one in ordered])
    assert np.allclose(found, np.concatenate([one.vectors for one in ordered]), atol=1e-3)


def scans(plan) -> list[str]:
    """Steps of a plan that look at all nodes of a label, but for the one workspace and the first of its documents."""
    found = [scan for child in plan.get("children", ()) for scan in scans(child)]
    step, what = plan["operatorType"].split("@")[0], plan["args"].get("Details", "")
    if "Scan" in step and not what.startswith(("w:Workspace", "RANGE INDEX v:Document(source)")):
        found.append(f"{step} {what}")
    return found


@pytest.mark.parametrize("stored", [0, 1, 2])
def test_the_plans_that_writes_keep_suit_any_size(store, driver, monkeypatch, stored):
    """Plans are kept as a store grows, so one that is made when it is small must look nothing up by a scan."""
    for document in (COAL, STEEL)[:stored]:
        store.put(document)
    store.wait_for_indexes()
    run, explained = connection.Transaction.run, {}

    def explaining(self, cypher, **values):
        if cypher not in explained:
            _, summary, _ = driver.execute_query("EXPLAIN " + connection.with_one_plan(cypher), {"given": values})
            explained[cypher] = scans(summary.plan)
        return run(self, cypher, **values)

    monkeypatch.setattr(connection.Transaction, "run", explaining)
    driver.execute_query("CALL db.clearQueryCaches()")
    for document in (COAL, STEEL, bundle(COAL.document.source, "[Bolt] supplies [Drill AG]")):
        store.put(document)
    store.put_graph(STEEL.document.source, STEEL.graph)
    store.remove(COAL.document.source)
    store.wait_for_indexes()
    assert len(explained) > 12
    assert {cypher: found for cypher, found in explained.items() if found} == {}


def test_one_plan_does_for_lists_and_texts_of_any_length(store, driver):
    """The server would plan a statement anew for the eleventh row, and for a source of eleven letters."""
    query = "UNWIND $ids AS id MATCH (e:Entity {id: id}) RETURN $source + e.name AS name"
    store._rehearsal.join()
    driver.execute_query("CALL db.clearQueryCaches()")
    for length in (1, 11, 101):
        store._graph.read(query, ids=["x"] * length, source="s" * length)
    assert kept_plans(driver) == 1


def test_a_write_finds_its_plans_made_when_the_store_is_opened(store, store_url, monkeypatch):
    """On a cold server planning takes seconds; nothing that it plans with is kept."""
    before = store.version(), store.counts()
    run, statements = connection.Transaction.run, []

    def noting(self, cypher, **values):
        statements.append(cypher)
        return run(self, cypher, **values)

    monkeypatch.setattr(connection.Transaction, "run", noting)
    opened = open_store(store_url)
    opened._rehearsal.join()
    assert (store.version(), store.counts()) == before
    planned = set(statements)
    statements.clear()
    with killed_behind():
        opened.put(STEEL)
    opened.close()
    once = {cypher for cypher in statements if "SET w.embedder" in cypher}  # in the life of a workspace
    assert planned
    assert set(statements) - planned == once


def test_who_only_reads_plans_no_writes(store, store_url):
    opened = open_store(store_url, create=False)
    assert opened._rehearsal._thread is None
    opened.close()


def kept_plans(driver) -> int:
    """How many plans the server had kept; now none."""
    rows, _, _ = driver.execute_query("CALL db.clearQueryCaches()")
    return int(re.search(r"\d+", rows[0]["value"])[0])


def vector_indexes(driver) -> list[str]:
    query = "SHOW VECTOR INDEXES YIELD name RETURN collect(name) AS names"
    return sorted(driver.execute_query(query).records[0]["names"])


def test_the_first_vector_indexes_are_there_before_the_first_write(store, driver, monkeypatch):
    """Made behind it, they would have the server make the plans of a write a second time."""
    store._rehearsal.join()
    for name in chunks.VECTOR_INDEXES:
        store._graph.run_alone(f"DROP INDEX {name} IF EXISTS")
    run, seen = connection.Transaction.run, []

    def looking(self, cypher, **values):
        seen.append(vector_indexes(driver))
        return run(self, cypher, **values)

    monkeypatch.setattr(connection.Transaction, "run", looking)
    store.put(COAL)
    assert seen[0] == sorted(chunks.VECTOR_INDEXES)


def test_the_next_writer_indexes_what_a_killed_one_left(store, store_url):
    with killed_behind():
        for document in (STEEL, COAL):
            store.put(document)
    found = [hit.id for hit in store.nearest(STEEL.vectors[0], 5)]
    assert pending(store) == [STEEL.document.source, COAL.document.source]
    writer = open_store(store_url)
    writer.put(bundle("c.txt", "[Bolt] supplies [Drill AG]"))
    writer.close()
    assert pending(store) == [] and without_vector(store) == 0
    same_state(store, STEEL, COAL, bundle("c.txt", "[Bolt] supplies [Drill AG]"))
    assert [hit.id for hit in store.nearest(STEEL.vectors[0], 5) if hit.id in found][:2] == found[:2]


def test_what_another_extractor_adds_is_indexed_too(store):
    store.put(COAL)
    store.wait_for_indexes()
    said = bundle(COAL.document.source, *(chunk.text for chunk in COAL.chunks), extractor="llm-1").graph
    store.put_graph(COAL.document.source, said)
    store.wait_for_indexes()
    assert pending(store) == [] and without_vector(store) == 0


def a_filing(loader: int, number: int):
    """Names that all loaders share, two ways to spell one, a merge that the document gives, and names of its own."""
    spelt = "Transparent Financial" if (loader + number) % 2 else "Transprent Financial"
    lines = [
        "[Acme Inc.] supplies [Bolt]",
        f"[{spelt}] pays [Goldman Sachs]",
        f"[Own {loader} {number}] leads [Bolt]",
        f"[Acme Corp] sues [Drill {number}]",
    ]
    return bundle(f"{loader}/{number}.txt", *lines, merges=[merge("Acme Inc.", "Acme Corp")])


FILINGS = 6


def load(url: str, loader: int, start) -> None:
    store = open_store(url)
    start.wait(60)
    for number in range(FILINGS):
        store.put(a_filing(loader, number))
    store.close()


def names(one) -> frozenset[str]:
    return frozenset((one.name, *one.aliases))


def graph_of(store):
    """All that does not say who came first."""
    clusters = {names(one): (one.mentions, one.documents, one.type) for one in store.all_entities()}
    relations = {
        (names(r.head), r.relation, names(r.tail)): sorted(s.id for s in r.statements) for r in store.all_relations()
    }
    merges = {(frozenset((m.entity, m.into)), m.reason) for m in store.merges()}
    return clusters, relations, merges


def index_names(store) -> list[str]:
    return sorted(row["name"] for row in store._graph.read("SHOW INDEXES YIELD name"))


def test_programs_that_begin_at_once_all_find_the_indexes(store, store_url):
    """Each makes those that are missing in one transaction: where another one was faster it makes each alone."""
    before = index_names(store)
    for name in ("chunk_place", "fact_company", "chunk_words"):
        store._graph.run_alone(f"DROP INDEX {name}")
    store._graph.run_alone("DROP CONSTRAINT merge_pair")
    start, failed = threading.Barrier(LOADERS), []

    def begin():
        start.wait()
        try:
            store._graph.set_up()
        except StoreError as error:
            failed.append(error)

    programs = [threading.Thread(target=begin) for _ in range(LOADERS)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert failed == [] and index_names(store) == before


def test_four_loaders_make_the_graph_of_one(store, store_url):
    """Each a process of its own, with entities that they share: nothing is lost, and none of them fails.

    They also begin at once, and all make the vector indexes.
    """
    for name in chunks.VECTOR_INDEXES:
        store._graph.run_alone(f"DROP INDEX {name} IF EXISTS")
    start = _PROCESSES.Barrier(LOADERS)
    loaders = [_PROCESSES.Process(target=load, args=(store_url, loader, start)) for loader in range(LOADERS)]
    for loader in loaders:
        loader.start()
    for loader in loaders:
        loader.join(300)
    assert [loader.exitcode for loader in loaders] == [0] * LOADERS
    one = open_store("sqlite://")
    for loader in range(LOADERS):
        for number in range(FILINGS):
            one.put(a_filing(loader, number))
    assert graph_of(store) == graph_of(one)
    (bolt,) = store.entities([entity("Bolt").id])
    assert bolt.documents == LOADERS * FILINGS
    assert {name: n for name, n in store.counts().items() if name != "bytes"} == {
        name: n for name, n in one.counts().items() if name != "bytes"
    }
    assert pending(store) == [] and without_vector(store) == 0
    assert store.version() == LOADERS * FILINGS
    rows = store._graph.read("MATCH (d:Document) RETURN count(DISTINCT d.stamp) AS stamps")
    assert rows == [{"stamps": LOADERS * FILINGS}], "each write was counted, none twice"


def bundle_files(folder, documents):
    for number, document in enumerate(documents):
        (folder / f"{number}.bundle").write_bytes(write_bundle(document, f"{number}"))
    return Loading.of([folder])


def no_extractor():
    raise AssertionError("nothing is read here")


def test_one_loader_packs_several_documents_at_once(store, tmp_path, monkeypatch):
    """Each of three is packed while the others are, which none is inside a transaction, for the others would wait for
    it; the graph is that of one loader that takes one after the other."""
    documents = [a_filing(loader, number) for loader in range(LOADERS) for number in range(FILINGS)]
    monkeypatch.setattr(loading, "fit_together", lambda bundles: len(list(bundles)) < 2)
    met, pack = threading.Barrier(store.side_by_side), writer.pack
    waiting = iter(range(store.side_by_side))

    def meeting(*given):
        if next(waiting, None) is not None:
            met.wait(60)
        return pack(*given)

    monkeypatch.setattr(writer, "pack", meeting)
    reports = list(bundle_files(tmp_path, documents).into(store, no_extractor))
    assert [report.outcome for report in reports] == ["added"] * len(documents)
    one = open_store("sqlite://")
    for document in documents:
        one.put(document)
    one.settle()
    assert graph_of(store) == graph_of(one)
    assert len(store.documents()) == len(documents)
    assert all(kept == given for kept, given in counted(store).values()), "no update is lost"
    again = list(Loading.of([tmp_path]).into(store, no_extractor))
    assert [report.outcome for report in again] == ["unchanged"] * len(documents)


def test_what_is_refused_stops_a_load_and_what_was_stored_beside_it_is_told(store, tmp_path, monkeypatch):
    documents = [a_filing(0, number) for number in range(FILINGS)]
    monkeypatch.setattr(loading, "fit_together", lambda bundles: len(list(bundles)) < 2)
    put = writer.put

    def refusing(tx, packed):
        if packed.bundle.document.source == documents[2].document.source:
            raise StoreError("not this one")
        put(tx, packed)

    monkeypatch.setattr(writer, "put", refusing)
    told = []
    with pytest.raises(StoreError, match="not this one"):
        for report in bundle_files(tmp_path, documents).into(store, no_extractor):
            told.append(report.source)
    assert sorted(told) == [record.source for record in store.documents()]
    assert documents[2].document.source not in told and 2 <= len(told) < len(documents)
    monkeypatch.setattr(writer, "put", put)
    outcomes = [report.outcome for report in Loading.of([tmp_path]).into(store, no_extractor)]
    assert sorted(outcomes) == ["added"] * (FILINGS - len(told)) + ["unchanged"] * len(told)


def test_who_waits_for_a_write_is_not_given_up_for_a_deadlock(store, driver):
    """A write of several documents counts each of them, while others wait to begin: nobody has to begin anew."""
    outcomes = []

    def begin_and_end():
        with driver.session() as session, session.begin_transaction() as inner:
            outcomes.append(writer.begin(connection.Transaction(inner, lambda: None)).version)
            inner.commit()

    waiters = [threading.Thread(target=begin_and_end) for _ in range(3)]
    with driver.session() as session, session.begin_transaction() as inner:
        holder = connection.Transaction(inner, lambda: None)
        writer.begin(holder)
        for waiter in waiters:
            waiter.start()
        time.sleep(1)
        writer.begin(holder)
        inner.commit()
    for waiter in waiters:
        waiter.join(60)
    assert sorted(outcomes) == [3, 4, 5]
    assert store.version() == 5


def load_folder(url: str, folder, start) -> None:
    store = open_store(url)
    start.wait(60)
    for _ in Loading.of([folder]).into(store, no_extractor):
        pass
    store.close()


def loaded_by_one(documents):
    one = open_store("sqlite://")
    for document in documents:
        one.put(document)
    one.settle()
    return one


def same_as_one(store, documents) -> None:
    """What is stored is what one loader makes of the documents: the graph, and each count."""
    one = loaded_by_one(documents)
    assert graph_of(store) == graph_of(one)
    assert [record.source for record in store.documents()] == [record.source for record in one.documents()]
    counts = [{name: n for name, n in engine.counts().items() if name != "bytes"} for engine in (store, one)]
    assert counts[0] == counts[1]
    assert all(kept == given for kept, given in counted(store).values())
    assert pending(store) == [] and without_vector(store) == 0


def test_a_loader_that_is_killed_again_and_again_leaves_what_one_load_makes(store, store_url, tmp_path):
    documents = [a_filing(loader, number) for loader in range(LOADERS) for number in range(FILINGS)]
    bundle_files(tmp_path, documents)
    for kept in (1, 5, 9):
        start = _PROCESSES.Barrier(1)
        loader = _PROCESSES.Process(target=load_one_by_one, args=(store_url, tmp_path, start))
        loader.start()
        while len(store.documents()) < kept and loader.is_alive():
            time.sleep(0.005)
        os.kill(loader.pid, signal.SIGKILL)
        loader.join()
    assert len(store.documents()) < len(documents), "the last one was killed before its end"
    last = _PROCESSES.Process(target=load_folder, args=(store_url, tmp_path, _PROCESSES.Barrier(1)))
    last.start()
    last.join(300)
    assert last.exitcode == 0
    same_as_one(store, documents)


def load_one_by_one(url: str, folder, start) -> None:
    loading.fit_together = lambda bundles: len(list(bundles)) < 2
    load_folder(url, folder, start)


def remove_all(url: str, sources, start) -> None:
    store = open_store(url)
    start.wait(60)
    for source in sources:
        assert store.remove(source)
    store.close()


@pytest.mark.parametrize("lost", ["id", "name", "key"])
def test_what_is_removed_while_it_is_read_is_not_settled(lost):
    node = {"id": "a", "name": "Acme", "type": "company", "key": "acme", "mentions": 1, "context": []}

    class Graph:
        def __init__(self, entity):
            self.entity = entity

        def read(self, query):
            return [{"entity": self.entity}] if ":Entity" in query else []

    assert entities.is_settled(Graph(node))
    assert not entities.is_settled(Graph(node | {lost: None}))


def test_two_loaders_while_a_third_process_removes(store, store_url, tmp_path):
    """What is removed shares its entities and merges with what is loaded: they stay as far as somebody names them."""
    gone = [a_filing(9, number) for number in range(FILINGS)]
    for document in gone:
        store.put(document)
    documents = [[a_filing(loader, number) for number in range(FILINGS)] for loader in range(2)]
    start, processes = _PROCESSES.Barrier(3), []
    for number, own in enumerate(documents):
        folder = tmp_path / str(number)
        folder.mkdir()
        bundle_files(folder, own)
        processes.append(_PROCESSES.Process(target=load_one_by_one, args=(store_url, folder, start)))
    sources = [document.document.source for document in gone]
    processes.append(_PROCESSES.Process(target=remove_all, args=(store_url, sources, start)))
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    store.settle()
    same_as_one(store, [*documents[0], *documents[1]])


def counted(store) -> dict[str, tuple[int, int]]:
    """Entity -> its mentions as they stand on it, and as its documents give them."""
    rows = store._graph.read(
        """MATCH (e:Entity) OPTIONAL MATCH (:Document)-[n:NAMES]->(e)
        RETURN e.id AS id, e.mentions AS kept, sum(n.mentions) AS given"""
    )
    return {row["id"]: (row["kept"], row["given"]) for row in rows}


def test_mentions_are_counted_as_documents_come_change_and_go(store):
    """They stand on the entity, so that a question need not look at the thousands of documents that name it."""
    store.put(STEEL)
    store.put(COAL)
    store.put(bundle(COAL.document.source, "[Bolt] pays [Acme Inc.]", "[Bolt] again"))
    store.put(bundle("gone.txt", "[Bolt] supplies [Acme Inc.]"))
    again = bundle(STEEL.document.source, *(chunk.text for chunk in STEEL.chunks), extractor="llm-1").graph
    store.put_graph(STEEL.document.source, again)
    store.remove("gone.txt")
    found = counted(store)
    assert entity("Bolt").id in found and all(kept == given for kept, given in found.values())


def test_a_workspace_of_before_has_its_mentions_counted(store, store_url):
    for document in (STEEL, COAL):
        store.put(document)
    store.wait_for_indexes()
    before = list(store.all_entities())
    store._graph.write(
        lambda tx: tx.run("MATCH (w:Workspace) SET w.layout = 4 WITH w MATCH (e:Entity) REMOVE e.mentions")
    )
    older = open_store(store_url)
    assert list(older.all_entities()) == before, "also while nobody has written"
    older.put(COAL)
    assert all(kept == given for kept, given in counted(older).values())
    assert list(older.all_entities()) == before
    older.close()


def test_a_loader_reads_only_what_is_new_in_the_list_of_documents(store, store_url, monkeypatch):
    """What others added, replaced and removed is seen all the same."""
    store.put(STEEL)
    other = open_store(store_url)
    assert len(other.documents()) == 1
    asked = []
    read = other._graph.read
    monkeypatch.setattr(other._graph, "read", lambda cypher, **values: asked.append(cypher) or read(cypher, **values))
    store.put(COAL)
    store.put(bundle(STEEL.document.source, "Another text"))
    assert [record.chunks for record in other.documents()] == [1, len(COAL.chunks)]
    assert sum("collect([d.source, d.stamp])" in cypher for cypher in asked) == 0, "the stamps of all documents"
    store.remove(COAL.document.source)
    assert [record.source for record in other.documents()] == [STEEL.document.source]
    store.put(COAL)
    assert len(other.documents()) == 2
    other.close()
