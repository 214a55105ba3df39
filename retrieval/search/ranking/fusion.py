"""Putting scores and rankings together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)


def to_best(scores: np.ndarray) -> np.ndarray:
    """Scores as shares of the best one; all 0 where none is above 0.

    >>> to_best(np.array([2.0, 1.0, 0.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    best = float(scores.max(initial=0.0))
    return scores / best if best > 0 else np.zeros_like(scores)


def above_mean(scores: np.ndarray) -> np.ndarray:
    """Scores from -1 to 1: 0 at the mean, 1 at the best.

    >>> above_mean(np.array([3.0, 1.0, 2.0, 0.0])).round(2).tolist()
    [1.0, -0.33, 0.33, -1.0]
    """
    if not len(scores):
        return scores
    mean = scores.mean()
    spread = float(scores.max() - mean)
    return np.clip((scores - mean) / spread, -1.0, 1.0) if spread > 1e-9 else np.zeros_like(scores)


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[Key]], constant: float = 60.0, weights: Sequence[float] = ()
) -> list[tuple[Key, float]]:
    """Items of all rankings, best first, by the sum of weight / (constant + rank) (Cormack et al. 2009).

    ``weights`` has one for each ranking; without them all are 1.

    >>> [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    scores: dict[Key, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + weight / (constant + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


def interleaved(ahead: Sequence[T], between: Sequence[T], *, first: int, every: int) -> list[T]:
    """``first`` items of ``ahead``, then at every ``every``-th place one of ``between``; what is left over follows.

    >>> interleaved(["a", "b", "c", "d"], ["X", "Y"], first=2, every=2)
    ['a', 'b', 'X', 'c', 'Y', 'd']
    """
    rest, others = list(ahead[first:]), list(between)
    merged = list(ahead[:first])
    while others:
        merged.append(others.pop(0))
        if others:
            merged.extend(rest[: every - 1])
            rest = rest[every - 1 :]
    return [*merged, *rest]
