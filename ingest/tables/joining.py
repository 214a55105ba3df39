"""Tables that go on over pages."""

from __future__ import annotations

from collections.abc import Sequence

from ..pdf.backend import PageLayout
from .draft import Draft

_EDGE = 14.0
"""Points by which a column may stand elsewhere on the next page."""
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
