"""Columns of a table without vertical lines, from the places of its pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .lines import Piece, TextLine

Interval = tuple[float, float]

_HANG = 7.0
"""Points by which right edges of one column differ: a closing parenthesis or a per cent sign hangs out."""


def body_columns(lines: Sequence[TextLine]) -> list[Interval]:
    """Columns from left to right; the first is that of the labels (of no width where there are none).

    ``lines`` are those with values. Values that overlap share a column; text that is not the first of its line makes
    columns of its own where it overlaps none of the values.
    """
    values = _merged(_intervals(piece for line in lines for piece in line.values if not _is_label(line, piece)))
    values = [part for column in values for part in _split_crowded(column, lines)]
    if not values:
        return []
    texts = [p for line in lines for p in line.pieces[1:] if not p.is_value and len(_overlapped(p, values)) < 2]
    columns = _joined(values, _merged(_intervals(texts)))
    left = min(line.x0 for line in lines)
    while len(columns) > 1 and _is_stub(columns[0], lines):
        columns = columns[1:]
    return [(left, max(left, columns[0][0] - 1)), *columns]


def column_of(piece: Piece, columns: Sequence[Interval]) -> int:
    """The column that shares most with the piece; else the nearest. The label column takes what starts in it."""
    if len(columns) > 1 and piece.x0 < columns[1][0] - 2 and (not piece.is_value or piece.x1 < columns[1][0]):
        return 0
    shares = [min(piece.x1, right) - max(piece.x0, left) for left, right in columns]
    return max(range(len(columns)), key=lambda c: shares[c])


def columns_under(piece: Piece, columns: Sequence[Interval]) -> list[int]:
    """Columns whose middle the piece covers; the nearest one where it covers none."""
    covered = [c for c, (left, right) in enumerate(columns) if piece.x0 - 2 <= (left + right) / 2 <= piece.x1 + 2]
    if covered:
        return covered
    shares = [min(piece.x1, right) - max(piece.x0, left) for left, right in columns]
    return [max(range(len(columns)), key=lambda c: shares[c])]


def _is_label(line: TextLine, piece: Piece) -> bool:
    """True for a number that starts a line of several values, as a year or a rank does."""
    return piece is line.pieces[0] and len(line.pieces) > 2 and piece.is_year


def _intervals(pieces: Iterable[Piece]) -> list[Interval]:
    return [(piece.x0, piece.x1) for piece in pieces]


def _merged(intervals: list[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for left, right in sorted(intervals):
        if merged and left < merged[-1][1] - 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], right))
        else:
            merged.append((left, right))
    return merged


def _overlapped(piece: Piece, columns: Sequence[Interval]) -> list[int]:
    return [c for c, (left, right) in enumerate(columns) if min(piece.x1, right) - max(piece.x0, left) > 1]


def _split_crowded(column: Interval, lines: Sequence[TextLine]) -> list[Interval]:
    """A column in which two values stand side by side is several: they are told apart by their right edges."""
    inside = [[p for p in line.values if column[0] <= (p.x0 + p.x1) / 2 <= column[1]] for line in lines]
    if all(len(pieces) < 2 for pieces in inside):
        return [column]
    groups: list[list[Piece]] = []
    for piece in sorted((p for pieces in inside for p in pieces), key=lambda p: p.x1):
        if groups and piece.x1 - groups[-1][-1].x1 <= _HANG:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    least = max(1, len(lines) // 8)
    kept = [group for group in groups if len(group) > least] or groups
    return [(min(p.x0 for p in group), max(p.x1 for p in group)) for group in kept]


def _joined(values: list[Interval], texts: list[Interval]) -> list[Interval]:
    """Value columns, and text columns that lie beside them."""
    columns = list(values)
    for left, right in texts:
        if all(min(right, r) - max(left, v) <= 1 for v, r in values):
            columns.append((left, right))
    return sorted(columns)


def _is_stub(column: Interval, lines: Sequence[TextLine]) -> bool:
    """True where a column starts left of most labels: it is part of them."""
    firsts = sorted(line.x0 for line in lines)
    return column[1] <= firsts[len(firsts) // 2] + 1
