"""Calculation by a model: it writes an expression over numbered cells, the program checks units, computes and cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException

from ...question.vocabulary.expression import Call, Name, Node, Number, parse_expression
from .cell import RATES, Cell
from .cells import read_cells
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


def evaluate_expression(expression: str, cells: Sequence[NumberedCell]) -> Calculated:
    """Compute an expression over cells.

    Raises ValueError where it cannot be read, names no such cell, adds what has different units, or divides by zero.

    >>> table = "(in millions)\\n| | 2022 | 2021 |\\n| --- | --- | --- |\\n| Net sales | 4,215 | 3,900 |"
    >>> round(evaluate_expression("([c1] - [c2]) / [c2] * 100", number_cells([table], "sales")).value, 1)
    Decimal('8.1')
    """
    known = {cell.name: cell for cell in cells}
    used: list[NumberedCell] = []
    tree = parse_expression(expression.replace("×", "*").replace("÷", "/").replace("−", "-"))
    try:
        value, unit = _evaluate(tree, known, used)
    except DecimalException as error:
        raise ValueError(f"it cannot be computed: {expression}") from error
    cited = tuple(dict.fromkeys(used))
    if not cited:
        raise ValueError(f"it names no cell: {expression}")
    shown = expression
    for cell in cited:
        shown = shown.replace(f"[{cell.name}]", cell.cell.text)
    return Calculated(value, unit, cited, shown)


def _evaluate(node: Node, known: Mapping[str, NumberedCell], used: list[NumberedCell]) -> tuple[Decimal, str]:
    """Value and unit of a part of an expression."""
    if isinstance(node, Number):
        return node.value, ""
    if isinstance(node, Name):
        cell = known.get(node.name)
        if cell is None:
            raise ValueError(f"there is no cell {node.name}")
        used.append(cell)
        return cell.cell.amount, cell.cell.unit
    if isinstance(node, Call):
        raise ValueError(f"{node.function}() is not known here")
    left, right = _evaluate(node.left, known, used), _evaluate(node.right, known, used)
    return _combine(node.sign, left, right)


def _combine(sign: str, left: tuple[Decimal, str], right: tuple[Decimal, str]) -> tuple[Decimal, str]:
    (one, unit), (other, other_unit) = left, right
    units = {name for name in (unit, other_unit) if name}
    if sign in "+-":
        if len(units) > 1:
            raise ValueError(f"{unit} and {other_unit} cannot be added")
        return (one + other if sign == "+" else one - other), unit or other_unit
    if sign == "*":
        if len(units - RATES) > 1:
            raise ValueError(f"{unit} and {other_unit} cannot be multiplied")
        return one * other, next(iter(units - RATES), "")
    if sign == "/":
        rest = "" if unit == other_unit else unit
        return one / other, rest
    raise ValueError(f"{sign} is not known here")


def _scale_name(scale: Decimal | None) -> str:
    names = {
        Decimal(10) ** 3: "thousand",
        Decimal(10) ** 4: "万",
        Decimal(10) ** 6: "million",
        Decimal(10) ** 9: "billion",
    }
    return names.get(scale, "") if scale is not None else ""
