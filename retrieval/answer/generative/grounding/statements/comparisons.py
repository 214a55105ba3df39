"""What a sentence says without a figure: of two things that one is more ("A grew faster than B"), held against the rows
of a table, and that a thing rose ("higher office rent"), held against what its source says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import chain, groupby, product

from ......core.period_text import periods_in
from ......core.records import dataclass
from ......core.sequences import first, share
from ......core.words import search_words
from ...cells.cell import RATES, Cell
from ...cells.reading import read_cells
from ...cells.times import same_time
from ...wording import WORDING, is_denied, small_words, terms, weightless_words
from ..calculated import change_of
from ..named_rows import head_fit
from .source_sentences import parts_of, statements_of

_LEAST_NAMED = 0.5
"""Share of the words of a row that what is compared must name, where no other row is named so well."""
_MOST_WORDS = 3
"""Words behind "higher" or "an increase in" that say what is higher."""
_LEAST_SHARED = 2
"""Of these, in a sentence and in its source, to be of one thing: "costs" alone are of many."""
_ENDS_THING = re.compile(
    r"[,;:.()\d%$€£]|\b(?:and|but|while|as|since|because|than|compared|versus|from|to|by)\b", re.IGNORECASE
)
_REACH = 60
"""Characters behind the word of movement in which the thing is named."""
_ENDS = re.compile(r",|，|\b(?:in|during|for|as|at|by|while|but|because|due)\b", re.IGNORECASE)
"""Behind the second of two things."""

_Moved = tuple[int, frozenset[str]]
"""1 or -1, and the words of what rose or fell."""


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
        for match in WORDING.each(name, sentence):
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


# --- which way a thing moved


def moves_otherwise(sentence: str, texts: Sequence[str]) -> bool:
    """True where the sources say of a thing only that it moved the other way.

    >>> source = "The decrease was due to lower office rent expense."
    >>> moves_otherwise("Costs fell because of higher office rent.", [source])
    True
    >>> moves_otherwise("Costs fell because of lower office rent.", [source])
    False
    """
    claimed = moved_in(sentence)
    if not claimed:
        return False
    told = list(chain.from_iterable(map(moved_in, chain.from_iterable(map(statements_of, texts)))))
    return any(_is_told_otherwise(one, told) for one in claimed)


def _is_told_otherwise(claimed: _Moved, told: Sequence[_Moved]) -> bool:
    signs = {sign for sign, thing in told if len(thing & claimed[1]) >= _LEAST_SHARED}
    return signs == {-claimed[0]}


@lru_cache(maxsize=4096)
def moved_in(text: str) -> tuple[_Moved, ...]:
    """What a text says to be higher or lower, by the words behind that: "fewer costs were capitalized"."""
    return tuple(_moved(text))


def _moved(text: str) -> Iterator[_Moved]:
    for sign, name in ((1, "up"), (-1, "down")):
        for match in WORDING.each(name, text):
            thing = frozenset(_thing_behind(text[match.end() : match.end() + _REACH]))
            if len(thing) >= _LEAST_SHARED:
                yield sign, thing


def _thing_behind(behind: str) -> list[str]:
    named = _ENDS_THING.split(parts_of(behind, "cause")[0])[0]
    words = [word for word in search_words(named) if word not in small_words() and word not in weightless_words()]
    return words[:_MOST_WORDS]
