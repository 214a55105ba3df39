"""The vector side of a search: words and vectors of chunks, put together by place."""

from __future__ import annotations

from collections.abc import Sequence

from ....kg.store import Store
from ....models.embedder import Embedder
from ...question.scope.document_filter import Selection, round_robin
from ..extras import ALL_TEXT, NO_EXTRAS, SUMMARIES, Extras
from ..index.corpus import ScopeIndex, SeenCorpus
from ..index.summaries import shown_sentences
from ..left_out import left_out_chunks
from ..near_duplicates import without_near_duplicates
from ..passages import Passage, best_of_places, by_best_sentence, load_passages, without_repeats
from ..ranking.prefilter import choose_documents
from ..ranking.query import Query
from ..ranking.scoring import Candidate, rank_scope, score_chunks
from ..ranking.weights import Weights
from ..rerankers import DEPTH, RERANKERS, RankingContext
from ..trace import Trace

MOST_CHUNKS = 80_000
"""Chunks that one search scores in full, about 200 MB in memory; of more only the first hits of each route are."""
_READ_WHOLE = 12
"""Places of which several chunks are read, to show the best one."""
_SUMMARIES = 3
"""Summaries that a trace shows."""
_MORE = 5
"""Places read beyond those asked for: some fall away as repetitions."""


def search_passages(
    store: Store,
    corpus: SeenCorpus,
    query: Query,
    selection: Selection,
    k: int,
    weights: Weights,
    trace: Trace,
    *,
    linked: bool = False,
    bridges: Embedder | None = None,
    extras: Extras = NO_EXTRAS,
    embedder: Embedder | None = None,
) -> list[Passage]:
    """The best ``k`` passages, each place first once; every group of documents keeps its share.

    ``linked`` follows names from the first hits to further passages, with ``bridges`` by queries of their own.
    ``embedder`` is for the ``extras`` that read passages themselves.
    """
    with trace.timed("rank"):
        sources = selection.sources
        if _chunks(corpus, selection) > MOST_CHUNKS:
            sources = choose_documents(store, corpus.catalogue, query, selection)
            trace.note("documents chosen", list(sources))
        index = corpus.index(sources)
        depth = max(k + _MORE, DEPTH if weights.row else 0) * len(selection.groups)
        left_out = left_out_chunks(index, query.question, all_text=ALL_TEXT in extras)
        if left_out is not None:
            trace.note("left out", int(left_out.sum()))
        scores = score_chunks(index, query, weights, left_out)
        if SUMMARIES in extras:
            _note_summaries(store, index, query, trace)
        found = rank_scope(index, query, scores, selection.preference, weights, depth, selection.groups)
        context = RankingContext(store, corpus, index, query, scores, weights, trace, linked, bridges, extras, embedder)
        for rerank in RERANKERS:
            found = rerank(found, context)
    found = _first_places(_dealt_out(found, selection), k)
    with trace.timed("read"):
        read = load_passages(store, query, found)
        if weights.sentence and len(sources) == 1 and query.sentences is None:
            read = by_best_sentence(read, weights.sentence)
        read = best_of_places(read)
        passages = without_repeats(read, in_documents=len(selection.groups) > 1)
        passages = without_near_duplicates(passages, corpus.catalogue, query, selection)
    trace.note("ranking", [{"chunk": f.id, "source": f.source, "score": round(f.score, 4), **f.parts} for f in found])
    return passages[:k]


def _note_summaries(store: Store, index: ScopeIndex, query: Query, trace: Trace) -> None:
    """The best summaries with the sentences that make them, for whoever asks how it was searched."""
    tree = index.summaries()
    if tree is None or query.vector is None:
        return
    rows: list[dict[str, object]] = []
    for node in tree.nearest(query.vector, _SUMMARIES):
        summary = tree.nodes[node]
        sentences = shown_sentences(store, tree, node, index.ids)
        rows.append({"source": index.sources[summary.document], "level": summary.level, "sentences": sentences})
    trace.note("summaries", rows)


def _chunks(corpus: SeenCorpus, selection: Selection) -> int:
    catalogue = corpus.catalogue
    if selection.everything:
        return catalogue.chunks
    return sum(catalogue.by_source[source].chunks for source in selection.sources)


def _first_places(found: Sequence[Candidate], k: int) -> list[Candidate]:
    """What is read: all hits of the first places, the best hit of some more."""
    number = {place: at for at, place in enumerate(dict.fromkeys(item.place for item in found))}
    seen: set[tuple[str, int]] = set()
    kept = []
    for item in found:
        if number[item.place] < min(k, _READ_WHOLE) or (item.place not in seen and number[item.place] < k + _MORE):
            kept.append(item)
        seen.add(item.place)
    return kept


def _dealt_out(found: Sequence[Candidate], selection: Selection) -> list[Candidate]:
    """The places dealt out in turn where several companies, years or reports are asked for."""
    if len(selection.groups) < 2:
        return list(found)
    lists: list[list[tuple[Candidate, ...]]] = []
    for group in selection.groups:
        own: dict[tuple[str, int], list[Candidate]] = {}
        for item in found:
            if item.source in group:
                own.setdefault(item.place, []).append(item)
        lists.append([tuple(items) for items in own.values()])
    lists = sorted(filter(None, lists), key=lambda places: -places[0][0].score)
    return [item for place in round_robin(lists) for item in place]
