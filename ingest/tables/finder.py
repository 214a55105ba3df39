"""Finds the tables of a PDF from words and ruling lines."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.anchor import Anchor
from ..pdf_backend import PageLayout
from ..table import Table
from .bordered import bordered_tables
from .borderless import borderless_tables
from .draft import Draft
from .found import FoundTable, Region
from .lines import text_lines


def find_tables(pages: Sequence[PageLayout]) -> list[FoundTable]:
    """Tables of consecutive pages in reading order; one that goes on over pages is joined."""
    return [_found(draft) for page in pages for draft in page_tables(page)]


def page_tables(page: PageLayout) -> list[Draft]:
    """Tables of one page, from top to bottom."""
    bordered = bordered_tables(page)
    taken = {word for draft in bordered for word in draft.words()}
    lines = text_lines(page.words, [i for i in range(len(page.words)) if i not in taken])
    drafts = [*bordered, *borderless_tables(page, lines)]
    return sorted(drafts, key=lambda draft: (draft.box[1], draft.box[0]))


def _found(draft: Draft) -> FoundTable:
    spans = tuple((c.row, c.column, c.last_row, c.last_column) for c in draft.cells if c.is_span)
    table = Table(
        tuple(map(tuple, draft.rows())),
        draft.header_rows,
        draft.title,
        draft.unit,
        draft.notes,
        (Anchor(draft.page, (draft.box,)),),
        spans=spans,
    )
    return FoundTable(table, (Region(draft.page, draft.box, tuple(draft.words())),))
