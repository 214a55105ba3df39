"""Lines and columns to cells: heads merged over lines, wrapped labels joined, every piece in exactly one cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import chain, pairwise
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from ...core.anchor import Box, bounding_box
from ...core.period_text import is_period
from ...core.records import dataclass
from ..pdf.backend import PageLayout
from .columns import HeadColumns, column_of, columns_under, cut_at_columns, with_heads
from .found import Cell, Draft
from .lines import Interval, Piece, TextLine

_OPEN_END = re.compile(
    r"(?:\b(?:and|or|of|to|in|for|the|by|from|on|with|a|an|at|per|than)|[(/&、（]|[的及和与或]|\w-)$", re.IGNORECASE
)
_TIGHT = 0.55
"""Distance of lines, in type heights, up to which a label goes on from the line above."""
_LONG_LABEL = 40
"""Characters from which a label may be too long for its column."""
_NEAR = 0.92
"""Share of the distance of rows below which lines belong together."""
_LEVEL = 2
"""Points by which the left ends of lines of one label differ at most."""


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """The column of the labels: where its longest one ends, where the values begin, and how far apart the rows stand.

    All in points.
    """

    longest: float
    values: float
    pitch: float

    @classmethod
    def of(cls, body: Sequence[TextLine], columns: Sequence[Interval]) -> LabelColumn:
        """Measure the rows of a table."""
        firsts = [line.pieces[0] for line in body]
        ends = [first.x1 for first in firsts if column_of(first, columns) == 0]
        tops = [line.y0 for line in body if line.values]
        distances = [below - above for above, below in pairwise(tops)] or [0.0]
        return cls(
            longest=max(ends, default=0.0),
            values=columns[1].x0,
            pitch=median(distances),
        )

    def as_printed(self, columns: Sequence[Interval]) -> list[Interval]:
        """The columns, that of the labels no wider than the longest of them: what stands in the empty room right of it
        heads the values."""
        first, *values = columns
        end = max(first.x0, min(first.x1, self.longest))
        return [Interval(first.x0, end), *values]

    def goes_on(self, above: TextLine, line: TextLine) -> bool:
        """True where ``line`` goes on with the label of the line above, which has the values or gets them here."""
        if _are_raised_values(above, line):
            return True
        upper, lower = above.pieces[0], line.pieces[0]
        if not self._is_label(upper) or not self._is_label(lower):
            return False
        if line.gap_below(above) > _TIGHT * line.height:
            return False
        lines_with_values = bool(above.values) + bool(line.values)
        if lines_with_values == 0:
            return line.is_one_piece and _starts_small(lower)
        if lines_with_values == 2 or not _may_follow(upper, lower):
            return False
        if _starts_small(lower) or _hangs(upper, lower):
            return True
        if above.values:
            return False
        return _is_open(upper) or self._has_no_room(upper, lower)

    def _is_label(self, piece: Piece) -> bool:
        return not piece.is_value and piece.x0 <= self.values

    def _has_no_room(self, upper: Piece, lower: Piece) -> bool:
        """True where the first word of ``lower``, which begins below ``upper``, had no room after it.

        Its line then stands nearer than a row would, or the word would have run into the values.
        """
        if len(upper.text) < _LONG_LABEL or upper.text.isupper():
            return False
        if upper.bold != lower.bold or abs(lower.x0 - upper.x0) > _LEVEL:
            return False
        first_word = lower.text.split()[0]
        end = upper.x1 + len(first_word) / len(lower.text) * lower.width
        if end > self.values - 4:
            return True
        is_near = lower.y0 - upper.y0 < _NEAR * self.pitch
        return is_near and end > self.longest


def _are_raised_values(above: TextLine, line: TextLine) -> bool:
    """True for values on ``line`` that belong to the label above: both stand at about the same height."""
    if above.values or not line.is_all_values:
        return False
    return line.y0 < above.y1 - 1


def _may_follow(upper: Piece, lower: Piece) -> bool:
    """False below "Current assets:", and for a label that begins further left."""
    ends_in_colon = upper.text.rstrip().endswith((":", "："))
    return not ends_in_colon and lower.x0 >= upper.x0 - _LEVEL


def _starts_small(label: Piece) -> bool:
    return label.text[:1].islower()


def _hangs(upper: Piece, lower: Piece) -> bool:
    """True for "(net of tax)" that is indented below its label."""
    return lower.text.startswith("(") and lower.x0 > upper.x0 + _LEVEL


def _is_open(label: Piece) -> bool:
    """True for a label that ends in "of" or another word that asks for more."""
    return _OPEN_END.search(label.text) is not None


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
    labels = LabelColumn.of(body, columns)
    head_rows = _head_rows(heads, labels.as_printed(columns), page)
    rows = [*head_rows, *_body_rows(body, columns)]
    cells = chain.from_iterable(row.cells(number) for number, row in enumerate(rows))
    draft = Draft(
        page=page.number,
        box=bounding_box(line.box for line in chain(heads, body)),
        cells=list(cells),
        height=len(rows),
        width=len(columns),
        header_rows=len(head_rows),
        edges=tuple(columns),
        tops=tuple(map(attrgetter("top"), rows)),
    )
    return draft.compacted()


@dataclass(slots=True)
class _Row:
    """The pieces of one row by the columns that they cover."""

    pieces: dict[Span, list[Piece]] = field(default_factory=dict)

    @property
    def top(self) -> float:
        pieces = chain.from_iterable(self.pieces.values())
        return float(min(map(attrgetter("y0"), pieces)))

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
    heads = [TextLine(cut_at_columns(line.pieces, columns, page.words)) for line in heads]
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
        place = _span_of_head if _are_periods(line) else _span
        for piece in line.pieces:
            row.put(place(piece, columns), piece)
        if rows and labels.goes_on(above, line):
            rows[-1].extend(row)
        else:
            rows.append(row)
        above = line
    return rows


def _are_periods(line: TextLine) -> bool:
    """True for a line of nothing but periods, two or more: heads of other columns for the rows below."""
    if line.is_one_piece or line.values:
        return False
    return all(is_period(piece.text) for piece in line.pieces)


def _span_of_head(piece: Piece, columns: Sequence[Interval]) -> Span:
    """The column of values that the piece stands over, or is nearest to."""
    shares = [piece.shared_with(column) for column in columns[1:]]
    column = 1 + shares.index(max(shares))
    return Span(column, column)


def _span(piece: Piece, columns: Sequence[Interval]) -> Span:
    """The one column of a value or label; words beside the label may reach over several."""
    column = column_of(piece, columns)
    if column == 0 or piece.is_value:
        return Span(column, column)
    covered = list(filter(None, columns_under(piece, columns)))
    if len(covered) < 2:
        return Span(column, column)
    return Span(covered[0], covered[-1])
