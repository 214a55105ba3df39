"""Words of a page -> lines in reading order: columns and side bars say which part is read before which."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from statistics import median
from typing import Generic, Protocol, TypeVar

from ....core.anchor import Box, bounding_box
from ....core.records import dataclass
from ...pdf.backend import PageLayout, Word
from ..block import Boxed, PrintedLine
from .paragraphs import is_list_item

_SAME_PLACE = 3
"""Points; the same text printed twice in one place is meant to look bold."""
_SHARED_HEIGHT = 0.55
"""Share of the lower one's height that two runs on one base line have in common."""
_CELL_GAP = 2.0
"""Heights of a line; a wider gap in it parts cells."""
_UPRIGHT = 2.5
"""Times that text running up the page is higher than wide."""


@dataclass(frozen=True, slots=True)
class Run(Boxed):
    """Words side by side on one base line, as the PDF library groups them."""

    text: str
    box: Box
    size: float
    bold: bool
    italic: bool = False
    table: int | None = None
    """Ordinal of the table whose place it holds; it then has no text."""


Part = TypeVar("Part", Word, Run)


def page_lines(
    layout: PageLayout, skip: Collection[int] = (), tables: Sequence[tuple[int, Box]] = ()
) -> list[PrintedLine]:
    """The page's lines in reading order; words whose index is in ``skip`` (they stand in tables) are left out.

    For each of ``tables`` (ordinal, box) an empty line marks the place. Text that runs up the page comes last.
    """
    runs = _runs(layout.words, skip)
    level = list(itertools.filterfalse(_is_upright, runs))
    level += [Run("", box, size=0.0, bold=False, table=ordinal) for ordinal, box in tables]
    regions = list(map(_rows, reading_order(level, layout.width)))
    regions.append([[run] for run in filter(_is_upright, runs)])
    lines: list[PrintedLine] = []
    for column, rows in enumerate(regions):
        lines += [_line(row, layout.number, column) for row in rows]
    return lines


def _runs(words: Sequence[Word], skip: Collection[int]) -> list[Run]:
    """Words of one line of the PDF library together; text that is printed twice in one place counts once."""
    groups: defaultdict[tuple[int, int], list[Word]] = defaultdict(list)
    for index, word in enumerate(words):
        if index not in skip:
            groups[word.block, word.line].append(word)
    runs: dict[tuple[str, int, int], Run] = {}
    for group in groups.values():
        run = _run(group)
        place = (run.text, round(run.left / _SAME_PLACE), round(run.top / _SAME_PLACE))
        runs.setdefault(place, run)
    return list(runs.values())


def _run(words: Sequence[Word]) -> Run:
    texts, boxes, sizes, bold, _, _, italic = zip(*words, strict=True)
    types = set(zip(sizes, bold, italic, strict=True))
    if len(types) == 1:  # most lines are set in one type
        main_size, all_bold, all_italic = types.pop()
    else:
        main_size = _main_size(words)
        all_bold, all_italic = _emphasis(words)
    return Run(" ".join(texts), bounding_box(boxes), main_size, all_bold, all_italic)


def _is_upright(run: Run) -> bool:
    """True for text that runs up or down the page."""
    return len(run.text) > 3 and run.height > _UPRIGHT * run.width


def _main_size(words: Sequence[Word]) -> float:
    """The type size of most of the characters; of two the larger."""
    characters: Counter[float] = Counter()
    for word in words:
        characters[word.size] += len(word.text)
    return max(characters, key=lambda size: (characters[size], size))


def _emphasis(parts: Iterable[Part]) -> tuple[bool, bool]:
    """Whether all that holds a letter or digit is bold, and whether all of it is in italics."""
    said = list(filter(_says_something, parts))
    return all(part.bold for part in said), all(part.italic for part in said)


def _says_something(part: Word | Run) -> bool:
    return any(map(str.isalnum, part.text))


