"""Words of a page -> lines in reading order."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ....core.anchor import Box
from ...pdf.backend import PageLayout, Word
from ..block import PrintedLine
from ..boxes import bounding_box
from .columns import reading_order
from .paragraphs import is_list_item


@dataclass(frozen=True, slots=True)
class Run:
    """Words side by side on one base line, as the PDF library groups them."""

    text: str
    box: Box
    size: float
    bold: bool
    italic: bool = False
    table: int | None = None


def page_lines(
    layout: PageLayout, skip: Collection[int] = (), tables: Sequence[tuple[int, Box]] = ()
) -> list[PrintedLine]:
    """The page's lines in reading order; words whose index is in ``skip`` (they stand in tables) are left out.

    For each of ``tables`` (ordinal, box) an empty line marks the place.
    """
    runs = _runs(layout.words, skip)
    runs += [Run("", box, 0.0, False, table=ordinal) for ordinal, box in tables]
    level = [run for run in runs if not _is_upright(run)]
    lines: list[PrintedLine] = []
    regions = reading_order(level, layout.width)
    for column, region in enumerate(regions):
        lines += [_line(row, layout.number, column) for row in _rows(region)]
    lines += [_line([run], layout.number, len(regions)) for run in runs if _is_upright(run)]
    return lines


def _runs(words: Sequence[Word], skip: Collection[int]) -> list[Run]:
    groups: defaultdict[tuple[int, int], list[Word]] = defaultdict(list)
    for index, word in enumerate(words):
        if index not in skip:
            groups[word.block, word.line].append(word)
    seen: set[tuple[str, int, int]] = set()
    runs = []
    for group in groups.values():
        run = _run(group)
        place = (run.text, round(run.box[0] / 3), round(run.box[1] / 3))
        if place not in seen:  # printed twice to look bold
            seen.add(place)
            runs.append(run)
    return runs


def _run(words: Sequence[Word]) -> Run:
    text = " ".join([word.text for word in words])
    box = bounding_box([word.box for word in words])
    if len({(word.size, word.bold, word.italic) for word in words}) == 1:  # most lines are set in one type
        return Run(text, box, words[0].size, words[0].bold, words[0].italic)
    plain = [word for word in words if any(map(str.isalnum, word.text))]
    bold, italic = all(word.bold for word in plain), all(word.italic for word in plain)
    return Run(text, box, _main_size(words), bold, italic)


def _main_size(words: Sequence[Word]) -> float:
    weights: Counter[float] = Counter()
    for word in words:
        weights[word.size] += len(word.text)
    return max(weights, key=lambda size: (weights[size], size))


def _is_upright(run: Run) -> bool:
    """True for text that runs up or down the page."""
    x0, y0, x1, y1 = run.box
    return len(run.text) > 3 and y1 - y0 > 2.5 * (x1 - x0)


def _rows(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs that share a base line, rows from the top, each from the left."""
    rows: list[list[Run]] = []
    bottom = top = 0.0
    for run in sorted(runs, key=lambda run: (run.box[1] + run.box[3], run.box[0])):
        _, y0, _, y1 = run.box
        shared = min(y1, bottom) - max(y0, top)
        alone = run.table is not None or (rows and rows[-1][-1].table is not None)
        if rows and not alone and shared > 0.55 * min(y1 - y0, bottom - top):
            rows[-1].append(run)
            if y1 - y0 > bottom - top:
                top, bottom = y0, y1
        else:
            rows.append([run])
            top, bottom = y0, y1
    return [sorted(row, key=lambda run: run.box[0]) for row in rows]


def _line(row: Sequence[Run], page: int, column: int) -> PrintedLine:
    if len(row) == 1:
        run = row[0]
        return PrintedLine(run.text, page, run.box, run.size, run.bold, column, italic=run.italic, table=run.table)
    text = " ".join(run.text for run in row)
    main = max(row, key=lambda run: len(run.text))
    plain = [run for run in row if any(map(str.isalnum, run.text))]
    bold, italic = all(run.bold for run in plain), all(run.italic for run in plain)
    box = bounding_box([run.box for run in row])
    gaps = [after.box[0] - before.box[2] for before, after in itertools.pairwise(row)]
    spaced = max(gaps) > 2.0 * (box[3] - box[1]) and not is_list_item(text)
    return PrintedLine(text, page, box, main.size, bold, column, spaced, italic)
