"""Columns of a table without vertical lines, from the places of its pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from statistics import median_high

from ...core.sequences import runs
from .geometry import Interval, Placed, interval_around
from .lines import Piece, TextLine

_HANG = 7.0
"""Points by which right edges of one column differ: a closing parenthesis or a per cent sign hangs out."""


def body_columns(lines: Sequence[TextLine]) -> list[Interval]:
    """Columns from left to right: that of the labels (of no width where there are none), then one or more. Or none.

    ``lines`` are those with values. Values that overlap share a column; text that is not the first of its line makes
    columns of its own where it overlaps none of the values.
    """
    values = _value_columns(lines)
    if not values:
        return []
    starts = [line.x0 for line in lines]
    columns = sorted([*values, *_text_columns(lines, values)])
    while len(columns) > 1 and _is_stub(columns[0], starts):
        columns = columns[1:]
    left = min(starts)
    labels = Interval(left, max(left, columns[0].x0 - 1))
    return [labels, *columns]


def column_of(piece: Piece, columns: Sequence[Interval]) -> int:
    """The column that shares most with the piece; else the nearest. The label column takes what starts in it."""
    values_begin = columns[1].x0
    starts_in_labels = piece.x0 < values_begin - 2
    reaches_values = piece.is_value and piece.x1 >= values_begin
    if starts_in_labels and not reaches_values:
        return 0
    return _nearest(piece, columns)


def columns_under(piece: Piece, columns: Sequence[Interval]) -> list[int]:
    """Columns whose middle the piece covers; the nearest one where it covers none."""
    reach = Interval(piece.x0 - 2, piece.x1 + 2)
    covered = [number for number, column in enumerate(columns) if reach.holds_middle_of(column)]
    if not covered:
        return [_nearest(piece, columns)]
    return covered


def _nearest(piece: Piece, columns: Sequence[Interval]) -> int:
    shares = list(map(piece.shared_with, columns))
    return shares.index(max(shares))


def _value_columns(lines: Sequence[TextLine]) -> list[Interval]:
    """Where values stand below each other."""
    values = chain.from_iterable(map(_column_values, lines))
    columns = _merged(values)
    return list(chain.from_iterable(_uncrowded(column, lines) for column in columns))


def _column_values(line: TextLine) -> list[Piece]:
    """The values of a line that stand in value columns: a year that starts a line of several pieces is its label."""
    first, *others = line.pieces
    if first.is_value and first.is_year and len(others) > 1:
        return line.values[1:]
    return line.values


def _text_columns(lines: Sequence[TextLine], values: Sequence[Interval]) -> list[Interval]:
    """Where words beside the labels stand below each other and over no value."""
    beside_labels = chain.from_iterable(line.pieces[1:] for line in lines)
    narrow = [piece for piece in beside_labels if _is_narrow_text(piece, values)]
    return [column for column in _merged(narrow) if _overlapped(column, values) == 0]


def _is_narrow_text(piece: Piece, values: Sequence[Interval]) -> bool:
    """True for words that reach over one value column at most."""
    return not piece.is_value and _overlapped(piece, values) < 2


def _overlapped(one: Placed, columns: Sequence[Interval]) -> int:
    """How many of the columns it overlaps."""
    return sum(map(one.overlaps, columns))


def _merged(placed: Iterable[Placed]) -> list[Interval]:
    """The stretches of the page that they cover; those that overlap by more than a point are one."""
    merged: list[Interval] = []
    end = float("-inf")
    for one in sorted(placed, key=_ends):
        if one.x0 < end - 1:
            end = max(end, one.x1)
            merged[-1] = Interval(merged[-1].x0, end)
        else:
            end = one.x1
            merged.append(Interval(one.x0, end))
    return merged


def _ends(one: Placed) -> tuple[float, float]:
    return one.x0, one.x1


def _uncrowded(column: Interval, lines: Sequence[TextLine]) -> list[Interval]:
    """The column, or several where two values of a line stand in it: they are told apart by their right edges."""
    inside = [list(filter(column.holds_middle_of, line.values)) for line in lines]
    if max(map(len, inside)) < 2:
        return [column]
    by_right_edge = sorted(chain.from_iterable(inside), key=_right_edge)
    groups = runs(by_right_edge, _share_edge)
    least = max(1, len(lines) // 8)
    kept = [group for group in groups if len(group) > least]
    return list(map(interval_around, kept or groups))


def _right_edge(piece: Piece) -> float:
    return piece.x1


def _share_edge(column: Sequence[Piece], piece: Piece) -> bool:
    return piece.x1 - column[-1].x1 <= _HANG


def _is_stub(column: Interval, line_starts: Sequence[float]) -> bool:
    """True where a column starts left of most labels: it is part of them."""
    return column.x1 <= median_high(line_starts) + 1
