"""A page as short lines of words: table values dropped, so that row names and titles stand out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import filterfalse, takewhile

_NUMBER = re.compile(r"(?:[$€£¥￥(\-–—]*\d[\d,]*(?:\.\d*)?[)%]*|[$€£¥￥%()—–\-*]+|\)%|nm|n/m|N/A|NM)\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_LEADERS = re.compile(r"\.(?:\s?\.){2,}|_{3,}|·{3,}|…{2,}")
_RULE_CELL = re.compile(r":?-{2,}:?\Z")
_MARKS = re.compile(r"^#{1,6}\s+|\*\*")
_LONGEST_ROW = 14
"""Words; a longer line that ends in a number is prose."""


@dataclass(frozen=True, slots=True)
class PageLines:
    """Lines without table values (years stay) and how many numbers other than years the page has.

    ``rows`` tells which lines are table rows: they lost a value, or the line below them is one.
    """

    lines: tuple[str, ...]
    rows: tuple[bool, ...]
    numbers: int


def page_lines(text: str) -> PageLines:
    """Read a page, whether its tables are Markdown, one cell a line, or one row a line.

    >>> page_lines("Balance sheet\\n| Cash | 1,234 | 987 |\\nInventories\\n(56)\\n2022 2021")
    PageLines(lines=('Balance sheet', 'Cash', 'Inventories', '2022 2021'), rows=(False, True, True, False), numbers=3)
    """
    lines: list[str] = []
    rows: list[bool] = []
    numbers = 0
    for raw in text.splitlines():
        words = _words(raw)
        values = sum(map(_is_value, words))
        numbers += values
        kept = _without_values(words)
        if kept:
            lines.append(" ".join(kept))
            rows.append(len(kept) < len(words))
        elif values and rows:
            rows[-1] = True
    return PageLines(tuple(lines), tuple(rows), numbers)


def _words(raw: str) -> list[str]:
    line = _LEADERS.sub(" ", _MARKS.sub("", raw))
    if not line.lstrip().startswith("|"):
        return line.split()
    cells = line.replace("|", " ").split()
    return list(filterfalse(_RULE_CELL.match, cells))


def _is_value(word: str) -> bool:
    """True for a number that is not a year."""
    is_number = _NUMBER.match(word) and any(map(str.isdigit, word))
    return bool(is_number) and not _YEAR.match(word)


def _without_values(words: list[str]) -> list[str]:
    """The words of a line without the values that end it; years alone stay, and so does prose."""
    if all(map(_NUMBER.match, words)):
        return list(filter(_YEAR.match, words))
    if len(words) > 2 * _LONGEST_ROW or words[-1][-1] in ".;:":
        return words
    backwards = takewhile(_NUMBER.match, reversed(words))
    values = list(backwards)
    is_prose = len(words) > _LONGEST_ROW and len(values) < 2
    if is_prose or not _are_values(values):
        return words
    return words[: len(words) - len(values)]


def _are_values(words: list[str]) -> bool:
    """True for the end of a row: not only years, and not only a dash or a bracket."""
    is_years = all(map(_YEAR.match, words))
    return not is_years and any(len(word) > 2 or word in "$%" for word in words)
