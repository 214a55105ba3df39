"""Lines of all pages -> headings, paragraphs, lists and tables, in order, with broken words joined."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property

from ....core.rules import load_rules
from ...pdf.backend import OutlineItem
from ..block import Block, Piece, PrintedLine
from ..heading_finder import HeadingFinder
from ..line_rules import boilerplate_rule, is_cover_boilerplate, is_disclaimer_title
from ..titles import Titles, titles_of_contents, titles_of_outline
from .paragraphs import HAN, Geometry, LineStart, ends_sentence, is_list_item, line_start

_COVER_PAGES = 3
_HEADING_LINES = 4
"""Lines that a heading takes up at most."""
_NO_LINE = PrintedLine("", 0)
"""Before the first line of a page and after its last: in plain type and on no page."""
_DISCLAIMER_PAGES = 2
"""A section under a disclaimer's title is one for so many pages: a title that was missed may have ended it."""


class BlockCutter:
    """Cuts the lines of all pages into blocks, in order. Iterate over it once.

    ``tables`` are the blocks that lines with a table's ordinal stand for. Paragraphs that turn out to be boilerplate
    are counted in ``dropped`` by their rule.
    """

    def __init__(
        self,
        pages: Sequence[Sequence[PrintedLine]],
        outline: Sequence[OutlineItem],
        tables: Sequence[Block],
        dropped: Counter[str],
    ) -> None:
        self._tables = tables
        self._dropped = dropped
        self._lines = list(itertools.chain.from_iterable(pages))
        self._geometry = {lines[0].page: Geometry.of(lines) for lines in filter(None, pages)}
        plain = [line for line in self._lines if line.is_plain]
        self._finder = HeadingFinder.of(plain, self._announced_titles(outline))
        self._joiner = Joiner([line.text for line in self._lines])
        self._disclaimer_pages = range(0)
        self._levels = list(map(self._level, range(len(self._lines))))

    def _announced_titles(self, outline: Sequence[OutlineItem]) -> Titles:
        """The titles of the bookmarks; without bookmarks those of the printed contents."""
        bookmarks = titles_of_outline(outline)
        if bookmarks:
            return bookmarks
        return titles_of_contents([line.text for line in self._lines if line.is_contents])

    def __iter__(self) -> Iterator[Block]:
        at = 0
        while at < len(self._lines):
            ordinal = self._lines[at].table
            level = self._levels[at]
            if ordinal is not None:
                end = at + 1
                yield self._tables[ordinal]
            elif level:
                end = self._heading_end(at)
                yield self._heading(self._lines[at:end], level)
            else:
                group = self._text_group(at)
                end = at + len(group)
                yield self._text_block(group)
            at = end

    def _level(self, at: int) -> int | None:
        """The level of the line at a position as a heading; None for text."""
        line = self._lines[at]
        if not line.is_plain:
            return None
        return self._finder.level(line, alone=self._is_alone(at), goes_on=self._goes_on(at))

    def _goes_on(self, at: int) -> bool:
        """True where the line before is full and its sentence has not ended."""
        before = self._on_same_page(at, at - 1)
        if before.place != self._lines[at].place or not before.is_plain:
            return False
        return self._geometry[before.page].is_full(before) and not ends_sentence(before.text)

    def _is_alone(self, at: int) -> bool:
        """True for a line set apart by its type from the lines before and after it, and followed by text."""
        line = self._lines[at]
        if not any(line.emphasis):
            return False
        before = self._on_same_page(at, at - 1)
        after = self._on_same_page(at, at + 1)
        if after is _NO_LINE:
            return False
        return line.emphasis not in (before.emphasis, after.emphasis)  # a table's place is in plain type

    def _on_same_page(self, at: int, other: int) -> PrintedLine:
        """The line at ``other``, or no line where that is on another page than the line at ``at``."""
        if not 0 <= other < len(self._lines):
            return _NO_LINE
        line = self._lines[other]
        return line if line.page == self._lines[at].page else _NO_LINE

    def _heading_end(self, start: int) -> int:
        """The end of the heading that begins at ``start``: headings may run over several lines."""
        end = start + 1
        limit = min(len(self._lines), start + _HEADING_LINES)
        while end < limit and self._heading_goes_on(end):
            end += 1
        return end

    def _heading_goes_on(self, at: int) -> bool:
        """True where the line at a position belongs to the heading just before it."""
        before, line = self._lines[at - 1], self._lines[at]
        if not line.is_plain:
            return False
        geometry = self._geometry[before.page]
        is_full = geometry.is_full(before)
        if self._levels[at] and not is_full:
            is_full = geometry.has_no_room(before, line.text)
        return self._finder.same_heading(before, line, is_full)

    def _text_group(self, start: int) -> list[StartedLine]:
        """The lines of one block from ``start``."""
        group = [(self._lines[start], LineStart.NEW_BLOCK)]
        for at in range(start + 1, len(self._lines)):
            how = self._line_start(at)
            if how is LineStart.NEW_BLOCK:
                break
            group.append((self._lines[at], how))
        return group

    def _line_start(self, at: int) -> LineStart:
        """How the line at a position goes on after the text before it."""
        before, line = self._lines[at - 1], self._lines[at]
        if line.table is not None or self._levels[at]:
            return LineStart.NEW_BLOCK
        if line.mark != before.mark:
            return LineStart.NEW_BLOCK
        if line.is_contents:
            return LineStart.NEW_LINE
        if line.page <= _COVER_PAGES and is_cover_boilerplate(line.text):
            return LineStart.NEW_BLOCK
        return line_start(before, line, self._geometry[line.page])

    def _heading(self, lines: Sequence[PrintedLine], level: int) -> Block:
        first = lines[0]
        pieces = [Piece(first.text, first.page, first.box)]
        for before, line in itertools.pairwise(lines):
            pieces.append(Piece(line.text, line.page, line.box, joint(before.text, line.text)))
        block = Block("heading", tuple(pieces), level)
        self._disclaimer_pages = range(0)
        if is_disclaimer_title(block.text):
            self._disclaimer_pages = range(first.page, first.page + _DISCLAIMER_PAGES)
        return block

    def _text_block(self, group: Sequence[StartedLine]) -> Block:
        """A list or paragraph; contents and disclaimers where the lines are marked or the text says so."""
        first, _ = group[0]
        pieces = self._joiner.pieces(group)
        if first.is_contents:
            return Block("contents", pieces)
        if first.mark:
            return Block("disclaimer", pieces)
        block = Block("list" if is_list_item(first.text) else "paragraph", pieces)
        rule = boilerplate_rule(
            block.text,
            on_cover=first.page <= _COVER_PAGES,
            in_disclaimer=first.page in self._disclaimer_pages,
        )
        if not rule:
            return block
        self._dropped[rule] += len(group)
        return replace(block, kind="disclaimer")


