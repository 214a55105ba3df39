"""How well chunks fit what was asked for, in characters, and their borders the true ones.

Source: Smith & Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, 2024.
A range is (start, end) in one corpus. Where several corpora are searched together, what was retrieved from other
corpora than the gold's enters only by its length (``elsewhere``). Overlapping chunks count twice in the precision, as
published.

Borders: Pk (Beeferman et al. 1999) and WindowDiff (Pevzner & Hearst 2002). A segmentation is given as the lengths of
its segments in sentences, in order. Both measures slide a window of ``k`` sentences, half the mean true segment length
unless given. 0 is perfect, lower is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, product

Range = tuple[int, int]


def union(ranges: Iterable[Range]) -> list[Range]:
    """Sorted ranges without overlaps.

    >>> union([(5, 9), (0, 3), (2, 4)])
    [(0, 4), (5, 9)]
    """
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def length(ranges: Iterable[Range]) -> int:
    """Characters in the ranges, overlaps counted as often as they occur."""
    return sum(end - start for start, end in ranges)


def covered(gold: Sequence[Range], retrieved: Sequence[Range]) -> int:
    """Gold characters that at least one retrieved range holds."""
    parts: list[Range] = []
    for wanted, found in product(gold, retrieved):
        start, end = max(wanted[0], found[0]), min(wanted[1], found[1])
        if start < end:
            parts.append((start, end))
    return length(union(parts))


def recall(gold: Sequence[Range], retrieved: Sequence[Range]) -> float:
    """``|gold & retrieved| / |gold|``.

    >>> recall([(0, 10)], [(5, 20)])
    0.5
    """
    total = length(union(gold))
    return covered(gold, retrieved) / total if total else 0.0


def precision(gold: Sequence[Range], retrieved: Sequence[Range], elsewhere: int = 0) -> float:
    """``|gold & retrieved| / |retrieved|``, overlapping chunks counted twice in the denominator."""
    size = length(retrieved) + elsewhere
    return covered(gold, retrieved) / size if size else 0.0


def iou(gold: Sequence[Range], retrieved: Sequence[Range], elsewhere: int = 0) -> float:
    """``|gold & retrieved| / (|retrieved| + |gold not retrieved|)``: equal to the precision when nothing is missed."""
    found = covered(gold, retrieved)
    size = length(retrieved) + elsewhere + length(union(gold)) - found
    return found / size if size else 0.0


def within_budget(tokens: Iterable[int], budget: int) -> int:
    """How many of the first chunks fit in a budget of tokens; the first that does not fit ends the list.

    >>> within_budget([200, 250, 100], 500)
    2
    """
    taken = spent = 0
    for count in tokens:
        spent += count
        if spent > budget:
            break
        taken += 1
    return taken


def recall_at_budget(
    gold: Sequence[Range], ranked: Sequence[Range | None], tokens: Sequence[int], budget: int
) -> float:
    """Recall of the ranked chunks that fit in a token budget; None stands for a chunk of another corpus.

    Judges chunkers of different sizes alike, where the recall of the first k rewards big chunks.
    """
    first = ranked[: within_budget(tokens, budget)]
    return recall(gold, [part for part in first if part is not None])


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
