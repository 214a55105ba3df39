"""Running headers and footers and page numbers: what recurs at the edges of pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from .block import PrintedLine
from .numbering import numbered_heading
from .patterns import is_protected, pattern, patterns

Place = tuple[int, int]
"""Index of the page, index of the line on it."""

_BAND = 0.12
"""Share of the page's height at either end in which furniture stands."""
_DEPTH = 4
"""Lines from the edge that are looked at."""
_MIN_LETTERS = 3
_SHARE = 0.2
_SPREAD = 0.6
"""Pages for each number that counts up through the text: on one page alone it is a list that is numbered."""
_NEAR = 8
"""Furniture recurs on a fifth of the pages, or on three of any eight: chapter titles change."""
_NUMBER = re.compile(r"\d+")
_END_NUMBERS = re.compile(r"^\W*\d+\b|\b\d+\W*$")
_ROMAN = re.compile(r"\b[ivxlc]+\b")


def running_lines(pages: Sequence[Sequence[PrintedLine]], heights: Sequence[float]) -> dict[Place, str]:
    """Lines of running headers ("running header") and footers ("running footer"), digits normalised.

    Unit lines and column heads are never among them.
    """
    found: dict[Place, str] = {}
    for rule, top in (("running header", True), ("running footer", False)):
        everywhere: defaultdict[str, list[Place]] = defaultdict(list)
        nearby: defaultdict[str, list[Place]] = defaultdict(list)
        for index, (lines, height) in enumerate(zip(pages, heights, strict=True)):
            for position in _edge(lines, height, top):
                text = " ".join(lines[position].text.split())
                if _may_be_furniture(text):
                    everywhere[_shape(text)].append((index, position))
                    nearby[_END_NUMBERS.sub("#", text)].append((index, position))
        for where in everywhere.values():
            if len({page for page, _ in where}) >= max(3, _SHARE * len(pages)):
                found.update(dict.fromkeys(where, rule))
        for where in nearby.values():
            if _is_chapter_title([page for page, _ in where]):
                found.update(dict.fromkeys(where, rule))
    return found


def _may_be_furniture(text: str) -> bool:
    """False for unit lines, column heads and boxes that are checked."""
    if sum(map(str.isalpha, text)) < _MIN_LETTERS or is_protected(text):
        return False
    return not pattern("exempt_symbol").search(text)


def page_numbers(pages: Sequence[Sequence[PrintedLine]], heights: Sequence[float]) -> dict[Place, str]:
    """Lines with nothing but a page number.

    A bare number counts only where its distance to the page's ordinal is that of other pages too: a value of a table
    at the foot of a page is left alone.
    """
    printed: dict[Place, int] = {}
    explicit: set[Place] = set()
    for index, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        for top in (True, False):
            for position in _edge(lines, height, top):
                number = _page_number(lines[position].text)
                if number is not None:
                    printed[index, position] = number
                    if not lines[position].text.strip().isdigit():
                        explicit.add((index, position))
    offsets = Counter(number - place[0] for place, number in printed.items())
    enough = min(3, max(1, len(pages) - 1))
    return {p: "page number" for p, n in printed.items() if p in explicit or offsets[n - p[0]] >= enough}


def _edge(lines: Sequence[PrintedLine], height: float, top: bool) -> Iterator[int]:
    """Positions of the outermost lines in the band at one end of the page; without boxes, of the first or last."""
    places = range(len(lines))
    if lines and lines[0].box is None:
        ranked = list(places if top else reversed(places))
    else:
        ranked = sorted(places, key=lambda at: _middle(lines[at]), reverse=not top)
    for position in ranked[:_DEPTH]:
        box = lines[position].box
        if box is None or (box[3] < _BAND * height if top else box[1] > (1 - _BAND) * height):
            yield position


def _middle(line: PrintedLine) -> float:
    return line.box[1] + line.box[3] if line.box else 0.0


def _shape(text: str) -> str:
    """What all printings of a running line share: numbers and case apart; a numbered title is what it says."""
    if numbered_heading(text):
        return text
    return _ROMAN.sub("#", _NUMBER.sub("#", text.lower()))


def _is_chapter_title(where: Sequence[int]) -> bool:
    """True for what stands on three of any eight pages."""
    pages = sorted(set(where))
    return any(after - before < _NEAR for before, after in zip(pages, pages[2:], strict=False))


def _page_number(text: str) -> int | None:
    for form in patterns("page_number"):
        if match := form.match(text.strip()):
            return int(match["number"])
    return None


def running_texts(pages: Sequence[Sequence[PrintedLine]], marks: Mapping[Place, str]) -> Counter[str]:
    """What the running headers and footers say, page numbers left out -> on how many pages it stands."""
    said = Counter[str]()
    for (page, at), rule in marks.items():
        if rule.startswith("running"):
            said[_END_NUMBERS.sub("", " ".join(pages[page][at].text.split())).strip()] += 1
    return said


def loose_furniture(pages: Sequence[Sequence[PrintedLine]]) -> dict[Place, str]:
    """Page numbers, and the running lines beside them, in the middle of pages.

    A filing printed from HTML to another page size carries the numbers of its own pages: bare numbers that go up by
    one through the whole document, in the order of reading.
    """
    numbers = [
        ((index, at), int(line.text))
        for index, lines in enumerate(pages)
        for at, line in enumerate(lines)
        if line.table is None and line.text.isdecimal() and len(line.text) <= 4
    ]
    chain = _longest_count([value for _, value in numbers])
    on_pages = {numbers[at][0][0] for at in chain}
    if len(chain) < max(5, _SHARE * len(pages)) or len(on_pages) < _SPREAD * len(chain):
        return {}
    found = {numbers[at][0]: "page number" for at in chain}
    beside: defaultdict[str, list[Place]] = defaultdict(list)
    for index, at in found:
        for near in (at - 1, at + 1):
            if 0 <= near < len(pages[index]) and _may_be_furniture(pages[index][near].text):
                beside[_shape(pages[index][near].text)].append((index, near))
    for text, places in beside.items():
        if len(places) >= max(3, _SHARE * len(chain)) and len(text) < 80:
            found.update(dict.fromkeys(places, "running header"))
    return found


def _longest_count(values: Sequence[int]) -> list[int]:
    """Positions of the longest run that counts up by one, gaps of one number allowed.

    >>> _longest_count([7, 3, 2019, 4, 5, 12, 7])
    [1, 3, 4, 6]
    """
    best: dict[int, tuple[int, int]] = {}
    before: list[int] = []
    for at, value in enumerate(values):
        length, previous = max(best.get(value - 1, (0, -1)), best.get(value - 2, (0, -1)))
        before.append(previous)
        if length + 1 > best.get(value, (0, -1))[0]:
            best[value] = (length + 1, at)
    at = max(best.values(), default=(0, -1))[1]
    chain = []
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]
