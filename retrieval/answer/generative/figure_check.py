"""Where the figures of an answer come from: a cell or sentence that it cites, a calculation from such, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations
from typing import Literal

from ....core.period import Period
from ....core.period_text import find_periods
from ....core.quantity import Quantity
from ...question.vocabulary.expression import calculate
from .cells import RATES, Cell, figures_of, periods_of_figures, read_cells, same_time
from .wording import WORDING, direction_of_change, is_denied, opposites, terms, trend_of

Kind = Literal["found", "calculated", "not found"]

_DOLLARS = frozenset({"USD", "HKD", "AUD", "CAD", "SGD", "TWD"})
_POINTS = {"pp": Decimal(1), "bp": Decimal("0.01")}
_PLAUSIBLE = (Decimal(10) ** 3, Decimal(10) ** 6)
_NUMBER = (
    r"[$€£¥]{0,2}\s?[-−–]?\(?[-−–]?[$€£¥]?\s?\d[\d,]{0,30}(?:\.\d{1,20})?\s?%?(?:\s?(?:thousand|million|billion|x))?"
)
_RESULT = r"[-−–]?[(]?[$€£¥]?\s?[-−–]?\d[\d,]{0,30}(?:\.\d{1,20})?"
_FORMULA = re.compile(
    rf"(?P<terms>[(（\[]{{0,3}}\s?{_NUMBER}\s?[)）\]]{{0,3}}"
    rf"(?:\s{{0,2}}[-+−–*/×÷]\s{{0,2}}[(（\[]{{0,3}}\s?{_NUMBER}\s?[)）\]]{{0,3}}){{1,8}}"
    rf"(?:\s?[*×]\s?100\s?%?)?)\s{{0,2}}[=≈]\s{{0,2}}(?P<result>{_RESULT})(?P<unit>\s?%|\s?x\b)?"
)
_SCALE_WORD = re.compile(r"\b(?:thousands?|millions?|billions?|mn|bn)\b|[$€£]\s?[mk]\b|万|亿|千", re.IGNORECASE)
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FREE = frozenset(map(Decimal, ("0", "1", "2", "3", "4", "12", "100", "360", "365")))
"""Numbers that a formula may hold without a source."""
_SUM = re.compile(r"\b(?:total|combined|together|sum|aggregate)\b|合计|总计", re.IGNORECASE)
_REST = re.compile(r"\b(?:remain\w{0,4}|rest|left|outstanding|other|balance)\b|剩余|其余", re.IGNORECASE)
_DIFFERENCE = re.compile(r"\b(?:difference|spread|change)\b|差", re.IGNORECASE)
_AVERAGE = re.compile(r"\baverage\b|平均", re.IGNORECASE)
_POINTS_WORD = re.compile(r"^\s?(?:percentage )?points?\b", re.IGNORECASE)
_MOST_ROWS = 12
_CLEARLY = 0.3
"""By how much the head of another column has to be named better than that of the cell's own."""


