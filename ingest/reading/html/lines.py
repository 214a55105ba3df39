"""An HTML tree -> lines with their type, tables and page breaks, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .grid import Grid, plain_rows, read_grid
from .inline_xbrl import NUMBER, WORDS, tagged_elements
from .visible import BLANK, blocks, is_hidden, is_set_off, visible_text

_BREAK_BEFORE = re.compile(r"(page-)?break-before\s*:\s*(always|page)", re.IGNORECASE)
_BREAK_AFTER = re.compile(r"(page-)?break-after\s*:\s*(always|page)", re.IGNORECASE)
_SIZE = re.compile(r"font(?:-size)?\s*:[^;]*?([\d.]+)\s*(pt|px|em|rem|%)", re.IGNORECASE)
_WEIGHT = re.compile(r"font-weight\s*:\s*(bold|bolder|[6-9]00)|font\s*:[^;]*\bbold\b", re.IGNORECASE)
_UNBOLD = re.compile(r"font-weight\s*:\s*(normal|[1-5]00)", re.IGNORECASE)
_POINTS = {"pt": 1.0, "px": 0.75, "em": 10.0, "rem": 10.0, "%": 0.1}
_HEADING = re.compile(r"h[1-6]$")


@dataclass(frozen=True, slots=True)
class HtmlLine:
    """A paragraph, heading, list item (``item``) or table, with the type of most of its characters."""

    text: str
    page: int
    size: float = 0.0
    bold: bool = False
    level: int = 0
    """1 to 6 for h1 to h6."""
    item: bool = False
    grid: Grid | None = None
    caption: bool = False
    """True for the title that the table after it carries."""
    tags: tuple[Any, ...] = ()
    """Elements of inline XBRL in it, in order."""


@dataclass(slots=True)
class _Style:
    bold: bool = False
    size: float = 10.0
    level: int = 0
    item: bool = False


@dataclass(slots=True)
class _Open:
    """The line being collected."""

    parts: list[str] = field(default_factory=list)
    bold: int = 0
    chars: int = 0
    size: float = 0.0
    level: int = 0
    item: bool = False
    tags: list[Any] = field(default_factory=list)

    def add(self, text: str, style: _Style) -> None:
        self.parts.append(text)
        count = len(text.strip())
        if count:
            self.chars += count
            self.bold += count * style.bold
            self.size = max(self.size, style.size)
            self.level = self.level or style.level
            self.item = self.item or style.item


class LineWalker:
    """Walks the tree once, without recursion: hostile pages nest deeply."""

    def __init__(self) -> None:
        self.page = 1
        self._line = _Open()
        self._out: list[HtmlLine] = []

    def walk(self, root: Any) -> Iterator[HtmlLine]:
        """Lines of the visible text; what is hidden is passed over."""
        from lxml import etree

        styles = [_Style()]
        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            if event == "start":
                if is_hidden(element) or self._table(element):
                    events.skip_subtree()
                    styles.append(styles[-1])
                    continue
                styles.append(self._start(element, styles[-1]))
            else:
                styles.pop()
                self._end(element, styles[-1])
            if self._out:
                yield from self._out
                self._out.clear()
        self._flush()
        yield from self._out

    def _start(self, element: Any, outer: _Style) -> _Style:
        tag, css = element.tag, element.get("style") or ""
        if tag in blocks():
            self._flush()
        elif css and is_set_off(element):
            self._line.parts.append(" ")
        if css and _BREAK_BEFORE.search(css):
            self._turn_page()
        style = _style(tag, css, outer)
        if tag in (NUMBER, WORDS):
            self._line.tags.append(element)
        if tag == "br":
            self._line.parts.append("\n")
        elif element.text:
            self._line.add(BLANK.sub(" ", element.text) if tag != "pre" else element.text, style)
        return style

    def _end(self, element: Any, outer: _Style) -> None:
        if element.tag in blocks():
            self._flush()
        if _BREAK_AFTER.search(element.get("style") or ""):
            self._turn_page()
        if element.tail:
            self._line.add(BLANK.sub(" ", element.tail), outer)

    def _table(self, element: Any) -> bool:
        """True when the element is a table that was read whole; a table with tables inside only lays out."""
        if element.tag != "table" or element.find(".//table") is not None:
            return False
        self._flush()
        grid = read_grid(element, visible_text)
        caption = element.find("caption")
        if caption is not None and (title := visible_text(caption)):
            self._out.append(HtmlLine(title, self.page, caption=True))
        if grid.is_data:
            self._out.append(HtmlLine("", self.page, grid=grid, tags=tuple(tagged_elements(element))))
        else:
            self._out += [HtmlLine(row, self.page, 10.0) for row in plain_rows(grid) if row]
        if _BREAK_AFTER.search(element.get("style") or ""):
            self._turn_page()
        return True

    def _turn_page(self) -> None:
        self._flush()
        if self._seen:
            self.page += 1
            self._seen = False

    _seen = False

    def _flush(self) -> None:
        line, self._line = self._line, _Open()
        text = "\n".join(part for part in (p.strip() for p in _split_lines("".join(line.parts))) if part)
        if text:
            self._seen = True
            bold, tags = line.bold > 0.9 * line.chars, tuple(line.tags)
            self._out.append(HtmlLine(text, self.page, line.size, bold, line.level, line.item, tags=tags))


def _split_lines(text: str) -> list[str]:
    return [re.sub(r"[ \t\u00a0]+", " ", line) for line in text.split("\n")]


def _style(tag: str, css: str, outer: _Style) -> _Style:
    heading = int(tag[1]) if _HEADING.match(tag) else outer.level
    bold = outer.bold or tag in ("b", "strong", "th") or heading > 0
    size = outer.size
    if css:
        if _WEIGHT.search(css):
            bold = True
        elif _UNBOLD.search(css):
            bold = False
        if found := _SIZE.search(css):
            size = min(100.0, float(found[1].strip(".") or 0) * _POINTS[found[2].lower()])
    return _Style(bold, size, heading, outer.item or tag == "li")
