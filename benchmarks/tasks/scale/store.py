"""The store as it grows: what a document costs to add, what a question costs to read, bytes written, memory."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
from cliquerag.kg.storage.preparation import payload_bytes

from ...measuring import bytes_written, cpu_seconds, peak_memory
from ._documents import CHUNKS, Filings

MINUTES = 3
FOLDER = ""
SCALES = (1_000, 10_000, 100_000)
"""Chunks in the store, in documents of ten."""

_SAMPLES = 30
_TERMS, _SEEDS, _DEPTH = 12, 5, 100


def run(folder: Path) -> Report:
    """Grow one workspace and measure at each size: median CPU time of all threads, bytes as the system counts them."""
    begin = time.perf_counter()
    path = folder / "store-benchmark.db"
    for old in folder.glob(f"{path.name}*"):
        old.unlink()
    rows = list(_grow(f"sqlite:///{path.absolute()}"))
    path.unlink()
    notes = (
        f"Documents of {CHUNKS} chunks with all vectors; a question has {_TERMS} search terms and {_SEEDS} seeds.",
        "Bytes written count the log and the file; data stored is the file, payload the text and float32 vectors put.",
        f"Machine load {os.getloadavg()[0]:.1f}.",
    )
    return Report("store", tuple(rows), notes=notes, seconds=time.perf_counter() - begin)


@dataclass(frozen=True, slots=True)
class _Growth:
    """Sums over the documents added since the last size."""

    documents: int
    seconds: tuple[float, ...]
    payload: int
    written: int
    stored: int

    @property
    def added(self) -> float:
        """Median CPU milliseconds a document, of the last ones."""
        return 1000 * statistics.median(self.seconds[-_SAMPLES:])


def _grow(url: str) -> Iterator[Row]:
    filings, number, empty = Filings(), 0, 0.0
    for size in SCALES:
        growth = _add(url, filings, number, size // CHUNKS)
        number = size // CHUNKS
        empty = empty or 1000 * statistics.median(growth.seconds[:_SAMPLES])
        system = f"{size:,} chunks"
        yield Row(system, "add a document, CPU ms", growth.added, n=_SAMPLES)
        yield Row(system, "add a document, ratio to empty", growth.added / empty, n=_SAMPLES, better="lower")
        yield Row(system, "bytes written / data stored", growth.written / growth.stored, n=growth.documents)
        yield Row(system, "bytes written / payload", growth.written / growth.payload, n=growth.documents)
        yield from _read(system, url, filings, number)


def _add(url: str, filings: Filings, first: int, last: int) -> _Growth:
    """Add documents; closing the store brings all of its log into the file."""
    store, seconds, total = open_store(url, schema=load_schema()), [], 0
    stored, written = store.counts()["bytes"], 0
    for number in range(first, last):
        bundle = filings.bundle(number)
        total += payload_bytes(bundle)
        before = bytes_written()
        seconds.append(cpu_seconds(partial(store.put, bundle)))
        written += bytes_written() - before
    before = bytes_written()
    stored = store.counts()["bytes"] - stored
    store.close()
    return _Growth(last - first, tuple(seconds), total, written + bytes_written() - before, stored)


def _read(system: str, url: str, filings: Filings, documents: int) -> Iterator[Row]:
    begin = time.process_time()
    store = open_store(url, schema=load_schema())
    yield Row(system, "open, CPU ms", 1000 * (time.process_time() - begin))
    picked = [filings.bundle(i * documents // _SAMPLES) for i in range(_SAMPLES)]
    vectors = [bundle.vectors[i % CHUNKS] for i, bundle in enumerate(picked) if bundle.vectors is not None]
    terms = filings.query(_TERMS)
    seeds = [[entity.id for entity in bundle.graph.entities[:_SEEDS]] for bundle in picked]
    parts: dict[str, Sequence[Callable[[], object]]] = {
        "nearest": [partial(store.nearest, vector, _DEPTH) for vector in vectors],
        "matching": [partial(store.matching, [*terms[i % 3 :], f"none{i}"], _DEPTH) for i in range(_SAMPLES)],
        "subgraph": [partial(store.subgraph, some) for some in seeds],
    }
    yield Row(
        system, "first question, CPU ms", 1000 * cpu_seconds(lambda: [questions[0]() for questions in parts.values()])
    )
    medians = {name: 1000 * statistics.median(map(cpu_seconds, questions)) for name, questions in parts.items()}
    for name, median in medians.items():
        yield Row(system, f"{name}, CPU ms", median, n=_SAMPLES)
    yield Row(system, "the three readers of a question, CPU ms", sum(medians.values()), n=_SAMPLES)
    yield Row(system, "peak memory of the process, MB", peak_memory())
    store.close()
