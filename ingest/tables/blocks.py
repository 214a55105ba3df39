"""Which lines of a page may be one table without borders: runs of rows with values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile
from operator import attrgetter

from ...core.records import dataclass
from ..pdf.backend import PageLayout
from .columns import is_head_line, names_period
from .lines import Piece, TextLine

_PROSE_WIDTH = 0.66
"""Share of the page's width from which a line of one piece is prose, not a label."""
_PROSE_CHARS = 60
_MAX_LABELS = 4
"""Lines without values between two lines with values of one table."""
_MAX_PITCH = 3.4
"""Distance of neighbouring lines in type heights; more ends a table."""
MAX_HEADS = 10
"""Lines of column heads that a table may have."""
_VALUE_ZONE = 0.25
"""Share of the text's width, from the left, in which a number is no value of a labelled row."""
_MAX_LABEL_PIECES = 3
"""Pieces of words beside the one value of a row."""
_SAME_EDGE = 8
"""Points by which the right ends of values of one column differ at most, for a line that is told by them alone."""


@dataclass(slots=True)
class Block:
    """Numbers of the first and last line of a run of rows."""

    first: int
    last: int


def find_blocks(page: PageLayout, lines: Sequence[TextLine]) -> list[Block]:
    """Runs of rows from top to bottom; a line of column heads starts a new one."""
    reader = _BlockReader(page, lines)
    for number in range(len(lines)):
        reader.read(number)
    reader.close()
    return reader.blocks


def is_prose(line: TextLine, page: PageLayout) -> bool:
    """True for a line that is filled with text, whatever number ends it."""
    widest = max(line.pieces, key=lambda piece: piece.width)
    return widest.width > _PROSE_WIDTH * page.width and len(widest.text) > _PROSE_CHARS


class _BlockReader:
    """Reads the lines from the top and keeps the block that is open, whose last line has values."""

    def __init__(self, page: PageLayout, lines: Sequence[TextLine]) -> None:
        self.blocks: list[Block] = []
        self._open: Block | None = None
        self._page = page
        self._lines = lines

    def read(self, number: int) -> None:
        """Let a line end the open block, and start or continue one."""
        is_heads = self._is_heads(number)
        if is_heads or self._ends(number):
            self.close()
        if is_heads or not self._is_row(number):
            return
        if self._open is None:
            self._open = Block(number, number)
        self._open.last = number

    def close(self) -> None:
        """Put the open block among the found ones, with a label that goes on below its last values."""
        block = self._open
        if block is None:
            return
        self._open = None
        self.blocks.append(block)
        row, *below = self._lines[block.last : block.last + 2]
        if below and _is_wrapped_label(row, below[0]):
            block.last += 1

    def _is_heads(self, number: int) -> bool:
        """True for years or a period over columns of values that begin below."""
        line = self._lines[number]
        is_years = is_head_line(line, _next_values(self._lines, number))
        if self._open is None:
            return is_years
        values_begin = self._last_row(self._open).values[0].x0
        if is_years and line.x1 > values_begin:
            return True
        return _opens_heads(self._lines, number, values_begin)

    def _is_row(self, number: int) -> bool:
        """True for a line with values: labelled, or a total in the open block."""
        line = self._lines[number]
        if _has_labelled_values(line, self._page):
            return True
        if self._open is None:
            return False
        return _is_bare_total(line, self._last_row(self._open))

    def _ends(self, number: int) -> bool:
        """True where a line cannot belong to the open block."""
        if self._open is None:
            return False
        if number - self._open.last > _MAX_LABELS + 3:
            return True
        line, above = self._lines[number], self._lines[number - 1]
        height = max(6.0, min(line.height, above.height))
        if line.gap_below(above) > _MAX_PITCH * height:
            return True
        if is_prose(line, self._page):
            return True
        row = self._last_row(self._open)
        return _runs_into_values(line, row) and not _resumes(self._lines, number, row)

    def _last_row(self, block: Block) -> TextLine:
        return self._lines[block.last]


def _next_values(lines: Sequence[TextLine], number: int) -> TextLine | None:
    """The first of the next lines that has values."""
    following = lines[number + 1 : number + _MAX_LABELS]
    return next((line for line in following if line.values), None)


def _opens_heads(lines: Sequence[TextLine], number: int, values_begin: float) -> bool:
    """True for a period over the values, "12 Weeks Ended 3/19/2022", with the heads of its columns below it.

    A statement often has a second block of columns under the first, for the year before.
    """
    line, *following = lines[number : number + MAX_HEADS]
    if line.values or line.x0 < values_begin - 5:
        return False
    if not all(names_period(piece.text) for piece in line.pieces):
        return False
    below = takewhile(attrgetter("is_words"), following)
    return any(_count_over(other, values_begin - 40) > 1 for other in below)


def _count_over(line: TextLine, left: float) -> int:
    """Pieces that begin right of a place."""
    return sum(piece.x0 > left for piece in line.pieces)


def _has_labelled_values(line: TextLine, page: PageLayout) -> bool:
    """True for a label with a value to its right, and for several values."""
    if line.numbers == 0 or is_prose(line, page):
        return False
    labels = line.labels
    if len(line.values) > 1:
        return len(labels) <= len(line.values) + 2
    if not 1 <= len(labels) <= _MAX_LABEL_PIECES:
        return False
    labels_end = max(labels[0].x1, page.width * _VALUE_ZONE)
    return line.values[0].x0 > labels_end


def _is_bare_total(line: TextLine, row: TextLine) -> bool:
    """True for one value without a label, under a value of the row above."""
    if not line.is_one_piece or line.numbers == 0:
        return False
    return _is_under_values(line.values[0], row)


def _is_under_values(value: Piece, row: TextLine) -> bool:
    """True where a value ends where one of the row does."""
    return any(abs(other.x1 - value.x1) < _SAME_EDGE for other in row.values)


def _runs_into_values(line: TextLine, row: TextLine) -> bool:
    """True for one piece of words from the labels into the values."""
    if line.values or not line.is_one_piece:
        return False
    values_begin = row.values[0].x0
    return line.x0 < values_begin - 5 and line.x1 > values_begin + 5


def _resumes(lines: Sequence[TextLine], number: int, row: TextLine) -> bool:
    """True where the next line with values has them under those of ``row``, without new heads."""
    for above, line in pairwise(lines[number : number + _MAX_LABELS + 3]):
        if line.gap_below(above) > above.height:
            return False
        if line.values:
            return not is_head_line(line) and all(_is_under_values(value, row) for value in line.values)
        if not line.is_one_piece:
            return False
    return False


def _is_wrapped_label(row: TextLine, line: TextLine) -> bool:
    """True where the label of a row goes on in the line below it."""
    if not line.is_one_piece or not line.text[:1].islower():
        return False
    if line.gap_below(row) >= 0.5 * row.height:
        return False
    return row.x0 - 1 <= line.x0 and line.x1 < row.values[0].x0
