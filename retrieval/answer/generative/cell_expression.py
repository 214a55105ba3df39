"""Calculation by a model: it writes an expression over numbered cells, the program checks units, computes and cites."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal, DecimalException
from itertools import groupby

from ....core.period import Period
from ....core.period_text import periods_in
from ....core.records import dataclass
from ...question.figures.operands import find_names
from ...question.vocabulary.expression import Call, Name, Node, Number, parse_expression
from ...question.vocabulary.vocabulary import FormulaList, default_formulas
from .cells.cell import RATES, Cell
from .cells.reading import read_cells
from .cells.times import same_time, years_of
from .wording import terms

MOST_CELLS = 120
"""Cells that a model is shown, a line a row: about 1,300 tokens."""
MOST_SAID = 16
"""Figures of sentences that it is shown besides."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SPAN = re.compile(r"\b(?:\d|two|three|four|five|ten)[- ]years?\b|[\d两三四五十]\s?年(?:复合|平均)", re.IGNORECASE)
"""Years that a question tells by their number alone: "three-year average as of 2022"."""
_AROUND = 45
"""Characters of a sentence that are shown on each side of its figure."""
_LEADERS = re.compile(r"[.\s]{4,200}\$?$")
"""Dots that lead from a label to its values."""
_MOST_POWER = 40
_MOST_COUNTED = 12
_OF_DEFINITIONS = frozenset(map(Decimal, ("0.5", "52", "100", "360", "365", "366", "1000", "1000000", "1000000000")))


@dataclass(frozen=True, slots=True)
class NumberedCell:
    """A cell by the name that an expression calls it, with the index of the evidence that it stands in."""

    name: str
    cell: Cell
    evidence: int

    @property
    def time(self) -> str:
        """Of when it is, and what else stands over its column: "2022", "Q3 2022", "As reported (2021)"."""
        own = ", ".join(map(_time_of, self.cell.periods))
        head = self.cell.head.replace("|", "/").strip()
        if not head or not own:
            return head or own
        names_years = all(str(period.year) in head for period in self.cell.periods)
        return head if names_years else f"{head} ({own})"

    @property
    def measure(self) -> str:
        """Scale and unit: "million USD"."""
        return " ".join(filter(None, (_scale_name(self.cell.scale), self.cell.unit)))


def cell_lines(cells: Sequence[NumberedCell]) -> list[str]:
    """The cells as a model reads them, a line for each row: "Net sales [1], million USD: c1 (2022) = 4,215; ...".

    >>> table = "(in millions)\\n| | 2022 | 2021 |\\n| --- | --- | --- |\\n| Net sales | $4,215 | 3,900 |"
    >>> cell_lines(number_cells([table], "sales"))
    ['Net sales [1], million USD: c1 (2022) = $4,215; c2 (2021) = 3,900 million']
    """
    return [_row_line(list(row)) for _, row in groupby(cells, key=_row_of)]


def _row_of(one: NumberedCell) -> tuple[int, int, int, int]:
    """What the cells of a row have in common; a figure of a sentence stands alone."""
    cell = one.cell
    return one.evidence, cell.table, cell.row, cell.start if cell.is_prose else 0


def _row_line(row: Sequence[NumberedCell]) -> str:
    """A row; the unit stands in front, and behind a value that has another one."""
    measure = row[0].measure
    values: list[str] = []
    for one in row:
        is_same = one.measure == measure or (one.cell.unit and one.cell.unit in one.cell.text)
        own = "" if is_same else f" {one.measure or 'as printed'}"
        time = f" ({one.time})" if one.time else ""
        values.append(f"{one.name}{time} = {one.cell.text}{own}")
    label = _name_of(row[0].cell)
    head = ", ".join(filter(None, (f"{label} [{row[0].evidence + 1}]", measure)))
    return f"{head}: {'; '.join(values)}"


def _name_of(cell: Cell) -> str:
    """What its row is called; of a figure of a sentence the words around it."""
    if not cell.is_prose:
        return _LEADERS.sub("", cell.label)
    at = max(0, cell.label.find(cell.text))
    around = cell.label[max(0, at - _AROUND) : at + len(cell.text) + _AROUND]
    return f'"{" ".join(around.split())}"'


def _time_of(period: Period) -> str:
    """Its label; a column of which only the year is known is called by it."""
    is_year_alone = period.unit == "span" and period.last_year == period.year
    return str(period.year) if is_year_alone else period.label


@dataclass(frozen=True, slots=True)
class Calculated:
    """The value of an expression in ``unit``, and the cells that went into it; ``shown`` has their printed values."""

    value: Decimal
    unit: str
    cells: tuple[NumberedCell, ...]
    shown: str


