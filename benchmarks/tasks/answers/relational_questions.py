"""Questions about relations on filings and earnings calls: what the graph adds to words and vectors, no model.

Seven sets of our own, written from the pages before the system was asked: relations, people in time, complete lists,
across companies, across documents, two steps, causes, and what is not there. "known" are 80 questions on the 13
filings and 18 calls that the rules were made on, "anew" 45 further ones on the same documents, worded as different
analysts would (tersely, at length, with slips of the pen); "elsewhere" are 84 on nine annual reports, three quarterly
reports and six calls that the rules were not made on, "fresh" 61 on three more 10-Ks, two 10-Qs, six calls and a
Chinese annual report, 15 of them Chinese; "further" are 79 on four 10-Ks, an annual report, two 10-Qs, six calls and
ten notes of Taiwanese accounts, 14 of them Chinese; "latest" are 30 on two 10-Ks, three annual reports and two calls
of other companies or years, the unread half on documents of its own; "newest" are 40 on five other 10-Ks, three 10-Qs,
seven calls and notes of four Taiwanese companies, ten of them Chinese. "pages" is the share of the gold pages among the
first ten places of a ranking (of a call, which has no pages, the call); where several pages say the same, each
document counts once. Half of the known, the further, the latest and the newest questions, every third elsewhere and
four of nine of the others were never looked at ("unread").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.document import Document
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.kg.store import Store

from ...asking import answer_question, search
from ...ours import OURS, stored, text_documents
from .._shared import embedder, read_lines
from ..retrieval import docugami_10q
from ._filings import PARTS, Question, documents_elsewhere, read_asked, recall_of_documents, write_details
from ._marking import mark
from .filings_elsewhere import page_texts_of

FOLDER = "."
MINUTES = 18
MODES = ("vector", "graph", "hybrid")
FIRST = 10
_KNOWN = Path(__file__).with_name("relational_questions.jsonl")
_ELSEWHERE = Path(__file__).with_name("relational_elsewhere.jsonl")
_ANEW = Path(__file__).with_name("relational_anew.jsonl")
_LATER = tuple(
    Path(__file__).with_name(f"relational_{name}.jsonl") for name in ("fresh", "further", "latest", "newest", "wider")
)
"""Sets that name their documents in a file beside."""
_FOLDERS = ("financebench/pdfs_dev/*.pdf", "earnings_qa/calls/*.txt")


def run(folder: Path) -> Report:
    """Search and ask everything of all sets in every mode, each over its own documents."""
    rows: list[Row] = []
    details: list[dict[str, object]] = []
    notes: list[str] = []
    for sets, documents in SETS:
        with stored(documents(folder), embedder(), facts=True) as store:
            counts = store.counts()
            for name, path in sets.items():
                asked = read_asked(path)
                own_rows, own_details = measured(store, asked, name)
                rows.extend(own_rows)
                details.extend(own_details)
                notes.append(
                    f"{name}: {len(asked)} questions; {counts['statements']} statements over {counts['chunks']} chunks "
                    f"of {counts['documents']} documents."
                )
    write_details("relational_questions", details)
    return Report("relational_questions", tuple(rows), tuple(notes))


def measured(store: Store, asked: Sequence[Question], name: str) -> tuple[list[Row], list[dict[str, object]]]:
    """The rows of the set of this name, and what came of each question of its dev part."""
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
                details.append(
                    {"set": name, "id": question.id, "mode": mode, "mark": given, "found": found, "answer": answer.text}
                )
    rows = [row for part in PARTS for row in _rows(name, part, pages, right)]
    return rows, details


def _rows(
    name: str, part: str, pages: dict[tuple[str, str], list[float]], right: dict[tuple[str, str], list[float]]
) -> Iterator[Row]:
    for metric, values in ((f"{name}, {part}: pages@{FIRST}", pages), (f"{name}, {part}: right", right)):
        for mode in MODES:
            yield Row.mean(f"{OURS} {mode}", metric, values[part, mode])
        for mode in MODES[1:]:
            yield Row.difference(f"{OURS} {mode}", metric, values[part, mode], values[part, "vector"], "vector")


def _first_pages(store: Store, question: str, mode: str) -> list[tuple[str, int | None]]:
    """Source and page of the first pieces."""
    return [(item.source, item.page) for item in search(store, embedder(), question, mode=mode, k=FIRST)]


def _known_documents(folder: Path) -> Iterator[Document]:
    paths = [path for pattern in _FOLDERS for path in sorted(folder.glob(pattern))]
    if not paths:
        raise UsageError(f"no files under {' or '.join(_FOLDERS)}", where=str(folder))
    for path in paths:
        yield classify_pages(read_document(path, source=path.name))


def _documents_elsewhere(folder: Path) -> Iterator[Document]:
    quarterly, _, _ = docugami_10q.read_task(folder / "docugami_10q")
    return documents_elsewhere(_ELSEWHERE, folder, "quarterly", quarterly)


def _documents_named(questions: Path, folder: Path) -> Iterator[Document]:
    """The documents that a set of questions names, by the names that it uses: PDFs, and texts of four data sets."""
    named = json.loads(questions.with_suffix(".documents.json").read_text(encoding="utf-8"))
    for source, path in named["reports"].items():
        yield classify_pages(read_document(folder / path, source=source))
    quarterly, _, _ = docugami_10q.read_task(folder / "docugami_10q")
    filings = page_texts_of(folder / "financebench" / "pages_dev.jsonl.xz")
    calls = {record["call"]: record["sentences"] for record in read_lines(folder / "ectsum" / "dev.jsonl")}
    texts: dict[str, str | list[str]] = {source: filings[name] for source, name in named["filings"].items()}
    texts.update({source: quarterly[name] for source, name in named["quarterly"].items()})
    texts.update({source: " ".join(calls[name]) for source, name in named["calls"].items()})
    if "notes" in named:
        notes = page_texts_of(folder / "aicup2024_zh" / "documents.jsonl.xz")
        texts.update({source: notes[name] for source, name in named["notes"].items()})
    yield from text_documents(texts)


SETS: Sequence[tuple[Mapping[str, Path], Callable[[Path], Iterator[Document]]]] = (
    ({"known": _KNOWN, "anew": _ANEW}, _known_documents),
    ({"elsewhere": _ELSEWHERE}, _documents_elsewhere),
    *(({path.stem.removeprefix("relational_"): path}, partial(_documents_named, path)) for path in _LATER),
)
"""Sets of questions by name, and the documents that they are about."""
