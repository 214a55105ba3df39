"""Lines of all pages -> headings, paragraphs, lists and tables, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...pdf.backend import OutlineItem
from ..block import Block, Piece, PrintedLine
from ..cleaning import is_cover_boilerplate, is_disclaimer, is_disclaimer_title
from ..headings.announced import Titles, titles_of_contents, titles_of_outline
from ..headings.finder import HeadingFinder
from .paragraphs import Geometry, Joiner, Relation, ends_sentence, is_list_item, joint, relation

_COVER_PAGES = 3
_HEADING_LINES = 4
_DISCLAIMER_PAGES = 2
"""A section under a disclaimer's title is one for so many pages: a title that was missed may have ended it."""


class BlockCutter:
    """Cuts the lines of all pages into blocks, in order."""

    def __init__(
        self,
        pages: Sequence[Sequence[PrintedLine]],
        outline: Sequence[OutlineItem],
        tables: Sequence[Block],
        dropped: Counter[str],
    ) -> None:
        self._tables = tables
        self._lines = [line for lines in pages for line in lines]
        self._geometry = {lines[0].page: Geometry.of(lines) for lines in pages if lines}
        self._finder = HeadingFinder.of([line for line in self._lines if _is_plain(line)], self._titles(outline))
        self._joiner = Joiner([line.text for line in self._lines])
        self._dropped = dropped
        self._disclaimer_page = 0
        self._levels = [self._level(at) for at in range(len(self._lines))]

    def _titles(self, outline: Sequence[OutlineItem]) -> Titles:
        titles = titles_of_outline(outline)
        return titles or titles_of_contents([line.text for line in self._lines if line.mark == "contents"])

    def __iter__(self) -> Iterator[Block]:
        at = 0
        while at < len(self._lines):
            line, level = self._lines[at], self._levels[at]
            if line.table is not None:
                yield self._tables[line.table]
                at += 1
            elif level:
                end = self._heading_end(at)
                yield self._heading(self._lines[at:end], level)
                at = end
            else:
                group = self._text_group(at)
                yield self._text(group)
                at += len(group)

    def _level(self, at: int) -> int | None:
        line = self._lines[at]
        if not _is_plain(line):
            return None
        return self._finder.level(line, alone=self._is_alone(at), goes_on=self._goes_on(at))

    def _goes_on(self, at: int) -> bool:
        """True where the line before is full and its sentence has not ended."""
        if at == 0:
            return False
        before, line = self._lines[at - 1], self._lines[at]
        if (before.page, before.column) != (line.page, line.column) or not _is_plain(before):
            return False
        return self._geometry[before.page].is_full(before) and not ends_sentence(before.text)

    def _is_alone(self, at: int) -> bool:
        """True for a line set apart by its type from the lines before and after it, and followed by text."""
        line, lines = self._lines[at], self._lines
        before = lines[at - 1] if at else None
        after = lines[at + 1] if at + 1 < len(lines) else None
        if not (line.bold or line.italic) or after is None or after.page != line.page:
            return False
        if after.table is None and (after.bold, after.italic) == (line.bold, line.italic):
            return False
        return before is None or before.page != line.page or (before.bold, before.italic) != (line.bold, line.italic)

    def _heading_end(self, start: int) -> int:
        end = start + 1
        while end < len(self._lines) and end - start < _HEADING_LINES and _is_plain(self._lines[end]):
            before, line = self._lines[end - 1], self._lines[end]
            geometry = self._geometry[before.page]
            full = geometry.is_full(before) or (self._levels[end] and geometry.has_no_room(before, line.text))
            if not self._finder.same_heading(before, line, bool(full)):
                break
            end += 1
        return end

    def _text_group(self, start: int) -> list[tuple[PrintedLine, Relation]]:
        """The lines of one block from ``start``, each with how it stands to the one before."""
        group = [(self._lines[start], Relation.NEW)]
        for at in range(start + 1, len(self._lines)):
            before, line = self._lines[at - 1], self._lines[at]
            if line.table is not None or line.mark != before.mark or self._levels[at]:
                break
            how = Relation.LINE if line.mark == "contents" else self._relation(before, line)
            if how is Relation.NEW:
                break
            group.append((line, how))
        return group

    def _relation(self, before: PrintedLine, line: PrintedLine) -> Relation:
        if line.page <= _COVER_PAGES and is_cover_boilerplate(line.text):
            return Relation.NEW
        return relation(before, line, self._geometry[line.page])

    def _heading(self, lines: Sequence[PrintedLine], level: int) -> Block:
        texts = ["", *(line.text for line in lines)]
        pieces = tuple(
            Piece(line.text, line.page, line.box, joint(before, line.text))
            for before, line in zip(texts, lines, strict=False)
        )
        block = Block("heading", pieces, level)
        self._disclaimer_page = lines[0].page if is_disclaimer_title(block.text) else 0
        return block

    def _text(self, group: Sequence[tuple[PrintedLine, Relation]]) -> Block:
        first = group[0][0]
        pieces = self._joiner.pieces(group)
        if first.mark:
            return Block("contents" if first.mark == "contents" else "disclaimer", pieces)
        block = Block("list" if is_list_item(first.text) else "paragraph", pieces)
        rule = self._disclaimer_rule(block)
        if not rule:
            return block
        self._dropped[rule] += len(group)
        return replace(block, kind="disclaimer")

    def _disclaimer_rule(self, block: Block) -> str:
        if block.pieces[0].page <= _COVER_PAGES and is_cover_boilerplate(block.text):
            return "cover boilerplate"
        in_section = self._disclaimer_page and block.pieces[0].page - self._disclaimer_page < _DISCLAIMER_PAGES
        return "disclaimer" if in_section or is_disclaimer(block.text) else ""


def _is_plain(line: PrintedLine) -> bool:
    return not line.mark and line.table is None
