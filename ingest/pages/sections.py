"""Parts of a document that run from their title to the next: items of a filing, notes, Chinese statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .titles import HEADING, ITEM, NOTE, SECTION_END, Title, joined, numbers_its_items, read_title

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
        titles = [read_title(line, numbers_items=self._numbers_items) for line in lines]
        if _is_contents([title for title in titles if title]):
            titles = [None] * len(lines)
        covered: Counter[str] = Counter()
        named: set[str] = set()
        for title in titles:
            if title:
                self._open(title)
                named.update(title.names)
            covered.update({name for opened in self._opened.values() for name in opened.names})
        shares = {name: max(count / len(lines), _TITLED * (name in named)) for name, count in sorted(covered.items())}
        return {name: round(share * self._certainty(name), 3) for name, share in shares.items()}

    def _open(self, title: Title) -> None:
        same = self._opened.get(title.level)
        if title.names and same and same.names == title.names and title.level != HEADING:
            return  # the running head of a further page
        self._age = 0 if title.level == HEADING else self._age
        for level in [level for level in self._opened if level >= title.level]:
            del self._opened[level]
        if title.says_note and not _HOLDS_NOTES.intersection(self._opened.get(ITEM, Title((), ITEM)).names):
            self._opened[ITEM] = Title(("notes",), ITEM)
        self._opened[title.level] = title

    def _certainty(self, name: str) -> float:
        heading = self._opened.get(HEADING)
        if not heading or name not in heading.names:
            return 1.0
        is_sure = any(name in title.names for level, title in self._opened.items() if level <= NOTE)
        return 1.0 if is_sure else max(_FAINTEST, 1 - _FADING * self._age)


def _is_contents(titles: Sequence[Title]) -> bool:
    known = {title.names for title in titles if title.names}
    notes = sum(title.says_note for title in titles)
    return max(len(known), notes) >= _CONTENTS or sum(title.level == ITEM for title in titles) >= _LISTED_ITEMS
