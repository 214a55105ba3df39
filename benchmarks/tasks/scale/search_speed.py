"""Search at scale: CPU of a whole hybrid question over 100,000 chunks, the encoder left out, and bytes it writes."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema

from ...asking import search
from ._documents import CHUNKS, Filings, NoEncoder

if TYPE_CHECKING:
    from cliquerag.kg.store import Store

MINUTES = 3
FOLDER = ""
SIZE = 100_000
_QUESTIONS = 12
_TERMS = 8


def run(folder: Path) -> Report:
    """Questions that name no company, over everything; and questions that name one."""
    path = folder / "search-benchmark.db"
    filings = Filings()
    store = open_store(f"sqlite:///{path.absolute()}", schema=load_schema())
    for number in range(SIZE // CHUNKS):
        store.put(filings.bundle(number))
    terms = filings.query(_TERMS * _QUESTIONS)
    words = [" ".join(terms[i::_QUESTIONS][: 4 + i % 5]) for i in range(_QUESTIONS)]
    before = _bytes(folder)
    opened = _seconds(store, words, Scope.all())
    again = _seconds(store, words, Scope.all())
    named = _seconds(store, [f"{text} of Company {7 + i} in FY2016" for i, text in enumerate(words)], None)
    rows = [Row("first question of a process", "CPU ms", 1000 * opened[0])]
    kinds = {"everything is searched": opened[1:], "the same questions again": again, "a company is named": named}
    for system, seconds in kinds.items():
        rows.append(Row(system, "CPU ms", 1000 * statistics.median(seconds), n=len(seconds)))
    rows.append(Row("all questions", "bytes written", float(_bytes(folder) - before)))
    store.close()
    path.unlink()
    note = f"{SIZE:,} chunks in documents of {CHUNKS}; medians; machine load {os.getloadavg()[0]:.1f}."
    return Report("search_speed", tuple(rows), notes=(note, "No two questions share a word."))


def _seconds(store: Store, questions: Sequence[str], scope: Scope | None) -> list[float]:
    found = []
    for question in questions:
        begin = time.process_time()
        search(store, NoEncoder(), question, scope=scope)
        found.append(time.process_time() - begin)
    return found


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("search-benchmark.db*") if path.suffix != ".db-shm")
