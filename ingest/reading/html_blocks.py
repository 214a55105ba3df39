"""HTML -> Content: lines, cleaning, headings, tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from ..formats.content import Content, Evidence
from ..table import Table
from ..tables.units import shared_unit
from .assemble import assemble, page_ranges
from .block import Block, Piece, PrintedLine
from .cleaning import is_cover_boilerplate, is_disclaimer, is_symbol_line
from .contents import Titles, titles_of_contents
from .furniture import page_numbers, running_lines, running_texts
from .headings import HeadingFinder
from .html_lines import HtmlLine, LineWalker
from .html_table import Grid, plain_rows
from .inline_xbrl import InlineXbrl
from .paragraphs import is_list_item
from .patterns import is_protected
from .table_text import markdown_lines
from .tag_places import place_tags

_DOCUMENT = re.compile(r"<DOCUMENT>(.*?)(?:</DOCUMENT>|\Z)", re.DOTALL | re.IGNORECASE)
_TYPE = re.compile(r"<TYPE>([^\s<]+)", re.IGNORECASE)
_NO_TEXT = re.compile(r"GRAPHIC|ZIP|EXCEL|XML|JSON|PDF|EX-101|EX-104|COVER", re.IGNORECASE)
_CONTENTS_LINKS = 5
_COVER_LINES = 150
_LONGEST_HEADING = 250


def html_content(text: str) -> Content:
    """The visible text of a page or filing as blocks; inline XBRL cover facts go into the evidence."""
    lines: list[HtmlLine] = []
    dei: dict[str, str] = {}
    title = ""
    xbrl = InlineXbrl()
    for part in _documents(text):
        root = _parse(part)
        if root is None:
            continue
        dei = dei or _dei(root)
        xbrl.learn(root)
        title = title or " ".join((root.findtext(".//title") or "").split())
        walker = LineWalker()
        walker.page = lines[-1].page + 1 if lines else 1
        lines += walker.walk(root)
    dropped: Counter[str] = Counter()
    running: Counter[str] = Counter()
    kept = _clean(lines, dropped, running)
    blocks = [block for block in _blocks(kept, dropped) if block.pieces]
    laid = assemble(blocks)
    count = max((line.page for line in lines), default=0)
    pages = page_ranges(laid.lines, count, len(laid.text)) if count > 1 else ()
    evidence = Evidence(info={"title": title} if title else {}, dei=dei, running=running)
    printed = laid.lines if pages else ()
    tagged = place_tags(xbrl, blocks, laid)
    return Content(laid.text, laid.segments, pages, printed, laid.tables, dropped, {}, evidence, tagged)


def _documents(text: str) -> list[str]:
    """The parts with text of an EDGAR submission; any other page as it is."""
    parts = _DOCUMENT.findall(text) if "<DOCUMENT>" in text[:20_000].upper() else []
    return [part for part in parts if not _NO_TEXT.match(_kind(part))] or [text]


def _kind(part: str) -> str:
    found = _TYPE.search(part)
    return found[1] if found else ""


def _parse(text: str) -> Any:
    from lxml import etree
    from lxml.html import HTMLParser

    parser = HTMLParser(encoding="utf-8", recover=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.ParserError:
        return None
    except etree.XMLSyntaxError:
        return None


def _dei(root: Any) -> dict[str, str]:
    """Cover facts of inline XBRL, by name without prefix; the first of each counts."""
    facts: dict[str, str] = {}
    for element in root.iter("ix:nonnumeric", "ix:nonfraction"):
        name = element.get("name") or ""
        if name.startswith("dei:"):
            facts.setdefault(name[4:], " ".join("".join(element.itertext()).split()))
    return facts


def _clean(lines: Sequence[HtmlLine], dropped: Counter[str], running: Counter[str]) -> list[HtmlLine]:
    """Without page numbers, what recurs beside page breaks (``running`` takes it up), and symbol lines."""
    pages = [list(group) for _, group in groupby(lines, key=lambda line: line.page)]
    printed = [[PrintedLine(line.text, line.page) for line in page] for page in pages]
    marks: dict[tuple[int, int], str] = {}
    if len(pages) > 1:
        heights = [0.0] * len(pages)
        marks = running_lines(printed, heights) | page_numbers(printed, heights)
        running.update(running_texts(printed, marks))
    kept = []
    for index, page in enumerate(pages):
        for at, line in enumerate(page):
            rule = marks.get((index, at)) or ("symbol line" if line.grid is None and is_symbol_line(line.text) else "")
            if rule:
                dropped[rule] += 1
            else:
                kept.append(line)
    return kept


def _blocks(lines: Sequence[HtmlLine], dropped: Counter[str]) -> Iterator[Block]:
    """Consecutive list items make one block."""
    finder = _finder(lines)
    items: list[Piece] = []
    tags: list[Any] = []
    for at, line in enumerate(lines):
        is_item = line.grid is None and (line.item or is_list_item(line.text))
        if items and not is_item:
            yield Block("list", tuple(items), tags=tuple(tags))
            items, tags = [], []
        if is_item:
            tags += line.tags
            items += [Piece(text, line.page) for text in line.text.split("\n")]
        elif line.grid is not None:
            yield _table(line, line.grid, lines[max(0, at - 3) : at], dropped)
        else:
            yield replace(_text(line, finder, at < _COVER_LINES, dropped), tags=line.tags)
    if items:
        yield Block("list", tuple(items), tags=tuple(tags))


def _text(line: HtmlLine, finder: HeadingFinder, cover: bool, dropped: Counter[str]) -> Block:
    if line.caption:
        return Block("paragraph", (Piece(line.text, line.page),))
    level = line.level or finder.level(PrintedLine(line.text, line.page, None, line.size, line.bold))
    if level and len(line.text) < _LONGEST_HEADING:
        return Block("heading", tuple(Piece(text, line.page, None, " ") for text in line.text.split("\n")), level)
    pieces = tuple(Piece(text, line.page) for text in line.text.split("\n"))
    rule = "cover boilerplate" if cover and is_cover_boilerplate(line.text) else ""
    rule = rule or ("disclaimer" if is_disclaimer(line.text) else "")
    if not rule:
        return Block("paragraph", pieces)
    dropped[rule] += 1
    return Block("disclaimer", pieces)


def _finder(lines: Sequence[HtmlLine]) -> HeadingFinder:
    printed = [PrintedLine(line.text, line.page, None, line.size, line.bold) for line in lines if line.grid is None]
    contents = [row for line in lines if line.grid and _is_contents(line.grid) for row in plain_rows(line.grid)]
    titles = titles_of_contents(contents) if contents else Titles()
    return HeadingFinder.of(printed, titles)


def _is_contents(grid: Grid) -> bool:
    return grid.links >= _CONTENTS_LINKS and grid.links >= 0.5 * len(grid.rows)


def _table(line: HtmlLine, grid: Grid, before: Sequence[HtmlLine], dropped: Counter[str]) -> Block:
    if _is_contents(grid):
        rows = [row for row in plain_rows(grid) if row]
        dropped["contents page"] += len(rows)
        return Block("contents", tuple(Piece(row, line.page) for row in rows))
    if before and before[-1].caption:
        title = before[-1].text
        unit = shared_unit(title)
    else:
        near = [other.text for other in reversed(before) if other.grid is None and len(other.text) < 200]
        unit = next((text for text in near if is_protected(text)), "")
        title = next((text for text in near if text != unit), "")
    table = Table(grid.rows, grid.header_rows, title, unit, spans=grid.spans)
    above, rows = markdown_lines(table)
    return Block("table", tuple(Piece(text, line.page) for text in [*above, *rows]), table=table, tags=line.tags)
