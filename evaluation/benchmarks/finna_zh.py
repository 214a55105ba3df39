"""Chinese financial news: the headline finds its body, of which the first sentence was cut.

Source: FinNA of BBT-FinCUGE. The first sentence often repeats the headline: with it the task would measure copying.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..baselines import baseline_rankings
from ..benchmark import Report
from ._shared import embedder, ranking_rows, read_lines

METRICS = ("hit@1", "hit@5", "hit@10", "MRR@10")
_FIRST_SENTENCE = re.compile(r"^.*?[。；]", re.DOTALL)


def run(folder: Path) -> Report:
    """Rank all bodies for each headline."""
    pairs = read_lines(folder / "pairs.jsonl")
    bodies = [_FIRST_SENTENCE.sub("", pair["body"], count=1) or pair["body"] for pair in pairs]
    headlines = [pair["title"] for pair in pairs]
    systems = baseline_rankings(bodies, headlines, embedder())
    gold = [{i} for i in range(len(pairs))]
    notes = (f"{len(pairs)} headlines over as many bodies without their first sentence.",)
    return Report("finna_zh", ranking_rows(systems, gold, METRICS), notes)
