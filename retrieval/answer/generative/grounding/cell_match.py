"""Does a cell hold what a sentence claims: its value, time and sign, and the row and column that it speaks of?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain, product

from .....core.period import Period
from .....core.period_text import find_periods
from .....core.quantity import Quantity
from .....core.sequences import first, without
from ..cells.cell import RATES, Cell
from ..cells.times import is_aside, same_time, times_agree, years_of
from ..wording import WORDING, direction_of_change, opposites_of, terms, words_set_aside
from .claims import POINTS, Claim
from .named_rows import (
    is_meant_rather,
    is_named_elsewhere,
    is_of_another_metric,
    is_unnamed,
    names_of,
    namesakes_meant,
    rivals_in_list,
    rivals_of,
)
from .prose_match import clause_words, clauses_with, is_rather_said_elsewhere, is_said_of_another

PLAUSIBLE = (Decimal(10) ** 3, Decimal(10) ** 6)
"""Scales that are believed where a table says none."""
_ONE_SIGN = (frozenset({"USD", "HKD", "AUD", "CAD", "SGD", "TWD"}), frozenset({"CNY", "JPY"}))
"""Currencies that "$" and "¥" stand for."""
_LEAST_DIGITS = 3
"""Shorter numbers stand everywhere: alone they prove nothing."""
_TELLING_DIGITS = 4
_LEAST_ROUNDED = 100
"""Prices from here on are also given without cents."""
_SHARES = re.compile(r"\bshares?\b|\bwarrants?\b|\boptions?\b|股", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[(（][^()（）]{0,60}[)）]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_CHANGES = terms("change contribution growth")
"""Of percentages that are parts of a change, and so percentage points."""
_NEGATIVE_BEFORE = re.compile(r"\b(?:negative|minus)\b|负(?![债责荷担])", re.IGNORECASE)
_EXPENSE = re.compile(r"\bexpense\b", re.IGNORECASE)
_RESULT = re.compile(r"\b(?:income|gain)\b")
_LOSS = re.compile(r"\b(?:loss|deficit)\b|亏损")
_LOSSES = re.compile(r"\blosses\b")
_OF_A_LEVEL = re.compile(r"^percentage of|\b(?:as a percentage|percent) of|^% of", re.IGNORECASE)
"""A share that is no rate of change."""
_USED = re.compile(r"\bused\s(?:in|for)\b", re.IGNORECASE)
_OF_A_RESULT = re.compile(r"\bnet\b|income|gain")

_FOR_SEVERAL = re.compile(
    r"每\s?(?P<number>\d{1,4})\s?股"
    r"|\b(?:per|every|for each)\s(?P<count>\d{1,4})\s(?:ordinary\s|common\s)?(?:shares|ADSs)\b",
    re.IGNORECASE,
)
_FOR_ONE = re.compile(r"每股|\b(?:per|a|each)\s(?:\w+\s){0,2}(?:share|ADS)\b", re.IGNORECASE)


def holds(claim: Claim, cell: Cell, cells: Sequence[Cell], claims: Sequence[Claim]) -> bool:
    """True where the cell, one of ``cells`` of its text, has the claimed value and is what the sentence speaks of.

    ``claims`` are all of the sentence: a row whose value it gives, too, is no rival.
    """
    if not all(is_met(claim, cell) for is_met in _OF_EVERY_CELL):
        return False
    if cell.is_prose:
        return not is_said_of_another(claim, cell, cells, claims) and not is_rather_said_elsewhere(
            claim, cell, cells, claims
        )
    return _is_row_meant(claim, cell, cells, claims)


def as_dated(claim: Claim, about: str, cells: Sequence[Cell]) -> Claim:
    """The claim, also of the columns that its periods are in a document which calls its own period otherwise.

    "Q1 2023" of a report on that quarter whose newest column is of the three months ended December 31, 2022.
    """
    own = first((mention.period for mention in find_periods(about)), None)
    named = [period for period in claim.periods if own and (period.unit, period.number) == (own.unit, own.number)]
    if own is None or not named:
        return claim
    printed = {period for cell in cells if cell.table >= 0 for period in cell.periods[:1]}
    columns = chain.from_iterable(_columns_before(printed, own, own.year - period.year) for period in named)
    return replace(claim, time=replace(claim.time, periods=(*claim.periods, *columns)))


def _columns_before(printed: Collection[Period], own: Period, years: int) -> Iterator[Period]:
    """The times of columns that lie so many years before the newest ones, where these are of the document's period."""
    known = [period for period in printed if abs(period.year - own.year) <= 1]  # not those of payments to come
    last = max((period.last_day for period in known), default=None)
    newest = [period for period in printed if period.last_day == last and period.unit in (own.unit, "span", "day")]
    for one, other in product(printed, newest):
        if _is_years_before(one, other, years):
            yield one


