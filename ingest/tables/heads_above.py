"""The lines above the rows of a table without borders: which of them are its column heads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ..pdf.backend import PageLayout
from .blocks import MAX_HEADS, is_prose
from .geometry import Interval
from .lines import Piece, TextLine

_SHORT_HEAD = 12
"""Characters of a head that may stand in the middle of the page by chance."""
_WIDEST_HEAD = 90.0
"""Points by which a head over one column reaches further left than the values in it."""
_TITLE = re.compile(
    r"(?i:\b(?:statements?|balance sheets?|subsidiaries|schedule)\b)"
    r"|\b(?:INC|CORP|CORPORATION|COMPANY|LTD|PLC|LLC)\b[.,]?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class HeadsZone:
    """Where values stand, and where their heads begin at the earliest: narrow values have wide heads.

    ``edge`` is the left end of the first head in points.
    """

    edge: float
    values: Interval
    page_width: float

    @classmethod
    def of(cls, body: Sequence[TextLine], columns: Sequence[Interval], page: PageLayout) -> HeadsZone:
        values = Interval(columns[1].x0, columns[-1].x1)
        firsts = [line.pieces[0] for line in body]
        labels_end = max((first.x1 for first in firsts if not first.is_value), default=values.x0)
        widest = max(values.x0 - _WIDEST_HEAD, labels_end)
        return cls(min(values.x0 - 40, widest), values, page.width)

    def holds_heads(self, line: TextLine) -> bool:
        """True for a line with a piece over the value columns that is not a centred title."""
        if not any(map(self._is_over_values, line.pieces)) or any(map(self._reaches_over, line.pieces)):
            return False
        if not line.is_one_piece:
            return True
        head = line.pieces[0]
        is_title = self._is_centred_title(head) or _TITLE.search(head.text)
        return head.x0 >= self.edge and not is_title

    def _is_over_values(self, piece: Piece) -> bool:
        return piece.middle >= self.values.x0 - 5

    def _reaches_over(self, piece: Piece) -> bool:
        """True for a piece from the labels far into the values."""
        return piece.x0 < self.edge and piece.x1 > self.values.x0 + 20

    def _is_centred_title(self, piece: Piece) -> bool:
        """True for a line in the middle of the page that is not in the middle of the values."""
        off_page = abs(piece.middle - self.page_width / 2)
        if off_page >= 0.03 * self.page_width:
            return False
        if piece.x0 < self.values.x0 + 10:
            return True
        is_long = len(piece.text) > _SHORT_HEAD or piece.text.startswith("(")
        return is_long and abs(piece.middle - self.values.middle) > off_page + 10


def first_head(page: PageLayout, lines: Sequence[TextLine], first: int, free: int, zone: HeadsZone) -> int:
    """Number of the first line that holds column heads of the rows from line ``first`` on; ``first`` if none does.

    Lines before ``free`` belong to another table.
    """
    widest_gap = max(1.6 * _pitch(lines, first), 14.0)
    top = first
    for number in range(first - 1, max(free, first - MAX_HEADS) - 1, -1):
        line, below = lines[number], lines[number + 1]
        if below.gap_below(line) > widest_gap or is_prose(line, page):
            break
        if zone.holds_heads(line):
            top = number
        elif top - number > 2 or not line.is_one_piece:
            break
    return top


def _pitch(lines: Sequence[TextLine], first: int) -> float:
    """Points from line to line around the first row."""
    around = lines[max(0, first - 3) : first + 4]
    distances = [below.y0 - above.y0 for above, below in pairwise(around)]
    return median(distances) if distances else 12.0


def first_row(lines: Sequence[TextLine], top: int, first: int, columns: Sequence[Interval]) -> int:
    """Number of the first row: labels between the last line of heads and the first values are rows: "Revenues"."""
    start = first
    while start > top and _is_section(lines[start - 1], columns[1].x0):
        start -= 1
    return start


def _is_section(line: TextLine, values_begin: float) -> bool:
    """True for a label that stands alone, left of the values."""
    if not line.is_one_piece or line.text.startswith("("):
        return False
    return line.x0 < values_begin - 40 and line.middle < values_begin - 5
