"""Chunking for retrieval: recall of exact excerpts at a budget of tokens and in the first five chunks, every chunker.

Source: Smith & Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, 2024: five corpora
in one index, questions with exact excerpts.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.chunking import Range, iou, recall, recall_at_budget, union

from .._shared import embedder
from ._passages import Passages

if TYPE_CHECKING:
    import numpy as np

MINUTES = 4
CHUNKERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "clique": ("clique", {}),
    "clique, headings": ("clique", {"headings": True}),
    "merged cliques": ("merged_cliques", {}),
    "length": ("length", {}),
    "semantic 100": ("semantic", {"target": 100}),
    "semantic 200": ("semantic", {"target": 200}),
    "recursive 100": ("recursive", {"target": 100}),
    "recursive 200": ("recursive", {"target": 200}),
    "fixed 100": ("fixed", {"target": 100}),
    "fixed 200": ("fixed", {"target": 200}),
    "structure": ("structure", {}),
}
METRICS = ("recall top 5", "IoU top 5", "recall 500 tokens", "recall 1000 tokens")
FINANCE = "finance"
_OURS = "clique"

Figures = dict[tuple[str, str], list[float]]
"""(retriever, metric) -> one value a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the excerpts that answer it, as ranges in one corpus."""

    text: str
    corpus: str
    gold: tuple[Range, ...]


def run(folder: Path) -> Report:
    """Score all chunkers alike on all questions; then the paired differences of ours and every other."""
    model = embedder()
    if model is None:
        raise UsageError("this benchmark needs an embedding model", hint="See `cliquerag doctor`")
    questions = read_questions(folder)
    names = dict.fromkeys(question.corpus for question in questions)
    corpora = {name: (folder / "corpora" / f"{name}.md").read_text(encoding="utf-8") for name in names}
    figures: dict[str, Figures] = {}
    notes: list[str] = []
    for system, (chunker, options) in CHUNKERS.items():
        passages = Passages.of(corpora, model, chunker, options)
        figures[system] = figures_of(passages, questions)
        size = sum(passages.tokens) / len(passages.tokens)
        notes.append(f"{system}: {len(passages.chunks)} chunks of {size:.0f} tokens, longest {max(passages.tokens)}")
    return Report("chroma_chunking", tuple(_rows(figures, questions)), tuple(notes))


def read_questions(folder: Path) -> list[Question]:
    """The part that is there: dev, else held, else the whole file. UsageError without any."""
    for name in ("questions_dev.csv", "questions_held.csv", "questions_df.csv"):
        path = folder / name
        if path.is_file():
            with path.open(encoding="utf-8", newline="") as file:
                return [_question(row) for row in csv.DictReader(file)]
    raise UsageError("no file questions_dev.csv in the data set", where=str(folder))


def _question(row: Mapping[str, str]) -> Question:
    gold = union((item["start_index"], item["end_index"]) for item in json.loads(row["references"]))
    return Question(row["question"], row["corpus_id"], tuple(gold))


def figures_of(passages: Passages, questions: Sequence[Question]) -> Figures:
    rankings = passages.rankings([question.text for question in questions])
    figures: Figures = {}
    for retriever, orders in rankings.items():
        for question, order in zip(questions, orders, strict=True):
            for metric, value in zip(METRICS, _scores(passages, question, order), strict=True):
                figures.setdefault((retriever, metric), []).append(value)
    return figures


def _scores(passages: Passages, question: Question, order: np.ndarray) -> tuple[float, ...]:
    top = order[:200].tolist()
    ranges = [(passages.chunks[i].start, passages.chunks[i].end) for i in top]
    ours = [part if passages.texts[i] == question.corpus else None for part, i in zip(ranges, top, strict=True)]
    tokens = [passages.tokens[i] for i in top]
    found = [part for part in ours[:5] if part]
    elsewhere = sum(b - a for (a, b), own in zip(ranges[:5], ours, strict=False) if own is None)
    budgets = (recall_at_budget(question.gold, ours, tokens, budget) for budget in (500, 1000))
    return recall(question.gold, found), iou(question.gold, found, elsewhere), *budgets


def _rows(figures: Mapping[str, Figures], questions: Sequence[Question]) -> list[Row]:
    finance = [i for i, question in enumerate(questions) if question.corpus == FINANCE]
    rows: list[Row] = []
    for system, found in figures.items():
        for (retriever, metric), values in found.items():
            rows.append(Row.mean(system, f"{metric}, {retriever}", values))
            if finance and metric.endswith("1000 tokens"):
                rows.append(Row.mean(system, f"{metric}, {retriever}, finance", [values[i] for i in finance]))
    for system in (name for name in figures if name != _OURS):
        for (retriever, metric), theirs in figures[system].items():
            ours = figures[_OURS][retriever, metric]
            rows.append(Row.difference(_OURS, f"{metric}, {retriever}", ours, theirs, system))
    return rows
