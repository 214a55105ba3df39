"""Running headers and footers and page numbers: what recurs at the edges of pages."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .block import PrintedLine
from .line_rules import CLEANING, is_protected
from .titles import numbered_heading

LineAt = tuple[int, int]
"""Index of the page, index of the line on it."""
Places = Sequence[LineAt]
"""Where a line of one wording is printed."""

_BAND = 0.12
"""Share of the page's height at either end in which furniture stands."""
_DEPTH = 4
"""Lines from the edge that are looked at."""
_FEWEST_LETTERS = 3
_SHARE = 0.2
_FEWEST_PAGES = 3
"""Furniture recurs on a fifth of the pages, three at least, or on three of any eight: chapter titles change."""
_NEAR = 8
_FEWEST_LOOSE_NUMBERS = 5
_SPREAD = 0.6
"""Pages for each number that counts up through the text: on one page alone it is a list that is numbered."""
_LONGEST_BESIDE = 80
"""Characters of a running line beside a page number in the middle of a page."""
_NUMBER = re.compile(r"\d+")
_SHORT_NUMBER = re.compile(r"(?:\d{1,4}|[-–—]\s?\d{1,4}\s?[-–—])")
_DASHES = "-–— "
_END_NUMBERS = re.compile(r"^\W*\d+\b|\b\d+\W*$")
_ROMAN = re.compile(r"\b[ivxlc]+\b")


def running_lines(pages: Sequence[Sequence[PrintedLine]], heights: Sequence[float]) -> dict[LineAt, str]:
    """Lines of running headers ("running header") and footers ("running footer"), digits normalised.

    Unit lines and column heads are never among them.
    """
    headers = _recurring_lines(pages, heights, top=True)
    footers = _recurring_lines(pages, heights, top=False)
    return dict.fromkeys(headers, "running header") | dict.fromkeys(footers, "running footer")


def page_numbers(pages: Sequence[Sequence[PrintedLine]], heights: Sequence[float]) -> dict[LineAt, str]:
    """Lines with nothing but a page number ("17", "Page 3 of 9", 第 3 页).

    A bare number counts only where its distance to the page's ordinal is that of other pages too: a value of a table
    at the foot of a page is left alone.
    """
    printed: dict[LineAt, int] = {}
    at_top = _edge_texts(pages, heights, top=True)
    at_bottom = _edge_texts(pages, heights, top=False)
    for place, text in itertools.chain(at_top, at_bottom):
        match = CLEANING.first("page_number", text.strip())
        if match:
            printed[place] = int(match["number"])
    offsets = Counter(number - page for (page, _), number in printed.items())
    enough = min(3, max(1, len(pages) - 1))
    found: dict[LineAt, str] = {}
    for (page, at), number in printed.items():
        is_bare = pages[page][at].text.strip().isdigit()
        if not is_bare or offsets[number - page] >= enough:
            found[page, at] = "page number"
    return found


def running_texts(pages: Sequence[Sequence[PrintedLine]], marks: Mapping[LineAt, str]) -> Counter[str]:
    """What the running headers and footers say, page numbers left out -> on how many pages it stands."""
    said: Counter[str] = Counter()
    for (page, at), rule in marks.items():
        if rule.startswith("running"):
            printed = " ".join(pages[page][at].text.split())
            said[_END_NUMBERS.sub("", printed).strip()] += 1
    return said


def loose_furniture(pages: Sequence[Sequence[PrintedLine]]) -> dict[LineAt, str]:
    """Page numbers, and the running lines beside them, in the middle of pages.

    A filing printed from HTML to another page size carries the numbers of its own pages. Bare or between dashes, they
    go up by one through the whole document, in the order of reading.
    """
    numbers = _counting_numbers(pages)
    enough = max(3, _SHARE * len(numbers))
    beside = _lines_beside(pages, numbers).values()
    headers = _lines_of(beside, lambda places: len(places) >= enough)
    return dict.fromkeys(numbers, "page number") | dict.fromkeys(headers, "running header")


def _recurring_lines(
    pages: Sequence[Sequence[PrintedLine]], heights: Sequence[float], *, top: bool
) -> Iterator[LineAt]:
    """Lines at one end of the pages that recur on many pages, or on pages near to each other."""
    anywhere: defaultdict[str, list[LineAt]] = defaultdict(list)
    nearby: defaultdict[str, list[LineAt]] = defaultdict(list)
    for place, text in _edge_texts(pages, heights, top):
        printed = " ".join(text.split())
        if _may_be_furniture(printed):
            anywhere[_wording(printed)].append(place)
            nearby[_END_NUMBERS.sub("#", printed)].append(place)
    enough = max(_FEWEST_PAGES, _SHARE * len(pages))
    yield from _lines_of(anywhere.values(), lambda places: len(_page_indices(places)) >= enough)
    yield from _lines_of(nearby.values(), _is_chapter_title)


