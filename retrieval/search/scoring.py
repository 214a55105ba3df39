"""The ranking of places: text, vectors, homes of figures, asked years, how well the document fits; places kept for the
statements that a question needs: a ratio of two statements is answered by a page of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from ...core.records import dataclass
from ...ingest.chunk import Chunk
from ...ingest.pieces.page_classes import statement_classes
from ..question.vocabulary.vocabulary import METRIC
from .index.corpus import ScopeIndex
from .index.spaces import dense_scores, likeness_across_languages
from .query import Query
from .weights import Weights, above_mean, best_first, to_best

_CHUNKS_OF_PLACE = 3
"""Chunks of a place that are read: one of them is shown first."""
_FIRST = 5
"""Places among which each statement has a page; the last ones of them are kept."""
_SURELY = 0.5
"""Class score of a page that is one."""
_STEP = 1e-3
"""By so much a raised page lies before the one that it displaces."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk of the ranking. ``place`` is what is counted once: a page, a short document or the chunk itself."""

    id: str
    source: str
    place: tuple[str, int]
    score: float = field(compare=False)
    parts: Mapping[str, float] = field(compare=False, default_factory=dict)
    """Share of each route and weight in the score."""
    chunk: Chunk | None = field(compare=False, default=None)
    """The chunk itself where the ranking has read it."""
    own: float = field(compare=False, default=0.0)
    """What the chunk alone scores: decides which chunk stands for its place."""


@dataclass(frozen=True, slots=True)
class ChunkScores:
    """Scores of all chunks of a scope, float32 (chunks,), before they are put together."""

    words: np.ndarray
    """Of the chunk and what stands beside it on the page: what its place is judged by."""
    own_words: np.ndarray
    dense: np.ndarray | None
    left_out: np.ndarray | None = None
    """Chunks that are not searched, bool (chunks,); None: all are."""


def by_each_sentence(index: ScopeIndex, query: Query, weights: Weights) -> bool:
    """True where a question of several sentences is searched in one document: each of them is compared by itself."""
    is_asked = query.sentences is not None and len(index.sources) == 1 and weights.sentence > 0
    return is_asked and index.space is not None and bool(index.space.present.any())


def score_chunks(index: ScopeIndex, query: Query, weights: Weights, left_out: np.ndarray | None = None) -> ChunkScores:
    """BM25 of text and headings, and the vectors' cosine; chunks that are left out score as if nothing fitted."""
    words = index.page_words.scores(query.terms, weights.k1, weights.b, left_out)
    is_alike = index.page_words is index.words and left_out is None
    own_words = words.copy() if is_alike else index.words.scores(query.terms, weights.k1, weights.b)
    words += weights.heading * index.headings.scores(query.terms, weights.k1, weights.b)
    if left_out is not None:
        words[left_out] = own_words[left_out] = 0.0
    _across_languages(index, query, weights, words, own_words)
    vector = _vector_of(index, query, weights)
    dense = dense_scores(index.space, index.beside, vector, query.beside, weights.smoothing)
    if dense is not None and left_out is not None:
        dense[left_out] = dense.min(initial=0.0)
    return ChunkScores(words, own_words, dense, left_out)


def _vector_of(index: ScopeIndex, query: Query, weights: Weights) -> np.ndarray | None:
    """The question's vector, or the weighted mean of those of its sentences where each of them is compared."""
    if query.sentences is None or query.sentence_shares is None or not by_each_sentence(index, query, weights):
        return query.vector
    mean: np.ndarray = query.sentence_shares @ query.sentences
    return mean


def _across_languages(
    index: ScopeIndex, query: Query, weights: Weights, words: np.ndarray, own_words: np.ndarray
) -> None:
    """Gives chunks in another language than the question, in place, a share of the best words by their likeness."""
    found = likeness_across_languages(index.space, index.beside, query.vector, query.beside)
    if found is None:
        return
    other, likeness = found
    for scores in (words, own_words):
        best = float(scores[~other].max(initial=0.0)) or 1.0
        scores[other] = np.maximum(scores[other], weights.other_language * best * likeness)


