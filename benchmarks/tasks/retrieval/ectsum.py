"""Earnings calls: a news agency's bullet, its numbers masked, finds the sentence of the call that holds them.

Source: ECTSum, Mukherjee et al. 2022; a sentence is gold when it holds every number of the bullet. The call is known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report
from cliquerag.retrieval.answer.extractive.requirements.subject import SubjectRequirement, read_subjects
from cliquerag.retrieval.answer.extractive.sentence_scoring import score_quotes

from ...asking import plan_of
from ...baselines import BM25, RRF_K, Dense, ranking, reciprocal_rank_fusion
from ...ours import OURS, search_all, stored, text_documents
from .._shared import embedder, part, ranking_rows, read_lines

if TYPE_CHECKING:
    from cliquerag.retrieval.question.plan import QuestionPlan
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


@dataclass(frozen=True, slots=True)
class Bullet:
    """A bullet as it is asked: what the search of its call finds, and the places of the sentences in the call."""

    call: str
    plan: QuestionPlan
    found: Sequence[Evidence]
    gold: frozenset[int]
    starts: Sequence[int]

    @property
    def subjects(self) -> SubjectRequirement:
        """That a sentence is of this call."""
        return read_subjects(self.plan, {f"{self.call}.txt"})

    def place(self, start: int, end: int) -> int:
        """The sentence of the call in which the middle of a range lies."""
        return bisect_right(self.starts, (start + end) // 2) - 1


def asked_bullets(calls: Sequence[dict[str, Any]]) -> Iterator[Bullet]:
    """The bullets of all calls, each asked of its own call in a store of all."""
    texts = {f"{call['call']}.txt": " ".join(call["sentences"]) for call in calls}
    with stored(text_documents(texts), embedder(), graph=False) as store:
        for call in calls:
            scope = Scope(sources=(f"{call['call']}.txt",))
            starts = list(accumulate((len(sentence) + 1 for sentence in call["sentences"]), initial=0))
            for query in call["queries"]:
                (found,) = search_all(store, embedder(), [query["query"]], k=_CHUNKS, scope=scope)
                plan = plan_of(store, query["query"])
                yield Bullet(call["call"], plan, found, frozenset(query["gold_sentences"]), starts)


def our_sentences(calls: Sequence[dict[str, Any]]) -> dict[str, list[list[int]]]:
    """The sentences that an extractive answer would quote, and the hits of the search, best first."""
    ranked: dict[str, list[list[int]]] = {OURS: [], HITS: []}
    for bullet in asked_bullets(calls):
        quotes = score_quotes(bullet.plan, embedder(), bullet.found, bullet.subjects)
        ranked[OURS].append([bullet.place(quote.start, quote.end) for quote in quotes])
        ranked[HITS].append(_hits(bullet))
    return ranked


def _hits(bullet: Bullet) -> list[int]:
    """For each hit the gold sentence among those that it highlights, else the first of them; -1 without any."""
    places = [[bullet.place(*highlight) for highlight in evidence.highlights] for evidence in bullet.found]
    return [next((place for place in marked if place in bullet.gold), next(iter(marked), -1)) for marked in places]
