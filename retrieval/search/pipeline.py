"""One question, one ranked list of evidence, no model call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import ModelError
from ...core.scope import Scope
from ...kg.as_of import as_of
from ...kg.store import Store
from ...models.embedders import Embedder
from ...models.reranker import Reranker
from ..question.entity_linking import as_data, keys_of
from ..question.plan import QuestionPlan, understand
from ..question.vocabulary.vocabulary import Vocabulary
from .chunk_evidence import Passage
from .evidence import Evidence, Trace, dealt_in_turns
from .index.corpus import corpus_of
from .modes import AUTO, choose_mode, mode_named, run_mode
from .query import Query, make_query
from .retrievers.base import SearchRequest
from .retrievers.facts import fact_pages, fact_spans, facts_asked
from .retrievers.graph import THEME_PASSAGES
from .retrievers.passages import search_passages
from .weights import (
    FILING_WEIGHTS,
    NO_EXTRAS,
    PASSAGE_WEIGHTS,
    SUMMARIES,
    SUMMARY_WEIGHT,
    VALUE,
    VALUE_WEIGHT,
    Extras,
    Weights,
)

MOST_RERANKED = 30
"""Passages that a cross-encoder reads: what is further behind rarely gets in front."""


def search(
    store: Store,
    embedder: Embedder | None,
    question: str,
    vocabulary: Vocabulary,
    *,
    mode: str = "hybrid",
    k: int = 10,
    scope: Scope | None = None,
    trace: Trace | None = None,
    weights: Weights | None = None,
    reranker: Reranker | None = None,
    bridges: bool = False,
    extras: Extras = NO_EXTRAS,
) -> list[Evidence]:
    """The best ``k`` pieces of evidence for a question, best first; see :func:`search_plan`.

    ``scope=None`` reads companies, periods and kinds of document from the question; ``Scope.all()`` leaves out none.
    ``scope.as_of`` leaves out what was published later. A question with several parts is searched part by part, and
    what they find is dealt out in turns.
    """
    with store.reading(keys_of(question)):
        trace = trace or Trace()
        with trace.timed("scope"):
            plan = plan_question(store, question, vocabulary, scope)
            parts = list(map(plan.about, plan.sub_questions)) if len(plan.sub_questions) > 1 else [plan]
        options: dict[str, Any] = {"weights": weights, "reranker": reranker, "bridges": bridges, "extras": extras}
        found = [
            search_plan(part, embedder, mode=mode, k=k, trace=own, **options)
            for part, own in zip(parts, _traces(trace, plan.sub_questions), strict=True)
        ]
        return dealt_in_turns(found)[:k] if len(parts) > 1 else found[0]


def _traces(trace: Trace, parts: Sequence[str]) -> list[Trace]:
    """The trace itself for a single question; one within it for each of several parts."""
    if len(parts) < 2:
        return [trace]
    traces = [Trace() for _ in parts]
    trace.note("parts", [{"question": part, "trace": own.data} for part, own in zip(parts, traces, strict=True)])
    return traces


def plan_question(store: Store, question: str, vocabulary: Vocabulary, scope: Scope | None = None) -> QuestionPlan:
    """The question as it is understood before the documents of a store, those public on ``scope.as_of`` at least."""
    store = as_of(store, scope.as_of if scope else None)
    return understand(question, store, corpus_of(store).catalogue, vocabulary, scope)


def search_plan(
    plan: QuestionPlan,
    embedder: Embedder | None,
    *,
    mode: str = "hybrid",
    k: int = 10,
    trace: Trace | None = None,
    weights: Weights | None = None,
    reranker: Reranker | None = None,
    bridges: bool = False,
    extras: Extras = NO_EXTRAS,
    pinned: Mapping[tuple[str, int], float] | None = None,
) -> list[Evidence]:
    """The best ``k`` pieces of evidence, best first.

    ``mode`` is one of ``mode_names()``; LightRAG's "naive" and "mix" are accepted. ``embedder`` must be the one that
    the stored vectors come from; None searches by words and graph. ``weights=None`` takes those measured on filings, or
    on short passages where such are searched. A ``reranker`` puts the first passages in its order; where it fails they
    stay in ours. ``bridges`` asks up to 14 further queries of the encoder where the facts of an answer stand in several
    passages. ``extras`` are further parts of the search by name. ``pinned`` pages come first, by how well each fits (0
    to 1). Raises UsageError for an unknown mode.
    """
    trace = trace or Trace()
    mode = mode_named(mode)
    asks_graph = mode != "vector"
    weights = _with_extras(weights or shipped_weights(plan), extras)
    with trace.timed("encode"):
        query = make_query(plan, embedder, weights, short=has_short(plan))
        query = replace(query, pinned=pinned or {})
    _note(trace, mode, query, plan)
    with trace.timed("facts"):
        facts = facts_asked(plan, query) if asks_graph else []
        query = replace(query, fact_pages=fact_pages(facts, query), fact_spans=fact_spans(facts, query))
    passages = search_passages(
        plan.store,
        corpus_of(plan.store),
        query,
        plan.selection,
        _passages_wanted(k, reranker, asks_graph=asks_graph),
        weights,
        trace,
        linked=asks_graph,
        bridges=embedder if bridges else None,
        extras=extras,
        embedder=embedder,
    )
    passages = reranked(reranker, plan.asked.trimmed, passages, trace)
    if not asks_graph:
        return run_mode(SearchRequest(mode, plan, query, (), passages, facts, k, trace))
    with trace.timed("graph"):
        links = plan.linked_with_companies
        trace.note("linked", as_data(links))
        request = SearchRequest(mode, plan, query, links, passages, facts, k, trace)
        return _routed(request) if mode == AUTO else run_mode(request)


def _with_extras(weights: Weights, extras: Extras) -> Weights:
    """The weights with those of the parts of the search that were asked for."""
    if SUMMARIES in extras:
        weights = replace(weights, summary=SUMMARY_WEIGHT)
    if VALUE in extras:
        weights = replace(weights, value=VALUE_WEIGHT)
    return weights


def _passages_wanted(k: int, reranker: Reranker | None, *, asks_graph: bool) -> int:
    """How many passages are looked for: as many as whoever reads them next needs."""
    wanted = k
    if asks_graph:
        wanted = max(wanted, THEME_PASSAGES)
    if reranker is not None:
        wanted = max(wanted, MOST_RERANKED)
    return wanted


def reranked(reranker: Reranker | None, question: str, passages: Sequence[Passage], trace: Trace) -> list[Passage]:
    """The first passages sorted by the reranker's scores, equal ones as they were; the rest behind them."""
    if reranker is None or not passages:
        return list(passages)
    first = list(passages[:MOST_RERANKED])
    try:
        with trace.timed("rerank"):
            scores = reranker.scores(question, [passage.chunk.text for passage in first])
    except ModelError as error:
        trace.note("rerank", {"model": reranker.name, "failed": str(error)})
        return list(passages)
    order = sorted(range(len(first)), key=lambda at: -scores[at])
    moved = [{"chunk": first[at].chunk.id, "score": round(scores[at], 4), "from": at + 1} for at in order]
    trace.note("rerank", {"model": reranker.name, "order": moved})
    return [*(first[at] for at in order), *passages[MOST_RERANKED:]]


