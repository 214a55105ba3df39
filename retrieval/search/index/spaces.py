"""Two spaces of vectors in one search: each document is compared in the one that it and the question share.

Which one a Chinese question is compared in is found out by asking the encoder: an English one gives vectors that mean
nothing. Scores of chunks are smoothed with those of their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from ....core.language import is_english
from ....core.names import is_chinese
from ....core.records import dataclass
from ....core.sequences import without
from ....kg.storage.codec import dots
from ....kg.store import Store
from ....models.embedders import SPACES, Embedder, Space, multilingual_of
from ..weights import above_mean

_PROBES = (
    ("公司盈利大幅增长", "企业赚了更多钱", "昨夜山里下雪"),
    ("董事长辞职", "主席离任", "豆腐很好吃"),
    ("银行贷款利率上调", "借钱更贵", "小猫正睡觉"),
    ("汽车销量下滑", "卖出车辆减少", "音乐非常动听"),
    ("法院判决赔偿", "官司败诉须支付罚金", "樱花已经盛开"),
    ("工厂停产检修", "生产线暂停", "孩子爱读诗"),
)
"""A sentence, one that means nearly the same in other characters, and one about something else."""
_ENOUGH, _MARGIN = 5, 0.05


def reads_chinese(embedder: Embedder) -> bool:
    """True where sentences of like meaning are nearer to each other than to others; asked once a model."""
    return _probe(_Named(embedder))


class _Named:
    """An embedder that is cached by its name."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and other.embedder.name == self.embedder.name

    def __hash__(self) -> int:
        return len(self.embedder.name)


@lru_cache(maxsize=8)
def _probe(named: _Named) -> bool:
    vectors = named.embedder.embed(list(chain.from_iterable(_PROBES)))
    nearer = sum(
        float(vectors[at] @ vectors[at + 1]) > float(vectors[at] @ vectors[at + 2]) + _MARGIN
        for at in range(0, len(vectors), 3)
    )
    return nearer >= _ENOUGH


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What smoothing needs of consecutive unit vectors whatever the question, float32 (n,): worked out once."""

    joined: np.ndarray
    """Of each row but the first: 1 where the row before is its neighbour."""
    count: np.ndarray
    near: np.ndarray
    """Sum of the cosines to the neighbours."""
    across: np.ndarray
    """Cosine of a row's two neighbours to each other."""

    @classmethod
    def of(cls, vectors: np.ndarray, follows: np.ndarray) -> Neighbours:
        """``vectors`` are unit rows (n, dim); row i - 1 is a neighbour of row i where ``follows[i]``."""
        joined = follows[1:].astype(np.float32)
        count, near, across = (np.zeros(len(vectors), np.float32) for _ in range(3))
        cosines = np.einsum("ij,ij->i", vectors[1:], vectors[:-1]) * joined
        count[1:] += joined
        count[:-1] += joined
        near[1:] += cosines
        near[:-1] += cosines
        if len(vectors) > 2:
            across[1:-1] = np.einsum("ij,ij->i", vectors[2:], vectors[:-2]) * joined[1:] * joined[:-1]
        return cls(joined, count, near, across)

    def smoothed(self, scores: np.ndarray, share: float) -> np.ndarray:
        """Cosine of a question to ``v[i] + share * (v[i-1] + v[i+1])``, from its cosine to each row, float32 (n,).

        It helps an index of many subjects and hurts look-ups in one known document, for which the share is 0.
        """
        summed = scores.copy()
        summed[1:] += share * scores[:-1] * self.joined
        summed[:-1] += share * scores[1:] * self.joined
        squared = 1 + share**2 * self.count + 2 * share * self.near + 2 * share**2 * self.across
        return np.asarray(summed / np.sqrt(np.maximum(squared, 1e-6)), np.float32)


_MANY = 50
"""Chunks in a space from which the best one is likely to answer."""


