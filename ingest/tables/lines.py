"""Words to printed lines, and lines to pieces: runs of words that belong into one cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import chain
from operator import attrgetter

from ...core.anchor import Box
from ...core.records import dataclass
from ..pdf.backend import Word
from .values import begins_word, is_number, is_value, is_year


class Placed:
    """Something with a left end ``x0`` and a right end ``x1`` in points: a column, a piece of a line, a line."""

    __slots__ = ()

    x0: float
    x1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def middle(self) -> float:
        """Half-way from the left to the right end."""
        return (self.x0 + self.x1) / 2

    def shared_with(self, other: Placed) -> float:
        """Points that both cover; below 0 the gap between them."""
        return min(self.x1, other.x1) - max(self.x0, other.x0)

    def overlaps(self, other: Placed) -> bool:
        """True where both cover more than a point."""
        return self.shared_with(other) > 1

    def holds_middle_of(self, other: Placed) -> bool:
        return self.x0 <= other.middle <= self.x1


class Boxed(Placed):
    """The same with an upper end ``y0`` and a lower end ``y1``: what is printed somewhere."""

    __slots__ = ()

    y0: float
    y1: float

    @property
    def box(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(frozen=True, order=True, slots=True)
class Interval(Placed):
    """A stretch of the page's width, such as a column."""

    x0: float
    x1: float


def interval_around(placed: Iterable[Placed]) -> Interval:
    """From the first left end to the last right end; raises ValueError for nothing."""
    ends = [(one.x0, one.x1) for one in placed]
    lefts, rights = zip(*ends, strict=True)
    return Interval(min(lefts), max(rights))


_LEVEL = 0.38
"""Share of the type height by which words of one line may differ in height."""
_LONGEST_VALUE = 24
"""Characters; a longer piece is prose."""
_SIGNS = re.compile(r"(?:US|HK|A|C)?[$€£¥￥]|\(|[$€£¥]\s?\(|[-–−]")
_LONGEST_SIGN = 3
"""Characters: most pieces are longer, and told by that."""
_TAILS = re.compile(r"\)|%|％|\)\s?%|%\s?\)|\(\w\)|\*+|[†‡]")
_TAIL_STARTS = frozenset(")%％(*†‡")
_THOUSANDS = re.compile(r"[-–(]?\d{1,3}(?: \d{3})*")
_THREE_DIGITS = re.compile(r"\d{3}(?!\d)")
_REACH = 14.0
"""Gap in type heights over which a currency sign at a column's left edge belongs to its number."""
_GROUP_GAP = 0.3
"""Gap in type heights between the groups of three digits of one number."""
_TOUCHING_NUMBERS, _NUMBER_GAP = 0.05, 0.34
"""Gaps in type heights below which two numbers touch, and from which they are two; no sentence joins them."""


