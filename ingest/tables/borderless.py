"""Tables without borders: lines whose values stand in columns, with the heads above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import filterfalse, pairwise

from ..pdf.backend import PageLayout
from .blocks import Block, find_blocks
from .columns import body_columns
from .draft import Draft
from .geometry import Interval
from .heads import is_head_line
from .heads_above import HeadsZone, first_head, first_row
from .layout import lay_out
from .lines import TextLine, pieces_of
from .units import is_unit_line

_LONGEST_HEAD = 200
"""Characters of a head; more is text set in columns."""
_PAGE_NUMBER = re.compile(r"\d{1,3}")
_MOST_CONTENTS_COLUMNS = 3
"""Columns of a list of contents: titles, perhaps their numbers, and pages."""


def borderless_tables(page: PageLayout, lines: Sequence[TextLine]) -> list[Draft]:
    """Tables among the lines of one column of text, from top to bottom."""
    drafts = []
    free = 0
    for block in find_blocks(page, lines):
        draft = _draft(page, lines, block, free)
        if draft is not None:
            drafts.append(draft)
            free = block.last + 1
    return drafts


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
