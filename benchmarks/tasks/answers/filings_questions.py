"""An analyst's questions on 25 filings: how much is answered right, partly, beside, wrongly or not, without a model.

150 questions of our own, written from the pages before the system was asked: figures, ratios, reasons, policies and
events, some with a slip of the pen, some about what is not there. "recall" is over the documents that a question needs:
one of the gold pages among those cited, or among the first five found. A third is for work on the system ("dev").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import Answer

from ...asking import answer_question
from ...ours import OURS
from .._shared import embedder
from ._filings import (
    FOLDER,
    PARTS,
    TOP,
    PageKey,
    Question,
    filings_store,
    read_asked,
    recall_of_documents,
    top_pages,
    write_details,
)
from ._marking import MARKS, Mark, mark

__all__ = ["FOLDER", "MINUTES", "run"]
MINUTES = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question."""

    question: Question
    answer: Answer
    mark: Mark
    found: Sequence[PageKey]
    """The first pages of a search."""

    @property
    def cited(self) -> list[PageKey]:
        """The pages that the answer cites."""
        return [(item.source, item.page) for item in self.answer.citations if item.page is not None]


def run(folder: Path) -> Report:
    """Ask everything once."""
    with filings_store(folder) as store:
        return measured("filings_questions", store, read_asked())


def measured(name: str, store: Store, asked: Sequence[Question]) -> Report:
    """What came of the questions over a store, by part; single outcomes of the dev part go where details are kept."""
    outcomes = [_outcome(store, question) for question in asked]
    write_details(name, [_details(o) for o in outcomes if o.question.part.endswith("dev")])
    rows: list[Row] = []
    for part in dict.fromkeys((*PARTS, *(question.part for question in asked))):
        rows.extend(_rows(part, [outcome for outcome in outcomes if outcome.question.part == part]))
    return Report(name, tuple(rows), (f"{len(asked)} questions; marks by rule, without a model.",))


def _outcome(store: Store, question: Question) -> Outcome:
    answer = answer_question(store, embedder(), None, question.text)
    return Outcome(question, answer, mark(question, answer), top_pages(store, question.text))


def _rows(part: str, outcomes: Sequence[Outcome]) -> Iterator[Row]:
    yield Row.mean(OURS, f"{part}: all, right", [float(o.mark == "right") for o in outcomes])
    there = [o for o in outcomes if o.question.answerable]
    for name in MARKS:
        shares = [float(o.mark == name) for o in there]
        yield Row.mean(OURS, f"{part}: answerable, {name}", shares)
    absent = [o for o in outcomes if not o.question.answerable]
    if absent:
        yield Row.mean(OURS, f"{part}: not answerable, refused", [float(o.mark == "right") for o in absent])
    cited = [recall_of_documents(o.cited, o.question.gold) for o in there]
    found = [recall_of_documents(o.found, o.question.gold) for o in there]
    yield Row.mean(OURS, f"{part}: gold page cited, recall", cited)
    yield Row.mean(OURS, f"{part}: gold page found, recall@{TOP}", found)


def _details(outcome: Outcome) -> dict[str, object]:
    question = outcome.question
    return {
        "id": question.id,
        "kind": question.kind,
        "tags": sorted(question.tags),
        "question": question.text,
        "must": question.must,
        "gold": sorted(question.gold),
        "mark": outcome.mark,
        "answer": outcome.answer.text,
        "cited": outcome.cited,
        "found": outcome.found,
        "numbers": str(outcome.answer.trace.get("numbers", "")),
    }