@dataclass(frozen=True, slots=True)
class FigureOutcome:
    """A figure of an answer as it is printed there, and the indices of the evidence that it comes from."""

    text: str
    kind: Kind
    evidence: tuple[int, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class _Claim:
    """A figure of a sentence with what the sentence says about it."""

    figure: Quantity
    sentence: str
    periods: tuple[Period, ...]
    words: frozenset[str]
    """Search words of its clause."""
    direction: int
    """Of the size of a change: 1 up, -1 down; 0 for a level."""
    tolerance: Decimal
    is_points: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """A figure that was found, for calculations from it."""

    cell: Cell
    evidence: int


@dataclass(slots=True)
class FigureChecker:
    """Holds the figures of an answer's sentences against its evidence, in the order of the answer.

    Figures of the question are free. What was found in an earlier sentence may be calculated with in a later one.
    """

    texts: Sequence[str]
    question: str = ""
    _known: list[_Known] = field(default_factory=list)
    _results: list[Decimal] = field(default_factory=list)

    def check(self, sentence: str, cited: Sequence[int]) -> list[FigureOutcome]:
        """What becomes of each figure of the sentence, in its order; without ``cited`` all evidence is looked at."""
        places = cited or range(len(self.texts))
        formulas = self._formulas(sentence, places)
        claims = [claim for claim in self._claims(sentence) if not _is_inside(claim, formulas)]
        outcomes = {claim: self._found(claim, claims, places) for claim in claims}
        self._calculate_missing(outcomes, places)
        if any(outcome.kind == "not found" for _, _, own in formulas for outcome in own):
            formulas = self._formulas(sentence, places)  # with what the rest of the sentence gives
            self._calculate_missing(outcomes, places)
        inside = [outcome for _, _, found in formulas for outcome in found]
        return [*outcomes.values(), *inside]

    def _calculate_missing(self, outcomes: dict[_Claim, FigureOutcome], places: Iterable[int]) -> None:
        for claim, outcome in outcomes.items():
            if outcome.kind == "not found":
                outcomes[claim] = self._repeated(claim) or self._calculated(claim, places) or outcome

    def remembered(self) -> int:
        """How many figures were found so far."""
        return len(self._known)

    def forget(self, count: int) -> None:
        """Forget the figures found after the first ``count``."""
        del self._known[count:]

    # --- what a sentence claims

    def _claims(self, sentence: str) -> list[_Claim]:
        figures = figures_of(sentence)
        periods = periods_of_figures(sentence, figures)
        asked = {abs(figure.amount) for figure in figures_of(self.question)}
        claims = []
        for figure, own in zip(figures, periods, strict=True):
            if abs(figure.amount) in asked:
                continue
            words = terms(_clause(sentence, figure, figures))
            direction = direction_of_change(sentence, figure.start)
            is_points = figure.unit in _POINTS or (not figure.unit and bool(_POINTS_WORD.match(sentence[figure.end :])))
            claims.append(_Claim(figure, sentence, own, words, direction, _tolerance(figure, sentence), is_points))
        return claims

    # --- found

    def _found(self, claim: _Claim, claims: Sequence[_Claim], places: Iterable[int]) -> FigureOutcome:
        for place in places:
            cells = read_cells(self.texts[place])
            for cell in cells:
                if _is_value(claim, cell, self._says_scale(claim)) and self._belongs(claim, cell, cells, claims):
                    self._known.append(_Known(cell, place))
                    return FigureOutcome(claim.figure.text, "found", (place,), (cell,))
        return FigureOutcome(claim.figure.text, "not found")

    def _says_scale(self, claim: _Claim) -> bool:
        bare = claim.sentence.replace(claim.figure.text, "")
        return bool(_SCALE_WORD.search(bare) or _SCALE_WORD.search(self.question))

    def _belongs(self, claim: _Claim, cell: Cell, cells: Sequence[Cell], claims: Sequence[_Claim]) -> bool:
        """True where period, sign and row of the cell are those that the sentence speaks of."""
        if not same_time(claim.periods, cell.periods):
            return False
        if not _same_sign(claim, cell):
            return False
        return not self._another_fits_better(claim, cell, cells, claims)

    def _another_fits_better(self, claim: _Claim, cell: Cell, cells: Sequence[Cell], claims: Sequence[_Claim]) -> bool:
        """True where the sentence names another row or column of the table, whose value it does not give."""
        if cell.table < 0:
            return False
        table = [other for other in cells if other.table == cell.table and other.unit in (cell.unit, "")]
        vocabulary = frozenset(word for other in table for word in other.words | other.heads)
        wanted = self._words_for(claim, cell) & vocabulary
        rivals = [rival for rival in table if same_time(claim.periods, rival.periods)]
        open_to_it = [rival for rival in rivals if not any(_same_value(other.figure, rival) for other in claims)]
        return any(_is_meant_rather(wanted, rival, cell) for rival in open_to_it)

    def _words_for(self, claim: _Claim, cell: Cell) -> frozenset[str]:
        """The words that say what the claim is of: of its clause, else of the sentence, else of the question too."""
        if _fit(claim.words, cell):
            return claim.words
        words = claim.words | terms(claim.sentence)
        return words if _fit(words, cell) else words | terms(self.question)

    # --- repeated or calculated

    def _repeated(self, claim: _Claim) -> FigureOutcome | None:
        """A result that the answer has calculated before."""
        for value in self._results:
            if abs(abs(value) - abs(_plain(claim.figure))) <= claim.tolerance:
                return FigureOutcome(claim.figure.text, "calculated", self._places())
        return None

    def _places(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(known.evidence for known in self._known))

    def _calculated(self, claim: _Claim, places: Iterable[int]) -> FigureOutcome | None:
        if rest := self._rest_of(claim):
            return rest
        for old, new in self._pairs(claim, places):
            if _comes_from(claim, old.cell, new.cell):
                evidence = tuple(dict.fromkeys((old.evidence, new.evidence)))
                self._results.append(_plain(claim.figure))
                return FigureOutcome(claim.figure.text, "calculated", evidence, (old.cell, new.cell))
        return self._summed(claim)

    def _rest_of(self, claim: _Claim) -> FigureOutcome | None:
        """ "About 10% remains" where 90% was found before."""
        if claim.figure.unit != "%" or not _REST.search(claim.sentence):
            return None
        for known in self._known:
            if known.cell.unit == "%" and abs(100 - known.cell.value - claim.figure.value) <= claim.tolerance:
                self._results.append(claim.figure.value)
                return FigureOutcome(claim.figure.text, "calculated", (known.evidence,), (known.cell,))
        return None

    def _pairs(self, claim: _Claim, places: Iterable[int]) -> Iterator[tuple[_Known, _Known]]:
        """Figures that the claim may be calculated from: those of the answer, and those of rows that it names."""
        own = [known for known in self._known if _overlap(claim, known.cell) or known.cell.text in claim.sentence]
        named = own + [row for place in places for row in self._named_cells(claim, place)]
        for one, other in combinations(named, 2):
            if _is_pair(claim, one.cell, other.cell):
                yield (one, other) if _is_before(one.cell, other.cell) else (other, one)
                if one.cell.table < 0 and one.cell.periods == other.cell.periods:
                    yield (other, one) if _is_before(one.cell, other.cell) else (one, other)

    def _named_cells(self, claim: _Claim, place: int) -> list[_Known]:
        wanted = claim.words | terms(claim.sentence) | (terms(self.question) if not claim.words else frozenset())
        cells = [cell for cell in read_cells(self.texts[place]) if cell.table >= 0 and not cell.is_change]
        fits = {cell: _row_fit(wanted & (cell.words | cell.heads), cell) for cell in cells}
        rows = sorted(
            {(cell.table, cell.row): fits[cell] for cell in cells if fits[cell] >= 0.6}.items(), key=lambda r: -r[1]
        )
        kept = {row for row, _ in rows[:_MOST_ROWS]}
        return [_Known(cell, place) for cell in cells if (cell.table, cell.row) in kept]

    def _summed(self, claim: _Claim) -> FigureOutcome | None:
        """A sum or an average of the figures that the answer gives."""
        known = list(self._known[-8:])
        amounts = [k.cell.amount for k in known]
        wanted = abs(_plain(claim.figure))
        for size in range(len(amounts), 1, -1):
            total = sum(amounts[-size:], Decimal(0))
            is_sum = _SUM.search(claim.sentence) and abs(abs(total) - wanted) <= claim.tolerance
            is_mean = _AVERAGE.search(claim.sentence) and abs(abs(total / size) - wanted) <= claim.tolerance
            if is_sum or is_mean:
                return FigureOutcome(
                    claim.figure.text, "calculated", self._places(), tuple(k.cell for k in known[-size:])
                )
        return None

    # --- calculations that the sentence shows

    def _formulas(self, sentence: str, places: Iterable[int]) -> list[tuple[int, int, list[FigureOutcome]]]:
        """Each formula of the sentence with where it stands: its operands, and its result if it comes out."""
        found = []
        for match in _FORMULA.finditer(sentence):
            operands, evidence, scale = self._operands(match["terms"], list(places))
            value = _result_of(match["terms"], match["result"])
            right = value is not None and all(outcome.kind != "not found" for outcome in operands)
            text = f"{match['result']}{match['unit'] or ''}".strip()
            if right and value is not None:
                self._results.extend((value, value * 100, value * scale))
            kind: Kind = "calculated" if right else "not found"
            outcome = FigureOutcome(text, kind, tuple(dict.fromkeys(evidence)))
            found.append((match.start(), match.end(), [*(o for o in operands if o.kind == "not found"), outcome]))
        return found

    def _operands(self, text: str, places: Sequence[int]) -> tuple[list[FigureOutcome], list[int], Decimal]:
        """What becomes of each operand, the evidence of those that were found, and the scale of their cells."""
        outcomes, evidence, scale = [], [], Decimal(1)
        asked = {abs(figure.value) for figure in figures_of(self.question)}
        for digits in _DIGITS.findall(text):
            value = Decimal(digits.replace(",", ""))
            place, cell = self._cell_of(value, [*places, *range(len(self.texts))])
            if place is not None and cell is not None:
                evidence.append(place)
                scale = max(scale, cell.scale or scale)
            is_known = place is not None or value in _FREE or value in asked or self._is_result(value)
            outcomes.append(
                FigureOutcome(digits, "found" if is_known else "not found", () if place is None else (place,))
            )
        return outcomes, evidence, scale

    def _cell_of(self, value: Decimal, places: Iterable[int]) -> tuple[int, Cell] | tuple[None, None]:
        """The first evidence with a cell of this value, in any scale."""
        for place in places:
            for cell in read_cells(self.texts[place]):
                scaled = [cell.amount / Decimal(10) ** power for power in (0, 3, 6, 9)]
                if any(_rounds_to(abs(amount), value) for amount in (abs(cell.value), *map(abs, scaled))):
                    return place, cell
        return None, None

    def _is_result(self, value: Decimal) -> bool:
        return any(_rounds_to(abs(result), value) for result in self._results)


def _is_inside(claim: _Claim, formulas: Sequence[tuple[int, int, list[FigureOutcome]]]) -> bool:
    return any(start <= claim.figure.start < end for start, end, _ in formulas)


# --- one figure against one cell


def _is_value(claim: _Claim, cell: Cell, says_scale: bool) -> bool:
    """True where the cell's value is the claimed one, perhaps rounded and in another scale."""
    figure = claim.figure
    if not _units_agree(figure, cell):
        return False
    if figure.unit in _POINTS:
        wanted, printed = figure.value * _POINTS[figure.unit], cell.value * _POINTS.get(cell.unit, Decimal(1))
        return abs(abs(wanted) - abs(printed)) <= claim.tolerance
    if figure.unit in RATES:
        return abs(abs(figure.value) - abs(cell.value)) <= claim.tolerance
    if cell.scale is None:
        return _is_unscaled_value(claim, cell)
    if abs(abs(figure.amount) - abs(cell.amount)) <= claim.tolerance:
        return True
    is_bare = figure.scale == 1 and (not figure.unit or says_scale)
    return is_bare and abs(figure.value) == abs(cell.value)


def _is_unscaled_value(claim: _Claim, cell: Cell) -> bool:
    """The same where nothing says the scale of the cell: thousands and millions are believed, prices are as printed."""
    figure = claim.figure
    if figure.scale == 1:
        return abs(abs(figure.value) - abs(cell.value)) <= claim.tolerance
    exponent = cell.value.as_tuple().exponent
    is_price = exponent == -2 and abs(cell.value) < 1000
    if is_price or cell.table < 0:
        return False
    return any(abs(abs(figure.amount) - abs(cell.value * scale)) <= claim.tolerance for scale in _PLAUSIBLE)


def _units_agree(figure: Quantity, cell: Cell) -> bool:
    one, other = figure.unit.partition("/")[0], cell.unit.partition("/")[0]
    if one in _POINTS or other in _POINTS:
        return one in _POINTS and other in _POINTS
    if one == "%" or other == "%":
        return one == other or (one == "%" and not other and cell.scale is None)
    if "/" in figure.unit and cell.scale not in (None, Decimal(1)):
        return False
    if not one or not other or one == other:
        return True
    return one in _DOLLARS and other in _DOLLARS


def _same_value(figure: Quantity, cell: Cell) -> bool:
    return abs(figure.value) == abs(cell.value) or abs(figure.amount) == abs(cell.amount)


def _plain(figure: Quantity) -> Decimal:
    return figure.value if figure.unit in RATES else figure.amount


def _tolerance(figure: Quantity, sentence: str) -> Decimal:
    """Half of the last printed digit's worth; a whole number without a scale is exact, unless "about" stands before."""
    step = _last_digit(figure.value)
    is_about = WORDING.any("approximate", sentence[max(0, figure.start - 20) : figure.start])
    if is_about and figure.value and figure.value == figure.value.to_integral_value():
        plain = str(int(abs(figure.value)))
        step = Decimal(10) ** (len(plain) - len(plain.rstrip("0")))
    if figure.unit in _POINTS:
        return step * _POINTS[figure.unit] / 2
    if figure.unit in RATES:
        return step / 2
    is_exact = figure.scale == 1 and step >= 1 and not is_about
    return Decimal(0) if is_exact else step * figure.scale / 2


def _same_sign(claim: _Claim, cell: Cell) -> bool:
    """False where the sentence speaks of a loss and the cell is a gain, of a rise and it is a fall, or vice versa."""
    if cell.table < 0:
        return _same_sign_in_prose(claim, cell)
    if _says_opposite(claim.words, cell.words | cell.heads):
        return False
    if claim.direction:
        return not _is_signed(cell) or (cell.value > 0) == (claim.direction > 0)
    said = _claimed_sign(claim, cell)
    return said == 0 or said == _printed_sign(cell)


def _says_opposite(said: frozenset[str], printed: frozenset[str]) -> bool:
    """True where a word of the sentence is the opposite of a printed one: "credit" of a row of charges."""
    return any(opposites().get(word, frozenset()) & (printed - said) for word in said - printed)


def _is_signed(cell: Cell) -> bool:
    """True for cells of which the sign tells the way: changes, and what is printed negative."""
    return cell.is_change or cell.value < 0


def _same_sign_in_prose(claim: _Claim, cell: Cell) -> bool:
    place = cell.label.find(cell.text)
    other = direction_of_change(cell.label, place) if place >= 0 else 0
    if claim.direction and other and claim.direction != other:
        return False
    if _explicit_sign(claim) < 0 < cell.value and not WORDING.any("negative", cell.label):
        return other < 0
    return not _says_opposite(claim.words, terms(cell.label))


def _explicit_sign(claim: _Claim) -> int:
    """-1 for "-$5" and "negative 5"."""
    before = claim.sentence[max(0, claim.figure.start - 14) : claim.figure.start]
    is_negative = claim.figure.value < 0 or re.search(r"\b(?:negative|minus)\b|负", before, re.IGNORECASE)
    return -1 if is_negative else 0


def _claimed_sign(claim: _Claim, cell: Cell) -> int:
    if _explicit_sign(claim):
        return -1
    clause = _clause(claim.sentence, claim.figure, figures_of(claim.sentence))
    bare = re.sub(r"\([^()]{0,60}\)", " ", clause)
    label = cell.label.lower()
    if re.search(r"\bexpense\b", bare, re.I) and "(expense)" in label:
        return -1
    negative, positive = WORDING.any("negative", bare), WORDING.any("positive", bare)
    if negative == positive:
        return 0
    if negative and _is_about_losses(label):
        return 0
    return -1 if negative else 1


def _is_about_losses(label: str) -> bool:
    """True where "loss" is in the name of a row that is no result: "allowance for losses"."""
    return bool(re.search(r"\b(?:losses)\b", label)) and not re.search(r"\bnet\b|income|gain", label)


def _printed_sign(cell: Cell) -> int:
    """-1 for a loss: a negative value of "income (loss)", a positive one of "net loss" or "(gain) loss"."""
    bare = re.sub(r"\([^()]{0,60}\)", " ", cell.label.lower())
    is_of_losses = re.search(r"\b(?:loss|deficit)\b|亏损", bare) or "(gain" in cell.label.lower()
    turned = -1 if is_of_losses and not re.search(r"\b(?:income|gain)\b", bare) else 1
    return (1 if cell.value >= 0 else -1) * turned


# --- which row a sentence speaks of


def _clause(sentence: str, figure: Quantity, figures: Sequence[Quantity]) -> str:
    """The words around a figure: from the figure before it to the one behind it, within commas and "and"."""
    before = max((other.end for other in figures if other.end <= figure.start), default=0)
    after = min((other.start for other in figures if other.start >= figure.end), default=len(sentence))
    start, end = before, figure.end
    head = sentence[before : figure.start]
    cut = max((m.end() for m in re.finditer(r"[;；，]|, (?=and|of which|but|while)|\bof which\b", head)), default=0)
    start += cut
    tail = re.split(
        r"[;；，,]|\b(?:and|but|while|compared|from|up|down)\b|\bagainst\s+[$€£\d]", sentence[figure.end : after]
    )[0]
    return sentence[start : end + len(tail)]


def _fit(words: frozenset[str], cell: Cell) -> bool:
    return bool(words & (cell.words | cell.heads))


def _row_fit(wanted: frozenset[str], cell: Cell) -> float:
    """How well words name the row: the harmonic mean of the shares of both that are shared."""
    names = cell.words | (cell.section & wanted)
    shared = len(wanted & names)
    if not shared or not cell.words:
        return 0.0
    others = wanted - cell.heads - cell.section
    precision = len(others & cell.words) / len(others) if others else 1.0
    recall = len(wanted & cell.words) / len(cell.words)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _is_meant_rather(wanted: frozenset[str], rival: Cell, own: Cell) -> bool:
    """True where words name the row of the rival, or its column, rather than those of the cell itself."""
    if rival.column == own.column and rival.words != own.words:
        return _names_better(wanted, rival, own)
    if rival.row == own.row and rival.heads != own.heads:
        return _head_fit(wanted, rival) > _head_fit(wanted, own) + _CLEARLY
    return False


def _names_better(wanted: frozenset[str], rival: Cell, own: Cell) -> bool:
    """True where the words name the row of the rival: all of its label, or more of it than of the cell's own."""
    if not own.words:  # "For" beside "Against": its words are in every text
        return False
    own_shared, rival_shared = len(wanted & own.words), len(wanted & rival.words)
    own_whole, rival_whole = own_shared == len(own.words) > 0, rival_shared == len(rival.words) > 0
    if own_whole:
        return rival_whole and rival_shared > own_shared
    if rival_whole:
        return rival_shared >= max(1, own_shared)
    return rival_shared > own_shared and _row_fit(wanted, rival) > _row_fit(wanted, own) + 0.05


def _head_fit(wanted: frozenset[str], cell: Cell) -> float:
    return len(wanted & cell.heads) / len(cell.heads) if cell.heads else 0.0


def _overlap(claim: _Claim, cell: Cell) -> bool:
    return bool((claim.words | terms(claim.sentence)) & cell.words)


# --- calculations


def _is_pair(claim: _Claim, one: Cell, other: Cell) -> bool:
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


def _is_before(one: Cell, other: Cell) -> bool:
    """By period where both have one, else as printed: reports print the newest first."""
    if one.periods and other.periods and one.periods[0].sort_key != other.periods[0].sort_key:
        return one.periods[0].sort_key < other.periods[0].sort_key
    return one.start > other.start


def _comes_from(claim: _Claim, old: Cell, new: Cell) -> bool:
    """True where the claim is the change from old to new, or their ratio."""
    tolerance = claim.tolerance * Decimal("1.2") or Decimal("0.5")
    if claim.is_points:
        return _comes_from_points(claim, old, new, tolerance)
    if claim.figure.unit == "%" and claim.direction:
        return _comes_from_growth(claim, old, new, tolerance)
    if claim.figure.unit in ("%", "x"):
        factor = 100 if claim.figure.unit == "%" else 1
        wanted = abs(claim.figure.value)
        at_that_time = same_time(claim.periods, old.periods) and same_time(claim.periods, new.periods)
        return at_that_time and any(abs(abs(ratio) * factor - wanted) <= tolerance for ratio in _ratios(old, new))
    return _comes_from_difference(claim, old, new, tolerance)


def _comes_from_points(claim: _Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for the difference of two percentages."""
    wanted = abs(claim.figure.value) * _POINTS.get(claim.figure.unit, Decimal(1))
    return old.unit == new.unit == "%" and _is_change(claim, _change(old, new), wanted, tolerance)


def _comes_from_growth(claim: _Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for a change in percent."""
    if not old.amount or not _is_one_row(old, new):
        return False
    return _is_change(claim, _change(old, new) / abs(old.amount) * 100, abs(claim.figure.value), tolerance)


def _comes_from_difference(claim: _Claim, old: Cell, new: Cell, tolerance: Decimal) -> bool:
    """True for a difference of two amounts, in units or as the table prints them."""
    is_rate = old.unit in RATES or new.unit in RATES
    is_difference = claim.direction or _DIFFERENCE.search(claim.sentence)
    if is_rate or not is_difference or not _is_one_row(old, new):
        return False
    scales = [Decimal(1)]
    if claim.figure.scale == 1 and old.scale:
        scales.append(old.scale)
    wanted = abs(_plain(claim.figure))
    return any(_is_change(claim, _change(old, new) / scale, wanted, tolerance) for scale in scales)


def _is_one_row(old: Cell, new: Cell) -> bool:
    """True for one row at two times; what is said in prose may be of one row."""
    if old.table < 0 or new.table < 0:
        return True
    is_one_time = bool(old.periods) and old.periods == new.periods
    return old.words == new.words and not is_one_time


def _change(old: Cell, new: Cell) -> Decimal:
    """By how much a value rose. What is printed negative all along, such as a cost, rises as it moves from zero."""
    is_result = re.search(r"income|earnings|profit|cash flow|net cash", old.label, re.IGNORECASE)
    if old.value < 0 and new.value < 0 and not is_result:
        return old.amount - new.amount
    return new.amount - old.amount


def _is_change(claim: _Claim, change: Decimal, wanted: Decimal, tolerance: Decimal) -> bool:
    if abs(abs(change) - wanted) > tolerance:
        return False
    direction = claim.direction or trend_of(claim.sentence)
    return not direction or change == 0 or (change > 0) == (direction > 0)


def _ratios(old: Cell, new: Cell) -> Iterator[Decimal]:
    """Both ways round, of two rows at one time that the sentence names."""
    if old.table == new.table >= 0 and old.column != new.column and old.periods != new.periods:
        return
    for one, other in ((old, new), (new, old)):
        if other.amount:
            yield one.amount / other.amount


def _balanced(text: str) -> str:
    """Without brackets that open before the formula and close behind it."""
    text = text.strip()
    while text.startswith("(") and text.count("(") > text.count(")"):
        text = text[1:].strip()
    return text


def _without_words(text: str) -> str:
    return re.sub(r"[A-Za-z]+", "", text).replace("[", "(").replace("]", ")")


def _result_of(terms_text: str, result: str) -> Decimal | None:
    """The value of a calculation that is written out, if it gives the result that stands behind it; else None.

    The result may be in percent, and so may a number of the calculation.

    >>> _result_of("(3,412 - 2,987) / 2,987", "14.2"), _result_of("700 * 10%", "70"), _result_of("2 + 2", "5")
    (Decimal('0.1422832273183796451288918647'), Decimal('70.00'), None)
    """
    value, digits = calculate(_balanced(_without_words(terms_text))), _DIGITS.search(result)
    if value is None or digits is None:
        return None
    wanted = Decimal(digits[0].replace(",", ""))
    if "%" in terms_text and abs(abs(value) / 100 - wanted) <= _last_digit(wanted):
        return value * Decimal("0.01")
    return value if any(_is_about(abs(value * factor), wanted) for factor in (1, 100)) else None


def _is_about(value: Decimal, printed: Decimal) -> bool:
    """True where a value may be printed so: rounded or cut off; whole numbers have to be the same."""
    if value == value.to_integral_value() and printed == printed.to_integral_value():
        return value == printed
    return abs(value - printed) <= _last_digit(printed)


def _last_digit(value: Decimal) -> Decimal:
    """What the last printed digit is worth."""
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _rounds_to(amount: Decimal, value: Decimal) -> bool:
    step = _last_digit(value)
    return abs(amount - value) <= (step / 2 if step < 1 else Decimal(0))


def denies_figure(sentence: str, texts: Sequence[str]) -> bool:
    """True where a sentence without figures says "no ..." of a row that has a value, or the wrong trend of a row."""
    trend = 0 if is_denied(sentence) else trend_of(sentence)
    says_none = re.search(r"\b(?:no|none)\b", sentence, re.IGNORECASE) is not None
    if not trend and not says_none:
        return False
    asked = tuple(mention.period for mention in find_periods(sentence))
    own = _row_named(terms(sentence), texts)
    if says_none and own and own[0].table >= 0:
        return any(cell.value for cell in own if same_time(asked, cell.periods))
    return bool(trend) and _goes_against(trend, own)


def _row_named(words: frozenset[str], texts: Sequence[str]) -> list[Cell]:
    """The cells with a period of the row, or of the sentence, that the words name best; none where several do."""
    rows: dict[tuple[int, frozenset[str], frozenset[str]], list[Cell]] = {}
    for text in texts:
        for cell in read_cells(text):
            if not cell.is_change and cell.periods:
                rows.setdefault((cell.table, cell.words, cell.heads), []).append(cell)
    ranked = sorted(((_naming(words, own[0]), place) for place, own in enumerate(rows.values())), reverse=True)
    if not ranked or ranked[0][0] < _LEAST_NAMING:
        return []
    if len(ranked) > 1 and ranked[1][0] == ranked[0][0]:
        return []
    return list(rows.values())[ranked[0][1]]


_LEAST_NAMING = 0.5


def _naming(words: frozenset[str], cell: Cell) -> float:
    """How well the words name the row and column of a cell; of prose, the share of them that its sentence has."""
    if cell.table < 0:
        said = frozenset(word for word in words - _TREND_WORDS if not word.isdigit())
        return len(said & cell.words) / len(said) * 0.7 if len(said) > 1 else 0.0
    names = cell.words | cell.heads
    return _row_fit(words & names, cell) + 0.2 * _head_fit(words, cell) + 0.01 * len(words & names)


_TREND_WORDS = terms("increase decrease rise fall grow decline drop improve higher lower shrink up down")


def _goes_against(trend: int, cells: Sequence[Cell]) -> bool:
    """True where the two newest values of a row moved the other way."""
    values: dict[Period, Cell] = {}
    for cell in cells:
        values.setdefault(cell.periods[0], cell)
    ordered = [values[period] for period in sorted(values, key=lambda period: period.sort_key)]
    if len(ordered) < 2:
        return False
    change = _change(ordered[-2], ordered[-1])
    return change != 0 and (change > 0) != (trend > 0)
