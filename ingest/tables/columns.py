"""Columns of a table without vertical lines, and the heads above them: which lines hold them, which columns each one
spans.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise, product
from operator import attrgetter
from statistics import median_high

from ...core.anchor import Box, bounding_box
from ...core.records import dataclass
from ...core.sequences import runs
from ..pdf.backend import Word
from .lines import Interval, Piece, Placed, TextLine, interval_around, joined, piece_of_word, pieces_of
from .values import are_successive, is_unit_line

_WIDER = 0.08
"""Type heights by which the gap between two heads is wider than those within them."""
_HANG = 7.0
"""Points by which right edges of one column differ: a closing parenthesis or a per cent sign hangs out."""


def body_columns(lines: Sequence[TextLine]) -> list[Interval]:
    """Columns from left to right: that of the labels (of no width where there are none), then one or more. Or none.

    ``lines`` are those with values. Values that overlap share a column; text that is not the first of its line makes
    columns of its own where it overlaps none of the values.
    """
    values = _value_columns(lines)
    if not values:
        return []
    starts = [line.x0 for line in lines]
    columns = sorted([*values, *_text_columns(lines, values)])
    while len(columns) > 1 and _is_stub(columns[0], starts):
        columns = columns[1:]
    left = min(starts)
    labels = Interval(left, max(left, columns[0].x0 - 1))
    return [labels, *columns]


def column_of(piece: Piece, columns: Sequence[Interval]) -> int:
    """The column that shares most with the piece; else the nearest. The label column takes what starts in it."""
    values_begin = columns[1].x0
    starts_in_labels = piece.x0 < values_begin - 2
    reaches_values = piece.is_value and piece.x1 >= values_begin
    if starts_in_labels and not reaches_values:
        return 0
    return _nearest(piece, columns)


def columns_under(piece: Piece, columns: Sequence[Interval]) -> list[int]:
    """Columns whose middle the piece covers; the nearest one where it covers none."""
    reach = Interval(piece.x0 - 2, piece.x1 + 2)
    covered = [number for number, column in enumerate(columns) if reach.holds_middle_of(column)]
    if not covered:
        return [_nearest(piece, columns)]
    return covered


def cut_at_columns(pieces: Iterable[Piece], columns: Sequence[Interval], words: Sequence[Word]) -> list[Piece]:
    """The heads of a line, those cut in two that stand so close that they were read as one: "Q3 2025 Q3 2024".

    Between two heads stands more than between the words of each of them, and each stands over a column of its own.
    """
    return list(chain.from_iterable(_cut(piece, columns, words) for piece in pieces))


def _cut(head: Piece, columns: Sequence[Interval], words: Sequence[Word]) -> list[Piece]:
    over = list(filter(None, columns_under(head, columns)))
    if not 1 < len(over) < len(head.words):
        return [head]
    single = list(map(piece_of_word, map(words.__getitem__, head.words), head.words))
    gaps = sorted((right.x0 - left.x1 for left, right in pairwise(single)), reverse=True)
    narrowest, widest_within = gaps[len(over) - 2 : len(over)]
    parts = list(map(joined, runs(single, lambda part, word: word.x0 - part[-1].x1 < narrowest)))
    is_wider = narrowest >= widest_within + _WIDER * head.height
    edges = [columns[number].x0 for number in over]
    stands_over = [bisect_right(edges, part.x1) for part in parts]
    is_over_each = stands_over == list(range(1, len(over) + 1))
    return parts if is_wider and is_over_each else [head]


def _nearest(piece: Piece, columns: Sequence[Interval]) -> int:
    shares = list(map(piece.shared_with, columns))
    return shares.index(max(shares))


def _value_columns(lines: Sequence[TextLine]) -> list[Interval]:
    """Where values stand below each other."""
    values = chain.from_iterable(map(_column_values, lines))
    columns = _merged(values)
    return list(chain.from_iterable(_uncrowded(column, lines) for column in columns))


def _column_values(line: TextLine) -> list[Piece]:
    """The values of a line that stand in value columns: a year that starts a line of other values is its label."""
    first, *others = line.pieces
    is_label = first.is_year and any(other.is_value and not other.is_year for other in others)
    return line.values[1:] if is_label else line.values


def _text_columns(lines: Sequence[TextLine], values: Sequence[Interval]) -> list[Interval]:
    """Where words beside the labels stand below each other and over no value."""
    beside_labels = chain.from_iterable(line.pieces[1:] for line in lines)
    narrow = [piece for piece in beside_labels if _is_narrow_text(piece, values)]
    return [column for column in _merged(narrow) if _overlapped(column, values) == 0]


def _is_narrow_text(piece: Piece, values: Sequence[Interval]) -> bool:
    """True for words that reach over one value column at most."""
    return not piece.is_value and _overlapped(piece, values) < 2


def _overlapped(one: Placed, columns: Sequence[Interval]) -> int:
    """How many of the columns it overlaps."""
    return sum(map(one.overlaps, columns))


def _merged(placed: Iterable[Placed]) -> list[Interval]:
    """The stretches of the page that they cover; those that overlap by more than a point are one."""
    merged: list[Interval] = []
    end = float("-inf")
    for one in sorted(placed, key=_ends):
        if one.x0 < end - 1:
            end = max(end, one.x1)
            merged[-1] = Interval(merged[-1].x0, end)
        else:
            end = one.x1
            merged.append(Interval(one.x0, end))
    return merged


def _ends(one: Placed) -> tuple[float, float]:
    return one.x0, one.x1


def _uncrowded(column: Interval, lines: Sequence[TextLine]) -> list[Interval]:
    """The column, or several where two values of a line stand in it: they are told apart by their right edges."""
    inside = [list(filter(column.holds_middle_of, line.values)) for line in lines]
    if max(map(len, inside)) < 2:
        return [column]
    by_right_edge = sorted(chain.from_iterable(inside), key=_right_edge)
    groups = runs(by_right_edge, _share_edge)
    least = max(1, len(lines) // 8)
    kept = [group for group in groups if len(group) > least]
    return list(map(interval_around, kept or groups))


def _right_edge(piece: Piece) -> float:
    return piece.x1


def _share_edge(column: Sequence[Piece], piece: Piece) -> bool:
    return piece.x1 - column[-1].x1 <= _HANG


def _is_stub(column: Interval, line_starts: Sequence[float]) -> bool:
    """True where a column starts left of most labels: it is part of them."""
    return column.x1 <= median_high(line_starts) + 1


_PERIOD_WORDS = re.compile(
    r"\b(?:years?|quarters?|months?|weeks?|periods?)\b.{0,200}\bend|\bfiscal\b|\bas (?:of|at)\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|年度?|期",
    re.IGNORECASE,
)
_NOTES = re.compile(r"notes?|ref\.?|附注\S{0,3}|注释", re.IGNORECASE)
"""The head of a column with the numbers of the notes."""
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


_MOST_LABEL_HEADS = 3
"""Heads over columns of words left of the years."""


def is_head_line(line: TextLine, below: TextLine | None = None) -> bool:
    """True for a line whose only numbers are years, in columns: "2022  2021  2020", "December 31, 2022  2021".

    Beside labels of any other kind ("Product", "Class") the years have to follow one another, and the line ``below``
    must have other numbers: years of expiry fill tables, too.
    """
    if not line.has_only_years:
        return False
    if len(line.values) == 1:
        return line.is_all_values
    first_year = line.values[0]
    others = [label for label in line.labels if not _belongs_to_years(label, first_year)]
    if not others:
        return True
    if len(others) > _MOST_LABEL_HEADS or not _has_other_values(below):
        return False
    return are_successive([year.text for year in line.values])


def _belongs_to_years(label: Piece, first_year: Piece) -> bool:
    """True for words of a period or a unit before the years, for the head of the notes, and for any words between."""
    if label.x0 > first_year.x0 or label.text.startswith("("):
        return True
    if _NOTES.fullmatch(label.text) or is_unit_line(label.text):
        return True
    return _PERIOD_WORDS.search(label.text) is not None


def _has_other_values(line: TextLine | None) -> bool:
    """True for a line with values that are not years."""
    if line is None or not line.values:
        return False
    return not line.has_only_years


def names_period(text: str) -> bool:
    """True for a head that is nothing but a period: "12 Weeks Ended 3/19/2022"."""
    return _ENDED.fullmatch(text.strip()) is not None


@dataclass(slots=True)
class HeadSpan:
    """A head with the first and last column that it stands over; 0 is the column of the labels."""

    head: Piece
    first: int
    last: int

    @property
    def further(self) -> int:
        """Columns besides the first."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class HeadColumns:
    """The columns that heads stand over, and the lines drawn around the heads."""

    columns: Sequence[Interval]
    rules: Sequence[Box]

    @property
    def values(self) -> range:
        """Numbers of all columns but that of the labels."""
        return range(1, len(self.columns))

    def spans(self, line: TextLine, below: Sequence[TextLine]) -> list[HeadSpan]:
        """The columns that each piece of a line of heads stands over; ``below`` are the lines of heads that follow."""
        equal = self._equal_spans(line, below)
        if equal:
            return equal
        covered = list(map(self._covered, line.pieces))
        spans = []
        for number, head in enumerate(line.pieces):
            span = HeadSpan(head, covered[number][0], covered[number][-1])
            taken_left = chain.from_iterable(covered[:number])
            taken_right = chain.from_iterable(covered[number + 1 :])
            free = range(max(taken_left, default=0) + 1, min(taken_right, default=len(self.columns)))
            if span.first > 0:
                span = self._widened(span, free)
            spans.append(span)
        for left, right in pairwise(spans):
            self._share(left, right)
        return spans

    def _covered(self, head: Piece) -> list[int]:
        """Columns under a head; that of the labels only where there is no other."""
        covered = columns_under(head, self.columns)
        return list(filter(None, covered)) or covered

    def _equal_spans(self, line: TextLine, below: Sequence[TextLine]) -> list[HeadSpan]:
        """Heads that share out the value columns evenly: other heads stand below, the same under each of them, or each
        head stands in the middle of its group.

        Empty where the line holds no such heads.
        """
        labels = list(filter(self._heads_labels, line.pieces))
        heads = line.pieces[len(labels) :]
        if not heads or not self._may_be_groups(heads, below):
            return []
        size = len(self.values) // len(heads)
        firsts = self.values[::size]
        groups = [HeadSpan(head, first, first + size - 1) for head, first in zip(heads, firsts, strict=True)]
        if not _repeat(heads, below) and not all(map(self._is_centred, groups)):
            return []
        over_labels = [HeadSpan(label, 0, 0) for label in labels]
        return over_labels + groups

    def _heads_labels(self, head: Piece) -> bool:
        return columns_under(head, self.columns) == [0]

    def _may_be_groups(self, heads: Sequence[Piece], below: Sequence[TextLine]) -> bool:
        """True where each head has two or more value columns, and each of these another head below."""
        size, left_over = divmod(len(self.values), len(heads))
        if left_over or size < 2:
            return False
        most_below = max([len(line.pieces) for line in below], default=0)
        if most_below < len(self.values):
            return False
        return len(heads) > 1 or _PERIOD_WORDS.search(heads[0].text) is not None

    def _reach(self, span: HeadSpan) -> Interval:
        """From the left end of its first column to the right end of its last."""
        return Interval(self.columns[span.first].x0, self.columns[span.last].x1)

    def _off_middle(self, span: HeadSpan) -> float:
        """Points by which the head stands beside the middle of its columns."""
        return abs(self._reach(span).middle - span.head.middle)

    def _is_centred(self, span: HeadSpan) -> bool:
        slack = _TOLERANCE * self._reach(span).width
        slack = min(_MOST_SLACK, max(_LEAST_SLACK, slack))
        return self._off_middle(span) <= slack

    def _widened(self, span: HeadSpan, free: range) -> HeadSpan:
        """A head over several of the ``free`` columns: by the line under it, else by standing in their middle."""
        ruled = self._ruled_columns(span.head, free)
        if ruled:
            return HeadSpan(span.head, min(span.first, ruled[0]), max(span.last, ruled[-1]))
        if not self._may_span_more(span, free):
            return span
        firsts = range(free.start, span.first + 1)
        lasts = range(span.last, free.stop)
        candidates = [HeadSpan(span.head, first, last) for first, last in product(firsts, lasts)]
        centred = filter(self._is_centred, candidates)
        return max([span, *centred], key=attrgetter("further"))

    def _may_span_more(self, span: HeadSpan, free: range) -> bool:
        """True for a period, a year alone over all values, and a head that already stands over several columns."""
        if span.further or _PERIOD_WORDS.search(span.head.text):
            return True
        if span.head.is_year and free == self.values:
            return True
        return self._off_middle(span) > _BESIDE * (self.columns[span.first].width + 10)

    def _ruled_columns(self, head: Piece, free: range) -> list[int]:
        """The ``free`` columns above which the line under the head runs; none where it runs over all values."""
        under = [rule for rule in self.rules if _underlines(rule, head)]
        if not under:
            return []
        left, _, right, _ = bounding_box(under)
        line = Interval(left - 3, right + 3)
        covered = [number for number in free if line.holds_middle_of(self.columns[number])]
        if len(covered) == len(self.values):
            return []
        return covered

    def _share(self, left: HeadSpan, right: HeadSpan) -> None:
        """Let neighbouring heads that reach for the same columns share them: each column goes to the nearer head."""
        if left.first == 0:
            return
        while left.last >= right.first and min(left.further, right.further) > 0:
            contested = self.columns[right.first].middle
            to_left = abs(contested - left.head.middle)
            to_right = abs(contested - right.head.middle)
            if to_left <= to_right:
                right.first += 1
            else:
                left.last = right.first - 1


