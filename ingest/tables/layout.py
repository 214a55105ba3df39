"""Lines and columns to cells: heads merged over lines, wrapped labels joined, every piece in exactly one cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from statistics import median

from ...core.anchor import Box
from ..pdf.backend import PageLayout
from .columns import Interval, column_of, columns_under
from .draft import Cell, Draft
from .heads import head_spans, with_heads
from .lines import Piece, TextLine
from .values import joined

_OPEN_END = re.compile(r"(?:\b(?:and|or|of|to|in|for|the|by|from|on|with|a|an|at|per|than)|[(/&]|\w-)$", re.IGNORECASE)
_TIGHT = 0.55
"""Distance of lines, in type heights, up to which a label goes on from the line above."""

_LONG_LABEL = 40
"""Characters from which a label may be too long for its column."""

_NEAR = 0.92
"""Share of the distance of rows below which lines belong together."""

Span = tuple[Piece, int, int]


def lay_out(
    page: PageLayout, heads: Sequence[TextLine], body: Sequence[TextLine], columns: Sequence[Interval]
) -> Draft:
    """The table of these lines."""
    head_rows = _head_rows(heads, columns, page)
    rows = [*head_rows, *_body_rows(body, columns)]
    cells = [
        _cell(r, first, last, pieces) for r, row in enumerate(rows) for (first, last), pieces in sorted(row.items())
    ]
    lines = [*heads, *body]
    box = _box_of(lines)
    tops = tuple(min(p.y0 for pieces in row.values() for p in pieces) for row in rows)
    draft = Draft(page.number, box, cells, len(rows), len(columns), len(head_rows), tuple(columns), tops)
    return draft.compacted()


def _cell(row: int, first: int, last: int, pieces: list[Piece]) -> Cell:
    text = reduce(joined, (piece.text for piece in pieces))
    words = [word for piece in pieces for word in piece.words]
    return Cell(row, first, text, words, pieces[0].x0, row, last, all(p.bold for p in pieces))


Row = dict[tuple[int, int], list[Piece]]


def _head_rows(heads: Sequence[TextLine], columns: Sequence[Interval], page: PageLayout) -> list[Row]:
    """Rows of heads; lines of one head below each other become one cell."""
    rows: list[Row] = []
    bottom = 0.0
    widened = with_heads(heads, columns)
    reach = (heads[0].y0 - 10, heads[-1].y1 + 20) if heads else (0.0, 0.0)
    rules = [rule for rule in page.rules if reach[0] <= rule[1] <= reach[1]]
    for n, line in enumerate(heads):
        row: Row = {}
        for piece, first, last in head_spans(line, heads[n + 1 :], widened, rules):
            _put(row, first, last, piece)
        if rows and _continues(rows[-1], row) and not _ruled_between(rules, bottom, line):
            for span, pieces in row.items():
                rows[-1].setdefault(span, []).extend(pieces)
        else:
            rows.append(row)
        bottom = line.y0
    return rows


def _put(row: Row, first: int, last: int, piece: Piece) -> None:
    """Add a piece; spans that overlap one already there join it."""
    for span in list(row):
        if span[0] <= last and first <= span[1]:
            pieces = row.pop(span)
            first, last = min(first, span[0]), max(last, span[1])
            row[first, last] = sorted(
                [*row.pop((first, last), []), *pieces, piece], key=lambda p: (p.y0 > piece.y1, p.x0)
            )
            return
    row[first, last] = [piece]


def _continues(above: Row, below: Row) -> bool:
    """True where each head below stands under a head of the same width, or under nothing."""
    for first, last in below:
        for other_first, other_last in above:
            if first <= other_last and other_first <= last and (first, last) != (other_first, other_last):
                return False
    return True


def _ruled_between(rules: Sequence[Box], top: float, line: TextLine) -> bool:
    """True where a line is drawn between two lines of heads."""
    return any(
        top + 4 < rule[1] < line.y0 + 3
        and rule[2] > line.x0
        and rule[0] < line.x1
        and rule[2] - rule[0] > rule[3] - rule[1]
        for rule in rules
    )


def _body_rows(body: Sequence[TextLine], columns: Sequence[Interval]) -> list[Row]:
    rows: list[Row] = []
    waiting: TextLine | None = None
    room = _label_room(body, columns)
    before: TextLine | None = None
    for line in body:
        row: Row = {}
        for piece in line.pieces:
            _put(row, *_place(piece, line, columns), piece)
        if rows and before is not None and _is_wrapped(before, line, columns, room):
            _join_label(rows[-1], row, label_first=waiting is not None)
        else:
            rows.append(row)
        waiting = line if set(row) == {(0, 0)} and not line.values else None
        before = line
    return rows


def _place(piece: Piece, line: TextLine, columns: Sequence[Interval]) -> tuple[int, int]:
    column = column_of(piece, columns)
    if column and not piece.is_value:
        covered = [c for c in columns_under(piece, columns) if c]
        if len(covered) > 1:
            return covered[0], covered[-1]
    return column, column


def _is_wrapped(above: TextLine, line: TextLine, columns: Sequence[Interval], room: _LabelRoom) -> bool:
    """True where ``line`` goes on with the label of the line above, which has the values or gets them here."""
    label, upper = line.pieces[0], above.pieces[0]
    if not above.values and len(line.values) == len(line.pieces) and line.y0 < above.y1 - 1:
        return True
    if label.is_value or upper.is_value or upper.x0 > columns[1][0] or label.x0 > columns[1][0]:
        return False
    if line.y0 - above.y1 > _TIGHT * (line.y1 - line.y0):
        return False
    if above.values and line.values:
        return False
    if not above.values and not line.values:
        return label.text[:1].islower() and len(line.pieces) == 1
    if upper.text.rstrip().endswith((":", "：")):
        return False
    hangs = label.text[:1] == "(" and label.x0 > upper.x0 + 2
    goes_on = label.text[:1].islower() or hangs or (not above.values and bool(_OPEN_END.search(upper.text)))
    return (goes_on or (not above.values and room.is_full(upper, label))) and label.x0 >= upper.x0 - 2


@dataclass(frozen=True, slots=True)
class _LabelRoom:
    """Where the longest label ends, where the values begin, and how far apart the rows stand."""

    longest: float
    values: float
    pitch: float

    def is_full(self, upper: Piece, label: Piece) -> bool:
        """True where the first word of ``label``, which begins below ``upper``, had no room after it.

        Its line then stands nearer than a row would, or the word would have run into the values.
        """
        if abs(label.x0 - upper.x0) > 2 or upper.bold != label.bold or upper.text.isupper():
            return False
        word = len(label.text.split()[0]) / len(label.text) * (label.x1 - label.x0)
        near = label.y0 - upper.y0 < _NEAR * self.pitch
        end = upper.x1 + word
        return len(upper.text) >= _LONG_LABEL and (end > self.values or (near and end > self.longest))


def _label_room(body: Sequence[TextLine], columns: Sequence[Interval]) -> _LabelRoom:
    rows = [line for line in body if line.values]
    longest = max((line.pieces[0].x1 for line in body if column_of(line.pieces[0], columns) == 0), default=0.0)
    pitch = median(below.y0 - above.y0 for above, below in pairwise(rows)) if len(rows) > 1 else 0.0
    return _LabelRoom(longest, columns[1][0] - 4, pitch)


def _join_label(row: Row, below: Row, *, label_first: bool) -> None:
    for span, pieces in below.items():
        row.setdefault(span, []).extend(pieces)


def _box_of(lines: Sequence[TextLine]) -> Box:
    return (
        min(line.x0 for line in lines),
        min(line.y0 for line in lines),
        max(line.x1 for line in lines),
        max(line.y1 for line in lines),
    )
