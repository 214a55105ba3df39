"""How strongly the text holds together at every gap between two sentences, read from maximal cliques."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from .cliques import Clique, maximal_cliques
from .similarity import band_similarities, forward_edges, within_sections

if TYPE_CHECKING:
    import numpy as np


def gap_cohesion(vectors: np.ndarray, sections: np.ndarray, window: int, quantile: float) -> np.ndarray:
    """Rank of each gap, float64 (n,) in 0..1: entry g is the gap before sentence g; entry 0 means nothing.

    ``vectors`` are unit rows, ``sections`` (n,) numbers the stretches that no edge crosses. Three views, ranked and
    added: the cosine of the two neighbours, the cosine of the clique that ends before the gap with the one that begins
    after it, and how many cliques lie across. In whatever order the cliques are found, the result is the same.
    """
    import numpy as np

    n = len(vectors)
    if n < 2:
        return np.zeros(n)
    band = band_similarities(vectors, 2 * window - 1)
    near = band[:, : max(1, window - 1)]
    edges = forward_edges(near, within_sections(near, sections), quantile)
    crossing, before, after = _clique_views(maximal_cliques(edges, window), n, window)
    soft = np.flatnonzero(sections[1:] == sections[:-1]) + 1
    windows = _window_cosines(band, before, after, window)
    views = [band[soft - 1, 0], windows[soft], crossing[soft]]
    cohesion = np.zeros(n)
    cohesion[soft] = _ranks(np.sum([_ranks(view) for view in views], axis=0))
    return cohesion


def _clique_views(cliques: Iterable[Clique], n: int, window: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What lies across each gap, and for each sentence the best clique up to it and from it on, as bit masks.

    A clique of given mask begins at a sentence only once, so all cliques of one mask are worked off as arrays.
    """
    import numpy as np

    by_mask: dict[int, list[int]] = {}
    for first, mask in cliques:
        by_mask.setdefault(mask, []).append(first)
    preference, masks = _preferences(window)
    crossing, best_before, best_after = np.zeros(n), np.full(n, preference[1]), np.full(n, preference[1])
    for mask in sorted(by_mask):
        starts = np.array(by_mask[mask])
        for gap, weight in _crossings(mask):
            crossing[starts + gap] += weight
        for bit in (bit for bit in range(mask.bit_length()) if mask >> bit & 1):
            sentence = starts + bit
            best_before[sentence] = np.maximum(best_before[sentence], preference[_mirrored(mask, bit)])
            best_after[sentence] = np.maximum(best_after[sentence], preference[mask >> bit])
    return crossing, masks[best_before], masks[best_after]


def _crossings(mask: int) -> list[tuple[int, float]]:
    """For every gap inside a clique: its density, times the share of pairs that the gap parts (1 at an even split)."""
    size, span = mask.bit_count(), mask.bit_length()
    left = [(mask & ((1 << gap) - 1)).bit_count() for gap in range(span)]
    return [(gap, size / span * 4 * left[gap] * (size - left[gap]) / size**2) for gap in range(1, span)]


def _mirrored(mask: int, bit: int) -> int:
    """The members up to ``bit``, seen from there: bit k stands for k places back."""
    return sum(1 << (bit - place) for place in range(bit + 1) if mask >> place & 1)


@cache
def _preferences(window: int) -> tuple[np.ndarray, np.ndarray]:
    """Rank of each one-sided mask and back: most members squared over span, then the shorter, then the larger mask."""
    import numpy as np

    odd = range(1, 1 << window, 2)
    order = sorted(odd, key=lambda mask: (mask.bit_count() ** 2 / mask.bit_length(), -mask.bit_length(), mask))
    rank = np.zeros(1 << window, np.int64)
    rank[order] = np.arange(len(order))
    return rank, np.array(order)


def _window_cosines(band: np.ndarray, before: np.ndarray, after: np.ndarray, window: int) -> np.ndarray:
    """Cosine of the mean vectors of the clique that ends before each gap and of the one that begins after it.

    Worked out from the pairwise cosines: no mean vector is ever made.
    """
    import numpy as np

    n = len(band)
    cosine = np.where(np.isfinite(band), band, 0)
    left = [(before[:-1] >> a & 1).astype(np.float32) for a in range(window)]
    right = [(after[1:] >> b & 1).astype(np.float32) for b in range(window)]
    dots, left_norm, right_norm = (np.zeros(n - 1, np.float32) for _ in range(3))
    for a in range(min(window, n - 1)):
        left_norm += left[a]
        right_norm += right[a]
        for b in range(min(window, n - 1)):
            dots[a:] += (left[a] * right[b])[a:] * cosine[: n - 1 - a, a + b]
        for b in range(a):  # pairs of one side, each counted twice
            left_norm[a:] += 2 * (left[a] * left[b])[a:] * cosine[: n - 1 - a, a - b - 1]
            right_norm[: n - 1 - b] += 2 * (right[a] * right[b])[: n - 1 - b] * cosine[1 + b :, a - b - 1]
    windows = np.zeros(n)
    windows[1:] = dots / np.sqrt(np.maximum(left_norm * right_norm, 1e-12))
    return windows


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks scaled to 0..1, equal values sharing their mean rank."""
    import numpy as np

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(counts) - (counts + 1) / 2
    return mean_rank[place] / max(1, len(values) - 1)
