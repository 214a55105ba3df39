"""Which lines of a PDF are headings, and how deep: announced, numbered, or set apart by type."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..block import PrintedLine
from ..cleaning import is_protected
from .announced import Titles
from .numbering import numbered_heading

_LARGER = 0.9
"""Points above the body size from which type counts as larger."""
_MAX_CHARS = 130
_COMMON = 3
"""A style has a rank of its own from so many lines."""
_FEW_SECTIONS = 3
_FULL_PAGE = 600
"""Characters from which a page's own type counts as body."""
_LONGEST_LEAD = 60
"""A longer line that ends in a colon leads in what follows."""
_DEPTH = 4
"""Levels that styles may add."""
_MAX_ITALIC = 70
_COVER_PAGES = 2
_SENTENCE_END = re.compile(r"[.,;，；。]$")
_ENDS_OPEN = re.compile(r"\b(and|or|the|of|to|in|a|an|for|with|by|from|our|its|that|as)$", re.IGNORECASE)
_NUMBERS = re.compile(r"(?<![\w.])[$€£¥(]*\d[\d,.]*[)%]*(?!\w)")
_NOTE_MARK = re.compile(r"^[(（]\d{1,2}[)）]\s*[A-Za-z]")
_STARTS = re.compile(r"^[\"'“‘(（《【]?[A-Z0-9\u4e00-\u9fff]")

Style = tuple[float, bool, bool, bool]
"""Higher styles sort first: minus the size, not bold, not capitals, italic."""


@dataclass(slots=True)
class HeadingFinder:
    """Decides line by line. Styles are ranked over the whole document: larger, bolder and capitals stand higher."""

    titles: Titles
    body_size: float
    body_bold: bool
    base: int = 1
    first_numbered: int = 0
    """First page with a numbered heading: on the cover before it bold lines are no headings."""
    _styles: list[Style] = field(default_factory=list)
    _page_sizes: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Sequence[PrintedLine], titles: Titles) -> HeadingFinder:
        """Learn the body's type and rank the styles of the lines that stand out from it."""
        size, bold = body_type(lines)
        finder = cls(titles, size, bold)
        finder._page_sizes = page_sizes(lines)
        numbered = [line.page for line in lines if _opens_section(line.text)]
        if len(numbered) >= _FEW_SECTIONS:
            finder.base, finder.first_numbered = 3, numbered[0]
        outstanding = [_style(line) for line in lines if finder._stands_out(line)]
        common = {style for style, count in Counter(outstanding).items() if count >= _COMMON}
        finder._styles = sorted(common.union(outstanding[:1]))  # the first is the document's title
        return finder

    def level(self, line: PrintedLine, alone: bool = False, goes_on: bool = False) -> int | None:
        """The line's level as a heading from 1, or None for text.

        ``alone`` says that its weight sets it apart from the lines around: then it may be a whole sentence;
        ``goes_on``, that the line before is full and ends in mid sentence.
        """
        text = line.text.strip()
        if len(text) > 200:
            return None
        outstanding = self._stands_out(line) or (alone and self._is_lone_title(line))
        numbered = numbered_heading(text, self._is_set_apart(line))
        if numbered and (outstanding or (numbered.rule != "statement" and not goes_on)):
            return numbered.level
        if is_protected(text) or (goes_on and not outstanding):
            return None
        announced = self.titles.level(text, line.page)
        if announced is not None and _looks_like_title(text):
            return announced
        if not outstanding or (line.page <= _COVER_PAGES and self.base > 1 and line.page < self.first_numbered):
            return None
        return self.base + min(_DEPTH, bisect_left(self._styles, _style(line)))

    def same_heading(self, before: PrintedLine, line: PrintedLine, full: bool = False) -> bool:
        """True where the line goes on with the heading just before it: same type, no gap, no number of its own.

        ``full`` says that the line before leaves no room for the first word of this one.
        """
        if before.page != line.page or before.column != line.column or not _same_type(before, line):
            return False
        if numbered_heading(line.text, self._is_set_apart(line)) or not before.box or not line.box:
            return False
        numbered = numbered_heading(before.text)
        if numbered and numbered.open:
            return True
        height = before.box[3] - before.box[1]
        if line.box[1] - before.box[3] > 0.6 * height:
            return False
        centred = abs((before.box[0] + before.box[2]) - (line.box[0] + line.box[2])) < 6 and line.size > self.body_size
        wrapped = line.text[:1].islower() or bool(_ENDS_OPEN.search(before.text))
        return centred or wrapped or (full and not _SENTENCE_END.search(before.text))

    def _stands_out(self, line: PrintedLine) -> bool:
        text = line.text.strip()
        return self._is_set_apart(line) and _looks_like_title(text) and not is_protected(text)

    def _is_lone_title(self, line: PrintedLine) -> bool:
        """True for a whole sentence in bold, or a short title in italics."""
        text = line.text.strip()
        if is_protected(text):
            return False
        if line.bold and not self.body_bold:
            return _looks_like_title(text.rstrip("."))
        return line.italic and len(text) <= _MAX_ITALIC and text[:1].isalnum() and _looks_like_title(text)

    def _is_set_apart(self, line: PrintedLine) -> bool:
        body = max(self.body_size, self._page_sizes.get(line.page, 0.0))
        return line.size >= body + _LARGER or (line.bold and not self.body_bold)


def body_type(lines: Iterable[PrintedLine]) -> tuple[float, bool]:
    """Size and weight of the text: the largest type that makes up a seventh of it, since notes are long."""
    sizes: Counter[float] = Counter()
    bold: Counter[float] = Counter()
    for line in lines:
        size = round(line.size * 2) / 2
        sizes[size] += len(line.text)
        bold[size] += len(line.text) * line.bold
    total = sum(sizes.values())
    body = max((size for size, count in sizes.items() if count >= total / 7), default=0.0)
    return body, bool(total) and bold[body] > 0.5 * sizes[body]


def page_sizes(lines: Iterable[PrintedLine]) -> dict[int, float]:
    """The type size of most of the text of each page that has a fair amount of it."""
    pages: defaultdict[int, Counter[float]] = defaultdict(Counter)
    for line in lines:
        pages[line.page][line.size] += len(line.text)
    return {page: max(c, key=lambda size: c[size]) for page, c in pages.items() if sum(c.values()) >= _FULL_PAGE}


def _opens_section(text: str) -> bool:
    """True for numbered headings of documents numbered throughout; statements and notes have names anywhere."""
    found = numbered_heading(text) if len(text) < _MAX_CHARS else None
    return found is not None and found.rule not in ("statement", "note", "signatures", "exhibit")


def _style(line: PrintedLine) -> Style:
    capitals = line.text.upper() == line.text and line.text.lower() != line.text
    return (-round(line.size * 2) / 2, not line.bold, not capitals, line.italic)


def _same_type(one: PrintedLine, other: PrintedLine) -> bool:
    return abs(one.size - other.size) < 0.5 and (one.bold, one.italic) == (other.bold, other.italic)


def _looks_like_title(text: str) -> bool:
    if not 2 <= len(text) <= _MAX_CHARS or not _STARTS.match(text) or _SENTENCE_END.search(text):
        return False
    if _NOTE_MARK.match(text) or (text[-1] in ":：" and len(text) > _LONGEST_LEAD):
        return False
    letters = sum(map(str.isalpha, text))
    return letters >= 2 and letters >= 0.5 * len(text.replace(" ", "")) and len(_NUMBERS.findall(text)) <= 2
