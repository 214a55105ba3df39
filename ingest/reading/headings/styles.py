"""Type: what of a document is body text, and which styles stand out from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..block import PrintedLine

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
