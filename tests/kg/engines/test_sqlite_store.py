"""The embedded engine keeps the contract, and refuses what is not a workspace."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from cliquerag.core.errors import StoreError, UsageError
from cliquerag.kg.engines.sqlite import opening
from cliquerag.kg.resolution.clusters import components
from cliquerag.kg.store import FactQuery
from support.bundles import bundle, entity, merge
from support.store_conformance import (
    COAL,
    STEEL,
    cluster_names,
    crowd,
    same_state,
)
from support.store_safety import SafetyTests, version_of
from support.store_suites import *  # noqa: F403 - the contract, which pytest collects here
from support.stores import open_store


@pytest.fixture
def store_url(tmp_path):
    return f"sqlite:///{tmp_path}/x.db"


class TestSafety(SafetyTests):
    def test_the_file_stays_sound_under_kills(self, store_url, store, tmp_path):
        self.test_killed_writers_tear_nothing(store_url, store)
        with sqlite3.connect(tmp_path / "x.db") as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
            file.execute("INSERT INTO word (word) VALUES ('integrity-check')")


def test_a_quick_check_of_the_file_finds_nothing(store_url, tmp_path):
    """That of SQLite 3.40 takes the columns of a table whose key has them in another order for empty ones."""
    store = open_store(store_url)
    for document in (STEEL, COAL, bundle("c.txt", "[Acme Inc.] pays [Bolt]", merges=[merge("Acme Inc.", "Bolt")])):
        store.put(document)
    merges = store.merges()
    store.close()
    with sqlite3.connect(tmp_path / "x.db") as file:
        assert file.execute("SELECT count(*) FROM merge_part").fetchone() > (0,)
        assert file.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        # As files of before have it.
        file.executescript("""ALTER TABLE merge_part RENAME TO kept;
          CREATE TABLE merge_part (
            merge INTEGER NOT NULL REFERENCES merge ON DELETE CASCADE,
            part INTEGER NOT NULL REFERENCES part ON DELETE CASCADE,
            PRIMARY KEY (part, merge)
          ) WITHOUT ROWID;
          INSERT INTO merge_part (merge, part) SELECT merge, part FROM kept;
          DROP TABLE kept;
          PRAGMA user_version = 9""")
    older = open_store(store_url)
    assert older.merges() == merges
    assert older.remove("c.txt") and len(older.merges()) < len(merges)
    older.close()
    with sqlite3.connect(tmp_path / "x.db") as file:
        assert file.execute("PRAGMA quick_check").fetchall() == [("ok",)]


def counted(file):
    file.execute("CREATE VIRTUAL TABLE temp.told USING fts5vocab (main, word, row)")
    return dict(file.execute("SELECT term, doc FROM word_count")), dict(file.execute("SELECT term, doc FROM told"))


def test_how_common_words_are_is_kept_as_documents_come_and_go(store_url, tmp_path):
    store = open_store(store_url)
    for document in (STEEL, COAL, crowd(), version_of("doc", 4), version_of("doc", 5)):
        store.put(document)
    assert store.remove("crowd.txt")
    store.close()
    with sqlite3.connect(tmp_path / "x.db") as file:
        kept, told = counted(file)
        assert kept == told and max(kept.values()) > 1
        # As files of before have it: counted when asked.
        file.executescript("""DROP TABLE word_count; CREATE VIRTUAL TABLE word_count USING fts5vocab (word, row);
          PRAGMA user_version = 10""")
    open_store(store_url).close()
    with sqlite3.connect(tmp_path / "x.db") as file:
        assert counted(file) == (kept, told)


def test_spellings_go_with_their_names():
    store = open_store("sqlite://")
    store.put(crowd())
    store.put(bundle("b.txt", "[Transprent Financial]"))
    store.remove("crowd.txt")
    store.remove("b.txt")
    assert store._read.value("SELECT count(*) FROM entity_block") == 0


def test_a_workspace_of_before_finds_other_spellings_too(store_url, tmp_path):
    store = open_store(store_url)
    store.put(crowd())
    store.close()
    with sqlite3.connect(tmp_path / "x.db") as file:
        file.execute("DROP TABLE entity_block")
        file.execute("PRAGMA user_version = 5")
    store = open_store(store_url)
    store.put(bundle("b.txt", "[Transprent Financial]"))
    assert cluster_names(store, "Transparent Financial") == {"Transparent Financial", "Transprent Financial"}
    store.close()


def test_in_memory():
    store = open_store("sqlite://")
    store.put(version_of("doc", 4))
    same_state(store, version_of("doc", 4))


def test_a_relative_path_and_one_with_odd_characters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for url, name in (("sqlite:///plain.db", "plain.db"), ("sqlite:///h%20%3F%23 ü.db", "h ?# ü.db")):
        open_store(url).close()
        assert (tmp_path / name).is_file()


def test_a_database_of_another_program_is_left_as_it_is(tmp_path):
    path = tmp_path / "x.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["x.db"]


def test_a_workspace_of_a_newer_version_is_refused(store_url, tmp_path):
    open_store(store_url).close()
    with sqlite3.connect(tmp_path / "x.db") as file:
        file.execute("PRAGMA user_version = 999")
    with pytest.raises(StoreError, match="newer"):
        open_store(store_url)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"%PDF-1.7 " * 500), "not a CliqueRAG workspace"),
        (lambda path: path.mkdir(), "a folder"),
        (lambda path: path.parent.rmdir(), "folder does not exist"),
    ],
)
def test_what_is_no_workspace(tmp_path, make, message):
    path = tmp_path / "below" / "x.db"
    path.parent.mkdir()
    make(path)
    with pytest.raises(StoreError, match=message):
        open_store(f"sqlite:///{path}")


def test_nothing_is_created_unasked(store_url, tmp_path):
    with pytest.raises(StoreError, match="no workspace"):
        open_store(store_url, create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_file_cut_short_while_it_is_read_is_an_error_and_no_crash(store_url, tmp_path):
    store = open_store(store_url)
    store.put(bundle("doc", *[" ".join(f"word{i * j}" for j in range(200)) for i in range(200)]))
    store.close()
    script = f"""
