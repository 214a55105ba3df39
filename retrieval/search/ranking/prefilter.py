"""Search over more chunks than can be scored in full: a few documents are chosen first, and those scored as ever."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from ....kg.store import Hit, Store
from ....models.spaces import MULTILINGUAL
from ...question.scope.catalogue import Catalogue
from ...question.scope.document_filter import Selection
from .query import Query

FIRST_HITS = 150
"""Chunks of each route that name the documents: few enough to be read in milliseconds."""
MOST_CHOSEN = 6_000
"""Chunks of the documents chosen: five long filings, or hundreds of notes."""
MOST_DOCUMENTS = 100
"""Of short documents: what stands behind so many others is not among the first ten hits."""
_RANKS = 10
"""Rank at which a hit counts half of the first one: a document with the best hits wins over one with many."""


def choose_documents(store: Store, catalogue: Catalogue, query: Query, selection: Selection) -> tuple[str, ...]:
    """The documents with the best hits by words and by vector, those that fit the question's time before others."""
    within = None if selection.everything else selection.sources
    rankings = [store.matching(list(query.terms), FIRST_HITS, within)]
    if query.vector is not None and store.embedder():
        rankings.append(store.nearest(query.vector, FIRST_HITS, within))
    if query.beside is not None and store.embedder(MULTILINGUAL):
        rankings.append(store.nearest(query.beside, FIRST_HITS, within, MULTILINGUAL))
    scores = _scores(store, rankings)
    ranked = sorted(scores, key=lambda source: (-scores[source] - selection.preference.get(source, 0.0), source))
    chosen: list[str] = []
    room = MOST_CHOSEN
    for source in ranked[:MOST_DOCUMENTS]:
        record = catalogue.by_source.get(source)
        room -= record.chunks if record else 0
        if room < 0 and chosen:
            break
        chosen.append(source)
    return tuple(chosen)


def _scores(store: Store, rankings: Sequence[Sequence[Hit]]) -> dict[str, float]:
    """Document -> its share of the best one's score, 0..1, the rankings added."""
    document = _documents_of(store, rankings)
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
