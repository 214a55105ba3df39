"""A found table as it stands in the text: unit line and Markdown, each row with its place on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.anchor import Box
from ..pdf.backend import PageLayout, Word
from ..table import Table
from ..tables.found import FoundTable, Region
from ..tables.markdown import to_markdown
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
    """The block of a table. What its region prints and neither a cell nor the unit line holds comes before the rows."""
    table = found.table
    printed = [line for region in found.regions for line in _printed_lines(region, layouts[region.page])]
    places, rest = _place_rows(table, printed)
    above, rows = markdown_lines(table)
    pieces = [Piece(" ".join(line.words), line.page, line.box) for line in _context(rest, table)]
    pieces += [Piece(text, *_first_place(printed, 0)) for text in above]
    heads = _together(places[: max(1, table.header_rows)])
    below = places[table.header_rows :]
    pieces += [Piece(text, *place) for text, place in zip(rows, [heads, heads, *below], strict=True)]
    return Block("table", tuple(pieces), table=table)


def markdown_lines(table: Table) -> tuple[list[str], list[str]]:
    """The lines above the rows (a unit line), and the heads, the rule and the rows.

    >>> markdown_lines(Table((("", "2023"), ("Net sales", "1,200"))))
    ([], ['|  | 2023 |', '| --- | --- |', '| Net sales | 1,200 |'])
    """
    lines = [line for line in to_markdown(table).split("\n") if line]
    first = max(0, len(lines) - 2 - len(table.rows) + table.header_rows)
    return lines[:first], lines[first:]


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
    rows = [_Wanted.of(row) for row in table.rows]
    places: list[tuple[int, Box]] = []
    rest: list[_Printed] = []
    at = 0
    for row, following in zip(rows, [*rows[1:], _Wanted.of(())], strict=True):
        start = next((i for i in range(at, min(len(printed), at + _LOOK_AHEAD)) if row.share(printed[i]) >= 0.5), None)
        if start is None:
            places.append(places[-1] if places else _first_place(printed, at))
            continue
        rest += printed[at:start]
        used = [printed[start]]
        row.take(used[0])
        at = start + 1
        while at < len(printed) and printed[at].page == used[0].page:
            share = row.share(printed[at])
            if share < 0.5 or following.share(printed[at]) > share:
                break
            row.take(printed[at])
            used.append(printed[at])
            at += 1
        places.append((used[0].page, _around(used)))
    return places, rest + list(printed[at:])


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The words of a row that no printed line has given yet; ``text`` without blanks, for Chinese breaks anywhere."""

    words: Counter[str]
    text: str

    @classmethod
    def of(cls, row: Sequence[str]) -> _Wanted:
        return cls(Counter(word for cell in row for word in cell.split()), "\0".join("".join(c.split()) for c in row))

    def share(self, line: _Printed) -> float:
        """Share of the line's characters that are words, or in Chinese parts of words, of this row."""
        found = sum(len(word) for word in line.words if self.words[word] > 0 or (_is_wide(word) and word in self.text))
        return found / sum(map(len, line.words))

    def take(self, line: _Printed) -> None:
        """The line's words are given now."""
        self.words.subtract(line.words)


def _is_wide(word: str) -> bool:
    return not word.isascii() and len(word) > 1


def _first_place(printed: Sequence[_Printed], at: int) -> tuple[int, Box]:
    line = printed[min(at, len(printed) - 1)]
    return line.page, line.box


def _together(places: Sequence[tuple[int, Box]]) -> tuple[int, Box]:
    """The place of rows on one page."""
    page = places[0][0]
    x0, y0, x1, y1 = zip(*(box for number, box in places if number == page), strict=True)
    return page, (min(x0), min(y0), max(x1), max(y1))


def _around(lines: Sequence[_Printed]) -> Box:
    x0, y0, x1, y1 = zip(*(line.box for line in lines), strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def _context(rest: Sequence[_Printed], table: Table) -> list[_Printed]:
    """Of the lines in no row, those that say something that neither cells nor unit line do."""
    texts = [table.unit, *(cell for row in table.rows for cell in row)]
    known = "\0".join("".join(text.split()) for text in texts)
    return [line for line in rest if any(word not in known for word in line.words)]
