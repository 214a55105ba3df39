"""Words to printed lines, and lines to pieces: runs of words that belong into one cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from ...core.anchor import Box
from ..pdf.backend import Word
from .values import is_number, is_value, is_year

_LEVEL = 0.38
"""Share of the type height by which words of one line may differ in height."""
_LONGEST_VALUE = 24
"""Characters; a longer piece is prose."""
_SIGNS = re.compile(r"(?:US|HK|A|C)?[$€£¥￥]|\(|[$€£¥]\s?\(|[-–−]")
_TAILS = re.compile(r"\)|%|％|\)\s?%|%\s?\)|\(\w\)|\*+|[†‡]")
_THOUSANDS = re.compile(r"[-–(]?\d{1,3}(?: \d{3})*")
_THREE_DIGITS = re.compile(r"\d{3}(?!\d)")
_REACH = 14.0
"""Gap in type heights over which a currency sign at a column's left edge belongs to its number."""
_GROUP_GAP = 0.3
"""Gap in type heights between the groups of three digits of one number."""
_TOUCHING_NUMBERS, _NUMBER_GAP = 0.05, 0.34
"""Gaps in type heights below which two numbers touch, and from which they are two; no sentence joins them."""


@dataclass(slots=True)
class Piece:
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
    def box(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def middle(self) -> float:
        """Half-way from the left to the right end."""
        return (self.x0 + self.x1) / 2

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
class TextLine:
    """Pieces from left to right at one height; they stay as they are."""

    pieces: list[Piece]
    y0: float = field(init=False)
    y1: float = field(init=False)
    values: list[Piece] = field(init=False)
    """Numbers and marks for none."""
    numbers: int = field(init=False)

    def __post_init__(self) -> None:
        self.y0 = min([piece.y0 for piece in self.pieces])
        self.y1 = max([piece.y1 for piece in self.pieces])
        self.values = [piece for piece in self.pieces if piece.is_value]
        self.numbers = sum([piece.is_number for piece in self.values])

    @property
    def x0(self) -> float:
        return self.pieces[0].x0

    @property
    def x1(self) -> float:
        return max(piece.x1 for piece in self.pieces)

    @property
    def box(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """Half-way from the left to the right end."""
        return (self.x0 + self.x1) / 2

    @property
    def text(self) -> str:
        return "  ".join(piece.text for piece in self.pieces)

    @property
    def words(self) -> list[int]:
        """Indices of all its words, from left to right."""
        return list(chain.from_iterable(piece.words for piece in self.pieces))

    @property
    def texts(self) -> list[Piece]:
        """The pieces that are no values."""
        return [piece for piece in self.pieces if not piece.is_value]

    @property
    def is_one_piece(self) -> bool:
        return len(self.pieces) == 1

    @property
    def is_all_values(self) -> bool:
        return len(self.values) == len(self.pieces)

    def gap_below(self, above: TextLine) -> float:
        """Points between the foot of the line ``above`` and the head of this one."""
        return self.y0 - above.y1


def text_lines(words: Sequence[Word], indices: Iterable[int] | None = None, *, upended: bool = False) -> list[TextLine]:
    """Lines from top to bottom, each cut into pieces.

    ``indices`` choose among the words, None takes all. Words that run upwards are left out unless ``upended``.
    """
    chosen = range(len(words)) if indices is None else indices
    if not upended:
        chosen = [index for index in chosen if not _is_upended(words[index])]
    return [TextLine(_pieces(words, row)) for row in _rows(words, chosen)]


def _is_upended(word: Word) -> bool:
    x0, y0, x1, y1 = word.box
    return len(word.text) > 2 and (y1 - y0) > 2 * (x1 - x0)


@dataclass(slots=True)
class _Row:
    """Words at one height; ``middle`` and ``height`` are those of the tallest."""

    middle: float
    height: float
    words: list[int]


def _rows(words: Sequence[Word], indices: Iterable[int]) -> list[list[int]]:
    """Indices grouped by height, from left to right: a word joins the line whose middle is nearest, superscripts
    included."""
    rows: list[_Row] = []
    row = _Row(float("-inf"), 0.0, [])
    for middle, height, index in sorted(_heights(words, indices)):
        tolerance = _LEVEL * max(min(height, row.height), 4.0)
        if middle - row.middle > tolerance:
            row = _Row(middle, height, [index])
            rows.append(row)
            continue
        row.words.append(index)
        if height > row.height:
            row.middle = middle
            row.height = height
    return [sorted(row.words, key=lambda index: words[index].box[0]) for row in rows]


def _heights(words: Sequence[Word], indices: Iterable[int]) -> list[tuple[float, float, int]]:
    """Middle, height and index of each word."""
    heights = []
    for index in indices:
        _, y0, _, y1 = words[index].box
        heights.append(((y0 + y1) / 2, y1 - y0, index))
    return heights


def _pieces(words: Sequence[Word], row: Sequence[int]) -> list[Piece]:
    pieces: list[Piece] = []
    for index in row:
        word = words[index]
        joint = _joint(pieces[-1], word) if pieces else None
        if joint is not None:
            _extend(pieces[-1], word, index, joint)
            continue
        x0, y0, x1, y1 = word.box
        pieces.append(Piece(word.text, x0, y0, x1, y1, [index], word.bold, word.size))
    return pieces


class _Spacing(NamedTuple):
    """Gaps in type heights: below ``touching`` two words have nothing between them, above ``apart`` they are two cells.

    Between these they have a space, which is 0.25 to 0.35 wide.
    """

    touching: float
    apart: float

    def joint(self, gap: float, height: float) -> str | None:
        """What stands between two words of one piece, nothing or a space; None where they are two pieces."""
        if gap > self.apart * height:
            return None
        return "" if gap < self.touching * height else " "


_OF_WORDS = _Spacing(0.08, 0.62)
_OF_VALUE_AFTER_MARK = _Spacing(0.08, 0.9 * 0.62)
_OF_SIGN = _Spacing(0.15, _REACH)
_OF_TAIL = _Spacing(0.15, 1.5)
_OF_PARENTHESIS = _Spacing(float("inf"), 1.5)


def _joint(piece: Piece, word: Word) -> str | None:
    """What stands between the piece and the next word if they are one: nothing or a space; None if they are two."""
    x0, y0, _, y1 = word.box
    height = word.size or (y1 - y0)
    gap = x0 - piece.x1
    if word.text.isalpha() and len(piece.text) > _LONGEST_VALUE:
        return _OF_WORDS.joint(gap, height)
    if _is_sign_of(piece.text, word.text) and gap < _REACH * height:
        return "" if piece.text.endswith("(") else _OF_SIGN.joint(gap, height)
    if _is_tail_of(piece.text, word.text):
        spacing = _OF_PARENTHESIS if word.text[0] == ")" else _OF_TAIL
        return spacing.joint(gap, height)
    follows_value = is_value(piece.text)
    if follows_value and word.text == "$":  # the sign of the next column's number
        return None
    if not is_value(word.text):
        return _OF_WORDS.joint(gap, height)
    if follows_value:
        return _joint_of_numbers(piece.text, word.text, gap, height)
    follows_word = piece.text[-1:].isalnum()
    return (_OF_WORDS if follows_word else _OF_VALUE_AFTER_MARK).joint(gap, height)


def _is_sign_of(text: str, value: str) -> bool:
    """True for "$" or "(" and the number after it."""
    return _SIGNS.fullmatch(text) is not None and is_value(value.lstrip("("))


def _is_tail_of(value: str, text: str) -> bool:
    """True for ")", "%" or a footnote's mark and the number before it."""
    if not _TAILS.fullmatch(text):
        return False
    closing = ")" if "(" in value else ""
    return is_value(value.replace(" ", "") + closing)


def _joint_of_numbers(left: str, right: str, gap: float, height: float) -> str | None:
    """Numbers side by side are two cells, unless they are groups of one: "1 234 567"."""
    are_groups = _THOUSANDS.fullmatch(left) and _THREE_DIGITS.match(right)
    if are_groups and gap < _GROUP_GAP * height:
        return " "
    if gap < _TOUCHING_NUMBERS * height:
        return ""
    return " " if gap < _NUMBER_GAP * height else None


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
