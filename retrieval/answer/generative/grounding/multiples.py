"""A value that "more than doubled" or "fell to" what it is: held against the others of its row or sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from ..cells.cell import RATES, Cell
from ..wording import WORDING
from .calculated import change_of, is_before

_WORD = re.compile(
    r"\b(?P<double>doubl(?:ed|es|ing))\b|\b(?P<triple>tripl(?:ed|es|ing))\b|\b(?P<quadruple>quadrupl(?:ed|es|ing))\b"
    r"|\b(?P<half>halved|halves)\b|(?P<double_zh>翻了?一番|翻倍|翻了一倍)",
    re.IGNORECASE,
)
_TIMES = {
    "double": Decimal(2),
    "triple": Decimal(3),
    "quadruple": Decimal(4),
    "half": Decimal("0.5"),
    "double_zh": Decimal(2),
}
_LOW, _HIGH = Decimal("0.95"), Decimal("1.15")
"""Of the multiple, between which something is told to reach it."""
_NEARLY = Decimal("0.8")
"""Of the multiple, from which on something is told to reach it nearly."""
_BEFORE = 20
"""Characters before the word in which "nearly" or "more than" stands."""

Bounds = tuple[Decimal, Decimal]


def multiple_said(sentence: str) -> Bounds | None:
    """From how many to how many times the old value the new one is, as a sentence says; None where it says none.

    >>> [str(bound) for bound in multiple_said("The backlog more than doubled to $915 million.")]
    ['2', '3']
    """
    match = _WORD.search(sentence)
    if match is None:
        return None
    times = _TIMES[match.lastgroup or ""]
    before = sentence[max(0, match.start() - _BEFORE) : match.start()]
    if WORDING.any("exceeding", before):
        return times, times + 1
    if WORDING.any("nearly", before):
        return times * _NEARLY, times
    return times * _LOW, times * _HIGH


def is_multiplied_otherwise(bounds: Bounds, cell: Cell, cells: Sequence[Cell]) -> bool:
    """True where there are values that the cell may be compared with, and it is so many times none of them."""
    ratios = [cell.amount / other.amount for other in _compared_with(cell, cells)]
    return bool(ratios) and not any(bounds[0] <= ratio <= bounds[1] for ratio in ratios)


def moved_otherwise(trend: int, cell: Cell, cells: Sequence[Cell]) -> bool:
    """True where all earlier values in the row of a table lie on the other side: "fell to 5" of what was 4."""
    beside = [other for other in cells if (other.table, other.row) == (cell.table, cell.row) and not other.is_change]
    earlier = [other for other in beside if other.periods and cell.periods and is_before(other, cell)]
    return bool(earlier) and all(change_of(other, cell) * trend < 0 for other in earlier)


def _compared_with(cell: Cell, cells: Sequence[Cell]) -> Iterator[Cell]:
    """The other values above zero of its row, or of its sentence, that are of its kind."""
    if cell.unit in RATES:
        return
    for other in cells:
        is_beside_it = (other.table, other.row, other.label) == (cell.table, cell.row, cell.label)
        is_another = other.start != cell.start and other.unit == cell.unit and not other.is_change
        if is_beside_it and is_another and other.amount > 0:
            yield other
