"""A Chinese annual report: the question about an item of the statements finds the page that prints its value.

Gold are the pages that print the item and its value (zero-based in the data, from 1 here); the baseline reads the PDF's
own text, untouched.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..baselines import baseline_rankings
from ..benchmark import Report
from ._shared import part, ranking_rows

METRICS = ("hit@1", "hit@5", "hit@10", "MRR@10")


def run(folder: Path) -> Report:
    """Rank the pages of the report for each question; the whole question is the query."""
    data: dict[str, Any] = json.loads(part(folder, ".json").read_text(encoding="utf-8"))
    pages = _page_texts(folder / data["pdf"])
    questions = [pair["question"] for pair in data["pairs"]]
    gold = [{page + 1 for page in pair["pages"]} for pair in data["pairs"]]
    systems = {
        name: [[place + 1 for place in order.tolist()] for order in orders]
        for name, orders in baseline_rankings(pages, questions, None).items()
    }
    notes = (f"{len(questions)} questions over the {len(pages)} pages of one report.",)
    return Report("zh_annual_reports", ranking_rows(systems, gold, METRICS, than="BM25"), notes)


def _page_texts(path: Path) -> list[str]:
    import pymupdf

    with pymupdf.open(path) as pdf:  # type: ignore[no-untyped-call]
        return [page.get_text() for page in pdf]
