"""Which rows of a filled grid are column heads, and how deep each label is indented."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.sequences import runs
from .found import Cell, Draft
from .values import is_value, kind

_MAX_HEADER_ROWS = 4
_LONGEST_HEAD = 14
"""Characters of a head over the one value column of a table of two columns."""
_STEP = 2.5
"""Points by which labels of different depth differ at least."""
_MAX_DEPTH = 6

# Rows as the kinds of their cells, a letter each (see ``values.kind``); the first is the label's.
_VALUES = re.compile(r".+n.*|[^ ] *m[ m]*")
"""A number that is not a year, or a label with nothing but dashes."""
_LABEL_ONLY = re.compile(r". *")
_WORDS_IN_ALL = re.compile(r"[ w]w{2,}")


def count_header_rows(draft: Draft) -> int:
    """Number of rows at the top that are column heads.

    They end before the first row that holds a number other than a year, and before the first that is a label only. In
    a table of words the first row is a head where each column has one.
    """
    rows = _rows(draft)
    if not rows or _starts_with_facts(draft, rows[0]):
        return 0
    first = rows[0]
    for number, row in enumerate(rows):
        if row.holds_values and number > _MAX_HEADER_ROWS:
            return int(first.is_full)  # a table of words with a number in it
        if row.holds_values or row.is_section:
            return number
    if first.has_empty_corner and len(rows) > 1:
        return 1
    return int(first.is_full)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's printed cells, the kinds of them, and whether one reaches over several columns."""

    texts: Sequence[str]
    kinds: str
    has_span: bool

    @property
    def holds_values(self) -> bool:
        return _VALUES.fullmatch(self.kinds) is not None

    @property
    def is_section(self) -> bool:
        """True for a label with nothing beside it, such as "Current assets:"."""
        return not self.has_span and _LABEL_ONLY.fullmatch(self.kinds) is not None

    @property
    def is_full(self) -> bool:
        """True for words over each of two or more columns."""
        return _WORDS_IN_ALL.fullmatch(self.kinds) is not None

    @property
    def has_empty_corner(self) -> bool:
        return self.texts[0] == ""

    @property
    def is_fact(self) -> bool:
        """True for a name and the long text that stands beside it."""
        if len(self.texts) != 2 or self.has_empty_corner:
            return False
        return len(self.texts[1]) > _LONGEST_HEAD


def _rows(draft: Draft) -> list[_Row]:
    with_spans = {cell.row for cell in draft.cells if cell.is_wide}
    rows = []
    for number, texts in enumerate(draft.rows()):
        kinds = "".join(map(kind, texts))
        rows.append(_Row(texts, kinds, has_span=number in with_spans))
    return rows


def _starts_with_facts(draft: Draft, row: _Row) -> bool:
    """True where the first row is a name and a long text, or a name for several rows: a form, not a head."""
    first = [cell for cell in draft.cells if cell.row == 0]
    if not any(map(_names_several_rows, first)):
        return row.is_fact
    has_tall = any(cell.is_tall for cell in first if cell.column > 0)
    return len(row.texts) == 3 and not has_tall


def _names_several_rows(cell: Cell) -> bool:
    is_tall_label = cell.column == 0 and cell.is_tall
    return is_tall_label and not is_value(cell.text)


def indents(draft: Draft) -> tuple[int, ...]:
    """Depth of each row by the left end of its label: 0 for the outermost, and for rows without a label."""
    edges: dict[int, float] = {}
    for cell in draft.cells:
        if cell.column == 0 and cell.row >= draft.header_rows:
            edges[cell.row] = cell.x0
    levels = runs(sorted(edges.values()), _have_one_depth)
    if len(levels) > _MAX_DEPTH:
        return (0,) * draft.height
    starts = [level[0] for level in levels]
    depths = [0] * draft.height
    for row, edge in edges.items():
        depths[row] = bisect_right(starts, edge) - 1
    return tuple(depths)


def _have_one_depth(level: Sequence[float], edge: float) -> bool:
    return edge - level[0] <= _STEP
