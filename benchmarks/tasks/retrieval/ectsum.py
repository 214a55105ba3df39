"""Earnings calls: a news agency's bullet, its numbers masked, finds the sentence of the call that holds them.

Source: ECTSum, Mukherjee et al. 2022; a sentence is gold when it holds every number of the bullet. The call is known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report
from cliquerag.retrieval.answer.extractive.requirements.subject import read_subjects
from cliquerag.retrieval.answer.extractive.sentence_scoring import score_quotes

from ...asking import plan_of
from ...baselines import BM25, RRF_K, Dense, ranking, reciprocal_rank_fusion
from ...ours import OURS, search_all, stored, text_documents
from .._shared import embedder, part, ranking_rows, read_lines

if TYPE_CHECKING:
    from cliquerag.kg.store import Store
    from cliquerag.retrieval.answer.extractive.sentence_scoring import Quote
    from cliquerag.retrieval.search.evidence import Evidence

MINUTES = 1
_CHUNKS = 10
HITS = f"{OURS}, hits"
METRICS = ("hit@1", "hit@5", "MRR@10", "MAP@10")


def run(folder: Path) -> Report:
    """Rank the sentences of each call for each of its bullets."""
    calls = read_lines(part(folder))
    gold = [set(query["gold_sentences"]) for call in calls for query in call["queries"]]
    systems: dict[str, list[list[int]]] = {}
    for call in calls:
        for name, orders in _rank(call["sentences"], [query["query"] for query in call["queries"]]).items():
            systems.setdefault(name, []).extend(orders)
    systems |= our_sentences(calls)
    notes = (
        f"{len(gold)} masked bullets over the sentences of {len(calls)} calls; RRF with k = {RRF_K}.",
        f"{OURS}: the sentences that an extractive answer would quote. {HITS}: the hits of the search, which are "
        "passages; one counts where a sentence that it highlights is gold.",
    )
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


def our_sentences(calls: Sequence[dict[str, Any]]) -> dict[str, list[list[int]]]:
    """The sentences that an extractive answer would quote, and the hits of the search, best first."""
    names = [f"{call['call']}.txt" for call in calls]
    texts = {name: " ".join(call["sentences"]) for name, call in zip(names, calls, strict=True)}
    ranked: dict[str, list[list[int]]] = {OURS: [], HITS: []}
    with stored(text_documents(texts), embedder(), graph=False) as store:
        for name, call in zip(names, calls, strict=True):
            starts = list(accumulate((len(sentence) + 1 for sentence in call["sentences"]), initial=0))
            for query in call["queries"]:
                (found,) = search_all(store, embedder(), [query["query"]], k=_CHUNKS, scope=Scope(sources=(name,)))
                quotes = _quotes(store, query["query"], found, name)
                ranked[OURS].append([_place(starts, quote.start, quote.end) for quote in quotes])
                ranked[HITS].append(_hits(starts, found, set(query["gold_sentences"])))
    return ranked


def _quotes(store: Store, question: str, found: Sequence[Evidence], name: str) -> Sequence[Quote]:
    plan = plan_of(store, question)
    return score_quotes(plan, embedder(), found, read_subjects(plan, {name}))


def _hits(starts: Sequence[int], found: Sequence[Evidence], gold: Collection[int]) -> list[int]:
    """For each hit the gold sentence among those that it highlights, else the first of them; -1 without any."""
    places = [[_place(starts, start, end) for start, end in evidence.highlights] for evidence in found]
    return [next((place for place in marked if place in gold), next(iter(marked), -1)) for marked in places]


def _place(starts: Sequence[int], start: int, end: int) -> int:
    """The sentence of the call in which the middle of a range lies."""
    return bisect_right(starts, (start + end) // 2) - 1
