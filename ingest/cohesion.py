"""How similar near sentences are, and how strongly the text holds together at each gap, read from maximal cliques."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..core.words import search_words

if TYPE_CHECKING:
    import numpy as np

_BLOCK = 512
"""Rows at once: a block of vectors of common dimensions stays in the processor's cache for all its distances."""


def band_similarities(vectors: np.ndarray, reach: int) -> np.ndarray:
    """Cosines of each sentence with the ``reach`` next ones: float32 (n, reach), ``[i, k - 1]`` of i and i + k.

    ``vectors`` are unit rows; -inf beyond the end. Memory is n x reach, never n x n.
    """
    import numpy as np

    n = len(vectors)
    band = np.full((n, reach), -np.inf, np.float32)
    for first in range(0, n, _BLOCK):
        for k in range(1, reach + 1):
            last = min(first + _BLOCK, n - k)
            if last > first:
                band[first:last, k - 1] = np.einsum("ij,ij->i", vectors[first:last], vectors[first + k : last + k])
    return band


def within_sections(band: np.ndarray, sections: np.ndarray) -> np.ndarray:
    """Bool (n, reach): true where both sentences are of one section; ``sections`` numbers them in ascending order."""
    import numpy as np

    n, reach = band.shape
    same = np.zeros((n, reach), bool)
    for k in range(1, min(reach, n - 1) + 1):
        same[: n - k, k - 1] = sections[:-k] == sections[k:]
    return same


def forward_edges(band: np.ndarray, allowed: np.ndarray, quantile: float) -> list[int]:
    """Bit masks for :func:`cliques.maximal_cliques`: edges where a similarity is above that quantile of all.

    A quantile, because no fixed threshold survives a change of the model.
    """
    import numpy as np

    known = band[allowed]
    if not known.size:
        return [0] * len(band)
    edges = (band > np.quantile(known, quantile)) & allowed
    weights: list[int] = (edges @ (2 << np.arange(band.shape[1]))).tolist()
    return weights


_DIMENSIONS = 256
"""Two words share a dimension seldom enough, and with random signs, so that cosines are kept within some .06."""


def lexical_vectors(texts: Sequence[str]) -> np.ndarray:
    """Float32 (len(texts), 256), unit rows (zero for a text without words), by the word statistics of these texts."""
    import numpy as np

    counts = [Counter(search_words(text)) for text in texts]
    document_frequency: Counter[str] = Counter()
    for count in counts:
        document_frequency.update(count.keys())
    weights: dict[str, tuple[int, float]] = {}
    for word, frequency in document_frequency.items():
        place, sign = _place(word)
        weights[word] = place, sign * math.log(1 + len(texts) / frequency)
    vectors = np.zeros((len(texts), _DIMENSIONS), np.float32)
    for row, count in zip(vectors, counts, strict=True):
        for word, times in count.items():
            place, weight = weights[word]
            row[place] += weight if times == 1 else weight * (1 + math.log(times))
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: np.ndarray = np.divide(vectors, norms, out=vectors, where=norms > 0)
    return unit


def _place(word: str) -> tuple[int, int]:
    """The dimension of a word and its sign there."""
    value = zlib.crc32(word.encode("utf-8", "surrogatepass"))
    sign = 1 if value >> 16 & 1 else -1
    return value % _DIMENSIONS, sign


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
    views = _clique_views(maximal_cliques(edges, window), n, window)
    inside_sections = np.flatnonzero(sections[1:] == sections[:-1]) + 1
    neighbours = band[inside_sections - 1, 0]
    windows = _window_cosines(band, views, window)[inside_sections]
    crossing = views.crossing[inside_sections]
    cohesion = np.zeros(n)
    cohesion[inside_sections] = _ranks(np.sum([_ranks(neighbours), _ranks(windows), _ranks(crossing)], axis=0))
    return cohesion


class _CliqueViews(NamedTuple):
    """What the cliques say of each gap and sentence; masks have bit k for the sentence k places off."""

    crossing: np.ndarray
    """Float64 (n,): how many cliques lie across the gap before a sentence, weighted."""
    before: np.ndarray
    """Int64 (n,): mask of the best clique up to a sentence, seen backwards from there."""
    after: np.ndarray
    """Int64 (n,): mask of the best clique from a sentence on."""


