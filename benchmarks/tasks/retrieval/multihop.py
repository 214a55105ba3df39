"""Questions whose facts stand in several passages: all gold passages among the first five; and single facts.

MuSiQue (Trivedi et al. 2022), 2WikiMultihopQA (Ho et al. 2020) and HotpotQA (Yang et al. 2018), samples of their
development parts with each question's own distractors pooled; the single facts are MuSiQue's stand-alone sub-questions
over the same passages. "with bridges" asks further queries of the encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import document_ranking
from cliquerag.kg.store import Store

from ...asking import search
from ...baselines import baseline_rankings
from ...ours import OURS, stored, text_documents
from .._shared import as_lists, embedder, ranking_rows
from .multihop_hotpotqa import read_questions, read_task

FOLDER = "."
MINUTES = 8
SETS = ("musique", "2wiki", "hotpotqa_more")
METRICS = ("recall@5", "all gold@5", "hit@1", "MAP@10")
_SINGLE = "single_fact.jsonl"
_SYSTEMS: dict[str, dict[str, Any]] = {
    f"{OURS} vector": {"mode": "vector"},
    f"{OURS} graph": {"mode": "graph"},
    f"{OURS} hybrid": {"mode": "hybrid"},
    f"{OURS} hybrid with bridges": {"mode": "hybrid", "bridges": True},
}


def run(folder: Path) -> Report:
    """Every set that is there."""
    there = [name for name in SETS if (folder / f"multihop_{name}").is_dir()]
    if not there:
        raise UsageError("no data set to search", where=str(folder), hint=f"One of multihop_{', multihop_'.join(SETS)}")
    rows: list[Row] = []
    notes: list[str] = []
    for name in there:
        own = folder / f"multihop_{name}"
        passages, questions, gold = read_task(own)
        with stored(text_documents(passages), embedder()) as store:
            rows += _rows(name, store, passages, questions, gold)
            notes.append(f"{name}: {len(questions)} questions over {len(passages)} passages.")
            if (own / _SINGLE).is_file():
                questions, gold = read_questions(own, _SINGLE)
                rows += _rows(f"{name}, single facts", store, passages, questions, gold)
                notes.append(f"{len(questions)} single facts over the same.")
    return Report("multihop", tuple(rows), tuple(notes))


def _rows(
    name: str, store: Store, passages: dict[str, str], questions: Sequence[str], gold: Sequence[set[str]]
) -> Iterator[Row]:
    names = list(passages)
    found = baseline_rankings(list(passages.values()), questions, embedder())
    systems = {system: [[names[i] for i in order] for order in orders] for system, orders in as_lists(found).items()}
    for system, options in _SYSTEMS.items():
        hits = [search(store, embedder(), question, k=10, **options) for question in questions]
        systems[system] = [document_ranking(own) for own in hits]
    for row in ranking_rows(systems, gold, METRICS):
        yield replace(row, metric=f"{name}: {row.metric}")
