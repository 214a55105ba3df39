"""Lines and columns to cells: heads merged over lines, wrapped labels joined, every piece in exactly one cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from ...core.anchor import Box
from ..pdf.backend import PageLayout
from .columns import column_of, columns_under
from .draft import Cell, Draft
from .geometry import Interval, box_around
from .heads import HeadColumns, with_heads
from .lines import Piece, TextLine
from .wrapped_labels import LabelColumn


class Span(NamedTuple):
    """First and last column of a cell."""

    first: int
    last: int

    def overlaps(self, other: Span) -> bool:
        return self.first <= other.last and other.first <= self.last

    def with_columns_of(self, other: Span) -> Span:
        return Span(min(self.first, other.first), max(self.last, other.last))


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
        pieces = chain.from_iterable(self.pieces.values())
        return min(piece.y0 for piece in pieces)

    def put(self, span: Span, piece: Piece) -> None:
        """Add a piece of one line; where its span overlaps one already there they become one cell."""
        overlapped = next(filter(span.overlaps, self.pieces), None)
        if overlapped is None:
            self.pieces[span] = [piece]
            return
        neighbours = self.pieces.pop(overlapped)
        span = span.with_columns_of(overlapped)
        together = [*self.pieces.pop(span, []), *neighbours, piece]
        self.pieces[span] = sorted(together, key=lambda other: (other.y0 > piece.y1, other.x0))

    def extend(self, below: _Row) -> None:
        """Take in the row below, cell by cell."""
        for span, pieces in below.pieces.items():
            self.pieces.setdefault(span, []).extend(pieces)

    def cells(self, number: int) -> Iterator[Cell]:
        """Its cells from left to right as those of row ``number``."""
        for span, pieces in sorted(self.pieces.items()):
            yield Cell.of_pieces(pieces, (number, number), span, pieces[0].x0)


def _head_rows(heads: Sequence[TextLine], columns: Sequence[Interval], page: PageLayout) -> list[_Row]:
    """Rows of heads; lines of one head below each other become one cell."""
    if not heads:
        return []
    rows: list[_Row] = []
    above = heads[0]
    rules = _rules_around(heads, page)
    over = HeadColumns(with_heads(heads, columns), rules)
    for number, line in enumerate(heads):
        row = _Row()
        for span in over.spans(line, heads[number + 1 :]):
            row.put(Span(span.first, span.last), span.head)
        if rows and _is_continued(rows[-1], row) and not _are_ruled_apart(above, line, rules):
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


def _is_continued(above: _Row, below: _Row) -> bool:
    """True where each head below stands under a head of the same width, or under nothing."""
    for span in below.pieces:
        overlapped = list(filter(span.overlaps, above.pieces))
        if overlapped not in ([], [span]):
            return False
    return True


def _are_ruled_apart(above: TextLine, line: TextLine, rules: Sequence[Box]) -> bool:
    """True where a line is drawn between two lines of heads."""
    for left, top, right, bottom in rules:
        is_horizontal = right - left > bottom - top
        is_over_line = left < line.x1 and right > line.x0
        is_between = above.y0 + 4 < top < line.y0 + 3
        if is_horizontal and is_over_line and is_between:
            return True
    return False


def _body_rows(body: Sequence[TextLine], columns: Sequence[Interval]) -> list[_Row]:
    """Rows of labels and values; a label over several lines is one."""
    rows: list[_Row] = []
    above = body[0]
    labels = LabelColumn.of(body, columns)
    for line in body:
        row = _Row()
        for piece in line.pieces:
            row.put(_span(piece, columns), piece)
        if rows and labels.goes_on(above, line):
            rows[-1].extend(row)
        else:
            rows.append(row)
        above = line
    return rows


def _span(piece: Piece, columns: Sequence[Interval]) -> Span:
    """The one column of a value or label; words beside the label may reach over several."""
    column = column_of(piece, columns)
    if column == 0 or piece.is_value:
        return Span(column, column)
    covered = list(filter(None, columns_under(piece, columns)))
    if len(covered) < 2:
        return Span(column, column)
    return Span(covered[0], covered[-1])
