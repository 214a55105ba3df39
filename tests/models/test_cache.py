"""What was computed once is kept, by several processes at once, and a broken cache stops nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from cliquerag.models import cache as module
from cliquerag.models.cache import COMMIT_TEXTS, Cache, CachedEmbedder


class CountingEmbedder:
    """Vectors that depend on the text alone; remembers what it was asked for."""

    name = "counting"
    dim = 8

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        rows = np.array([[len(text), *text.encode().ljust(7, b"\1")[:7]] for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_each_text_is_embedded_once_and_order_is_kept(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    first = CachedEmbedder(inner, Cache(tmp_path)).embed(["b", "a", "b", "营业收入"])
    second = CachedEmbedder(inner, Cache(tmp_path)).embed(["营业收入", "a", "new"])
    assert sorted(inner.texts) == sorted(["b", "a", "营业收入", "new"])
    np.testing.assert_array_equal(first[[3, 1]], second[:2])
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_allclose(first, CountingEmbedder().embed(["b", "a", "b", "营业收入"]), atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(second, axis=1), 1, atol=1e-6)


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put_vectors("one", ["text"], np.ones((1, 4), dtype=np.float32))
    assert cache.vectors("two", ["text"]) == [None]
    assert cache.vectors("one", ["text"])[0] is not None


def test_a_model_of_this_machine_is_kept_under_its_name(tmp_path: Path) -> None:
    CachedEmbedder(CountingEmbedder(), Cache(tmp_path)).embed(["text"])
    assert Cache(tmp_path).vectors("counting", ["text"])[0] is not None


def test_nothing_to_embed(tmp_path: Path) -> None:
    assert CachedEmbedder(CountingEmbedder(), Cache(tmp_path)).embed([]).shape == (0, 8)


def test_progress_counts_to_the_end(tmp_path: Path) -> None:
    embedder = CachedEmbedder(CountingEmbedder(), Cache(tmp_path))
    seen: list[tuple[int, int]] = []
    embedder.embed([f"text {i}" for i in range(COMMIT_TEXTS + 1)], lambda done, total: seen.append((done, total)))
    assert seen == [(0, 513), (512, 513), (513, 513)]


def test_replies_are_kept(tmp_path: Path) -> None:
    Cache(tmp_path).put_reply(b"key", "model", "an answer", 10, 20)
    assert Cache(tmp_path).reply(b"key") == ("an answer", 10, 20)
    assert Cache(tmp_path).reply(b"other") is None


def test_the_folder_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path / "elsewhere"))
    Cache().put_reply(b"key", "model", "text", 1, 1)
    assert (tmp_path / "elsewhere" / "models.db").is_file()


def use(cache: Cache) -> None:
    """Work that needs the cache twice for reading and twice for writing."""
    embedder = CachedEmbedder(CountingEmbedder(), cache)
    assert embedder.embed(["one"]).shape == (1, 8)
    assert embedder.embed(["two", "three"]).shape == (2, 8)


def test_a_broken_file_warns_once_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "models.db").write_bytes(b"this is not a database" * 100)
    with pytest.warns(RuntimeWarning, match="models.db cannot be used") as caught:
        use(Cache(tmp_path))
    assert len(caught) == 1


def test_a_folder_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.warns(RuntimeWarning):
        use(Cache(tmp_path / "file"))


def test_a_locked_file_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    CachedEmbedder(CountingEmbedder(), Cache(tmp_path)).embed(["known"])
    with sqlite3.connect(tmp_path / "models.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        cache = Cache(tmp_path)
        with pytest.warns(RuntimeWarning, match="locked"):
            use(cache)
        other.execute("ROLLBACK")
    other.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind the superuser")
def test_a_read_only_file_is_still_read(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    CachedEmbedder(CountingEmbedder(), cache).embed(["one"])
    cache.close()
    (tmp_path / "models.db").chmod(0o444)
    inner = CountingEmbedder()
    with pytest.warns(RuntimeWarning):
        CachedEmbedder(inner, Cache(tmp_path)).embed(["one", "two"])
    assert inner.texts == ["two"]


def test_threads_and_connections_write_at_once(tmp_path: Path) -> None:
    shared = Cache(tmp_path)

    def work(number: int) -> None:
        cache = shared if number % 2 else Cache(tmp_path)
        for i in range(20):
            cache.put_vectors("m", [f"{number} {i}"], np.full((1, 4), number, dtype=np.float32))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found = shared.vectors("m", [f"{number} {i}" for number in range(6) for i in range(20)])
    assert all(vector is not None and vector[0] == i // 20 for i, vector in enumerate(found))


def test_a_new_file_may_be_opened_by_several_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(8)

    def store(folder: Path, number: int) -> None:
        cache = Cache(folder)
        together.wait()
        cache.put_vectors("m", [f"{number}"], np.ones((1, 4), dtype=np.float32))
        cache.close()

    with warnings.catch_warnings(), ThreadPoolExecutor(8) as threads:
        warnings.simplefilter("error")
        for folder in (tmp_path / f"{number}" for number in range(60)):
            assert list(threads.map(store, [folder] * 8, range(8))) == [None] * 8
            kept = Cache(folder).vectors("m", [f"{number}" for number in range(8)])
            assert all(vector is not None for vector in kept)


def test_fifty_thousand_lookups_take_no_time(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    texts = [f"sentence number {i} of a long annual report" for i in range(50_000)]
    cache.put_vectors("m", texts, np.zeros((50_000, 384), dtype=np.float16))
    start = time.process_time()
    found = cache.vectors("m", texts)
    assert time.process_time() - start < 5  # less than 1 on a quiet machine
    assert all(vector is not None for vector in found)


KILLED = """
import sys, time
from pathlib import Path
import numpy as np
from cliquerag.models.cache import Cache, CachedEmbedder

class Slow:
    name, dim = "slow", 4
    def embed(self, texts):
        time.sleep(0.05)
        print(len(texts), flush=True)
        return np.ones((len(texts), 4), dtype=np.float32)

CachedEmbedder(Slow(), Cache(Path(sys.argv[1]))).embed([f"text {i}" for i in range(100_000)])
"""


def test_a_killed_run_loses_at_most_one_commit(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    computed = sum(int(process.stdout.readline()) for _ in range(6))
    process.send_signal(signal.SIGKILL)
    computed += sum(int(line) for line in process.stdout.read().split())
    process.wait()
    kept = [
        vector
        for vector in Cache(tmp_path).vectors("slow", [f"text {i}" for i in range(100_000)])
        if vector is not None
    ]
    assert computed - COMMIT_TEXTS <= len(kept) <= computed
