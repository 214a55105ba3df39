"""An analyst's questions on documents that no rule was made on: how much is answered right without a model.

142 questions of our own over six annual reports under names that say nothing, five 10-Ks and five earnings calls,
written from the pages before the system was asked: figures, growth, ratios, periods, segments, quotes, people,
relations, lists and what is not there. 60 of them were never looked at ("unread"). 50 more ("anew"), half unread,
are on two 10-Ks and two calls that no other set of ours asks about; so are 31 others ("third"), one of the 10-Ks being
another year of a company that is asked about above.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path

from cliquerag.evaluation.benchmark import Report
from cliquerag.ingest.document import Document

from ...ours import stored
from .._shared import embedder
from ._filings import documents_elsewhere, read_asked
from .filings_questions import measured

FOLDER = "."
MINUTES = 6
QUESTIONS = Path(__file__).with_name("filings_elsewhere.jsonl")


def run(folder: Path) -> Report:
    """Ask everything once."""
    with stored(documents(folder), embedder(), facts=True) as store:
        return measured("filings_elsewhere", store, read_asked(QUESTIONS))


def documents(folder: Path) -> Iterator[Document]:
    """The documents that the questions name."""
    pages = page_texts_of(folder / "financebench" / "pages_dev.jsonl.xz")
    return documents_elsewhere(QUESTIONS, folder, "filings", pages)


def page_texts_of(path: Path) -> dict[str, list[str]]:
    """Name of a filing -> the texts of its pages."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return {record["doc"]: record["pages"] for record in records}
