"""Figures that are printed nowhere: derived by one operation from what a sentence names, where no chance explains it.

All calculations of a small grammar over the cells that the sentence names are tried: changes, differences, shares,
ratios, sums, averages and products. Each has a fit, by how well the sentence names its operands. One that gives the
figure counts where so few others of its fit come near the figure that hitting it by chance is improbable: "24%" is hit
by one in twenty that lie near it, "$434 million" by one in four hundred.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, combinations

from .....core.period_text import periods_in
from .....core.records import dataclass
from .....core.sequences import grouped
from .....core.words import without_numbers
from .....ingest.facts.metrics import metric_of
from ..cells.cell import RATES, Cell
from ..cells.times import same_time, years_of
from ..wording import WORDING, trend_of, words_of_no_row
from .calculated import COMPOUND, is_opening, signed_amount
from .cell_match import PLAUSIBLE, is_negative, units_agree
from .claims import POINTS, Claim
from .named_rows import OF_NO_ROW
from .prose_match import clause_words, in_order_said, metrics_in

_MOST_CHANCE = 0.3
"""Calculations expected to meet the figure by chance, for one whose operands are named whole. With the fits
below .86 of TAT-QA's calculated answers pass (.77 without) and .96 of their false forms are marked (.98)."""
_UNNAMED, _OF_TOTAL, _NO_CUE = 0.2, 0.4, 0.6
"""Fit of a row that the sentence does not name, of a total; what is left where no word tells the operation. That rows
need no name lets .89 of TAT-QA's calculated answers pass (.86 where .35 was needed); .95 of the false are marked."""
_LEAST_FIT, _WELL = 0.35, 0.6
"""How well operands of several tables have to be named; how well one beside which a figure of prose is not."""
_MARGIN = 0.4
"""By how much another calculation of the same kind may be named better: "total fees" beside "audit fees"."""
_OF_SECTION = 0.6
"""What is left of a fit where what stands above the row is named, and not the row itself."""
_PROSE_FITS = (0.1, 0.4, 0.6, 0.8)
"""Fit of a figure of a sentence, by how many words its clause shares."""
_NEAR = Decimal("1.5")
_SPREAD = _NEAR - 1 / _NEAR
"""Results so many times the figure, or its share, lie near it."""
_SLACK = Decimal("1.2")
"""Times the rounding of the printed figure: what goes into a calculation is rounded, too."""
_MOST_OPERANDS, _MOST_SUMMANDS = 60, 8
_LEAST_PART = 200
"""Of two operands the larger one is at most so many times the other: else the result is the larger one itself."""
_LEAST_COUNT = 1000
"""Smaller numbers without a unit, in sentences, are those of notes and laws."""
_RATE_OF_CHANGE = re.compile(
    r"\b(?:change|growth|increase|decrease|decline|variance|above|below|more|less|year[- ]over[- ]year)\b",
    re.IGNORECASE,
)
_OF_RESULTS = frozenset({"loss", "incom", "profit", "earn", "margin", "cash", "result", "equiti", "deficit", "net"})
"""Search words of rows that are above or below zero; other rows in brackets are taken away."""
_DIFFERENCE = re.compile(
    r"\b(?:difference|spread|change|increase|decrease|variance|movement|swing|swung|gap|than|above|below|exceed\w{0,3}"
    r"|improv\w{1,5}|worsen\w{0,3}|net|remain\w{0,3}|left|used|without|excluding|stripping|outstanding)\b|差|变动|比|高于|低于|超过",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:total\w{0,4}|combined|together|sum\w{0,4}|add\w{0,3}|all told|aggregate|in all|both|and|over|across|by)\b"
    r"|合计|总计|共",
    re.I,
)
_AVERAGE = re.compile(r"\baverage\b|\bmid-?point\b|平均|中值|中点", re.IGNORECASE)
_AT_QUARTERLY_RATE = re.compile(r"\bquarter.{0,200}\b(?:a year\b|per year\b|annual|yearly\b)", re.IGNORECASE)

Placed = tuple[int, Cell]