_BROKEN = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,})-\n([^\W\d_]+)")
"""A word over the end of a line."""
_WORD_START = re.compile(r"^([^\W\d_]+)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SOFT_HYPHEN = "\u00ad"
_SEAMLESS = re.compile(rf"{_SOFT_HYPHEN}\n|{HAN.pattern}\n{HAN.pattern}")
"""What stands on both sides of a line break that leaves no blank."""

StartedLine = tuple[PrintedLine, LineStart]
"""A line and how it goes on after the line before it."""

_NOTHING_FOLLOWS: StartedLine = (PrintedLine("", 0), LineStart.NEW_BLOCK)


def joint(before: str, after: str) -> str:
    """What stands between two lines of one sentence: nothing after a hyphen or between Chinese, else a blank.

    >>> joint("归属于上市公司股东", "的净利润"), joint("net", "sales"), joint("long-", "term")
    ('', ' ', '')
    """
    seam = f"{before[-1:]}\n{after[:1]}"
    if _SEAMLESS.match(seam) or _is_compound(before, after):
        return ""
    return " "


def _is_compound(before: str, after: str) -> bool:
    """True where a letter and a hyphen end the line and a word begins the next one."""
    if not before.endswith("-"):
        return False
    return before[-2:-1].isalpha() and _WORD_START.match(after) is not None


class Joiner:
    """Joins lines to pieces; knows the document's words, so that a hyphen at a line's end is undone or kept."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts

    def pieces(self, lines: Sequence[StartedLine]) -> tuple[Piece, ...]:
        """One piece a line; how the first line starts is ignored."""
        pieces: list[Piece] = []
        before = ""
        for (line, start), (follower, follower_start) in zip(lines, [*lines[1:], _NOTHING_FOLLOWS], strict=False):
            text = _without_soft_hyphens_inside(line.text)
            between = joint(before, text) if start is LineStart.GOES_ON else "\n"
            if follower_start is LineStart.GOES_ON and self.is_broken_word(text, follower.text):
                text = text[:-1]
            pieces.append(Piece(text.replace(_SOFT_HYPHEN, ""), line.page, line.box, between))
            before = line.text
        return tuple(pieces)

    def is_broken_word(self, before: str, after: str) -> bool:
        """True where the hyphen at the end of ``before`` was put there by the line break alone."""
        if before.endswith(_SOFT_HYPHEN):
            return True
        if not before.endswith("-"):
            return False
        found = _BROKEN.search(f"{before}\n{after}")
        if found is None or not found[2].islower():
            return False
        first, second = found[1].lower(), found[2]
        if first + second in self._vocabulary:
            return True
        if first in _compound_parts() or f"{first}-{second}" in self._vocabulary:
            return False
        is_third_part = before[: found.start()].endswith("-")
        return not is_third_part

    @cached_property
    def _vocabulary(self) -> set[str]:
        """The words of the document in lower case, compounds with their hyphens."""
        words: set[str] = set()
        for text in self._texts:
            words.update(map(str.lower, _WORD.findall(text)))
        return words


@cache
def _compound_parts() -> frozenset[str]:
    """First parts of compounds that keep their hyphen ("long-term")."""
    return frozenset(load_rules(__package__, "hyphens.toml")["hyphen"]["keep"].split())


def _without_soft_hyphens_inside(text: str) -> str:
    """The text without soft hyphens; one at its very end tells that a word goes on, so all stay as they are."""
    return text if text.endswith(_SOFT_HYPHEN) else text.replace(_SOFT_HYPHEN, "")
