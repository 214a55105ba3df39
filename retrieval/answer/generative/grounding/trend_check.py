"""A sentence without figures against the row that it speaks of: "no ..." of a row with values, a wrong trend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, pairwise

from .....core.period import Period
from .....core.period_text import find_periods
from .....core.quantity import Quantity
from ..cells.cell import Cell
from ..cells.figures import figures_of
from ..cells.reading import read_cells
from ..cells.times import same_time
from ..wording import is_denied, terms, trend_of
from .calculated import change_of
from .named_rows import head_fit, row_fit

_NONE = re.compile(r"\b(?:no|none)\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE)
_TO = re.compile(r"^[^;]{0,40}\bto\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE)
_MOVED = re.compile(
    r"^[^;]{0,30},?\s(?:up|down)\b[^;]{0,12}\sfrom\s(?:about\s|approximately\s|some\s)?$", re.IGNORECASE
)
_COMPARED = re.compile(
    r"^[^;]{0,60}\b(?:which|that)\s(?:is|was|are|were)\s(?:an?\s)?"
    r"(?:(?P<more>(?:higher|more|greater|larger)\sthan|above|(?:increase|rise)\sfrom)"
    r"|(?:lower|less|smaller)\sthan|below|(?:decrease|decline|drop)\sfrom)\b"
    r"(?P<behind>[^;\d]{0,60})$",
    re.IGNORECASE,
)
"""Between two figures of which the first is said to be the higher or the lower one."""
_OTHER_SIZE = re.compile(
    r"\b(?:by|increase|decrease|rise|decline|drop|growth|loss|twice|double|triple|times|(?:half|third|quarter)\sof)\b",
    re.IGNORECASE,
)
"""The figure behind such a word is a change or a part: not the size that the first one is compared with."""
_RANGE = re.compile(r"\s?(?:to|and|[-\u2013])\s?[$\u20ac\xa3]?\d", re.IGNORECASE)
"""Behind the first end of a range: "the 10% to 15% target"."""
_OF_QUALITY = re.compile(r"improv|worsen|deteriorat|widen|narrow|loss|expense|negative", re.IGNORECASE)
_NEAR = 60
"""Characters before the first of two values in which it is said which way they moved."""
_MOST_FIGURES = 40
_LEAST_NAMING = 0.5
_WORTH_OF_PROSE = 0.7
_WORTH_OF_HEADS = 0.2
_WORTH_OF_A_WORD = 0.01
_TREND_WORDS = terms("increase decrease rise fall grow decline drop improve higher lower shrink narrow widen up down")


def denies_figure(sentence: str, texts: Sequence[str]) -> bool:
    """True where a sentence without figures says "no ..." of a row that has a value, or the wrong trend of a row."""
    trend = 0 if is_denied(sentence) else trend_of(sentence)
    says_none = _NONE.search(sentence) is not None
    if not trend and not says_none:
        return False
    row = _row_named(terms(sentence), texts)
    if says_none and row and row[0].table >= 0:
        asked = tuple(mention.period for mention in find_periods(sentence))
        return any(cell.value for cell in row if same_time(asked, cell.periods))
    return _goes_against(trend, row)


def moves_against_itself(sentence: str) -> bool:
    """True where a sentence says that something rose, and its own two figures fell, or the other way round.

    >>> moves_against_itself("Net sales rose from $5 million to $4 million.")
    True
    >>> moves_against_itself("Net sales were up 9% to $5 million from $4 million.")
    False
    >>> moves_against_itself("The tax rate was 12.5%, which is higher than the statutory rate of 21%.")
    True
    """
    figures = figures_of(sentence)[:_MOST_FIGURES]
    if any(_is_wrongly_compared(sentence, one, other) for one, other in pairwise(figures)):
        return True
    for old in figures:
        before = sentence[max(0, old.start - _NEAR) : old.start]
        new = _new_value(sentence, old, figures) if _FROM.search(before) else None
        if new is None or old.unit != new.unit or min(old.value, new.value) < 0:
            continue
        trend = _plain_trend(sentence[max(0, min(old.start, new.start) - _NEAR) : max(old.start, new.start)])
        change = new.amount - old.amount
        if trend * change < 0:
            return True
    return False


def _is_wrongly_compared(sentence: str, one: Quantity, other: Quantity) -> bool:
    """True for "12.5%, which is higher than the statutory rate of 21%"."""
    compared = _COMPARED.search(sentence[one.end : other.start])
    if compared is None or one.unit != other.unit or min(one.value, other.value) < 0:
        return False
    if _OTHER_SIZE.search(compared["behind"]) or _RANGE.match(sentence, other.end):
        return False
    is_more = compared["more"] is not None
    return one.amount != other.amount and (one.amount > other.amount) != is_more


def _new_value(sentence: str, old: Quantity, figures: Sequence[Quantity]) -> Quantity | None:
    """The value that something moved to: "from 5 to 7", "to 7 from 5", "was 7, up 9% from 5"."""
    behind = [other for other in figures if other.start >= old.end]
    if behind and _TO.search(sentence[old.end : behind[0].start]):
        return behind[0]
    ahead = [other for other in figures if other.end <= old.start and other.unit == old.unit]
    if not ahead or old.unit == "%" or ";" in sentence[ahead[-1].end : old.start]:
        return None
    return ahead[-1] if _MOVED.search(sentence[ahead[-1].end : old.start]) else None


def _plain_trend(text: str) -> int:
    """As :func:`trend_of`, of words that say nothing of good or bad."""
    return 0 if _OF_QUALITY.search(text) else trend_of(text)


def _row_named(words: frozenset[str], texts: Sequence[str]) -> list[Cell]:
    """The cells with a period of the row, or of the sentence, that the words name best; none where several do."""
    rows: dict[tuple[int, frozenset[str], frozenset[str]], list[Cell]] = {}
    for cell in chain.from_iterable(map(read_cells, texts)):
        if cell.periods and not cell.is_change:
            rows.setdefault((cell.table, cell.words, cell.heads), []).append(cell)
    naming = {key: _naming(words, cells[0]) for key, cells in rows.items()}
    best = max(naming.values(), default=0.0)
    named = [key for key, value in naming.items() if value == best]
    return rows[named[0]] if best >= _LEAST_NAMING and len(named) == 1 else []


def _naming(words: frozenset[str], cell: Cell) -> float:
    """How well the words name the row and column of a cell; of prose, the share of them that its sentence has."""
    if cell.table < 0:
        said = frozenset(word for word in words - _TREND_WORDS if not word.isdigit())
        return len(said & cell.words) / len(said) * _WORTH_OF_PROSE if len(said) > 1 else 0.0
    names = words & (cell.words | cell.heads)
    return row_fit(names, cell) + _WORTH_OF_HEADS * head_fit(words, cell) + _WORTH_OF_A_WORD * len(names)


def _goes_against(trend: int, cells: Sequence[Cell]) -> bool:
    """True where the two newest values of a row moved the other way."""
    values: dict[Period, Cell] = {}
    for cell in cells:
        values.setdefault(cell.periods[0], cell)
    ordered = [values[period] for period in sorted(values, key=lambda period: period.sort_key)]
    if len(ordered) < 2:
        return False
    change = change_of(ordered[-2], ordered[-1])
    return trend * change < 0
