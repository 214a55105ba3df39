"""What the benchmarks of an analyst's questions share: the 25 filings in one store, and the questions on them.

The filings are those of two data sets: FinanceBench's as PDF, Docugami's quarterly reports as page texts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.metrics.retrieval import distinct
from cliquerag.ingest.document import Document
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.kg.store import Store

from ...asking import search
from ...ours import stored, text_documents
from .._shared import embedder, read_lines
from ..retrieval import docugami_10q

FOLDER = "."
"""Several data sets: the folder that holds them."""

PageKey = tuple[str, int]
"""(source, page from 1)"""
PARTS: tuple[Literal["dev", "unread"], ...] = ("dev", "unread")
"""Every third question is for work on the system; of the others nobody looks at single outcomes."""
DETAILS_VARIABLE = "CLIQUERAG_BENCH_DETAILS"
"""Environment variable: a file that gets what came of each question of the dev part, a JSON line each."""
TOP = 5
QUESTIONS = Path(__file__).with_name("filings_questions.jsonl")
_PDFS = "financebench/pdfs_dev"
_REPORTS = "docugami_10q"
_HITS = 20


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the pages that answer it, and by what a right answer is known.

    Of each group of ``must`` one alternative has to occur in a right answer; ``must_not`` are figures that a careless
    reader takes instead. A question that no filing answers has neither pages nor groups.
    """

    id: str
    part: str
    text: str
    gold: frozenset[PageKey]
    must: tuple[tuple[str, ...], ...]
    must_not: tuple[str, ...]
    kind: str
    tags: frozenset[str]

    @property
    def answerable(self) -> bool:
        """False where no filing says it."""
        return bool(self.gold)

    @property
    def asks_figure(self) -> bool:
        """True where the answer is one figure, read or calculated."""
        return self.kind in ("figure", "segment", "calculated")


def documents_elsewhere(
    questions: Path, folder: Path, filings: str, pages: Mapping[str, list[str]]
) -> Iterator[Document]:
    """The documents that questions on three data sets name, by the names that the questions use.

    Reports are PDFs of erc2, calls those of ectsum; ``filings`` names the third group, whose page texts are ``pages``.
    """
    named = json.loads(questions.with_suffix(".documents.json").read_text(encoding="utf-8"))
    for source, begins in named["reports"].items():
        paths = sorted((folder / "erc2" / "pdfs").glob(f"{begins}*.pdf"))
        if not paths:
            raise UsageError(f"no PDF {begins}* under erc2/pdfs", where=str(folder))
        yield classify_pages(read_document(paths[0], source=source))
    calls = {record["call"]: record["sentences"] for record in read_lines(folder / "ectsum" / "dev.jsonl")}
    texts: dict[str, str | list[str]] = {source: pages[name] for source, name in named[filings].items()}
    texts.update({source: " ".join(calls[name]) for source, name in named["calls"].items()})
    yield from text_documents(texts)


def read_asked(path: Path = QUESTIONS) -> list[Question]:
    """All questions, in the order of the file."""
    return [_question(record) for record in read_lines(path)]


def _question(record: Mapping[str, Any]) -> Question:
    return Question(
        id=record["id"],
        part=record["split"],
        text=record["question"],
        gold=frozenset(zip(record["documents"], record["pages"], strict=True)),
        must=tuple(tuple(group) for group in record["must"]),
        must_not=tuple(record["must_not"]),
        kind=record["kind"],
        tags=frozenset(record["tags"]),
    )


def filings_store(folder: Path) -> AbstractContextManager[Store]:
    """All filings in one store, emptied afterwards; ``folder`` holds both data sets.

    Raises UsageError where one of them is absent.
    """
    return stored(documents(folder), embedder(), facts=True)


def documents(folder: Path) -> Iterator[Document]:
    """The 25 filings; UsageError where a data set is absent."""
    pdfs = sorted((folder / _PDFS).glob("*.pdf"))
    if not pdfs:
        raise UsageError(f"no PDF under {_PDFS}", where=str(folder))
    reports, _, _ = docugami_10q.read_task(folder / _REPORTS)
    for path in pdfs:
        yield classify_pages(read_document(path, source=path.name))
    yield from text_documents(reports)


def top_pages(store: Store, question: str) -> list[PageKey]:
    """The first pages of a search, each once."""
    found = search(store, embedder(), question, k=_HITS)
    return distinct((item.source, item.page) for item in found if item.page is not None)[:TOP]


def recall_of_documents(pages: Collection[Hashable], gold: Collection[PageKey]) -> float:
    """Share of the documents needed of which one of the gold pages is among ``pages``.

    >>> recall_of_documents([("a.pdf", 3)], [("a.pdf", 3), ("a.pdf", 4), ("b.pdf", 1)])
    0.5
    """
    needed = {source for source, _ in gold}
    reached = {source for source, page in gold if (source, page) in pages}
    return len(reached) / len(needed) if needed else 0.0


def write_details(name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep what came of single questions, where the environment variable names a file; the caller leaves out the
    unread ones."""
    path = os.environ.get(DETAILS_VARIABLE)
    if not path:
        return
    with Path(path).open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps({"benchmark": name, **row}, ensure_ascii=False) + "\n")