def _lines_of(groups: Iterable[Places], recurs: Callable[[Places], bool]) -> Iterator[LineAt]:
    """The lines of the groups that recur often enough."""
    for places in groups:
        if recurs(places):
            yield from places


def _edge_texts(
    pages: Sequence[Sequence[PrintedLine]], heights: Sequence[float], top: bool
) -> Iterator[tuple[LineAt, str]]:
    """The outermost lines in the band at one end of each page."""
    for page, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        for at in _outermost(lines, top):
            if _is_in_band(lines[at], height, top):
                yield (page, at), lines[at].text


def _outermost(lines: Sequence[PrintedLine], top: bool) -> Sequence[int]:
    """Positions of the few lines nearest to one end, by their boxes; without boxes the first or last."""
    positions = range(len(lines))
    heights: Sequence[float] = [line.top + line.bottom for line in lines]
    if not any(heights):
        heights = positions
    ranked = sorted(positions, key=heights.__getitem__, reverse=not top)
    return ranked[:_DEPTH]


def _is_in_band(line: PrintedLine, height: float, top: bool) -> bool:
    if not line.has_box:
        return True
    if top:
        return line.bottom < _BAND * height
    return line.top > (1 - _BAND) * height


def _may_be_furniture(text: str) -> bool:
    """False for unit lines, column heads and boxes that are checked."""
    if sum(map(str.isalpha, text)) < _FEWEST_LETTERS or is_protected(text):
        return False
    return not CLEANING.any("exempt_symbol", text)


def _wording(text: str) -> str:
    """What all printings of a running line share: numbers and case apart; a numbered title is what it says."""
    if numbered_heading(text):
        return text
    return _ROMAN.sub("#", _NUMBER.sub("#", text.lower()))


def _page_indices(places: Places) -> list[int]:
    return sorted({page for page, _ in places})


def _is_chapter_title(places: Places) -> bool:
    """True for what stands on three of any eight pages."""
    pages = _page_indices(places)
    return any(third - first < _NEAR for first, third in zip(pages, pages[2:], strict=False))


def _counting_numbers(pages: Sequence[Sequence[PrintedLine]]) -> list[LineAt]:
    """Lines of bare numbers that count up through the whole document; none where too few pages have one."""
    numbers: dict[LineAt, int] = {}
    for page, lines in enumerate(pages):
        for at, line in enumerate(lines):
            if _SHORT_NUMBER.fullmatch(line.text):
                numbers[page, at] = int(line.text.strip(_DASHES))
    places = list(numbers)
    counting = [places[at] for at in _longest_count(list(numbers.values()))]
    are_many = len(counting) >= max(_FEWEST_LOOSE_NUMBERS, _SHARE * len(pages))
    are_spread = len(_page_indices(counting)) >= _SPREAD * len(counting)
    return counting if are_many and are_spread else []


def _lines_beside(pages: Sequence[Sequence[PrintedLine]], numbers: Sequence[LineAt]) -> defaultdict[str, list[LineAt]]:
    """Lines just before or after the page numbers that may be furniture, by their wording."""
    beside: defaultdict[str, list[LineAt]] = defaultdict(list)
    for page, number_at in numbers:
        lines = pages[page]
        for at in (number_at - 1, number_at + 1):
            if 0 <= at < len(lines) and _may_stand_beside(lines[at].text):
                beside[_wording(lines[at].text)].append((page, at))
    return beside


def _may_stand_beside(text: str) -> bool:
    """True for a short line that may be furniture."""
    return _may_be_furniture(text) and len(_wording(text)) < _LONGEST_BESIDE


class _Run(NamedTuple):
    """Numbers that count up."""

    length: int
    last: int
    """Position of its last number."""


_NO_RUN = _Run(0, -1)


def _longest_count(values: Sequence[int]) -> list[int]:
    """Positions of the longest run that counts up by one, gaps of one number allowed.

    >>> _longest_count([7, 3, 2019, 4, 5, 12, 7])
    [1, 3, 4, 6]
    """
    longest: dict[int, _Run] = {}  # by the number that it ends in
    previous: list[int] = []  # for each position, where the number before it in its run stands
    for at, value in enumerate(values):
        before = max(longest.get(value - 1, _NO_RUN), longest.get(value - 2, _NO_RUN))
        previous.append(before.last)
        run = _Run(before.length + 1, at)
        if run.length > longest.get(value, _NO_RUN).length:
            longest[value] = run
    positions = []
    at = max(longest.values(), default=_NO_RUN).last
    while at >= 0:
        positions.append(at)
        at = previous[at]
    positions.reverse()
    return positions
