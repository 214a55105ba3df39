"""A found table as it stands in the text: unit line, then Markdown, each row with its place on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.anchor import Box
from ..pdf_backend import PageLayout, Word
from ..table import Table
from ..tables.found import FoundTable, Region
from .block import Block, Piece

_LOOK_AHEAD = 4
"""Printed lines that may stand between two rows without belonging to either (heads that repeat on a new page)."""


@dataclass(frozen=True, slots=True)
class _Printed:
    """A printed line inside a table's region."""

    words: tuple[str, ...]
    page: int
    box: Box


def table_block(found: FoundTable, layouts: Mapping[int, PageLayout]) -> Block:
    """The block of a table. What its region prints and no cell holds (the unit line) comes before the rows."""
    printed = [line for region in found.regions for line in _printed_lines(region, layouts[region.page])]
    places, rest = _place_rows(found.table, printed)
    context = _context(rest, found.table)
    pieces = [Piece(" ".join(line.words), line.page, line.box) for line in context]
    for index, text in enumerate(markdown_rows(found.table)):
        row = index if index == 0 else index - 1
        pieces.append(Piece(text, *(places[row] if row < len(places) else places[-1])))
    return Block("table", tuple(pieces), table=found.table)


def markdown_rows(table: Table) -> list[str]:
    """A pipe table, a line a row; the rule stands below the first row.

    >>> markdown_rows(Table((("", "2023"), ("Net sales", "1,200"))))
    ['|  | 2023 |', '| --- | --- |', '| Net sales | 1,200 |']
    """
    rows = ["| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in table.rows]
    return [*rows[:1], "|" + " --- |" * len(table.rows[0]), *rows[1:]] if rows else []


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


def _printed_lines(region: Region, layout: PageLayout) -> list[_Printed]:
    lines: list[list[Word]] = []
    for word in sorted((layout.words[i] for i in region.words), key=lambda w: (w.box[1] + w.box[3], w.box[0])):
        middle = (word.box[1] + word.box[3]) / 2
        if lines and lines[-1][-1].box[1] <= middle <= lines[-1][-1].box[3]:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_printed_line(sorted(line, key=lambda word: word.box[0]), region.page) for line in lines]


def _printed_line(words: Sequence[Word], page: int) -> _Printed:
    x0, y0, x1, y1 = zip(*(word.box for word in words), strict=True)
    return _Printed(tuple(word.text for word in words), page, (min(x0), min(y0), max(x1), max(y1)))


def _place_rows(table: Table, printed: Sequence[_Printed]) -> tuple[list[tuple[int, Box]], list[_Printed]]:
    """Page and box of each row, and the printed lines that belong to none."""
    places: list[tuple[int, Box]] = []
    rest: list[_Printed] = []
    at = 0
    for row in table.rows:
        wanted = Counter(word for cell in row for word in cell.split())
        start = next((i for i in range(at, min(len(printed), at + _LOOK_AHEAD)) if _belongs(printed[i], wanted)), None)
        if start is None:
            places.append(places[-1] if places else _first_place(printed, at))
            continue
        rest += printed[at:start]
        at = start
        used: list[_Printed] = []
        while at < len(printed) and _belongs(printed[at], wanted) and (not used or used[0].page == printed[at].page):
            wanted.subtract(printed[at].words)
            used.append(printed[at])
            at += 1
        places.append((used[0].page, _around(used)))
    return places, rest + list(printed[at:])


def _belongs(line: _Printed, wanted: Counter[str]) -> bool:
    """True where at least half of the line's words are still wanted by the row."""
    return 2 * sum(wanted[word] > 0 for word in line.words) >= len(line.words)


def _first_place(printed: Sequence[_Printed], at: int) -> tuple[int, Box]:
    line = printed[min(at, len(printed) - 1)]
    return line.page, line.box


def _around(lines: Sequence[_Printed]) -> Box:
    x0, y0, x1, y1 = zip(*(line.box for line in lines), strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def _context(rest: Sequence[_Printed], table: Table) -> list[_Printed]:
    """Of the lines in no row, those that say something the cells do not."""
    known = {word for row in table.rows for cell in row for word in cell.split()}
    return [line for line in rest if any(word not in known for word in line.words)]
