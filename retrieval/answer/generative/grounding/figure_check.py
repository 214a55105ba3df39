"""Where the figures of an answer come from: a cell or sentence that it cites, a calculation from such, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal
from itertools import combinations, pairwise, permutations
from typing import Literal

from .....core.records import dataclass
from .....core.sequences import first
from ..cells.cell import RATES, Cell
from ..cells.reading import read_cells
from ..cells.times import figures_of
from ..wording import WORDING, trend_of
from .calculated import (
    FORMULA,
    comes_from,
    is_base_of,
    is_before,
    is_in_row,
    is_multiplied_otherwise,
    is_opening,
    is_pair,
    moved_otherwise,
    multiple_said,
    operands_of,
    result_of,
    rounds_to,
    share_of_whole,
)
from .cell_match import as_dated, holds, is_part_for_one_share, is_value, may_be_scaled, scaled
from .claims import MOST_FIGURES, POINTS, Claim, claims_of, ends_of_move, is_moved_to, owners_of
from .derivation import derivation_of
from .named_formula import from_formula
from .named_rows import is_named_elsewhere, named_cells, names_another_row
from .prose_match import in_order_said, pairs_said
from .statements.source_sentences import Passage, parts_of

Kind = Literal["found", "calculated", "not found"]

_FREE = frozenset(map(Decimal, ("0", "1", "2", "3", "4", "12", "100", "360", "365")))
"""Numbers that a formula may hold without a source."""
_LAST = 8
"""Figures of the answer that a sum may be made of."""
_FEW = 4
"""Figures of a sentence that the next one may draw a conclusion from without naming them."""
_POWERS = (0, 3, 4, 6, 8, 9)
"""Of ten, in which a formula may give amounts: thousands, millions, billions, and those of Chinese."""


@dataclass(frozen=True, slots=True)
class FigureOutcome:
    """A figure of an answer as it is printed there, and the indices of the evidence that it comes from."""

    text: str
    kind: Kind
    evidence: tuple[int, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class _Known:
    """A figure that was found, for calculations from it."""

    cell: Cell
    evidence: int
    direction: int = 0
    """Which way it moved, as the answer says: 1, -1, or 0 for a level."""


@dataclass(frozen=True, slots=True)
class _Formula:
    """A calculation that a sentence writes out, from ``start`` to ``end``."""

    start: int
    end: int
    outcomes: tuple[FigureOutcome, ...]
    """Its operands that are not found, and its result."""

    @property
    def is_right(self) -> bool:
        """True where the operands are known and give the result."""
        return all(outcome.kind != "not found" for outcome in self.outcomes)


@dataclass(slots=True)
class FigureChecker:
    """Holds the figures of an answer's sentences against its evidence, in the order of the answer.

    Figures of the question are free. What was found in an earlier sentence may be calculated with in a later one.
    A figure that a cited passage lacks may stand in another one of its document.
    """

    passages: Sequence[Passage]
    question: str = ""
    _known: list[_Known] = field(default_factory=list)
    _owners: Mapping[int, str] = field(default_factory=dict)
    _results: list[Decimal] = field(default_factory=list)
    _said: set[Decimal] = field(default_factory=set)
    """Figures that were found, as the answer puts them: "about 10%" of a printed 9.6%."""
    _before: int = 0
    """How many figures were known before the sentence that is checked."""
    _said_before: int = 0
    """How many were known before the sentence in front of it."""

    def check(self, sentence: str, places: Sequence[int]) -> list[FigureOutcome]:
        """What becomes of each figure of the sentence, in its order; ``places`` are the passages that it cites."""
        self._said_before, self._before = self._before, len(self._known)
        formulas = self._formulas(sentence, places)
        claims = claims_of(_without(sentence, formulas), self.question, self._about(places))
        self._owners = owners_of(sentence, [claim.figure for claim in claims], self._companies(places))
        siblings = self._with_siblings(places)
        outcomes = {claim: self._found(claim, claims, self._own(claim, siblings)) for claim in claims}
        _lose_in_wrong_order(sentence, outcomes)
        self._lose_moved(sentence, outcomes)
        _lose_other_scales(outcomes)
        self._calculate_missing(outcomes, places)
        _lose_in_wrong_order(sentence, outcomes)
        if not all(formula.is_right for formula in formulas):
            formulas = self._formulas(sentence, places)  # with what the rest of the sentence gives
            self._calculate_missing(outcomes, places)
        inside = [outcome for formula in formulas for outcome in formula.outcomes]
        unread = [FigureOutcome(figure.text, "not found") for figure in figures_of(sentence)[MOST_FIGURES:]]
        return [*outcomes.values(), *inside, *unread]

    def remembered(self) -> int:
        """How many figures were found so far."""
        return len(self._known)

    def forget(self, count: int) -> None:
        """Forget the figures found after the first ``count``."""
        del self._known[count:]

    def _about(self, places: Sequence[int]) -> str:
        """Behind a first word, which is no name for it begins a sentence."""
        return " ".join(("of", *(self.passages[place].about for place in places)))

    def _companies(self, places: Iterable[int]) -> list[str]:
        return [self.passages[place].company for place in places]

    def _own(self, claim: Claim, places: Sequence[int]) -> Sequence[int]:
        """Those of the company that the sentence says the figure of, where it names several."""
        owner = self._owners.get(claim.figure.start)
        return places if owner is None else [place for place in places if self.passages[place].company == owner]

    def _with_siblings(self, places: Sequence[int]) -> list[int]:
        """These pieces of evidence, then what else there is of the same documents."""
        sources = {self.passages[place].source for place in places} - {""}
        siblings = [place for place, passage in enumerate(self.passages) if passage.source in sources]
        return list(dict.fromkeys((*places, *siblings)))

    # --- found

    def _read(self, place: int) -> Sequence[Cell]:
        """The figures of a passage, as printed."""
        return read_cells(self.passages[place].text)

    def _cells(self, place: int) -> Sequence[Cell]:
        """The figures of a text; those of tables that say no scale may be in the one scale of their document's others.

        A statement whose "(in thousands)" stands in a head that was cut off.
        """
        cells = self._read(place)
        scales = {cell.scale for sibling in self._with_siblings([place])[1:] for cell in scaled(self._read(sibling))}
        if len(scales) != 1:
            return cells
        scale = scales.pop()
        return [*cells, *(replace(cell, scale=scale) for cell in cells if may_be_scaled(cell))]

    def _found(self, claim: Claim, claims: Sequence[Claim], places: Iterable[int]) -> FigureOutcome:
        for place in places:
            cells = self._cells(place)
            dated = as_dated(claim, self.passages[place].about, cells)
            cell = next((cell for cell in cells if holds(dated, cell, cells, claims)), None)
            if cell is not None:
                self._known.append(_Known(cell, place, claim.direction))
                self._said.add(abs(claim.figure.value))
                return FigureOutcome(claim.figure.text, "found", (place,), (cell,))
        return FigureOutcome(claim.figure.text, "not found")

    def _lose_moved(self, sentence: str, outcomes: dict[Claim, FigureOutcome]) -> None:
        """ "Nearly tripled to 915" or "fell to 915" where the source has 430 before it: that counts as not found."""
        for claim, outcome in outcomes.items():
            trend = trend_of(claim.clause) if is_moved_to(sentence, claim) else 0
            bounds = None if claim.is_base else multiple_said(parts_of(sentence[: claim.figure.start], "clause")[-1])
            for place, cell in zip(outcome.evidence, outcome.cells, strict=False):
                cells = self._read(place)
                is_multiplied = bounds is not None and is_multiplied_otherwise(bounds, cell, cells)
                if is_multiplied or moved_otherwise(trend, cell, cells):
                    outcomes[claim] = FigureOutcome(outcome.text, "not found")

    # --- repeated or calculated

    def _calculate_missing(self, outcomes: dict[Claim, FigureOutcome], places: Sequence[int]) -> None:
        for claim, outcome in outcomes.items():
            if outcome.kind == "not found":
                own = places if WORDING.any("by_more", claim.clause) else self._own(claim, places)
                made = self._repeated(claim) or self._calculated(claim, own) or self._share(claim, outcomes, own)
                outcomes[claim] = made or outcome

    def _repeated(self, claim: Claim) -> FigureOutcome | None:
        """A result that the answer has calculated before, or by how many points two such results differ."""
        values = [abs(value) for value in self._results]
        if claim.is_points:
            points = [
                abs(one - other) / POINTS.get(claim.figure.unit, Decimal(1)) for one, other in combinations(values, 2)
            ]
            values.extend(points)
        if any(abs(value - abs(claim.plain)) <= claim.tolerance for value in values):
            return FigureOutcome(claim.figure.text, "calculated", _evidence_of(self._known))
        return None

    def _calculated(self, claim: Claim, places: Iterable[int]) -> FigureOutcome | None:
        sources: Sequence[_Known] = (
            self._before_change(claim)
            or self._base_of_growth(claim)
            or self._pair_of(claim, places)
            or self._by_formula(claim, places)
            or self._of_one_share(claim, places)
            or self._derived(claim, places)
        )
        if not sources:
            return None
        self._results.append(claim.plain)
        cells_of_it = tuple(known.cell for known in sources)
        return FigureOutcome(claim.figure.text, "calculated", _evidence_of(sources), cells_of_it)

    def _derived(self, claim: Claim, places: Iterable[int]) -> list[_Known]:
        """What no form above gives: by one operation on what the sentence names or the answer gave just before."""
        cells = [(place, cell) for place in places for cell in self._read(place)]
        bare = replace(claim, figure=replace(claim.figure, unit="")) if claim.figure.unit not in RATES else claim
        if any(is_value(bare, cell) for _, cell in cells):  # it stands there, of something else or in another money
            cells = []
        given = [(known.evidence, known.cell) for known in self._known[-_LAST:]]
        used = derivation_of(claim, cells, given)
        if names_another_row(claim, [cell for _, cell in used], [cell for _, cell in cells]):
            return []
        return [_Known(cell, place) for place, cell in used]

    def _share(self, claim: Claim, claims: Iterable[Claim], places: Iterable[int]) -> FigureOutcome | None:
        """ "$279 million, 38% of the total": of one figure of the sentence in another that it gives or names."""
        for place in places:
            cells = share_of_whole(claim, claims, self._read(place))
            if cells:
                return FigureOutcome(claim.figure.text, "calculated", (place,), cells)
        return None

    def _before_change(self, claim: Claim) -> list[_Known]:
        """ "It had been 12.8%" where 14.6% and a rise of 1.8 points were found before."""
        if claim.figure.unit != "%":
            return []
        direction = trend_of(claim.sentence)
        for level, change in permutations(self._known[-_LAST:], 2):
            if level.cell.unit == "%" and change.cell.unit in POINTS:
                points = change.cell.value * POINTS[change.cell.unit] * direction
                if abs(level.cell.value - points - claim.figure.value) <= claim.tolerance:
                    return [level, change]
        return []

    def _base_of_growth(self, claim: Claim) -> list[_Known]:
        """ "That implies about $19.2 million a year before" where $24.9 million and a rise of 30% were found before."""
        is_earlier = claim.is_base or any(WORDING.any(name, claim.sentence) for name in ("conclusion", "relative"))
        if not is_earlier:
            return []
        pairs = permutations(self._known[-_LAST:], 2)
        bases = ([level, rate] for level, rate in pairs if is_base_of(claim, level.cell, rate.cell, rate.direction))
        return first(bases, [])

    def _pair_of(self, claim: Claim, places: Iterable[int]) -> Sequence[_Known]:
        for old, new in self._pairs(claim, places):
            is_result = comes_from(claim, old.cell, new.cell)
            if is_result and not names_another_row(claim, (old.cell, new.cell), self._read(new.evidence)):
                return (old, new)
        return ()

    def _rows_found(self, claim: Claim) -> Iterator[_Known]:
        """What else is printed in the rows in which the sentence found figures, unless the claim names another row.

        In the same sentence of the source, too, and in the same row of a table of another time.
        """
        for known in self._known[self._before :]:
            cells = self._read(known.evidence)
            if known.cell.is_prose:
                said = [cell for cell in cells if cell.label == known.cell.label and cell.unit == known.cell.unit]
                yield from (_Known(cell, known.evidence) for cell in said)
            elif known.cell.table >= 0 and not is_named_elsewhere(claim, known.cell, cells):
                row = [
                    replace(cell, scale=cell.scale or known.cell.scale) for cell in cells if is_in_row(cell, known.cell)
                ]
                yield from (_Known(cell, known.evidence) for cell in row)

    def _by_formula(self, claim: Claim, places: Iterable[int]) -> list[_Known]:
        """ "The quick ratio was 0.54" of a balance sheet that prints what it is made of."""
        tables = [(place, cell) for place in places for cell in self._read(place) if cell.table >= 0]
        return [_Known(cell, place) for place, cell in from_formula(claim, self.question, tables)]

    def _of_one_share(self, claim: Claim, places: Iterable[int]) -> list[_Known]:
        """ "0.188 a share" of 1.88 for ten shares."""
        for place in places:
            for cell in self._read(place):
                if is_part_for_one_share(claim, cell):
                    return [_Known(cell, place)]
        return []

    def _just_said(self, claim: Claim) -> list[_Known]:
        """The few figures of the sentence before one that draws a conclusion: "Spending thus rose by 72%".

        Of a comparison that names one side ("the margin at home is higher by 11 points"), those in its column, too.
        """
        before = self._known[self._said_before : self._before]
        if len(before) <= _FEW and WORDING.any("conclusion", claim.sentence):
            return before
        if not WORDING.any("by_more", claim.sentence):
            return []
        named = [known.cell for known in self._known if known.cell.table >= 0 and _is_spoken_of(known.cell, claim)]
        columns = {(cell.table, cell.column) for cell in named}
        return [known for known in self._known if (known.cell.table, known.cell.column) in columns]

    def _pairs(self, claim: Claim, places: Iterable[int]) -> Iterator[tuple[_Known, _Known]]:
        """Figures that the claim may be calculated from: those of the answer, and those of rows that it names."""
        named = [known for known in self._known if _is_spoken_of(known.cell, claim)]
        named.extend(self._rows_found(claim))
        named.extend(self._just_said(claim))
        said: list[tuple[_Known, _Known]] = []
        for place in places:
            cells = self._read(place)
            for cell in named_cells(claim, cells):
                if not (claim.direction and is_named_elsewhere(claim, cell, cells)):
                    named.append(_Known(cell, place))
            said.extend((_Known(one, place), _Known(other, place)) for one, other in pairs_said(claim, cells))
        for one, other in (*combinations(named, 2), *said):
            if not is_pair(one.cell, other.cell):
                continue
            ordered = in_order_said(one.cell, other.cell)
            is_first = ordered[0] is one.cell if ordered else is_before(one.cell, other.cell)
            old, new = (one, other) if is_first else (other, one)
            yield old, new
            if not ordered and not _is_order_known(old.cell, new.cell):
                yield new, old

    # --- calculations that the sentence shows

    def _formulas(self, sentence: str, places: Iterable[int]) -> list[_Formula]:
        """Each formula of the sentence with where it stands."""
        order = list(dict.fromkeys((*places, *range(len(self.passages)))))
        return [self._formula(match, order) for match in FORMULA.finditer(sentence)]

    def _formula(self, match: re.Match[str], places: Sequence[int]) -> _Formula:
        operands: list[FigureOutcome] = []
        scale = Decimal(1)
        for printed, value in operands_of(match["terms"]):
            place, own_scale = self._cell_of(value, places)
            scale = max(scale, own_scale)
            is_known = place is not None or self._is_free(value)
            stands_in = () if place is None else (place,)
            operands.append(FigureOutcome(printed, "found" if is_known else "not found", stands_in))
        lost = [operand for operand in operands if operand.kind == "not found"]
        value_of_it = None if lost else result_of(match["terms"], match["result"])
        if value_of_it is not None:
            self._results.extend((value_of_it, value_of_it * 100, value_of_it * scale))
        text = f"{match['result']}{match['unit'] or ''}".strip()
        evidence = tuple(dict.fromkeys(place for operand in operands for place in operand.evidence))
        result = FigureOutcome(text, "not found" if value_of_it is None else "calculated", evidence)
        return _Formula(match.start(), match.end(), (*lost, result))

    def _is_free(self, value: Decimal) -> bool:
        """True for the numbers of definitions and of the question, and for what was said or calculated before."""
        asked = {abs(figure.value) for figure in figures_of(self.question)}
        return value in _FREE | asked | self._said or any(rounds_to(abs(result), value) for result in self._results)

    def _cell_of(self, value: Decimal, places: Iterable[int]) -> tuple[int | None, Decimal]:
        """The first evidence with a cell of this value, in any scale, and what the value is to be multiplied with."""
        for place in places:
            for cell in self._read(place):
                for power in _POWERS:
                    if rounds_to(abs(cell.amount) / Decimal(10) ** power, value):
                        return place, Decimal(10) ** power
        return None, Decimal(1)


def _is_order_known(old: Cell, new: Cell) -> bool:
    """True where two figures have different times; those of sentences need both: where they stand says nothing."""
    if old.is_prose and not (old.periods and new.periods):
        return False
    return old.periods != new.periods or is_opening(old) != is_opening(new)


def _lose_in_wrong_order(sentence: str, outcomes: dict[Claim, FigureOutcome]) -> None:
    for early, late in _in_wrong_order(sentence, outcomes):
        outcomes[early] = FigureOutcome(early.figure.text, "not found")
        outcomes[late] = FigureOutcome(late.figure.text, "not found")


def _lose_other_scales(outcomes: dict[Claim, FigureOutcome]) -> None:
    """Of a table that says no scale two figures of a sentence take one: not "$5.05 billion, of which $3.63 million"."""
    scales: dict[tuple[int, int], int] = {}
    for claim, outcome in outcomes.items():
        for place, cell in zip(outcome.evidence, outcome.cells, strict=False):
            if cell.table < 0 or cell.scale is not None or cell.is_price or claim.figure.scale == 1 or not cell.value:
                continue
            power = round((abs(claim.figure.amount) / abs(cell.value)).log10())
            if scales.setdefault((place, cell.table), power) != power:
                outcomes[claim] = FigureOutcome(outcome.text, "not found")


def _in_wrong_order(sentence: str, outcomes: Mapping[Claim, FigureOutcome]) -> list[tuple[Claim, Claim]]:
    """Pairs such as "from $5 million to $4 million", "$4 million against $5 million" whose old value is the newer."""
    return [
        (one, other)
        for one, other in pairwise(outcomes)
        if _is_moved_back(ends_of_move(sentence, one, other) or _compared(one, other), outcomes)
    ]


def _compared(one: Claim, other: Claim) -> tuple[Claim, ...]:
    """The old and the new value of "4 against 5"; what a sentence dates is checked by its date."""
    is_compared = other.is_base and not one.is_base and one.figure.unit == other.figure.unit
    return (other, one) if is_compared and not other.periods else ()


def _is_moved_back(ends: Sequence[Claim], outcomes: Mapping[Claim, FigureOutcome]) -> bool:
    cells = [outcomes[end].cells for end in ends]
    if len(cells) != 2 or not all(cells) or len(cells[0]) != len(cells[1]):
        return False
    old, new = (of_end[0] for of_end in cells)
    if old.table >= 0:
        if any(end.periods for end in ends) and not _is_order_known(old, new):
            return False
        return is_in_row(old, new) and is_before(new, old)
    return old.label == new.label and _is_order_known(old, new) and is_before(new, old)


def _without(sentence: str, formulas: Sequence[_Formula]) -> str:
    """The sentence with blanks in place of its formulas: their figures are checked with them, and have no time."""
    for formula in formulas:
        before = sentence[: formula.start].rstrip(" :：(（=")
        sentence = f"{before}{' ' * (formula.end - len(before))}{sentence[formula.end :]}"
    return sentence


def _is_spoken_of(cell: Cell, claim: Claim) -> bool:
    return not claim.all_words.isdisjoint(cell.words)


def _evidence_of(known: Iterable[_Known]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(one.evidence for one in known))