def _clique_views(cliques: Iterable[Clique], n: int, window: int) -> _CliqueViews:
    """A clique of given mask begins at a sentence only once, so all cliques of one mask are worked off as arrays."""
    import numpy as np

    starts_by_mask: dict[int, list[int]] = {}
    for first, mask in cliques:
        starts_by_mask.setdefault(mask, []).append(first)
    preference, masks = _preferences(window)
    alone = preference[1]
    crossing, best_before, best_after = np.zeros(n), np.full(n, alone), np.full(n, alone)
    for mask in sorted(starts_by_mask):
        starts = np.array(starts_by_mask[mask])
        for gap, weight in _crossings(mask):
            crossing[starts + gap] += weight
        for member in _bits(mask):
            sentences = starts + member
            before, after = preference[_mirrored(mask, member)], preference[mask >> member]
            best_before[sentences] = np.maximum(best_before[sentences], before)
            best_after[sentences] = np.maximum(best_after[sentences], after)
    return _CliqueViews(crossing, masks[best_before], masks[best_after])


def _bits(mask: int) -> list[int]:
    """Places of the bits that are set, from the lowest."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _crossings(mask: int) -> list[tuple[int, float]]:
    """For every gap inside a clique: its density, times the share of pairs that the gap parts (1 at an even split)."""
    size, span = mask.bit_count(), mask.bit_length()
    density = size / span
    weights: list[tuple[int, float]] = []
    for gap in range(1, span):
        left = (mask & ((1 << gap) - 1)).bit_count()
        weights.append((gap, density * 4 * left * (size - left) / size**2))
    return weights


def _mirrored(mask: int, bit: int) -> int:
    """The members up to ``bit``, seen from there: bit k stands for k places back."""
    up_to_bit = mask & ((2 << bit) - 1)
    return sum(1 << (bit - place) for place in _bits(up_to_bit))


@cache
def _preferences(window: int) -> tuple[np.ndarray, np.ndarray]:
    """Rank of each one-sided mask and back: most members squared over span, then the shorter, then the larger mask."""
    import numpy as np

    one_sided = range(1, 1 << window, 2)
    order = sorted(one_sided, key=_worth)
    rank = np.zeros(1 << window, np.int64)
    rank[order] = np.arange(len(order))
    return rank, np.array(order)


def _worth(mask: int) -> tuple[float, int, int]:
    members, span = mask.bit_count(), mask.bit_length()
    return members**2 / span, -span, mask


def _window_cosines(band: np.ndarray, views: _CliqueViews, window: int) -> np.ndarray:
    """Cosine of the mean vectors of the clique that ends before each gap and of the one that begins after it.

    Worked out from the pairwise cosines: no mean vector is ever made.
    """
    import numpy as np

    n = len(band)
    cosine = np.where(np.isfinite(band), band, 0)
    # left[a][g]: 1 where the sentence a places before gap g's left neighbour is in the clique before the gap
    left = [(views.before[:-1] >> a & 1).astype(np.float32) for a in range(window)]
    right = [(views.after[1:] >> b & 1).astype(np.float32) for b in range(window)]
    dots, left_norm, right_norm = (np.zeros(n - 1, np.float32) for _ in range(3))
    reach = min(window, n - 1)
    for a in range(reach):
        left_norm += left[a]
        right_norm += right[a]
        for b in range(reach):
            across = left[a] * right[b]
            dots[a:] += across[a:] * cosine[: n - 1 - a, a + b]
        for b in range(a):  # pairs of one side, each counted twice
            both_left, both_right = left[a] * left[b], right[a] * right[b]
            left_norm[a:] += 2 * both_left[a:] * cosine[: n - 1 - a, a - b - 1]
            right_norm[: n - 1 - b] += 2 * both_right[: n - 1 - b] * cosine[1 + b :, a - b - 1]
    windows = np.zeros(n)
    windows[1:] = dots / np.sqrt(np.maximum(left_norm * right_norm, 1e-12))
    return windows


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks scaled to 0..1, equal values sharing their mean rank."""
    import numpy as np

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(counts) - (counts + 1) / 2
    return mean_rank[place] / max(1, len(values) - 1)


