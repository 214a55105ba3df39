"""Lines and columns to cells: heads merged over lines, wrapped labels joined, every piece in exactly one cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain, pairwise
from statistics import median

from ...core.anchor import Box
from ..pdf.backend import PageLayout
from .columns import column_of, columns_under
from .draft import Cell, Draft
from .geometry import Interval, box_around
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

Span = tuple[int, int]
"""First and last column of a cell."""


def lay_out(
    page: PageLayout, heads: Sequence[TextLine], body: Sequence[TextLine], columns: Sequence[Interval]
) -> Draft:
    """The table whose column heads and rows stand on these lines, in these columns."""
    head_rows = _head_rows(heads, columns, page)
    rows = [*head_rows, *_body_rows(body, columns)]
    cells = chain.from_iterable(row.cells(number) for number, row in enumerate(rows))
    draft = Draft(
        page=page.number,
        box=box_around(line.box for line in chain(heads, body)),
        cells=list(cells),
        height=len(rows),
        width=len(columns),
        header_rows=len(head_rows),
        edges=tuple(columns),
        tops=tuple(row.top for row in rows),
    )
    return draft.compacted()


@dataclass(slots=True)
class _Row:
    """The pieces of one row by the columns that they cover."""

    pieces: dict[Span, list[Piece]] = field(default_factory=dict)

    @property
    def top(self) -> float:
        return min(piece.y0 for piece in chain.from_iterable(self.pieces.values()))

    def put(self, span: Span, piece: Piece) -> None:
        """Add a piece of one line; where its span overlaps one already there they become one cell."""
        overlapped = next((other for other in self.pieces if _overlap(span, other)), None)
        if overlapped is None:
            self.pieces[span] = [piece]
            return
        neighbours = self.pieces.pop(overlapped)
        span = (min(span[0], overlapped[0]), max(span[1], overlapped[1]))
        together = [*self.pieces.pop(span, []), *neighbours, piece]
        self.pieces[span] = sorted(together, key=lambda other: (other.y0 > piece.y1, other.x0))

    def extend(self, below: _Row) -> None:
        """Take in the row below, cell by cell."""
        for span, pieces in below.pieces.items():
            self.pieces.setdefault(span, []).extend(pieces)

    def cells(self, number: int) -> list[Cell]:
        """Its cells from left to right as those of row ``number``."""
        return [_cell(number, span, self.pieces[span]) for span in sorted(self.pieces)]


def _overlap(span: Span, other: Span) -> bool:
    return other[0] <= span[1] and span[0] <= other[1]


def _cell(row: int, span: Span, pieces: Sequence[Piece]) -> Cell:
    first, last = span
    return Cell(
        row=row,
        column=first,
        text=reduce(joined, (piece.text for piece in pieces)),
        words=list(chain.from_iterable(piece.words for piece in pieces)),
        x0=pieces[0].x0,
        last_row=row,
        last_column=last,
        bold=all(piece.bold for piece in pieces),
    )


def _head_rows(heads: Sequence[TextLine], columns: Sequence[Interval], page: PageLayout) -> list[_Row]:
    """Rows of heads; lines of one head below each other become one cell."""
    if not heads:
        return []
    rows: list[_Row] = []
    above = heads[0]
    widened = with_heads(heads, columns)
    rules = _rules_around(heads, page)
    for number, line in enumerate(heads):
        row = _Row()
        for head in head_spans(line, heads[number + 1 :], widened, rules):
            row.put((head.first, head.last), head.piece)
        if rows and _continues(rows[-1], row) and not _ruled_between(rules, above, line):
            rows[-1].extend(row)
        else:
            rows.append(row)
        above = line
    return rows


def _rules_around(heads: Sequence[TextLine], page: PageLayout) -> list[Box]:
    """The lines drawn between and right around the heads."""
    top = heads[0].y0 - 10
    bottom = heads[-1].y1 + 20
    return [rule for rule in page.rules if top <= rule[1] <= bottom]


def _continues(above: _Row, below: _Row) -> bool:
    """True where each head below stands under a head of the same width, or under nothing."""
    return all(_fits_under(span, above) for span in below.pieces)


def _fits_under(span: Span, above: _Row) -> bool:
    overlapped = [other for other in above.pieces if _overlap(span, other)]
    return overlapped in ([], [span])


def _ruled_between(rules: Sequence[Box], above: TextLine, line: TextLine) -> bool:
    """True where a line is drawn between two lines of heads."""
    return any(_separates(rule, above, line) for rule in rules)


def _separates(rule: Box, above: TextLine, line: TextLine) -> bool:
    left, top, right, bottom = rule
    is_horizontal = right - left > bottom - top
    is_over_line = left < line.x1 and right > line.x0
    return is_horizontal and is_over_line and above.y0 + 4 < top < line.y0 + 3


def _body_rows(body: Sequence[TextLine], columns: Sequence[Interval]) -> list[_Row]:
    """Rows of labels and values; a label over several lines is one."""
    rows: list[_Row] = []
    above = body[0]
    room = _LabelRoom.of(body, columns)
    for line in body:
        row = _Row()
        for piece in line.pieces:
            row.put(_span(piece, columns), piece)
        if rows and _is_wrapped(above, line, columns, room):
            rows[-1].extend(row)
        else:
            rows.append(row)
        above = line
    return rows


def _span(piece: Piece, columns: Sequence[Interval]) -> Span:
    """The one column of a value or label; words beside the label may reach over several."""
    column = column_of(piece, columns)
    if column == 0 or piece.is_value:
        return column, column
    covered = list(filter(None, columns_under(piece, columns)))
    if len(covered) < 2:
        return column, column
    return covered[0], covered[-1]


def _is_wrapped(above: TextLine, line: TextLine, columns: Sequence[Interval], room: _LabelRoom) -> bool:
    """True where ``line`` goes on with the label of the line above, which has the values or gets them here."""
    if _are_raised_values(above, line):
        return True
    upper, label = above.pieces[0], line.pieces[0]
    is_near = line.gap_below(above) <= _TIGHT * line.height
    are_labels = _is_label(upper, columns) and _is_label(label, columns)
    if not is_near or not are_labels:
        return False
    if above.values and line.values:
        return False
    if above.values:
        return _goes_on(upper, label)
    if line.values:
        return _goes_on(upper, label) or _waits_for_more(upper, label, room)
    return line.is_one_piece and _starts_small(label)


def _are_raised_values(above: TextLine, line: TextLine) -> bool:
    """True for values on ``line`` that belong to the label above: both stand at about the same height."""
    if above.values or not line.is_all_values:
        return False
    return line.y0 < above.y1 - 1


def _goes_on(upper: Piece, label: Piece) -> bool:
    """True for a label in small letters or a bracket that hangs in; none goes on after "Current assets:"."""
    hangs = label.text.startswith("(") and label.x0 > upper.x0 + 2
    return _may_follow(upper, label) and (hangs or _starts_small(label))


def _waits_for_more(upper: Piece, label: Piece, room: _LabelRoom) -> bool:
    """True where the upper part of a label ends in "of", or had no room for the next word."""
    is_open = _OPEN_END.search(upper.text) is not None
    return _may_follow(upper, label) and (is_open or room.is_full(upper, label))


def _may_follow(upper: Piece, label: Piece) -> bool:
    ends_in_colon = upper.text.rstrip().endswith((":", "："))
    return not ends_in_colon and label.x0 >= upper.x0 - 2


def _starts_small(label: Piece) -> bool:
    return label.text[:1].islower()


def _is_label(piece: Piece, columns: Sequence[Interval]) -> bool:
    return not piece.is_value and piece.x0 <= columns[1].x0


@dataclass(frozen=True, slots=True)
class _LabelRoom:
    """Where the longest label ends, where the values begin, and how far apart the rows stand; all in points."""

    longest: float
    values: float
    pitch: float

    @classmethod
    def of(cls, body: Sequence[TextLine], columns: Sequence[Interval]) -> _LabelRoom:
        firsts = [line.pieces[0] for line in body]
        label_ends = [first.x1 for first in firsts if column_of(first, columns) == 0]
        tops = [line.y0 for line in body if line.values]
        distances = [below - above for above, below in pairwise(tops)]
        return cls(
            longest=max(label_ends, default=0.0),
            values=columns[1].x0 - 4,
            pitch=median(distances) if distances else 0.0,
        )

    def is_full(self, upper: Piece, label: Piece) -> bool:
        """True where the first word of ``label``, which begins below ``upper``, had no room after it.

        Its line then stands nearer than a row would, or the word would have run into the values.
        """
        if len(upper.text) < _LONG_LABEL or upper.text.isupper():
            return False
        if upper.bold != label.bold or abs(label.x0 - upper.x0) > 2:
            return False
        first_word = label.text.split()[0]
        end = upper.x1 + len(first_word) / len(label.text) * label.width
        if end > self.values:
            return True
        is_near = label.y0 - upper.y0 < _NEAR * self.pitch
        return is_near and end > self.longest
