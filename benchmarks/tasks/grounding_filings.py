"""Grounding over whole pages of filings: 60 sentences that were written after the checks had been tuned.

Each of ``grounding_filings.txt`` is checked as a model's sentence that cites its page as our reader gives it. The
baseline looks only for the digits of the sentence on the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cliquerag.evaluation.benchmark import Report
from cliquerag.ingest.pages.classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.retrieval.answer.generative.answer_check import Passage

from .grounding import BASELINE, SYSTEM, Case, has_digits, parse_cases, passes, rows_of

FOLDER = "financebench"
MINUTES = 1
_SENTENCES = Path(__file__).with_name("grounding_filings.txt")


def run(folder: Path) -> Report:
    """Read the filings and check every sentence against its page."""
    cases = [case for case, _ in parse_cases(_SENTENCES)]
    passages = page_passages(folder, cases)
    ours = [(case, passes(case, passages[case.context])) for case in cases]
    plain = [(case, has_digits(case, passages[case.context])) for case in cases]
    rows = [*rows_of(SYSTEM, "filings", ours), *rows_of(BASELINE, "filings", plain)[:2]]
    return Report("grounding_filings", tuple(rows), (f"{len(cases)} sentences over {len(passages)} pages.",))


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