def _repeat(heads: Sequence[Piece], below: Sequence[TextLine]) -> bool:
    """True where the line right below has the same words under each of several heads: "Sales | Share | Sales | Share".

    The first of them begins under the head, so that no column stands left of the groups.
    """
    if len(heads) < 2 or not below:
        return False
    lowest = [piece for piece in below[0].pieces if piece.x1 > heads[0].x0]
    size, left_over = divmod(len(lowest), len(heads))
    texts = [piece.text for piece in lowest]
    if left_over or size < 2 or texts != texts[:size] * len(heads):
        return False
    firsts = lowest[::size]
    follows = [*firsts[1:], None]
    return all(_stands_over(head, first, after) for head, first, after in zip(heads, firsts, follows, strict=True))


def _stands_over(head: Piece, first: Piece, after: Piece | None) -> bool:
    """True for a head that begins with the first of its group or right of it, and before the next group."""
    begins_with_group = head.x1 > first.x0
    return begins_with_group and (after is None or head.x0 < after.x0)


def with_heads(heads: Sequence[TextLine], columns: Sequence[Interval]) -> list[Interval]:
    """Columns as wide as the heads that stand over one of them only: narrow values hang at one side of their column."""
    wide = list(columns)
    for head in pieces_of(heads):
        first, *others = columns_under(head, columns)
        is_over_one_value = first > 0 and not others
        if is_over_one_value and head.width < _WIDEST_OVER_ONE:
            wide[first] = _widened_column(wide, first, head)
    return wide


def _widened_column(columns: Sequence[Interval], number: int, head: Piece) -> Interval:
    """The column as wide as its head; as it was where that would reach into a neighbour."""
    widened = interval_around([columns[number], head])
    left_end = columns[number - 1].x1 if number > 1 else float("-inf")
    right_end = columns[number + 1].x0 if number + 1 < len(columns) else float("inf")
    if left_end < widened.x0 and widened.x1 < right_end:
        return widened
    return columns[number]


def _underlines(rule: Box, head: Piece) -> bool:
    """True for a line right below a head and as wide."""
    left, top, right, _ = rule
    is_right_below = -2 <= top - head.y1 <= 6
    is_as_wide = left <= head.x0 + 4 and right >= head.x1 - 4
    return is_right_below and is_as_wide