def _is_years_before(one: Period, other: Period, years: int) -> bool:
    """True for the same time of the year, so many years before the other."""
    is_alike = one.unit == other.unit and one.last_day.month == other.last_day.month
    return is_alike and other.year - one.year == years


def _agree_in_time(claim: Claim, cell: Cell) -> bool:
    """True where the times agree, and so do dates that are none: "due 2025" beside a row of notes due 2027."""
    if not times_agree(claim.time, cell.when):
        return False
    wanted = {year for date in claim.time.dates for year in years_of(date)}
    printed = set(map(int, _YEAR.findall(cell.label)))
    return not wanted or not printed or bool(wanted & printed)


def _is_row_meant(claim: Claim, cell: Cell, cells: Sequence[Cell], claims: Sequence[Claim]) -> bool:
    """False where the sentence names another row, column or metric, and nowhere gives its value."""
    if is_unnamed(claim, cell, cells) or is_of_another_metric(claim, cell) or is_named_elsewhere(claim, cell, cells):
        return False
    if cell.table < 0:
        return all(_is_given(rival, cell, claims) for rival in rivals_in_list(claim, cell, cells))
    rivals = [*rivals_of(claim, cell, cells), *namesakes_meant(claim, cell, cells)]
    of_the_time = [rival for rival in rivals if same_time(claim.periods, rival.periods)]
    if of_the_time and not claim.own_words:
        said = claim.all_words - _words_of_others(claim, cell, cells, claims)
        of_the_time = [rival for rival in of_the_time if said & (rival.words - cell.words)]
    return all(_is_given(rival, cell, claims) for rival in of_the_time)


def _words_of_others(claim: Claim, cell: Cell, cells: Sequence[Cell], claims: Sequence[Claim]) -> frozenset[str]:
    """Words of the rows of the sentence's other figures: they say nothing of one that it adds, "at $5 million"."""
    beside = without(claims, [claim])
    rows = [other for other in cells if other.table == cell.table and any(is_value(one, other) for one in beside)]
    return frozenset().union(*(other.words - cell.words for other in rows))


def _is_given(rival: Cell, cell: Cell, claims: Sequence[Claim]) -> bool:
    """True where the sentence says the rival's value, too, and means the rival by it."""
    givers = [claim for claim in claims if is_value(claim, rival)]
    return not all(is_meant_rather(claim, cell, rival) for claim in givers)


def _is_its_own(claim: Claim, cell: Cell) -> bool:
    """False where the claim has words of another figure that the sentence gives "respectively", and none of its own."""
    return claim.words.isdisjoint(cell.others) or not claim.words.isdisjoint(cell.own)


def _is_no_chance(claim: Claim, cell: Cell) -> bool:
    """False for a short number of a row of which nothing is said, here or in the question: "5" stands everywhere.

    So does what rounds to it: "$6 million" of 5,587.
    """
    digits = min(len(value.as_tuple().digits) for value in (cell.value, claim.figure.value))
    if digits >= _LEAST_DIGITS or cell.is_prose or not cell.words:
        return True
    return not names_of(cell).isdisjoint(claim.all_words | claim.asked)


# --- value


def is_value(claim: Claim, cell: Cell) -> bool:
    """True where the cell's value is the claimed one, perhaps rounded and in another scale."""
    figure = claim.figure
    if not units_agree(figure, cell):
        return False
    if figure.unit in POINTS:
        printed = cell.value * POINTS.get(cell.unit, Decimal(1))
        return _is_near(figure.value * POINTS[figure.unit], printed, claim)
    if figure.unit in RATES:
        return _is_near(figure.value, cell.value, claim)
    if cell.scale is None:
        return _is_same_number(claim, cell) or _is_unscaled_value(claim, cell)
    if _is_near(figure.amount, cell.amount, claim):
        return True
    is_bare = figure.scale == 1 and (claim.says_scale or not figure.unit)
    return is_bare and abs(figure.value) == abs(cell.value)