import os
from cliquerag.core.errors import StoreError
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
store = open_store({store_url!r}, schema=load_schema())
try:
    with store._read.reading():
        store.documents()
        os.truncate({str(tmp_path / "x.db")!r}, 16_384)
        store.text("doc")
except StoreError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, "damaged" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("url", ["mysql://host/db", "x", "sqlite://host/x.db"])
def test_unknown_urls(url):
    with pytest.raises(UsageError, match="URL"):
        open_store(url)


def test_a_password_in_a_url_is_refused_and_not_shown():
    with pytest.raises(UsageError, match="environment") as caught:
        open_store("neo4j://neo4j:secret@host:7687")
    assert "secret" not in str(caught.value)


def test_reading_only(store_url):
    writer = open_store(store_url)
    writer.put(version_of("doc", 2))
    reader = open_store(store_url + "?mode=ro")
    same_state(reader, version_of("doc", 2))
    with pytest.raises(StoreError, match="read-only"):
        reader.put(version_of("doc", 3))
    same_state(reader, version_of("doc", 2))


def test_locked_by_another_process(store_url, tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.2)
    store = open_store(store_url)
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        store.put(version_of("doc", 1))
    assert store.documents() == [], "readers do not wait"
    other.execute("ROLLBACK")
    store.put(version_of("doc", 1))


def test_waiting_for_another_writer(store_url, tmp_path):
    store = open_store(store_url)
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, lambda: other.execute("ROLLBACK")).start()
    begin = time.monotonic()
    store.put(version_of("doc", 1))
    assert time.monotonic() - begin > 0.25


def test_a_full_disk(store_url):
    store = open_store(store_url)
    store.put(version_of("doc", 1))
    pages = store._write.value("PRAGMA page_count")
    store._write.run(f"PRAGMA max_page_count = {pages + 20}")
    with pytest.raises(StoreError, match="full"):
        store.put(bundle("big", *["word " * 500] * 200))
    same_state(store, version_of("doc", 1))
    store._write.run("PRAGMA max_page_count = 1000000")
    store.put(version_of("doc", 2))
    same_state(store, version_of("doc", 2))


def test_a_closed_store(store_url):
    store = open_store(store_url)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.documents()


def test_two_processes_may_create_it_at_once(store_url):
    script = f"""
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
open_store({store_url!r}, schema=load_schema()).close()
"""
    processes = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4


def test_sql_for_people(store_url, tmp_path):
    store = open_store(store_url)
    store.put(version_of("doc", 2))
    with sqlite3.connect(tmp_path / "x.db") as file:
        rows = file.execute("SELECT company, metric, amount, unit, source, page FROM facts_view").fetchall()
    assert rows == [("Acme Inc.", "version", 2.0, "USD", "doc", 1)] * 3


def test_vectors_are_loaded_once_and_compacted(store_url):
    store = open_store(store_url)
    documents = [bundle(f"doc {i}", *["a line"] * 4) for i in range(40)]
    for document in documents:
        store.put(document)
    store.nearest(documents[0].vectors[0], 5)
    for document in documents[:30]:
        store.remove(document.document.source)
    hits = store.nearest(documents[35].vectors[2], 99)
    assert len(hits) == 40 and hits[0].id == documents[35].chunks[2].id
    assert store._matrices["main"]._blocks[0].used < 80, "gaps are closed"
    assert len(store.facts(FactQuery())) == 0


