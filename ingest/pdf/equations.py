"""Displayed equations of a page: a line of its own with an equals sign and operators, and the fractions around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.anchor import Box, bounding_box
from ...core.language import language_of
from ...core.records import dataclass
from ...core.sequences import without
from ..reading.block import Block, Piece, PrintedLine

_EQUATION = re.compile(r"[^=<>]{1,80}=[^=<>]{2,200}")
_OPERATOR = re.compile(r"[×÷∑∫√∏±]|\s[-+−–*/]\s")
_MOST_WORDS = 24
_APART = 0.5
"""Heights of a line between an equation and the text around it."""
_SENTENCE_ENDS = (".", ":", "。", "：")
_LEFT_SIDE = 0.15
"""Share of an equation's width that its left side takes at least."""
_FRACTION_GAP, _FRACTION_WORDS = 0.9, 10
"""What stands this near above or below, in so few words, is a numerator or denominator."""


@dataclass(frozen=True, slots=True)
class Equation:
    """A displayed equation: where it stands and its block."""

    box: Box
    block: Block


def is_equation(text: str) -> bool:
    """True for a line that sets something equal to a calculation.

    >>> is_equation("Return on equity = Net income / Average shareholders' equity × 100"), is_equation("N/A = none")
    (True, False)
    """
    if not _EQUATION.fullmatch(text) or len(text.split()) > _MOST_WORDS:
        return False
    right = text.partition("=")[2]
    return _OPERATOR.search(right) is not None


def with_equations(lines: Sequence[PrintedLine], first: int) -> tuple[list[PrintedLine], list[Equation]]:
    """The lines of a page with an empty one in the place of each equation; their ordinals count from ``first``."""
    found: list[Equation] = []
    kept: list[PrintedLine] = []
    taken: set[int] = set()
    for at, line in enumerate(lines):
        if at in taken:
            continue
        if not _is_displayed(lines, at):
            kept.append(line)
            continue
        own = _with_fractions(lines, at)
        kept = without(kept, own)
        if at + 1 < len(lines) and lines[at + 1] in own:
            taken.add(at + 1)
        equation = _equation(own)
        kept.append(PrintedLine("", line.page, equation.box, column=line.column, table=first + len(found)))
        found.append(equation)
    return kept, found


def _is_displayed(lines: Sequence[PrintedLine], at: int) -> bool:
    """True for an equation on a line of its own."""
    line = lines[at]
    if not (line.is_plain and line.has_box):
        return False
    return is_equation(line.text) and _stands_alone(lines, at)


def _equation(lines: Sequence[PrintedLine]) -> Equation:
    box = bounding_box(line.box for line in lines)
    name = "公式" if language_of(" ".join(line.text for line in lines)) == "zh" else "Equation"
    pieces = [Piece(f"[{name}]", lines[0].page, box)]
    pieces += [Piece(line.text, line.page, line.box) for line in lines]
    return Equation(box, Block("figure", tuple(pieces)))


def _stands_alone(lines: Sequence[PrintedLine], at: int) -> bool:
    """True where room, or parts of a fraction, part the line from the text above and below."""
    line = lines[at]
    for neighbour in _neighbours(lines, at):
        if _gap(line, neighbour) < _APART * line.height and not _is_part(neighbour, line):
            return False
    return True


def _gap(line: PrintedLine, neighbour: PrintedLine) -> float:
    """Points between two lines, whichever is the upper one; negative where they overlap."""
    return max(line.top - neighbour.bottom, neighbour.top - line.bottom)


def _with_fractions(lines: Sequence[PrintedLine], at: int) -> list[PrintedLine]:
    """The line with the numerators and denominators right before and after it."""
    line = lines[at]
    own = [line]
    for neighbour in _neighbours(lines, at):
        if _gap(line, neighbour) < _FRACTION_GAP * line.height and _is_part(neighbour, line):
            own.append(neighbour)
    return sorted(own, key=lambda line: line.top)


def _neighbours(lines: Sequence[PrintedLine], at: int) -> list[PrintedLine]:
    """The lines before and after in the same column."""
    around = [*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2]]
    return [line for line in around if line.is_plain and line.place == lines[at].place]


def _is_part(part: PrintedLine, equation: PrintedLine) -> bool:
    """True for a short line without an end of a sentence, within the width of the equation."""
    if len(part.text.split()) > _FRACTION_WORDS or part.text.rstrip().endswith(_SENTENCE_ENDS):
        return False
    # Its left edge stands past what is left of the equals sign.
    return part.left > equation.left + equation.width * _LEFT_SIDE and part.right <= equation.right + 1
