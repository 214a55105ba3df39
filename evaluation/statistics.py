"""How sure a measured mean is: bootstrap intervals over questions (Efron & Tibshirani 1993, percentile method)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

SAMPLES = 10_000
"""Resamples: the ends of the interval then move by less than a hundredth of its width from seed to seed."""
LEVEL = 0.95
_CELLS = 4_000_000
"""Indices drawn at once, so that memory stays at some 64 MB whatever the number of questions."""


def bootstrap(values: Sequence[float], *, samples: int = SAMPLES, seed: int = 0) -> tuple[float, float, float]:
    """Mean of the values with its 95 % percentile interval: (mean, low, high); (0, 0, 0) without values.

    >>> bootstrap([1.0, 1.0, 1.0])
    (1.0, 1.0, 1.0)
    """
    import numpy as np
    from scipy import stats

    data = np.asarray(values, dtype=np.float64)
    mean = float(data.mean()) if len(data) else 0.0
    if len(data) < 2:
        return mean, mean, mean
    interval = stats.bootstrap(
        (data,),
        np.mean,
        n_resamples=samples,
        batch=max(1, _CELLS // len(data)),
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return mean, float(interval.low), float(interval.high)


def paired_bootstrap(
    a: Sequence[float], b: Sequence[float], seed: int = 0, *, samples: int = SAMPLES
) -> tuple[float, float, float]:
    """Mean of ``a - b`` over the same questions with its 95 % interval: (difference, low, high).

    The difference is beyond noise where the interval leaves out zero.

    Raises:
        ValueError: the two have different lengths, so they cannot be the same questions.

    >>> paired_bootstrap([1, 1, 1], [0, 0, 0])
    (1.0, 1.0, 1.0)
    """
    if len(a) != len(b):
        raise ValueError(f"paired values must be of equal length, got {len(a)} and {len(b)}")
    return bootstrap([float(x) - float(y) for x, y in zip(a, b, strict=True)], samples=samples, seed=seed)


def clustered_bootstrap(
    values: Sequence[float], clusters: Sequence[str], *, samples: int = 2_000, seed: int = 0
) -> tuple[float, float, float]:
    """Mean of the values with its 95 % interval, whole clusters drawn again: (mean, low, high); 0s without values.

    Answers of one session resemble each other: drawn one by one they would look more certain than they are. Source:
    Davison & Hinkley 1997, section 3.8.

    >>> clustered_bootstrap([1.0, 1.0, 0.0], ["a", "a", "b"])
    (0.6666666666666666, 0.0, 1.0)
    """
    means = _drawn_means(values, clusters, samples, seed)
    mean = sum(values) / len(values) if values else 0.0
    return (mean, *_interval(means)) if len(means) else (mean, mean, mean)


def clustered_difference(
    a: Sequence[float], a_clusters: Sequence[str], b: Sequence[float], b_clusters: Sequence[str],
    *, samples: int = 2_000, seed: int = 0,
) -> tuple[float, float, float]:  # fmt: skip
    """Mean of ``a`` less that of ``b``, two independent groups of clusters, with its 95 % interval."""
    drawn = _drawn_means(a, a_clusters, samples, seed) - _drawn_means(b, b_clusters, samples, seed + 1)
    difference = sum(a) / max(len(a), 1) - sum(b) / max(len(b), 1)
    return (difference, *_interval(drawn))


def _drawn_means(values: Sequence[float], clusters: Sequence[str], samples: int, seed: int) -> np.ndarray:
    """The mean in each resample of clusters, float (samples,); empty without values."""
    import numpy as np

    if not values:
        return np.empty(0)
    names, number = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(number, weights=np.asarray(values, float), minlength=len(names))
    counts = np.bincount(number, minlength=len(names))
    random = np.random.default_rng(seed)
    means = []
    for start in range(0, samples, rows := max(1, _CELLS // len(names))):
        drawn = random.integers(0, len(names), (min(rows, samples - start), len(names)))
        means.append(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    return np.concatenate(means)


def _interval(means: np.ndarray) -> tuple[float, float]:
    import numpy as np

    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
