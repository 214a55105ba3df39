"""The figures of a piece of evidence as cells: value, scale, unit, and the words and the period that they belong to.

Tables are read from their Markdown, prose sentence by sentence; nothing outside the text is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..reply_text import is_table_row
from .cell import Cell
from .prose_cells import prose_cells
from .table_cells import TableReader


@lru_cache(maxsize=512)
def read_cells(text: str) -> tuple[Cell, ...]:
    """All figures of a text, those of its tables first.

    >>> cells = read_cells("(in millions)\\n| | 2022 |\\n| --- | --- |\\n| Net sales | 4,215 |")
    >>> [(int(cell.amount), cell.label, cell.periods[0].label) for cell in cells]
    [(4215000000, 'Net sales', '2022')]
    """
    lines = _lines(text)
    cells: list[Cell] = []
    prose = list(text)
    for number, (first, last) in enumerate(_tables(lines)):
        cells.extend(TableReader(text, lines[first:last], number).cells())
        start, end = lines[first][0], lines[last - 1][0] + len(lines[last - 1][1])
        prose[start:end] = " " * (end - start)
    scales = {cell.scale for cell in cells if cell.scale not in (None, 1)}
    cells.extend(prose_cells("".join(prose), scales.pop() if len(scales) == 1 else None))
    return tuple(cells)


def table_text(text: str) -> str:
    """The lines of a text that are rows of tables."""
    return "\n".join(line for _, line in _lines(text) if is_table_row(line))


def _lines(text: str) -> list[tuple[int, str]]:
    at, found = 0, []
    for line in text.splitlines(keepends=True):
        found.append((at, line.rstrip("\n")))
        at += len(line)
    return found


def _tables(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """First and last line of each run of table rows."""
    first = None
    for number, (_, line) in enumerate([*lines, (0, "")]):
        if is_table_row(line):
            first = number if first is None else first
        elif first is not None:
            yield first, number
            first = None
