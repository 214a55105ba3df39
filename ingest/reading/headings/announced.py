"""Titles that a document announces: its bookmarks, else its printed contents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...pdf.backend import OutlineItem
from .titles import numbered_heading

_PAGE_AT_END = re.compile(r"(?<![\s.…·_])[\s.…·_]*(?:(?:\((?:[A-Z]-)?\d{0,3}\)?|[A-Z]-\d{0,3}\)?|\d{1,3}\)?|\))\s*)?$")
_NOT_WORD = re.compile(r"[\W_]+")
_MIN_TITLE = 3
_MIN_UNNUMBERED = 8
_MIN_PREFIX = 12
"""Letters and digits: of a title at all, of one without a number of its own, of the part that two printings share."""


def title_key(text: str) -> str:
    """What two printings of one title have in common: letters and digits.

    >>> title_key("Item 1A.  Risk Factors") == title_key("ITEM 1A – RISK FACTORS")
    True
    """
    return _NOT_WORD.sub("", text.lower())


@dataclass(slots=True)
class Titles:
    """Announced titles with their levels; looked up by a line's text and page."""

    _levels: defaultdict[int | None, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    """Page (None for anywhere) -> key of a title -> its level."""

    def announce(self, key: str, level: int, page: int | None = None) -> None:
        """Add a title by its key; without a page it may stand anywhere. The first level given for it counts."""
        self._levels[page].setdefault(key, level)

    def level(self, text: str, page: int) -> int | None:
        """The level of the title that this line prints, on the page it points to or next to it; else None."""
        key = title_key(text)
        if len(key) < _MIN_TITLE:
            return None
        for number in (page, page - 1, page + 1):
            level = _lookup(self._levels.get(number, {}), key)
            if level is not None:
                return level
        return self._levels.get(None, {}).get(key)

    def __bool__(self) -> bool:
        return bool(self._levels)


def titles_of_outline(items: Iterable[OutlineItem]) -> Titles:
    """Bookmarks: level and page are given."""
    titles = Titles()
    for item in items:
        key = title_key(item.title)
        if len(key) >= _MIN_TITLE:
            titles.announce(key, item.level, item.page)
    return titles


def titles_of_contents(lines: Sequence[str]) -> Titles:
    """Printed contents: page numbers there are the printed ones, so a title counts wherever it stands on a line.

    Only numbered lines and those with a page number, at their end or on the next line, are titles. One without a
    number stands a level below the last numbered one.
    """
    titles = Titles()
    level_of_numbered = 0
    for text, following in zip(lines, [*lines[1:], ""], strict=False):
        title = _PAGE_AT_END.sub("", text).strip()
        key = title_key(title)
        has_page = title != text.strip() or following.strip().isdecimal()
        has_title = has_page and len(key) >= _MIN_UNNUMBERED
        level = level_of_numbered + 1
        numbered = numbered_heading(title)
        if numbered:
            level = level_of_numbered = numbered.level
            has_title = has_title or not numbered.open
        if has_title:
            titles.announce(key, level)
    return titles


def _lookup(titles: Mapping[str, int], key: str) -> int | None:
    """The level of the title with this key, or of one that begins with it or that it begins with."""
    if key in titles:
        return titles[key]
    if len(key) < _MIN_PREFIX:
        return None
    for title, level in titles.items():
        if title.startswith(key) or key.startswith(title):
            return level
    return None
