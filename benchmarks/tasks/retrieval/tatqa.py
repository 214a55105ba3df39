"""TAT-QA: which of all contexts (a table with its paragraphs) answers the question.

Source: Zhu et al. 2021. The questions were written for one context each and rarely name the company, so that a share of
them fits several: the ceiling is below 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report
from cliquerag.evaluation.metrics.retrieval import distinct, document_ranking

from ...baselines import baseline_rankings
from ...ours import OURS, search_all, stored, text_documents
from .._shared import embedder, part, ranking_rows, read_lines

MINUTES = 5
MODES = ("vector", "graph", "hybrid")
METRICS = ("hit@1", "hit@5", "hit@10", "MRR@10", "MAP@10")
_UNITS_RANKED = 300
_DEPTH = 30
"""Chunks that hold at least ten documents."""


def run(folder: Path) -> Report:
    """Rank all contexts by their best table or paragraph for each question."""
    contexts = read_lines(part(folder))
    units = [(i, text) for i, context in enumerate(contexts) for text in _units(context)]
    asked = [(q["question"], {i}) for i, context in enumerate(contexts) for q in context["questions"]]
    questions, gold = [question for question, _ in asked], [right for _, right in asked]
    rankings = baseline_rankings([text for _, text in units], questions, embedder())
    systems = {
        name: [distinct(units[j][0] for j in order[:_UNITS_RANKED]) for order in orders]
        for name, orders in rankings.items()
    }
    systems |= _ours(contexts, questions)
    notes = (f"{len(questions)} questions over {len(contexts)} contexts, {len(units)} tables and paragraphs.",)
    return Report("tatqa", ranking_rows(systems, gold, METRICS), notes)


def _ours(contexts: Sequence[dict[str, Any]], questions: Sequence[str]) -> dict[str, list[list[int]]]:
    """Each context is a document: its table as Markdown, then its paragraphs."""
    names = {f"{i}.md": i for i in range(len(contexts))}
    with stored(text_documents({name: text_of(contexts[i]) for name, i in names.items()}), embedder()) as store:
        return {
            f"{OURS} {mode}": [
                [names[source] for source in document_ranking(found)]
                for found in search_all(store, embedder(), questions, mode=mode, k=_DEPTH)
            ]
            for mode in MODES
        }


def text_of(context: dict[str, Any]) -> str:
    """A context as one text: its table as Markdown, then its paragraphs."""
    return "\n\n".join([_markdown(context["table"]), *_units(context)[1:]])


def _markdown(table: Sequence[Sequence[str]]) -> str:
    width = max(map(len, table))
    lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in table]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _units(context: dict[str, Any]) -> list[str]:
    table = "\n".join(" | ".join(row) for row in context["table"])
    return [table, *(paragraph["text"] for paragraph in context["paragraphs"])]
