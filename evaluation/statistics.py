"""How sure a measured mean is: bootstrap intervals over questions (Efron & Tibshirani 1993, percentile method)."""

from __future__ import annotations

from collections.abc import Sequence

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

    The difference is beyond noise where the interval leaves out zero (see :func:`differs`).

    Raises:
        ValueError: the two have different lengths, so they cannot be the same questions.

    >>> paired_bootstrap([1, 1, 1], [0, 0, 0])
    (1.0, 1.0, 1.0)
    """
    if len(a) != len(b):
        raise ValueError(f"paired values must be of equal length, got {len(a)} and {len(b)}")
    return bootstrap([float(x) - float(y) for x, y in zip(a, b, strict=True)], samples=samples, seed=seed)


def differs(interval: tuple[float, float, float]) -> bool:
    """True where a (difference, low, high) leaves out zero."""
    _, low, high = interval
    return low > 0 or high < 0
