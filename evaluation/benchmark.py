"""A benchmark: named, repeatable, run on a folder of data, reported as rows with intervals, and the report as a
table: a line a system, a column a metric, the interval beside the value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import chain
from pathlib import Path
from typing import Literal

from ..core.records import dataclass
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


Grid = list[list[str]]
"""Lines of cells, the head first."""
Mark = Callable[[str, bool], str]
"""Writes a value, and whether it is the best of its metric."""

_MOST_ACROSS = 6
_GAP = 2


def as_markdown(report: Report) -> str:
    """Pipe tables; the best value of each metric is bold."""
    return "\n\n".join(map(_piped, _grids(report, _bold)))


def _bold(text: str, is_best: bool) -> str:
    return f"**{text}**" if is_best else text


def as_text(report: Report, width: int = 110) -> str:
    """Aligned columns for the terminal; the best value of each metric has a star.

    Columns that do not fit into ``width`` go into further tables below, each with the first column again.
    """
    parts = chain.from_iterable(_fitting(grid, width) for grid in _grids(report, _starred))
    return "\n\n".join(map(_aligned, parts))


def _starred(text: str, is_best: bool) -> str:
    return f"{text}*" if is_best else f"{text} "


def number(value: float) -> str:
    """Three digits that matter for shares and times, whole numbers for counts.

    >>> number(0.8157), number(41.333), number(12345.0), number(3)
    ('0.816', '41.3', '12,345', '3')
    """
    if value == int(value) and abs(value) > 1:
        return f"{int(value):,}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def interval(row: Row) -> str:
    """``0.816 [0.780, 0.850]``, a sign before differences."""
    signed = row.better == "neither" and row.value >= 0 and row.low is not None
    text = ("+" if signed else "") + number(row.value)
    return text if row.low is None or row.high is None else f"{text} [{number(row.low)}, {number(row.high)}]"


def _grids(report: Report, mark: Mark) -> Iterator[Grid]:
    """Systems down and metrics across, differences last.

    Where there are many metrics, which would not fit a line, and fewer systems, it is the other way round, and the
    differences have a table of their own.
    """
    metrics = {row.metric for row in report.rows}
    systems = {row.system for row in report.rows}
    if len(metrics) <= max(_MOST_ACROSS, len(systems) - 1):
        yield _grid(report.rows, mark)
        return
    differences = [row for row in report.rows if " minus " in row.system]
    others = [row for row in report.rows if row not in differences]
    for rows in (others, differences):
        if rows:
            yield [list(line) for line in zip(*_grid(rows, mark), strict=True)]


def _grid(rows: Sequence[Row], mark: Mark) -> Grid:
    """A line a system with its value of each metric, marked; a head above them."""
    cells = {(row.system, row.metric): row for row in rows}
    metrics = list(dict.fromkeys(row.metric for row in rows))
    lines: dict[str, list[str]] = {row.system: [row.system] for row in rows}
    for metric in metrics:
        best = _best(rows, metric)
        for system, line in lines.items():
            row = cells.get((system, metric))
            line.append("" if row is None else mark(interval(row), row in best))
    head = ["system", *(_heading(rows, metric) for metric in metrics)]
    return [head, *lines.values()]


def _heading(rows: Sequence[Row], metric: str) -> str:
    """The metric, and of how many questions it is."""
    n = _n(rows, metric)
    return f"{metric} (n={n})" if n else metric


def _piped(grid: Sequence[Sequence[str]]) -> str:
    head, *body = grid
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *body])


def _fitting(grid: Grid, width: int) -> Iterator[Grid]:
    """The grid in parts of as many columns as fit, at least one."""
    widths = _widths(grid)
    first = 1
    while first < len(widths):
        last = first + 1
        used = widths[0] + _GAP + widths[first]
        while last < len(widths) and used + _GAP + widths[last] <= width:
            used += _GAP + widths[last]
            last += 1
        yield [[line[0], *line[first:last]] for line in grid]
        first = last


def _aligned(grid: Sequence[Sequence[str]]) -> str:
    widths = _widths(grid)
    lines: list[str] = []
    for first, *others in grid:
        cells = [_pad(first, widths[0], right=False)]
        cells.extend(_pad(cell, width, right=True) for cell, width in zip(others, widths[1:], strict=True))
        lines.append((" " * _GAP).join(cells).rstrip())
    rule = "-" * (sum(widths) + _GAP * (len(widths) - 1))
    return "\n".join([lines[0], rule, *lines[1:]])


def _widths(grid: Sequence[Sequence[str]]) -> list[int]:
    """Of each column the width of its widest cell."""
    return [max(map(_width, column)) for column in zip(*grid, strict=True)]


def _best(rows: Sequence[Row], metric: str) -> list[Row]:
    """The rows that share the best value of a metric, if there is something to compare."""
    same = [row for row in rows if row.metric == metric and row.better != "neither"]
    if len(same) < 2:
        return []
    values = {row.value for row in same}
    if len(values) == 1:
        return []
    best = (min if same[0].lower_is_better else max)(values)
    return [row for row in same if row.value == best]


def _n(rows: Sequence[Row], metric: str) -> int:
    return max((row.n for row in rows if row.metric == metric), default=0)


def _width(text: str) -> int:
    """Columns of a terminal: Chinese characters take two."""
    wide = [character for character in text if unicodedata.east_asian_width(character) in "WF"]
    return len(text) + len(wide)


def _pad(text: str, width: int, *, right: bool) -> str:
    blank = " " * (width - _width(text))
    return blank + text if right else text + blank