def _rows(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs that share a base line, rows from the top, each from the left."""
    rows: list[list[Run]] = []
    highest: Run | None = None  # of the present row
    for run in sorted(runs, key=lambda run: (run.top + run.bottom, run.left)):
        if highest is None or not _share_base_line(highest, run):
            rows.append([run])
            highest = run
            continue
        rows[-1].append(run)
        if run.height > highest.height:
            highest = run
    return [sorted(row, key=lambda run: run.left) for row in rows]


def _share_base_line(one: Run, other: Run) -> bool:
    """True for runs of text side by side; a table stands alone."""
    if one.table is not None or other.table is not None:
        return False
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > _SHARED_HEIGHT * min(one.height, other.height)


def _line(row: Sequence[Run], page: int, column: int) -> PrintedLine:
    if len(row) == 1:
        return _line_of_run(row[0], page, column)
    text = " ".join(run.text for run in row)
    longest = max(row, key=lambda run: len(run.text))
    bold, italic = _emphasis(row)
    box = bounding_box(run.box for run in row)
    widest_gap = max(after.left - before.right for before, after in itertools.pairwise(row))
    has_cells = widest_gap > _CELL_GAP * (box[3] - box[1])
    return PrintedLine(
        text=text,
        page=page,
        box=box,
        size=longest.size,
        bold=bold,
        column=column,
        spaced=has_cells and not is_list_item(text),
        italic=italic,
    )


def _line_of_run(run: Run, page: int, column: int) -> PrintedLine:
    return PrintedLine(
        text=run.text,
        page=page,
        box=run.box,
        size=run.size,
        bold=run.bold,
        column=column,
        italic=run.italic,
        table=run.table,
    )


class Placed(Protocol):
    """Text at a place, in type of a size (points)."""

    @property
    def text(self) -> str: ...
    @property
    def box(self) -> Box: ...
    @property
    def size(self) -> float: ...


P = TypeVar("P", bound=Placed)

_MIN_LINES = 5
"""Lines that a column has at least."""
_MAX_DEPTH = 8
"""Times that a part of a page is split again."""
_MAX_EDGES = 12
"""Left edges that are tried, from the left."""
_INNER_LEFT, _INNER_RIGHT = 0.15, 0.85
"""Shares of the page's width between which a column begins."""
_SLOT = 3
"""Points; runs that begin within the same slot or the next are aligned."""
_PROSE_CHARS = 24
_PROSE_CHARS_ZH = 11
"""Characters from which a run may be a line of prose."""
_PROSE_SHARE = 0.6
"""Share of a column's characters that stand in lines of prose."""
_MAX_DIGITS_OF_PROSE = 0.3
_MAX_DIGITS_OF_SIDE_BAR = 0.4
_SAME_BASE_LINE = 1.5
"""Points."""
_MAX_LEVEL = 0.5
_MAX_LEVEL_OWN_SIZE = 0.8
"""Share of a side bar's lines that may stand level with the text's: more where its type has a size of its own."""
_OWN_SIZE = 0.8
"""Points between the sizes of two types."""
_HAN = re.compile(r"[\u4e00-\u9fff]")


class _Side(Generic[P]):
    """What stands on one side of an edge."""

    def __init__(self, runs: list[P]) -> None:
        self.runs = runs
        self._texts = [run.text for run in runs]
        self.characters = sum(map(len, self._texts))

    @property
    def is_prose(self) -> bool:
        long = filter(_is_long, self._texts)
        return sum(map(len, long)) >= _PROSE_SHARE * self.characters

    def is_side_bar_to(self, text: _Side[P]) -> bool:
        """True where its lines keep a base line or a type size of their own and are no numbers."""
        if sum(map(_digits, self._texts)) > _MAX_DIGITS_OF_SIDE_BAR * self.characters:
            return False
        lines = len(self.runs)
        level = self._lines_level_with(text)
        if level < _MAX_LEVEL * lines:
            return True
        has_own_size = abs(self._median_size() - text._median_size()) >= _OWN_SIZE
        return has_own_size and level < _MAX_LEVEL_OWN_SIZE * lines

    def _lines_level_with(self, other: _Side[P]) -> int:
        """How many of its lines stand on a base line of the other side."""
        base_lines = other._base_lines()
        level = 0
        for y in self._base_lines():
            level += any(abs(y - base_line) < _SAME_BASE_LINE for base_line in base_lines)
        return level

    def _base_lines(self) -> list[float]:
        return [run.box[3] for run in self.runs]

    def _median_size(self) -> float:
        return median(run.size for run in self.runs)


@dataclass(frozen=True, slots=True)
class _Columns(Generic[P]):
    """Two columns side by side in a band of the page from ``top`` to ``bottom``."""

    left: _Side[P]
    right: _Side[P]
    top: float
    bottom: float

    @property
    def characters(self) -> int:
        """Of the smaller one."""
        return min(self.left.characters, self.right.characters)

    def are_text(self) -> bool:
        """True where both are prose, or one is prose and the other a side bar to it."""
        left, right = self.left, self.right
        if min(len(left.runs), len(right.runs)) < _MIN_LINES:
            return False
        if left.is_prose:
            return right.is_prose or right.is_side_bar_to(left)
        return right.is_prose and left.is_side_bar_to(right)

    def in_reading_order(self, runs: Sequence[P]) -> tuple[list[P], list[P], list[P], list[P]]:
        """All of ``runs``: what stands above the columns, the left and the right one, what stands below."""
        in_columns = set(map(id, self.left.runs + self.right.runs))
        middle = (self.top + self.bottom) / 2
        above: list[P] = []
        below: list[P] = []
        for run in runs:
            if id(run) in in_columns:
                continue
            part = above if run.box[1] < middle else below
            part.append(run)
        return above, self.left.runs, self.right.runs, below


def reading_order(runs: Sequence[P], width: float) -> list[list[P]]:
    """Split runs into regions to be read one after the other: bands from the top, columns from the left.

    ``width`` is the page's, in points. A table's label and number columns are no columns in this sense: both sides
    have to be prose, or one of them a side bar whose lines stand beside, not level with, those of the text.
    """
    from_the_top = sorted(runs, key=lambda run: run.box[1])
    return list(filter(None, _regions(from_the_top, width, depth=0)))


def _regions(runs: list[P], width: float, depth: int) -> list[list[P]]:
    if len(runs) < 2 * _MIN_LINES or depth >= _MAX_DEPTH:
        return [runs]
    columns = _best_columns(runs, width)
    if columns is None:
        return [runs]
    regions = []
    for part in columns.in_reading_order(runs):
        regions += _regions(part, width, depth + 1)
    return regions


def _best_columns(runs: Sequence[P], width: float) -> _Columns[P] | None:
    """The two columns with the most text; None where the page has one only."""
    best: _Columns[P] | None = None
    most = -1
    boxes = [run.box for run in runs]
    for edge in _left_edges(boxes, width):
        top, bottom = _free_band(boxes, edge)
        columns = _columns_at(edge, top, bottom, runs)
        if columns.characters > most and columns.are_text():
            best, most = columns, columns.characters
    return best


def _columns_at(edge: float, top: float, bottom: float, runs: Sequence[P]) -> _Columns[P]:
    """What stands on either side of ``edge`` in the band from ``top`` to ``bottom``."""
    left: list[P] = []
    right: list[P] = []
    for run in runs:
        x0, y0, x1, y1 = run.box
        if y0 < top - 1 or y1 > bottom + 1:
            continue
        if x1 <= edge + 1:
            left.append(run)
        if x0 >= edge - 2:
            right.append(run)
    return _Columns(_Side(left), _Side(right), top, bottom)


def _left_edges(boxes: Sequence[Box], width: float) -> list[float]:
    """Places in the inner page at which several runs begin: a column's text is aligned at its left."""
    left, right = _INNER_LEFT * width, _INNER_RIGHT * width
    beginnings = [box[0] for box in boxes]
    counts = Counter(_slot(x) for x in beginnings if left < x < right)
    slots = [slot for slot in counts if _are_aligned(counts, slot)]
    edges = [_leftmost(beginnings, slot) for slot in slots]
    return sorted(edges)[:_MAX_EDGES]


def _slot(x: float) -> int:
    return round(x / _SLOT)


def _are_aligned(counts: Counter[int], slot: int) -> bool:
    """True where several runs begin in the slot or the next, and no fewer than in the slot before."""
    is_peak = counts[slot] >= counts[slot - 1]
    return is_peak and counts[slot] + counts[slot + 1] >= _MIN_LINES


def _leftmost(beginnings: Sequence[float], slot: int) -> float:
    return min(x for x in beginnings if _slot(x) in (slot, slot + 1))


def _free_band(boxes: Sequence[Box], edge: float) -> tuple[float, float]:
    """The highest stretch of the page in which nothing crosses ``edge``, as top and bottom."""
    _, tops, _, bottoms = zip(*boxes, strict=True)
    first, last = min(tops), max(bottoms)
    crossing = [(y0, y1) for x0, y0, x1, y1 in boxes if x0 < edge - 3 and x1 > edge + 2]
    best = (first, first)
    top = first
    for y0, y1 in [*sorted(crossing), (last, last)]:
        if y0 - top > best[1] - best[0]:
            best = (top, y0)
        top = max(top, y1)
    return best


def _is_long(text: str) -> bool:
    """True for a run as long as a line of prose and not mostly digits."""
    fewest = _PROSE_CHARS_ZH if _HAN.search(text) else _PROSE_CHARS
    return len(text) >= fewest and _digits(text) < _MAX_DIGITS_OF_PROSE * len(text)


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))