@dataclass(frozen=True, slots=True)
class _Operand:
    place: int
    cell: Cell
    fit: float
    """How well the sentence names it, from 0 to 1: 1 for what the sentence itself gives."""
    is_given: bool = False

    @property
    def at(self) -> tuple[int, int, str]:
        """Where it is printed."""
        return (self.place, self.cell.start, self.cell.text)

    @property
    def name(self) -> frozenset[str]:
        """What it is of, whenever: the words of its row and column without times."""
        return without_numbers(self.cell.words | self.cell.heads | self.cell.section)

    @property
    def head(self) -> frozenset[str]:
        """What stands over its column, without words of time."""
        return without_numbers(self.cell.heads) - words_of_no_row()


@dataclass(frozen=True, slots=True)
class _Candidate:
    kind: str
    value: Decimal
    """In the claim's unit."""
    fit: float
    """How well the sentence names what it is made of."""
    operands: tuple[_Operand, ...]


def derivation_of(claim: Claim, cells: Sequence[Placed], given: Sequence[Placed]) -> Sequence[Placed]:
    """The cells from which the figure is derived; () where none give it, or where chance might.

    ``given`` are the figures that the answer gives, among them what it has calculated.
    """
    operands = _operands(claim, cells, given)
    candidates = list(_candidates(claim, operands))
    hits = sorted((one for one in candidates if is_met(claim, one.value)), key=lambda one: -one.fit)
    for hit in hits[:1]:
        if _is_another_meant(hit, candidates):
            continue
        rivals = {one.value for one in candidates if one.fit >= hit.fit}
        if chance_of(claim, rivals) <= _MOST_CHANCE * hit.fit:
            return [(operand.place, operand.cell) for operand in hit.operands]
    return ()


def _is_another_meant(hit: _Candidate, candidates: Sequence[_Candidate]) -> bool:
    """True where the sentence names the rows of another calculation of the kind clearly better."""
    if any(operand.is_given for operand in hit.operands):
        return False
    named = [one.fit for one in candidates if one.kind == hit.kind]
    return hit.fit <= max(named) - _MARGIN


def is_met(claim: Claim, value: Decimal) -> bool:
    """Whether a value is the figure's, as it is rounded."""
    return abs(abs(value) - _wanted(claim)) <= _tolerance(claim)


def _all_count(operands: Sequence[_Operand]) -> bool:
    """True where none is so small beside the others that the result is one of them alone."""
    sizes = [abs(one.cell.amount) for one in operands]
    return min(sizes) * _LEAST_PART >= max(sizes)


def _tolerance(claim: Claim) -> Decimal:
    return claim.tolerance * _SLACK or Decimal("0.5")


def _wanted(claim: Claim) -> Decimal:
    return abs(claim.plain) * POINTS.get(claim.figure.unit, Decimal(1))


def chance_of(claim: Claim, values: Iterable[Decimal]) -> float:
    """How many of the values are expected to give the figure by chance, by how many lie near it."""
    wanted = _wanted(claim)
    if not wanted:
        return 1.0
    near = sum(wanted / _NEAR <= value <= wanted * _NEAR for value in set(map(abs, values)))
    return float(near * 2 * _tolerance(claim) / (wanted * _SPREAD))


# --- operands


def _operands(claim: Claim, cells: Sequence[Placed], given: Sequence[Placed]) -> list[_Operand]:
    metrics = metrics_in(claim.sentence)
    anchors = {(place, cell.start, cell.text) for place, cell in given}
    rows = {(place, cell.table, cell.row) for place, cell in given if cell.table >= 0}
    labels = {(place, cell.label) for place, cell in given if cell.is_prose}
    found = [_Operand(place, cell, 1.0, is_given=True) for place, cell in given]
    for place, cell in cells:
        if (place, cell.start, cell.text) in anchors or cell.is_change or _is_bare_number(cell):
            continue
        fit = _fit(claim, cell, metrics)
        if (place, cell.table, cell.row) in rows or (place, cell.label) in labels:
            fit = max(fit, 0.9)
        found.append(_Operand(place, cell, fit if cell.is_prose else max(fit, _UNNAMED)))
    found.sort(key=lambda operand: (-operand.fit, not same_time(claim.periods, operand.cell.periods)))
    return found[:_MOST_OPERANDS]


