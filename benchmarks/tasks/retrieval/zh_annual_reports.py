"""A Chinese annual report: the question about an item of the statements finds the page that prints its value.

Gold are the pages that print the item and its value (zero-based in the data, from 1 here); the baseline reads the PDF's
own text, untouched.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report
from cliquerag.evaluation.metrics.retrieval import page_ranking
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document

from ...baselines import baseline_rankings
from ...ours import OURS, search_all, stored
from .._shared import embedder, page_texts, part, ranking_rows

MINUTES = 1
_DEPTH = 30
MODES = ("vector", "graph", "hybrid")
METRICS = ("hit@1", "hit@5", "hit@10", "MRR@10", "MAP@10")


def run(folder: Path) -> Report:
    """Rank the pages of the report for each question; the whole question is the query."""
    data: dict[str, Any] = json.loads(part(folder, ".json").read_text(encoding="utf-8"))
    pages = page_texts(folder / data["pdf"])
    questions = [pair["question"] for pair in data["pairs"]]
    gold = [{page + 1 for page in pair["pages"]} for pair in data["pairs"]]
    systems = {
        name: [[place + 1 for place in order.tolist()] for order in orders]
        for name, orders in baseline_rankings(pages, questions, None).items()
    }
    systems |= _ours(folder / data["pdf"], questions)
    notes = (f"{len(questions)} questions over the {len(pages)} pages of one report.",)
    return Report("zh_annual_reports", ranking_rows(systems, gold, METRICS), notes)


def _ours(path: Path, questions: Sequence[str]) -> dict[str, list[list[int]]]:
    """The PDF read as a user would add it."""
    document = classify_pages(read_document(path, source=path.name))
    with stored([document], embedder(), facts=True) as store:
        return {
            f"{OURS} {mode}": [
                [page for _, page in page_ranking(found)]
                for found in search_all(store, embedder(), questions, mode=mode, k=_DEPTH)
            ]
            for mode in MODES
        }