@dataclass(slots=True)
class Piece(Boxed):
    """Words of one line that stand close together. ``words`` are indices into the page's words."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    words: list[int]
    bold: bool = False

    size: float = 0.0

    @property
    def is_number(self) -> bool:
        return is_number(self.text)

    @property
    def is_value(self) -> bool:
        return is_value(self.text)

    @property
    def is_year(self) -> bool:
        return is_year(self.text)


@dataclass(slots=True)
class TextLine(Boxed):
    """Pieces from left to right at one height; they stay as they are."""

    pieces: list[Piece]
    x0: float = field(init=False)
    y0: float = field(init=False)
    x1: float = field(init=False)
    y1: float = field(init=False)
    values: list[Piece] = field(init=False)
    """Numbers and marks for none."""
    numbers: int = field(init=False)

    def __post_init__(self) -> None:
        self.x0 = self.pieces[0].x0
        self.y0 = min(map(attrgetter("y0"), self.pieces))
        self.x1 = max(map(attrgetter("x1"), self.pieces))
        self.y1 = max(map(attrgetter("y1"), self.pieces))
        self.values = [piece for piece in self.pieces if piece.is_value]
        self.numbers = sum(map(attrgetter("is_number"), self.values))

    @property
    def text(self) -> str:
        return "  ".join(piece.text for piece in self.pieces)

    @property
    def words(self) -> list[int]:
        """Indices of all its words, from left to right."""
        return words_of(self.pieces)

    @property
    def labels(self) -> list[Piece]:
        """The pieces that are no values."""
        return [piece for piece in self.pieces if not piece.is_value]

    @property
    def is_one_piece(self) -> bool:
        return len(self.pieces) == 1

    @property
    def is_words(self) -> bool:
        """True for a line without values."""
        return not self.values

    @property
    def is_all_values(self) -> bool:
        return len(self.values) == len(self.pieces)

    @property
    def has_only_years(self) -> bool:
        """True where it has values and all of them are years."""
        years = [value for value in self.values if value.is_year]
        return 0 < len(self.values) == len(years)

    def gap_below(self, above: TextLine) -> float:
        """Points between the foot of the line ``above`` and the head of this one."""
        return self.y0 - above.y1


def pieces_of(lines: Iterable[TextLine]) -> list[Piece]:
    """The pieces of all lines, in order."""
    return list(chain.from_iterable(line.pieces for line in lines))


def joined(pieces: Sequence[Piece]) -> Piece:
    """Pieces of one line as one, a space between them."""
    first, last = pieces[0], pieces[-1]
    return Piece(
        text=" ".join(piece.text for piece in pieces),
        x0=first.x0,
        y0=min(map(attrgetter("y0"), pieces)),
        x1=last.x1,
        y1=max(map(attrgetter("y1"), pieces)),
        words=words_of(pieces),
        bold=all(piece.bold for piece in pieces),
        size=first.size,
    )


def words_of(pieces: Iterable[Piece]) -> list[int]:
    """Indices of the words of all pieces, in order."""
    return list(chain.from_iterable(map(attrgetter("words"), pieces)))


def text_lines(words: Sequence[Word], indices: Iterable[int] | None = None, *, upended: bool = False) -> list[TextLine]:
    """Lines from top to bottom, each cut into pieces.

    ``indices`` choose among the words, None takes all. Words that run upwards are left out unless ``upended``.
    """
    if indices is None:
        indices = range(len(words))
    rows = _rows(words, _heights(words, indices, upended=upended))
    return [TextLine(_pieces(words, row)) for row in rows]


def _heights(words: Sequence[Word], indices: Iterable[int], *, upended: bool) -> list[tuple[float, float, int]]:
    """Middle, height and index of each word; those that run upwards only if ``upended``."""
    heights = []
    for index in indices:
        x0, y0, x1, y1 = words[index].box
        height = y1 - y0
        runs_upwards = height > 2 * (x1 - x0) and len(words[index].text) > 2
        if upended or not runs_upwards:
            heights.append(((y0 + y1) / 2, height, index))
    return heights


@dataclass(slots=True)
class _Row:
    """Words at one height; ``middle`` and ``height`` are those of the tallest."""

    middle: float
    height: float
    words: list[int]


def _rows(words: Sequence[Word], heights: Iterable[tuple[float, float, int]]) -> list[list[int]]:
    """Indices of the words of each line, from left to right.

    ``heights`` are the middle, height and index of each word: one joins the line whose middle is nearest, superscripts
    included.
    """
    rows: list[_Row] = []
    row = _Row(float("-inf"), 0.0, [])
    for middle, height, index in sorted(heights):
        gap = middle - row.middle
        if gap > _LEVEL * 4.0 and gap > _LEVEL * max(min(height, row.height), 4.0):
            row = _Row(middle, height, [index])
            rows.append(row)
            continue
        row.words.append(index)
        if height > row.height:
            row.middle = middle
            row.height = height
    return [sorted(row.words, key=lambda index: words[index].box[0]) for row in rows]


def _pieces(words: Sequence[Word], row: Sequence[int]) -> list[Piece]:
    """Words from left to right as runs that stand close together."""
    first, *others = row
    piece = piece_of_word(words[first], first)
    pieces = [piece]
    for index in others:
        word = words[index]
        joint = _joint(piece, word)
        if joint is None:
            piece = piece_of_word(word, index)
            pieces.append(piece)
        else:
            _extend(piece, word, index, joint)
    return pieces


def piece_of_word(word: Word, index: int) -> Piece:
    """A piece of one word; ``index`` is its place on the page."""
    x0, y0, x1, y1 = word.box
    return Piece(word.text, x0, y0, x1, y1, [index], word.bold, word.size)


@dataclass(frozen=True, slots=True)
class _Spacing:
    """Gaps in type heights: below ``touching`` two words have nothing between them, above ``apart`` they are two cells.

    Between these they have a space, which is 0.25 to 0.35 wide.
    """

    touching: float
    apart: float

    def joint(self, gap: float, height: float) -> str | None:
        """What stands between two words of one piece, nothing or a space; None where they are two pieces."""
        if gap > self.apart * height:
            return None
        if gap < self.touching * height:
            return ""
        return " "


_OF_WORDS = _Spacing(0.08, 0.62)
_OF_VALUE_AFTER_MARK = _Spacing(0.08, 0.9 * 0.62)
_DASHES = frozenset("-–−")
"""A minus stands right before its number; far from it a dash is a cell of its own, with nothing in it."""
_OF_SIGN = _Spacing(0.15, _REACH)
_OF_TAIL = _Spacing(0.15, 1.5)
_AFTER_SIGN = {"(": _Spacing(_REACH, _REACH)}
_BEFORE_TAIL = {")": _Spacing(float("inf"), 1.5)}
"""A parenthesis never has a space between it and its number."""


def _joint(piece: Piece, word: Word) -> str | None:
    """What stands between the piece and the next word if they are one: nothing or a space; None if they are two."""
    x0, y0, _, y1 = word.box
    height = word.size or (y1 - y0)
    gap = x0 - piece.x1
    if begins_word(word.text) or (word.text.isalpha() and len(piece.text) > _LONGEST_VALUE):
        return _OF_WORDS.joint(gap, height)
    reach = _OF_WORDS.apart if piece.text in _DASHES else _REACH
    if _is_sign_of(piece.text, word.text) and gap < reach * height:
        return _AFTER_SIGN.get(piece.text[-1], _OF_SIGN).joint(gap, height)
    if _is_tail_of(piece.text, word.text):
        return _BEFORE_TAIL.get(word.text[0], _OF_TAIL).joint(gap, height)
    follows_value = is_value(piece.text)
    if follows_value and word.text == "$":  # the sign of the next column's number
        return None
    if not is_value(word.text):
        return _OF_WORDS.joint(gap, height)
    if follows_value:
        return _joint_of_numbers(piece.text, word.text, gap, height)
    if piece.text[-1:].isalnum():
        return _OF_WORDS.joint(gap, height)
    return _OF_VALUE_AFTER_MARK.joint(gap, height)


def _is_sign_of(text: str, value: str) -> bool:
    """True for "$" or "(" and the number after it."""
    return len(text) <= _LONGEST_SIGN and _SIGNS.fullmatch(text) is not None and is_value(value.lstrip("("))


def _is_tail_of(value: str, text: str) -> bool:
    """True for ")", "%" or a footnote's mark and the number before it."""
    if text[0] not in _TAIL_STARTS or not _TAILS.fullmatch(text):
        return False
    number = value.replace(" ", "")
    if "(" in number:
        number += ")"
    return is_value(number)


def _joint_of_numbers(left: str, right: str, gap: float, height: float) -> str | None:
    """Numbers side by side are two cells, unless they are groups of one: "1 234 567"."""
    are_groups = _THOUSANDS.fullmatch(left) and _THREE_DIGITS.match(right)
    if are_groups and gap < _GROUP_GAP * height:
        return " "
    if gap < _TOUCHING_NUMBERS * height:
        return ""
    if gap < _NUMBER_GAP * height:
        return " "
    return None


def _extend(piece: Piece, word: Word, index: int, joint: str) -> None:
    _, y0, x1, y1 = word.box
    piece.text += joint + word.text
    piece.words.append(index)
    if x1 > piece.x1:
        piece.x1 = x1
    if y0 < piece.y0:
        piece.y0 = y0
    if y1 > piece.y1:
        piece.y1 = y1
    piece.bold &= word.bold
