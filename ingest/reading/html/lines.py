"""An HTML tree -> lines with their type, tables and page breaks, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import groupby
from typing import Any

from ....core.records import dataclass
from ...tables.monospaced import tables_in_text
from ..block import PrintedLine
from .grid import Grid, plain_rows, read_grid
from .inline_xbrl import NUMBER, WORDS, tagged_elements
from .visible import BLANK, is_block, is_hidden, is_set_off, typed_text, visible_text

_BREAK_BEFORE = re.compile(r"(page-)?break-before\s*:\s*(always|page)", re.IGNORECASE)
_BREAK_AFTER = re.compile(r"(page-)?break-after\s*:\s*(always|page)", re.IGNORECASE)
_SIZE = re.compile(r"font(?:-size)?\s*:[^;]{0,200}?([\d.]{1,20})\s*(pt|px|em|rem|%)", re.IGNORECASE)
_WEIGHT = re.compile(r"font-weight\s*:\s*(bold|bolder|[6-9]00)|font\s*:[^;]{0,200}\bbold\b", re.IGNORECASE)
_UNBOLD = re.compile(r"font-weight\s*:\s*(normal|[1-5]00)", re.IGNORECASE)
_BOLD_TAGS = frozenset(("b", "strong", "th"))
_HEADING = re.compile(r"h[1-6]$")
_BLANKS_IN_LINE = re.compile(r"[ \t\u00a0]+")
_BODY_SIZE = 10.0
"""Points of text without a size of its own."""
_MAX_SIZE = 100.0
_POINTS = {"pt": 1.0, "px": 0.75, "em": 10.0, "rem": 10.0, "%": 0.1}
"""Points of each unit of a font's size."""
_MOSTLY = 0.9
"""Share of a line's characters in bold from which the line is."""


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

    @property
    def printed(self) -> PrintedLine:
        """The line as rules for printed lines take it: without a box."""
        return PrintedLine(self.text, self.page, size=self.size, bold=self.bold)


@dataclass(slots=True)
class _Style:
    """What an element passes on to the text inside it."""

    bold: bool = False
    size: float = _BODY_SIZE
    level: int = 0
    item: bool = False


@dataclass(slots=True)
class _OpenLine:
    """The line being collected."""

    parts: list[str] = field(default_factory=list)
    bold: int = 0
    """Characters in bold."""
    chars: int = 0
    size: float = 0.0
    level: int = 0
    item: bool = False
    tags: list[Any] = field(default_factory=list)

    def add(self, text: str, style: _Style) -> None:
        self.parts.append(text)
        count = len(text.strip())
        if not count:
            return
        self.chars += count
        self.bold += count * style.bold
        self.size = max(self.size, style.size)
        self.level = self.level or style.level
        self.item |= style.item

    @property
    def text(self) -> str:
        """The text without empty lines and without blanks at the ends of lines."""
        lines = [_BLANKS_IN_LINE.sub(" ", line).strip() for line in "".join(self.parts).split("\n")]
        return "\n".join(filter(None, lines))

    def closed(self, text: str, page: int) -> HtmlLine:
        return HtmlLine(
            text=text,
            page=page,
            size=self.size,
            bold=self.bold > _MOSTLY * self.chars,
            level=self.level,
            item=self.item,
            tags=tuple(self.tags),
        )