def _is_bare_number(cell: Cell) -> bool:
    """True for a short number of a sentence that says no unit: of a note, a law, a count."""
    return cell.is_prose and not cell.unit and cell.scale is None and abs(cell.value) < _LEAST_COUNT


def _fit(claim: Claim, cell: Cell, metrics: frozenset[str]) -> float:
    said = claim.all_words
    if cell.is_prose:
        shared = ((clause_words(cell) or cell.words) & said) - claim.company  # a bare "$5 million and $4 million"
        return _PROSE_FITS[min(len(shared), len(_PROSE_FITS) - 1)]
    if cell.periods and not without_numbers(cell.words):
        if _years_said(claim) & years_of(cell.periods[0]):
            return 1.0
        return max(_OF_TOTAL, _share(said, cell.heads | cell.title))
    if cell.words <= OF_NO_ROW:
        by_title = len(said & (cell.title | cell.section)) > 1
        row = 0.7 if by_title else _OF_TOTAL
    elif metric_of(cell.label) in metrics:
        row = 1.0
    else:
        row = max(_share(said, cell.words), _OF_SECTION * _share(said, cell.section) if cell.section else 0.0)
        if "total" in cell.words:
            row = max(row, _OF_TOTAL)
    heads = cell.heads - OF_NO_ROW
    return row * (0.6 + 0.4 * _share(said, heads)) if heads else row


def _years_said(claim: Claim) -> set[int]:
    return set().union(*map(years_of, periods_in(claim.sentence)))


def _share(said: frozenset[str], names: frozenset[str]) -> float:
    names = names - OF_NO_ROW or names
    return len(said & names) / len(names) if names else 0.5


# --- candidates


def _candidates(claim: Claim, operands: Sequence[_Operand]) -> Iterator[_Candidate]:
    amounts = [one for one in operands if one.cell.unit not in RATES]
    alike = [one for one in amounts if units_agree(claim.figure, one.cell)]
    rates = [one for one in operands if one.cell.unit == "%"]
    if claim.is_points:
        yield from _differences(claim, rates)
    elif claim.figure.unit == "%":
        yield from _growths(claim, amounts)
        yield from _ratios(claim, amounts, 100)
        yield from _differences(claim, rates)
        yield from _sums(claim, rates)
        yield from _complements(claim, rates)
    elif claim.figure.unit == "x":
        yield from _ratios(claim, amounts, 1)
    else:
        yield from _differences(claim, alike)
        yield from _sums(claim, alike)
        yield from _products(claim, operands)
        if _AT_QUARTERLY_RATE.search(claim.sentence):  # "$3.16 a year"
            yield from (_Candidate("year", one.cell.amount * 4, one.fit, (one,)) for one in alike)


def _pairs(operands: Sequence[_Operand]) -> Iterator[tuple[_Operand, _Operand]]:
    for one, other in combinations(operands, 2):
        if _may_go_together(one, other) and one.at != other.at:
            yield one, other


def _may_go_together(one: _Operand, other: _Operand) -> bool:
    """True for two that the sentence names, for what it does not name beside another row of its table, and for a figure
    of prose beside one that is named well.
    """
    less = min(one, other, key=lambda operand: operand.fit)
    if less.fit >= _LEAST_FIT:
        return True
    if less.cell.is_prose:
        return max(one.fit, other.fit) >= _WELL
    return (one.place, one.cell.table) == (other.place, other.cell.table)


def _is_one_thing(one: _Operand, other: _Operand) -> bool:
    """True for one row at two times; figures of sentences may be of one thing where their clauses share words."""
    if one.cell.is_prose or other.cell.is_prose:
        return True
    return one.name == other.name


