"""Facts: how many of the numbers that questions are about were read, and under the right name and period.

TAT-QA gives cells and look-ups, a Chinese annual report pairs of item and value, FinanceBench the numbers that its
answers rest on; the last two are read from PDFs and left out where their folders are not beside TAT-QA's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from cliquerag.core.fact import Fact
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.facts import extract_facts, metric_of
from cliquerag.ingest.read import read_document
from cliquerag.ingest.tables.values import is_number, is_year

from .._shared import part, read_lines
from ..answers.tatqa_numbers import context_document

MINUTES = 1
FOLDER = "tatqa"
_SYSTEM = "CliqueRAG"
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SIGNS = re.compile(r"[\s$,()%]")
_LONG_NUMBER = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\d.])\d{3,}(?:\.\d+)?")


def run(folder: Path) -> Report:
    """Read the facts of every document, then look for the numbers."""
    rows = [*_tatqa(read_lines(part(folder)))]
    chinese, filings = folder.parent / "zh_annual_reports", folder.parent / "financebench"
    if chinese.is_dir():
        rows += _chinese_report(chinese)
    if filings.is_dir():
        rows += _filings(filings)
    return Report("facts", tuple(rows))


def _tatqa(contexts: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    cells: list[float] = []
    values: list[float] = []
    periods: list[float] = []
    for number, context in enumerate(contexts):
        document = context_document(f"{number}.md", context)
        facts = extract_facts(document)
        amounts = _amounts(facts)
        for table in document.tables:
            printed = [cell for row in table.rows[table.header_rows :] for cell in row[1:]]
            cells += [float(_number(cell) in amounts) for cell in printed if is_number(cell) and not is_year(cell)]
        for question, wanted in _look_ups(context):
            found = [fact for fact in facts if fact.value is not None and abs(fact.value) == wanted]
            values.append(float(bool(found)))
            years = _YEAR.findall(question)
            if years and found:
                periods.append(float(any(years[-1] in _years(fact) for fact in found)))
    yield Row.mean(_SYSTEM, "TAT-QA: cells that are facts", cells)
    yield Row.mean(_SYSTEM, "TAT-QA: values asked for that are facts", values)
    yield Row.mean(_SYSTEM, "TAT-QA: of these with the period asked for", periods)


def _look_ups(context: Mapping[str, Any]) -> Iterator[tuple[str, Decimal]]:
    """Questions whose answer is one number, without its sign."""
    for question in context["questions"]:
        answer = question["answer"]
        if question["answer_type"] == "span" and isinstance(answer, list) and len(answer) == 1:
            number = _number(str(answer[0]))
            if number is not None:
                yield question["question"], number


def _chinese_report(folder: Path) -> Iterator[Row]:
    """An item is found by name where the surest fact of its metric at the end of the year has its value."""
    data = json.loads(part(folder, ".json").read_text(encoding="utf-8"))
    facts = extract_facts(read_document(folder / data["pdf"], source=data["pdf"]))
    year = data["year"]
    present, named = [], []
    for pair in data["pairs"]:
        same = [fact for fact in facts if _says(fact, pair["value"])]
        present.append(float(bool(same)))
        metric = metric_of(pair["item"])
        own = [f for f in facts if metric and f.metric == metric and not f.dimensions and _closes(f, year)]
        best = min(own, key=lambda fact: (fact.consolidation == "parent", -fact.confidence), default=None)
        named.append(float(best in same if best else False))
    yield Row.mean(_SYSTEM, "Chinese report: values that are facts", present)
    yield Row.mean(_SYSTEM, "Chinese report: values found by name and year", named)


def _filings(folder: Path) -> Iterator[Row]:
    """The numbers of three and more digits in answers and their justification."""
    paths = {path.stem: path for path in folder.glob("pdfs_*/*.pdf")}
    amounts: dict[str, set[Decimal]] = {}
    found = []
    for question in read_lines(folder / "questions.jsonl"):
        name = question["doc_name"]
        if name not in paths:
            continue
        if name not in amounts:
            amounts[name] = _amounts(extract_facts(read_document(paths[name], source=paths[name].name)))
        numbers = set(_LONG_NUMBER.findall(f"{question['justification']} {question['answer']}"))
        found += [float(_number(text) in amounts[name]) for text in sorted(numbers) if not is_year(text)]
    yield Row.mean(_SYSTEM, "FinanceBench: numbers of answers that are facts", found)


def _amounts(facts: Sequence[Fact]) -> set[Decimal]:
    return {abs(fact.value) for fact in facts if fact.value is not None}


def _number(text: str) -> Decimal | None:
    """A printed number without sign, currency and per cent sign."""
    try:
        return abs(Decimal(_SIGNS.sub("", text)))
    except InvalidOperation:
        return None


def _says(fact: Fact, value: str) -> bool:
    number = _number(value)
    if number is None or fact.amount is None:
        return "".join(fact.text.split()) == "".join(value.split())
    return abs(fact.amount) == number


def _closes(fact: Fact, year: int) -> bool:
    return fact.period is not None and (fact.period.last_day.year, fact.period.last_day.month) == (year, 12)


def _years(fact: Fact) -> str:
    return f"{fact.period.year} {fact.period.label}" if fact.period else ""