def number_cells(texts: Sequence[str], question: str, formulas: FormulaList | None = None) -> list[NumberedCell]:
    """The cells that a question may need. Of tables whole rows: those of metrics that it names, or that a formula which
    it names is made of, then those that share most words with it. Behind them figures of sentences that do.
    """
    known = formulas or default_formulas()
    asked, needed = terms(question), metrics_needed(question, known)
    rows: dict[tuple[int, int, int], list[Cell]] = {}
    for index, text in enumerate(texts):
        for cell in read_cells(text):
            if cell.table >= 0:
                rows.setdefault((index, cell.table, cell.row), []).append(cell)
    worth: dict[tuple[int, int, int], tuple[bool, float]] = {}
    for key, cells in rows.items():
        metric = known.known.get(_LEADERS.sub("", cells[0].label)).name
        worth[key] = (metric in needed, _shared(cells[0], asked))
    ranked = sorted(rows, key=lambda key: (not worth[key][0], -worth[key][1], key))
    chosen: list[NumberedCell] = []
    for key in ranked:
        for cell in rows[key]:
            if len(chosen) < MOST_CELLS:
                chosen.append(NumberedCell(f"c{len(chosen) + 1}", cell, key[0]))
    for index, cell in _said_cells(texts, asked):
        chosen.append(NumberedCell(f"c{len(chosen) + 1}", cell, index))
    return chosen


def _said_cells(texts: Sequence[str], asked: frozenset[str]) -> list[tuple[int, Cell]]:
    """Figures of the sentences that share most words with a question, each with the index of its text."""
    said: list[tuple[int, Cell]] = []
    for index, text in enumerate(texts):
        said.extend((index, cell) for cell in read_cells(text) if cell.is_prose and len(cell.words & asked) > 1)
    said.sort(key=lambda one: -len(one[1].words & asked))
    different = {(cell.label, cell.text): (index, cell) for index, cell in reversed(said)}
    return list(different.values())[::-1][:MOST_SAID]


def metrics_needed(question: str, formulas: FormulaList) -> frozenset[str]:
    """The metrics that a question names, and those from which what it names is calculated.

    >>> sorted(metrics_needed("What is the EBITDA margin?", default_formulas()))[:3]
    ['amortization', 'depreciation', 'depreciation and amortization']
    """
    needed: set[str] = set()
    for name in find_names(question, formulas).names:
        formula = formulas.formulas.get(name)
        needed |= formulas.metrics(formula) if formula else {name}
    return frozenset(needed)


def _shared(cell: Cell, asked: frozenset[str]) -> float:
    names = cell.words | cell.section
    return len(names & asked) / (1 + len(names)) if names else 0.0


def evaluate_expression(
    expression: str, cells: Sequence[NumberedCell], question: str = "", stated: Iterable[Decimal] | None = None
) -> Calculated:
    """Compute an expression over cells; ``question`` is what it is to answer.

    ``stated`` are the numbers, beside those of definitions (12 months, 365 days), that it may hold without a cell;
    None: any. Raises ValueError where it holds another one, cannot be read, names no such cell, adds what has different
    units, divides by zero, puts together different rows of different times, or uses no cell of the time that is asked.

    >>> table = "(in millions)\\n| | 2022 | 2021 |\\n| --- | --- | --- |\\n| Net sales | 4,215 | 3,900 |"
    >>> round(evaluate_expression("([c1] - [c2]) / [c2] * 100", number_cells([table], "sales")).value, 1)
    Decimal('8.1')
    """
    asked = periods_in(question)
    known = None if stated is None else frozenset(map(abs, stated))
    calculation = _Calculation({cell.name: cell for cell in cells}, asked, known)
    tree = parse_expression(expression.replace("×", "*").replace("÷", "/").replace("−", "-"))
    try:
        result = calculation.of(tree)
    except DecimalException as error:
        raise ValueError(f"it cannot be computed: {expression}") from error
    cited = tuple(dict.fromkeys(result.cells))
    if not cited:
        raise ValueError(f"it names no cell: {expression}")
    _check_times(cited, asked, question)
    shown = expression
    for cell in cited:
        shown = shown.replace(f"[{cell.name}]", cell.cell.text)
    return Calculated(result.value, result.unit, cited, shown)


def _check_times(cited: Sequence[NumberedCell], asked: Sequence[Period], question: str) -> None:
    """Raises ValueError where no cell is of the time that is asked, or one is of years that nobody asked for."""
    printed = [period for cell in cited for period in cell.cell.periods]
    if not same_time(asked, printed) and all(cell.cell.periods for cell in cited):
        raise ValueError(f"its cells are of {_labels(printed)}, not of {_labels(asked)}")
    years = set(map(int, _YEAR.findall(question))).union(*map(years_of, asked))
    outside = [] if _SPAN.search(question) else [cell for cell in cited if _is_outside(cell.cell, years)]
    if outside:
        cell = outside[0]
        raise ValueError(f"{cell.name} is of {_labels(cell.cell.periods)}, not of {_labels(asked) or min(years)}")


@dataclass(frozen=True, slots=True)
class _Result:
    """Of a part of an expression: value, unit, and the cells that went into it."""

    value: Decimal
    unit: str = ""
    cells: tuple[NumberedCell, ...] = ()

    @property
    def periods(self) -> tuple[Period, ...]:
        """Of when its cells are; () where nothing says it of one of them."""
        if not all(cell.cell.periods for cell in self.cells):
            return ()
        return tuple(period for cell in self.cells for period in cell.cell.periods)


