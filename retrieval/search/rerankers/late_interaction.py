"""Late interaction: each part of a question meets the part of a passage that fits it best (Khattab & Zaharia 2020).

Of sentences: a question of several sentences, as analysts ask them, has a vector for each, and a place is worth the
mean of their best cosines, by their words. The sentences of documents are embedded already: this costs the question's.

Of tokens (the extra "tokens"): the states that the encoder gives the tokens of the question and of each of the first
passages; a passage is worth the mean over the question's tokens of the best cosine to one of its own (MaxSim). The
passages are read anew for every question, which takes the encoder about a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ....ingest.pieces.embedding_text import embedding_text
from ..scoring import Candidate, by_each_sentence
from ..weights import TOKENS, above_mean
from .base import RankingContext

PLACES = 30
"""First places whose sentences are compared."""
PASSAGES = 30
"""First passages whose tokens are compared: what is further behind rarely gets in front."""
_TOKEN_WEIGHT = 0.5
"""The best passage by tokens beside the best by words, which counts 1."""


def by_sentences(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """The candidates with their places ranked anew, where one document is searched for a question of several sentences.

    What their sentences are worth takes the place of what their vectors were, which say the same less well: with both,
    calls without their questions had hit@5 .742, MRR@10 .543, so .806 and .585. Over many documents, the sentence that
    is most like one of a question stands in the wrong text too often.
    """
    if not by_each_sentence(context.index, context.query, context.weights):
        return list(candidates)
    numbers = list(dict.fromkeys(item.place[1] for item in candidates))[:PLACES]
    found = _place_scores(numbers, context)
    scaled = context.weights.dense * above_mean(np.array(list(found.values()), np.float32))
    share = dict(zip(found, scaled.tolist(), strict=True))
    raised = [_reread(item, share) for item in candidates]
    return sorted(raised, key=lambda item: -item.score)


def by_tokens(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """The first candidates with their places ranked anew by late interaction of tokens, where it is asked for.

    Raises UsageError where the encoder gives no states of tokens, as endpoints do.
    """
    embedder = context.embedder
    if TOKENS not in context.extras or embedder is None or context.scores.dense is None:
        return list(candidates)
    from ....models.token_states import token_encoder

    encoder = token_encoder(embedder)
    first = list(candidates[:PASSAGES])
    ids = [item.id for item in first]
    chunks = {chunk.id: chunk for chunk in context.store.chunks(ids)}
    with context.trace.timed("tokens"):
        asked = _unit(encoder.token_states(context.query.question.trimmed)[1])
        scores: list[float] = []
        for id in ids:
            states = encoder.token_states(embedding_text(chunks[id].text))[1]
            scores.append(max_sim(asked, _unit(states)))
    shares: dict[tuple[str, int], float] = {}
    for item, score in zip(first, above_mean(np.array(scores, np.float32)).tolist(), strict=True):
        shares[item.place] = max(shares.get(item.place, -1.0), _TOKEN_WEIGHT * score)
    raised: list[Candidate] = []
    for item in first:
        share = shares[item.place]
        raised.append(replace(item, score=item.score + share, parts={**item.parts, "tokens": round(share, 4)}))
    return [*sorted(raised, key=lambda item: -item.score), *candidates[PASSAGES:]]


def max_sim(question: np.ndarray, passage: np.ndarray) -> float:
    """Mean over the question's tokens (n, dim) of the best cosine to a token of the passage (m, dim), unit rows.

    >>> max_sim(np.eye(2), np.array([[1.0, 0.0], [0.6, 0.8]]))
    0.9
    """
    if not len(question) or not len(passage):
        return 0.0
    return float((question @ passage.T).max(axis=1).mean())


def _unit(states: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(states, axis=1, keepdims=True)
    unit: np.ndarray = states / np.maximum(norms, 1e-9)
    return unit


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


def _reread(item: Candidate, share: Mapping[int, float]) -> Candidate:
    """With the ``share`` of its place's sentences, where they were read, for that of its vectors."""
    if item.place[1] not in share:
        return item
    parts = dict(item.parts)
    before = parts.pop("dense", 0.0)
    own = parts["sentences"] = round(share[item.place[1]], 4)
    return replace(item, score=item.score - before + own, parts=parts)
