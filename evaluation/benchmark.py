"""A benchmark: named, repeatable, run on a folder of data, reported as rows with intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of one system. ``low`` and ``high`` bound it with 95 % (bootstrap) where it is a mean."""

    system: str
    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What a benchmark found."""

    name: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    settings: dict[str, str] = field(default_factory=dict)


Benchmark = Callable[[Path], Report]
"""Takes the folder of its data set (or an empty scratch folder for benchmarks that make their own data)."""

BENCHMARKS: dict[str, str] = {}
"""Name -> "module:function" under ``cliquerag.evaluation``; imported when run."""
