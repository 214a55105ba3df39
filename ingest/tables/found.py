"""A table with the words it is made of, done and under construction: cells that know their words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import field
from functools import reduce
from itertools import chain
from typing import TypeVar

from ...core.anchor import Box
from ...core.records import dataclass
from ..document import Table
from .lines import Interval, Piece, words_of
from .values import joined

T = TypeVar("T")


@dataclass(slots=True)
class Cell:
    """Text in the rectangle of rows ``row`` to ``last_row`` and columns ``column`` to ``last_column``.

    ``words`` are indices into the words of the page, ``x0`` is the left end of the text in points.
    """

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

    @classmethod
    def of_pieces(cls, pieces: Sequence[Piece], rows: tuple[int, int], columns: tuple[int, int], x0: float) -> Cell:
        """The cell that holds these pieces, in this order, from the first to the last of ``rows`` and ``columns``."""
        first_row, last_row = rows
        first_column, last_column = columns
        return cls(
            row=first_row,
            column=first_column,
            text=reduce(joined, [piece.text for piece in pieces]),
            words=words_of(pieces),
            x0=x0,
            last_row=last_row,
            last_column=last_column,
            bold=all(piece.bold for piece in pieces),
        )

    @property
    def is_tall(self) -> bool:
        """True for a cell over several rows."""
        return self.last_row > self.row

    @property
    def is_wide(self) -> bool:
        """True for a cell over several columns."""
        return self.last_column > self.column

    @property
    def is_span(self) -> bool:
        return self.is_tall or self.is_wide


@dataclass(slots=True)
class Draft:
    """Cells in reading order. ``edges`` are the left and right end of each column, to compare with the next page."""

    page: int
    box: Box
    cells: list[Cell]
    height: int
    width: int
    header_rows: int = 0
    edges: tuple[Interval, ...] = ()
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
        printed = chain.from_iterable(cell.words for cell in self.cells)
        return [*self.context_words, *printed]

    def set_unit(self, pieces: Sequence[Piece]) -> None:
        """Take a unit line out of the heads."""
        if not pieces:
            return
        self.unit = " ".join(piece.text for piece in pieces)
        self.context_words = words_of(pieces)

    def compacted(self) -> Draft:
        """This draft without the rows and columns in which no cell begins; the cells are numbered anew."""
        printed = [cell for cell in self.cells if cell.text]
        rows = sorted({cell.row for cell in self.cells})
        columns = sorted({cell.column for cell in printed})
        for cell in self.cells:
            cell.row = bisect_left(rows, cell.row)
            cell.last_row = bisect_right(rows, cell.last_row) - 1
            cell.column = bisect_left(columns, cell.column)
            cell.last_column = bisect_right(columns, cell.last_column) - 1
        self.edges = _kept(self.edges, columns)
        self.tops = _kept(self.tops, rows)
        self.height = len(rows)
        self.width = len(columns)
        return self


def _kept(of_all: Sequence[T], numbers: Sequence[int]) -> tuple[T, ...]:
    """What is known of these rows or columns; nothing where nothing is known of any."""
    if not of_all:
        return ()
    return tuple(of_all[number] for number in numbers)


@dataclass(frozen=True, slots=True)
class Region:
    """A table's place on one page. ``words`` are indices into that page's words, heads and unit line included."""

    page: int
    box: Box
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table and its regions, one a page, in order."""

    table: Table
    regions: tuple[Region, ...]
