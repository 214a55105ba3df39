"""Figures that come from others: changes, ratios, sums and averages of cells, calculations that are written out, and
values that "more than doubled" or "fell to" what they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import product

from .....core.sequences import first
from .....core.words import without_numbers
from ....question.vocabulary.expression import calculate
from ..cells.cell import RATES, Cell, last_digit
from ..cells.times import same_time
from ..wording import WORDING, direction_of_change, trend_of
from .cell_match import PLAUSIBLE, is_value
from .claims import POINTS, Claim
from .prose_match import clause_words, clauses_with, is_clause_of_another

_DIFFERENCE = re.compile(
    r"\b(?:difference|spread|change|increase|decrease|variance|movement|improv\w{1,5}|worsen\w{0,3})\b|差|变动",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:difference|gap|spread|than|above|below|exceed\w{0,3})\b|差|比|高于|低于|超过", re.IGNORECASE
)
_RATE_OF_CHANGE = re.compile(
    r"\b(?:change|growth|increase|decrease|decline|variance|above|below|year[- ]over[- ]year|cagr)\b"
    r"|变动|增长|增幅|降幅|同比",
    re.IGNORECASE,
)
_OF_A_WHOLE = re.compile(
    r"\bof (?:the |its |all |which|whom)|\bof\s\w|account|represent|portion|share|\bpart\b|占|比例", re.IGNORECASE
)
_RATIO = re.compile(r"\bratio\b|\btimes\b|比率|倍", re.IGNORECASE)
COMPOUND = re.compile(r"\bcagr\b|\bcompound(?:ed)?\b|\bannuali[sz]ed\b|\bper annum\b|复合|年均", re.IGNORECASE)
"""Of a growth that is the same in each of several years."""
_RESULT_ROW = re.compile(
    r"income|earnings|profit|cash flow|net cash(?! used (?:in|for))|margin|return on", re.IGNORECASE
)
_SLACK = Decimal("1.2")
"""Times the rounding of the printed figure: what goes into a calculation is rounded, too."""
_LEAST_SLACK = Decimal("0.5")
_NUMBER = (
    r"[$€£¥]{0,2}\s?[-−–]?\(?[-−–]?[$€£¥]?\s?\d[\d,]{0,30}(?:\.\d{1,20})?\s?%?"
    r"(?:\s?(?:thousand|million|billion|x)|[万亿千百]{1,2}元?|元)?"
)
_OPEN, _CLOSE = r"[(（\[]{0,3}\s?", r"\s?[)）\]]{0,3}"
_RESULT = r"[-−–]?[(]?[$€£¥]?\s?[-−–]?\d[\d,]{0,30}(?:\.\d{1,20})?"
FORMULA = re.compile(
    rf"(?P<terms>{_OPEN}{_NUMBER}{_CLOSE}(?:\s{{0,2}}[-+−–*/×÷]\s{{0,2}}{_OPEN}{_NUMBER}{_CLOSE}){{1,8}}"
    rf"(?:\s?[*×]\s?100\s?%?)?)\s{{0,2}}[=≈]\s{{0,2}}(?P<result>{_RESULT})(?P<unit>\s?%|\s?x\b)?"
)
"""A calculation that is written out: "(3,412 - 2,987) / 2,987 = 14.2%"."""
DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WORDS = re.compile(r"[A-Za-z]+")
_Calculation = Callable[[Claim, Cell, Cell, Decimal], bool]
"""Whether a claim comes from two cells, the old and the new one, within a tolerance."""


# --- from two cells


def is_pair(one: Cell, other: Cell) -> bool:
    """True where calculating with both makes sense: one row at two times, or two rows at one time."""
    if (one.start, one.table, one.text) == (other.start, other.table, other.text):
        return False
    if one.table != other.table or one.table < 0:
        return True
    if one.row == other.row:
        return one.column != other.column
    if one.words == other.words:
        return one.heads == other.heads
    return one.column == other.column


def is_in_series(one: Cell, other: Cell) -> bool:
    """True for one row, and for the amounts of a sentence whose figures have a time each: "5, 4 and 3 in 2019 ...".

    A clause of its own makes a figure one of something else.
    """
    if one.table >= 0 or other.table >= 0:
        return (one.table, one.row) == (other.table, other.row)
    is_listed = one.is_prose and one.label == other.label and one.unit == other.unit
    return is_listed and (one.text == other.text or not (clause_words(one) and clause_words(other)))


def is_before(one: Cell, other: Cell) -> bool:
    """By period where both have one, by "opening" and "closing", else as printed: reports print the newest first."""
    if one.periods and other.periods and one.periods[0].sort_key != other.periods[0].sort_key:
        return one.periods[0].sort_key < other.periods[0].sort_key
    if is_opening(one) != is_opening(other):
        return is_opening(one)
    return one.start > other.start


def is_opening(cell: Cell) -> bool:
    """True for a balance at the beginning of the time that is reported."""
    return cell.table >= 0 and WORDING.any("opening", cell.head or cell.label)


def is_in_row(cell: Cell, known: Cell) -> bool:
    """True for a cell of the row of another, or of the same row and column in a table of another time."""
    if cell.table == known.table:
        return cell.row == known.row or _is_at_another_time(cell, known)
    heads = without_numbers(known.heads)
    return cell.words == known.words and bool(heads) and without_numbers(cell.heads) == heads


def _is_at_another_time(one: Cell, other: Cell) -> bool:
    """True for rows that differ in their time alone: "Unvested as of December 31, 2022" and "... 2021"."""
    if one.periods == other.periods or one.heads != other.heads:
        return False
    return bool(one.words or one.heads) and without_numbers(one.words) == without_numbers(other.words)


def comes_from(claim: Claim, old: Cell, new: Cell) -> bool:
    """True where the claim is the change from old to new, or their ratio."""
    tolerance = claim.tolerance * _SLACK or _LEAST_SLACK
    ways = _ways_to(claim, are_rates=old.unit == new.unit == "%")
    return any(comes(claim, old, new, tolerance) for comes in ways)


def _ways_to(claim: Claim, *, are_rates: bool) -> list[_Calculation]:
    """The calculations on two cells that a claim may be the result of, by its unit and its words."""
    points: list[_Calculation] = [_comes_from_points] if are_rates else []
    if claim.is_points:
        return points
    if claim.figure.unit == "%" and COMPOUND.search(claim.sentence):
        return [_comes_from_compound_growth]
    if claim.figure.unit == "%" and _may_be_change(claim):
        ratio = [] if claim.direction else [_comes_from_ratio]
        return [*points, _comes_from_growth, *ratio]
    if points and claim.figure.unit == "%" and _DIFFERENCE.search(claim.sentence):
        return points
    return [_comes_from_ratio] if _may_be_ratio(claim) else [_comes_from_difference]


def share_of_whole(claim: Claim, claims: Iterable[Claim], cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """A part and its whole of which the claim is the share; () where there are none.

    They stand in one column, or in one sentence of the source. The claim's sentence gives the value of one, and gives
    or names the other, which may be a total.
    """
    if claim.figure.unit != "%" or not _OF_A_WHOLE.search(claim.sentence):
        return ()
    amounts = [other for other in claims if other.figure.unit not in RATES]
    said = [cell for cell in cells if any(is_value(other, cell) for other in amounts)]
    known = [*said, *(cell for cell in cells if _is_whole_or_named(claim, cell))]
    pairs = (sorted(pair, key=lambda cell: abs(cell.amount)) for pair in product(said, known) if _are_beside(*pair))
    return first(((part, whole) for part, whole in pairs if _is_share(claim, part, whole, cells)), ())


def _is_share(claim: Claim, part: Cell, whole: Cell, cells: Sequence[Cell]) -> bool:
    if is_clause_of_another(claim, part, cells):
        return False
    printed = abs(part.amount / whole.amount) * 100 if whole.amount else Decimal(0)
    return abs(printed - claim.figure.value) <= claim.tolerance * _SLACK


def _are_beside(one: Cell, other: Cell) -> bool:
    """True for two amounts of one column, or of one sentence."""
    if one.start == other.start or not RATES.isdisjoint((one.unit, other.unit)):
        return False
    if one.is_prose:
        return one.label == other.label
    return one.table == other.table >= 0 and one.column == other.column


def _is_whole_or_named(claim: Claim, cell: Cell) -> bool:
    words = clause_words(cell) if cell.is_prose else cell.words
    return "total" in words or not words.isdisjoint(claim.own_words - claim.company)


def _may_be_ratio(claim: Claim) -> bool:
    if claim.figure.unit in ("%", "x"):
        return True
    is_bare = not claim.figure.unit and claim.figure.scale == 1
    return is_bare and _RATIO.search(claim.sentence) is not None


def _may_be_change(claim: Claim) -> bool:
    return bool(claim.direction or trend_of(claim.sentence)) or _RATE_OF_CHANGE.search(claim.sentence) is not None


def _comes_from_points(claim: Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for a difference of two percentages."""
    wanted = abs(claim.figure.value) * POINTS.get(claim.figure.unit, Decimal(1))
    return _is_change(claim, change_of(old, new), wanted, tolerance)


