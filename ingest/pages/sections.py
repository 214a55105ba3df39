"""Parts of a document that run from their title to the next: items of a filing, notes, Chinese statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from .titles import HEADING, ITEM, SECTION_END, Title, joined, numbers_its_items, read_title

__all__ = ["SECTION_END", "section_scores"]

_CONTENTS, _LISTED_ITEMS = 5, 8
"""So many different sections, or numbered notes, or items on one page are a table of contents."""
_FADING, _FAINTEST = 0.1, 0.3
"""A heading loses so much of its score on each page after its title: an unseen next title may have ended it."""
_TITLED = 0.6
"""Least score of a section on the page that its title stands on."""
_HOLDS_NOTES = frozenset({"notes", "statements"})


def section_scores(pages: Sequence[Sequence[str]]) -> list[dict[str, float]]:
    """For each page (its lines) the share of it that each section covers; at least .6 where its title stands.

    >>> section_scores([["Item 3. Legal Proceedings", "We are sued."], ["More of it.", "Item 4. Others", "None."]])
    [{'legal': 1.0}, {'legal': 0.333}]
    """
    reader = _Reader(numbers_items=numbers_its_items(pages))
    return [reader.read(joined(lines)) for lines in pages]


class _Reader:
    """Reads pages in order and keeps the titles that are open, one a level."""

    def __init__(self, *, numbers_items: bool) -> None:
        self._numbers_items = numbers_items
        self._opened: dict[int, Title] = {}
        self._age = 0
        """Pages since the last heading."""

    def read(self, lines: Sequence[str]) -> dict[str, float]:
        """The share of one page that each section covers."""
        self._age += 1
        titles = self._titles(lines)
        covered: Counter[str] = Counter()
        for title in titles:
            if title is not None:
                self._open(title)
            covered.update(_names(self._opened.values()))
        least = dict.fromkeys(_names(filter(None, titles)), _TITLED)
        shares = {}
        for name, count in sorted(covered.items()):
            share = max(count / len(lines), least.get(name, 0.0))
            shares[name] = round(share * self._certainty(name), 3)
        return shares

    def _titles(self, lines: Sequence[str]) -> list[Title | None]:
        """For each line the title that it is, or None; on a page of contents none is one."""
        titles = [read_title(line, numbers_items=self._numbers_items) for line in lines]
        if _is_contents(list(filter(None, titles))):
            return [None] * len(lines)
        return titles

    def _open(self, title: Title) -> None:
        """Let a title close those of its level and below, and stand open itself."""
        if self._is_running_head(title):
            return
        if title.level == HEADING:
            self._age = 0
        for level in range(title.level, HEADING + 1):
            self._opened.pop(level, None)
        if title.says_note and not self._holds_notes():
            self._opened[ITEM] = Title(("notes",), ITEM)
        self._opened[title.level] = title

    def _is_running_head(self, title: Title) -> bool:
        """True for the title of a section that is open, printed again on a further page."""
        if title.level == HEADING or not title.names:
            return False
        same = self._opened.get(title.level)
        return same is not None and same.names == title.names

    def _holds_notes(self) -> bool:
        """True where numbered notes may belong to the item that is open."""
        item = self._opened.get(ITEM)
        return item is not None and not _HOLDS_NOTES.isdisjoint(item.names)

    def _certainty(self, name: str) -> float:
        """How sure it is that a section still goes on: 1, less for one that only a heading opened."""
        surer = [title for level, title in self._opened.items() if level != HEADING]
        if name in _names(surer):
            return 1.0
        heading = self._opened.get(HEADING)
        if heading is None or name not in heading.names:
            return 1.0
        return max(_FAINTEST, 1 - _FADING * self._age)


def _names(titles: Iterable[Title]) -> set[str]:
    """The sections that these titles open."""
    return set(chain.from_iterable(title.names for title in titles))


def _is_contents(titles: Sequence[Title]) -> bool:
    """True for a page with so many titles that it lists them."""
    sections = {title.names for title in titles if title.names}
    notes = sum(title.says_note for title in titles)
    if max(len(sections), notes) >= _CONTENTS:
        return True
    items = sum(title.level == ITEM for title in titles)
    return items >= _LISTED_ITEMS
