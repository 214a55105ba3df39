"""What a sentence claims with each of its figures: of which time, of what, rising or falling, how exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ....core.period import Period
from ....core.quantity import Quantity
from .cell import RATES, last_digit
from .prose_cells import figures_of, periods_of_figures
from .wording import WORDING, direction_of_change, terms

POINTS = {"pp": Decimal(1), "bp": Decimal("0.01")}
"""Units of a difference of percentages, in percentage points."""
_POINTS_WORD = re.compile(r"^\s?(?:percentage )?points?\b", re.IGNORECASE)
_SCALE_WORD = re.compile(r"\b(?:thousands?|millions?|billions?|mn|bn)\b|[$€£]\s?[mk]\b|万|亿|千", re.IGNORECASE)
_HEAD_ENDS = re.compile(r"[;；，]|, (?=and|of which|but|while)|\bof which\b")
_TAIL_ENDS = re.compile(r"[;；，,]|\b(?:and|but|while|compared|from|up|down)\b|\bagainst\s+[$€£\d]")
_NEAR = 20
"""Characters before a figure in which "about" speaks of it."""
MOST_FIGURES = 200
"""Of one sentence that are looked for: nobody writes more, and each is held against every cell."""
_SAID_AGAIN = 2
"""Characters between a figure and the bracket that says it again."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure of a sentence with what the sentence says about it."""

    figure: Quantity
    sentence: str
    clause: str
    """The words around it that speak of it."""
    periods: tuple[Period, ...]
    words: frozenset[str]
    """Search words of its clause."""
    asked: frozenset[str]
    """Search words of the question."""
    direction: int
    """Of the size of a change: 1 up, -1 down; 0 for a level."""
    tolerance: Decimal
    """Half of what the last printed digit is worth; 0 for what has to be exact."""
    is_points: bool = False
    says_scale: bool = False
    """True where the sentence or the question says a scale elsewhere: "in millions"."""

    @property
    def ahead(self) -> frozenset[str]:
        """Search words of the sentence before the figure: "Domestic revenue grew 21% to" its new value."""
        return terms(self.sentence[: self.figure.start])

    @property
    def all_words(self) -> frozenset[str]:
        """Search words of the whole sentence."""
        return self.words | terms(self.sentence)

    @property
    def plain(self) -> Decimal:
        """The figure in its unit; rates as printed."""
        return self.figure.value if self.figure.unit in RATES else self.figure.amount


def claims_of(sentence: str, question: str) -> list[Claim]:
    """The first :data:`MOST_FIGURES` figures of a sentence, but for those of the question, which are free."""
    figures = _without_brackets(figures_of(sentence)[:MOST_FIGURES])
    periods = periods_of_figures(sentence, figures)
    asked = {abs(figure.amount) for figure in figures_of(question)}
    claims = []
    for figure, own in zip(figures, periods, strict=True):
        if abs(figure.amount) not in asked:
            claims.append(_claim(figure, own, sentence, figures, question))
    return claims


def _claim(
    figure: Quantity, periods: tuple[Period, ...], sentence: str, figures: Sequence[Quantity], question: str
) -> Claim:
    clause = clause_of(sentence, figure, figures)
    is_points = figure.unit in POINTS
    if not figure.unit:
        is_points = _POINTS_WORD.search(sentence[figure.end :]) is not None
    elsewhere = f"{sentence.replace(figure.text, '')} {question}"
    return Claim(
        figure, sentence, clause, periods, terms(clause), terms(question), direction_of_change(sentence, figure.start),
        _tolerance(figure, sentence), is_points, _SCALE_WORD.search(elsewhere) is not None,
    )  # fmt: skip


def _without_brackets(figures: Sequence[Quantity]) -> list[Quantity]:
    """ "1.04亿元（103,848,784.27元）": brackets right behind a figure say it again, and make it no negative one."""
    found = []
    ends = {figure.end for figure in figures}
    for figure in figures:
        is_again = any(figure.start - gap in ends for gap in range(_SAID_AGAIN + 1))
        found.append(replace(figure, value=abs(figure.value)) if is_again and figure.text[0] in "(（" else figure)
    return found


def clause_of(sentence: str, figure: Quantity, figures: Sequence[Quantity]) -> str:
    """The words around a figure: from the figure before it to the one behind it, within commas and "and"."""
    before = max((other.end for other in figures if other.end <= figure.start), default=0)
    after = min((other.start for other in figures if other.start >= figure.end), default=len(sentence))
    cuts = [match.end() for match in _HEAD_ENDS.finditer(sentence[before : figure.start])]
    tail = _TAIL_ENDS.split(sentence[figure.end : after])[0]
    return sentence[before + max(cuts, default=0) : figure.end + len(tail)]


def _tolerance(figure: Quantity, sentence: str) -> Decimal:
    """A whole number without a scale is exact, unless "about" stands before; "about 20" may be 15 to 25."""
    step = last_digit(figure.value)
    is_about = WORDING.any("approximate", sentence[max(0, figure.start - _NEAR) : figure.start])
    if is_about and figure.value and figure.value == figure.value.to_integral_value():
        step = _last_other_than_zero(figure.value)
    if figure.unit in POINTS:
        return step * POINTS[figure.unit] / 2
    if figure.unit in RATES:
        return step / 2
    is_exact = figure.scale == 1 and step >= 1 and not is_about
    return Decimal(0) if is_exact else step * figure.scale / 2


def _last_other_than_zero(value: Decimal) -> Decimal:
    """What the last digit of a whole number that is no zero is worth: 100 of 4,300."""
    digits = str(int(abs(value)))
    return Decimal(10) ** (len(digits) - len(digits.rstrip("0")))