def _growths(claim: Claim, operands: Sequence[_Operand]) -> Iterator[_Candidate]:
    has_cue = bool(_direction(claim)) or _RATE_OF_CHANGE.search(claim.sentence) is not None
    cue = 1.0 if has_cue else _NO_CUE
    for one, other in _pairs(operands):
        if COMPOUND.search(claim.sentence) or not _is_one_thing(one, other):
            continue
        for old, new in _in_time(claim, one, other):
            if not old.cell.amount:
                continue
            value = (new.cell.amount - old.cell.amount) / abs(old.cell.amount) * 100
            if _goes_so(claim, value, old, new):
                yield _Candidate("growth", value, cue * min(one.fit, other.fit), (old, new))


def _ratios(claim: Claim, operands: Sequence[_Operand], factor: int) -> Iterator[_Candidate]:
    if claim.direction:
        return
    for one, other in _pairs(operands):
        if not _at_one_time(claim, one, other):
            continue
        for part, whole in ((one, other), (other, one)):
            if whole.cell.amount and (factor == 1 or abs(part.cell.amount) <= abs(whole.cell.amount)):
                value = part.cell.amount / whole.cell.amount * factor
                yield _Candidate("ratio", value, min(one.fit, other.fit), (part, whole))


def _differences(claim: Claim, operands: Sequence[_Operand]) -> Iterator[_Candidate]:
    has_cue = bool(_direction(claim)) or _DIFFERENCE.search(claim.sentence) is not None
    cue = 1.0 if has_cue else _NO_CUE
    for one, other in _pairs(operands):
        if not _are_of_one_unit(one, other):
            continue
        if _is_one_thing(one, other):
            pairs = list(_in_time(claim, one, other))
        elif _at_one_time(claim, one, other) and not claim.direction and not is_negative(claim):
            pairs = [(one, other), (other, one)]
        else:
            continue
        for old, new in pairs:
            value = signed_amount(new.cell) - signed_amount(old.cell)
            if _all_count((old, new)) and _goes_so(claim, value, old, new):
                for scaled in _scaled(claim, value, (one, other)):
                    yield _Candidate("difference", scaled, cue * min(one.fit, other.fit), (old, new))


def _sums(claim: Claim, operands: Sequence[_Operand]) -> Iterator[_Candidate]:
    if claim.direction:
        return
    has_average = _AVERAGE.search(claim.sentence) is not None
    cue = 1.0 if _SUM.search(claim.sentence) else _NO_CUE
    for group in _groups(claim, [one for one in operands if one.fit > _PROSE_FITS[0]]):
        total = sum((one.cell.amount for one in group), Decimal(0))
        fit = cue * sum(one.fit for one in group) / len(group)
        for scaled in _scaled(claim, total, group):
            yield _Candidate("sum", scaled, fit, tuple(group))
            if has_average:
                yield _Candidate("average", scaled / len(group), fit, tuple(group))


def _groups(claim: Claim, operands: Sequence[_Operand]) -> Iterator[Sequence[_Operand]]:
    """Operands that make a sum: neighbours of a line, or two or three of it that the sentence names best."""
    for line in _lines(operands):
        neighbours = sorted(line, key=lambda one: one.cell.start)
        runs = (neighbours[start:end] for start, end in combinations(range(len(line) + 1), 2) if end > start + 1)
        best = sorted(line, key=lambda one: -one.fit)[:_MOST_SUMMANDS]
        chosen = chain(runs, combinations(best, 2), combinations(best, 3))
        yield from (group for group in chosen if _may_add(claim, group))


def _lines(operands: Sequence[_Operand]) -> Iterator[list[_Operand]]:
    """What stands in one row, in one column, in one sentence, and what the answer gives."""
    printed = [one for one in operands if one.cell.table >= 0]
    said = [one for one in operands if one.cell.is_prose]
    yield from grouped(printed, lambda one: (one.place, one.cell.table, one.cell.row, one.head)).values()
    yield from grouped(printed, lambda one: (one.place, one.cell.table, one.cell.column)).values()
    yield from grouped(said, lambda one: (one.place, one.cell.label)).values()
    yield [one for one in operands if one.fit == 1.0]


def _may_add(claim: Claim, group: Sequence[_Operand]) -> bool:
    units = {one.cell.unit for one in group} - {""}
    signs = {one.cell.value > 0 for one in group}
    return len(units) <= 1 and len(signs) == 1 and _all_count(group) and _is_in_time(claim, group)


