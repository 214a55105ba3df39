"""Figures that a formula with a name gives: working capital, a gross margin or a quick ratio, from rows of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice, product

from .....ingest.facts.metrics import metric_of
from ....question.figures.operands import find_names
from ....question.vocabulary.expression import IncomputableError, evaluate
from ....question.vocabulary.vocabulary import Formula, FormulaList, default_formulas
from ..cells.cell import Cell
from ..cells.times import years_of
from ..wording import WORDING
from .cell_match import PLAUSIBLE
from .claims import Claim

Placed = tuple[int, Cell]
"""A cell with the index of the evidence that it stands in."""
_Row = Mapping[int, Placed]
"""Year -> cell of one row."""
_SLACK = Decimal("1.2")
"""Times the rounding of the printed figure: what goes into a formula is rounded, too."""
_MOST_ROWS = 3
"""Rows of one metric that are tried: sales of the company, of a segment, of another table."""
_MOST_CHOICES = 60
"""Ways to take one row for each metric."""


def from_formula(claim: Claim, question: str, cells: Sequence[Placed]) -> Sequence[Placed]:
    """The cells from which a formula that the claim names, or else the question, gives its figure; () where none does.

    >>> from .claims import claims_of
    >>> from ..cells.reading import read_cells
    >>> table = "| | 2022 | 2021 |\\n| --- | --- | --- |\\n| Revenue | 4,000 | 3,900 |\\n| Gross profit | 1,000 | 900 |"
    >>> claim, = claims_of("The gross margin was 25.0% in 2022.", "")
    >>> [cell.text for _, cell in from_formula(claim, "", [(0, cell) for cell in read_cells(table)])]
    ['1,000', '4,000']
    """
    if claim.is_points or claim.direction:
        return ()
    formulas = default_formulas()
    named = _formulas_in(claim.clause, formulas) or _formulas_in(claim.sentence, formulas)
    rows: Mapping[str, Sequence[_Row]] | None = None
    for formula in named or _formulas_in(question, formulas):
        if not _is_its_unit(formula, claim):
            continue
        rows = rows if rows is not None else _rows_by_metric(cells)
        for result, used in _results(formula, formulas, rows, claim):
            if _gives(result, used, formula, claim):
                return used
    return ()


def _formulas_in(text: str, formulas: FormulaList) -> list[Formula]:
    return [formulas.formulas[name] for name in find_names(text, formulas).names if name in formulas.formulas]


def _is_its_unit(formula: Formula, claim: Claim) -> bool:
    unit = claim.figure.unit
    if formula.unit == "%":
        return unit == "%"
    if formula.unit == "money":
        return unit not in ("%", "x")
    return unit in ("", formula.unit)


def _rows_by_metric(cells: Iterable[Placed]) -> Mapping[str, Sequence[_Row]]:
    """Metric -> its rows, in the order of the evidence, no two with the same values."""
    rows: dict[tuple[str, int, int, int], dict[int, Placed]] = {}
    for place, cell in cells:
        metric = metric_of(cell.label) if cell.periods else ""
        if metric:
            row = rows.setdefault((metric, place, cell.table, cell.row), {})
            for year in years_of(cell.periods[0]):
                row.setdefault(year, (place, cell))
    found: dict[str, list[_Row]] = {}
    for (metric, *_), row in rows.items():
        known = [_amounts(other) for other in found.setdefault(metric, [])]
        if len(known) < _MOST_ROWS and _amounts(row) not in known:
            found[metric].append(row)
    return found


def _amounts(row: _Row) -> list[tuple[int, Decimal]]:
    return [(year, cell.amount) for year, (_, cell) in row.items()]


def _results(
    formula: Formula, formulas: FormulaList, rows: Mapping[str, Sequence[_Row]], claim: Claim
) -> Iterator[tuple[Decimal, Sequence[Placed]]]:
    """What the formula gives in each year that the claim may be of, for each choice of one row a metric."""
    needed = sorted(formulas.metrics(formula) & rows.keys() - {formula.name})
    choices = product(*(rows[metric] for metric in needed))
    said = {year for period in claim.periods for year in years_of(period)}
    for choice in islice(choices, _MOST_CHOICES):
        chosen = dict(zip(needed, choice, strict=True))
        for year in sorted(said or {year for row in choice for year in row}):
            used: dict[int, Placed] = {}
            try:
                result = _value(formula, formulas, chosen, year, used)
            except (LookupError, IncomputableError):
                continue
            yield result, tuple(used.values())


def _value(
    formula: Formula, formulas: FormulaList, chosen: Mapping[str, _Row], year: int, used: dict[int, Placed]
) -> Decimal:
    """The value of a formula in a year. Raises LookupError where no way has all that it needs."""

    def value_of(name: str, back: int) -> Decimal:
        if year - back in chosen.get(name, ()):
            place, cell = chosen[name][year - back]
            used[id(cell)] = (place, cell)
            return cell.amount
        if name in formulas.formulas:
            return _value(formulas.formulas[name], formulas, chosen, year - back, used)
        raise LookupError(name)

    for way in formula.ways:
        before = dict(used)
        try:
            return evaluate(way, value_of)
        except LookupError:
            used.clear()
            used.update(before)
    raise LookupError(formula.name)


def _gives(result: Decimal, used: Sequence[Placed], formula: Formula, claim: Claim) -> bool:
    """True where the claim may print the result, and calls a negative one negative."""
    is_said_negative = claim.figure.value < 0 or WORDING.any("negative", claim.clause)
    if (result < 0) != is_said_negative:
        return False
    results = [result * 100 if formula.unit == "%" else result]
    if formula.unit == "money" and all(cell.scale is None for _, cell in used):
        results.extend(result * scale for scale in PLAUSIBLE)
    return any(abs(abs(one) - abs(claim.plain)) <= claim.tolerance * _SLACK for one in results)
