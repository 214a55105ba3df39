"""Tables without borders: lines whose values stand in columns, with the heads above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ..pdf.backend import PageLayout
from .columns import body_columns
from .draft import Draft
from .heads import is_head_line, names_period
from .layout import lay_out
from .lines import Piece, TextLine
from .units import is_unit_line

_PROSE_WIDTH = 0.66
"""Share of the page's width from which a line of one piece is prose, not a label."""
_MAX_LABELS = 4
"""Lines without values between two lines with values of one table."""
_MAX_PITCH = 3.4
"""Distance of neighbouring lines in type heights; more ends a table."""
_MAX_HEADS = 10
_LONGEST_HEAD = 200
"""Characters of a head; more is text set in columns."""
_SHORT_HEAD = 12
"""Characters of a head that may stand in the middle of the page by chance."""
_WIDEST_HEAD = 90.0
"""Points by which a head over one column reaches further left than the values in it."""
_TITLE = re.compile(
    r"(?i:\b(?:statements?|balance sheets?|subsidiaries|schedule)\b)"
    r"|\b(?:INC|CORP|CORPORATION|COMPANY|LTD|PLC|LLC)\b[.,]?",
    re.ASCII,
)
_VALUE_ZONE = 0.25
"""Share of the text's width, from the left, in which a number is no value of a labelled row."""


def borderless_tables(page: PageLayout, lines: Sequence[TextLine]) -> list[Draft]:
    """Tables among the lines of one column of text, from top to bottom."""
    drafts = []
    taken = 0
    for first, last in _blocks(page, lines):
        body = [line for line in lines[first : last + 1] if _is_row(line)]
        columns = body_columns(body)
        lone = len(body) == 1 and first > taken and _is_lone_row(lines[first - 1], body[0])
        if len(columns) < 2 or not (lone or _is_table(body, columns)):
            continue
        top = _first_head(page, lines, first, taken, _HeadsZone.of(body, columns))
        start = _first_row(lines, top, first, columns)
        heads = lines[top:start]
        draft = lay_out(page, [h for h in heads if not _is_unit(h)], lines[start : last + 1], columns)
        draft.set_unit([piece for h in heads if _is_unit(h) for piece in h.pieces])
        if any(len(cell.text) > _LONGEST_HEAD for cell in draft.cells if cell.row < draft.header_rows):
            continue
        drafts.append(draft)
        taken = last + 1
    return drafts


def _blocks(page: PageLayout, lines: Sequence[TextLine]) -> list[tuple[int, int]]:
    """First and last line of each run of rows; a line of column heads starts a new one."""
    blocks: list[tuple[int, int]] = []
    first = last = -1
    for i, line in enumerate(lines):
        below = next((row for row in lines[i + 1 : i + _MAX_LABELS] if row.values), None)
        heads = is_head_line(line, below) and (first < 0 or line.x1 > lines[last].values[0].x0)
        heads = heads or (first >= 0 and _opens_heads(lines, i, last))
        if first >= 0 and (i - last > _MAX_LABELS + 3 or heads or _ends(page, lines, i, last)):
            blocks.append((first, last))
            first = -1
        if not heads and (_is_seed(line, page) or (first >= 0 and _is_bare_total(line, lines[last]))):
            first, last = (i if first < 0 else first), i
    if first >= 0:
        blocks.append((first, last))
    return [(first, _with_wrapped(lines, last)) for first, last in blocks]


def _opens_heads(lines: Sequence[TextLine], i: int, last: int) -> bool:
    """True for a period over the values, "12 Weeks Ended 3/19/2022", with the heads of its columns below it.

    A statement often has a second block of columns under the first, for the year before.
    """
    line, edge = lines[i], lines[last].values[0].x0
    if line.values or line.x0 < edge - 5 or not all(names_period(piece.text) for piece in line.pieces):
        return False
    for below in lines[i + 1 : i + _MAX_HEADS]:
        if below.values:
            return False
        if sum(piece.x0 > edge - 40 for piece in below.pieces) > 1:
            return True
    return False


def _is_bare_total(line: TextLine, row: TextLine) -> bool:
    """One value without a label, under a value of the row above."""
    return len(line.pieces) == 1 and line.numbers == 1 and any(abs(v.x1 - line.x1) < 8 for v in row.values)


def _is_seed(line: TextLine, page: PageLayout) -> bool:
    """A label with values to its right, or several values."""
    if not line.numbers or _is_prose(line, page):
        return False
    texts = [piece for piece in line.pieces if not piece.is_value]
    if len(line.values) >= 2:
        return len(texts) <= len(line.values) + 2
    value = line.values[0]
    if not texts:
        return False
    return len(texts) <= 3 and value.x0 > texts[0].x1 and value.x0 > page.width * _VALUE_ZONE


def _is_row(line: TextLine) -> bool:
    return bool(line.values) and (len(line.pieces) > 1)


def _is_prose(line: TextLine, page: PageLayout) -> bool:
    """A line that is filled with text, whatever number ends it."""
    widest = max(line.pieces, key=lambda piece: piece.x1 - piece.x0)
    return widest.x1 - widest.x0 > _PROSE_WIDTH * page.width and len(widest.text) > 60


def _ends(page: PageLayout, lines: Sequence[TextLine], i: int, last: int) -> bool:
    """True where line ``i`` cannot belong to the table whose last row is line ``last``."""
    line, before = lines[i], lines[i - 1]
    height = max(6.0, min(line.y1 - line.y0, before.y1 - before.y0))
    if line.y0 - before.y1 > _MAX_PITCH * height or _is_prose(line, page):
        return True
    if line.values or len(line.pieces) > 1:
        return False
    crosses = line.x0 < lines[last].values[0].x0 - 5 and line.x1 > lines[last].values[0].x0 + 5
    return crosses and not _resumes(lines, i, last)


