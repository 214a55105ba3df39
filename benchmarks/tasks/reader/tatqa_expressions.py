"""TAT-QA's own calculations as expressions over numbered cells: how many are refused though right, or though wrong.

The set says how each arithmetic answer is calculated ("(542.0-762.3)/762.3"; Zhu et al. 2021). Its numbers are put as
the cells that hold them, so that no model is asked: accepted is a calculation of which one such reading gives the gold
answer. False is the same with one cell exchanged for one of its row at another time. Calculations with a number that no
cell holds, or that give another answer as they are written (signs left out), are not counted. Every third question was
not looked at while the checks were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, product
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.retrieval.answer.generative.cell_expression import NumberedCell, evaluate_expression
from cliquerag.retrieval.search.evidence import TypedValue

from .._shared import part, read_lines
from .tatqa_reader import is_right, reader_of

FOLDER = "tatqa"
MINUTES = 1
_SYSTEM = "CliqueRAG"
_NUMBER = re.compile(r"\d[\d,]{0,30}(?:\.\d{1,10})?")
_SIGNS = str.maketrans({"[": "(", "]": ")", "–": "-", "−": "-", "×": "*", "÷": "/", "$": "", "£": "", "€": "", "%": ""})
_OTHER_WORDS = re.compile(r"[A-Za-z]")
_MOST_READINGS = 64
_MOST_ALIKE = 4
"""Cells of one value that are tried."""
_MOST_COUNTED = 12


@dataclass(frozen=True, slots=True)
class _Calculation:
    """A calculation of the gold: the text between its numbers, and for each number the cells that may be meant."""

    question: Mapping[str, Any]
    cells: Sequence[NumberedCell]
    between: Sequence[str]
    choices: Sequence[Sequence[NumberedCell | Decimal]]

    def readings(self) -> Iterator[tuple[NumberedCell | Decimal, ...]]:
        """The numbers, each as one of the cells that it may be."""
        return islice(product(*self.choices), _MOST_READINGS)

    def value(self, reading: Sequence[NumberedCell | Decimal]) -> TypedValue:
        """What a reading gives. Raises ValueError where it is refused."""
        written = self.between[0]
        for one, behind in zip(reading, self.between[1:], strict=True):
            written += (f"[{one.name}]" if isinstance(one, NumberedCell) else str(one)) + behind
        found = evaluate_expression(written, self.cells, self.question["question"])
        return TypedValue("number", value=found.value, unit=found.unit)


def run(folder: Path) -> Report:
    """Evaluate each calculation and its false forms."""
    accepted: dict[bool, list[float]] = {False: [], True: []}
    refused: dict[tuple[bool, str], list[float]] = {}
    for number, calculation in _calculations(folder):
        is_unread = number % 3 == 2
        right = _right_reading(calculation)
        if right is None:
            continue
        accepted[is_unread].append(float(bool(right)))
        for kind, false in _of_another_time(calculation, right):
            refused.setdefault((is_unread, kind), []).append(float(_is_refused(calculation, false)))
    rows: list[Row] = []
    for is_unread, label in ((False, ""), (True, ", unread")):
        rows.append(Row.mean(_SYSTEM, f"right calculations accepted{label}", accepted[is_unread]))
        for kind in ("one row", "several rows"):
            rows.append(Row.mean(_SYSTEM, f"of another time refused, {kind}{label}", refused[is_unread, kind]))
    return Report("tatqa_expressions", tuple(rows), (f"{sum(map(len, accepted.values()))} calculations.",))


def _calculations(folder: Path) -> Iterator[tuple[int, _Calculation]]:
    """The arithmetic questions by their numbers, from 0, whose calculation can be written over cells."""
    number = -1
    for ordinal, context in enumerate(read_lines(part(folder))):
        for question in context["questions"]:
            if question["answer_type"] != "arithmetic":
                continue
            number += 1
            calculation = _read(question, reader_of(ordinal, context, question["question"]).cells)
            if calculation is not None:
                yield number, calculation


def _read(question: Mapping[str, Any], cells: Sequence[NumberedCell]) -> _Calculation | None:
    text = (question.get("derivation") or "").translate(_SIGNS).partition("=")[0]
    numbers = [Decimal(number.replace(",", "")) for number in _NUMBER.findall(text)]
    between = _NUMBER.split(text)
    choices: list[Sequence[NumberedCell | Decimal]] = []
    for number in numbers:
        alike = [cell for cell in cells if abs(cell.cell.value) == number][:_MOST_ALIKE]
        is_counted = number <= _MOST_COUNTED or number in (100, 365)
        choices.append(alike or ([number] if is_counted else []))
    if not numbers or not all(choices) or any(_OTHER_WORDS.search(part) for part in between):
        return None
    return _Calculation(question, cells, between, choices)


def _right_reading(calculation: _Calculation) -> tuple[NumberedCell | Decimal, ...] | None:
    """The accepted reading that gives the gold answer; () where all are refused; None where one gives another."""
    gives_another = False
    for reading in calculation.readings():
        try:
            value = calculation.value(reading)
        except ValueError:
            continue
        if is_right(value, calculation.question, as_printed=True):
            return reading
        gives_another = True
    return None if gives_another else ()


def _of_another_time(
    calculation: _Calculation, reading: Sequence[NumberedCell | Decimal]
) -> Iterator[tuple[str, list[NumberedCell | Decimal]]]:
    """The reading with one cell exchanged for the first of its row at another time that it does not use."""
    for place, cell in enumerate(reading):
        if not isinstance(cell, NumberedCell) or not cell.cell.periods:
            continue
        others = [one for one in calculation.cells if _is_other_time(cell, one) and one not in reading]
        if others:
            rows = {(one.cell.table, one.cell.row) for one in reading if isinstance(one, NumberedCell)}
            false = [*reading[:place], others[0], *reading[place + 1 :]]
            yield "one row" if len(rows) == 1 else "several rows", false


def _is_other_time(one: NumberedCell, other: NumberedCell) -> bool:
    same_row = one.cell.row == other.cell.row and one.cell.table == other.cell.table >= 0
    return same_row and bool(other.cell.periods) and other.cell.periods != one.cell.periods


def _is_refused(calculation: _Calculation, reading: Sequence[NumberedCell | Decimal]) -> bool:
    try:
        calculation.value(reading)
    except ValueError:
        return True
    return False
