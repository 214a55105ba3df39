"""Which lines of a PDF are headings, and how deep: announced, numbered, or set apart by type."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..block import PrintedLine
from ..cleaning import is_protected
from .announced import Titles
from .numbering import LONGEST_HEADING, Numbered, numbered_heading
from .styles import Body, Style, body_type, is_same_type, page_sizes, ranked_styles, style_of

_LARGER = 0.9
"""Points above the body size from which type counts as larger."""
_LONGEST_TITLE = 130
"""Characters of a heading without a number of its own."""
_FEW_SECTIONS = 3
"""From so many numbered headings a document counts as numbered throughout."""
_LEVEL_BELOW_SECTIONS = 3
_LONGEST_LEAD = 60
"""A longer line that ends in a colon leads in what follows."""
_DEPTH = 4
"""Levels that styles may add."""
_LONGEST_ITALIC = 70
_COVER_PAGES = 2
_LINE_GAP = 0.6
"""Heights of a line that may part two lines of one heading."""
_CENTRED = 6.0
"""Points on both sides together by which centred lines may be off."""
_MOST_NUMBERS = 2
_NAMED_ANYWHERE = frozenset(("statement", "note", "signatures", "exhibit"))
"""Rules whose headings stand in documents that are not numbered throughout, too."""

_SENTENCE_END = re.compile(r"[.,;，；。]$")
_ENDS_OPEN = re.compile(r"\b(and|or|the|of|to|in|a|an|for|with|by|from|our|its|that|as)$", re.IGNORECASE)
_NUMBERS = re.compile(r"(?<![\w.])[$€£¥(]*\d[\d,.]*[)%]*(?!\w)")
_NOTE_MARK = re.compile(r"^[(（]\d{1,2}[)）]\s*[A-Za-z]")
_STARTS = re.compile(r"^[\"'“‘(（《【]?[A-Z0-9\u4e00-\u9fff]")


@dataclass(slots=True)
class HeadingFinder:
    """Decides line by line. Styles are ranked over the whole document: larger, bolder and capitals stand higher."""

    titles: Titles
    body: Body
    base: int = 1
    """Level of the highest style."""
    first_numbered: int = 0
    """First page with a numbered heading: on the cover before it bold lines are no headings."""
    _page_sizes: Mapping[int, float] = field(default_factory=dict)
    _styles: Sequence[Style] = ()

    @classmethod
    def of(cls, lines: Sequence[PrintedLine], titles: Titles) -> HeadingFinder:
        """Learn the body's type and rank the styles of the lines that stand out from it."""
        finder = cls(titles, body_type(lines), _page_sizes=page_sizes(lines))
        section_pages = [line.page for line in lines if _opens_section(line.text)]
        if len(section_pages) >= _FEW_SECTIONS:
            finder.base = _LEVEL_BELOW_SECTIONS
            finder.first_numbered = section_pages[0]
        outstanding = filter(finder._stands_out, lines)
        finder._styles = ranked_styles(list(map(style_of, outstanding)))
        return finder

    def level(self, line: PrintedLine, alone: bool = False, goes_on: bool = False) -> int | None:
        """The line's level as a heading from 1, or None for text.

        ``alone`` says that its weight sets it apart from the lines around: then it may be a whole sentence;
        ``goes_on``, that the line before is full and ends in mid sentence.
        """
        text = line.text.strip()
        if len(text) > LONGEST_HEADING:
            return None
        outstanding = self._stands_out(line) or (alone and self._is_lone_title(line))
        numbered = numbered_heading(text, self._is_set_apart(line))
        if numbered and (outstanding or _needs_no_type(numbered, goes_on)):
            return numbered.level
        if is_protected(text) or (goes_on and not outstanding):
            return None
        announced = self.titles.level(text, line.page)
        if announced is not None and _looks_like_title(text):
            return announced
        if not outstanding or self._is_on_cover(line):
            return None
        return self.base + min(_DEPTH, bisect_left(self._styles, style_of(line)))

    def same_heading(self, before: PrintedLine, line: PrintedLine, full: bool = False) -> bool:
        """True where the line goes on with the heading just before it: same type, no gap, no number of its own.

        ``full`` says that the line before leaves no room for the first word of this one.
        """
        if before.place != line.place or not is_same_type(before, line):
            return False
        if numbered_heading(line.text, self._is_set_apart(line)):
            return False
        numbered = numbered_heading(before.text)
        if numbered and numbered.open:
            return True
        if line.top - before.bottom > _LINE_GAP * before.height:
            return False
        is_large = line.size > self.body.size
        if is_large and _are_centred(before, line):
            return True
        if line.text[:1].islower() or _ENDS_OPEN.search(before.text):
            return True
        return full and not _SENTENCE_END.search(before.text)

    def _stands_out(self, line: PrintedLine) -> bool:
        if not self._is_set_apart(line):
            return False
        text = line.text.strip()
        return _looks_like_title(text) and not is_protected(text)

    def _is_lone_title(self, line: PrintedLine) -> bool:
        """True for a whole sentence in bold, or a short title in italics."""
        text = line.text.strip()
        if is_protected(text):
            return False
        if self._is_bolder(line):
            return _looks_like_title(text.rstrip("."))
        if not line.italic or len(text) > _LONGEST_ITALIC:
            return False
        return text[:1].isalnum() and _looks_like_title(text)

    def _is_set_apart(self, line: PrintedLine) -> bool:
        """True for type that is larger or bolder than that of the text."""
        body_size = max(self.body.size, self._page_sizes.get(line.page, 0.0))
        return line.size >= body_size + _LARGER or self._is_bolder(line)

    def _is_bolder(self, line: PrintedLine) -> bool:
        return line.bold and not self.body.bold

    def _is_on_cover(self, line: PrintedLine) -> bool:
        """True on the first pages of a numbered document, before its first section."""
        return line.page <= _COVER_PAGES and line.page < self.first_numbered


def _opens_section(text: str) -> bool:
    """True for numbered headings of documents numbered throughout; statements and notes have names anywhere."""
    if len(text) >= _LONGEST_TITLE:
        return False
    found = numbered_heading(text)
    return found is not None and found.rule not in _NAMED_ANYWHERE


def _needs_no_type(numbered: Numbered, goes_on: bool) -> bool:
    """True for a number that makes a heading in plain type, too; ``goes_on`` where it stands in mid sentence."""
    return numbered.rule != "statement" and not goes_on


def _are_centred(one: PrintedLine, other: PrintedLine) -> bool:
    return abs((one.left + one.right) - (other.left + other.right)) < _CENTRED


def _looks_like_title(text: str) -> bool:
    """True for a short text that begins like a title, ends like one and is mostly letters."""
    if not 2 <= len(text) <= _LONGEST_TITLE:
        return False
    if not _STARTS.match(text) or _SENTENCE_END.search(text):
        return False
    if _NOTE_MARK.match(text) or _leads_in(text):
        return False
    if len(_NUMBERS.findall(text)) > _MOST_NUMBERS:
        return False
    letters = sum(map(str.isalpha, text))
    return letters >= max(2, 0.5 * len(text.replace(" ", "")))


def _leads_in(text: str) -> bool:
    """True for a long line that ends in a colon."""
    return len(text) > _LONGEST_LEAD and text.endswith((":", "："))
