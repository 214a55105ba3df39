"""Grounding over whole pages of filings: sentences that were written after the checks had been tuned.

Each is checked as a model's sentence that cites its page as our reader gives it. What the 162 of
``grounding_filings.txt`` showed was mended: at first look 48 of 81 true ones passed and 57 of 81 false ones were
marked, of the last 78, by somebody who did not know the checks, 15 and 27 of 39. The 78 of ``grounding_unread.txt``
were written in the same way after that, and nothing was changed for them. The baseline looks only for the digits of the
sentence on the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.retrieval.answer.generative.grounding.answer_check import Passage

from .grounding import BASELINE, SYSTEM, Case, has_digits, parse_cases, passes, rows_of

FOLDER = "financebench"
MINUTES = 1
_SENTENCES = Path(__file__).with_name("grounding_filings.txt")
_UNREAD = Path(__file__).with_name("grounding_unread.txt")


def run(folder: Path) -> Report:
    """Read the filings and check every sentence against its page."""
    rows: list[Row] = []
    count = 0
    for name, path in (("mended on", _SENTENCES), ("unread", _UNREAD)):
        cases = [case for case, _ in parse_cases(path)]
        passages = page_passages(folder, cases)
        rows += rows_of(SYSTEM, name, [(case, passes(case, passages[case.context])) for case in cases])
        rows += rows_of(BASELINE, name, [(case, has_digits(case, passages[case.context])) for case in cases])[:2]
        count += len(cases)
    return Report("grounding_filings", tuple(rows), (f"{count} sentences over pages of filings.",))


def page_passages(folder: Path, cases: list[Case]) -> dict[str, Passage]:
    """Context ("NAME PAGE") -> the page, with the company it is of."""
    return dict(_pages(folder, {case.context: case.company for case in cases}))


def _pages(folder: Path, wanted: dict[str, str]) -> Iterator[tuple[str, Passage]]:
    for name in sorted({context.split()[0] for context in wanted}):
        path = folder / "pdfs_dev" / f"{name}.pdf"
        document = classify_pages(read_document(path, source=path.name))
        for page in document.pages:
            company = wanted.get(f"{name} {page.number}")
            if company is not None:
                yield f"{name} {page.number}", Passage(document.text[page.start : page.end], company)
