"""Labels of rows that go on in the next line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from .columns import column_of
from .geometry import Interval
from .lines import Piece, TextLine

_OPEN_END = re.compile(r"(?:\b(?:and|or|of|to|in|for|the|by|from|on|with|a|an|at|per|than)|[(/&]|\w-)$", re.IGNORECASE)
_TIGHT = 0.55
"""Distance of lines, in type heights, up to which a label goes on from the line above."""
_LONG_LABEL = 40
"""Characters from which a label may be too long for its column."""
_NEAR = 0.92
"""Share of the distance of rows below which lines belong together."""
_LEVEL = 2
"""Points by which the left ends of lines of one label differ at most."""


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """The column of the labels: where its longest one ends, where the values begin, and how far apart the rows stand.

    All in points.
    """

    longest: float
    values: float
    pitch: float

    @classmethod
    def of(cls, body: Sequence[TextLine], columns: Sequence[Interval]) -> LabelColumn:
        """Measure the rows of a table."""
        firsts = [line.pieces[0] for line in body]
        ends = [first.x1 for first in firsts if column_of(first, columns) == 0]
        tops = [line.y0 for line in body if line.values]
        distances = [below - above for above, below in pairwise(tops)] or [0.0]
        return cls(
            longest=max(ends, default=0.0),
            values=columns[1].x0,
            pitch=median(distances),
        )

    def goes_on(self, above: TextLine, line: TextLine) -> bool:
        """True where ``line`` goes on with the label of the line above, which has the values or gets them here."""
        if _are_raised_values(above, line):
            return True
        upper, lower = above.pieces[0], line.pieces[0]
        if not self._is_label(upper) or not self._is_label(lower):
            return False
        if line.gap_below(above) > _TIGHT * line.height:
            return False
        lines_with_values = bool(above.values) + bool(line.values)
        if lines_with_values == 0:
            return line.is_one_piece and _starts_small(lower)
        if lines_with_values == 2 or not _may_follow(upper, lower):
            return False
        if _starts_small(lower) or _hangs(upper, lower):
            return True
        if above.values:
            return False
        return _is_open(upper) or self._has_no_room(upper, lower)

    def _is_label(self, piece: Piece) -> bool:
        return not piece.is_value and piece.x0 <= self.values

    def _has_no_room(self, upper: Piece, lower: Piece) -> bool:
        """True where the first word of ``lower``, which begins below ``upper``, had no room after it.

        Its line then stands nearer than a row would, or the word would have run into the values.
        """
        if len(upper.text) < _LONG_LABEL or upper.text.isupper():
            return False
        if upper.bold != lower.bold or abs(lower.x0 - upper.x0) > _LEVEL:
            return False
        first_word = lower.text.split()[0]
        end = upper.x1 + len(first_word) / len(lower.text) * lower.width
        if end > self.values - 4:
            return True
        is_near = lower.y0 - upper.y0 < _NEAR * self.pitch
        return is_near and end > self.longest


def _are_raised_values(above: TextLine, line: TextLine) -> bool:
    """True for values on ``line`` that belong to the label above: both stand at about the same height."""
    if above.values or not line.is_all_values:
        return False
    return line.y0 < above.y1 - 1


def _may_follow(upper: Piece, lower: Piece) -> bool:
    """False below "Current assets:", and for a label that begins further left."""
    ends_in_colon = upper.text.rstrip().endswith((":", "："))
    return not ends_in_colon and lower.x0 >= upper.x0 - _LEVEL


def _starts_small(label: Piece) -> bool:
    return label.text[:1].islower()


def _hangs(upper: Piece, lower: Piece) -> bool:
    """True for "(net of tax)" that is indented below its label."""
    return lower.text.startswith("(") and lower.x0 > upper.x0 + _LEVEL


def _is_open(label: Piece) -> bool:
    """True for a label that ends in "of" or another word that asks for more."""
    return _OPEN_END.search(label.text) is not None
