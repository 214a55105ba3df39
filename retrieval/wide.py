"""Search over more chunks than can be scored in full: the first hits by words and by vector are scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..ingest.chunk import Chunk
from ..ingest.document import Page
from ..kg.store import Hit, Store
from .found import Found
from .fusion import above_mean, to_best
from .places import page_index
from .query import Query
from .scope import Selection
from .weights import Weights

_FIRST_HITS = 40


def rank_wide(store: Store, query: Query, selection: Selection, weights: Weights) -> list[Found]:
    """As :func:`retrieval.ranking.rank_scope`, on the union of both routes' first hits."""
    within = None if selection.everything else selection.sources
    by_words = store.matching(list(query.terms), _FIRST_HITS, within)
    has_vectors = query.vector is not None and bool(store.embedder())
    by_vector = store.nearest(query.vector, _FIRST_HITS, within) if has_vectors and query.vector is not None else []
    chunks = store.chunks(list(dict.fromkeys(hit.id for hit in (*by_words, *by_vector))))
    if not chunks:
        return []
    parts = {"words": to_best(_aligned(chunks, by_words))}
    if query.vector is not None and has_vectors:
        vectors = store.vectors([chunk.id for chunk in chunks])
        parts["dense"] = weights.dense * above_mean(np.asarray(vectors @ query.vector, np.float32))
    pages = store.pages({chunk.document for chunk in chunks})
    parts |= _page_parts(chunks, pages, query, weights)
    if selection.preference:
        fits = [selection.preference.get(chunk.document, 0.0) for chunk in chunks]
        parts["fit"] = weights.preference * np.array(fits, np.float32)
    return _ordered(chunks, pages, parts)


def _ordered(
    chunks: Sequence[Chunk], pages: Mapping[str, Sequence[Page]], parts: Mapping[str, np.ndarray]
) -> list[Found]:
    total = np.sum(list(parts.values()), axis=0)
    return [
        Found(
            chunks[i].id,
            chunks[i].document,
            _place(chunks[i], pages),
            float(total[i]),
            {name: round(float(part[i]), 4) for name, part in parts.items()},
            chunk=chunks[i],
            own=float(total[i]),
        )
        for i in np.argsort(-total, kind="stable").tolist()
    ]


def _place(chunk: Chunk, pages: Mapping[str, Sequence[Page]]) -> tuple[str, int]:
    own = pages.get(chunk.document, ())
    return chunk.document, page_index(own, chunk.start, chunk.end) if own else chunk.ordinal


def _page_parts(
    chunks: Sequence[Chunk], pages: Mapping[str, Sequence[Page]], query: Query, weights: Weights
) -> dict[str, np.ndarray]:
    years = [str(year) for year in query.question.years]
    home, named = np.zeros(len(chunks), np.float32), np.zeros(len(chunks), np.float32)
    for i, chunk in enumerate(chunks):
        own = pages.get(chunk.document, ())
        classes = own[page_index(own, chunk.start, chunk.end)].classes if own else {}
        home[i] = max((score * classes.get(name, 0.0) for name, score in query.homes.items()), default=0.0)
        if years:
            named[i] = sum(year in chunk.text for year in years) / len(years)
    return {"home": weights.home * home, "years": weights.years * named}


def _aligned(chunks: Sequence[Chunk], hits: Sequence[Hit]) -> np.ndarray:
    scores = {hit.id: hit.score for hit in hits}
    return np.array([scores.get(chunk.id, 0.0) for chunk in chunks], np.float32)
