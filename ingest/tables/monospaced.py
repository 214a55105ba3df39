"""Tables of plain text, whose columns stand apart by blanks or tabs.

In a type of one width such text is a printed page: its words are laid out as on one, and the finder of PDFs reads it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from unicodedata import east_asian_width

from ...core.anchor import Box
from ...core.names import is_chinese
from ...core.records import dataclass
from ...core.sequences import runs
from ..document import Table
from ..pdf.backend import PageLayout, Word
from .finder import find_tables
from .found import FoundTable
from .values import is_unit_line, is_value

_LETTER, _LINE, _TYPE = 5.0, 12.0, 10.0
"""Points: the width of a letter, from line to line, and the height of the type."""
_RULE = 0.5
"""Points: the height of a line of dashes."""
_NARROWEST = 80
"""Letters in a line of the narrowest page."""
_MARGIN = 0.15
"""Share of the page's height above and below what is printed, so that nothing stands where running heads do."""
_BETWEEN_CELLS = re.compile(r"(?<=\S)(?:[ \u00a0]{2,400}|[ \u00a0]{0,400}\t\s{0,400})(?=\S)")
_BLANKS = re.compile(r"\s{1,400}")
_SIGN_AND_BLANKS = re.compile(r"([$€£¥(])\s{1,40}(?=[\d(.])")
_LEADERS = re.compile(r"(?:\.[ \u00a0]?){3,400}")
_LINE_OF_DASHES = re.compile(r"[-=_─━═]{3,400}")
_MARKUP = re.compile(r"(?:<[A-Z]{1,12}>|</[A-Z]{1,12}>)", re.ASCII)
"""What EDGAR's text filings say about their tables: <TABLE>, <CAPTION>, <S>, <C>."""
_ALONE_BEFORE = r"(?<![^\s\u00a0])(?<![^\s\u00a0][ \u00a0])"
_ALONE_AFTER = r"(?![^\s\u00a0])(?![ \u00a0][^\s\u00a0])"
_GROUPS = r"[-–−+(]?\d{1,3}(?:[ \u00a0]\d{3}){1,4}(?:[.,]\d{1,4})?\)?"
_RANGE = r"[$€£¥]?\d[\d.,]{0,20}%?[ \u00a0][-–—][ \u00a0][$€£¥]?\d[\d.,]{0,20}%?"
_WORD = re.compile(rf"(?:{_ALONE_BEFORE}(?:{_GROUPS}|{_RANGE}){_ALONE_AFTER})|[^\s\u00a0]+")
"""A word; where they are a cell of their own, thousands apart by one blank ("1 601") or a range ("540 - 560")."""
_END_OF_TABLE = "</TABLE>"
_PAGE_NUMBER = re.compile(r"\s{0,400}-?\s?\d{1,3}\s?-?\s{0,400}")
_LONGEST_PAGE_NUMBER = 3
_MOST_ABOVE = 12
"""Lines above the first row of values in which heads, title and unit stand."""
_MOST_BETWEEN = 8
"""Lines without a value between two rows of one table."""
_LONGEST_ZONE = 1_000
"""Lines that are laid out as one page."""
_LONGEST_LINE = 1_000
_MOST_CELLS = 40
_FEWEST_CELLS, _FEWEST_ROWS = 3, 2
"""Of a Chinese table whose columns stand equally far apart: cells in a line, and rows below the head."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table that stands in ``lines[first : last + 1]``; of these lines ``kept`` say something that it does not."""

    table: Table
    first: int
    last: int
    kept: tuple[int, ...] = ()


def tables_in_text(lines: Sequence[str]) -> list[TextTable]:
    """The tables of one page of text, in order. Lines of dashes and marks of EDGAR belong to the table they stand in.

    >>> (found,) = tables_in_text(["            2023    2022", "Sales....  1,200   (900)", "Costs         80      75"])
    >>> found.table.rows
    (('', '2023', '2022'), ('Sales', '1,200', '(900)'), ('Costs', '80', '75'))
    """
    found: list[TextTable] = []
    lines, heads = _with_cells_apart(lines)
    for first, last in _zones(lines, heads):
        page = _Page.of(lines, first, last)
        tables = map(page.table, find_tables([page.layout]))
        found += (table for table in tables if not _lists_pages(table.table))
    return found


