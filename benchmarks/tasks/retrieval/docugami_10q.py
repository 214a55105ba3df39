"""Docugami 10-Q: the quarterly reports that a question needs, among those of several companies and quarters.

Source: Docugami's KG-RAG data set of quarterly reports; a question is about one report or about several of a company.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.store import Store

from ...asking import search
from ...baselines import baseline_rankings
from ...ours import OURS, stored, text_documents
from .._shared import embedder, ranking_rows, read_lines

MINUTES = 3
MODES = ("vector", "graph", "hybrid")
METRICS = ("all gold@10", "MAP@10")
_TOP = 10
_SIZE = 1000
"""Characters of a baseline's chunk."""


def run(folder: Path) -> Report:
    """Search all reports at once for each question; the first ten hits count."""
    reports, questions, gold = read_task(folder)
    systems = _baselines(reports, questions)
    with stored(text_documents(reports), embedder(), facts=True) as store:
        for mode in MODES:
            systems[f"{OURS} {mode}"] = [_ours(store, question, mode) for question in questions]
    notes = (f"{len(questions)} questions over {len(reports)} quarterly reports.",)
    return Report("docugami_10q", (*_rows(systems, gold),), notes)


def read_task(folder: Path) -> tuple[dict[str, list[str]], list[str], list[set[str]]]:
    """Reports by name as pages, questions, and the names of the reports that each needs."""
    reports = _reports(folder)
    asked = [
        (record["question"], set(record["source_docs"]) & set(reports))
        for record in read_lines(folder / "questions.jsonl")
    ]
    asked = [(question, gold) for question, gold in asked if gold]
    return reports, [question for question, _ in asked], [sources for _, sources in asked]


def _reports(folder: Path) -> dict[str, list[str]]:
    path = folder / "pages.jsonl.xz"
    if not path.is_file():
        raise UsageError("no file 'pages.jsonl.xz' in the data set", where=str(folder))
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return {
        report["doc"] if report["doc"].endswith(".pdf") else f"{report['doc']}.pdf": report["pages"] for report in found
    }


def _ours(store: Store, question: str, mode: str) -> list[str]:
    return [item.source for item in search(store, embedder(), question, mode=mode, k=_TOP)]


def _baselines(reports: dict[str, list[str]], questions: Sequence[str]) -> dict[str, list[list[str]]]:
    chunks = [
        (source, page[start : start + _SIZE])
        for source, pages in reports.items()
        for page in pages
        for start in range(0, len(page), _SIZE)
        if page[start : start + _SIZE].strip()
    ]
    rankings = baseline_rankings([text for _, text in chunks], questions, embedder())
    return {name: [[chunks[i][0] for i in order[:_TOP]] for order in orders] for name, orders in rankings.items()}


def _rows(systems: dict[str, list[list[str]]], gold: Sequence[Collection[str]]) -> list[Row]:
    """All sources among the hits, and the share of hits from the right report, by kind of question."""
    rows = list(ranking_rows(systems, gold, METRICS))
    for name, chosen in (("one source", [len(g) == 1 for g in gold]), ("several sources", [len(g) > 1 for g in gold])):
        kept = [at for at, is_kept in enumerate(chosen) if is_kept]
        for system, found in systems.items():
            shares = [_precision(found[at], gold[at]) for at in kept]
            rows.append(replace(Row.mean(system, f"precision, {name}", shares)))
    return rows


def _precision(found: Sequence[str], gold: Collection[str]) -> float:
    return sum(source in gold for source in found) / len(found) if found else 0.0
