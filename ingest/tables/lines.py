"""Words to printed lines, and lines to pieces: runs of words that belong into one cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...core.anchor import Box
from ..pdf.backend import Word
from .values import is_number, is_value, is_year

_LEVEL = 0.38
"""Share of the type height by which words of one line may differ in height."""
_GAP = 0.62
"""Share of the type height from which a gap between words starts a new piece; a space is 0.25 to 0.35."""
_NUMBER_GAP = 0.34
"""The same between two numbers, which no sentence joins."""
_REACH = 14.0
"""Share of the type height over which a currency sign at a column's left edge belongs to its number."""
_LONGEST_VALUE = 24
"""Characters; a longer piece is prose."""
_SIGNS = re.compile(r"(?:US|HK|A|C)?[$€£¥￥]|\(|[$€£¥]\s?\(|[-–−]")
_TAILS = re.compile(r"\)|%|％|\)\s?%|%\s?\)|\(\w\)|\*+|[†‡]")
_THOUSANDS = re.compile(r"[-–(]?\d{1,3}(?: \d{3})*")


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
    def text(self) -> str:
        return "  ".join(piece.text for piece in self.pieces)


def text_lines(words: Sequence[Word], indices: Iterable[int] | None = None, *, upended: bool = False) -> list[TextLine]:
    """Lines from top to bottom, each cut into pieces. Words that run upwards only where they are asked for."""
    chosen = range(len(words)) if indices is None else indices
    lines = []
    for row in _rows(words, [i for i in chosen if upended or not _is_upended(words[i])]):
        lines.append(TextLine(_pieces(words, row)))
    return lines


def _is_upended(word: Word) -> bool:
    x0, y0, x1, y1 = word.box
    return len(word.text) > 2 and (y1 - y0) > 2 * (x1 - x0)


def _rows(words: Sequence[Word], indices: list[int]) -> list[list[int]]:
    """Indices grouped by height: a word joins the line whose middle is nearest, superscripts included."""
    rows: list[tuple[float, float, list[int]]] = []
    boxes = [(i, words[i].box) for i in indices]
    for middle, height, index in sorted([((box[1] + box[3]) / 2, box[3] - box[1], i) for i, box in boxes]):
        if rows:
            row_middle, row_height, row = rows[-1]
            if middle - row_middle <= _LEVEL * max(min(height, row_height), 4.0):
                row.append(index)
                if height > row_height:
                    rows[-1] = (middle, height, row)
                continue
        rows.append((middle, height, [index]))
    return [sorted(row, key=lambda i: words[i].box[0]) for _, _, row in rows]


def _pieces(words: Sequence[Word], row: list[int]) -> list[Piece]:
    pieces: list[Piece] = []
    for index in row:
        word = words[index]
        if pieces and (joint := _joint(pieces[-1], word)) is not None:
            _extend(pieces[-1], word, index, joint)
        else:
            x0, y0, x1, y1 = word.box
            pieces.append(Piece(word.text, x0, y0, x1, y1, [index], word.bold, word.size))
    return pieces


def _joint(piece: Piece, word: Word) -> str | None:
    """What stands between the piece and the next word if they are one: nothing or a space; None if they are two."""
    x0, y0, _, y1 = word.box
    height = word.size or (y1 - y0)
    gap = x0 - piece.x1
    if len(piece.text) > _LONGEST_VALUE and word.text.isalpha():
        return None if gap > _GAP * height else ("" if gap < 0.08 * height else " ")
    if _SIGNS.fullmatch(piece.text) and gap < _REACH * height and is_value(word.text.lstrip("(")):
        return "" if gap < 0.15 * height or piece.text.endswith("(") else " "
    if _TAILS.fullmatch(word.text) and is_value(piece.text.replace(" ", "") + (")" if "(" in piece.text else "")):
        return None if gap > 1.5 * height else ("" if gap < 0.15 * height or word.text[0] == ")" else " ")
    if word.text == "$" and is_value(piece.text):  # the sign of the next column's number
        return None
    if is_value(piece.text) and is_value(word.text):
        together = gap < 0.3 * height and _THOUSANDS.fullmatch(piece.text) and re.match(r"\d{3}(?!\d)", word.text)
        return " " if together else ("" if gap < 0.05 * height else " " if gap < _NUMBER_GAP * height else None)
    limit = 0.9 * _GAP if is_value(word.text) and not piece.text[-1:].isalnum() else _GAP
    return None if gap > limit * height else ("" if gap < 0.08 * height else " ")


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
    if not word.bold:
        piece.bold = False
