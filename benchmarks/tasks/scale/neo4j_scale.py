"""Neo4j at scale: a first load by files, documents through the driver, and questions beside SQLite in the same run."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.engines.neo4j import bulk, server
from cliquerag.kg.engines.neo4j.store import Neo4jStore
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema

from ...asking import search
from ...measuring import folder_size
from ._documents import CHUNKS, DIM, HUB, Filings, NoEncoder

if TYPE_CHECKING:
    from cliquerag.kg.store import Store

FOLDER = ""
MINUTES = 3
SIZE = 2_000
"""Chunks, in documents of ten with a hundred relations each; ``--size 100000`` makes a million relations."""

RELATIONS = 100
_BY_DRIVER = 20
"""Documents added through the driver to what was loaded from files."""
_LOADERS = 4
"""Processes that each add a quarter of as many more, at once."""
_PACKERS = os.cpu_count() or 1
"""Processes that each make a share of the documents up and write their files."""
_SAMPLES, _HUB_SAMPLES = 20, 6
_WORDS, _SEEDS, _DEPTH = 12, 5, 10
_HEAP, _PAGE_CACHE = 2048, 1024
"""MiB."""


def run(folder: Path, size: int = SIZE) -> Report:
    """Write one set of filings into SQLite and into CSV files, load these, and ask both engines the same.

    Raises UsageError where Java or Maven is missing.
    """
    if lacking := server.missing_tools():
        raise UsageError(f"{lacking} must be installed to run Neo4j")
    filings, documents = Filings(statements=RELATIONS), size // CHUNKS
    embedded = open_store(f"sqlite:///{(folder / 'scale.db').absolute()}", schema=load_schema())
    rows = list(_write(folder, filings, documents, embedded))
    with _taking("neo4j-admin import") as taken:
        server.import_files(folder / "files", folder / "server", heap=_HEAP)
    rows += [*taken, Row("load from files", "relations a second", documents * RELATIONS / taken[0].value)]
    with _serving(folder / "server") as running:
        rows += _measure(running, filings, documents, embedded)
    rows.append(Row("Neo4j", "size of the database, MB", folder_size(folder / "server" / "data") / 1e6))
    embedded.close()
    rows.append(Row("SQLite", "size of the database, MB", (folder / "scale.db").stat().st_size / 1e6))
    notes = (
        f"{size:,} chunks with vectors, {documents * RELATIONS:,} relations, in documents of {CHUNKS} chunks.",
        f"Heap {_HEAP} MiB, page cache {_PAGE_CACHE} MiB; statements carry no vectors of their own.",
        f"Machine load {os.getloadavg()[0]:.1f}.",
    )
    return Report("neo4j_scale", tuple(rows), notes=notes)


def _write(folder: Path, filings: Filings, documents: int, embedded: Store) -> Iterator[Row]:
    stored = sum(_seconds(partial(embedded.put, filings.bundle(number))) for number in range(documents))
    yield Row("SQLite", "relations a second, written", documents * RELATIONS / stored)
    make = partial(_made, filings)
    with _taking("making and writing the files") as taken:
        bulk.write_files(make, documents, (), folder / "files", load_schema(), meanings=False, workers=_PACKERS)
    yield from taken
    yield Row("load from files", "size of the files, MB", folder_size(folder / "files") / 1e6)


def _made(filings: Filings, begin: int, end: int) -> Iterator[bulk.Parts]:
    for number in range(begin, end):
        bundle = filings.bundle(number)
        yield bundle, [bundle.graph]


@contextmanager
def _serving(folder: Path) -> Iterator[server.Server]:
    """A running server whose password stands in the environment."""
    before = os.environ.get(server.PASSWORD_VARIABLE)
    settings = {"server.memory.pagecache.size": f"{_PAGE_CACHE}m"}
    running = server.start(folder, password="a benchmark's password", heap=_HEAP, settings=settings)
    os.environ[server.PASSWORD_VARIABLE] = running.password
    try:
        yield running
    finally:
        server.stop(folder)
        if before is None:
            del os.environ[server.PASSWORD_VARIABLE]
        else:
            os.environ[server.PASSWORD_VARIABLE] = before


def _measure(running: server.Server, filings: Filings, documents: int, embedded: Store) -> Iterator[Row]:
    with _taking("making the indexes", running.pid) as taken:
        store = Neo4jStore(running.bolt, schema=load_schema())
        store.wait_for_indexes()
    yield from taken
    yield from _compare(filings, documents, {"Neo4j": store, "SQLite": embedded})
    yield Row("Neo4j", "recall@10 of the vector index", _recall(store, embedded, filings, documents))
    yield from _add(filings, documents, {"Neo4j": store, "SQLite": embedded})
    yield from _add_at_once(running.bolt, filings, documents + _BY_DRIVER)
    yield Row("Neo4j", "memory of the server at most, MB", _peak(running.pid))
    store.close()


def _compare(filings: Filings, documents: int, stores: dict[str, Store]) -> Iterator[Row]:
    """Readers one by one, then whole questions: medians of the time that passes."""
    picked = [filings.bundle(i * documents // _SAMPLES) for i in range(_SAMPLES)]
    vectors = [bundle.vectors[i % CHUNKS] for i, bundle in enumerate(picked) if bundle.vectors is not None]
    words = filings.query(_WORDS)
    texts = [" ".join(words[i % 4 : i % 4 + 5]) for i in range(_SAMPLES)]
    named = [f"{text} of {b.document.metadata.companies[0]} in FY2016" for text, b in zip(texts, picked, strict=True)]
    for name, store in stores.items():
        hub = [entity.id for entity in store.find_entities([HUB.casefold()])]
        asked = partial(search, store, NoEncoder())
        parts: dict[str, Sequence[Callable[[], object]]] = {
            "nearest": [partial(store.nearest, vector, _DEPTH) for vector in vectors],
            "matching": [partial(store.matching, [*words[i % 3 :], f"none{i}"], _DEPTH) for i in range(_SAMPLES)],
            "subgraph": [partial(store.subgraph, [e.id for e in b.graph.entities[:_SEEDS]]) for b in picked],
            "a question over everything": [partial(asked, text, scope=Scope.all()) for text in texts],
            "a question that names a company": [partial(asked, text) for text in named],
            "subgraph of a hub": [partial(store.subgraph, hub)] * _HUB_SAMPLES,
            "a question about a hub": [partial(asked, f"Whom does {HUB} supply?", scope=Scope.all())] * _HUB_SAMPLES,
        }
        for part, questions in parts.items():
            yield Row(name, f"first {part}, ms", 1000 * _seconds(questions[0]))
            yield Row(name, f"{part}, ms", 1000 * statistics.median(map(_seconds, questions[1:])), n=len(questions) - 1)


def _recall(store: Store, exact: Store, filings: Filings, documents: int) -> float:
    """Of the ten nearest chunks by all cosines, those that the index finds; small stores are searched exactly."""
    import numpy as np

    rng, found = np.random.default_rng(3), []
    for number in rng.integers(0, documents, _SAMPLES).tolist():
        vectors = filings.bundle(number).vectors
        assert vectors is not None
        asked = vectors[0] + 0.05 * rng.standard_normal(DIM).astype(np.float32)
        asked /= np.linalg.norm(asked)
        right = {hit.id for hit in exact.nearest(asked, _DEPTH)}
        found.append(len(right & {hit.id for hit in store.nearest(asked, _DEPTH)}) / len(right))
    return statistics.mean(found)


def _add(filings: Filings, documents: int, stores: dict[str, Store]) -> Iterator[Row]:
    """The same documents through the writers of both engines, on top of what they hold."""
    for name, store in stores.items():
        seconds = [_seconds(partial(store.put, filings.bundle(documents + i))) for i in range(_BY_DRIVER)]
        yield Row(name, "a document added, ms", 1000 * statistics.median(seconds), n=_BY_DRIVER)
        yield Row(name, "relations a second, added", RELATIONS * _BY_DRIVER / sum(seconds))
        if isinstance(store, Neo4jStore):
            yield Row(name, "until the vector indexes have them, seconds", _seconds(store.wait_for_indexes))


def _add_at_once(url: str, filings: Filings, first: int) -> Iterator[Row]:
    """As many documents again, by several processes that share entities, until all is in the vector indexes."""
    each = _BY_DRIVER // _LOADERS
    loaders = [
        multiprocessing.Process(target=_load, args=(url, filings, first + i * each, each)) for i in range(_LOADERS)
    ]
    begin = time.perf_counter()
    for loader in loaders:
        loader.start()
    for loader in loaders:
        loader.join()
    seconds = time.perf_counter() - begin
    if any(loader.exitcode for loader in loaders):
        raise UsageError("a loader failed", hint="See above for why")
    yield Row("Neo4j", f"relations a second, added by {_LOADERS} processes", RELATIONS * each * _LOADERS / seconds)


def _load(url: str, filings: Filings, first: int, count: int) -> None:
    store = Neo4jStore(url, schema=load_schema())
    for number in range(first, first + count):
        store.put(filings.bundle(number))
    store.close()


@contextmanager
def _taking(step: str, pid: int = 0) -> Iterator[list[Row]]:
    """Two rows when the step is done: the time that passed, and that of processors.

    That is of the process ``pid`` or, without one, of this process and those that it has waited for.
    """
    rows: list[Row] = []
    begin, spent = time.perf_counter(), _processor_seconds(pid)
    yield rows
    rows.append(Row("load from files", f"{step}, seconds", time.perf_counter() - begin))
    rows.append(Row("load from files", f"{step}, processor seconds", _processor_seconds(pid) - spent))


def _processor_seconds(pid: int) -> float:
    """0 for a process of a system that does not say."""
    if not pid:
        return sum(os.times()[:4])
    told = Path(f"/proc/{pid}/stat")
    if not told.exists():
        return 0.0
    user, system = told.read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _peak(pid: int) -> float:
    """Megabytes that a process held at most; 0 where the system does not say."""
    status = Path(f"/proc/{pid}/status")
    return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1e3 if status.exists() else 0.0
