"""Columns and side bars: which part of a page is read before which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Generic, Protocol, TypeVar

from ....core.anchor import Box


class Placed(Protocol):
    """Text at a place, in type of a size (points)."""

    @property
    def text(self) -> str: ...
    @property
    def box(self) -> Box: ...
    @property
    def size(self) -> float: ...


P = TypeVar("P", bound=Placed)

_MIN_LINES = 5
"""Lines that a column has at least."""
_MAX_DEPTH = 8
"""Times that a part of a page is split again."""
_MAX_EDGES = 12
"""Left edges that are tried, from the left."""
_MARGIN = 0.15
"""Share of the page's width at either side in which no column begins."""
_SLOT = 3
"""Points; runs that begin within the same slot or the next are aligned."""
_PROSE_CHARS = 24
_PROSE_CHARS_ZH = 11
"""Characters from which a run may be a line of prose."""
_PROSE_SHARE = 0.6
"""Share of a column's characters that stand in lines of prose."""
_MAX_DIGITS_OF_PROSE = 0.3
_MAX_DIGITS_OF_SIDE_BAR = 0.4
_SAME_BASE_LINE = 1.5
"""Points."""
_MAX_LEVEL = 0.5
_MAX_LEVEL_OWN_SIZE = 0.8
"""Share of a side bar's lines that may stand level with the text's: more where its type has a size of its own."""
_OWN_SIZE = 0.8
"""Points between the sizes of two types."""


@dataclass(frozen=True, slots=True)
class _Columns(Generic[P]):
    """Two columns side by side in a band of the page from ``top`` to ``bottom``."""

    left: list[P]
    right: list[P]
    top: float
    bottom: float

    @property
    def weight(self) -> int:
        """Characters of the smaller one."""
        return min(_characters(self.left), _characters(self.right))

    def in_reading_order(self, runs: Sequence[P]) -> tuple[list[P], list[P], list[P], list[P]]:
        """All of ``runs``: what stands above the columns, the left and the right one, what stands below."""
        in_columns = {id(run) for run in (*self.left, *self.right)}
        middle = (self.top + self.bottom) / 2
        above, below = [], []
        for run in runs:
            if id(run) in in_columns:
                continue
            if run.box[1] < middle:
                above.append(run)
            else:
                below.append(run)
        return above, self.left, self.right, below


def reading_order(runs: Sequence[P], width: float) -> list[list[P]]:
    """Split runs into regions to be read one after the other: bands from the top, columns from the left.

    ``width`` is the page's, in points. A table's label and number columns are no columns in this sense: both sides
    have to be prose, or one of them a side bar whose lines stand beside, not level with, those of the text.
    """
    from_the_top = sorted(runs, key=lambda run: run.box[1])
    return _regions(from_the_top, width, depth=0)


def _regions(runs: list[P], width: float, depth: int) -> list[list[P]]:
    if not runs:
        return []
    if len(runs) < 2 * _MIN_LINES or depth >= _MAX_DEPTH:
        return [runs]
    columns = _best_columns(runs, width)
    if columns is None:
        return [runs]
    regions = []
    for part in columns.in_reading_order(runs):
        regions += _regions(part, width, depth + 1)
    return regions


def _best_columns(runs: Sequence[P], width: float) -> _Columns[P] | None:
    """The two columns with the most text; None where the page has one only."""
    best: _Columns[P] | None = None
    most = -1
    for edge in _left_edges(runs, width):
        columns = _columns_at(runs, edge)
        if columns.weight > most and _are_columns(columns.left, columns.right):
            best, most = columns, columns.weight
    return best


def _columns_at(runs: Sequence[P], edge: float) -> _Columns[P]:
    """What stands on either side of ``edge`` in the highest band that nothing crosses there."""
    top, bottom = _free_band(runs, edge)
    left, right = [], []
    for run in runs:
        x0, y0, x1, y1 = run.box
        if y0 < top - 1 or y1 > bottom + 1:
            continue
        if x1 <= edge + 1:
            left.append(run)
        if x0 >= edge - 2:
            right.append(run)
    return _Columns(left, right, top, bottom)


