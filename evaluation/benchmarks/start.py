"""Start: what `cliquerag --help` and the imports cost before anything is done."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ..benchmark import Report, Row

MINUTES = 1
FOLDER = ""
RUNS = 7
HELP = (sys.executable, "-m", "cliquerag.cli", "--help")
LAYERS = ("core.period", "ingest.document", "kg.store", "retrieval.evidence")


def run(folder: Path) -> Report:
    """Seconds of fresh processes, the median of several, and whether numpy was loaded."""
    python = _seconds((sys.executable, "-c", "pass"))
    rows = [Row("python", "wall s", python), Row("cliquerag --help", "wall s", _seconds(HELP))]
    for layer in LAYERS:
        rows.append(
            Row(f"import cliquerag.{layer}", "wall s", _seconds((sys.executable, "-c", f"import cliquerag.{layer}")))
        )
    rows.append(Row("cliquerag --help", "numpy loaded", float(_loads_numpy())))
    return Report("start", tuple(rows), notes=(f"Median of {RUNS} processes; load {os.getloadavg()[0]:.1f}.",))


def _seconds(command: Sequence[str]) -> float:
    return statistics.median(_once(command) for _ in range(RUNS))


def _once(command: Sequence[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def _loads_numpy() -> bool:
    code = "import sys, cliquerag.cli; sys.exit('numpy' in sys.modules)"
    return subprocess.run((sys.executable, "-c", code), check=False).returncode != 0