def question_vectors(
    embedder: Embedder | None, wordings: Mapping[str, float]
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """A question's unit vectors, float32 (dim,), in the main space and in that of the multilingual encoder.

    ``wordings`` have weights. None in the main space where its encoder does not read the question's language.
    """
    text = next(iter(wordings))
    beside = multilingual_of(embedder)
    own = None if embedder is None or _is_closed_to(embedder, text) else _mixed(embedder, wordings)
    return own, _mixed(beside.embedder, wordings) if beside is not None else None


def _is_closed_to(embedder: Embedder, text: str) -> bool:
    if is_chinese(text):
        return not reads_chinese(embedder)
    return multilingual_of(embedder) is not None and not is_english(text)


def _mixed(embedder: Embedder, wordings: Mapping[str, float]) -> np.ndarray:
    vectors = embedder.embed(list(wordings))
    mixed = np.sum([weight * vector for weight, vector in zip(wordings.values(), vectors, strict=True)], axis=0)
    return np.asarray(mixed / max(float(np.linalg.norm(mixed)), 1e-12), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class SpaceIndex:
    """The vectors of a scope in a space, ready to be compared with a question."""

    vectors: np.ndarray
    """Float32 (chunks, dim), unit rows; zero rows for chunks that have none in this space."""
    present: np.ndarray
    """Bool (chunks,): which have one."""
    neighbours: Neighbours | None
    """Vectors beside each other under the same headings; None in one document, where smoothing hurts."""

    @classmethod
    def of(cls, vectors: np.ndarray, follows: np.ndarray | None) -> SpaceIndex:
        """``follows`` says which chunks stand behind the one before; None: no smoothing."""
        neighbours = None if follows is None else Neighbours.of(vectors, follows)
        return cls(vectors, np.einsum("ij,ij->i", vectors, vectors) > 0, neighbours)

    def scores(self, vector: np.ndarray, smoothing: float) -> np.ndarray:
        """Cosine of each chunk, smoothed with its neighbours; float32 (chunks,)."""
        found = np.asarray(dots(self.vectors, vector), np.float32)
        if self.neighbours is not None and smoothing:
            return self.neighbours.smoothed(found, smoothing)
        return found


def dense_scores(
    own: SpaceIndex | None,
    beside: SpaceIndex | None,
    vector: np.ndarray | None,
    vector_beside: np.ndarray | None,
    smoothing: float,
) -> np.ndarray | None:
    """A score for each chunk by vectors, float32 (chunks,); None where no space holds both a chunk and the question.

    A chunk is compared in the main space where it can be, else in the other. Cosines of two encoders say nothing to
    each other, so that those of the second are put on the scale of the first, mean to mean and best to best: the best
    of each space counts alike. A chunk without a vector is as good as the mean.
    """
    first = None if own is None or vector is None else (own.scores(vector, smoothing), own.present)
    second = (
        None if beside is None or vector_beside is None else (beside.scores(vector_beside, smoothing), beside.present)
    )
    if first is None:
        return None if second is None else _filled(*second)
    if second is None:
        return first[0]
    scores, present = first
    others, there = second[0], second[1] & ~present
    if not there.any():
        return scores
    if not present.any():
        return _filled(others, there)
    merged = np.where(present, scores, scores[present].mean())
    merged[there] = _on_scale_of(others[there], scores[present])
    return merged


def _trust(count: int) -> float:
    """What the best of so many chunks of a space is worth beside the best of the other: of three one is always best."""
    return min(1.0, count / _MANY)


def likeness_across_languages(
    own: SpaceIndex | None, beside: SpaceIndex | None, vector: np.ndarray | None, vector_beside: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray] | None:
    """Which chunks are in another language than the question, bool (chunks,), and how like it these are, 0..1.

    They share no words with it, so that likeness has to stand for both. None where there are no such chunks. English
    texts have a vector in the main space, others do not; a question has one there if it is English.
    """
    if beside is None or vector_beside is None:
        return None
    is_english_text = np.zeros(len(beside.present), bool) if own is None else own.present
    other = beside.present & (~is_english_text if vector is not None else is_english_text)
    if not other.any():
        return None
    scores = beside.scores(vector_beside, 0.0)[other]
    return other, np.maximum(above_mean(scores), 0.0) * _trust(int(other.sum()))


def _filled(scores: np.ndarray, present: np.ndarray) -> np.ndarray | None:
    """The scores, with the mean of those there are where there is none; None where there are none at all."""
    if present.all():
        return scores
    return np.where(present, scores, scores[present].mean()) if present.any() else None


def _on_scale_of(scores: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Scores moved and stretched so that their mean and their best are those of the others."""
    mean, best = float(scores.mean()), float(scores.max())
    target = float(others.mean())
    highest = target + _trust(len(scores)) * (float(others.max()) - target)
    spread = best - mean
    if spread < 1e-9:
        return np.full_like(scores, target)
    return np.asarray(target + (scores - mean) * (highest - target) / spread, np.float32)


def sentence_cosines_in_spaces(
    store: Store, ids: Sequence[str], vector: np.ndarray | None, beside: np.ndarray | None
) -> dict[str, np.ndarray]:
    """Chunk -> the cosine of each of its sentences, float32, in the space that it and the question share."""
    found: dict[str, np.ndarray] = {}
    for space, own in vectors_by_space(store, vector, beside):
        left = without(ids, found)
        for id, rows in zip(left, store.sentence_vectors(left, space), strict=True):
            if len(rows):
                found[id] = np.asarray(rows @ own, np.float32)
    return found


def vectors_by_space(
    store: Store, vector: np.ndarray | None, beside: np.ndarray | None
) -> Iterator[tuple[Space, np.ndarray]]:
    """A question's vectors with their spaces, the main one first; those of spaces in which the store has vectors."""
    for space, own in zip(SPACES, (vector, beside), strict=True):
        if own is not None and store.embedder(space):
            yield space, own
