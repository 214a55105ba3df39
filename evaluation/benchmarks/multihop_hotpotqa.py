"""HotpotQA, 100 questions over 994 passages: both gold passages among the first five.

Source: Yang et al. 2018; questions and passages as published with KAG (Apache-2.0). A passage is a document of its own
with its title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..baselines import baseline_rankings
from ..benchmark import Report
from ..metrics.retrieval import document_ranking
from ..ours import OURS, search_all, stored, text_documents
from ._shared import as_lists, embedder, ranking_rows, read_lines

MODES = ("vector", "hybrid")
METRICS = ("recall@2", "recall@5", "recall@10", "all gold@5", "MRR@10")


def run(folder: Path) -> Report:
    """Rank all passages for each question."""
    passages = read_lines(folder / "passages.jsonl")
    place = {_key(passage): i for i, passage in reversed(list(enumerate(passages)))}
    asked = [(q["question"], {place[_key(g)] for g in q["gold"] if _key(g) in place})
             for q in read_lines(folder / "questions.jsonl")]  # fmt: skip
    asked = [(question, gold) for question, gold in asked if gold]
    questions, gold = [question for question, _ in asked], [right for _, right in asked]
    texts = [f"{passage['title']}\n{passage['text']}" for passage in passages]
    systems = as_lists(baseline_rankings(texts, questions, embedder())) | _ours(passages, texts, questions)
    notes = (f"{len(questions)} questions over {len(passages)} passages of an encyclopedia.",)
    return Report("multihop_hotpotqa", ranking_rows(systems, gold, METRICS), notes)


def _ours(
    passages: Sequence[dict[str, Any]], texts: Sequence[str], questions: Sequence[str]
) -> dict[str, list[list[int]]]:
    """Each mode's ranking of the passages; a passage is a file named by its title, as a user would name it."""
    names = {f"{i}/{passage['title'].replace('/', ' ')}.txt": i for i, passage in enumerate(passages)}
    with stored(text_documents(dict(zip(names, texts, strict=True))), embedder()) as store:
        return {
            f"{OURS} {mode}": [
                [names[source] for source in document_ranking(found)]
                for found in search_all(store, embedder(), questions, mode=mode)
            ]
            for mode in MODES
        }


def _key(passage: dict[str, Any]) -> tuple[str, str]:
    """Gold and pool differ in white space and marks."""
    return passage["title"], re.sub(r"\W+", "", passage["text"])[:80]
