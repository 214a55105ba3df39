"""Questions about relations on 13 filings and 18 earnings calls: what the graph adds to words and vectors, no model.

80 questions of our own, written from the pages before the system was asked: relations, people in time, complete lists,
across companies, across documents, two steps, causes, and what is not there. "pages" is the share of the gold pages
among the first ten places of a ranking (of a call, which has no pages, the call); where several pages say the same,
each document counts once. Half of the questions were never looked at ("unread").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.document import Document
from cliquerag.ingest.pages.classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.kg.store import Store

from ..asking import answer_question, search
from ..ours import OURS, stored
from ._filings import PARTS, Question, read_asked, recall_of_documents, write_details
from ._marking import mark
from ._shared import embedder

FOLDER = "."
MINUTES = 5
MODES = ("vector", "graph", "hybrid")
FIRST = 10
_QUESTIONS = Path(__file__).parents[1] / "relational_questions.jsonl"
_FOLDERS = ("financebench/pdfs_dev/*.pdf", "earnings_qa/calls/*.txt")


def run(folder: Path) -> Report:
    """Search and ask everything in every mode."""
    asked = read_asked(_QUESTIONS)
    with stored(_documents(folder), embedder(), facts=True) as store:
        rows, details = measured(store, asked)
        counts = store.counts()
    write_details("relational_questions", details)
    notes = (
        f"{len(asked)} questions; {counts['statements']} statements over {counts['chunks']} chunks of "
        f"{counts['documents']} documents.",
    )
    return Report("relational_questions", tuple(rows), notes)


def measured(store: Store, asked: Sequence[Question]) -> tuple[list[Row], list[dict[str, object]]]:
    """The rows, and what came of each question of the dev part."""
    pages: dict[tuple[str, str], list[float]] = {}
    right: dict[tuple[str, str], list[float]] = {}
    details: list[dict[str, object]] = []
    for question in asked:
        for mode in MODES:
            answer = answer_question(store, embedder(), None, question.text, mode=mode)
            given = mark(question, answer)
            right.setdefault((question.part, mode), []).append(float(given == "right"))
            found = _first_pages(store, question.text, mode)
            if question.answerable:
                share = recall_of_documents(found, question.gold)
                pages.setdefault((question.part, mode), []).append(share)
            if question.part == "dev":
                details.append({"id": question.id, "mode": mode, "mark": given, "found": found, "answer": answer.text})
    rows = [row for part in PARTS for row in _rows(part, pages, right)]
    return rows, details


def _rows(
    part: str, pages: dict[tuple[str, str], list[float]], right: dict[tuple[str, str], list[float]]
) -> Iterator[Row]:
    for metric, values in ((f"{part}: pages@{FIRST}", pages), (f"{part}: right", right)):
        for mode in MODES:
            yield Row.mean(f"{OURS} {mode}", metric, values[part, mode])
        for mode in MODES[1:]:
            yield Row.difference(f"{OURS} {mode}", metric, values[part, mode], values[part, "vector"], "vector")


def _first_pages(store: Store, question: str, mode: str) -> list[tuple[str, int | None]]:
    """Source and page of the first pieces."""
    return [(item.source, item.page) for item in search(store, embedder(), question, mode=mode, k=FIRST)]


def _documents(folder: Path) -> Iterator[Document]:
    paths = [path for pattern in _FOLDERS for path in sorted(folder.glob(pattern))]
    if not paths:
        raise UsageError(f"no files under {' or '.join(_FOLDERS)}", where=str(folder))
    for path in paths:
        yield classify_pages(read_document(path, source=path.name))
