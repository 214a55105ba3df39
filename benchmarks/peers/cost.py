"""One engine measured in a process of its own: ``python -m benchmarks.peers.cost NAME URL FOLDER SIZES``.

Prints a JSON object a line: one for each size of the index. With ``once`` instead of sizes it indexes one document of
forty chunks and ends: what a test kills and starts again.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ..measuring import bytes_written, folder_size, peak_memory
from .endpoint import Endpoint
from .invented import DOCUMENT_CHUNKS, Calls
from .system import System, opened

QUESTIONS = 10
LONG = 40
"""Chunks of the document that is indexed when the process is killed."""


def measure(name: str, endpoint: Endpoint, folder: Path, sizes: list[int]) -> None:
    """Grow one index and write a line of figures at each size."""
    system = opened(name, folder, endpoint.url)
    calls, done = Calls(max(sizes)), 0
    cpu = written = 0.0
    used: Counter[str] = Counter()
    system.add([calls.call(1)])  # what is loaded once is no cost of a chunk
    for size in sizes:
        documents = [calls.call() for _ in range((size - done) // DOCUMENT_CHUNKS)]
        before = endpoint.counts()
        spent = _spent(lambda documents=documents: system.add(documents))  # type: ignore[misc]
        cpu, written, done = cpu + spent["cpu"], written + spent["written"], size
        used += endpoint.counts() - before
        one = _spent(lambda: system.add([calls.call()]))
        figures = {
            "chunks": size,
            "cpu": cpu,
            "written": written,
            "kept": folder_size(folder),
            "memory": peak_memory(),
            "calls": {kind: count for kind, count in used.items() if "tokens" not in kind},
            "input tokens": used["input tokens"],
            "output tokens": used["output tokens"],
            "add": one,
            "search": _median([_spent(lambda q=q: system.search(q)) for q in _questions(calls)]),  # type: ignore[misc]
            "ask": _median([_spent(lambda q=q: system.ask(q)) for q in _questions(calls)]),  # type: ignore[misc]
        }
        sys.stdout.write(json.dumps(figures) + "\n")
        sys.stdout.flush()
    system.close()


def index_once(name: str, endpoint: Endpoint, folder: Path) -> None:
    """One long document."""
    system: System = opened(name, folder, endpoint.url)
    system.add([Calls(LONG).call(LONG)])
    system.close()


def _questions(calls: Calls) -> list[str]:
    """The first is to warm up and counts no more than the others in a median."""
    return [calls.question() for _ in range(QUESTIONS)]


def _spent(work: Callable[[], object]) -> dict[str, float]:
    """Processor and wall seconds of all threads, bytes handed to the system to write."""
    written, cpu, wall = bytes_written(), time.process_time(), time.perf_counter()
    work()
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "written": bytes_written() - written,
    }


def _median(found: list[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(one[key] for one in found) for key in found[0]}


def main() -> None:
    name, url, folder, sizes = sys.argv[1:5]
    if sizes == "once":
        index_once(name, Endpoint(url), Path(folder))
    else:
        measure(name, Endpoint(url), Path(folder), [int(size) for size in sizes.split(",")])


if __name__ == "__main__":
    main()