def _with_cells_apart(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """The lines, with tabs between the cells of Chinese tables whose columns stand equally far apart, and their heads.

    A line of words is a head where the lines below it have as many cells, the last a value each.

    >>> _with_cells_apart(["项目 2023年 2022年", "营业收入 1,200 900", "净利润 80 75", "上述 2023年 为准"])
    (['项目\\t2023年\\t2022年', '营业收入\\t1,200\\t900', '净利润\\t80\\t75', '上述 2023年 为准'], [0])
    """
    cells = [line.split() for line in lines]
    apart, heads = list(lines), []
    for head, row in enumerate(cells):
        is_head = len(row) >= _FEWEST_CELLS and not _is_figure(row[-1]) and is_chinese(lines[head])
        if not is_head or len(set(_BLANKS.findall(lines[head].strip()))) > 1:
            continue  # laid out: the finder sees how the columns stand
        end = head + 1
        while end < len(cells) and len(cells[end]) == len(row) and _is_figure(cells[end][-1]):
            end += 1
        if end - head > _FEWEST_ROWS:
            apart[head:end] = map("\t".join, cells[head:end])
            heads.append(head)
    return apart, heads


def _is_figure(cell: str) -> bool:
    """True for a value, and for a change in points of per cent."""
    return is_value(cell) or cell.endswith("个百分点")


def _lists_pages(table: Table) -> bool:
    """True for titles without heads, each with a number that is never less than the one before: a list of contents."""
    values = [list(filter(is_value, row)) for row in table.rows]
    if table.header_rows or any(len(row) != 1 for row in values):
        return False
    pages = [row[0] for row in values]
    are_pages = all(page.isdecimal() and len(page) <= _LONGEST_PAGE_NUMBER for page in pages)
    return are_pages and pages == sorted(pages, key=int)


def _zones(lines: Sequence[str], heads: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last line of each stretch that may hold a table: rows of values with the lines above them.

    ``heads`` are lines known to be the head of a table.
    """
    rows = [row for number, line in enumerate(lines) if (row := _Row.of(number, line)) is not None]
    ends = [number for number, line in enumerate(lines) if _END_OF_TABLE in line or not line.strip()]
    free = 0
    for zone in runs(rows, lambda zone, row: row.number - 1 not in heads and _goes_on(zone, row, ends)):
        first, last = zone[0].number, zone[-1].number
        if first - 1 in heads:
            free = max(free, first - 1 - is_unit_line(lines[first - 2]))
        if len(zone) > 1:
            yield _first_above(lines, first, free), last
            free = last + 1


def _first_above(lines: Sequence[str], row: int, free: int) -> int:
    """The first line that may belong to a table whose first row is given: below another table or the end of a page."""
    for number in range(row - 1, max(free, row - _MOST_ABOVE) - 1, -1):
        if _END_OF_TABLE in lines[number] or _PAGE_NUMBER.fullmatch(lines[number]):
            return number + 1
    return max(free, row - _MOST_ABOVE)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of cells with a value in the last. ``columns`` tells where its cells end, or how many tabs part them."""

    number: int
    columns: frozenset[int]

    @classmethod
    def of(cls, number: int, line: str) -> _Row | None:
        if len(line) > _LONGEST_LINE or not any(map(str.isdigit, line)):
            return None
        shown = _without_leaders(line).rstrip()
        cells = _BETWEEN_CELLS.split(shown.lstrip())
        is_one_of_cells = 1 < len(cells) <= _MOST_CELLS
        if not is_one_of_cells or not _is_figure(_SIGN_AND_BLANKS.sub(r"\1", cells[-1])):
            return None
        tabs = shown.lstrip().count("\t")
        if tabs:
            return cls(number, frozenset([-tabs]))
        ends = [_width(shown[: gap.start()]) for gap in _BETWEEN_CELLS.finditer(shown)]
        return cls(number, frozenset([*ends[1:], _width(shown)]))


def _goes_on(zone: Sequence[_Row], row: _Row, ends: Sequence[int]) -> bool:
    """True for the next row of a zone: it is near, and behind a blank line its values stand below the others'."""
    before = zone[-1]
    if row.number - before.number > _MOST_BETWEEN or row.number - zone[0].number >= _LONGEST_ZONE:
        return False
    if bisect_left(ends, before.number) == bisect_left(ends, row.number):
        return True
    shared = [end for end in row.columns if not before.columns.isdisjoint((end - 1, end, end + 1))]
    return 2 * len(shared) > len(row.columns)


def _without_leaders(line: str) -> str:
    """The line with as many blanks in place of a row of dots."""
    return _LEADERS.sub(lambda dots: " " * len(dots[0]), line)


@dataclass(frozen=True, slots=True)
class _Page:
    """Lines laid out as a page, and on which line each of its words stands."""

    layout: PageLayout
    line_of: Sequence[int]

    @classmethod
    def of(cls, lines: Sequence[str], first: int, last: int) -> _Page:
        words: list[Word] = []
        rules: list[Box] = []
        line_of: list[int] = []
        shown = [_without_leaders(_MARKUP.sub("", line)) for line in lines[first : last + 1]]
        printed = _without_tabs(shown)
        height = len(printed) * _LINE / (1 - 2 * _MARGIN)
        top = _MARGIN * height
        for number, line in enumerate(printed, first):
            is_mark = bool(_MARKUP.search(lines[number])) and not line.strip()
            dashes = _LINE_OF_DASHES.search(line) is not None
            for word in _words(line):
                x0, x1 = _LETTER * word.start, _LETTER * word.end
                if _LINE_OF_DASHES.fullmatch(word.text):
                    rules.append((x0, top, x1, top + _RULE))
                    continue
                words.append(Word(word.text, (x0, top, x1, top + _TYPE), _TYPE, block=number))
                line_of.append(number)
            top += _RULE if dashes or is_mark else _LINE
        width = _LETTER * max(_NARROWEST, *map(_width, printed))
        return cls(PageLayout(1, width, height, tuple(words), tuple(rules)), line_of)

    def table(self, found: FoundTable) -> TextTable:
        """The table with the lines that it takes up."""
        taken = set(found.regions[0].words)
        numbers = sorted({self.line_of[word] for word in taken})
        first, last = numbers[0], numbers[-1]
        others = {self.line_of[word] for word in range(len(self.line_of)) if word not in taken}
        kept = tuple(number for number in sorted(others) if first <= number <= last)
        return TextTable(found.table, first, last, kept)


@dataclass(frozen=True, slots=True)
class _PrintedWord:
    """A word, and from which to which letter of the line it reaches."""

    text: str
    start: int
    end: int


def _words(line: str) -> Iterator[_PrintedWord]:
    before = start = 0
    for match in _WORD.finditer(line):
        start += _width(line[before : match.start()])
        end = start + _width(match[0])
        yield _PrintedWord(match[0], start, end)
        before, start = match.end(), end


def _width(text: str) -> int:
    """Letters of Latin type that the text is wide: a Chinese character takes two."""
    if text.isascii():
        return len(text)
    return len(text) + sum(east_asian_width(character) in "WF" for character in text)


def _without_tabs(lines: Sequence[str]) -> list[str]:
    """The lines with blanks in place of tabs, so that what stands behind as many of them stands below each other."""
    cells = [line.split("\t") for line in lines]
    if not any(len(row) > 1 for row in cells):
        return list(lines)
    widths = [max(map(_width, column)) + 2 for column in zip_longest(*cells, fillvalue="")]
    return ["".join(map(_padded, row, widths)).rstrip() for row in cells]


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))
