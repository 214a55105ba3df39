"""Stores under fire: several writers at once, threads, and processes that are killed in the middle of a write."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.bundles import DIM, bundle, entity, fact, merge
from support.store_conformance import StoreTests, same_state
from support.stores import open_store

KILLS = 20
_PROCESSES = multiprocessing.get_context("fork")


def version_of(source: str, number: int):
    """A document of which every part names its version."""
    lines = [f"[Maker {number}] supplies [Common] with v{number} part {i}" for i in range(number % 5 + 1)]
    facts = [fact(source, "version", str(number), start=i) for i in range(3)]
    return bundle(source, *lines, facts=facts, merges=[merge(f"Maker {number}", "Common")])


def write_for_ever(url: str, started) -> None:
    store, number = open_store(url), 0
    started.set()
    while True:
        number += 1
        store.put(version_of(f"doc {number % 3}", number))
        if number % 4 == 0:
            store.remove(f"doc {(number + 1) % 3}")


def write_some(url: str, name: str, count: int) -> None:
    store = open_store(url)
    for number in range(count):
        store.put(bundle(f"{name} {number}", "[Acme Inc.] supplies [Bolt]", f"[Own {name} {number}] leads [Bolt]"))
    store.close()


class SafetyTests(StoreTests):
    longest = 0.08
    """Seconds after which a writer is killed at the latest: several writes."""
    writes = 20
    """Of the one that ten read beside."""

    def test_killed_writers_tear_nothing(self, store_url, store):
        rng = random.Random(5)
        for _ in range(KILLS):
            kill_a_writer(store_url, rng.uniform(0.0, self.longest))
            stored = [stored_version(store, record.source) for record in store.documents()]
            same_state(store, *stored)
            assert store.counts()["facts"] == 3 * len(stored)
            assert store.counts()["entities"] == bool(stored), "each maker is merged with the common name"
        store.put(version_of("last", 7))
        assert "last" in {record.source for record in store.documents()}

    def test_two_processes_write_the_same_entities(self, store_url, store):
        writers = [_PROCESSES.Process(target=write_some, args=(store_url, name, 8)) for name in ("left", "right")]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(60)
        assert [writer.exitcode for writer in writers] == [0, 0]
        assert len(store.documents()) == 16
        (bolt,) = store.entities([entity("Bolt").id])
        assert (bolt.mentions, bolt.documents) == (32, 16) and store.counts()["entities"] == 18
        assert store.subgraph([bolt.id]).relations[0].support == 16

    def test_ten_readers_while_one_writes(self, store_url, store):
        store.put(version_of("doc 1", 1))
        stop, failures = threading.Event(), []

        def read(number: int) -> int:
            own, count = open_store(store_url), 0
            while not stop.is_set():
                for record in own.documents():
                    chunks = own.chunks_of(record.source)
                    versions = {chunk.text.split("] ")[0] for chunk in chunks}
                    if len(versions) != 1 or len(chunks) != int(versions.pop().rsplit(" ", 1)[1]) % 5 + 1:
                        failures.append(chunks)
                own.nearest(np.ones(DIM, np.float32), 3)
                own.matching(["suppli"], 3)
                count += 1
            own.close()
            return count

        with ThreadPoolExecutor(10) as pool:
            rounds = [pool.submit(read, number) for number in range(10)]
            for number in range(self.writes):
                store.put(version_of(f"doc {number % 3}", number))
                time.sleep(0.02)
            stop.set()
            assert not failures and all(done.result() > 0 for done in rounds)

    def test_one_store_in_many_threads(self, store):
        def work(number: int) -> int:
            store.put(version_of(f"doc {number}", number))
            return len(store.chunks_of(f"doc {number}"))

        with ThreadPoolExecutor(6) as pool:
            counts = list(pool.map(work, range(12)))
        assert counts == [number % 5 + 1 for number in range(12)]
        assert len(store.documents()) == 12 and store.counts()["chunks"] == sum(counts)

    def test_a_failed_write_leaves_the_old_state(self, store):
        import dataclasses

        good = version_of("doc 1", 3)
        store.put(good)
        before = store.version()
        broken = dataclasses.replace(version_of("doc 1", 4), facts=(*good.facts, None))
        with pytest.raises(AttributeError):
            store.put(broken)
        assert store.version() == before
        same_state(store, good)


def kill_a_writer(url: str, after: float) -> None:
    started = _PROCESSES.Event()
    writer = _PROCESSES.Process(target=write_for_ever, args=(url, started))
    writer.start()
    assert started.wait(30)
    time.sleep(after)
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()


def stored_version(store, source: str):
    """The bundle that a stored document must be, by the version its text names."""
    return version_of(source, int(store.text(source).split("] ")[0].rsplit(" ", 1)[1]))
