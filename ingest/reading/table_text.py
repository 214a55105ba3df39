"""A found table as it stands in the text: unit line and Markdown, each row with its place on the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ...core.anchor import Box, bounding_box
from ..document import Table
from ..pdf.backend import PageLayout, Word
from ..tables.found import FoundTable, Region
from ..tables.markdown import to_markdown
from .block import Block, Piece

PageBox = tuple[int, Box]
"""A page (from 1) and a box on it."""


def table_block(found: FoundTable, layouts: Mapping[int, PageLayout]) -> Block:
    """The block of a table, with the layouts of its pages by number.

    What its region prints and neither a cell nor the unit line holds comes before the rows.
    """
    table = found.table
    region = found.regions[0]
    above, rows = markdown_lines(table)
    pieces = list(_unread_lines(found, layouts))
    pieces += [Piece(text, region.page, region.box) for text in above]
    for text, (page, box) in zip(rows, _markdown_places(table, region), strict=True):
        pieces.append(Piece(text, page, box))
    return Block("table", tuple(pieces), table=table)


def markdown_lines(table: Table) -> tuple[list[str], list[str]]:
    """The lines above the rows (a unit line), and the heads, the rule and the rows.

    >>> markdown_lines(Table((("", "2023"), ("Net sales", "1,200"))))
    ([], ['|  | 2023 |', '| --- | --- |', '| Net sales | 1,200 |'])
    """
    lines = list(filter(None, to_markdown(table).split("\n")))
    heads_and_rule = 2
    rows_below = len(table.rows) - table.header_rows
    first = max(0, len(lines) - heads_and_rule - rows_below)
    return lines[:first], lines[first:]


def _markdown_places(table: Table, region: Region) -> list[PageBox]:
    """Where each line of the Markdown is printed: all heads together for the first line and for the rule."""
    places = _row_places(table, (region.page, region.box))
    heads = _together(places[: max(1, table.header_rows)])
    return [heads, heads, *places[table.header_rows :]]


def _row_places(table: Table, first: PageBox) -> list[PageBox]:
    """Page and box of each row; a row without words has that of the row before, ``first`` at the top."""
    cells: defaultdict[int, list[PageBox]] = defaultdict(list)
    for (row, _), anchor in table.places.items():
        cells[row].append((anchor.page, anchor.boxes[0]))
    places: list[PageBox] = []
    place = first
    for row in range(len(table.rows)):
        if row in cells:
            place = _together(cells[row])
        places.append(place)
    return places


def _together(places: Sequence[PageBox]) -> PageBox:
    """One place for several, on the page of the first."""
    page = places[0][0]
    return page, bounding_box(box for number, box in places if number == page)


def _unread_lines(found: FoundTable, layouts: Mapping[int, PageLayout]) -> Iterator[Piece]:
    """Printed lines with a word that no cell and no unit line says: heads that differ on a later page."""
    known = _printed_in(found.table)
    for region in found.regions:
        printed = layouts[region.page].words
        words = [printed[index] for index in region.words]
        heights = [_base_line(word) for word in words if word.text not in known]
        for height in dict.fromkeys(heights):
            texts, boxes, *_ = zip(*_words_at(words, height), strict=True)
            yield Piece(" ".join(texts), region.page, bounding_box(boxes))


def _printed_in(table: Table) -> str:
    """The unit line and all cells without their blanks, for looking up single words."""
    texts = [table.unit]
    for row in table.rows:
        texts += row
    return "\0".join("".join(text.split()) for text in texts)


def _base_line(word: Word) -> int:
    """Where it stands, in whole points."""
    return round(word.box[3])


def _words_at(words: Sequence[Word], height: int) -> list[Word]:
    """The words that stand on the base line at ``height``, from the left."""
    level = [word for word in words if abs(word.box[3] - height) <= 1]
    return sorted(level, key=lambda word: word.box[0])
