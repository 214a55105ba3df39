"""How far found borders lie from the true ones: Pk (Beeferman et al. 1999) and WindowDiff (Pevzner & Hearst 2002).

A segmentation is given as the lengths of its segments in sentences, in order. Both measures slide a window of ``k``
sentences, half the mean true segment length unless given. 0 is perfect, lower is better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate


def pk(reference: Sequence[int], found: Sequence[int], k: int | None = None) -> float:
    """Share of windows whose two ends are in one segment by one segmentation and in two by the other.

    >>> pk([2, 2, 2], [2, 2, 2]), pk([4, 4], [8])
    (0.0, 0.3333333333333333)
    """
    return _window_error(reference, found, k, lambda a, b: (a == 0) != (b == 0))


def window_diff(reference: Sequence[int], found: Sequence[int], k: int | None = None) -> float:
    """Share of windows in which the two have different numbers of borders: also counts near misses and extras."""
    return _window_error(reference, found, k, lambda a, b: a != b)


def window_size(reference: Sequence[int]) -> int:
    """Half the mean segment length of the reference, at least 2.

    >>> window_size([8, 12])
    5
    """
    return max(2, round(sum(reference) / len(reference) / 2))


def _window_error(
    reference: Sequence[int], found: Sequence[int], k: int | None, wrong: Callable[[int, int], bool]
) -> float:
    if sum(reference) != sum(found):
        raise ValueError(f"the segmentations cover {sum(reference)} and {sum(found)} sentences")
    size = window_size(reference) if k is None else k
    true, ours = _borders_before(reference), _borders_before(found)
    windows = len(true) - size
    if windows <= 0:
        return 0.0
    return sum(wrong(true[i + size] - true[i], ours[i + size] - ours[i]) for i in range(windows)) / windows


def _borders_before(lengths: Sequence[int]) -> list[int]:
    """For each sentence the number of borders before it: ``[0, 0, 1, 1]`` for segments of two."""
    starts = set(accumulate(lengths[:-1]))
    return list(accumulate(int(i in starts) for i in range(sum(lengths))))
