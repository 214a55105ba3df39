"""Tables without borders: lines whose values stand in columns, with the heads above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, filterfalse, pairwise
from statistics import median

from ...core.records import dataclass
from ..pdf.backend import PageLayout
from .blocks import MAX_HEADS, Block, find_blocks, is_prose
from .columns import body_columns, is_head_line
from .found import Cell, Draft
from .layout import lay_out
from .lines import Interval, Piece, TextLine, pieces_of
from .values import is_unit_line

_FEWEST_VALUES = 3
"""Values under heads of their own that make a table of one row: two may stand under words by chance."""
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


_LONGEST_HEAD = 200
"""Characters of a head; more is text set in columns."""
_PAGE_NUMBER = re.compile(r"\d{1,3}")
_MOST_CONTENTS_COLUMNS = 3
"""Columns of a list of contents: titles, perhaps their numbers, and pages."""


def borderless_tables(page: PageLayout, lines: Sequence[TextLine]) -> list[Draft]:
    """Tables among the lines of one column of text, from top to bottom."""
    drafts = []
    free = 0
    taken: set[int] = set()
    for block in find_blocks(page, lines):
        draft = _draft(page, lines, block, free)
        if draft is not None:
            drafts.append(draft)
            free = block.last + 1
            taken.update(chain.from_iterable(cell.words for cell in draft.cells))
    for number in range(1, len(lines)):
        heads = _heads_of_values(lines, number)
        if heads and taken.isdisjoint(lines[number].words):
            drafts.append(_turned(page, heads, lines[number]))
    return sorted(drafts, key=lambda draft: draft.box[1])


def _heads_of_values(lines: Sequence[TextLine], number: int) -> list[list[Piece]]:
    """The words over each value of a line of nothing but numbers, three at least, as in the votes on a proposal:
    "Votes For", "Votes Against", "Abstentions"; nothing where not every value stands under words of its own."""
    row, above = lines[number], lines[number - 1]
    is_row = row.numbers == len(row.pieces) >= _FEWEST_VALUES
    if not is_row or not _stands_right_over(above, row) or len(above.pieces) != len(row.pieces):
        return []
    if not all(map(_is_over, above.pieces, row.pieces)):
        return []
    further = lines[number - 2] if number > 1 else above
    begins = further.pieces if _begins_heads(further, above) else []
    heads: list[list[Piece]] = []
    for head in above.pieces:
        first_line = [piece for piece in begins if _is_over(piece, head)]
        heads.append([*first_line, head])
    return heads


def _stands_right_over(above: TextLine, below: TextLine) -> bool:
    """True for a line of words alone without a gap to the one below."""
    return not above.values and below.gap_below(above) < 1.5 * below.height


def _begins_heads(further: TextLine, above: TextLine) -> bool:
    """True for the first line of heads that go on in the next."""
    is_of_several = 1 < len(further.pieces) <= len(above.pieces)
    return further is not above and is_of_several and _stands_right_over(further, above)


def _is_over(head: Piece, value: Piece) -> bool:
    return head.x0 < value.x1 and value.x0 < head.x1


def _turned(page: PageLayout, heads: Sequence[Sequence[Piece]], row: TextLine) -> Draft:
    """One row of values as a table of two columns, in which each value has its head for a label."""
    cells: list[Cell] = []
    for number, (head, value) in enumerate(zip(heads, row.pieces, strict=True)):
        cells.append(Cell.of_pieces(head, (number, number), (0, 0), head[0].x0))
        cells.append(Cell.of_pieces([value], (number, number), (1, 1), value.x0))
    pieces = [*chain.from_iterable(heads), *row.pieces]
    box = (
        min(piece.x0 for piece in pieces), min(piece.y0 for piece in pieces),
        max(piece.x1 for piece in pieces), max(piece.y1 for piece in pieces),
    )  # fmt: skip
    height = len(row.pieces)
    return Draft(page.number, box, cells, height=height, width=2, tops=(box[1],) * height)


def _draft(page: PageLayout, lines: Sequence[TextLine], block: Block, free: int) -> Draft | None:
    """The table whose rows are the lines of the block; None where they are no table.

    Lines before ``free`` belong to another table.
    """
    body = list(filter(_is_row, lines[block.first : block.last + 1]))
    columns = body_columns(body)
    if not columns:
        return None
    above = lines[free : block.first][-1:]
    if not _is_table(body, columns) and not _is_lone_row(above, body):
        return None
    zone = HeadsZone.of(body, columns, page)
    top = first_head(page, lines, block.first, free, zone)
    start = first_row(lines, top, block.first, columns)
    heads = list(filterfalse(_is_unit, lines[top:start]))
    units = filter(_is_unit, lines[top:start])
    draft = lay_out(page, heads, lines[start : block.last + 1], columns)
    draft.set_unit(pieces_of(units))
    if _has_prose_as_head(draft):
        return None
    return draft


def _is_row(line: TextLine) -> bool:
    return bool(line.values) and not line.is_one_piece


def _is_unit(line: TextLine) -> bool:
    """True for "(in thousands)" centred over the columns: it heads none of them."""
    return line.is_one_piece and is_unit_line(line.text)


def _is_table(body: Sequence[TextLine], columns: Sequence[Interval]) -> bool:
    """True for enough rows and values to be no chance, that are not a list of contents."""
    least_rows = 3 if len(columns) == 2 else 2
    if len(body) < least_rows:
        return False
    least_numbers = max(3, len(body) / 2)
    if sum(line.numbers for line in body) < least_numbers:
        return False
    if len(columns) > _MOST_CONTENTS_COLUMNS:
        return True
    return not _is_contents(body)


def _is_contents(body: Sequence[TextLine]) -> bool:
    """True for lines that end in page numbers: whole, small and rising from line to line."""
    most_numbers = max(line.numbers for line in body)
    ends = [line.pieces[-1].text for line in body]
    pages = list(map(int, filter(_PAGE_NUMBER.fullmatch, ends)))
    if most_numbers > 2 or len(pages) < max(3, 0.8 * len(body)):
        return False
    rising = sum(page <= following for page, following in pairwise(pages))
    return rising >= 0.9 * (len(pages) - 1)


def _is_lone_row(above: Sequence[TextLine], body: Sequence[TextLine]) -> bool:
    """True for one row right under a line of as many years."""
    if len(body) != 1 or not above:
        return False
    heads, row = above[0], body[0]
    if row.gap_below(heads) >= 1.5 * row.height:
        return False
    return is_head_line(heads) and len(heads.values) == len(row.values) > 1


def _has_prose_as_head(draft: Draft) -> bool:
    heads = [cell.text for cell in draft.cells if cell.row < draft.header_rows]
    longest = max(map(len, heads), default=0)
    return longest > _LONGEST_HEAD
