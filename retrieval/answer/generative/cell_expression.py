"""Calculation by a model: it writes an expression over numbered cells, the program checks units, computes and cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException

from ....core.period import Period
from ....core.period_text import find_periods
from ...question.vocabulary.expression import Call, Name, Node, Number, parse_expression
from .cells.cell import RATES, Cell
from .cells.reading import read_cells
from .cells.times import same_time
from .wording import terms

MOST_CELLS = 60
"""Cells that a model is shown: about 900 tokens."""


@dataclass(frozen=True, slots=True)
class NumberedCell:
    """A cell by the name that an expression calls it, with the index of the evidence that it stands in."""

    name: str
    cell: Cell
    evidence: int

    def line(self) -> str:
        """As a model reads it: "c1 = Net sales | 2022 | 4,215 million USD [1]"."""
        own = ", ".join(period.label for period in self.cell.periods)
        periods = self.cell.head.replace("|", "/") or own
        if own and own not in periods and self.cell.head:
            periods = f"{periods} ({own})"
        value = " ".join(filter(None, (self.cell.text, _scale_name(self.cell.scale), self.cell.unit)))
        return " | ".join(filter(None, (f"{self.name} = {self.cell.label}", periods, f"{value} [{self.evidence + 1}]")))


@dataclass(frozen=True, slots=True)
class Calculated:
    """The value of an expression in ``unit``, and the cells that went into it; ``shown`` has their printed values."""

    value: Decimal
    unit: str
    cells: tuple[NumberedCell, ...]
    shown: str


def number_cells(texts: Sequence[str], question: str) -> list[NumberedCell]:
    """The cells of tables that a question may need: rows that share most words with it first, whole rows."""
    asked = terms(question)
    rows: dict[tuple[int, int, int], list[Cell]] = {}
    for index, text in enumerate(texts):
        for cell in read_cells(text):
            if cell.table >= 0:
                rows.setdefault((index, cell.table, cell.row), []).append(cell)
    ranked = sorted(rows, key=lambda key: (-_shared(rows[key][0], asked), key))
    chosen: list[NumberedCell] = []
    for key in ranked:
        for cell in rows[key]:
            if len(chosen) < MOST_CELLS:
                chosen.append(NumberedCell(f"c{len(chosen) + 1}", cell, key[0]))
    return chosen


def _shared(cell: Cell, asked: frozenset[str]) -> float:
    names = cell.words | cell.section
    return len(names & asked) / (1 + len(names)) if names else 0.0


def evaluate_expression(expression: str, cells: Sequence[NumberedCell], question: str = "") -> Calculated:
    """Compute an expression over cells; ``question`` is what it is to answer.

    Raises ValueError where it cannot be read, names no such cell, adds what has different units, divides by zero, puts
    together different rows of different times, or uses no cell of the time that is asked.

    >>> table = "(in millions)\\n| | 2022 | 2021 |\\n| --- | --- | --- |\\n| Net sales | 4,215 | 3,900 |"
    >>> round(evaluate_expression("([c1] - [c2]) / [c2] * 100", number_cells([table], "sales")).value, 1)
    Decimal('8.1')
    """
    asked = tuple(mention.period for mention in find_periods(question))
    calculation = _Calculation({cell.name: cell for cell in cells}, asked)
    tree = parse_expression(expression.replace("×", "*").replace("÷", "/").replace("−", "-"))
    try:
        result = calculation.of(tree)
    except DecimalException as error:
        raise ValueError(f"it cannot be computed: {expression}") from error
    cited = tuple(dict.fromkeys(result.cells))
    if not cited:
        raise ValueError(f"it names no cell: {expression}")
    printed = [period for cell in cited for period in cell.cell.periods]
    if not same_time(asked, printed) and all(cell.cell.periods for cell in cited):
        raise ValueError(f"its cells are of {_labels(printed)}, not of {_labels(asked)}")
    shown = expression
    for cell in cited:
        shown = shown.replace(f"[{cell.name}]", cell.cell.text)
    return Calculated(result.value, result.unit, cited, shown)


@dataclass(frozen=True, slots=True)
class _Result:
    """Of a part of an expression: value, unit, and the cells that went into it."""

    value: Decimal
    unit: str = ""
    cells: tuple[NumberedCell, ...] = ()

    @property
    def rows(self) -> frozenset[frozenset[str]]:
        """What its cells are figures of."""
        return frozenset(cell.cell.words for cell in self.cells)

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

    def of(self, node: Node) -> _Result:
        """Value and unit of a part of an expression."""
        if isinstance(node, Number):
            return _Result(node.value)
        if isinstance(node, Name):
            cell = self.known.get(node.name)
            if cell is None:
                raise ValueError(f"there is no cell {node.name}")
            return _Result(cell.cell.amount, cell.cell.unit, (cell,))
        if isinstance(node, Call):
            raise ValueError(f"{node.function}() is not known here")
        left, right = self.of(node.left), self.of(node.right)
        self._check_periods(left, right)
        value, unit = _combined(node.sign, left, right)
        return _Result(value, unit, (*left.cells, *right.cells))

    def _check_periods(self, left: _Result, right: _Result) -> None:
        """Raises ValueError for two rows of two times, unless the question names both times: "sales of 2022 / costs of
        2021" is nothing that anybody asks for unsaid."""
        if left.rows & right.rows or same_time(left.periods, right.periods):
            return
        if len(self.asked) > 1 and same_time(self.asked, left.periods) and same_time(self.asked, right.periods):
            return
        raise ValueError(f"{_labels(left.periods)} and {_labels(right.periods)} are put together")


def _labels(periods: Sequence[Period]) -> str:
    return ", ".join(dict.fromkeys(period.label for period in periods))


def _combined(sign: str, left: _Result, right: _Result) -> tuple[Decimal, str]:
    """Value and unit of two parts. Raises ValueError for units that do not go together."""
    units = {unit for unit in (left.unit, right.unit) if unit}
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


def _scale_name(scale: Decimal | None) -> str:
    names = {
        Decimal(10) ** 3: "thousand",
        Decimal(10) ** 4: "万",
        Decimal(10) ** 6: "million",
        Decimal(10) ** 9: "billion",
    }
    return names.get(scale, "") if scale is not None else ""
