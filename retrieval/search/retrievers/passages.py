"""The vector side of a search: words and vectors of chunks, put together by place.

Contents pages, disclaimers, contacts, covers, and headers and footers that were read as text are left out: they are
stored with their documents and cited as ever, and only do not stand in the way of what explains. Where a scope holds
more chunks than can be scored in full, a few documents are chosen first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from ....core.names import is_chinese
from ....core.patterns import PatternTable
from ....core.sequences import among
from ....ingest.chunk import Chunk
from ....ingest.pieces.value import left_out_below
from ....kg.store import Hit, Store
from ....models.embedders import Embedder
from ...question.question import Question
from ...question.scope.catalogue import Catalogue
from ...question.scope.document_filter import Selection, round_robin
from ..chunk_evidence import (
    Passage,
    best_of_places,
    by_best_sentence,
    load_passages,
    over_exchanges,
    without_near_duplicates,
    without_repeats,
)
from ..evidence import Trace
from ..index.corpus import ScopeIndex, SeenCorpus
from ..index.secondary import shown_sentences
from ..index.spaces import vectors_by_space
from ..query import Query
from ..rerankers import DEPTH, RERANKERS, RankingContext
from ..scoring import Candidate, rank_scope, score_chunks
from ..weights import ALL_TEXT, NO_EXTRAS, SUMMARIES, Extras, Weights

_ASKED = PatternTable(__package__, "left_out.toml", "asked")


def asks_for_left_out(question: Question) -> bool:
    """True for a question about what is otherwise left out: "Whom do investors contact?"."""
    return any(_ASKED.any(language, question.text) for language in _ASKED)


def left_out_chunks(index: ScopeIndex, question: Question, *, all_text: bool) -> np.ndarray | None:
    """The chunks that are not searched, bool (chunks,); None where all are.

    A document of nothing else is searched whole: somebody wanted it in here.
    """
    if all_text or asks_for_left_out(question):
        return None
    low = index.values <= left_out_below()
    if not low.any():
        return None
    rest = np.bincount(index.document[~low], minlength=len(index.sources))
    left_out = low & (rest[index.document] > 0)
    return left_out if left_out.any() else None


FIRST_HITS = 150
"""Chunks of each route that name the documents: few enough to be read in milliseconds."""
MOST_CHOSEN = 6_000
"""Chunks of the documents chosen: five long filings, or hundreds of notes."""
MOST_DOCUMENTS = 100
"""Of short documents: what stands behind so many others is not among the first ten hits."""
_SURE = 25
"""First hits of each route whose documents are chosen, if short, though long filings have taken all room: a search by
words or by vectors alone shows ten."""
_SEEDS, _SHORT = 6, 6
"""Documents whose names lead to further ones, and chunks that such a document has at most."""
_RARE, _LINKED = 20, 60
"""Documents that a name is in at most to lead anywhere, and documents that are added so."""
_MOST_MENTIONS = 2_000
_RANKS = 10
"""Rank at which a hit counts half of the first one: a document with the best hits wins over one with many."""


def choose_documents(store: Store, catalogue: Catalogue, query: Query, selection: Selection) -> tuple[str, ...]:
    """The documents with the best hits by words and by vector, those that fit the question's time before others.

    A short document with one of the very first hits is always among them.
    """
    within = None if selection.everything else selection.sources
    rankings = [store.matching(list(query.terms), FIRST_HITS, within)]
    for space, vector in vectors_by_space(store, query.vector, query.beside):
        rankings.append(store.nearest(vector, FIRST_HITS, within, space))
    document = _documents_of(store, rankings)
    scores = _scores(rankings, document)
    ranked = sorted(scores, key=lambda source: (-scores[source] - selection.preference.get(source, 0.0), source))
    first = chain.from_iterable(hits[:_SURE] for hits in rankings)
    sure = {document[hit.id] for hit in first if hit.id in document}
    return _with_room(ranked, sure, catalogue)


def _with_room(ranked: Sequence[str], sure: Collection[str], catalogue: Catalogue) -> tuple[str, ...]:
    """The first documents, as many as there is room for, and the short ones that are ``sure``."""
    chosen: list[str] = []
    room = MOST_CHOSEN
    for rank, source in enumerate(ranked):
        record = catalogue.by_source.get(source)
        chunks = record.chunks if record is not None else 0
        # A filing that is too long leaves room for the short texts behind it.
        has_room = rank < MOST_DOCUMENTS and chunks <= room
        is_sure = source in sure and chunks <= _SHORT
        if has_room or is_sure or not chosen:
            chosen.append(source)
            room -= chunks
    return tuple(chosen)


def documents_linked_to(
    store: Store, corpus: SeenCorpus, chosen: Sequence[str], allowed: Collection[str] | None
) -> list[str]:
    """Further short documents that share a rare name with the first short ones chosen, or are titled with a name in
    them; the rarest names first.

    A question over several passages finds only one of them by itself; ``allowed`` are the documents of the scope.
    """

    def is_short(source: str) -> bool:
        record = corpus.catalogue.by_source.get(source)
        return record is not None and record.chunks <= _SHORT

    short = list(filter(is_short, chosen))[:_SEEDS]
    first = [chunk for source in short for chunk in store.chunks_of(source)]
    worth = _sharing_a_name(store, first)
    for chunk in first:
        for name in corpus.homes.named_in(chunk.text):
            for source in corpus.homes.of_name[name]:
                worth[source] = 1.0
    seen = set(chosen)
    found = [source for source in worth if source not in seen and is_short(source)]
    if allowed is not None:
        found = among(found, allowed)
    return sorted(found, key=lambda source: (-worth[source], source))[:_LINKED]


def _sharing_a_name(store: Store, chunks: Sequence[Chunk]) -> dict[str, float]:
    """Document -> 1 over the number of documents that hold the rarest entity that it shares with these chunks."""
    named = {mention.entity for mention in store.mentions(chunks=[chunk.id for chunk in chunks])}
    rare = {one.id: one.documents for one in store.entities(named) if 2 <= one.documents <= _RARE}
    mentions = store.mentions(entities=list(rare), limit=_MOST_MENTIONS)
    sources = store.sources_of({mention.chunk for mention in mentions})
    worth: dict[str, float] = {}
    for mention in mentions:
        source = sources.get(mention.chunk)
        if source is not None:
            worth[source] = max(worth.get(source, 0.0), 1 / rare.get(mention.entity, _RARE))
    return worth


def _scores(rankings: Sequence[Sequence[Hit]], document: Mapping[str, str]) -> dict[str, float]:
    """Document -> its share of the best one's score, 0..1, the rankings added; ``document`` has that of each hit."""
    total: defaultdict[str, float] = defaultdict(float)
    for hits in rankings:
        found: defaultdict[str, float] = defaultdict(float)
        for rank, hit in enumerate(hits):
            if hit.id in document:
                found[document[hit.id]] += _RANKS / (_RANKS + rank)
        best = max(found.values(), default=1.0)
        for source, score in found.items():
            total[source] += score / best
    return dict(total)


