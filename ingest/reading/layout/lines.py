"""Words of a page -> lines in reading order."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ....core.anchor import Box
from ...pdf.backend import PageLayout, Word
from ..block import PrintedLine
from ..boxes import Boxed, bounding_box
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

    @property
    def is_upright(self) -> bool:
        """True for text that runs up or down the page."""
        return len(self.text) > 3 and self.height > _UPRIGHT * self.width


def page_lines(
    layout: PageLayout, skip: Collection[int] = (), tables: Sequence[tuple[int, Box]] = ()
) -> list[PrintedLine]:
    """The page's lines in reading order; words whose index is in ``skip`` (they stand in tables) are left out.

    For each of ``tables`` (ordinal, box) an empty line marks the place. Text that runs up the page comes last.
    """
    level: list[Run] = []
    upright: list[Run] = []
    for run in _runs(layout.words, skip):
        side = upright if run.is_upright else level
        side.append(run)
    for ordinal, box in tables:
        level.append(Run("", box, size=0.0, bold=False, table=ordinal))
    regions = reading_order(level, layout.width)
    lines: list[PrintedLine] = []
    for column, region in enumerate(regions):
        lines += [_line(row, layout.number, column) for row in _rows(region)]
    lines += [_line([run], layout.number, len(regions)) for run in upright]
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
    text = " ".join([word.text for word in words])
    box = bounding_box([word.box for word in words])
    types = {(word.size, word.bold, word.italic) for word in words}
    if len(types) == 1:  # most lines are set in one type
        (size, bold, italic) = types.pop()
    else:
        size = _main_size(words)
        bold, italic = _emphasis(words)
    return Run(text, box, size, bold, italic)


def _main_size(words: Sequence[Word]) -> float:
    """The type size of most of the characters; of two the larger."""
    characters: Counter[float] = Counter()
    for word in words:
        characters[word.size] += len(word.text)
    return max(characters, key=lambda size: (characters[size], size))


def _emphasis(parts: Iterable[Word] | Iterable[Run]) -> tuple[bool, bool]:
    """Whether all that holds a letter or digit is bold, and whether all of it is in italics."""
    said = [part for part in parts if any(map(str.isalnum, part.text))]
    return all(part.bold for part in said), all(part.italic for part in said)


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
        run = row[0]
        return PrintedLine(run.text, page, run.box, run.size, run.bold, column, italic=run.italic, table=run.table)
    text = " ".join(run.text for run in row)
    longest = max(row, key=lambda run: len(run.text))
    bold, italic = _emphasis(row)
    box = bounding_box(run.box for run in row)
    widest_gap = max(after.left - before.right for before, after in itertools.pairwise(row))
    has_cells = widest_gap > _CELL_GAP * (box[3] - box[1])
    return PrintedLine(
        text,
        page,
        box,
        longest.size,
        bold,
        column,
        spaced=has_cells and not is_list_item(text),
        italic=italic,
    )
