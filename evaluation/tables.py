"""A report as a table: a line a system, a column a metric, the interval beside the value."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from .benchmark import Report, Row

_MOST_ACROSS = 6
_GAP = 2


def as_markdown(report: Report) -> str:
    """Pipe tables; the best value of each metric is bold."""
    return "\n\n".join(_piped(grid) for grid in _grids(report, lambda text, best: f"**{text}**" if best else text))


def as_text(report: Report, width: int = 110) -> str:
    """Aligned columns for the terminal; the best value of each metric has a star.

    Columns that do not fit into ``width`` go into further tables below, each with the first column again.
    """
    grids = _grids(report, lambda text, best: text + ("*" if best else " "))
    return "\n\n".join(_aligned(part) for grid in grids for part in _fitting(grid, width))


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


def _grids(report: Report, mark: Callable[[str, bool], str]) -> Iterator[list[list[str]]]:
    """Systems down and metrics across, differences last.

    Where there are many metrics, which would not fit a line, and fewer systems, it is the other way round, and the
    differences have a table of their own.
    """
    metrics, systems = ({getattr(row, side) for row in report.rows} for side in ("metric", "system"))
    if len(metrics) <= max(_MOST_ACROSS, len(systems) - 1):
        yield _grid(report.rows, mark)
        return
    differences = [row for row in report.rows if " minus " in row.system]
    for rows in ([row for row in report.rows if row not in differences], differences):
        if rows:
            yield [list(line) for line in zip(*_grid(rows, mark), strict=True)]


def _grid(rows: Sequence[Row], mark: Callable[[str, bool], str]) -> list[list[str]]:
    systems = list(dict.fromkeys(row.system for row in rows))
    metrics = list(dict.fromkeys(row.metric for row in rows))
    cells = {(row.system, row.metric): row for row in rows}
    best = {id(row) for metric in metrics for row in _best(rows, metric)}
    grid = [["system", *(f"{metric} (n={n})" if (n := _n(rows, metric)) else metric for metric in metrics)]]
    for system in systems:
        found = [cells.get((system, metric)) for metric in metrics]
        grid.append([system, *("" if r is None else mark(interval(r), id(r) in best) for r in found)])
    return grid


def _piped(grid: Sequence[Sequence[str]]) -> str:
    head, *body = grid
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *body])


def _fitting(grid: Sequence[Sequence[str]], width: int) -> Iterator[list[list[str]]]:
    """The grid in parts of as many columns as fit, at least one."""
    widths = _widths(grid)
    first = 1
    while first < len(widths):
        last, used = first, widths[0]
        while last < len(widths) and (last == first or used + _GAP + widths[last] <= width):
            used += _GAP + widths[last]
            last += 1
        yield [[line[0], *line[first:last]] for line in grid]
        first = last


def _aligned(grid: Sequence[Sequence[str]]) -> str:
    widths = _widths(grid)
    lines = [(" " * _GAP).join(_pad(cell, widths[i], i > 0) for i, cell in enumerate(line)) for line in grid]
    lines.insert(1, "-" * (sum(widths) + _GAP * (len(widths) - 1)))
    return "\n".join(line.rstrip() for line in lines)


def _widths(grid: Sequence[Sequence[str]]) -> list[int]:
    return [max(_width(line[i]) for line in grid) for i in range(len(grid[0]))]


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
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, right: bool) -> str:
    blank = " " * (width - _width(text))
    return blank + text if right else text + blank
