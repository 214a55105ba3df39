"""Markdown: kept as it is; headings, tables and lists become segments."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..reading.cleaning import is_protected
from ..reading.segments import SegmentBuilder
from ..table import Table
from .content import Content

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(?P<title>.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)\s*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"^\s{0,12}([-*+•]|\d{1,3}[.)])\s+")
_RULE_ROW = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
_CELL_BREAK = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class _Row:
    start: int
    end: int
    text: str


def is_markdown(text: str) -> bool:
    """True where the text has headings with # or a pipe table.

    >>> is_markdown("# Title\\n\\nSome text."), is_markdown("Revenue | 3")
    (True, False)
    """
    lines = text.splitlines()
    headings = sum(bool(_HEADING.match(line)) for line in lines)
    tables = any(_is_table_head(a, b) for a, b in itertools.pairwise(lines))
    return (
        tables or headings >= 2 or (headings == 1 and bool(_HEADING.match(next((x for x in lines if x.strip()), ""))))
    )


def read_markdown(text: str) -> Content:
    """Segments over the text as it is; a table's segment is its Markdown, title and unit line come from above it."""
    rows = [_Row(m.start(), m.end(), m.group().rstrip("\r\n")) for m in _LINE.finditer(text) if m.group()]
    reader = _Reader(text, rows)
    at = 0
    while at < len(rows):
        at = reader.step(at)
    return Content(text, tuple(reader.builder.segments), tables=tuple(reader.tables))


class _Reader:
    """Reads one construct at a time; ``step`` returns the row after it."""

    def __init__(self, text: str, rows: Sequence[_Row]) -> None:
        self.rows = rows
        self.builder = SegmentBuilder(text)
        self.tables: list[Table] = []
        self._text = text
        self._above = ""

    def step(self, at: int) -> int:
        row = self.rows[at]
        if not row.text.strip():
            return at + 1
        if heading := _HEADING.match(row.text):
            title_start = row.start + heading.start("title")
            return self._heading(title_start, title_start + len(heading["title"]), len(heading[1]), at + 1)
        follower = self.rows[at + 1].text if at + 1 < len(self.rows) else ""
        if _is_table_head(row.text, follower):
            return self._table(at)
        if _UNDERLINE.match(follower) and not _ITEM.match(row.text) and len(row.text) < 120:
            return self._heading(row.start, row.start + len(row.text), 1 if "=" in follower else 2, at + 2)
        return self._block(at)

    def _heading(self, start: int, end: int, level: int, after: int) -> int:
        self.builder.add("heading", start, end, level=level)
        return after

    def _block(self, at: int) -> int:
        """A paragraph, list or fenced block up to a blank line or the next construct."""
        end = at + 1
        fence = _FENCE.match(self.rows[at].text)
        while end < len(self.rows):
            text = self.rows[end].text
            if fence:
                end += 1
                if text.strip().startswith(fence[1]):
                    break
                continue
            follower = self.rows[end + 1].text if end + 1 < len(self.rows) else ""
            if not text.strip() or _HEADING.match(text) or _is_table_head(text, follower):
                break
            end += 1
        kind = "list" if _ITEM.match(self.rows[at].text) else "paragraph"
        self.builder.add(kind, self.rows[at].start, self.rows[end - 1].end)  # type: ignore[arg-type]
        self._above = self._text[self.rows[at].start : self.rows[end - 1].end].strip()
        return end

    def _table(self, at: int) -> int:
        end = at + 2
        while end < len(self.rows) and "|" in self.rows[end].text:
            end += 1
        cells = [_cells(row.text) for index, row in enumerate(self.rows[at:end]) if index != 1]
        width = max(map(len, cells))
        filled = tuple(tuple(row + [""] * (width - len(row))) for row in cells)
        start = self.rows[at].start
        stop = start + len(self._text[start : self.rows[end - 1].end].rstrip())
        title, unit = self._caption()
        number = len(self.tables)
        self.tables.append(Table(filled, 1, title, unit, start=start, end=stop, headings=self.builder.titles))
        self.builder.add("table", start, stop, table=number)
        return end

    def _caption(self) -> tuple[str, str]:
        """Title and unit line, from the short paragraph just above the table, else the heading."""
        last = self.builder.segments[-1] if self.builder.segments else None
        heading = self.builder.titles[-1] if self.builder.titles else ""
        if last is None or last.kind != "paragraph" or len(self._above) > 200:
            return heading, ""
        lines = [line.strip(" *_") for line in self._above.splitlines() if line.strip()]
        unit = next((line for line in lines if is_protected(line)), "")
        return next((line for line in lines if line != unit), heading), unit


def _is_table_head(row: str, follower: str) -> bool:
    return "|" in row and "|" in follower and bool(_RULE_ROW.match(follower))


def _cells(row: str) -> list[str]:
    parts = _CELL_BREAK.split(row.strip().removeprefix("|").removesuffix("|"))
    return [part.replace("\\|", "|").strip() for part in parts]
