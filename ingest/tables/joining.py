"""Tables that go on over pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...core.anchor import Anchor, Box
from ..pdf.backend import PageLayout, Word
from .draft import Draft

_EDGE = 14.0
"""Points by which a column may stand elsewhere on the next page."""
_CONTINUED = re.compile(r"\bcont(?:inue|['’.])?d?\b|续", re.IGNORECASE)
_MARGIN = 0.16
"""Share of the page's height, from its end, in which a table that goes on has its border."""


def goes_on(
    before: Draft, after: Draft, page: PageLayout, next_page: PageLayout, first_line: float, last_line: float
) -> bool:
    """True where ``after``, first on its page, continues ``before``, last on the page before.

    Nothing but furniture stands between them, the columns agree, and ``after`` has no title or other heads of its own.
    ``first_line`` and ``last_line`` are the heights of the first and last line of text that belongs to no table.
    """
    if next_page.number != page.number + 1 or after.width != before.width:
        return False
    if last_line > before.box[3] and last_line < page.height * (1 - _MARGIN / 2):
        return False
    if before.box[3] < page.height * 0.55 or after.box[1] > next_page.height * 0.35:
        return False
    if first_line < after.box[1] and first_line > next_page.height * _MARGIN:
        return False
    return _heads_agree(before, after) and _edges_agree(before, after)


def continues_title(before: str, title: str) -> bool:
    """True where the title over the next page is that of the page before: "Cash flows (continued)", 续表.

    >>> continues_title("CASH FLOWS", "CASH FLOWS (Continued)"), continues_title("CASH FLOWS", "BALANCE SHEETS")
    (True, False)
    """
    if _CONTINUED.search(title):
        return True
    one, other = " ".join(before.lower().split()), " ".join(title.lower().split())
    return one.endswith(other) or (bool(one) and other.endswith(one))


def _heads_agree(before: Draft, after: Draft) -> bool:
    if not after.header_rows:
        return True
    return after.rows()[: after.header_rows] == before.rows()[: before.header_rows]


def _edges_agree(before: Draft, after: Draft) -> bool:
    pairs = list(zip(before.edges[1:], after.edges[1:], strict=True))
    return all(abs(a[1] - b[1]) <= _EDGE or abs(a[0] - b[0]) <= _EDGE for a, b in pairs)


def join(parts: Sequence[Draft]) -> tuple[list[list[str]], list[tuple[int, int, int, int]]]:
    """Rows and spans of the parts one after the other; repeated heads are left out."""
    rows = parts[0].rows()
    spans = [(c.row, c.column, c.last_row, c.last_column) for c in parts[0].cells if c.is_span]
    for part in parts[1:]:
        shift = len(rows) - part.header_rows
        rows += part.rows()[part.header_rows :]
        spans += [
            (c.row + shift, c.column, c.last_row + shift, c.last_column)
            for c in part.cells
            if c.is_span and c.row >= part.header_rows
        ]
    return rows, spans


def cell_places(parts: Sequence[Draft], words: Mapping[int, Sequence[Word]]) -> dict[tuple[int, int], Anchor]:
    """Page and box of each cell of the joined rows; ``words`` are those of each page."""
    places: dict[tuple[int, int], Anchor] = {}
    height = 0
    for part in parts:
        heads = part.header_rows if height else 0
        for cell in part.cells:
            if cell.words and cell.row >= heads:
                box = _around([words[part.page][word].box for word in cell.words])
                place = (height + cell.row - heads, cell.column)
                before = places.get(place)
                places[place] = Anchor(part.page, (_around([box, *before.boxes]) if before else box,))
        height += part.height - heads
    return places


def _around(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (round(min(x0), 2), round(min(y0), 2), round(max(x1), 2), round(max(y1), 2))
