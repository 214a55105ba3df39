"""TAT-QA arithmetic by a reader's expressions over numbered cells: the program checks, computes and cites.

Two of every thirteen arithmetic questions of the part (Zhu et al. 2021) were put to a careful reader with our prompt
for numbers, who had not seen the gold; ``tatqa_reader.jsonl`` holds the replies. Here they are replayed, so a change
of how cells are read or numbered is seen without a model. A value is right where it equals the gold's with its scale.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.retrieval.answer.typed import TypedReader
from cliquerag.retrieval.search.evidence import Context, Evidence, TypedValue

from .._shared import part, read_lines
from ..answers.tatqa_numbers import context_document
from ._recorded import renamed

FOLDER = "tatqa"
MINUTES = 1
_SYSTEM = "CliqueRAG"
_REPLIES = Path(__file__).with_name("tatqa_reader.jsonl")
_SCALES = {"": 0, "percent": 0, "thousand": 3, "million": 6, "billion": 9}
_TOLERANCE = Decimal("0.0101")
"""Gold has two decimals."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its reader of the context; ``number`` counts the arithmetic questions of the part."""

    number: int
    question: Mapping[str, Any]
    reader: TypedReader


def run(folder: Path) -> Report:
    """Read the recorded replies as those of a model."""
    recorded = {row["number"]: row for row in read_lines(_REPLIES)}
    right, printed, given = [], [], []
    for asked in asked_questions(folder, recorded):
        value, _, _ = asked.reader.read(renamed(recorded[asked.number], asked.reader))
        given.append(value.value is not None)
        right.append(float(is_right(value, asked.question)))
        printed.append(float(is_right(value, asked.question, as_printed=True)))
    rows = [Row.mean(_SYSTEM, "arithmetic right by a reader", right)]
    rows.append(Row.mean(_SYSTEM, "arithmetic right, or right but for a scale that the context does not say", printed))
    rows.append(Row.mean(_SYSTEM, "values given", [float(one) for one in given]))
    return Report("tatqa_reader", tuple(rows), (f"{len(right)} questions, one context each.",))


def asked_questions(folder: Path, wanted: Container[int]) -> Iterator[Asked]:
    """The arithmetic questions with these numbers, each over its own context."""
    number = 0
    for ordinal, context in enumerate(read_lines(part(folder))):
        for question in context["questions"]:
            if question["answer_type"] != "arithmetic":
                continue
            if number in wanted:
                yield Asked(number, question, reader_of(ordinal, context, question["question"]))
            number += 1


def reader_of(ordinal: int, context: Mapping[str, Any], question: str) -> TypedReader:
    """A question of a context, its ``ordinal``-th, with the context as evidence."""
    document = context_document(f"{ordinal}.md", context)
    text = "\n\n".join(filter(None, (document.tables[0].title, document.text)))
    evidence = Evidence("chunk", text, 1.0, document.source)
    return TypedReader("number", question, Context(vector=(evidence,)), (f"context {ordinal}",))


def is_right(value: TypedValue, question: Mapping[str, Any], *, as_printed: bool = False) -> bool:
    """True where a value is the gold's, in units, signs aside; a percentage may be given as a share.

    With ``as_printed`` also where it is right but for the scale.
    """
    if not isinstance(value.value, Decimal):
        return False
    gold = abs(Decimal(str(question["answer"]).replace(",", "")))
    given = abs(value.value * value.scale)
    wanted = [gold * Decimal(10) ** _SCALES[question["scale"]], *([gold] if as_printed else [])]
    factors = [Decimal(1), Decimal(100)] if question["scale"] == "percent" else [Decimal(1)]
    for one in wanted:
        slack = _TOLERANCE * max(Decimal(1), one / gold if gold else Decimal(1))
        if any(abs(given * factor - one) <= slack for factor in factors):
            return True
    return False
