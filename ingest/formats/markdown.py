"""Markdown: kept as it is; headings, tables and lists become segments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, starmap

from ...core.records import dataclass
from ...core.sequences import last
from ..document import SegmentKind, Table
from ..reading.assemble import SegmentBuilder
from ..reading.line_rules import is_protected
from .registry import Content, FileContent, Reader

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)\s*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"^\s{0,12}([-*+•]|\d{1,3}[.)])\s+")
_RULE_ROW = re.compile(r"^\s*(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*(?:\|\s*)?$")
_CELL_BREAK = re.compile(r"(?<!\\)\|")
_LONGEST_UNDERLINED = 120
"""Characters; a longer line above a line of dashes is a paragraph, not a heading."""
_LONGEST_CAPTION = 200


@dataclass(frozen=True, slots=True)
class _SourceLine:
    """A line of the file: ``text[start:end]`` with its line end, ``text`` without."""

    start: int
    end: int
    text: str


def is_markdown(text: str) -> bool:
    """True where the text has headings with # or a pipe table.

    One heading is enough where the text begins with it.

    >>> is_markdown("# Title\\n\\nSome text."), is_markdown("Revenue | 3")
    (True, False)
    """
    lines = text.splitlines()
    if any(starmap(_is_table_head, pairwise(lines))):
        return True
    headings = list(filter(_HEADING.match, lines))
    first = next(filter(str.strip, lines), "")
    return len(headings) >= 2 or headings == [first]


def read_markdown(text: str) -> Content:
    """Segments over the text as it is; a table's segment is its Markdown, title and unit line come from above it."""
    reader = _Reader(text, _source_lines(text))
    reader.read()
    return Content(text, tuple(reader.builder.segments), tables=tuple(reader.tables))


def _source_lines(text: str) -> list[_SourceLine]:
    lines: list[_SourceLine] = []
    for match in _LINE.finditer(text):
        line = match.group()
        if line:
            lines.append(_SourceLine(match.start(), match.end(), line.rstrip("\r\n")))
    return lines


class _Reader:
    """Reads one construct (heading, table, block) at a time; each method returns the line after it."""

    def __init__(self, text: str, lines: Sequence[_SourceLine]) -> None:
        self.builder = SegmentBuilder(text)
        self.tables: list[Table] = []
        self._text = text
        self._lines = lines
        self._written = [line.text for line in lines] + [""]
        """The lines' texts and an empty one, so that every line has a follower."""
        self._above = ""
        """The last paragraph: it may be the caption of the table that follows."""

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            at = self._construct(at)

    def _construct(self, at: int) -> int:
        line = self._written[at]
        if not line.strip():
            return at + 1
        if _HEADING.match(line):
            return self._heading(at)
        if self._is_table(at):
            return self._table(at)
        if self._is_underlined(at):
            return self._underlined_heading(at)
        return self._block(at)

    def _heading(self, at: int) -> int:
        line = self._written[at]
        marks = _HEADING.match(line)
        assert marks
        title = line[marks.end() :].rstrip().rstrip("#").rstrip()
        start = self._lines[at].start + marks.end()
        self.builder.add("heading", start, start + len(title), level=len(marks[1]))
        return at + 1

    def _is_underlined(self, at: int) -> bool:
        line, follower = self._written[at], self._written[at + 1]
        if not _UNDERLINE.match(follower) or _ITEM.match(line):
            return False
        return len(line) < _LONGEST_UNDERLINED

    def _underlined_heading(self, at: int) -> int:
        line, underline = self._lines[at], self._written[at + 1]
        level = 1 if "=" in underline else 2
        self.builder.add("heading", line.start, line.start + len(line.text), level=level)
        return at + 2

    def _block(self, at: int) -> int:
        """A paragraph, list or fenced block."""
        first = self._written[at]
        fence = _FENCE.match(first)
        after = self._after_fence(at, fence[1]) if fence else self._after_paragraph(at)
        start, end = self._lines[at].start, self._lines[after - 1].end
        kind: SegmentKind = "list" if _ITEM.match(first) else "paragraph"
        self.builder.add(kind, start, end)
        self._above = self._text[start:end].strip()
        return after

    def _after_fence(self, at: int, fence: str) -> int:
        """The line after the one that closes the fence, else after the last."""
        for line in range(at + 1, len(self._lines)):
            if self._written[line].strip().startswith(fence):
                return line + 1
        return len(self._lines)

    def _after_paragraph(self, at: int) -> int:
        """The next blank line, heading or table, else the line after the last."""
        for line in range(at + 1, len(self._lines)):
            if self._ends_paragraph(line):
                return line
        return len(self._lines)

    def _ends_paragraph(self, at: int) -> bool:
        line = self._written[at]
        if not line.strip() or _HEADING.match(line):
            return True
        return self._is_table(at)

    def _is_table(self, at: int) -> bool:
        return _is_table_head(self._written[at], self._written[at + 1])

    def _table(self, at: int) -> int:
        after = at + 2
        while "|" in self._written[after]:
            after += 1
        rows = [self._written[at], *self._written[at + 2 : after]]
        start = self._lines[at].start
        markdown = self._text[start : self._lines[after - 1].end].rstrip()
        end = start + len(markdown)
        title, unit = self._caption()
        self.builder.add("table", start, end, table=len(self.tables))
        self.tables.append(Table(_grid(rows), 1, title, unit, start=start, end=end, headings=self.builder.titles))
        return after

    def _caption(self) -> tuple[str, str]:
        """Title and unit line, from the short paragraph just above the table, else the heading."""
        headings, segments = self.builder.titles, self.builder.segments
        heading = last(headings, "")
        after_paragraph = bool(segments) and segments[-1].kind == "paragraph"
        if not after_paragraph or len(self._above) > _LONGEST_CAPTION:
            return heading, ""
        lines = [line.strip(" *_") for line in filter(str.strip, self._above.splitlines())]
        unit = next(filter(is_protected, lines), "")
        title = next((line for line in lines if line != unit), heading)
        return title, unit


def _is_table_head(line: str, follower: str) -> bool:
    """True for the column heads of a pipe table: below them stands a row of dashes."""
    if "|" not in line or "|" not in follower:
        return False
    return bool(_RULE_ROW.match(follower))


def _grid(rows: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The cells of the rows; short rows are filled up with empty cells."""
    cells = list(map(_cells, rows))
    width = max(map(len, cells))
    return tuple((*row, *[""] * (width - len(row))) for row in cells)


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [cell.replace("\\|", "|").strip() for cell in _CELL_BREAK.split(inner)]


_SUFFIXES = (".md", ".markdown")


def _recognises(file: FileContent) -> bool:
    return file.suffix in _SUFFIXES or is_markdown(file.text)


MARKDOWN = Reader("Markdown", _SUFFIXES, _recognises, lambda file: read_markdown(file.text), rank=60)