def _is_in_time(claim: Claim, group: Sequence[_Operand]) -> bool:
    """True for operands of several times, and for those of the one time that the claim is of."""
    times = {one.cell.periods for one in group} - {()}
    if len(times) == 1:
        return same_time(claim.periods, times.pop())
    units = {period.unit for period in (*claim.periods, *chain.from_iterable(times))}
    if claim.periods and units == {"quarter", "year"}:  # of the four quarters of its year
        return {periods[0].year for periods in times} <= claim.time.years
    said = _years_said(claim)
    if len(said) < 2:
        return True
    return all(min(said) <= periods[0].year <= max(said) for periods in times)


def _complements(claim: Claim, rates: Sequence[_Operand]) -> Iterator[_Candidate]:
    for one in rates:
        yield _Candidate("rest", 100 - one.cell.value, _NO_CUE * one.fit, (one,))


def _products(claim: Claim, operands: Sequence[_Operand]) -> Iterator[_Candidate]:
    """A number of shares times a price, an amount times a rate."""
    for one, other in _pairs(operands):
        if not _at_one_time(claim, one, other):
            continue
        for price, count in ((one, other), (other, one)):
            if price.cell.unit == "%":
                value = price.cell.value * count.cell.amount / 100
            elif price.cell.is_price and not count.cell.is_price:
                value = price.cell.value * count.cell.amount
            else:
                continue
            for scaled in _scaled(claim, value, (count,)):
                yield _Candidate("product", scaled, _NO_CUE * min(one.fit, other.fit), (price, count))


# --- times, units, signs


def _in_time(claim: Claim, one: _Operand, other: _Operand) -> Iterator[tuple[_Operand, _Operand]]:
    """The old and the new one of two times; both ways where nothing says which is which."""
    said = in_order_said(one.cell, other.cell)
    if said:
        yield (one, other) if said[0] is one.cell else (other, one)
        return
    first, second = one.cell.periods, other.cell.periods
    if first and second and first[0].sort_key != second[0].sort_key:
        old, new = (one, other) if first[0].sort_key < second[0].sort_key else (other, one)
        if claim.is_base or same_time(claim.periods, new.cell.periods):
            yield old, new
    elif is_opening(one.cell) != is_opening(other.cell):
        yield (one, other) if is_opening(one.cell) else (other, one)
    else:
        yield one, other
        yield other, one


def _at_one_time(claim: Claim, one: _Operand, other: _Operand) -> bool:
    if one.fit == other.fit == 1.0:
        return True
    if not same_time(one.cell.periods, other.cell.periods):
        return False
    return all(same_time(claim.periods, operand.cell.periods) for operand in (one, other))


def _are_of_one_unit(one: _Operand, other: _Operand) -> bool:
    units = {one.cell.unit.partition("/")[0], other.cell.unit.partition("/")[0]}
    return len(units - {""}) <= 1


def _direction(claim: Claim) -> int:
    return claim.direction or trend_of(claim.clause)


def _goes_so(claim: Claim, value: Decimal, old: _Operand, new: _Operand) -> bool:
    """True where a change goes as the claim says: of losses and of what is taken away the size does."""
    direction = -1 if is_negative(claim) else _direction(claim)
    if old.cell.value < 0 and new.cell.value < 0:
        is_of_size = WORDING.any("negative", claim.clause) or new.cell.words.isdisjoint(_OF_RESULTS)
        value = abs(new.cell.amount) - abs(old.cell.amount) if is_of_size else Decimal(0)
    return direction * value >= 0


def _scaled(claim: Claim, value: Decimal, operands: Sequence[_Operand]) -> Iterator[Decimal]:
    """A result in the scales in which the claim may give it: those of tables that say none are tried."""
    yield value
    scales = {one.cell.scale for one in operands}
    if claim.figure.scale == 1 and len(scales) == 1:
        scale = scales.pop()
        if scale and scale != 1:
            yield value / scale
    elif None in scales and claim.figure.scale != 1:
        yield from (value * scale for scale in PLAUSIBLE)
