"""Column heads: which lines hold them and which columns each of them spans."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, product

from ...core.anchor import Box
from .columns import columns_under
from .geometry import Interval, box_around, interval_around
from .lines import Piece, TextLine
from .values import are_successive

_PERIOD_WORDS = re.compile(
    r"\b(?:years?|quarters?|months?|weeks?|periods?)\b.*\bend|\bfiscal\b|\bas (?:of|at)\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|年度?|期",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"(?:\d\d?|three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|fiscal|full)?[\s-]*"
    r"(?:years?|quarters?|months?|weeks?)(?:\s+periods?)?\s+end(?:ed|ing)\b.{0,40}",
    re.IGNORECASE,
)
_WIDEST_OVER_ONE = 90
"""Points; a wider head over the middle of one column reaches over others, too."""
_BESIDE = 0.4
"""Share of a column's width by which a head stands off its middle when it heads the next one too."""
_TOLERANCE, _LEAST_SLACK, _MOST_SLACK = 0.18, 7.0, 24.0
"""Share of a group's width by which a spanning head may stand off its middle, with the least and most points."""


def is_head_line(line: TextLine, below: TextLine | None = None) -> bool:
    """True for a line whose only numbers are years, in columns: "2022  2021  2020", "December 31, 2022  2021".

    Beside a label of any other kind ("Segment") the years have to follow one another, and the line ``below`` must have
    other numbers: years of expiry fill tables, too.
    """
    years = line.values
    if not years or not all(value.is_year for value in years):
        return False
    labels = line.texts
    if len(years) == 1:
        return not labels
    if len(labels) == 1 and _holds_more_than_years(below):
        texts = [year.text for year in years]
        return are_successive(texts) or _belongs_to_years(labels[0], years[0])
    return all(_belongs_to_years(label, years[0]) for label in labels)


def _holds_more_than_years(line: TextLine | None) -> bool:
    if line is None:
        return False
    return not all(value.is_year for value in line.values)


def _belongs_to_years(label: Piece, first_year: Piece) -> bool:
    """True for words of a period or a unit before the years, and for any words between them."""
    if label.x0 > first_year.x0 or label.text.startswith("("):
        return True
    return _PERIOD_WORDS.search(label.text) is not None


def names_period(text: str) -> bool:
    """True for a head that is nothing but a period: "12 Weeks Ended 3/19/2022"."""
    return _ENDED.fullmatch(text.strip()) is not None


@dataclass(slots=True)
class HeadSpan:
    """A head with the first and last column that it stands over; 0 is the column of the labels."""

    piece: Piece
    first: int
    last: int

    @property
    def further(self) -> int:
        """Columns besides the first."""
        return self.last - self.first

    def reach(self, columns: Sequence[Interval]) -> Interval:
        """From the left end of its first column to the right end of its last."""
        return Interval(columns[self.first].x0, columns[self.last].x1)

    def off_middle(self, columns: Sequence[Interval]) -> float:
        """Points by which the head stands beside the middle of its columns."""
        return abs(self.reach(columns).middle - self.piece.middle)

    def is_centred(self, columns: Sequence[Interval]) -> bool:
        slack = _TOLERANCE * self.reach(columns).width
        slack = min(_MOST_SLACK, max(_LEAST_SLACK, slack))
        return self.off_middle(columns) <= slack


def with_heads(heads: Sequence[TextLine], columns: Sequence[Interval]) -> list[Interval]:
    """Columns as wide as the heads that stand over one of them only: narrow values hang at one side of their column."""
    wide = list(columns)
    for piece in chain.from_iterable(line.pieces for line in heads):
        first, *others = columns_under(piece, columns)
        is_over_one_value = first > 0 and not others
        if is_over_one_value and piece.width < _WIDEST_OVER_ONE:
            wide[first] = _widened_column(wide, first, piece)
    return wide


def _widened_column(columns: Sequence[Interval], number: int, head: Piece) -> Interval:
    """The column as wide as its head; as it was where that would reach into a neighbour."""
    widened = interval_around([columns[number], head])
    is_first = number == 1
    is_last = number + 1 == len(columns)
    is_clear_left = is_first or widened.x0 > columns[number - 1].x1
    is_clear_right = is_last or widened.x1 < columns[number + 1].x0
    if is_clear_left and is_clear_right:
        return widened
    return columns[number]


