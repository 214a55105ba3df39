"""Which lines of a PDF are headings, and how deep: announced, numbered, or set apart by type."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from ...core.records import dataclass
from .block import PrintedLine
from .line_rules import is_protected
from .titles import LONGEST_HEADING, Titles, ends_in_sentence, looks_like_title, numbered_heading

_LARGER = 0.9
"""Points above the body size from which type counts as larger."""
_FEW_SECTIONS = 3
"""From so many numbered headings a document counts as numbered throughout."""
_LONGEST_SECTION = 130
"""Characters of such a heading."""
_LEVEL_BELOW_SECTIONS = 3
_DEPTH = 4
"""Levels that styles may add."""
_LONGEST_ITALIC = 70
"""Characters of a title that is set apart by italics alone."""
_COVER_PAGES = 2
_LINE_GAP = 0.6
"""Heights of a line that may part two lines of one heading."""
_CENTRED = 6.0
"""Points on both sides together by which centred lines may be off."""
_NAMED_ANYWHERE = frozenset(("statement", "note", "signatures", "exhibit"))
"""Rules whose headings stand in documents that are not numbered throughout, too."""
_NEEDS_TYPE = "statement"
"""The rule whose headings count only where their type sets them apart: sentences name statements as well."""
_ENDS_OPEN = re.compile(r"\b(and|or|the|of|to|in|a|an|for|with|by|from|our|its|that|as)$", re.IGNORECASE)


@dataclass(slots=True)
class HeadingFinder:
    """Decides line by line. Styles are ranked over the whole document: larger, bolder and capitals stand higher."""

    titles: Titles
    body: Body
    base: int = 1
    """Level of the highest style."""
    cover: range = range(0)
    """Pages before the first numbered heading, two at most: bold lines there are no headings."""
    _page_sizes: Mapping[int, float] = field(default_factory=dict)
    _styles: Sequence[Style] = ()

    @classmethod
    def of(cls, lines: Sequence[PrintedLine], titles: Titles) -> HeadingFinder:
        """Learn the body's type and rank the styles of the lines that stand out from it."""
        finder = cls(titles, body_type(lines), _page_sizes=page_sizes(lines))
        sections = list(filter(_opens_section, lines))
        if len(sections) >= _FEW_SECTIONS:
            finder.base = _LEVEL_BELOW_SECTIONS
            finder.cover = range(min(sections[0].page, _COVER_PAGES + 1))
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
        if goes_on and not outstanding:
            return None
        numbered = numbered_heading(text, self._is_set_apart(line))
        if numbered and (outstanding or numbered.rule != _NEEDS_TYPE):
            return numbered.level
        if _may_be_title(text):
            announced = self.titles.level(text, line.page)
            if announced is not None:
                return announced
        return self._level_of_style(line) if outstanding else None

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
        if full and not ends_in_sentence(before.text):
            return True
        return self._are_centred(before, line) or _runs_on(before.text, line.text)

    def _level_of_style(self, line: PrintedLine) -> int | None:
        """The rank of the line's style as a level; None on the cover of a numbered document."""
        if line.page in self.cover:
            return None
        rank = bisect_left(self._styles, style_of(line))
        return self.base + min(_DEPTH, rank)

    def _stands_out(self, line: PrintedLine) -> bool:
        """True for a title in type that is larger or bolder than that of the text."""
        return self._is_set_apart(line) and _may_be_title(line.text.strip())

    def _is_lone_title(self, line: PrintedLine) -> bool:
        """True for a whole sentence in bold, or a short title in italics."""
        text = line.text.strip()
        if is_protected(text):
            return False
        if self._is_bolder(line):
            return looks_like_title(text.rstrip("."))
        is_short = len(text) <= _LONGEST_ITALIC and text[:1].isalnum()
        return line.italic and is_short and looks_like_title(text)

    def _is_set_apart(self, line: PrintedLine) -> bool:
        """True for type that is larger or bolder than that of the text."""
        body_size = max(self.body.size, self._page_sizes.get(line.page, 0.0))
        return line.size >= body_size + _LARGER or self._is_bolder(line)

    def _is_bolder(self, line: PrintedLine) -> bool:
        return line.bold and not self.body.bold

    def _are_centred(self, one: PrintedLine, other: PrintedLine) -> bool:
        """True for lines in large type around one middle."""
        is_large = other.size > self.body.size
        return is_large and abs((one.left + one.right) - (other.left + other.right)) < _CENTRED


def _may_be_title(text: str) -> bool:
    return looks_like_title(text) and not is_protected(text)


def _opens_section(line: PrintedLine) -> bool:
    """True for numbered headings of documents numbered throughout; statements and notes have names anywhere."""
    if len(line.text) >= _LONGEST_SECTION:
        return False
    found = numbered_heading(line.text)
    return found is not None and found.rule not in _NAMED_ANYWHERE


def _runs_on(before: str, after: str) -> bool:
    """True where one text ends in mid phrase or the other begins there."""
    return after[:1].islower() or _ENDS_OPEN.search(before) is not None


_BODY_PART = 7
"""The body's type makes up one part in so many of the text, at least: notes in smaller type are long."""
_FULL_PAGE = 600
"""Characters from which a page's own type counts as body."""
_COMMON = 3
"""A style has a rank of its own from so many lines."""
_SAME_SIZE = 0.5
"""Points."""


class Body(NamedTuple):
    """The type of the text."""

    size: float
    """In points, to a half."""
    bold: bool


class Style(NamedTuple):
    """The type of a line. Sorted, the style that stands highest comes first: larger, bolder, capitals, upright."""

    minus_size: float
    not_bold: bool
    not_capitals: bool
    italic: bool


def body_type(lines: Iterable[PrintedLine]) -> Body:
    """Size and weight of the text: the largest type that makes up a seventh of it."""
    characters: Counter[float] = Counter()
    bold: Counter[float] = Counter()
    for line in lines:
        size = _to_half(line.size)
        characters[size] += len(line.text)
        bold[size] += len(line.text) * line.bold
    enough = characters.total() / _BODY_PART
    size = max((size for size, count in characters.items() if count >= enough), default=0.0)
    return Body(size, bold[size] > 0.5 * characters[size])


def page_sizes(lines: Iterable[PrintedLine]) -> dict[int, float]:
    """The type size of most of the text of each page that has a fair amount of it."""
    pages: defaultdict[int, Counter[float]] = defaultdict(Counter)
    for line in lines:
        pages[line.page][line.size] += len(line.text)
    sizes = {}
    for page, characters in pages.items():
        if characters.total() >= _FULL_PAGE:
            sizes[page] = max(characters, key=lambda size: characters[size])
    return sizes


def style_of(line: PrintedLine) -> Style:
    has_letters = line.text.lower() != line.text
    capitals = has_letters and line.text.upper() == line.text
    return Style(-_to_half(line.size), not line.bold, not capitals, line.italic)


def ranked_styles(styles: Sequence[Style]) -> list[Style]:
    """The styles that are common enough to have a rank, highest first; the first one is the document's title."""
    common = {style for style, count in Counter(styles).items() if count >= _COMMON}
    return sorted(common.union(styles[:1]))


def is_same_type(one: PrintedLine, other: PrintedLine) -> bool:
    return abs(one.size - other.size) < _SAME_SIZE and one.emphasis == other.emphasis


def _to_half(size: float) -> float:
    return round(size * 2) / 2
