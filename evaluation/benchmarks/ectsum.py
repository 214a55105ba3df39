"""Earnings calls: a news agency's bullet, its numbers masked, finds the sentence of the call that holds them.

Source: ECTSum, Mukherjee et al. 2022; a sentence is gold when it holds every number of the bullet. The call is known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.scope import Scope
from ...retrieval.names_asked import read_names
from ...retrieval.question import read_question
from ...retrieval.quotes import score_quotes
from ..baselines import BM25, RRF_K, Dense, ranking, reciprocal_rank_fusion
from ..benchmark import Report
from ..ours import OURS, search_all, stored, text_documents
from ._shared import embedder, part, ranking_rows, read_lines

if TYPE_CHECKING:
    from ...kg.store import Store

MINUTES = 1
_CHUNKS = 10
METRICS = ("hit@1", "hit@5", "MRR@10")


def run(folder: Path) -> Report:
    """Rank the sentences of each call for each of its bullets."""
    calls = read_lines(part(folder))
    gold = [set(query["gold_sentences"]) for call in calls for query in call["queries"]]
    systems: dict[str, list[list[int]]] = {}
    for call in calls:
        for name, orders in _rank(call["sentences"], [query["query"] for query in call["queries"]]).items():
            systems.setdefault(name, []).extend(orders)
    systems |= _ours(calls)
    notes = (f"{len(gold)} masked bullets over the sentences of {len(calls)} calls; RRF with k = {RRF_K}.",)
    return Report("ectsum", ranking_rows(systems, gold, METRICS), notes)


def _rank(sentences: Sequence[str], questions: Sequence[str]) -> dict[str, list[list[int]]]:
    """System -> the places of all sentences for each question."""
    model, words = embedder(), BM25(sentences)
    dense = Dense.of(sentences, model) if model else None
    ranked: dict[str, list[list[int]]] = {}
    for question in questions:
        orders = {"BM25": ranking(words.scores(question))}
        if dense:
            orders["dense"] = ranking(dense.scores(question))
            orders["RRF"] = ranking(reciprocal_rank_fusion([orders["dense"], orders["BM25"]], len(sentences)))
        for name, order in orders.items():
            ranked.setdefault(name, []).append(order.tolist())
    return ranked


def _ours(calls: Sequence[dict[str, Any]]) -> dict[str, list[list[int]]]:
    """The sentences that an extractive answer would quote, best first."""
    names = [f"{call['call']}.txt" for call in calls]
    texts = {name: " ".join(call["sentences"]) for name, call in zip(names, calls, strict=True)}
    with stored(text_documents(texts), embedder(), graph=False) as store:
        return {
            OURS: [
                _sentences(store, call["sentences"], query["query"], name)
                for name, call in zip(names, calls, strict=True)
                for query in call["queries"]
            ]
        }


def _sentences(store: Store, sentences: Sequence[str], question: str, name: str) -> list[int]:
    """Places of the quoted sentences in the call, found by their offsets."""
    (evidence,) = search_all(store, embedder(), [question], k=_CHUNKS, scope=Scope(sources=(name,)))
    starts = list(accumulate((len(sentence) + 1 for sentence in sentences), initial=0))
    asked = read_question(question)
    quotes = score_quotes(store, embedder(), asked, evidence, read_names(store, asked, {name}))
    return [bisect_right(starts, (quote.start + quote.end) // 2) - 1 for quote in quotes]