def head_spans(
    line: TextLine, below: Sequence[TextLine], columns: Sequence[Interval], rules: Sequence[Box]
) -> list[HeadSpan]:
    """The columns that each piece of a line of heads stands over.

    ``below`` are the lines of heads that follow, ``rules`` the lines drawn around the heads.
    """
    equal = _equal_groups(line, below, columns)
    if equal is not None:
        return equal
    covered = [_covered(piece, columns) for piece in line.pieces]
    spans = []
    for number, piece in enumerate(line.pieces):
        span = HeadSpan(piece, covered[number][0], covered[number][-1])
        taken_left = chain.from_iterable(covered[:number])
        taken_right = chain.from_iterable(covered[number + 1 :])
        free = range(max(taken_left, default=0) + 1, min(taken_right, default=len(columns)))
        if span.first > 0:
            span = _widened(span, free, columns, rules)
        spans.append(span)
    for left, right in pairwise(spans):
        _share_columns(left, right, columns)
    return spans


def _covered(piece: Piece, columns: Sequence[Interval]) -> list[int]:
    """Columns under the piece; that of the labels only where there is no other."""
    covered = columns_under(piece, columns)
    return list(filter(None, covered)) or covered


def _share_columns(left: HeadSpan, right: HeadSpan, columns: Sequence[Interval]) -> None:
    """Let neighbouring heads that reach for the same columns share them: each column goes to the nearer head."""
    if left.first == 0:
        return
    while left.last >= right.first and left.further > 0 and right.further > 0:
        contested = columns[right.first].middle
        to_left = abs(contested - left.piece.middle)
        to_right = abs(contested - right.piece.middle)
        if to_left <= to_right:
            right.first += 1
        else:
            left.last = right.first - 1


def _equal_groups(line: TextLine, below: Sequence[TextLine], columns: Sequence[Interval]) -> list[HeadSpan] | None:
    """Heads that share out the value columns evenly, each in the middle of its group, with other heads below.

    None where the line holds no such heads.
    """
    labels = [piece for piece in line.pieces if columns_under(piece, columns) == [0]]
    heads = line.pieces[len(labels) :]
    if not heads:
        return None
    value_columns = len(columns) - 1
    size, left_over = divmod(value_columns, len(heads))
    most_below = max((len(other.pieces) for other in below), default=0)
    if left_over or size < 2 or most_below < value_columns:
        return None
    if len(heads) == 1 and not _PERIOD_WORDS.search(heads[0].text):
        return None
    firsts = range(1, len(columns), size)
    groups = [HeadSpan(head, first, first + size - 1) for head, first in zip(heads, firsts, strict=True)]
    if not all(group.is_centred(columns) for group in groups):
        return None
    return [*(HeadSpan(label, 0, 0) for label in labels), *groups]


def _widened(span: HeadSpan, free: range, columns: Sequence[Interval], rules: Sequence[Box]) -> HeadSpan:
    """A head over several of the ``free`` columns: by the line under it, else by standing in their middle."""
    ruled = _ruled_columns(span.piece, free, columns, rules)
    if ruled:
        return HeadSpan(span.piece, min(span.first, ruled[0]), max(span.last, ruled[-1]))
    if not _may_span_more(span, free, columns):
        return span
    firsts = range(free.start, span.first + 1)
    lasts = range(span.last, free.stop)
    candidates = [HeadSpan(span.piece, first, last) for first, last in product(firsts, lasts)]
    centred = [candidate for candidate in candidates if candidate.is_centred(columns)]
    return max([span, *centred], key=lambda candidate: candidate.further)


def _may_span_more(span: HeadSpan, free: range, columns: Sequence[Interval]) -> bool:
    """True for a period, a year alone over all values, and a head that is over more than one column as it stands."""
    is_alone = free == range(1, len(columns))
    if span.further or (is_alone and span.piece.is_year):
        return True
    if _PERIOD_WORDS.search(span.piece.text):
        return True
    return span.off_middle(columns) > _BESIDE * (columns[span.first].width + 10)


def _ruled_columns(piece: Piece, free: range, columns: Sequence[Interval], rules: Sequence[Box]) -> list[int]:
    """The ``free`` columns above which the line under the piece runs; none where it runs over all values."""
    under = [rule for rule in rules if _underlines(rule, piece)]
    if not under:
        return []
    left, _, right, _ = box_around(under)
    line = Interval(left - 3, right + 3)
    covered = [number for number in free if line.holds_middle_of(columns[number])]
    runs_over_all = len(covered) == len(columns) - 1
    return [] if runs_over_all else covered


def _underlines(rule: Box, piece: Piece) -> bool:
    left, top, right, _ = rule
    is_right_below = -2 <= top - piece.y1 <= 6
    return is_right_below and left <= piece.x0 + 4 and right >= piece.x1 - 4
