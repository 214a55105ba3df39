"""Column heads: which lines hold them and which columns each of them spans."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.anchor import Box
from .columns import Interval, columns_under
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
_BESIDE = 0.4
"""Share of a column's width by which a head stands off its middle when it heads the next one too."""
_TOLERANCE = 0.18
"""Share of a group's width by which a spanning head may stand off its middle."""


def is_head_line(line: TextLine, below: TextLine | None = None) -> bool:
    """True for a line whose only numbers are years, in columns: "2022  2021  2020", "December 31, 2022  2021".

    Beside a label of any other kind ("Segment") the years have to follow one another, and the line ``below`` must have
    other numbers: years of expiry fill tables, too.
    """
    years = sum(piece.is_year for piece in line.values)
    if not years or years < len(line.values):
        return False
    labels = [piece for piece in line.pieces if not piece.is_value]
    if years == 1:
        return not labels
    over_numbers = below is not None and any(not piece.is_year for piece in below.values)
    if over_numbers and len(labels) == 1 and are_successive([piece.text for piece in line.values]):
        return True
    return all(
        _PERIOD_WORDS.search(piece.text) or piece.text.startswith("(") or piece.x0 > line.values[0].x0
        for piece in labels
    )


def names_period(text: str) -> bool:
    """True for a head that is nothing but a period: "12 Weeks Ended 3/19/2022"."""
    return _ENDED.fullmatch(text.strip()) is not None


def with_heads(heads: Sequence[TextLine], columns: Sequence[Interval]) -> list[Interval]:
    """Columns as wide as the heads that stand over one of them only: narrow values hang at one side of their column."""
    wide = list(columns)
    for line in heads:
        for piece in line.pieces:
            covered = columns_under(piece, columns)
            if len(covered) == 1 and covered[0] and piece.x1 - piece.x0 < 90:
                c = covered[0]
                left, right = min(wide[c][0], piece.x0), max(wide[c][1], piece.x1)
                clear = (c == 1 or left > wide[c - 1][1]) and (c + 1 == len(wide) or right < wide[c + 1][0])
                wide[c] = (left, right) if clear else wide[c]
    return wide


def head_spans(
    line: TextLine, below: Sequence[TextLine], columns: Sequence[Interval], rules: Sequence[Box]
) -> list[tuple[Piece, int, int]]:
    """For each piece the first and last column that it heads. ``below`` are the lines of heads that follow."""
    equal = _equal_groups(line, below, columns)
    if equal is not None:
        return equal
    own = [columns_under(piece, columns) for piece in line.pieces]
    own = [[c for c in covered if c] or covered for covered in own]
    spans = []
    for n, (piece, covered) in enumerate(zip(line.pieces, own, strict=True)):
        first, last = covered[0], covered[-1]
        if first:
            low = max([1, *(c + 1 for other in own[:n] for c in other)])
            high = min([len(columns) - 1, *(c - 1 for other in own[n + 1 :] for c in other)])
            first, last = _widened(piece, first, last, (low, high), columns, rules)
        spans.append((piece, first, last))
    return _parted(spans, columns)


def _parted(spans: list[tuple[Piece, int, int]], columns: Sequence[Interval]) -> list[tuple[Piece, int, int]]:
    """Heads that reach for the same columns share them: each column goes to the nearer head."""
    parted = list(spans)
    for n in range(len(parted) - 1):
        (left, first, last), (right, other_first, other_last) = parted[n], parted[n + 1]
        while first and last >= other_first and last > first and other_last > other_first:
            middle = (columns[other_first][0] + columns[other_first][1]) / 2
            if abs(middle - (left.x0 + left.x1) / 2) <= abs(middle - (right.x0 + right.x1) / 2):
                other_first += 1
            else:
                last = other_first - 1
        parted[n], parted[n + 1] = (left, first, last), (right, other_first, other_last)
    return parted


def _equal_groups(
    line: TextLine, below: Sequence[TextLine], columns: Sequence[Interval]
) -> list[tuple[Piece, int, int]] | None:
    """Heads that share out the value columns evenly, each in the middle of its group, with other heads below."""
    labels = [piece for piece in line.pieces if columns_under(piece, columns) == [0]]
    heads = line.pieces[len(labels) :]
    size, left_over = divmod(len(columns) - 1, max(1, len(heads)))
    if left_over or size < 2 or not heads or not any(len(other.pieces) >= len(columns) - 1 for other in below):
        return None
    if len(heads) == 1 and not _PERIOD_WORDS.search(heads[0].text):
        return None
    spans = [(piece, 0, 0) for piece in labels]
    for n, piece in enumerate(heads):
        first, last = 1 + n * size, (n + 1) * size
        left, right = columns[first][0], columns[last][1]
        if abs((left + right) / 2 - (piece.x0 + piece.x1) / 2) > _slack(left, right):
            return None
        spans.append((piece, first, last))
    return spans


def _widened(
    piece: Piece, first: int, last: int, limits: tuple[int, int], columns: Sequence[Interval], rules: Sequence[Box]
) -> tuple[int, int]:
    """A head over several columns: by the line under it, else by standing in their middle."""
    ruled = _ruled_span(piece, limits, columns, rules)
    if ruled is not None:
        return min(first, ruled[0]), max(last, ruled[1])
    middle = (piece.x0 + piece.x1) / 2
    own = abs((columns[first][0] + columns[last][1]) / 2 - middle)
    beside = own > _BESIDE * (columns[first][1] - columns[first][0] + 10)
    alone = piece.is_year and limits == (1, len(columns) - 1)
    if not (_PERIOD_WORDS.search(piece.text) or alone or last > first or beside):
        return first, last
    best = (first, last)
    for a in range(limits[0], first + 1):
        for b in range(last, limits[1] + 1):
            left, right = columns[a][0], columns[b][1]
            centred = abs((left + right) / 2 - middle) <= _slack(left, right)
            if centred and b - a > best[1] - best[0]:
                best = (a, b)
    return best


def _slack(left: float, right: float) -> float:
    """Points by which a head may stand off the middle of its group."""
    return min(24.0, max(7.0, _TOLERANCE * (right - left)))


def _ruled_span(
    piece: Piece, limits: tuple[int, int], columns: Sequence[Interval], rules: Sequence[Box]
) -> tuple[int, int] | None:
    """Columns above which the line under the piece runs."""
    under = [r for r in rules if -2 <= r[1] - piece.y1 <= 6 and r[0] <= piece.x0 + 4 and r[2] >= piece.x1 - 4]
    if not under:
        return None
    left, right = min(r[0] for r in under), max(r[2] for r in under)
    covered = [
        c for c in range(limits[0], limits[1] + 1) if left - 3 <= (columns[c][0] + columns[c][1]) / 2 <= right + 3
    ]
    if not covered or len(covered) == len(columns) - 1:
        return None
    return covered[0], covered[-1]
