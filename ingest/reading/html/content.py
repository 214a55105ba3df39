"""HTML -> Content: the parts of a filing parsed, their lines cleaned and put into blocks, laid out as one text."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any

from ....core.records import dataclass
from ...document import Table
from ...formats.registry import Content, Evidence
from ...tables.values import shared_unit
from ..assemble import assemble, markdown_lines, page_ranges
from ..block import Block, Piece, PrintedLine
from ..furniture import page_numbers, running_lines, running_texts
from ..heading_finder import HeadingFinder
from ..layout.paragraphs import is_list_item
from ..line_rules import boilerplate_rule, is_protected, is_symbol_line
from ..titles import titles_of_contents
from .grid import Grid, plain_rows
from .inline_xbrl import NUMBER, WORDS, InlineXbrl, place_tags
from .lines import HtmlLine, LineWalker

_DOCUMENT = re.compile(r"<DOCUMENT>(.*?)(?:</DOCUMENT>|\Z)", re.DOTALL | re.IGNORECASE)
_TYPE = re.compile(r"<TYPE>([^\s<]+)", re.IGNORECASE)
_NO_TEXT = re.compile(r"GRAPHIC|ZIP|EXCEL|XML|JSON|PDF|EX-101|EX-104|COVER", re.IGNORECASE)
_HEAD = 20_000
"""Characters within which an EDGAR submission shows its first document."""


@dataclass(slots=True)
class _Filing:
    """What was read from all parts of a filing, or from the one part of any other page."""

    lines: list[HtmlLine] = field(default_factory=list)
    info: dict[str, str] = field(default_factory=dict)
    """Its title, if it has one."""
    cover_facts: dict[str, str] = field(default_factory=dict)
    xbrl: InlineXbrl = field(default_factory=InlineXbrl)

    def add(self, root: Any) -> None:
        """Take up a part; pages are counted through all parts, title and cover facts are those of the first."""
        title = " ".join(root.findtext(".//title", "").split())
        if title:
            self.info.setdefault("title", title)
        self.cover_facts = self.cover_facts or _cover_facts(root)
        self.xbrl.learn(root)
        self.lines += LineWalker(self.page_count + 1).walk(root)

    @property
    def page_count(self) -> int:
        return self.lines[-1].page if self.lines else 0


def html_content(text: str) -> Content:
    """The visible text of a page or filing as blocks; inline XBRL cover facts go into the evidence."""
    filing = _Filing()
    for part in _parts_with_text(text):
        root = _parse(part)
        if root is not None:
            filing.add(root)
    dropped: Counter[str] = Counter()
    running: Counter[str] = Counter()
    kept = _clean(filing.lines, dropped, running)
    blocks = list(HtmlBlocks(kept, dropped))
    laid = assemble(blocks)
    content = Content(
        text=laid.text,
        segments=laid.segments,
        tables=laid.tables,
        dropped=dropped,
        evidence=Evidence(info=filing.info, dei=filing.cover_facts, running=running),
        tagged=place_tags(filing.xbrl, blocks, laid),
    )
    if filing.page_count < 2:
        return content
    pages = page_ranges(laid.lines, filing.page_count, len(laid.text))
    return replace(content, pages=pages, lines=laid.lines)


def _parts_with_text(text: str) -> list[str]:
    """The parts with text of an EDGAR submission; any other page as it is."""
    if "<DOCUMENT>" not in text[:_HEAD].upper():
        return [text]
    parts = filter(_holds_text, _DOCUMENT.findall(text))
    return list(parts) or [text]


def _holds_text(part: str) -> bool:
    kind = _TYPE.search(part)
    return kind is None or not _NO_TEXT.match(kind[1])


def _parse(text: str) -> Any:
    """The root of the tree; None where the parser gives up."""
    from lxml import etree
    from lxml.html import HTMLParser

    parser = HTMLParser(encoding="utf-8", recover=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None


def _cover_facts(root: Any) -> dict[str, str]:
    """Cover facts of inline XBRL, by name without prefix; the first of each counts."""
    facts: dict[str, str] = {}
    for element in root.iter(WORDS, NUMBER):
        name = element.get("name", "")
        if name.startswith("dei:"):
            value = " ".join("".join(element.itertext()).split())
            facts.setdefault(name.removeprefix("dei:"), value)
    return facts


def _clean(lines: Sequence[HtmlLine], dropped: Counter[str], running: Counter[str]) -> list[HtmlLine]:
    """Without page numbers, what recurs beside page breaks, and symbol lines; these are counted in ``dropped``.

    ``running`` takes up what recurs.
    """
    pages = [list(group) for _, group in itertools.groupby(lines, key=lambda line: line.page)]
    printed = [[line.printed for line in page] for page in pages]
    furniture = _furniture(printed)
    running.update(running_texts(printed, furniture))
    kept = []
    for index, page in enumerate(pages):
        for at, line in enumerate(page):
            rule = furniture.get((index, at)) or _symbol_rule(line)
            if rule:
                dropped[rule] += 1
            else:
                kept.append(line)
    return kept


def _furniture(pages: Sequence[Sequence[PrintedLine]]) -> dict[tuple[int, int], str]:
    """Running lines and page numbers by page and line; a text without page breaks has none."""
    if len(pages) < 2:
        return {}
    heights = [0.0] * len(pages)
    return running_lines(pages, heights) | page_numbers(pages, heights)


def _symbol_rule(line: HtmlLine) -> str:
    is_text = line.grid is None
    return "symbol line" if is_text and is_symbol_line(line.text) else ""


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
