"""TAT-QA numbers: the annotators' calculations, compute or not, and answers from a table and its paragraphs alone.

Source: Zhu et al. 2021. Each question is asked of its own context, whose table and sentences are read into facts; no
model. An answer is right where every number equals the gold's with its scale (a year where a year is asked). The
baseline takes the one cell whose row and column share most words with the question.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from cliquerag.core.quantity import parse_quantity
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.document import Document, Segment
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.table import Table
from cliquerag.ingest.tables.found import Cell, Draft
from cliquerag.ingest.tables.heading_rows import count_header_rows
from cliquerag.ingest.tables.markdown import to_markdown
from cliquerag.ingest.tables.values import is_value, is_year
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Bundle, Store
from cliquerag.retrieval.calculation import NumberAnswer
from cliquerag.retrieval.question.scope.document_filter import Selection
from cliquerag.retrieval.question.vocabulary.expression import calculate

from ...asking import explain_numbers
from .._shared import part, read_lines

FOLDER = "tatqa"
MINUTES = 2
_SYSTEM = "CliqueRAG"
_BASELINE = "cell by word overlap"
_SCALES = {"": Decimal(1), "percent": Decimal("0.01"), "thousand": Decimal(10) ** 3, "million": Decimal(10) ** 6,
           "billion": Decimal(10) ** 9}  # fmt: skip
_NUMBER = re.compile(r"\(?-?[$€£¥]?\s?\(?-?[\d,]{0,40}\.?\d{1,40}\)?\s?%?")
_YEAR = re.compile(r"(?:FY|fiscal(?: year)? )?((?:19|20)\d\d)")
_UNIT_HEAD = re.compile(r"\b(?:thousand|million|billion)s?\b|^[$€£¥]\s?(?:m|'?000s?|k|bn)?$", re.IGNORECASE)
_SPAN_HEAD = re.compile(
    r"\b(?:end(?:ed|ing)|years?|months|as of|as at|fiscal|december|june|march|september)\b", re.IGNORECASE
)
_STOP = frozenset(
    re.findall(r"\w+", "the of in and for what was is are were a to s as at by amount company respectively")
)
_LEADS = re.compile(
    r":\s*$|\b(?:the )?following tables?\b|^\W*\(?(?:expressed )?in (?:thousands|millions)\b[^.]{0,60}$", re.IGNORECASE
)
_TOLERANCE = Decimal("0.0101")

Question = Mapping[str, Any]


def run(folder: Path) -> Report:
    """Calculate the derivations, tell calculations from look-ups, answer each question from its context."""
    contexts = read_lines(part(folder))
    questions = [question for context in contexts for question in context["questions"]]
    rows = [Row.mean("calculator", "derivations reproduced", _derivations(questions))]
    store = open_store("sqlite://", schema=load_schema())
    try:
        for ordinal, context in enumerate(contexts):
            document = context_document(f"{ordinal}.md", context)
            store.put(Bundle(document, (), (), (), tuple(extract_facts(document))))
        rows += _answer_rows(store, contexts)
    finally:
        store.close()
    return Report("tatqa_numbers", tuple(rows), (f"{len(questions)} questions over {len(contexts)} contexts.",))


def _derivations(questions: Sequence[Question]) -> list[float]:
    found = []
    for question in questions:
        if question["answer_type"] == "arithmetic" and question["derivation"]:
            value = calculate(question["derivation"].partition("=")[0])
            found.append(float(value is not None and any(_near(v, question) for v in (value, value * 100))))
    return found


def _near(value: Decimal, question: Question) -> bool:
    return abs(round(value, 2) - Decimal(str(question["answer"]))) <= _TOLERANCE


def _answer_rows(store: Store, contexts: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    right: dict[str, list[float]] = defaultdict(list)
    given: dict[str, list[float]] = defaultdict(list)
    computes: list[float] = []
    baseline: list[float] = []
    for ordinal, context in enumerate(contexts):
        selection = Selection(((f"{ordinal}.md",),))
        for question in context["questions"]:
            outcome = explain_numbers(store, question["question"], selection)
            wanted = question["answer_type"] in ("arithmetic", "count")
            computes.append(float(wanted == outcome.computes))
            kind = _kind(question)
            if kind == "one cell":
                baseline.append(float(_same_cell(_overlap_cell(context["table"], question["question"]), question)))
            given_now = outcome.answer is not None and not outcome.asked.question.explains
            if not kind and not given_now:
                continue
            found = float(outcome.answer is not None and is_right(outcome.answer, question))
            if kind:
                right[kind].append(found)
            if given_now:  # asked why, the figure only stands beside the words
                given[kind or "words"].append(found)
    yield Row.mean(_SYSTEM, "compute or not", computes)
    yield Row.mean(_BASELINE, "one cell right", baseline)
    for kind, values in right.items():
        yield Row.mean(_SYSTEM, f"{kind} right", values)
    for kind, values in given.items():
        yield Row.mean(_SYSTEM, f"{kind} precision of given answers", values)
    yield Row.mean(_SYSTEM, "precision of all given answers", [v for values in given.values() for v in values])


def _kind(question: Question) -> str:
    """arithmetic, one cell, several numbers, years; "" where words are asked."""
    if question["answer_type"] in ("arithmetic", "count"):
        return str(question["answer_type"])
    answers = question["answer"]
    if not all(_number(answer, question["scale"]) is not None for answer in answers):
        return ""
    if any(_YEAR.fullmatch(str(answer).strip()) for answer in answers):
        years = all(_YEAR.fullmatch(str(answer).strip()) for answer in answers)
        return ("year" if len(answers) == 1 else "several years") if years else ""
    several = "several numbers" if len(answers) > 1 else "number in text"
    return several if question["answer_from"] == "text" or len(answers) > 1 else "one cell"


def is_right(answer: NumberAnswer, question: Question) -> bool:
    """True where the figures given are the gold's, in order."""
    gold = question["answer"] if isinstance(question["answer"], list) else [question["answer"]]
    years = [year[1] for text in gold if (year := _YEAR.fullmatch(str(text).strip()))]
    if len(years) == len(gold) and question["answer_type"] in ("span", "multi-span"):
        return {str(figure.period.year) for figure in answer.figures if figure.period is not None} == set(years)
    wanted = [_number(text, question["scale"]) for text in gold]
    found = [figure.value for figure in answer.figures]
    if len(wanted) != len(found) or None in wanted or None in found:
        return False
    step = max(
        _SCALES[question["scale"]] * _TOLERANCE,
        max(abs(v) for v in wanted if v is not None) / 1000 if "illion" in str(gold) else Decimal(0),
    )
    pairs = zip(
        sorted(abs(v) for v in wanted if v is not None), sorted(abs(v) for v in found if v is not None), strict=True
    )
    return all(abs(one - other) <= step for one, other in pairs)