def rank_scope(
    index: ScopeIndex,
    query: Query,
    scores: ChunkScores,
    preference: Mapping[str, float],
    weights: Weights,
    limit: int,
    groups: Sequence[Sequence[str]],
) -> list[Candidate]:
    """The best ``limit`` places, best first, each with its best few chunks one after the other.

    Each of the ``groups`` of documents has the statements asked among its first places.
    """
    if not len(index):
        return []
    parts = place_parts(index, query, scores, preference, weights)
    total = np.sum(list(parts.values()), axis=0)
    reserved = reserved_share(index, total, query.homes, groups)
    if reserved is not None:
        parts["reserved"] = reserved
        total = total + reserved
    own = _own_scores(scores, weights)
    is_shown = np.ones(len(index), bool) if scores.left_out is None else ~scores.left_out
    has_shown = np.zeros(len(total), bool)
    has_shown[index.places.of_chunk[is_shown]] = True
    total = np.where(has_shown, total, -np.inf)
    best = best_first(total, limit)
    place_rank = np.full(len(total), limit, np.int32)
    place_rank[best] = np.arange(len(best))
    rows = np.flatnonzero(is_shown & (place_rank[index.places.of_chunk] < limit))
    rows = rows[np.lexsort((rows, -own[rows], place_rank[index.places.of_chunk[rows]]))]
    kept: Counter[int] = Counter()
    found = []
    for row in rows.tolist():
        place = int(index.places.of_chunk[row])
        kept[place] += 1
        if kept[place] <= _CHUNKS_OF_PLACE:
            found.append(_found(index, row, total, parts, float(own[row])))
    return found


def place_parts(
    index: ScopeIndex, query: Query, scores: ChunkScores, preference: Mapping[str, float], weights: Weights
) -> dict[str, np.ndarray]:
    """The shares of each place's score by name, float32 (places,) each; what does not apply is left out."""
    shares = {
        "words": to_best(index.places.best(scores.words)),
        "dense": _dense_share(index, scores, weights),
        "home": _home_share(index, query, weights),
        "about": _about_share(index, query, preference, weights),
        "exhibits": _lost_share(index, query, "exhibits", weights.exhibits),
        "auditor": _lost_share(index, query, "auditor", weights.auditor),
        "asks": _asks_share(index, weights),
        "fact": _fact_share(index, query, weights),
        "years": weights.years * _years_on(index, query) if query.question.years else None,
        "summary": _summary_share(index, query, weights) if weights.summary else None,
        "value": weights.value * index.places.best(index.values) if weights.value else None,
        "pin": weights.pin * _marked(index, query.pinned) if query.pinned else None,
        "fit": _fit_share(index, preference, weights),
    }
    return {name: share for name, share in shares.items() if share is not None}


def _dense_share(index: ScopeIndex, scores: ChunkScores, weights: Weights) -> np.ndarray | None:
    if scores.dense is None:
        return None
    return weights.dense * above_mean(index.places.best(scores.dense))


def _home_share(index: ScopeIndex, query: Query, weights: Weights) -> np.ndarray | None:
    """Pages of the classes where the asked figure is at home."""
    classes = index.places.classes
    homes = [score * classes[name] for name, score in query.homes.items() if name in classes]
    return np.asarray(weights.home * np.max(homes, axis=0)) if homes else None


def _about_share(
    index: ScopeIndex, query: Query, preference: Mapping[str, float], weights: Weights
) -> np.ndarray | None:
    """Documents of whose company, kind and period the question speaks, where the scope did not see to it."""
    if not weights.about or len(index.sources) < 2 or preference:
        return None
    about = to_best(index.about().scores(query.terms))
    return np.asarray(weights.about * about[index.places.document])


def _lost_share(index: ScopeIndex, query: Query, page_class: str, weight: float) -> np.ndarray | None:
    """What the pages of a class lose, unless they are what is asked for."""
    if not weight or page_class not in index.places.classes or page_class in query.homes:
        return None
    return -weight * index.places.classes[page_class]


def _asks_share(index: ScopeIndex, weights: Weights) -> np.ndarray | None:
    """What questions of calls lose where their answers are other places."""
    asks = index.places.turns.asks
    return np.where(asks, -weights.asks, 0.0).astype(np.float32) if asks.any() else None


def _fact_share(index: ScopeIndex, query: Query, weights: Weights) -> np.ndarray | None:
    """Pages that state the figure asked, financial statements a little before others."""
    if not query.fact_pages:
        return None
    worth = weights.fact + weights.fact_in_statement * _statements(index)
    return _marked(index, query.fact_pages) * worth


def _fit_share(index: ScopeIndex, preference: Mapping[str, float], weights: Weights) -> np.ndarray | None:
    """How well the document of each place fits the period and kind asked."""
    if not preference:
        return None
    fits = np.array([preference.get(source, 0.0) for source in index.sources], np.float32)
    return np.asarray(weights.preference * fits[index.places.document])


