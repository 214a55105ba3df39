"""A table under construction: cells that know their words, on one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...core.anchor import Box
from .lines import Piece


@dataclass(slots=True)
class Cell:
    """Text in the rectangle of rows ``row`` to ``last_row`` and columns ``column`` to ``last_column``."""

    row: int
    column: int
    text: str
    words: list[int]
    x0: float
    last_row: int = -1
    last_column: int = -1
    bold: bool = False

    def __post_init__(self) -> None:
        self.last_row = max(self.row, self.last_row)
        self.last_column = max(self.column, self.last_column)

    @property
    def is_span(self) -> bool:
        return self.last_row > self.row or self.last_column > self.column


@dataclass(slots=True)
class Draft:
    """Cells in reading order. ``edges`` are the left and right end of each column, to compare with the next page."""

    page: int
    box: Box
    cells: list[Cell]
    height: int
    width: int
    header_rows: int = 0
    edges: tuple[tuple[float, float], ...] = ()
    tops: tuple[float, ...] = ()
    """Height on the page at which each row starts."""
    title: str = ""
    unit: str = ""
    notes: str = ""
    context_words: list[int] = field(default_factory=list)
    """Words of the unit line, which belong to the table though they are in none of its cells."""

    def rows(self) -> list[list[str]]:
        """Printed cells; the rest of a span is empty."""
        grid = [[""] * self.width for _ in range(self.height)]
        for cell in self.cells:
            before = grid[cell.row][cell.column]
            grid[cell.row][cell.column] = f"{before} {cell.text}" if before else cell.text
        return grid

    def words(self) -> list[int]:
        """All words of the table, in reading order."""
        return [*self.context_words, *(word for cell in self.cells for word in cell.words)]

    def set_unit(self, pieces: Sequence[Piece]) -> None:
        """Take a unit line out of the heads."""
        if pieces:
            self.unit = " ".join(piece.text for piece in pieces)
            self.context_words = [word for piece in pieces for word in piece.words]

    def compacted(self) -> Draft:
        """Without rows and columns that no cell starts or ends in."""
        rows = sorted({cell.row for cell in self.cells})
        columns = sorted({cell.column for cell in self.cells if cell.text})
        row_of = {old: new for new, old in enumerate(rows)}
        column_of = {old: new for new, old in enumerate(columns)}
        for cell in self.cells:
            cell.last_row = _nearest(row_of, cell.row, cell.last_row)
            cell.row = row_of[cell.row]
            cell.last_column = _nearest(column_of, cell.column, cell.last_column)
            cell.column = column_of[cell.column]
        self.edges = tuple(self.edges[c] for c in columns) if self.edges else ()
        self.tops = tuple(self.tops[r] for r in rows) if self.tops else ()
        self.height, self.width = len(rows), len(columns)
        return self


def _nearest(new: dict[int, int], first: int, last: int) -> int:
    """The new number of the last kept line of ``first`` to ``last``."""
    return max(new[old] for old in range(first, last + 1) if old in new)
