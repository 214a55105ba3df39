"""All benchmarks one after the other, each in a process of its own; what one found is kept before the next begins."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from . import registry
from .results import commit, kept_reports, today

_PATIENCE = 3
"""A benchmark may take this many times its usual minutes, and five more: its texts may have to be embedded first."""
_SPARE = 5
_CLONE = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one benchmark."""

    name: str
    state: Literal["done", "kept already", "failed", "too slow"]
    seconds: float = 0.0
    said: str = ""
    """Its tables, or its error."""


def run_all(
    data: Path | None = None,
    write: Path | None = None,
    *,
    resume: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[Outcome]:
    """Every benchmark whose data and packages are here, the short ones first; a failure does not stop the others.

    ``resume`` leaves out what ``write`` holds from this commit (where there is one) and day.
    """
    names = registry.runnable(data)
    minutes = sum(map(registry.minutes, names))
    say(f"{len(names)} benchmarks, about {minutes:.0f} minutes")
    done = _kept_now(write) if resume and write else set()
    for number, name in enumerate(names, 1):
        say(f"{number}/{len(names)}  {name} (about {max(1, round(registry.minutes(name)))} min)")
        outcome = Outcome(name, "kept already") if name in done else _run(name, data, write)
        say(f"{outcome.state}, {outcome.seconds:.0f} s")
        yield outcome


def _kept_now(docs: Path) -> set[str]:
    here = commit(docs).rstrip("+")
    kept = kept_reports(docs).items()
    return {name for name, item in kept if item.commit.rstrip("+") == here and item.date == today()}


def _run(name: str, data: Path | None, write: Path | None) -> Outcome:
    command = [sys.executable, "-m", "benchmarks", name]
    command += ["--data", str(data.resolve())] if data else []
    command += ["--write", str(write.resolve())] if write else []
    began = time.perf_counter()
    limit = 60 * (_PATIENCE * registry.minutes(name) + _SPARE)
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, cwd=_CLONE)
    except subprocess.TimeoutExpired:
        return Outcome(name, "too slow", time.perf_counter() - began, f"stopped after {limit / 60:.0f} minutes")
    seconds = time.perf_counter() - began
    if found.returncode:
        return Outcome(name, "failed", seconds, found.stderr.strip())
    return Outcome(name, "done", seconds, found.stdout.strip())
