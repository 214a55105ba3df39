"""A table as read from a page, a filing or Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.anchor import Anchor


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of printed cells; every row has the same length, an empty cell is "".

    The first ``header_rows`` rows are column heads. ``unit`` is the unit line as printed ("in millions", "单位:元").
    ``start`` and ``end`` are its Markdown in the document's text. ``indents`` gives each row's depth, 0 for the
    outermost.
    """

    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1
    title: str = ""
    unit: str = ""
    notes: str = ""
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    indents: tuple[int, ...] = ()
    headings: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, int, int], ...] = ()
    """Cells that cover several, as (row, column, last row, last column); the text stands in the first, the rest is
    ""."""
    places: Mapping[tuple[int, int], Anchor] = field(default_factory=dict, compare=False, repr=False)
    """Where each filled cell is printed, by (row, column); empty for sources without boxes, and not stored."""

    @property
    def heads(self) -> tuple[tuple[str, ...], ...]:
        """The rows of column heads."""
        return self.rows[: self.header_rows]

    @property
    def body(self) -> tuple[tuple[str, ...], ...]:
        """The rows below the heads."""
        return self.rows[self.header_rows :]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0
