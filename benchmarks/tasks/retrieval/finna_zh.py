"""Chinese financial news: the headline finds its body, of which the first sentence was cut.

Source: FinNA of BBT-FinCUGE. The first sentence often repeats the headline: with it the task would measure copying.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cliquerag.evaluation.benchmark import Report
from cliquerag.evaluation.metrics.retrieval import document_ranking

from ...baselines import baseline_rankings
from ...ours import OURS, search_all, stored, text_documents
from .._shared import as_lists, embedder, ranking_rows, read_lines

MINUTES = 5
METRICS = ("hit@1", "hit@5", "hit@10", "MRR@10", "MAP@10")
_FIRST_SENTENCE = re.compile(r"^.*?[。；]", re.DOTALL)


def run(folder: Path) -> Report:
    """Rank all bodies for each headline."""
    bodies, headlines = bodies_and_headlines(folder)
    systems = as_lists(baseline_rankings(bodies, headlines, embedder())) | _ours(bodies, headlines)
    gold = [{i} for i in range(len(bodies))]
    notes = (f"{len(bodies)} headlines over as many bodies without their first sentence.",)
    return Report("finna_zh", ranking_rows(systems, gold, METRICS), notes)


def bodies_and_headlines(folder: Path) -> tuple[list[str], list[str]]:
    """Each body without its first sentence, and its headline."""
    pairs = read_lines(folder / "pairs.jsonl")
    bodies = [_FIRST_SENTENCE.sub("", pair["body"], count=1) or pair["body"] for pair in pairs]
    return bodies, [pair["title"] for pair in pairs]


def _ours(bodies: Sequence[str], headlines: Sequence[str]) -> dict[str, list[list[int]]]:
    names = {f"{i}.txt": i for i in range(len(bodies))}
    with stored(text_documents(dict(zip(names, bodies, strict=True))), embedder()) as store:
        found = search_all(store, embedder(), headlines, mode="hybrid")
        return {OURS: [[names[source] for source in document_ranking(evidence)] for evidence in found]}
