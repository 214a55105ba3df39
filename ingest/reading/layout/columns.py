"""Columns and side bars: which part of a page is read before which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Protocol, TypeVar

from ....core.anchor import Box


class Placed(Protocol):
    """Text at a place."""

    @property
    def text(self) -> str: ...
    @property
    def box(self) -> Box: ...
    @property
    def size(self) -> float: ...


P = TypeVar("P", bound=Placed)

_MIN_LINES = 5
"""Lines that a column has at least."""
_PROSE_CHARS = 24
_PROSE_CHARS_ZH = 11
_MAX_DEPTH = 8


def reading_order(runs: Sequence[P], width: float) -> list[list[P]]:
    """Split runs into regions to be read one after the other: bands from the top, columns from the left.

    A table's label and number columns are no columns in this sense: both sides have to be prose, or one of them a
    side bar whose lines stand beside, not level with, those of the text.
    """
    return [region for region in _split(sorted(runs, key=lambda run: run.box[1]), width, 0) if region]


def _split(runs: list[P], width: float, depth: int) -> list[list[P]]:
    if len(runs) < 2 * _MIN_LINES or depth >= _MAX_DEPTH:
        return [runs]
    best: tuple[float, list[P], list[P], float, float] | None = None
    for edge in _left_edges(runs, width):
        top, bottom = _free_band(runs, edge)
        inside = [run for run in runs if run.box[1] >= top - 1 and run.box[3] <= bottom + 1]
        left = [run for run in inside if run.box[2] <= edge + 1]
        right = [run for run in inside if run.box[0] >= edge - 2]
        weight = float(min(_weight(left), _weight(right)))
        if (best is None or weight > best[0]) and _are_columns(left, right):
            best = (weight, left, right, top, bottom)
    if best is None:
        return [runs]
    _, left, right, top, bottom = best
    taken = {id(run) for run in (*left, *right)}
    middle = (top + bottom) / 2
    rest = [run for run in runs if id(run) not in taken]
    above = [run for run in rest if run.box[1] < middle]
    below = [run for run in rest if run.box[1] >= middle]
    return [region for part in (above, left, right, below) for region in _split(part, width, depth + 1)]


def _weight(runs: Sequence[Placed]) -> int:
    return sum(len(run.text) for run in runs)


def _left_edges(runs: Sequence[Placed], width: float) -> list[float]:
    """Places in the inner page at which several runs begin: a column's text is aligned at its left."""
    counts = Counter(round(run.box[0] / 3) for run in runs if 0.15 * width < run.box[0] < 0.85 * width)
    edges = []
    for slot in counts:
        if counts[slot] + counts[slot + 1] >= _MIN_LINES and counts[slot] >= counts[slot - 1]:
            edges.append(min(run.box[0] for run in runs if round(run.box[0] / 3) in (slot, slot + 1)))
    return sorted(edges, key=lambda edge: edge)[:12]


def _free_band(runs: Sequence[Placed], edge: float) -> tuple[float, float]:
    """The highest stretch of the page in which nothing crosses ``edge``, as top and bottom."""
    crossing = sorted((run.box[1], run.box[3]) for run in runs if run.box[0] < edge - 3 and run.box[2] > edge + 2)
    first = min(run.box[1] for run in runs)
    last = max(run.box[3] for run in runs)
    best, top = (first, first), first
    for y0, y1 in [*crossing, (last, last)]:
        if y0 - top > best[1] - best[0]:
            best = (top, y0)
        top = max(top, y1)
    return best


def _are_columns(left: Sequence[Placed], right: Sequence[Placed]) -> bool:
    if len(left) < _MIN_LINES or len(right) < _MIN_LINES:
        return False
    prose = _is_prose(left), _is_prose(right)
    if all(prose):
        return True
    narrow = right if prose[0] else left
    return any(prose) and _is_side_bar(narrow, left if prose[0] else right)


def _is_prose(runs: Sequence[Placed]) -> bool:
    long = sum(len(run.text) for run in runs if _is_long(run.text))
    return long >= 0.6 * _weight(runs)


def _is_long(text: str) -> bool:
    limit = _PROSE_CHARS if text.isascii() or not _has_han(text) else _PROSE_CHARS_ZH
    return len(text) >= limit and sum(map(str.isdigit, text)) < 0.3 * len(text)


def _has_han(text: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in text)


def _is_side_bar(narrow: Sequence[Placed], wide: Sequence[Placed]) -> bool:
    """True where the narrow lines keep a base line or a type size of their own and are no numbers."""
    chars = "".join(run.text for run in narrow)
    if sum(map(str.isdigit, chars)) > 0.4 * len(chars):
        return False
    lines = [run.box[3] for run in wide]
    level = sum(any(abs(run.box[3] - line) < 1.5 for line in lines) for run in narrow)
    own_size = abs(median(run.size for run in narrow) - median(run.size for run in wide)) >= 0.8
    return level < 0.5 * len(narrow) or (own_size and level < 0.8 * len(narrow))