def test_chunks_read_before_are_those_that_another_process_wrote(store_url):
    store, other = open_store(store_url), open_store(store_url)
    store.put(bundle("doc", "a line"))
    ids = [chunk.id for chunk in store.chunks_of("doc")]
    assert [chunk.text for chunk in store.chunks(ids)] == [chunk.text for chunk in other.chunks(ids)]
    other.remove("doc")
    assert store.chunks(ids) == []


def test_questions_in_a_row_read_a_text_once(store_url):
    store = open_store(store_url)
    store.put(bundle("doc", "one line", "another line"))
    store.put(bundle("other", "a third line"))
    asked: list[str] = []
    store._read._connection.set_trace_callback(asked.append)
    first, second = store.chunks_of("doc")
    assert [chunk.text for chunk in store.chunks([second.id, first.id])] == ["another line", "one line"]
    assert sum("JOIN block" in query for query in asked) == 1


def test_a_document_is_read_once_until_it_is_stored_anew(store_url):
    store, other = open_store(store_url), open_store(store_url)
    store.put(bundle("doc", "one line", "another line"))
    asked: list[str] = []
    store._read._connection.set_trace_callback(asked.append)
    assert store.text("doc") == store.text("doc") == store.document("doc").text == store.document("doc").text
    assert sum("FROM block" in query for query in asked) == 1
    assert sum("'lines'" in query for query in asked) == 1
    other.put(bundle("doc", "a new line"))
    assert (store.text("doc"), store.document("doc").text) == ("a new line", "a new line")
    other.remove("doc")
    assert (store.text("doc"), store.document("doc"), store.tables("doc")) == ("", None, [])


def test_documents_beyond_the_limit_are_forgotten(store_url, monkeypatch):
    from cliquerag.kg.engines.sqlite import documents

    monkeypatch.setattr(documents, "_MOST_PARTS", 3 * 130)  # a third of it for texts, two of 55 bytes
    store = open_store(store_url)
    for number in range(5):
        store.put(bundle(f"doc {number}", f"line {number}"))
    assert [store.text(f"doc {number}") for number in range(5)] == [f"line {number}" for number in range(5)]
    assert len(store._parts._texts) == 2


def test_a_neighbourhood_is_read_once_until_the_next_write_of_any_process(store_url):
    store, other = open_store(store_url), open_store(store_url)
    store.put(bundle("doc", "[Acme] supplies [Bolt]"))
    (acme,) = store.find_entities(["acme"])
    asked: list[str] = []
    store._read._connection.set_trace_callback(asked.append)
    assert store.subgraph([acme.id]) == store.subgraph([acme.id])
    assert sum("GROUP BY 1, 2, 3 ORDER BY count(DISTINCT" in query for query in asked) == 1
    other.put(bundle("other", "[Acme] supplies [Crane]"))
    assert {relation.tail.name for relation in store.subgraph([acme.id]).relations} == {"Bolt", "Crane"}
    assert {relation.tail.name for relation in store.subgraph([acme.id], documents=["doc"]).relations} == {"Bolt"}


def test_blocks_beyond_the_limit_are_forgotten(store_url, monkeypatch):
    from cliquerag.kg.engines.sqlite import documents

    monkeypatch.setattr(documents, "_MOST_BLOCKS", 130)
    store = open_store(store_url)
    for number in range(5):
        store.put(bundle(f"doc {number}", f"line {number}"))
    for _ in range(2):
        for number in range(5):
            assert [chunk.text for chunk in store.chunks_of(f"doc {number}")] == [f"line {number}"]
    assert len(store._recent._blocks._known) == 2


def test_a_scope_of_all_documents_is_not_compared_row_by_row(store_url):
    store = open_store(store_url)
    store.put(bundle("doc", "cash [Acme] supplies [Bolt]"))
    store.put(bundle("other", "cash"))
    asked: list[str] = []
    store._read._connection.set_trace_callback(asked.append)
    everything, part = store.matching(["cash"], 9, ["doc", "other"]), store.matching(["cash"], 9, ["doc"])
    assert (len(everything), len(part)) == (2, 1)
    assert [" IN (SELECT id FROM chunk" in query for query in asked if "bm25" in query] == [False, True]