def _left_edges(runs: Sequence[Placed], width: float) -> list[float]:
    """Places in the inner page at which several runs begin: a column's text is aligned at its left."""
    left, right = _MARGIN * width, (1 - _MARGIN) * width
    beginnings = [run.box[0] for run in runs]
    counts = Counter(_slot(x) for x in beginnings if left < x < right)
    edges = []
    for slot in counts:
        is_peak = counts[slot] >= counts[slot - 1]
        if is_peak and counts[slot] + counts[slot + 1] >= _MIN_LINES:
            edges.append(min(x for x in beginnings if _slot(x) in (slot, slot + 1)))
    return sorted(edges)[:_MAX_EDGES]


def _slot(x: float) -> int:
    return round(x / _SLOT)


def _free_band(runs: Sequence[Placed], edge: float) -> tuple[float, float]:
    """The highest stretch of the page in which nothing crosses ``edge``, as top and bottom."""
    first = min(run.box[1] for run in runs)
    last = max(run.box[3] for run in runs)
    crossing = [(y0, y1) for x0, y0, x1, y1 in (run.box for run in runs) if x0 < edge - 3 and x1 > edge + 2]
    best = (first, first)
    top = first
    for y0, y1 in [*sorted(crossing), (last, last)]:
        if y0 - top > best[1] - best[0]:
            best = (top, y0)
        top = max(top, y1)
    return best


def _are_columns(left: Sequence[Placed], right: Sequence[Placed]) -> bool:
    """True where both are prose, or one is prose and the other a side bar to it."""
    if min(len(left), len(right)) < _MIN_LINES:
        return False
    left_is_prose, right_is_prose = _is_prose(left), _is_prose(right)
    if left_is_prose and right_is_prose:
        return True
    if left_is_prose:
        return _is_side_bar(right, left)
    return right_is_prose and _is_side_bar(left, right)


def _characters(runs: Sequence[Placed]) -> int:
    return sum(len(run.text) for run in runs)


def _is_prose(runs: Sequence[Placed]) -> bool:
    long = [run for run in runs if _is_long(run.text)]
    return _characters(long) >= _PROSE_SHARE * _characters(runs)


def _is_long(text: str) -> bool:
    """True for a run as long as a line of prose and not mostly digits."""
    if len(text) < (_PROSE_CHARS_ZH if _has_han(text) else _PROSE_CHARS):
        return False
    return sum(map(str.isdigit, text)) < _MAX_DIGITS_OF_PROSE * len(text)


def _has_han(text: str) -> bool:
    return not text.isascii() and any("\u4e00" <= char <= "\u9fff" for char in text)


def _is_side_bar(narrow: Sequence[Placed], wide: Sequence[Placed]) -> bool:
    """True where the narrow lines keep a base line or a type size of their own and are no numbers."""
    text = "".join(run.text for run in narrow)
    if sum(map(str.isdigit, text)) > _MAX_DIGITS_OF_SIDE_BAR * len(text):
        return False
    level = _count_level(narrow, wide)
    if level < _MAX_LEVEL * len(narrow):
        return True
    sizes_differ_by = abs(median(run.size for run in narrow) - median(run.size for run in wide))
    return sizes_differ_by >= _OWN_SIZE and level < _MAX_LEVEL_OWN_SIZE * len(narrow)


def _count_level(narrow: Sequence[Placed], wide: Sequence[Placed]) -> int:
    """How many of the narrow lines stand on a base line of the wide ones."""
    base_lines = [run.box[3] for run in wide]
    level = 0
    for run in narrow:
        y = run.box[3]
        level += any(abs(y - base_line) < _SAME_BASE_LINE for base_line in base_lines)
    return level
