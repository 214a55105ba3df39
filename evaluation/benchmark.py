"""A benchmark: named, repeatable, run on a folder of data, reported as rows with intervals."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .statistics import bootstrap, paired_bootstrap

_LOWER = re.compile(
    r"\b(pk|windowdiff|window diff|seconds?|s|ms|us|bytes|kb|mb|gb|round trips|calls|errors?|lost|memory|cost)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of one system. ``low`` and ``high`` bound it with 95 % (bootstrap) where it is a mean."""

    system: str
    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    values: tuple[float, ...] = ()
    """One a question, in an order that stays: lets a later run be compared pair by pair."""
    better: Literal["", "higher", "lower", "neither"] = ""
    """Which way is good; empty: told by the name of the metric (seconds, bytes, Pk ... are better when lower)."""

    @classmethod
    def mean(cls, system: str, metric: str, values: Sequence[float]) -> Row:
        """The mean of one value a question, with its bootstrap interval.

        >>> Row.mean("BM25", "hit@5", [1.0, 1.0]).value
        1.0
        """
        value, low, high = bootstrap(values)
        return cls(system, metric, value, low, high, len(values), tuple(float(v) for v in values))

    @classmethod
    def difference(
        cls, system: str, metric: str, ours: Sequence[float], theirs: Sequence[float], than: str = "RRF"
    ) -> Row:
        """Mean of ``ours - theirs`` over the same questions; significant where the interval leaves out zero."""
        value, low, high = paired_bootstrap(ours, theirs)
        return cls(f"{system} minus {than}", metric, value, low, high, len(ours), better="neither")

    @property
    def lower_is_better(self) -> bool:
        """True for what costs: time, bytes, error measures."""
        return self.better == "lower" or (not self.better and _LOWER.search(self.metric) is not None)


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