def test_how_common_a_word_is_is_asked_once_until_the_next_write(store_url):
    store = open_store(store_url)
    store.put(bundle("doc", "cash"))
    asked: list[str] = []
    store._read._connection.set_trace_callback(asked.append)
    assert store.document_frequency(["cash"]) == store.document_frequency(["cash"]) == {"cash": 1}
    assert sum("'[\"cash\"]'" in query for query in asked) == 1
    store.put(bundle("other", "cash"))
    assert store.document_frequency(["cash"]) == {"cash": 2}


def test_what_is_stored_is_counted_once_until_the_next_write_of_any_process(store_url):
    store, other = open_store(store_url), open_store(store_url)
    store.put(bundle("doc", "[Acme Inc.] supplies [Bolt]"))
    asked: list[str] = []
    store._read._connection.set_trace_callback(asked.append)
    assert store.counts() == store.counts() and store.counts()["documents"] == 1
    assert sum("count(*) FROM statement" in query for query in asked) == 1
    other.put(bundle("other", "cash"))
    assert store.counts()["documents"] == 2


@pytest.mark.parametrize("seed", range(4))
def test_counts_stay_in_step_with_what_is_stored(store_url, seed):
    """After any writes, the counts and clusters that are kept equal those computed from the rows."""
    rng, store = random.Random(seed), open_store(store_url)
    names = ["Acme Inc.", "Acme Corp", "ACME", "Bolt", "Bolt Ltd", "Crane AG", "Drill"]
    for step in range(40):
        source = f"doc {rng.randrange(5)}"
        action, known = rng.random(), [e.id for e in store.all_entities()]
        if action < 0.55:
            lines = [f"[{rng.choice(names)}] supplies [{rng.choice(names)}]" for _ in range(rng.randrange(1, 4))]
            given = [merge(*rng.sample(names, 2))] if action < 0.2 else []
            store.put(bundle(source, *lines, merges=given))
        elif action < 0.7:
            store.remove(source)
        elif action < 0.85 and len(known) > 1:
            store.merge(*rng.sample(known, 2), rng.choice(["by hand", "spelling"]))
        elif in_force := [m for m in store.merges() if not m.undone]:
            store.undo(rng.choice(in_force).id)
        assert_counts(store, step)


def assert_counts(store, step):
    db = store._write
    wrong = db.rows(
        """SELECT name, mentions, documents FROM entity AS e WHERE
          mentions != (SELECT count(*) FROM (SELECT DISTINCT chunk, start, "end" FROM mention WHERE entity = e.id))
          OR documents != (SELECT count(DISTINCT document) FROM mention WHERE entity = e.id)"""
    )
    assert wrong == [], step
    groups = db.rows(
        """SELECT e.cluster, count(DISTINCT e.id), count(DISTINCT m.document), c.documents FROM entity AS e
        JOIN mention AS m ON m.entity = e.id LEFT JOIN cluster AS c ON c.id = e.cluster GROUP BY 1"""
    )
    assert [g for g in groups if (g[3] is None) != (g[1] == 1) or (g[1] > 1 and g[2] != g[3])] == [], step
    assert len(db.rows("SELECT id FROM cluster")) == sum(size > 1 for _, size, _, _ in groups), step
    keys = dict(db.rows("SELECT key, cluster FROM entity"))
    pairs = db.rows("SELECT low, high FROM merge WHERE NOT undone")
    expected = {frozenset(group) for group in components(sorted(keys), pairs)}
    found = {frozenset(k for k in keys if keys[k] == cluster) for cluster in keys.values()}
    assert found == expected, step


def _steps(store, hub, documents):
    """Steps of SQLite's machine, in hundreds, that a hub's neighbourhood takes: the same in every run."""
    steps = 0

    def count():
        nonlocal steps
        steps += 1

    connection = store._read._connection
    connection.set_progress_handler(count, 100)
    found = store.subgraph([entity(hub).id], 300, documents)
    connection.set_progress_handler(None, 0)
    return steps, sum(len(relation.statements) for relation in found.relations)


@pytest.mark.parametrize("scoped", [False, True])
def test_a_hub_costs_as_much_a_statement_as_any_other(tmp_path, scoped):
    store = open_store(f"sqlite:///{tmp_path}/x.db")
    sources = [f"{i}.txt" for i in range(20)]
    for i, source in enumerate(sources):
        few = ["[Small] supplies [Buyer 1] with steel"]
        store.put(bundle(source, *few, *(f"[Hub] supplies [Buyer {i + 3 * j}] with steel" for j in range(100))))
    documents = sources if scoped else None
    store.subgraph([entity("Small").id], 300, documents)
    (small, few), (large, many) = (_steps(store, name, documents) for name in ("Small", "Hub"))
    assert few == 20 and many > 1_000
    assert small < 5 * few and large < 5 * many
    store.close()