def _is_near(claimed: Decimal, printed: Decimal, claim: Claim) -> bool:
    return abs(abs(claimed) - abs(printed)) <= claim.tolerance


def _is_unscaled_value(claim: Claim, cell: Cell) -> bool:
    """The same where nothing says the scale of the cell: thousands and millions are believed, prices are as printed."""
    if claim.figure.scale == 1:
        return _is_near(claim.figure.value, cell.value, claim) or _is_rounded_price(claim, cell)
    if cell.is_price or (cell.is_prose and not cell.unit):
        return False
    if abs(cell.value) >= PLAUSIBLE[-1]:  # printed in full: "16,105,005" is 16.1 million
        return _is_near(claim.figure.amount, cell.value, claim)
    return any(_is_near(claim.figure.amount, cell.value * scale, claim) for scale in PLAUSIBLE)


def _is_rounded_price(claim: Claim, cell: Cell) -> bool:
    """True for "$364" of a price of $364.39: nobody meets three digits by chance."""
    is_long = abs(claim.figure.value) >= _LEAST_ROUNDED
    return is_long and cell.is_price and abs(claim.figure.value) == abs(cell.value).to_integral_value()


def _is_same_number(claim: Claim, cell: Cell) -> bool:
    """True where both print one number that nobody meets by chance, and the claim says thousand or million."""
    value = cell.value
    is_telling = len(value.as_tuple().digits) >= _TELLING_DIGITS and bool(value % 100)
    return is_telling and claim.figure.scale in PLAUSIBLE and abs(claim.figure.value) == abs(value)


def units_agree(figure: Quantity, cell: Cell) -> bool:
    one, other = figure.unit.partition("/")[0], cell.unit.partition("/")[0]
    if one in POINTS and other == "%":
        return cell.is_change or bool(_CHANGES & (cell.title | cell.heads | cell.words))
    if not POINTS.keys().isdisjoint((one, other)):
        return POINTS.keys() >= {one, other}
    if one == "%" and not other:
        return cell.scale is None
    if "%" in (one, other):
        return one == other
    if "/" in figure.unit and cell.scale not in (None, Decimal(1)):
        return False
    return "" in (one, other) or one == other or any({one, other} <= currencies for currencies in _ONE_SIGN)


def scaled(cells: Iterable[Cell]) -> Iterator[Cell]:
    """The cells of tables that say in which scale they are."""
    return (cell for cell in cells if cell.table >= 0 and cell.scale not in (None, 1) and not cell.is_change)


def may_be_scaled(cell: Cell) -> bool:
    """True for an amount of a table that says no scale; not for a number of shares.

    And for whole dollars of a sentence: "increased by $1,374" of a report "in millions".
    """
    if cell.is_prose:
        return cell.unit == "USD" and cell.text[-1].isdigit() and "." not in cell.text
    is_amount = abs(cell.value) >= PLAUSIBLE[-1] and not _SHARES.search(cell.label)
    return cell.table >= 0 and cell.scale is None and is_amount


# --- sign


def _same_sign(claim: Claim, cell: Cell) -> bool:
    """False where the sentence speaks of a loss and the cell is a gain, of a rise and it is a fall, or vice versa."""
    if cell.is_prose:
        return _same_sign_in_prose(claim, cell)
    if _says_opposite(claim.words, cell.words | cell.heads):
        return False
    if claim.direction:
        return _moves_so(claim.direction, cell)
    signs = {_claimed_sign(claim, cell), _printed_sign(cell)}
    return signs != {-1, 1}


def _moves_so(direction: int, cell: Cell) -> bool:
    """False for a share of a whole, and for a value that moved or lies the other way."""
    if cell.unit == "%" and _OF_A_LEVEL.search(cell.label):
        return False
    tells_the_way = cell.is_change or cell.value < 0
    return not tells_the_way or (cell.value > 0) == (direction > 0)


def _says_opposite(said: frozenset[str], printed: frozenset[str]) -> bool:
    """True where a word of the sentence is the opposite of a printed one: "credit" of a row of charges."""
    against = [opposites_of(word) & (printed - said) for word in said - printed]
    return any(words and not _has_both(words, printed) for words in against)


def _has_both(words: frozenset[str], printed: frozenset[str]) -> bool:
    """True where what is printed has the opposites of these words, too: "increase/(decrease)"."""
    return not any(opposites_of(word).isdisjoint(printed) for word in words)


