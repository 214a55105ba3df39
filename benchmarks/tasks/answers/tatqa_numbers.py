"""TAT-QA numbers: the annotators' calculations, compute or not, and answers from a table and its paragraphs alone.

Source: Zhu et al. 2021. Each question is asked of its own context, whose table and sentences are read into facts; no
model. An answer is right where every number equals the gold's with its scale (a year where a year is asked). The
baseline takes the one cell whose row and column share most words with the question.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

from cliquerag.core.quantity import parse_quantity
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.document import Document, Segment, Table
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.tables.found import Cell, Draft
from cliquerag.ingest.tables.markdown import to_markdown
from cliquerag.ingest.tables.surroundings import count_header_rows
from cliquerag.ingest.tables.values import is_value, is_year
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Bundle, Store
from cliquerag.retrieval.calculation import NumberAnswer, Outcome
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
    questions = list(chain.from_iterable(context["questions"] for context in contexts))
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
    """1 for each derivation whose value is the gold answer, as a share or in percent; 0 for another."""
    found: list[float] = []
    for question in questions:
        if question["answer_type"] != "arithmetic" or not question["derivation"]:
            continue
        value = calculate(question["derivation"].partition("=")[0])
        is_reproduced = value is not None and (_near(value, question) or _near(value * 100, question))
        found.append(float(is_reproduced))
    return found


def _near(value: Decimal, question: Question) -> bool:
    return abs(round(value, 2) - Decimal(str(question["answer"]))) <= _TOLERANCE


def _answer_rows(store: Store, contexts: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    tally = _Tally()
    for ordinal, context in enumerate(contexts):
        selection = Selection(((f"{ordinal}.md",),))
        for question in context["questions"]:
            tally.count(question, explain_numbers(store, question["question"], selection))
            if _kind(question) == "one cell":
                cell = _overlap_cell(context["table"], question["question"])
                tally.baseline.append(float(_same_cell(cell, question)))
    yield from tally.rows()


@dataclass(slots=True)
class _Tally:
    """1 or 0 for each answer, of all questions or by their kind."""

    computes: list[float] = field(default_factory=list)
    baseline: list[float] = field(default_factory=list)
    right: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    given: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def count(self, question: Question, outcome: Outcome) -> None:
        """Add what came of a question."""
        is_calculation = question["answer_type"] in ("arithmetic", "count")
        self.computes.append(float(is_calculation == outcome.computes))
        kind = _kind(question)
        found = float(outcome.answer is not None and is_right(outcome.answer, question))
        if kind:
            self.right[kind].append(found)
        if outcome.answer is not None and not outcome.asked.question.explains:
            self.given[kind or "words"].append(found)  # asked why, the figure only stands beside the words

    def rows(self) -> Iterator[Row]:
        """The means, with those of the baseline."""
        yield Row.mean(_SYSTEM, "compute or not", self.computes)
        yield Row.mean(_BASELINE, "one cell right", self.baseline)
        for kind, values in self.right.items():
            yield Row.mean(_SYSTEM, f"{kind} right", values)
        for kind, values in self.given.items():
            yield Row.mean(_SYSTEM, f"{kind} precision of given answers", values)
        given = list(chain.from_iterable(self.given.values()))
        yield Row.mean(_SYSTEM, "precision of all given answers", given)


def _kind(question: Question) -> str:
    """arithmetic, one cell, several numbers, years; "" where words are asked."""
    if question["answer_type"] in ("arithmetic", "count"):
        return str(question["answer_type"])
    answers = question["answer"]
    if any(_number(answer, question["scale"]) is None for answer in answers):
        return ""
    years = list(filter(None, map(_year, answers)))
    if years and len(years) < len(answers):
        return ""
    if len(answers) > 1:
        return "several years" if years else "several numbers"
    if years:
        return "year"
    return "number in text" if question["answer_from"] == "text" else "one cell"


def _year(answer: object) -> str:
    """The year that a gold answer is; "" for any other."""
    match = _YEAR.fullmatch(str(answer).strip())
    return match[1] if match else ""


def is_right(answer: NumberAnswer, question: Question) -> bool:
    """True where the figures given are the gold's, in any order and whatever their signs."""
    gold = question["answer"] if isinstance(question["answer"], list) else [question["answer"]]
    years = list(filter(None, map(_year, gold)))
    if len(years) == len(gold) and question["answer_type"] in ("span", "multi-span"):
        return {str(figure.period.year) for figure in answer.figures if figure.period is not None} == set(years)
    wanted = _sizes(_number(text, question["scale"]) for text in gold)
    found = _sizes(figure.value for figure in answer.figures)
    if wanted is None or found is None or len(wanted) != len(found):
        return False
    step = _SCALES[question["scale"]] * _TOLERANCE
    if "illion" in str(gold):
        step = max(step, wanted[-1] / 1000)
    return all(abs(one - other) <= step for one, other in zip(wanted, found, strict=True))


def _sizes(values: Iterable[Decimal | None]) -> list[Decimal] | None:
    """Numbers without their signs, the smallest first; None where one is missing."""
    sizes: list[Decimal] = []
    for value in values:
        if value is None:
            return None
        sizes.append(abs(value))
    return sorted(sizes)


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
    title: list[str] = []
    while len(grid) > 1 and not any(grid[0][1:]):
        title.append(grid.pop(0)[0])
    count = count_header_rows(Draft(1, (0, 0, 0, 0), _cells(grid), len(grid), width))
    heads: list[list[str]] = []
    units: list[str] = []
    for row in grid[:count]:
        said = set(filter(None, row[1:]))
        if said and all(map(_UNIT_HEAD.search, said)):
            units.append(min(said))
            continue
        head = _spread(row) if _is_over_all(row) else row
        if any(head):
            heads.append(head)
    body = grid[count:]
    return Table(tuple(map(tuple, [*heads, *body])), len(heads), title=" ".join(title), unit=" ".join(units))


def _cells(grid: Sequence[Sequence[str]]) -> list[Cell]:
    """The cells with text, each at its row and column."""
    cells: list[Cell] = []
    for number, row in enumerate(grid):
        cells.extend(Cell(number, column, text, [], 0.0) for column, text in enumerate(row) if text)
    return cells


def _is_over_all(row: Sequence[str]) -> bool:
    """True for a head alone in its row of several columns that is no year."""
    said = list(filter(None, row[1:]))
    return len(said) == 1 and len(row) > 2 and not _YEAR.search(said[0])


def _spread(row: Sequence[str]) -> list[str]:
    """The row with its only head over all columns where it tells a time; without it where it does not."""
    head = max(row[1:])
    shown = head if _SPAN_HEAD.search(head) else ""
    return [row[0], *[shown] * (len(row) - 1)]


def _overlap_cell(table: Sequence[Sequence[str]], question: str) -> str:
    """The first of the cells with a digit whose row and column share most words with the question; "" without any."""
    asked = set(_words(question))
    heads = _heads(table)
    best, cell = -1.0, ""
    for row in table:
        own = set(_words(row[0]))
        if not own:
            continue
        of_row = len(own & asked) / len(own | asked) + len(own & asked)
        for column, text in enumerate(row[1:], 1):
            score = of_row + 1.5 * len(heads[column] & asked)
            if score > best and any(map(str.isdigit, text)):
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
    return _bare(cell) == _bare(question["answer"][0])


def _bare(text: object) -> str:
    return re.sub(r"[\s$,()]", "", str(text)).lower()
