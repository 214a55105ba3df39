"""Tables that go on over pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...core.anchor import Anchor, bounding_box, rounded_box
from ..pdf.backend import PageLayout, Word
from .found import Cell, Draft
from .geometry import Interval

_EDGE = 14.0
"""Points by which a column may stand elsewhere on the next page."""
_CONTINUED = re.compile(r"\bcont(?:inue|['’.])?d?\b|续", re.IGNORECASE)
_MARGIN = 0.16
"""Share of the page's height, from its end, in which a table that goes on has its border."""
_LOWER_PART, _UPPER_PART = 0.55, 0.35
"""Shares of the page's height: a table that goes on ends below the first, and begins above the second on the next."""

Spans = list[tuple[int, int, int, int]]
"""Cells over several, as (row, column, last row, last column)."""


def goes_on(
    before: Draft, after: Draft, page: PageLayout, next_page: PageLayout, first_line: float, last_line: float
) -> bool:
    """True where ``after``, first on its page, continues ``before``, last on the page before.

    Nothing but furniture stands between them, the columns agree, and ``after`` has no title or other heads of its own.
    ``first_line`` and ``last_line`` are the heights of the first and last line of text that belongs to no table.
    """
    if next_page.number != page.number + 1 or after.width != before.width:
        return False
    end, begin = before.box[3], after.box[1]
    if end < page.height * _LOWER_PART or begin > next_page.height * _UPPER_PART:
        return False
    is_text_below = end < last_line < page.height * (1 - _MARGIN / 2)
    is_text_above = next_page.height * _MARGIN < first_line < begin
    if is_text_below or is_text_above:
        return False
    return _heads_agree(before, after) and all(map(_edges_agree, before.edges[1:], after.edges[1:]))


def continues_title(before: str, title: str) -> bool:
    """True where the title over the next page is that of the page before: "Cash flows (continued)", 续表.

    >>> continues_title("CASH FLOWS", "CASH FLOWS (Continued)"), continues_title("CASH FLOWS", "BALANCE SHEETS")
    (True, False)
    """
    if _CONTINUED.search(title):
        return True
    one = " ".join(before.lower().split())
    other = " ".join(title.lower().split())
    if one.endswith(other):
        return True
    return one != "" and other.endswith(one)


def _heads_agree(before: Draft, after: Draft) -> bool:
    """True where the heads are repeated or left out."""
    own = after.rows()[: after.header_rows]
    return not own or own == before.rows()[: before.header_rows]


def _edges_agree(one: Interval, other: Interval) -> bool:
    """True for columns that begin or end at about the same place."""
    off = min(abs(one.x1 - other.x1), abs(one.x0 - other.x0))
    return off <= _EDGE


def join(parts: Sequence[Draft]) -> tuple[list[list[str]], Spans]:
    """Rows and spans of the parts one after the other; repeated heads are left out."""
    rows: list[list[str]] = []
    spans: Spans = []
    for part, heads in _parts(parts):
        shift = len(rows) - heads
        rows += part.rows()[heads:]
        spans += [_span(cell, shift) for cell in _cells_below(part, heads) if cell.is_span]
    return rows, spans


def _parts(parts: Sequence[Draft]) -> Iterator[tuple[Draft, int]]:
    """Each part with the number of its rows that repeat the heads of the first."""
    first, *others = parts
    yield first, 0
    for part in others:
        yield part, part.header_rows


def _cells_below(part: Draft, heads: int) -> list[Cell]:
    return [cell for cell in part.cells if cell.row >= heads]


def _span(cell: Cell, shift: int) -> tuple[int, int, int, int]:
    return (cell.row + shift, cell.column, cell.last_row + shift, cell.last_column)


def cell_places(parts: Sequence[Draft], words: Mapping[int, Sequence[Word]]) -> dict[tuple[int, int], Anchor]:
    """Page and box of each cell of the joined rows; ``words`` are those of each page, by its number."""
    places: dict[tuple[int, int], Anchor] = {}
    height = 0
    for part, heads in _parts(parts):
        shift = height - heads
        for cell in _cells_below(part, heads):
            place = (cell.row + shift, cell.column)
            boxes = [words[part.page][word].box for word in cell.words]
            if place in places:
                boxes += places[place].boxes
            if cell.words:
                places[place] = Anchor(part.page, (rounded_box(bounding_box(boxes)),))
        height += part.height - heads
    return places
