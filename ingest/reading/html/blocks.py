"""Lines of an HTML page -> headings, paragraphs, lists and tables, in order."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...table import Table
from ...tables.values import shared_unit
from ..block import Block, Piece
from ..cleaning import boilerplate_rule, is_protected
from ..headings.announced import titles_of_contents
from ..headings.finder import HeadingFinder
from ..layout.paragraphs import is_list_item
from ..table_text import markdown_lines
from .grid import Grid, plain_rows
from .lines import HtmlLine

_CONTENTS_LINKS = 5
"""A table with so many links, on half of its rows at least, is one of contents."""
_COVER_LINES = 150
_LONGEST_HEADING = 250
_LINES_ABOVE_TABLE = 3
_LONGEST_TITLE = 200
"""Characters of a table's title that stands on one of the lines above it."""


class HtmlBlocks:
    """The blocks of the lines of a page, in order. Lines of contents and boilerplate are counted in ``dropped``."""

    def __init__(self, lines: Sequence[HtmlLine], dropped: Counter[str]) -> None:
        self._lines = lines
        self._dropped = dropped
        self._finder = _heading_finder(lines)

    def __iter__(self) -> Iterator[Block]:
        """Consecutive list items make one block."""
        positions = range(len(self._lines))
        for is_item, group in itertools.groupby(positions, key=self._is_item):
            if is_item:
                yield _list_block(self._lines[at] for at in group)
            else:
                yield from map(self._block, group)

    def _is_item(self, at: int) -> bool:
        line = self._lines[at]
        return line.item or is_list_item(line.text)

    def _block(self, at: int) -> Block:
        line = self._lines[at]
        if line.grid is None:
            block = self._text_block(line, on_cover=at < _COVER_LINES)
            return replace(block, tags=line.tags)
        if _is_contents(line.grid):
            return self._contents(line, line.grid)
        above = self._lines[max(0, at - _LINES_ABOVE_TABLE) : at]
        return _table_block(line, line.grid, above)

    def _text_block(self, line: HtmlLine, on_cover: bool) -> Block:
        if line.caption:
            return Block("paragraph", (Piece(line.text, line.page),))
        level = line.level or self._finder.level(line.printed)
        if level and len(line.text) < _LONGEST_HEADING:
            return Block("heading", _pieces(line, joint=" "), level)
        rule = boilerplate_rule(line.text, on_cover=on_cover)
        if not rule:
            return Block("paragraph", _pieces(line))
        self._dropped[rule] += 1
        return Block("disclaimer", _pieces(line))

    def _contents(self, line: HtmlLine, grid: Grid) -> Block:
        pieces = tuple(Piece(row, line.page) for row in plain_rows(grid))
        self._dropped["contents page"] += len(pieces)
        return Block("contents", pieces)


def _heading_finder(lines: Sequence[HtmlLine]) -> HeadingFinder:
    """A finder that knows the type of the text, and the titles of tables of contents."""
    text: list[HtmlLine] = []
    contents: list[str] = []
    for line in lines:
        if line.grid is None:
            text.append(line)
        elif _is_contents(line.grid):
            contents += plain_rows(line.grid)
    return HeadingFinder.of([line.printed for line in text], titles_of_contents(contents))


def _is_contents(grid: Grid) -> bool:
    return grid.links >= max(_CONTENTS_LINKS, 0.5 * len(grid.rows))


def _list_block(items: Iterable[HtmlLine]) -> Block:
    pieces: list[Piece] = []
    tags: list[Any] = []
    for item in items:
        pieces += _pieces(item)
        tags += item.tags
    return Block("list", tuple(pieces), tags=tuple(tags))


def _pieces(line: HtmlLine, joint: str = "\n") -> tuple[Piece, ...]:
    return tuple(Piece(text, line.page, None, joint) for text in line.text.split("\n"))


def _table_block(line: HtmlLine, grid: Grid, above: Sequence[HtmlLine]) -> Block:
    """The table with its title and unit, from its caption or from the lines ``above`` it."""
    if above and above[-1].caption:
        title = above[-1].text
        unit = shared_unit(title)
    else:
        title, unit = _title_and_unit(above)
    table = Table(
        rows=grid.rows,
        header_rows=grid.header_rows,
        title=title,
        unit=unit,
        spans=grid.spans,
    )
    unit_line, rows = markdown_lines(table)
    pieces = tuple(Piece(text, line.page) for text in (*unit_line, *rows))
    return Block("table", pieces, table=table, tags=line.tags)


def _title_and_unit(above: Sequence[HtmlLine]) -> tuple[str, str]:
    """The nearest short line above a table that is no unit line, and the nearest unit line or column head.

    Lines without a text are other tables.
    """
    short = [line.text for line in reversed(above) if 0 < len(line.text) < _LONGEST_TITLE]
    unit = next(filter(is_protected, short), "")
    title = next((text for text in short if text != unit), "")
    return title, unit