def _comes_from_growth(claim: Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for a change in percent."""
    if not old.amount or not _is_one_row(old, new):
        return False
    return _is_change(claim, change_of(old, new) / abs(old.amount) * 100, abs(claim.figure.value), tolerance)


def _comes_from_compound_growth(claim: Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for the yearly growth over several years of what is above zero at both ends."""
    if not (old.periods and new.periods and old.amount > 0 and new.amount > 0 and _is_one_row(old, new)):
        return False
    years = abs(new.periods[0].year - old.periods[0].year)
    if years <= 1:
        return False
    yearly = (new.amount / old.amount) ** (1 / Decimal(years)) - 1
    return _is_change(claim, yearly * 100, abs(claim.figure.value), tolerance)


def _comes_from_ratio(claim: Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for one divided by the other, at one time, both of which the sentence names."""
    if not same_time(claim.periods, old.periods) or not same_time(claim.periods, new.periods):
        return False
    if old.table == new.table >= 0 and old.column != new.column and old.periods != new.periods:
        return False
    factor = 100 if claim.figure.unit == "%" else 1
    wanted = abs(claim.figure.value)
    for one, other in ((old, new), (new, old)):
        if other.amount and abs(abs(one.amount / other.amount) * factor - wanted) <= tolerance:
            return True
    return False


def _comes_from_difference(claim: Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for a difference of two amounts, in units or as the table prints them."""
    if old.unit in RATES or new.unit in RATES or not (_is_one_row(old, new) or _are_compared(claim, old, new)):
        return False
    if not claim.direction and not _DIFFERENCE.search(claim.sentence) and not _COMPARED.search(claim.sentence):
        return False
    change = change_of(old, new)
    changes = [change]
    if claim.figure.scale == 1 and old.scale:
        changes.append(change / old.scale)
    if claim.figure.scale != 1 and old.scale is None and not old.is_prose:
        changes.extend(change * scale for scale in PLAUSIBLE)
    return any(_is_change(claim, one, abs(claim.plain), tolerance) for one in changes)


def _is_one_row(old: Cell, new: Cell) -> bool:
    """True for one row at two times; what is said in prose may be of one row."""
    if old.table < 0 or new.table < 0:
        return True
    is_one_time = bool(old.periods) and old.periods == new.periods
    return old.words == new.words and not is_one_time


def _are_compared(claim: Claim, one: Cell, other: Cell) -> bool:
    """True for two rows at one time of which the sentence says both names: "more for leases than for interest"."""
    if one.column != other.column or not _COMPARED.search(claim.sentence):
        return False
    if not same_time(claim.periods, one.periods):
        return False
    own, others = one.words - other.words, other.words - one.words
    return bool(own & claim.all_words) and bool(others & claim.all_words)


def change_of(old: Cell, new: Cell) -> Decimal:
    """By how much a value rose. What is printed negative all along, such as a cost, rises as it moves from zero."""
    if old.value < 0 and new.value < 0 and not _RESULT_ROW.search(old.label):
        return old.amount - new.amount
    return signed_amount(new) - signed_amount(old)


def signed_amount(cell: Cell) -> Decimal:
    """The amount; below zero where a sentence says so in words: "operating activities used $5 million of cash"."""
    if not cell.is_prose or cell.value < 0 or cell.unit in RATES:
        return cell.amount
    is_negative = any(WORDING.any("negative", clause) for clause in clauses_with(cell.label, cell.text))
    return -cell.amount if is_negative else cell.amount


def _is_change(claim: Claim, change: Decimal, wanted: Decimal, tolerance: Decimal) -> bool:
    if abs(abs(change) - wanted) > tolerance:
        return False
    direction = claim.direction or trend_of(claim.sentence)
    if claim.figure.value < 0:
        direction = -1
    return direction * change >= 0


def is_base_of(claim: Claim, level: Cell, rate: Cell, direction: int) -> bool:
    """True where something that grew at the rate to the level was what is claimed, as far as both are rounded.

    ``direction`` is that of the rate as an answer gives it: 1 or -1; 0 where only its source says it.
    """
    direction = direction or _direction_of(rate)
    if rate.unit != "%" or level.unit in RATES or not direction:
        return False
    grown = 1 + direction * abs(rate.value) / 100
    slack = last_digit(rate.value) / 200
    half = last_digit(level.value) * (level.scale or 1) / 2
    if grown - slack <= 0:
        return False
    least, most = (level.amount - half) / (grown + slack), (level.amount + half) / (grown - slack)
    return least - claim.tolerance <= claim.plain <= most + claim.tolerance


def _direction_of(rate: Cell) -> int:
    """Which way something moved, as its table or its sentence says: 1, -1, or 0 where they do not."""
    return direction_of_change(rate.label, rate.label.find(rate.text)) if rate.is_prose else 0


# --- written out


def result_of(terms_text: str, result: str) -> Decimal | None:
    """The value of a calculation that is written out, if it gives the result that stands behind it; else None.

    The result may be in percent, and so may a number of the calculation.

    >>> result_of("(3,412 - 2,987) / 2,987", "14.2"), result_of("700 * 10%", "70"), result_of("2 + 2", "5")
    (Decimal('0.1422832273183796451288918647'), Decimal('70.00'), None)
    """
    value, digits = calculate(_balanced(_without_words(terms_text))), DIGITS.search(result)
    if value is None or digits is None:
        return None
    wanted = Decimal(digits[0].replace(",", ""))
    if "%" in terms_text and abs(abs(value) / 100 - wanted) <= last_digit(wanted):
        return value * Decimal("0.01")
    return value if any(_is_about(abs(value * factor), wanted) for factor in (1, 100)) else None


def operands_of(terms_text: str) -> Iterator[tuple[str, Decimal]]:
    """The numbers of a calculation as printed, with their values."""
    for digits in DIGITS.findall(terms_text):
        yield digits, Decimal(digits.replace(",", ""))


def rounds_to(amount: Decimal, value: Decimal) -> bool:
    """True where the amount may be printed as the value; a whole number is exact."""
    step = last_digit(value)
    return abs(amount - value) <= (step / 2 if step < 1 else Decimal(0))


def _balanced(text: str) -> str:
    """Without brackets that open before the formula and close behind it."""
    text = text.strip()
    while text.startswith("(") and text.count("(") > text.count(")"):
        text = text[1:].strip()
    return text


def _without_words(text: str) -> str:
    return _WORDS.sub("", text).replace("[", "(").replace("]", ")")


def _is_about(value: Decimal, printed: Decimal) -> bool:
    """True where a value may be printed so: rounded or cut off; whole numbers have to be the same."""
    if value == value.to_integral_value() and printed == printed.to_integral_value():
        return value == printed
    return abs(value - printed) <= last_digit(printed)


_WORD = re.compile(
    r"\b(?P<double>doubl(?:ed|es|ing))\b|\b(?P<triple>tripl(?:ed|es|ing))\b|\b(?P<quadruple>quadrupl(?:ed|es|ing))\b"
    r"|\b(?P<half>halved|halves)\b|(?P<double_zh>翻了?一番|翻倍|翻了一倍)",
    re.IGNORECASE,
)
_TIMES = {
    "double": Decimal(2),
    "triple": Decimal(3),
    "quadruple": Decimal(4),
    "half": Decimal("0.5"),
    "double_zh": Decimal(2),
}
_LOW, _HIGH = Decimal("0.95"), Decimal("1.15")
"""Of the multiple, between which something is told to reach it."""
_NEARLY = Decimal("0.8")
"""Of the multiple, from which on something is told to reach it nearly."""
_BEFORE = 20
"""Characters before the word in which "nearly" or "more than" stands."""

Bounds = tuple[Decimal, Decimal]


def multiple_said(sentence: str) -> Bounds | None:
    """From how many to how many times the old value the new one is, as a sentence says; None where it says none.

    >>> [str(bound) for bound in multiple_said("The backlog more than doubled to $915 million.")]
    ['2', '3']
    >>> [str(bound) for bound in multiple_said("Interest income more than halved to $41 million.")]
    ['0', '0.5']
    """
    match = _WORD.search(sentence)
    if match is None:
        return None
    times = _TIMES[str(match.lastgroup)]
    before = sentence[max(0, match.start() - _BEFORE) : match.start()]
    is_growth = times > 1
    if WORDING.any("exceeding", before):
        return (times, times + 1) if is_growth else (Decimal(0), times)
    if WORDING.any("nearly", before):
        return (times * _NEARLY, times) if is_growth else (times, times / _NEARLY)
    return times * _LOW, times * _HIGH


def is_multiplied_otherwise(bounds: Bounds, cell: Cell, cells: Sequence[Cell]) -> bool:
    """True where there are values that the cell may be compared with, and it is so many times none of them."""
    ratios = [cell.amount / other.amount for other in _compared_with(cell, cells)]
    return bool(ratios) and not any(bounds[0] <= ratio <= bounds[1] for ratio in ratios)


def moved_otherwise(trend: int, cell: Cell, cells: Sequence[Cell]) -> bool:
    """True where all earlier values in its row, or in a series that a sentence gives, lie on the other side:
    "fell to 5" of what was 4.
    """
    beside = [other for other in cells if is_in_series(other, cell) and not other.is_change]
    dated = [other for other in beside if other.periods and cell.periods and other.periods != cell.periods]
    earlier = [other for other in dated if is_before(other, cell)]
    return bool(earlier) and all(change_of(other, cell) * trend < 0 for other in earlier)


def _compared_with(cell: Cell, cells: Sequence[Cell]) -> Iterator[Cell]:
    """The other values of its row, or of its sentence, that are of its kind and sign."""
    for other in cells:
        is_beside_it = (other.table, other.row, other.label) == (cell.table, cell.row, cell.label) or is_in_row(
            other, cell
        )
        is_another = other.start != cell.start and other.unit == cell.unit
        if is_beside_it and is_another and other.amount * cell.amount > 0:
            yield other
