"""Numbers: questions that need a figure, a formula or a count get an exact answer with its cells."""

from __future__ import annotations

from ..question.vocabulary.vocabulary import Formula, FormulaList, default_formulas, load_formulas
from .answer import answer_numbers, calculate_figure, explain_numbers
from .assisted import find_numbers
from .result import NumberAnswer, Outcome
from .sql_guard import Rows, select_facts

__all__ = [
    "Formula",
    "FormulaList",
    "NumberAnswer",
    "Outcome",
    "Rows",
    "answer_numbers",
    "calculate_figure",
    "default_formulas",
    "explain_numbers",
    "find_numbers",
    "load_formulas",
    "select_facts",
]