@dataclass(frozen=True, slots=True)
class _Calculation:
    known: Mapping[str, NumberedCell]
    asked: tuple[Period, ...]
    stated: frozenset[Decimal] | None
    """Numbers that need no cell; None: all."""

    def of(self, node: Node) -> _Result:
        """Value and unit of a part of an expression."""
        if isinstance(node, Number):
            if self.stated is not None and not _is_of_definitions(node.value) and node.value not in self.stated:
                raise ValueError(f"{node.value} stands in no cell and no text")
            return _Result(node.value)
        if isinstance(node, Name):
            cell = self.known.get(node.name)
            if cell is None:
                raise ValueError(f"there is no cell {node.name}")
            return _Result(cell.cell.amount, cell.cell.unit, (cell,))
        if isinstance(node, Call):
            return self._called(node)
        left, right = self.of(node.left), self.of(node.right)
        if node.sign == "^":
            return _power(left, right)
        self._check_periods(left, right)
        value, unit = _combined(node.sign, left, right)
        return _Result(value, unit, (*left.cells, *right.cells))

    def _called(self, node: Call) -> _Result:
        if node.function != "abs":
            raise ValueError(f"{node.function}() is not known here")
        inner = self.of(node.arguments[0])
        return _Result(abs(inner.value), inner.unit, inner.cells)

    def _check_periods(self, left: _Result, right: _Result) -> None:
        """Raises ValueError for two rows of two times, unless the question names both times: "sales of 2022 / costs of
        2021" is nothing that anybody asks for unsaid."""
        if same_time(left.periods, right.periods) or _share_row(left.cells, right.cells):
            return
        if len(self.asked) > 1 and same_time(self.asked, left.periods) and same_time(self.asked, right.periods):
            return
        raise ValueError(f"{_labels(left.periods)} and {_labels(right.periods)} are put together")


def _is_outside(cell: Cell, years: Collection[int]) -> bool:
    """True for a figure of a year that the question neither names nor spans; of one year asked also for the one before
    is meant, which it is compared with or averaged over."""
    if not years or not cell.periods:
        return False
    first = min(years) - (len(years) == 1)
    own = {year for period in cell.periods for year in years_of(period)}
    return not any(first <= year <= max(years) for year in own)


def _share_row(left: Sequence[NumberedCell], right: Sequence[NumberedCell]) -> bool:
    """True where two parts have figures of one thing: of rows with one name, or of sentences in much the same words."""
    return any(_of_one_thing(one.cell, other.cell) for one in left for other in right)


def _of_one_thing(one: Cell, other: Cell) -> bool:
    if one.words == other.words:
        return True
    fewer = min(len(one.words), len(other.words))
    return (one.is_prose or other.is_prose) and 2 * len(one.words & other.words) >= fewer


def _is_of_definitions(value: Decimal) -> bool:
    """True for the numbers that formulas are made of: how many are averaged, months, days, 100 and 1,000 of a scale."""
    return value in _OF_DEFINITIONS or (value == value.to_integral_value() and 0 <= value <= _MOST_COUNTED)


def _labels(periods: Sequence[Period]) -> str:
    return ", ".join(dict.fromkeys(period.label for period in periods))


def _combined(sign: str, left: _Result, right: _Result) -> tuple[Decimal, str]:
    """Value and unit of two parts. Raises ValueError for units that do not go together."""
    units = set(filter(None, (left.unit, right.unit)))
    if sign in "+-":
        if len(units) > 1:
            raise ValueError(f"{left.unit} and {right.unit} cannot be added")
        value = left.value + right.value if sign == "+" else left.value - right.value
        return value, left.unit or right.unit
    if sign == "*":
        if len(units - RATES) > 1:
            raise ValueError(f"{left.unit} and {right.unit} cannot be multiplied")
        return left.value * right.value, next(iter(units - RATES), "")
    if sign == "/":
        return left.value / right.value, "" if left.unit == right.unit else left.unit
    raise ValueError(f"{sign} is not known here")


def _power(base: _Result, exponent: _Result) -> _Result:
    """A growth a year: "([c1] / [c3]) ^ (1 / 2)". Raises ValueError for powers of amounts and of negative numbers."""
    if base.unit or exponent.cells:
        raise ValueError("only ratios have powers, and only by numbers")
    if base.value <= 0 or abs(exponent.value) > _MOST_POWER:
        raise ValueError(f"{base.value} ^ {exponent.value} cannot be computed")
    return _Result(base.value**exponent.value, "", base.cells)


def _scale_name(scale: Decimal | None) -> str:
    names = {
        Decimal(10) ** 3: "thousand",
        Decimal(10) ** 4: "万",
        Decimal(10) ** 6: "million",
        Decimal(10) ** 9: "billion",
    }
    return names.get(scale, "") if scale is not None else ""
