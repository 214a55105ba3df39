"""What indexing and asking cost beside LightRAG, nano-graphrag and Microsoft's GraphRAG: processor, disk, model calls.

All engines index the same invented earnings calls with the same hashing embedder and get the same relations from a real
HTTP endpoint that answers from a fixed table: this measures cost, and says nothing of quality.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cliquerag.core.errors import CliqueRAGError
from cliquerag.evaluation.benchmark import Report, Row

from ...peers import cost, system
from ...peers.endpoint import Endpoint, running
from ...peers.invented import CHUNK_WORDS, DOCUMENT_CHUNKS

MINUTES = 10
NEEDS = ("lightrag",)
INSTALL = "pip install 'cliquerag[lightrag]'"
FOLDER = ""
SIZES = (100, 1000)
_SMALL = ("Microsoft GraphRAG",)
"""Engines that are measured at the first size alone: the next would take hours."""
_PATIENCE = 420
"""Seconds after which an engine is stopped; what it showed by then is reported."""
_DELAY = 0.02
"""Seconds an answer takes while an engine is killed, as it indexes."""

Figures = dict[str, Any]


def run(folder: Path) -> Report:
    """Each engine in a process of its own, one after the other."""
    rows: list[Row] = []
    failed = []
    for name in system.interpreters():
        try:
            rows += [row for figures in _measured(name, folder) for row in _rows(name, figures)]
            rows += _killed(name, folder)
        except CliqueRAGError as error:
            failed.append(str(error))
    return Report("lightrag_cost", tuple(rows), (*_notes(), *failed))


def _measured(name: str, folder: Path) -> list[Figures]:
    """The engine's figures at each size."""
    with running() as endpoint:
        process = _started(name, endpoint, folder / f"{name}-sizes", _sizes(name))
        try:
            out, error = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            out, error = process.communicate()
    found = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    if not found:
        raise CliqueRAGError(f"{name} did not run: {error.strip()[-300:]}", where="lightrag_cost")
    return found


def _sizes(name: str) -> str:
    return ",".join(map(str, SIZES[:1] if name in _SMALL else SIZES))


def _started(name: str, endpoint: Endpoint, folder: Path, sizes: str) -> subprocess.Popen[str]:
    folder.mkdir(parents=True, exist_ok=True)
    command = [system.interpreters()[name], "-m", cost.__name__, name, endpoint.url, str(folder), sizes]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)


def _rows(name: str, figures: Figures) -> Iterator[Row]:
    chunks = figures["chunks"]
    at = f"{chunks:,} chunks"
    yield Row(name, f"indexing, CPU ms a chunk, {at}", 1000 * figures["cpu"] / chunks, n=chunks)
    yield Row(name, f"indexing, KB written a chunk, {at}", figures["written"] / chunks / 1000, n=chunks)
    yield Row(name, f"kept on disk, KB a chunk, {at}", figures["kept"] / chunks / 1000, n=chunks)
    yield Row(name, f"add one document, CPU s, {at}", figures["add"]["cpu"])
    yield Row(name, f"add one document, MB written, {at}", figures["add"]["written"] / 1e6)
    yield Row(name, f"search, CPU ms, {at}", 1000 * figures["search"]["cpu"], n=cost.QUESTIONS)
    yield Row(name, f"question answered, MB written, {at}", figures["ask"]["written"] / 1e6, n=cost.QUESTIONS)
    yield Row(name, f"peak memory, MB, {at}", figures["memory"])
    yield Row(name, f"model calls a chunk, {at}", sum(figures["calls"].values()) / chunks, n=chunks)
    for kind in ("input", "output"):
        value = figures[f"{kind} tokens"] / chunks
        yield Row(name, f"{kind} tokens of the model a chunk, {at}", value, n=chunks, better="lower")


def _killed(name: str, folder: Path) -> Iterator[Row]:
    """``kill -9`` when half of a long document's calls are answered, then again from the start."""
    needed = _calls_of_a_whole_run(name, folder / f"{name}-whole")
    half = sum(needed.values()) // 2
    with running(_DELAY) as endpoint:
        place = folder / f"{name}-killed"
        process = _started(name, endpoint, place, "once")
        while sum(_calls(endpoint).values()) < half and process.poll() is None:
            time.sleep(0.02)
        process.kill()
        process.communicate()
        at_kill = _calls(endpoint)
        _finished(_started(name, endpoint, place, "once"), name)
        total = _calls(endpoint)
    lost = max(0, sum(total.values()) - sum(needed.values()))
    yield Row(name, "kill -9: model calls answered before it", sum(at_kill.values()), better="neither")
    yield Row(name, "kill -9: model calls lost (paid for again)", lost)


def _calls_of_a_whole_run(name: str, folder: Path) -> Counter[str]:
    with running(_DELAY) as endpoint:
        _finished(_started(name, endpoint, folder, "once"), name)
        return _calls(endpoint)


def _finished(process: subprocess.Popen[str], name: str) -> None:
    try:
        _, error = process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise CliqueRAGError(f"{name} took too long", where="lightrag_cost") from None
    if process.returncode:
        raise CliqueRAGError(f"{name} did not run: {error.strip()[-300:]}", where="lightrag_cost")


def _calls(endpoint: Endpoint) -> Counter[str]:
    counts: Mapping[str, int] = endpoint.counts()
    return Counter({kind: count for kind, count in counts.items() if "tokens" not in kind})


def _notes() -> tuple[str, ...]:
    absent = system.absent()
    return (
        f"A chunk is {CHUNK_WORDS:,} words, LightRAG's default size; calls of {DOCUMENT_CHUNKS} chunks, one of "
        f"{cost.LONG} for `kill -9`. Our own chunks are smaller: figures are for the same text.",
        "The endpoint answers from a fixed table: cost, not quality. CPU of all threads, without the endpoint's.",
        "Search: `mix` of LightRAG with supplied keywords, `local` of nano-graphrag and GraphRAG, `hybrid` of ours; no "
        "model call. nano-graphrag and GraphRAG also write reports on communities as they index.",
        f"At {SIZES[0]} chunks alone: {', '.join(_SMALL)}.",
        *([f"Not installed here: {', '.join(absent)}."] if absent else []),
    )
