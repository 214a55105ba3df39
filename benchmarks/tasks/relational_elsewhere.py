"""Questions about relations on filings and calls that the rules were not made on: what the graph adds, no model.

84 questions of our own over nine annual reports, three quarterly reports and six earnings calls, written from the pages
before the system was asked: relations, people, lists, across companies and documents, two steps, causes, and what is
not there. Every third was never looked at ("unread").
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report
from cliquerag.ingest.document import Document
from cliquerag.ingest.pages.classes import classify_pages
from cliquerag.ingest.read import read_document

from ..ours import stored, text_documents
from . import docugami_10q
from ._filings import read_asked, write_details
from ._shared import embedder, read_lines
from .relational_questions import measured

FOLDER = "."
MINUTES = 6
_QUESTIONS = Path(__file__).parents[1] / "relational_elsewhere.jsonl"


def run(folder: Path) -> Report:
    """Search and ask everything in every mode."""
    asked = read_asked(_QUESTIONS)
    with stored(_documents(folder), embedder(), facts=True) as store:
        rows, details = measured(store, asked)
        counts = store.counts()
    write_details("relational_elsewhere", details)
    notes = (
        f"{len(asked)} questions; {counts['statements']} statements over {counts['chunks']} chunks of "
        f"{counts['documents']} documents.",
    )
    return Report("relational_elsewhere", tuple(rows), notes)


def _documents(folder: Path) -> Iterator[Document]:
    """The documents that the questions name, of three data sets, by the names that the questions use."""
    named = json.loads(_QUESTIONS.with_suffix(".documents.json").read_text(encoding="utf-8"))
    for source, begins in named["reports"].items():
        paths = sorted((folder / "erc2" / "pdfs").glob(f"{begins}*.pdf"))
        if not paths:
            raise UsageError(f"no PDF {begins}* under erc2/pdfs", where=str(folder))
        yield classify_pages(read_document(paths[0], source=source))
    quarterly, _, _ = docugami_10q.read_task(folder / "docugami_10q")
    calls = {record["call"]: record["sentences"] for record in read_lines(folder / "ectsum" / "dev.jsonl")}
    texts: dict[str, str | list[str]] = {source: quarterly[name] for source, name in named["quarterly"].items()}
    texts.update({source: " ".join(calls[name]) for source, name in named["calls"].items()})
    yield from text_documents(texts)
