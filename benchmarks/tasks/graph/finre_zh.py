"""Relations between two given companies in Chinese news: FinRE (Li et al. 2019).

The two names are given to the extractor, as in the task; it says a relation or nothing. A triple is right when the
gold has a relation of the same meaning for the pair, in the direction it gives. Coverage is over the pairs whose gold
relation the schema has.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage

from ...extraction import ByKind
from .._shared import part, read_lines

MINUTES = 0.5
MEANS: dict[str, tuple[str, ...]] = {
    "收购": ("acquires",),
    "拟收购": ("acquires",),
    "买资": ("acquires", "<sells_to"),
    "转让": ("sells_to", "divests"),
    "持股": ("owns_stake", "<subsidiary_of"),
    "增持": ("owns_stake", "acquires"),
    "入股": ("owns_stake", "invests_in"),
    "减持": ("cuts_stake", "divests"),
    "拥有": ("<subsidiary_of", "owns_stake", "founds"),
    "注资": ("invests_in", "lends_to", "owns_stake"),
    "成立": ("founds", "<subsidiary_of"),
    "借壳": ("acquires",),
    "帮助": ("lends_to",),
    "分析": ("covers",),
    "合作": ("partners_with", "<partners_with", "supplies", "<supplies"),
    "签约": ("partners_with", "<partners_with", "supplies", "<supplies", "lends_to"),
    "合资": ("partners_with", "<partners_with"),
    "订单": ("supplies", "<supplies", "customer_of", "<customer_of"),
    "竞争": ("competes_with", "<competes_with"),
    "纠纷": ("sues", "<sues", "settles_with", "<settles_with"),
    "合并": ("merges_with", "<merges_with", "acquires", "<acquires"),
    "重组": ("merges_with", "<merges_with", "acquires", "<acquires"),
    "交易": ("acquires", "<acquires", "sells_to", "<sells_to", "divests"),
}
"""Relation of the data set -> ours with the same meaning; "<" turns head and tail. With 被 before it, all turned."""

Pair = tuple[str, str, str]


def run(folder: Path) -> Report:
    """Read every sentence once, with the names of all its pairs known."""
    sentences: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in read_lines(part(folder)):
        sentences[row["text"]].append(row)
    began = time.process_time()
    tallies, pairs, covered = ByKind(), 0, 0
    for text, rows in sentences.items():
        gold = {pair for row in rows for pair in _meant(row)}
        names = {row[end]: "company" for row in rows for end in ("head", "tail")}
        found = _read(text, names)
        for triple in found:
            tallies.of(triple[1]).found += 1
            tallies.of(triple[1]).right += triple in gold
        ends = {frozenset((head, tail)) for head, _, tail in gold}
        pairs += len(ends)
        covered += len(ends & {frozenset((head, tail)) for head, _, tail in found & gold})
    kinds = sorted(tallies.kinds.items(), key=lambda item: (-item[1].found, item[0]))
    rows_out = [
        Row("rules", "relation precision", tallies.total.precision, n=tallies.total.found),
        Row("rules", "relation coverage", covered / pairs if pairs else 0.0, n=pairs),
        *(Row(f"rules: {kind}", "relation precision", tally.precision, n=tally.found) for kind, tally in kinds),
    ]
    return Report("finre_zh", tuple(rows_out), (f"{len(sentences)} sentences.",), time.process_time() - began)


def _read(text: str, names: Mapping[str, str]) -> set[Pair]:
    triples = RulesExtractor(load_schema(), names).extract([Passage(text, language="zh")])[0].triples
    return {(t.head, t.relation, t.tail) for t in triples if t.head in names and t.tail in names}


def _meant(row: Mapping[str, Any]) -> Iterator[Pair]:
    """What a row's relation says in our terms."""
    passive = row["relation"].startswith("被")
    for relation in _relations(row["relation"].removeprefix("被")):
        turned = relation.startswith("<") != passive
        head, tail = (row["tail"], row["head"]) if turned else (row["head"], row["tail"])
        yield head, relation.removeprefix("<"), tail


def _relations(relation: str) -> Sequence[str]:
    return MEANS.get(relation, ())