def _resumes(lines: Sequence[TextLine], i: int, last: int) -> bool:
    """True where the next line with values after ``i`` has them under those of line ``last``, without new heads."""
    for above, line in pairwise(lines[i : i + _MAX_LABELS + 3]):
        if line.y0 - above.y1 > (above.y1 - above.y0):
            return False
        if line.values:
            under = [any(abs(v.x1 - u.x1) < 8 for u in lines[last].values) for v in line.values]
            return not is_head_line(line) and all(under)
        if len(line.pieces) > 1:
            return False
    return False


def _with_wrapped(lines: Sequence[TextLine], last: int) -> int:
    """A label that goes on below the last row's values belongs to it."""
    if last + 1 < len(lines):
        line, row = lines[last + 1], lines[last]
        goes_on = len(line.pieces) == 1 and line.text[:1].islower() and line.y0 - row.y1 < 0.5 * (row.y1 - row.y0)
        if goes_on and line.x0 >= row.x0 - 1 and line.x1 < row.values[0].x0:
            return last + 1
    return last


def _is_table(body: Sequence[TextLine], columns: Sequence[tuple[float, float]]) -> bool:
    """Enough rows and values to be no chance, and not a list of contents."""
    if len(body) < 2 or (len(columns) == 2 and len(body) < 3):
        return False
    numbers = sum(line.numbers for line in body)
    if numbers < max(3, len(body) / 2):
        return False
    return not _is_contents(body, columns)


def _is_lone_row(heads: TextLine, row: TextLine) -> bool:
    """One row right under as many years."""
    near = row.y0 - heads.y1 < 1.5 * (row.y1 - row.y0)
    return near and is_head_line(heads) and len(heads.values) == len(row.values) > 1


def _is_contents(body: Sequence[TextLine], columns: Sequence[tuple[float, float]]) -> bool:
    """Page numbers: whole, small and rising from line to line."""
    lasts = [line.pieces[-1].text for line in body]
    pages = [int(text) for text in lasts if text.isdecimal() and len(text) <= 3]
    if len(pages) < 3 or len(pages) < 0.8 * len(body) or any(line.numbers > 2 for line in body):
        return False
    rising = sum(a <= b for a, b in pairwise(pages))
    return rising >= 0.9 * (len(pages) - 1) and len(columns) <= 3


def _first_head(page: PageLayout, lines: Sequence[TextLine], first: int, taken: int, zone: _HeadsZone) -> int:
    """The first line above the rows that holds column heads."""
    pitch = median(b.y0 - a.y0 for a, b in pairwise(lines[max(0, first - 3) : first + 4])) if len(lines) > 1 else 12.0
    top = first
    for i in range(first - 1, max(taken, first - _MAX_HEADS) - 1, -1):
        line, below = lines[i], lines[i + 1]
        if _is_prose(line, page) or below.y0 - line.y1 > max(1.6 * pitch, 14.0):
            break
        if _heads_columns(line, zone, page):
            top = i
        elif top - i > 2 or len(line.pieces) > 1:
            break
    return top


@dataclass(frozen=True, slots=True)
class _HeadsZone:
    """From where to where values stand, and where their heads begin at the earliest: narrow values have wide heads."""

    edge: float
    first: float
    last: float

    @classmethod
    def of(cls, body: Sequence[TextLine], columns: Sequence[tuple[float, float]]) -> _HeadsZone:
        first = columns[1][0]
        labels = [line.pieces[0].x1 for line in body if not line.pieces[0].is_value]
        edge = min(first - 40, max(first - _WIDEST_HEAD, max(labels, default=first)))
        return cls(edge, first, columns[-1][1])

    def is_title(self, piece: Piece, page: PageLayout) -> bool:
        """True for a line in the middle of the page that is not in the middle of the values."""
        middle = (piece.x0 + piece.x1) / 2
        off_page, off_values = abs(middle - page.width / 2), abs(middle - (self.first + self.last) / 2)
        if off_page >= 0.03 * page.width:
            return False
        long = len(piece.text) > _SHORT_HEAD or piece.text.startswith("(")
        return piece.x0 < self.first + 10 or (long and off_values > off_page + 10)


def _first_row(lines: Sequence[TextLine], top: int, first: int, columns: Sequence[tuple[float, float]]) -> int:
    """Labels between the last line of heads and the first values are rows: "Revenues"."""
    start = first
    while start > top and len(lines[start - 1].pieces) == 1 and lines[start - 1].x0 < columns[1][0] - 40:
        if (lines[start - 1].x0 + lines[start - 1].x1) / 2 >= columns[1][0] - 5 or lines[start - 1].text.startswith(
            "("
        ):
            break
        start -= 1
    return start


def _is_unit(line: TextLine) -> bool:
    """True for "(in thousands)" centred over the columns: it heads none of them."""
    return len(line.pieces) == 1 and is_unit_line(line.text)


def _heads_columns(line: TextLine, zone: _HeadsZone, page: PageLayout) -> bool:
    """True for a line with a piece over the value columns that is not a centred title."""
    over = [piece for piece in line.pieces if (piece.x0 + piece.x1) / 2 >= zone.first - 5]
    if not over or any(piece.x0 < zone.edge and piece.x1 > zone.first + 20 for piece in line.pieces):
        return False
    if len(line.pieces) > 1:
        return True
    piece = line.pieces[0]
    return piece.x0 >= zone.edge and not _TITLE.search(piece.text) and not zone.is_title(piece, page)
