"""HTML -> Content: the parts of a filing parsed, their lines cleaned, laid out as one text."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...formats.content import Content, Evidence
from ..assemble import assemble, page_ranges
from ..block import PrintedLine
from ..cleaning import is_symbol_line, page_numbers, running_lines, running_texts
from .blocks import HtmlBlocks
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
