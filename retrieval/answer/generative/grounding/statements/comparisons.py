"""What a sentence says of two things without a figure, "A grew faster than B", held against the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby, product

from ......core.period_text import periods_in
from ......core.records import dataclass
from ......core.sequences import first, share
from ...cells.cell import RATES, Cell
from ...cells.reading import read_cells
from ...cells.times import same_time
from ...wording import WORDING, is_denied, terms
from ..calculated import change_of
from ..named_rows import head_fit

_LEAST_NAMED = 0.5
"""Share of the words of a row that what is compared must name, where no other row is named so well."""
_ENDS = re.compile(r",|，|\b(?:in|during|for|as|at|by|while|but|because|due)\b", re.IGNORECASE)
"""Behind the second of two things."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What is compared, what it is compared by, and which way: 1 where the first is said to have more of it."""

    one: frozenset[str]
    other: frozenset[str]
    kind: str
    sign: int


def compares_wrongly(sentence: str, texts: Sequence[str], beside: str = "") -> bool:
    """True where a table has the two things that a sentence compares, and none has them as the sentence says.

    ``beside`` is what else there is of the same documents: it is looked at where no table of the texts has both.

    >>> table = "| | 2022 | 2021 |\\n| --- | --- | --- |\\n| Salaries | 23 | 19 |\\n| Outside services | 21 | 14 |"
    >>> compares_wrongly("Salaries grew faster than outside services.", [table])
    True
    >>> compares_wrongly("Salaries were higher than outside services.", [table])
    False
    """
    if is_denied(sentence):
        return False
    for comparison in _comparisons(sentence):
        found = (list(_outcomes(comparison, sentence, cells)) for cells in map(read_cells, (*texts, beside)))
        outcomes = first(filter(None, found), [])
        if outcomes and not any(outcomes):
            return True
    return False


def _comparisons(sentence: str) -> Iterator[_Comparison]:
    for name, (kind, sign) in _KINDS.items():
        for pattern in WORDING.all(name):
            for match in pattern.finditer(sentence):
                said = match.groupdict()
                one, other = said["one"] or said["one_zh"], said["other"] or said["other_zh"]
                yield _Comparison(terms(one), terms(_ENDS.split(other.strip())[0]), kind, sign)


def _outcomes(comparison: _Comparison, sentence: str, cells: Sequence[Cell]) -> Iterator[bool]:
    """Of each table that has both things: whether it has them as is said."""
    of_tables = sorted((cell for cell in cells if cell.table >= 0), key=lambda cell: cell.table)
    for _, found in groupby(of_tables, key=lambda cell: cell.table):
        table = list(found)
        ones, others = _rows(comparison.one, comparison.other, table), _rows(comparison.other, comparison.one, table)
        for one, other in product(ones, others):
            values = _VALUES[comparison.kind](one, other, sentence) if one[0].row != other[0].row else None
            if values and values[0] != values[1]:
                yield (values[0] > values[1]) == (comparison.sign > 0)


def _rows(wanted: frozenset[str], beside: frozenset[str], table: Sequence[Cell]) -> list[list[Cell]]:
    """The cells of the row that words name best, and of its namesakes; none where others fit as well."""
    fits: dict[int, float] = {}
    names: dict[int, frozenset[str]] = {}
    for cell in table:
        if cell.words and not (cell.words & wanted <= beside and cell.words & wanted):
            fits[cell.row] = share(cell.words & wanted, cell.words)
            names[cell.row] = cell.words
    best = max(fits.values(), default=0.0)
    rows = [row for row, fit in fits.items() if fit == best]
    if best <= _LEAST_NAMED or len({names[row] for row in rows}) > 1:
        return []
    return [[cell for cell in table if cell.row == row] for row in rows]


def _levels(one: Sequence[Cell], other: Sequence[Cell], sentence: str) -> tuple[Decimal, Decimal] | None:
    """The two values in the column that the sentence names: its time, else the first that is no change."""
    asked = periods_in(sentence)
    words = terms(sentence)
    pairs = [(a, b) for a in one for b in other if a.column == b.column and a.unit == b.unit and not a.is_change]
    pairs = [(a, b) for a, b in pairs if same_time(asked, a.periods)]
    if not pairs:
        return None
    left, right = max(pairs, key=lambda pair: (head_fit(words, pair[0]), _newness(pair[0]), -pair[0].column))
    return abs(left.amount), abs(right.amount)


def _newness(cell: Cell) -> tuple[object, ...]:
    return (cell.periods[0].sort_key,) if cell.periods else ()


def _growths(one: Sequence[Cell], other: Sequence[Cell], sentence: str) -> tuple[Decimal, Decimal] | None:
    """The rates of change of both between the same two times."""
    left, right = _growth(one), _growth(other)
    return None if left is None or right is None else (left, right)


def _growth(row: Sequence[Cell]) -> Decimal | None:
    """By what share the newest value of a row differs from the one before."""
    dated = {cell.periods[0].sort_key: cell for cell in row if cell.periods and not cell.is_change}
    newest = [dated[key] for key in sorted(dated)][-2:]
    if len(newest) < 2 or not newest[0].amount or any(cell.unit in RATES for cell in newest):
        return None
    return change_of(*newest) / abs(newest[0].amount)


def _falls(one: Sequence[Cell], other: Sequence[Cell], sentence: str) -> tuple[Decimal, Decimal] | None:
    growths = _growths(one, other, sentence)
    return growths and (-growths[0], -growths[1])


_KINDS: Mapping[str, tuple[str, int]] = {
    "grew_more": ("growth", 1),
    "grew_less": ("growth", -1),
    "fell_more": ("fall", 1),
    "is_more": ("level", 1),
    "is_less": ("level", -1),
}
"""Patterns of grounding.toml: what is compared by, and which way."""
_VALUES: Mapping[str, Callable[[Sequence[Cell], Sequence[Cell], str], tuple[Decimal, Decimal] | None]] = {
    "growth": _growths,
    "fall": _falls,
    "level": _levels,
}
