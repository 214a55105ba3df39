"""Start: what `cliquerag --help`, the imports and the first question of a process cost."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cliquerag import Workspace
from cliquerag.evaluation.benchmark import Report, Row

MINUTES = 0.5
FOLDER = ""
RUNS = 7
QUESTIONS = {"a figure": "What was Acme's net income in 2023?", "of the text": "Which risks does Acme name?"}
REPORT = (
    "CONSOLIDATED STATEMENTS OF OPERATIONS\n(in millions)\n2023 2022\nRevenue $ 900 $ 800\nNet income 90 80\n"
    "Item 1A. Risk factors\nAcme depends on few suppliers, and a fall of the dollar would raise its costs.\n"
    "Revenue rose 12.5% to $900 million in 2023 because of higher prices. Jane Doe became chief executive officer.\n"
)
LAYERS = ("core.period", "ingest.document", "kg.store", "retrieval.search.evidence")
COMMANDS = {
    "python": (sys.executable, "-c", "pass"),
    "cliquerag --help": (sys.executable, "-m", "cliquerag", "--help"),
    **{f"import cliquerag.{layer}": (sys.executable, "-c", f"import cliquerag.{layer}") for layer in LAYERS},
}


def run(folder: Path) -> Report:
    """Seconds of fresh processes, the median of several, and whether numpy was loaded.

    Processor time is what is compared from run to run: the wall clock also tells what else the machine does. Modules
    are compiled beforehand, as they are wherever the package is installed.
    """
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    commands = {**COMMANDS, **_questions(folder)}
    rows = [row for name, command in commands.items() for row in _measured(name, command, environment)]
    rows.append(Row("cliquerag --help", "numpy loaded", float(_loads_numpy()), better="lower"))
    return Report("start", tuple(rows), notes=(f"Median of {RUNS} processes; load {os.getloadavg()[0]:.1f}.",))


def _questions(folder: Path) -> dict[str, Sequence[str]]:
    """Questions asked of a small workspace, each in a process of its own."""
    url = f"sqlite:///{folder / 'start.db'}"
    with Workspace(url) as workspace:
        workspace.add_text(REPORT, "Acme 10-K 2023.txt", company="Acme Corp", period="FY2023")
    ask = (sys.executable, "-m", "cliquerag", "ask", "--workspace", url)
    return {f"cliquerag ask, {kind}": (*ask, question) for kind, question in QUESTIONS.items()}


def _measured(name: str, command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Row]:
    _once(command, environment)
    times = [_once(command, environment) for _ in range(RUNS)]
    yield Row(name, "CPU s", statistics.median(cpu for cpu, _ in times))
    yield Row(name, "wall s", statistics.median(wall for _, wall in times), better="neither")


def _once(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Processor and wall seconds of a process."""
    begin, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, time.perf_counter() - begin


def _loads_numpy() -> bool:
    code = "import sys, cliquerag.cli; sys.exit('numpy' in sys.modules)"
    return subprocess.run((sys.executable, "-c", code), check=False).returncode != 0
