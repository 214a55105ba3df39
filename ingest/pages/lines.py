"""A page as short lines of words: table values dropped, so that row names and titles stand out."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"(?:[$€£¥￥(\-–—]*\d[\d,]*\.?\d*[)%]*|[$€£¥￥%()—–\-*]+|\)%|nm|n/m|N/A|NM)\Z")
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
        values = sum(1 for word in words if _is_value(word))
        kept = _without_values(words)
        if kept:
            lines.append(" ".join(kept))
            rows.append(len(kept) < len(words))
        elif values and rows:
            rows[-1] = True
        numbers += values
    return PageLines(tuple(lines), tuple(rows), numbers)


def _words(raw: str) -> list[str]:
    line = _LEADERS.sub(" ", _MARKS.sub("", raw))
    if line.lstrip().startswith("|"):
        return [word for word in line.replace("|", " ").split() if not _RULE_CELL.match(word)]
    return line.split()


def _is_value(word: str) -> bool:
    return bool(_NUMBER.match(word)) and any(map(str.isdigit, word)) and not _YEAR.match(word)


def _without_values(words: list[str]) -> list[str]:
    if all(_NUMBER.match(word) for word in words):
        return [word for word in words if _YEAR.match(word)]
    if len(words) > 2 * _LONGEST_ROW or words[-1][-1] in ".;:":
        return words
    last = len(words)
    while last > 0 and _NUMBER.match(words[last - 1]):
        last -= 1
    tail = words[last:]
    if len(words) > _LONGEST_ROW and len(tail) < 2:
        return words
    is_row = any(not _YEAR.match(word) for word in tail) and any(len(word) > 2 or word in "$%" for word in tail)
    return words[:last] if is_row else words