def _routed(request: SearchRequest) -> list[Evidence]:
    """The search in the mode that fits the question; where the graph has nothing, in hybrid."""
    names = len({link.entity.id for link in request.links})
    mode, reason = choose_mode(request.plan.asked, names=names, has_figures=bool(request.facts))
    request.trace.note("route", {"mode": mode, "reason": reason})
    found = run_mode(replace(request, mode=mode))
    if found or mode == "hybrid":
        return found
    return run_mode(replace(request, mode="hybrid"))


def shipped_weights(plan: QuestionPlan) -> Weights:
    """The weights measured on filings, or on short passages where such are searched."""
    return PASSAGE_WEIGHTS if has_short(plan) else FILING_WEIGHTS


def has_short(plan: QuestionPlan) -> bool:
    """True where passages are searched rather than filings: few chunks a document and no pages."""
    catalogue, selection = plan.catalogue, plan.selection
    if selection.everything:
        return catalogue.pages < len(catalogue.records)
    own = selection.certain or selection.sources
    return sum(catalogue.by_source[source].pages for source in own) < len(own)


def _note(trace: Trace, mode: str, query: Query, plan: QuestionPlan) -> None:
    """What was understood of the question, for those who ask why."""
    asked, selection = query.question, plan.selection
    groups = selection.groups if len(selection.groups) > 1 else ()
    trace.note("mode", mode)
    absent = [company.name for company in plan.absent]
    notes = [*selection.notes, *(f"no document is of {name}" for name in absent)]
    trace.note("scope", {"notes": notes, "documents": len(selection.sources)})
    trace.note("groups", list(map(list, groups)))
    if absent:
        trace.note("absent", absent)
    trace.note("trimmed", asked.trimmed)
    trace.note("periods", [period.label for period in asked.periods])
    trace.note("kinds", list(asked.kinds))
    trace.note("keywords", dict(query.terms))
    trace.note("homes", dict(query.homes))
    taken = [{"written": name.written, "name": name.name, "how": name.how} for name in plan.taken_for]
    if taken:
        trace.note("taken for", taken)