def _same_sign_in_prose(claim: Claim, cell: Cell) -> bool:
    other = direction_of_change(cell.label, cell.label.find(cell.text))
    if claim.direction * other < 0:
        return False
    if is_negative(claim) and cell.value > 0 and not WORDING.any("negative", cell.label):
        return other < 0
    if {_claimed_sign(claim, cell), *map(_said_sign, clauses_with(cell.label, cell.text))} >= {
        -1,
        1,
    }:  # "net income" of a net loss
        return False
    near, words = clause_words(cell), claim.words - words_set_aside(claim.clause)
    against = frozenset().union(*map(opposites_of, (claim.own_words & words) - near))
    return against.isdisjoint(near - words) and not _says_opposite(words, terms(cell.label))


def is_negative(claim: Claim) -> bool:
    """True for "-$5" and "negative 5"; not for an amount of the year before in brackets."""
    if is_aside(claim.sentence, claim.figure):
        return False
    before = claim.sentence[max(0, claim.figure.start - 14) : claim.figure.start]
    return claim.figure.value < 0 or _NEGATIVE_BEFORE.search(before) is not None


def _claimed_sign(claim: Claim, cell: Cell) -> int:
    """-1 where the sentence speaks of a loss, 1 of a gain, 0 where it says neither or both."""
    if is_negative(claim):
        return -1
    bare = _IN_BRACKETS.sub(" ", claim.clause)
    label = cell.label.lower()
    if "(expense)" in label and _EXPENSE.search(bare):
        return -1
    negative, positive = WORDING.any("negative", bare), WORDING.any("positive", bare)
    if negative == positive:
        return 0
    is_about_losses = _LOSSES.search(label) and not _OF_A_RESULT.search(label)  # "allowance for losses"
    if negative:
        return 0 if is_about_losses else -1
    return 1


def _said_sign(clause: str) -> int:
    """-1 where a clause speaks of a loss, 1 of a gain, 0 where it says neither or both."""
    return int(WORDING.any("positive", clause)) - int(WORDING.any("negative", clause))


def _printed_sign(cell: Cell) -> int:
    """-1 for a loss: a negative value of "income (loss)", a positive one of "(gain) loss", any of "net loss".

    0 where a gain is printed in brackets among the costs that it is taken from.
    """
    label = cell.label.lower()
    bare = _IN_BRACKETS.sub(" ", label)
    sign = 1 if cell.value >= 0 else -1
    if _RESULT.search(bare):
        is_deducted = "gain" in bare and "loss" not in label
        return max(sign, 0) if is_deducted else sign
    if _USED.search(bare) and "provided" not in label:
        return -1
    if "(gain" in label:
        return -sign
    return -1 if _LOSS.search(bare) else sign  # in brackets or bare: "Loss from operations | ($3,547)"


# --- amounts for several shares at once: "every 10 shares receive 1.88", of which one share receives a tenth


def is_part_for_one_share(claim: Claim, cell: Cell) -> bool:
    """True where a claim gives for one share what the cell gives for several.

    >>> from ..cells.reading import prose_cells
    >>> from .claims import claims_of
    >>> ten = [cell for cell in prose_cells("每10股派发现金红利1.88元。") if "1.88" in cell.text]
    >>> is_part_for_one_share(claims_of("每股派现0.188元。", "")[0], ten[0])
    True
    """
    shares = _shares_of(cell) if _FOR_ONE.search(claim.clause) else Decimal(1)
    return shares > 1 and abs(abs(cell.amount) / shares - abs(claim.figure.amount)) <= claim.tolerance


def is_for_as_many_shares(claim: Claim, cell: Cell) -> bool:
    """False for a claim about one share and a cell for several."""
    return not _FOR_ONE.search(claim.clause) or _shares_of(cell) == 1


def _shares_of(cell: Cell) -> Decimal:
    """For how many shares a cell is, by the head of its column or the words before it; 1 where nothing is said."""
    said = f"{cell.head} {cell.label}" if cell.table >= 0 else cell.label[: max(0, cell.label.find(cell.text))]
    numbers = [match["number"] or match["count"] for match in _FOR_SEVERAL.finditer(said)]
    return Decimal(numbers[-1]) if numbers else Decimal(1)


_OF_EVERY_CELL = (is_value, _agree_in_time, _same_sign, _is_its_own, _is_no_chance, is_for_as_many_shares)
"""What a cell must meet whatever it is of, the quick ones first."""