class LineWalker:
    """Walks the tree once, without recursion: hostile pages nest deeply. ``page`` is the number of the first page."""

    def __init__(self, page: int = 1) -> None:
        self._page = page
        self._has_text = False  # on the present page
        self._line = _OpenLine()
        self._out: list[HtmlLine] = []

    def walk(self, root: Any) -> Iterator[HtmlLine]:
        """Lines of the visible text; what is hidden is passed over."""
        from lxml import etree

        styles = [_Style()]
        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            if event == "end":
                styles.pop()
                self._end(element, styles[-1])
            elif is_hidden(element) or self._read_typed(element) or self._read_table(element):
                events.skip_subtree()
                styles.append(styles[-1])
            else:
                styles.append(self._start(element, styles[-1]))
            yield from self._out
            self._out.clear()
        self._flush()
        yield from self._out

    def _start(self, element: Any, outer: _Style) -> _Style:
        """Take up what stands at an element's start; the style for what is inside it."""
        tag, css = element.tag, element.get("style", "")
        if is_block(element):
            self._flush()
        elif is_set_off(element):
            self._line.parts.append(" ")
        if _BREAK_BEFORE.search(css):
            self._turn_page()
        if tag in (NUMBER, WORDS):
            self._line.tags.append(element)
        style = _style(tag, css, outer)
        if tag == "br":
            self._line.parts.append("\n")
        elif element.text:
            text = element.text if tag == "pre" else BLANK.sub(" ", element.text)
            self._line.add(text, style)
        return style

    def _end(self, element: Any, outer: _Style) -> None:
        if is_block(element):
            self._flush()
        self._break_after(element)
        if element.tail:
            self._line.add(BLANK.sub(" ", element.tail), outer)

    def _read_table(self, element: Any) -> bool:
        """True when the element is a table that was read whole; a table with tables inside only lays out."""
        if element.tag != "table" or element.find(".//table") is not None:
            return False
        self._flush()
        captions = map(visible_text, element.iterchildren("caption"))
        title = next(captions, "")
        if title:
            self._out.append(HtmlLine(title, self._page, caption=True))
        grid = read_grid(element, visible_text)
        if grid.is_data:
            self._out.append(HtmlLine("", self._page, grid=grid, tags=tuple(tagged_elements(element))))
        else:
            self._out += [HtmlLine(row, self._page, _BODY_SIZE) for row in plain_rows(grid)]
        self._break_after(element)
        return True

    def _read_typed(self, element: Any) -> bool:
        """True when the element is text in a type of one width with tables, and was read whole.

        Old filings put marks for tables without any rows into ``<pre>``, where a table ends it.
        """
        if element.tag not in ("pre", "table") or element.find(".//tr") is not None:
            return False
        lines = typed_text(element).splitlines()
        tables = tables_in_text(lines)
        if not tables:
            return False
        self._flush()
        after = 0
        for found in tables:
            self._add_typed([*lines[after : found.first], *(lines[number] for number in found.kept)])
            self._add_typed([found.table.unit])
            self._out.append(HtmlLine("", self._page, grid=Grid(found.table.rows, spans=found.table.spans)))
            after = found.last + 1
        self._add_typed(lines[after:])
        return True

    def _add_typed(self, lines: Sequence[str]) -> None:
        """Paragraphs, parted by blank lines."""
        for is_printed, paragraph in groupby(lines, key=lambda line: bool(line.strip())):
            if is_printed:
                self._line.add("\n".join(paragraph), _Style())
                self._flush()

    def _break_after(self, element: Any) -> None:
        if _BREAK_AFTER.search(element.get("style", "")):
            self._turn_page()

    def _turn_page(self) -> None:
        """Count a page, unless nothing stands on the present one."""
        self._flush()
        if self._has_text:
            self._page += 1
            self._has_text = False

    def _flush(self) -> None:
        """End the line being collected; without text it is dropped."""
        line, self._line = self._line, _OpenLine()
        text = line.text
        if text:
            self._has_text = True
            self._out.append(line.closed(text, self._page))


def _style(tag: str, css: str, outer: _Style) -> _Style:
    """The style inside an element with that tag and CSS, within ``outer``."""
    is_heading = _HEADING.match(tag) is not None
    level = int(tag[1]) if is_heading else outer.level
    return _Style(
        bold=_is_bold(css, outer.bold or level > 0 or tag in _BOLD_TAGS),
        size=_size(css, outer.size),
        level=level,
        item=outer.item or tag == "li",
    )


def _is_bold(css: str, otherwise: bool) -> bool:
    if _WEIGHT.search(css):
        return True
    return otherwise and not _UNBOLD.search(css)


def _size(css: str, otherwise: float) -> float:
    """The font size in points."""
    found = _SIZE.search(css)
    if found is None:
        return otherwise
    number = float(found[1].strip(".") or 0)
    return min(_MAX_SIZE, number * _POINTS[found[2].lower()])
