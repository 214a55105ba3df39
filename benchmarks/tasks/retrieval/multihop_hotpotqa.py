"""HotpotQA, 100 questions over 994 passages: both gold passages among the first five.

Source: Yang et al. 2018; questions and passages as published with KAG (Apache-2.0). A passage is a document of its own
with its title.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report
from cliquerag.evaluation.metrics.retrieval import document_ranking

from ...baselines import baseline_rankings
from ...ours import OURS, search_all, stored, text_documents
from .._shared import as_lists, embedder, ranking_rows, read_lines

MINUTES = 2
MODES = ("vector", "graph", "hybrid")
METRICS = ("recall@2", "recall@5", "recall@10", "all gold@5", "MRR@10", "MAP@10")


def run(folder: Path) -> Report:
    """Rank all passages for each question."""
    passages, questions, gold = read_task(folder)
    names = list(passages)
    found = baseline_rankings(list(passages.values()), questions, embedder())
    systems = {name: [[names[i] for i in order] for order in orders] for name, orders in as_lists(found).items()}
    notes = (f"{len(questions)} questions over {len(passages)} passages of an encyclopedia.",)
    return Report("multihop_hotpotqa", ranking_rows(systems | _ours(passages, questions), gold, METRICS), notes)


def read_task(folder: Path) -> tuple[dict[str, str], list[str], list[set[str]]]:
    """Passages by name, questions, and the names of each one's gold passages.

    A passage is a file named by its title, as a user would name it.
    """
    passages = read_lines(folder / "passages.jsonl")
    texts = (f"{passage['title']}\n{passage['text']}" for passage in passages)
    return (dict(zip(passage_names(passages), texts, strict=True)), *read_questions(folder))


def read_questions(folder: Path, file: str = "questions.jsonl") -> tuple[list[str], list[set[str]]]:
    """The questions of a file whose gold passages are there, and their names as :func:`read_task` has them."""
    passages = read_lines(folder / "passages.jsonl")
    named = list(zip(passage_names(passages), passages, strict=True))
    place = {passage_key(passage): name for name, passage in reversed(named)}
    questions: list[str] = []
    gold: list[set[str]] = []
    for record in read_lines(folder / file):
        right = {place[passage_key(passage)] for passage in record["gold"] if passage_key(passage) in place}
        if right:
            questions.append(record["question"])
            gold.append(right)
    return questions, gold


def passage_names(passages: Sequence[dict[str, Any]]) -> list[str]:
    """A file name for each passage: its number and its title."""
    return [f"{i}/{passage['title'].replace('/', ' ')}.txt" for i, passage in enumerate(passages)]


def _ours(passages: Mapping[str, str], questions: Sequence[str]) -> dict[str, list[list[str]]]:
    """Each mode's ranking of the passages."""
    with stored(text_documents(passages), embedder()) as store:
        return {
            f"{OURS} {mode}": [document_ranking(found) for found in search_all(store, embedder(), questions, mode=mode)]
            for mode in MODES
        }


def passage_key(passage: dict[str, Any]) -> tuple[str, str]:
    """Gold and pool differ in white space and marks."""
    return passage["title"], re.sub(r"\W+", "", passage["text"])[:80]
