"""Names in earnings calls: Earnings-21 (Del Rio et al. 2021, arXiv 2104.11348), transcripts with tagged entities.

A name is found when an extracted name of the same call shares a word with it, as often as both occur: the tags have no
offsets. Calls whose tags hold amounts only are scored on those.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.core.quantity import find_quantities
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage

from ...extraction import Tally, count_overlaps
from .._shared import part, read_lines

MINUTES = 1
NAMES = ("ORG", "PERSON", "GPE", "LOC", "PRODUCT", "EVENT", "FAC", "LAW", "WORK_OF_ART")
AMOUNTS = ("MONEY", "PERCENT")


def run(folder: Path) -> Report:
    """Read every call with the rules extractor."""
    calls = read_lines(part(folder))
    began = time.process_time()
    found = [_names(call) for call in calls]
    seconds = time.process_time() - began
    words = sum(len(turn["text"].split()) for call in calls for turn in call["turns"])
    speed = Row("rules", "words a second", words / seconds, n=words, better="higher")
    rows = [*_name_rows(calls, found), *_amount_rows(calls), speed]
    return Report("earnings21", tuple(rows), (f"{len(calls)} calls.",), seconds)


def _names(call: Mapping[str, Any]) -> list[str]:
    passages = [Passage(turn["text"]) for turn in call["turns"]]
    return [name.name for extraction in RulesExtractor(load_schema()).extract(passages) for name in extraction.names]


def _name_rows(calls: Sequence[Mapping[str, Any]], found: Sequence[Sequence[str]]) -> list[Row]:
    total = Tally()
    by_type = {kind: Tally() for kind in NAMES}
    for call, names in zip(calls, found, strict=True):
        count_overlaps(total, names, _gold(call, NAMES))
        for kind, tally in by_type.items():
            count_overlaps(tally, names, _gold(call, (kind,)))
    if not total.gold:
        return []
    recalls = [Row(f"rules: {kind}", "name recall", t.recall, n=t.gold) for kind, t in by_type.items() if t.gold]
    return [*total.rows("rules", "name "), *recalls]


def _amount_rows(calls: Sequence[Mapping[str, Any]]) -> list[Row]:
    tally = Tally()
    for call in calls:
        texts = [quantity.text for turn in call["turns"] for quantity in find_quantities(turn["text"])]
        for amount in _gold(call, AMOUNTS):
            tally.gold += 1
            place = next((i for i, text in enumerate(texts) if text.startswith(amount.rstrip("."))), None)
            if place is not None:
                tally.hit += 1
                del texts[place]
    return [Row("quantities", "amount recall", tally.recall, n=tally.gold)] if tally.gold else []


def _gold(call: Mapping[str, Any], kinds: Sequence[str]) -> list[str]:
    return [entity["text"] for entity in call["entities"] if entity["type"] in kinds]
