"""Numbers: questions that need a figure, a formula or a count get an exact answer with its cells."""

from __future__ import annotations

from .answering import answer_numbers, explain_numbers
from .formulas import Formula, FormulaList, default_formulas, load_formulas
from .result import NumberAnswer, Outcome

__all__ = [
    "Formula",
    "FormulaList",
    "NumberAnswer",
    "Outcome",
    "answer_numbers",
    "default_formulas",
    "explain_numbers",
    "load_formulas",
]