def _documents_of(store: Store, rankings: Sequence[Sequence[Hit]]) -> dict[str, str]:
    """Id of a hit -> its document."""
    hits = list(chain.from_iterable(rankings))
    document = {hit.id: hit.document for hit in hits if hit.document}
    unknown = {hit.id for hit in hits}.difference(document)
    if unknown:
        document |= store.sources_of(unknown)
    return document


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
            if linked:
                allowed = None if selection.everything else frozenset(selection.sources)
                sources = (*sources, *documents_linked_to(store, corpus, sources, allowed))
            trace.note("documents chosen", list(sources))
        index = corpus.index(sources)
        if _is_read_beside(index, query):
            weights = replace(weights, dense=weights.dense_beside * weights.dense)
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
        is_dealt_out = len(selection.groups) > 1
        read = over_exchanges(read, index.places.turns, 0.0 if is_dealt_out else weights.same_exchange)
        read = best_of_places(read)
        passages = without_repeats(read, in_documents=is_dealt_out)
        passages = without_near_duplicates(passages, corpus.catalogue, query, selection)
    trace.note("ranking", [{"chunk": f.id, "source": f.source, "score": round(f.score, 4), **f.parts} for f in found])
    return passages[:k]


def _is_read_beside(index: ScopeIndex, query: Query) -> bool:
    """True where question and texts are Chinese, so that only the multilingual encoder reads them.

    Its vectors tell less than words do. English texts share no words with the question: there vectors count in full.
    """
    has_other_texts = index.space is not None and bool(index.space.present.any())
    is_chinese_question = query.vector is None and is_chinese(query.question.trimmed)
    return is_chinese_question and index.beside is not None and not has_other_texts


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
    number: dict[tuple[str, int], int] = {}
    kept: list[Candidate] = []
    for item in found:
        is_best_of_place = item.place not in number
        at = number.setdefault(item.place, len(number))
        is_read_whole = at < min(k, _READ_WHOLE)
        if is_read_whole or (is_best_of_place and at < k + _MORE):
            kept.append(item)
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
        lists.append(list(map(tuple, own.values())))
    lists = sorted(filter(None, lists), key=lambda places: -places[0][0].score)
    return list(chain.from_iterable(round_robin(lists)))
