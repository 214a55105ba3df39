"""A found table as it stands in the text: unit line and Markdown, each row with its place on the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...core.anchor import Box
from ..pdf.backend import PageLayout, Word
from ..table import Table
from ..tables.found import FoundTable
from ..tables.markdown import to_markdown
from .block import Block, Piece

Place = tuple[int, Box]


def table_block(found: FoundTable, layouts: Mapping[int, PageLayout]) -> Block:
    """The block of a table. What its region prints and neither a cell nor the unit line holds comes before the rows."""
    table, first = found.table, found.regions[0]
    rows = _row_places(table, (first.page, first.box))
    above, lines = markdown_lines(table)
    pieces = [
        Piece(" ".join(word.text for word in line), page, _around(line)) for page, line in _unread(found, layouts)
    ]
    pieces += [Piece(text, first.page, first.box) for text in above]
    heads = _together(rows[: max(1, table.header_rows)])
    below = rows[table.header_rows :]
    pieces += [Piece(text, *place) for text, place in zip(lines, [heads, heads, *below], strict=True)]
    return Block("table", tuple(pieces), table=table)


def markdown_lines(table: Table) -> tuple[list[str], list[str]]:
    """The lines above the rows (a unit line), and the heads, the rule and the rows.

    >>> markdown_lines(Table((("", "2023"), ("Net sales", "1,200"))))
    ([], ['|  | 2023 |', '| --- | --- |', '| Net sales | 1,200 |'])
    """
    lines = [line for line in to_markdown(table).split("\n") if line]
    first = max(0, len(lines) - 2 - len(table.rows) + table.header_rows)
    return lines[:first], lines[first:]


def _row_places(table: Table, first: Place) -> list[Place]:
    """Page and box of each row; a row without words has that of the row before."""
    cells: dict[int, list[Place]] = {}
    for (row, _), anchor in table.places.items():
        cells.setdefault(row, []).append((anchor.page, anchor.boxes[0]))
    places: list[Place] = []
    for row in range(len(table.rows)):
        before = places[-1] if places else first
        places.append(_together(cells[row]) if row in cells else before)
    return places


def _together(places: Sequence[Place]) -> Place:
    """The place of rows or cells on the page of the first."""
    page = places[0][0]
    return page, _around_boxes(box for number, box in places if number == page)


def _unread(found: FoundTable, layouts: Mapping[int, PageLayout]) -> list[tuple[int, list[Word]]]:
    """Lines of the regions with a word that no cell and no unit line says: heads that differ on a later page."""
    table = found.table
    texts = [table.unit, *(cell for row in table.rows for cell in row)]
    known = "\0".join("".join(text.split()) for text in texts)
    lines: list[tuple[int, list[Word]]] = []
    for region in found.regions:
        words = [layouts[region.page].words[i] for i in region.words]
        new = [word for word in words if word.text not in known]
        for height in dict.fromkeys(round(word.box[3]) for word in new):
            level = [word for word in words if abs(word.box[3] - height) <= 1]
            lines.append((region.page, sorted(level, key=lambda word: word.box[0])))
    return lines


def _around(words: Iterable[Word]) -> Box:
    return _around_boxes(word.box for word in words)


def _around_boxes(boxes: Iterable[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))
