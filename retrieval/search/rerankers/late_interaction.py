"""Late interaction: each part of a question meets the part of a passage that fits it best (Khattab & Zaharia 2020).

Of sentences: a question of several sentences, as analysts ask them, has a vector for each, and a place is worth the
mean of their best cosines, by their words. The sentences of documents are embedded already: this costs the question's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ranking.scoring import Candidate
from .base import RankingContext

PLACES = 30
"""First places whose sentences are compared."""


def by_sentences(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """The candidates with their places ranked anew, where one document is searched for a question of several sentences.

    Over many documents, the sentence that is most like one of a question stands in the wrong text too often.
    """
    query, index = context.query, context.index
    is_asked = query.sentences is not None and context.weights.sentence and len(index.sources) == 1
    if not is_asked or not context.store.embedder():
        return list(candidates)
    numbers = list(dict.fromkeys(item.place[1] for item in candidates))[:PLACES]
    share = _place_scores(numbers, context)
    raised = [_raised(item, context.weights.sentence * share.get(item.place[1], 0.0)) for item in candidates]
    return sorted(raised, key=lambda item: -item.score)


def _place_scores(numbers: Sequence[int], context: RankingContext) -> dict[int, float]:
    """Place -> mean of the best cosine of each of the question's sentences to one of its own."""
    query, of_chunk = context.query, context.index.places.of_chunk
    assert query.sentences is not None and query.sentence_shares is not None
    rows = np.flatnonzero(np.isin(of_chunk, numbers))
    vectors = context.store.sentence_vectors([context.index.ids[row] for row in rows.tolist()])
    best: dict[int, np.ndarray] = {}
    for row, own in zip(rows.tolist(), vectors, strict=True):
        if not len(own):
            continue
        place = int(of_chunk[row])
        cosines = (own @ query.sentences.T).max(axis=0)
        best[place] = np.maximum(best[place], cosines) if place in best else cosines
    return {place: float(cosines @ query.sentence_shares) for place, cosines in best.items()}


def _raised(item: Candidate, share: float) -> Candidate:
    return replace(item, score=item.score + share, parts={**item.parts, "sentences": round(share, 4)})