def _number(text: object, scale: str) -> Decimal | None:
    """The number of a gold answer in units, percentages as shares; None for words."""
    plain = str(text).strip()
    if not _NUMBER.fullmatch(plain):
        quantity = parse_quantity(plain)
        return quantity.amount if quantity and quantity.scale != 1 else None
    digits = re.sub(r"[^\d.]", "", plain)
    factor = Decimal("0.01") if plain.endswith("%") and scale != "percent" else _SCALES[scale]
    return Decimal(digits) * factor * (-1 if plain.startswith(("(", "-")) else 1)


def context_document(source: str, context: Mapping[str, Any]) -> Document:
    """The paragraphs, and the table, its heads found as in a PDF, after the paragraph that leads to it.

    The set does not say where the table stood: it follows the first paragraph that ends in a colon or names a unit as
    lead-ins do, else it comes first.
    """
    table = _table(context["table"])
    paragraphs = [paragraph["text"] for paragraph in context["paragraphs"]]
    before = next((n for n, text in enumerate(paragraphs, 1) if _LEADS.search(text)), 0)
    text = ""
    placed: list[Segment] = []
    for part_text in (*paragraphs[:before], to_markdown(table), *paragraphs[before:]):
        text += "\n\n" if text else ""
        is_table = len(placed) == before
        placed.append(
            Segment(
                "table" if is_table else "paragraph",
                len(text),
                len(text) + len(part_text),
                table=0 if is_table else None,
            )
        )
        text += part_text
    own = placed[before]
    table = replace(table, start=own.start, end=own.end)
    return Document(source, text, tuple(placed), tables=(table,))


def _table(rows: Sequence[Sequence[str]]) -> Table:
    """The set has lost which heads span columns: a head alone in its row stands over all of them."""
    width = max(map(len, rows))
    grid = [[*map(str.strip, row), *[""] * (width - len(row))] for row in rows]
    title = []
    while len(grid) > 1 and not any(grid[0][1:]):
        title.append(grid.pop(0)[0])
    cells = [Cell(r, c, text, [], 0.0) for r, row in enumerate(grid) for c, text in enumerate(row) if text]
    count = count_header_rows(Draft(1, (0, 0, 0, 0), cells, len(grid), width))
    heads, units = [], []
    for row in grid[:count]:
        said = set(filter(None, row[1:]))
        if said and all(_UNIT_HEAD.search(text) for text in said):
            units.append(min(said))
        elif len(said) == 1 and row[1:].count("") == width - 2 and width > 2 and not _YEAR.search(min(said)):
            heads.append([row[0], *[min(said) if _SPAN_HEAD.search(min(said)) else ""] * (width - 1)])
        else:
            heads.append(row)
    kept = [row for row in heads if any(row)]
    unit = " ".join(units)
    return Table(tuple(map(tuple, [*kept, *grid[count:]])), len(kept), title=" ".join(title), unit=unit)


def _overlap_cell(table: Sequence[Sequence[str]], question: str) -> str:
    asked = set(_words(question))
    heads = _heads(table)
    best, cell = -1.0, ""
    for row in table:
        own = set(_words(row[0]))
        for column, text in enumerate(row[1:], 1):
            if own and any(c.isdigit() for c in text):
                score = len(own & asked) / len(own | asked) + len(own & asked) + 1.5 * len(heads[column] & asked)
                if score > best:
                    best, cell = score, text
    return cell


def _heads(table: Sequence[Sequence[str]]) -> list[set[str]]:
    heads: list[set[str]] = [set() for _ in range(max(map(len, table)))]
    for row in table:
        if any(is_value(text) and not is_year(text) for text in row[1:] if text):
            break
        for column, text in enumerate(row):
            heads[column] |= set(_words(text))
    return heads


def _words(text: str) -> Counter[str]:
    return Counter(word for word in re.findall(r"[a-z]+|\d+", text.lower()) if word not in _STOP)


def _same_cell(cell: str, question: Question) -> bool:
    one, other = (re.sub(r"[\s$,()]", "", str(text)).lower() for text in (cell, question["answer"][0]))
    return one == other
