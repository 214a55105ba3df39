"""Searches beside writes of other processes: never an answer from before, never half of one, and nothing written."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import pytest
from cliquerag.core.scope import Scope
from cliquerag.kg.storage.copying import copy_documents
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.modes import mode_names
from cliquerag.retrieval.search.retrievers import passages as vector_leg
from support.library import FILINGS, WordEmbedder, library
from support.stores import open_store

from benchmarks.asking import search
from benchmarks.ours import make_bundle, text_documents

_FORK = multiprocessing.get_context("fork")
_READERS, _WRITES = 10, 8


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'shared.db'}"


@pytest.fixture(params=["all are scored", "documents are chosen first"])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "documents are chosen first":
        monkeypatch.setattr(vector_leg, "MOST_CHUNKS", 0)


def add(url: str, number: int) -> None:
    store = open_store(url)
    (document,) = text_documents({f"note{number}.txt": f"The quokka project number {number} began in the spring."})
    store.put(make_bundle(document, WordEmbedder(), None))
    store.close()


def remove(url: str, source: str) -> None:
    store = open_store(url)
    store.remove(source)
    store.close()


def in_another_process(task: Any, *arguments: Any) -> None:
    process = _FORK.Process(target=task, args=arguments)
    process.start()
    process.join(60)
    assert process.exitcode == 0


def sources(store: Store) -> set[str]:
    return {item.source for item in search(store, WordEmbedder(), "quokka project", k=50, scope=Scope.all())}


@pytest.mark.usefixtures("width")
def test_what_another_process_has_written_is_in_the_next_answer(url: str) -> None:
    store = open_store(url)
    for number in (1, 2):
        in_another_process(add, url, number)
        assert sources(store) == {f"note{one}.txt" for one in range(1, number + 1)}
    in_another_process(remove, url, "note1.txt")
    assert sources(store) == {"note2.txt"}
    store.close()


def read(url: str, written: Any, done: Any, wrong: Any, rounds: Any) -> None:
    store = open_store(url)
    while True:
        was_done, least = done.is_set(), written.value
        found = len(sources(store))
        if not least <= found <= written.value + 1:
            wrong.put((least, found))
        with rounds.get_lock():
            rounds.value += 1
        if was_done:
            break
    store.close()


def test_ten_processes_search_while_one_writes(url: str) -> None:
    add(url, 0)
    written, rounds, done, wrong = _FORK.Value("i", 1), _FORK.Value("i", 0), _FORK.Event(), _FORK.SimpleQueue()
    readers = [_FORK.Process(target=read, args=(url, written, done, wrong, rounds)) for _ in range(_READERS)]
    for reader in readers:
        reader.start()
    for number in range(1, _WRITES):
        add(url, number)
        written.value = number + 1
    done.set()
    for reader in readers:
        reader.join(60)
    assert [reader.exitcode for reader in readers] == [0] * _READERS
    assert wrong.empty() and rounds.value >= 2 * _READERS


@pytest.mark.parametrize("mode", mode_names())
def test_a_search_writes_nothing(mode: str, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'filled.db'}")
    copy_documents(library(FILINGS, graph=True, facts=True), store)
    if mode == "global":
        search(store, WordEmbedder(), "Who supplies Acme?", mode=mode)  # makes communities, once after a write
    before = contents(tmp_path)
    for question in ("What were Acme's total assets in 2022?", "Who supplies Acme?", "Which trials have not begun?"):
        assert search(store, WordEmbedder(), question, mode=mode) is not None
    assert contents(tmp_path) == before
    store.close()


def contents(folder: Path) -> dict[str, bytes]:
    """All files but the one in which readers note where they are."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}