def _summary_share(index: ScopeIndex, query: Query, weights: Weights) -> np.ndarray | None:
    """What the summaries above each place are worth: half by their vectors, half by the words of the section."""
    tree = index.summaries()
    if tree is None or query.vector is None:
        return None
    by_words = to_best(index.places.best(tree.word_scores(query.terms, weights.k1, weights.b)))
    by_vector = above_mean(index.places.best(tree.best_above(query.vector)))
    return np.asarray(weights.summary / 2 * (by_words + by_vector), np.float32)


def _own_scores(scores: ChunkScores, weights: Weights) -> np.ndarray:
    own = to_best(scores.own_words)
    return own if scores.dense is None else own + weights.dense * above_mean(scores.dense)


def _marked(index: ScopeIndex, pages: Mapping[tuple[str, int], float]) -> np.ndarray:
    """The best score of the pages of each place; page 0 stands for all places of a document that has no pages."""
    marked = np.zeros(len(index.places), np.float32)
    for (source, page), score in pages.items():
        place = index.places.of_page.get((source, page))
        if place is not None:
            marked[place] = max(marked[place], score)
        elif not page and source in index.sources:
            own = index.places.document == index.sources.index(source)
            marked[own] = np.maximum(marked[own], score)
    return marked


def _statements(index: ScopeIndex) -> np.ndarray:
    """How surely each place is a financial statement."""
    classes = index.places.classes
    best = np.zeros(len(index.places), np.float32)
    for name in statement_classes():
        if name in classes:
            np.maximum(best, classes[name], out=best)
    return best


def _years_on(index: ScopeIndex, query: Query) -> np.ndarray:
    """The share of the asked years that each place names."""
    named = np.zeros(len(index.places), np.float32)
    for year in query.question.years:
        rows, _ = index.words.postings(str(year))
        names_it = np.zeros(len(named), bool)
        names_it[index.places.of_chunk[rows]] = True
        named += names_it
    return named / len(query.question.years)


def _found(index: ScopeIndex, row: int, total: np.ndarray, parts: Mapping[str, np.ndarray], own: float) -> Candidate:
    source, place = index.sources[int(index.document[row])], int(index.places.of_chunk[row])
    shares = {name: round(part.item(place), 4) for name, part in parts.items()}
    return Candidate(index.ids[row], source, (source, place), float(total[place]), shares, own=own)


def reserved_share(
    index: ScopeIndex, total: np.ndarray, homes: Mapping[str, float], groups: Sequence[Sequence[str]]
) -> np.ndarray | None:
    """What raises the best page of each home of a figure asked into the first places; float32 (places,).

    None where all have one. ``groups`` of documents are each shown first places of their own.
    """
    pages = [index.places.classes[n] for n, s in homes.items() if s >= METRIC and n in index.places.classes]
    if not pages:
        return None
    share = np.zeros(len(total), np.float32)
    for group in groups:
        inside = _places_of(index, group)
        first = _best(inside, total)
        missing = _missing(pages, total, inside, first)
        for place, steps in zip(missing, range(len(missing), 0, -1), strict=True):
            displaced = first[len(first) - len(missing)]
            share[place] = total[displaced] + _STEP * steps - total[place]
    return share if share.any() else None


def _places_of(index: ScopeIndex, group: Sequence[str]) -> np.ndarray:
    if len(group) >= len(index.sources):
        return np.arange(len(index.places))
    wanted = set(group)
    documents = [at for at, source in enumerate(index.sources) if source in wanted]
    return np.flatnonzero(np.isin(index.places.document, documents))


def _best(inside: np.ndarray, total: np.ndarray) -> np.ndarray:
    """The first places, best first."""
    if len(inside) > _FIRST:
        inside = inside[np.argpartition(-total[inside], _FIRST)[:_FIRST]]
    best: np.ndarray = inside[np.argsort(-total[inside], kind="stable")]
    return best


def _missing(pages: Sequence[np.ndarray], total: np.ndarray, inside: np.ndarray, first: np.ndarray) -> list[int]:
    """The best page of each class that the first places lack, best first."""
    found: list[int] = []
    for scores in pages:
        surely = inside[scores[inside] >= _SURELY]
        if len(surely) and scores[first].max() < _SURELY:
            found.append(int(surely[np.argmax(total[surely])]))
    return sorted(set(found), key=lambda place: -total[place])[: _FIRST - 1]