WIDEST = 16
"""Widest window allowed: a vertex begins at most 3^((window - 1) / 3) maximal cliques (Moon & Moser 1965), here 243."""

Clique = tuple[int, int]
"""First vertex v, and a bit mask: vertex v + b is a member for every bit b set; bit 0 always is."""


def maximal_cliques(forward: Sequence[int], window: int) -> Iterator[Clique]:
    """All maximal cliques, by first vertex; a lone vertex is one of its own.

    ``forward[v]`` has bit k set where v and v + k are joined, 0 < k < ``window``. Bron-Kerbosch with pivot from each
    vertex over its later neighbours, in the order of the row: a vertex has fewer than ``window`` of them, so that work
    and memory are linear in the vertices however dense the graph is.

    Raises:
        ValueError: the window is wider than :data:`WIDEST`, or an edge leaves it or the graph.

    >>> list(maximal_cliques([0b110, 0b10, 0b10, 0], window=3))  # 0-1, 0-2, 1-2, 2-3
    [(0, 7), (2, 3)]
    """
    reach = window - 1
    around = _neighbourhoods(forward, window)
    before = (1 << reach) - 1
    for v, later in enumerate(forward):
        earlier = around[v] & before
        if later:
            for mask in _from_vertex(around, v, later << reach, earlier, reach):
                yield v, mask
        elif not earlier:
            yield v, 1


def members(clique: Clique) -> list[int]:
    """The vertices of a clique in ascending order.

    >>> members((4, 0b1011))
    [4, 5, 7]
    """
    first, mask = clique
    return [first + bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _neighbourhoods(forward: Sequence[int], window: int) -> list[int]:
    """Per vertex all its neighbours: bit ``window - 1 + d`` stands for the vertex d places on, d may be negative."""
    if not 1 <= window <= WIDEST:
        raise ValueError(f"window must be 1 to {WIDEST}, not {window}")
    reach = window - 1
    around = [0] * len(forward)
    for v, later in enumerate(forward):
        to_itself = later & 1
        beyond_window = later >> window
        beyond_graph = v + later.bit_length() > len(forward)
        if to_itself or beyond_window or beyond_graph:
            raise ValueError(f"vertex {v} has an edge outside the window or the graph: {later:#b}")
        around[v] |= later << reach
        while later:
            lowest = later & -later
            distance = lowest.bit_length() - 1
            around[v + distance] |= 1 << (reach - distance)
            later ^= lowest
    return around


def _from_vertex(around: list[int], v: int, candidates: int, excluded: int, reach: int) -> Iterator[int]:
    """Masks of the maximal cliques that begin at ``v``; in the words used here bit ``reach`` is ``v`` itself."""
    stack = [(1 << reach, candidates, excluded)]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            yield clique >> reach
            continue
        branch = candidates & ~_pivot_neighbours(around, v, candidates, excluded, reach)
        while branch:
            vertex = branch & -branch
            joined = _shifted(around, v, vertex, reach)
            stack.append((clique | vertex, candidates & joined, excluded & joined))
            candidates ^= vertex
            excluded |= vertex
            branch ^= vertex


def _pivot_neighbours(around: list[int], v: int, candidates: int, excluded: int, reach: int) -> int:
    """Neighbours of the vertex that has most of the candidates among them: no clique needs to branch on those."""
    most, best = -1, 0
    rest = candidates | excluded
    while rest:
        vertex = rest & -rest
        joined = _shifted(around, v, vertex, reach)
        count = (candidates & joined).bit_count()
        if count > most:
            most, best = count, joined
        rest ^= vertex
    return best


def _shifted(around: list[int], v: int, vertex: int, reach: int) -> int:
    """Neighbours of the vertex at that bit, as bits around ``v``."""
    distance = vertex.bit_length() - 1 - reach
    joined = around[v + distance]
    return joined << distance if distance >= 0 else joined >> -distance
