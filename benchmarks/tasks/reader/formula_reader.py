"""FinanceBench's formulas by a reader's expressions over the cells of the gold pages: the program computes and cites.

The 18 questions of dev that define or name a formula (a ratio to an average of two years, an average of three years'
margins, a growth a year, an EBITDA; Islam et al. 2023) were put to a careful reader with our prompt for numbers and the
text of the gold pages, of whose tables a PDF left one value a line. The reader had not seen the gold answers;
``formula_reader.jsonl`` holds the expressions, here they are replayed. Right is what equals the gold as it is rounded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.retrieval.answer.typed import TypedReader
from cliquerag.retrieval.search.evidence import Context, Evidence, TypedValue

from .._shared import read_lines
from ..retrieval.financebench import page_texts
from ._recorded import renamed

FOLDER = "financebench"
MINUTES = 1
_SYSTEM = "CliqueRAG"
_REPLIES = Path(__file__).with_name("formula_reader.jsonl")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SCALES = (Decimal(1), Decimal(1000), Decimal(1000000), Decimal(1000000000))


def run(folder: Path) -> Report:
    """Read the recorded expressions as those of a model."""
    pages = page_texts(folder)
    questions = {question["id"]: question for question in read_lines(folder / "questions.jsonl")}
    right, given = [], []
    for recorded in read_lines(_REPLIES):
        question = questions[recorded["id"]]
        reader = reader_of(question, pages[question["doc_name"]])
        value, _, _ = reader.read(renamed(recorded, reader))
        given.append(float(value.value is not None))
        right.append(float(is_right(value, question["answer"])))
    rows = (Row.mean(_SYSTEM, "formulas right by a reader", right), Row.mean(_SYSTEM, "values given", given))
    return Report("formula_reader", rows, (f"{len(right)} questions, each over its gold pages.",))


def reader_of(question: Mapping[str, Any], pages: list[str]) -> TypedReader:
    """The question with its gold pages as evidence."""
    name = question["doc_name"]
    evidence = tuple(
        Evidence("chunk", pages[item["page"]], 1.0, name, page=item["page"] + 1) for item in question["evidence"]
    )
    about = f"{question['company']} | {question['doc_type']} | FY{question['period']}"
    return TypedReader("number", question["question"], Context(vector=evidence), [about] * len(evidence))


def is_right(value: TypedValue, gold: str) -> bool:
    """True where a value is the gold's first number as far as that is rounded, in whatever scale the gold is in."""
    number = _NUMBER.search(gold)
    if number is None or not isinstance(value.value, Decimal):
        return False
    wanted = Decimal(number[0].replace(",", ""))
    places = len(number[0].partition(".")[2])
    off = Decimal(1).scaleb(-places) / 2
    return any(abs(value.value * value.scale / scale - wanted) <= off for scale in _SCALES)
