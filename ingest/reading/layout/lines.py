"""Words of a page -> lines in reading order."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ....core.anchor import Box, bounding_box
from ...pdf.backend import PageLayout, Word
from ..block import Boxed, PrintedLine
from .columns import reading_order
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
