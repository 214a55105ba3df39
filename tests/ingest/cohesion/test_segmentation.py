"""The dynamic programmes against trying every possible cut."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from cliquerag.ingest.chunk import Span
from cliquerag.ingest.cohesion.segmentation import cut_by_length, cut_by_similarity
from hypothesis import given, settings
from hypothesis import strategies as st


def _all_cuts(n: int) -> list[list[Span]]:
    cuts = [c for k in range(n) for c in combinations(range(1, n), k)]
    return [[Span(a, b) for a, b in zip((0, *c), (*c, n), strict=True)] for c in cuts]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 150)), min_size=1, max_size=8))
def test_length_cut_is_the_cheapest(rows: list[tuple[float, int]]) -> None:
    costs, tokens = [r[0] for r in rows], [r[1] for r in rows]

    def price(spans: list[Span]) -> float:
        total = sum(costs[s.first] for s in spans[1:])
        for span in spans:
            length = sum(tokens[span.first : span.last])
            if length > 120 and span.last - span.first > 1:
                return float("inf")
            total += ((length - 60) / 60) ** 2 + 2 * max(0, 20 - length) / 20
        return total

    found = cut_by_length(costs, tokens, 60, 20, 120)
    assert price(found) == pytest.approx(min(map(price, _all_cuts(len(rows)))))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.integers(0, 10**6))
def test_similarity_cut_gains_most(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    band = rng.standard_normal((n, 3))
    for k in range(1, 4):
        band[max(0, n - k) :, k - 1] = 0
    tokens = rng.integers(1, 60, n).tolist()

    def gain(spans: list[Span]) -> float:
        if any(s.last - s.first > 1 and sum(tokens[s.first : s.last]) > 120 for s in spans):
            return -float("inf")
        pairs = [(i, j) for s in spans for i in range(s.first, s.last) for j in range(i + 1, min(s.last, i + 4))]
        return sum(band[i, j - i - 1] - 0.3 for i, j in pairs) - 0.5 * len(spans)

    found = cut_by_similarity(band, tokens, 120, 0.3, 0.5)
    assert gain(found) == pytest.approx(max(map(gain, _all_cuts(n))))
