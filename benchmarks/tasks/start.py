"""Start: what `cliquerag --help` and the imports cost before anything is done."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row

MINUTES = 0.5
FOLDER = ""
RUNS = 7
LAYERS = ("core.period", "ingest.document", "kg.store", "retrieval.evidence")
COMMANDS = {
    "python": (sys.executable, "-c", "pass"),
    "cliquerag --help": (sys.executable, "-m", "cliquerag.cli", "--help"),
    **{f"import cliquerag.{layer}": (sys.executable, "-c", f"import cliquerag.{layer}") for layer in LAYERS},
}


def run(folder: Path) -> Report:
    """Seconds of fresh processes, the median of several, and whether numpy was loaded.

    Processor time is what is compared from run to run: the wall clock also tells what else the machine does.
    """
    rows = [row for name, command in COMMANDS.items() for row in _measured(name, command)]
    rows.append(Row("cliquerag --help", "numpy loaded", float(_loads_numpy()), better="lower"))
    return Report("start", tuple(rows), notes=(f"Median of {RUNS} processes; load {os.getloadavg()[0]:.1f}.",))


def _measured(name: str, command: Sequence[str]) -> Iterator[Row]:
    times = [_once(command) for _ in range(RUNS)]
    yield Row(name, "CPU s", statistics.median(cpu for cpu, _ in times))
    yield Row(name, "wall s", statistics.median(wall for _, wall in times), better="neither")


def _once(command: Sequence[str]) -> tuple[float, float]:
    """Processor and wall seconds of a process."""
    begin, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, time.perf_counter() - begin


def _loads_numpy() -> bool:
    code = "import sys, cliquerag.cli; sys.exit('numpy' in sys.modules)"
    return subprocess.run((sys.executable, "-c", code), check=False).returncode != 0
