"""Gap scores: equal to their definition, whatever the order of the cliques."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest
from cliquerag.ingest import cohesion
from cliquerag.ingest.cohesion import band_similarities, forward_edges, maximal_cliques, members, within_sections
from hypothesis import given, settings
from hypothesis import strategies as st

WINDOW = 5


def _unit_rows(n: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((n, 6)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _reference(vectors: np.ndarray, cliques: list[list[int]]) -> tuple[list[float], list[float]]:
    """Crossing score and clique-window cosine of every gap, word for word as defined."""
    n = len(vectors)
    crossing, before, after = [0.0] * n, [[x] for x in range(n)], [[x] for x in range(n)]

    def better(one: list[int], other: list[int], x: int) -> list[int]:
        def key(members: list[int]) -> tuple:
            span = max(abs(m - x) for m in members) + 1
            return len(members) ** 2 / span, -span, sum(1 << abs(m - x) for m in members)

        return max(one, other, key=key)

    for clique in cliques:
        span = clique[-1] - clique[0] + 1
        for gap in range(clique[0] + 1, clique[-1] + 1):
            left = sum(m < gap for m in clique)
            crossing[gap] += len(clique) / span * 4 * left * (len(clique) - left) / len(clique) ** 2
        for x in clique:
            before[x] = better(before[x], [m for m in clique if m <= x], x)
            after[x] = better(after[x], [m for m in clique if m >= x], x)
    windows = [0.0]
    for gap in range(1, n):
        a, b = vectors[before[gap - 1]].mean(0), vectors[after[gap]].mean(0)
        windows.append(float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))
    return crossing, windows


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 25), st.integers(0, 10**6))
def test_views_equal_their_definition(n: int, seed: int) -> None:
    vectors = _unit_rows(n, seed)
    band = band_similarities(vectors, 2 * WINDOW - 1)
    near = band[:, : WINDOW - 1]
    edges = forward_edges(near, within_sections(near, np.zeros(n, int)), 0.5)
    graph = nx.Graph([(v, v + k) for v, mask in enumerate(edges) for k in range(1, WINDOW) if mask >> k & 1])
    crossing, windows = _reference(vectors, [sorted(clique) for clique in nx.find_cliques(graph)])
    views = cohesion._clique_views(maximal_cliques(edges, WINDOW), n, WINDOW)
    assert np.allclose(views.crossing, crossing)
    assert np.allclose(cohesion._window_cosines(band, views, WINDOW), windows, atol=1e-4)


def test_order_of_cliques_does_not_matter() -> None:
    vectors = _unit_rows(80, 1)
    near = band_similarities(vectors, WINDOW - 1)
    edges = forward_edges(near, within_sections(near, np.zeros(80, int)), 0.4)
    cliques = list(maximal_cliques(edges, WINDOW))
    ordered = cohesion._clique_views(cliques, 80, WINDOW)
    random.Random(5).shuffle(cliques)
    for one, other in zip(ordered, cohesion._clique_views(cliques, 80, WINDOW), strict=True):
        assert np.array_equal(one, other)


def test_nothing_reaches_over_a_section() -> None:
    """What happens in another section moves only the ranks, which are of the whole document."""
    left, right = _unit_rows(30, 2), _unit_rows(30, 9)
    sections = np.repeat([0, 1], 30)
    both = cohesion.gap_cohesion(np.concatenate([left, right]), sections, 6, 0.5)
    moved = cohesion.gap_cohesion(np.concatenate([left, right[::-1]]), sections, 6, 0.5)
    assert np.corrcoef(both[1:30], moved[1:30])[0, 1] > 0.99
    assert both[30] == 0


def test_short_documents() -> None:
    assert cohesion.gap_cohesion(_unit_rows(1, 0), np.zeros(1, int), 6, 0.5).tolist() == [0.0]
    assert cohesion.gap_cohesion(_unit_rows(2, 0), np.zeros(2, int), 6, 0.5).shape == (2,)
    assert cohesion.gap_cohesion(_unit_rows(2, 0), np.arange(2), 6, 0.5).tolist() == [0.0, 0.0]


@st.composite
def banded_graphs(draw: st.DrawFn) -> tuple[list[int], int]:
    window = draw(st.integers(1, 8))
    n = draw(st.integers(0, 25))
    edges = [draw(st.integers(0, 2 ** (min(window, n - v) - 1) - 1)) << 1 for v in range(n)]
    return edges, window


@settings(max_examples=300, deadline=None)
@given(banded_graphs())
def test_equal_to_networkx(graph: tuple[list[int], int]) -> None:
    forward, window = graph
    oracle = nx.Graph()
    oracle.add_nodes_from(range(len(forward)))
    oracle.add_edges_from((v, v + k) for v, mask in enumerate(forward) for k in range(1, window) if mask >> k & 1)
    found = [tuple(members(clique)) for clique in maximal_cliques(forward, window)]
    assert len(found) == len(set(found))
    assert sorted(found) == sorted(tuple(sorted(clique)) for clique in nx.find_cliques(oracle))


def test_worst_case_stays_within_the_bound() -> None:
    """The graph with most cliques in a window: all edges but those inside groups of three (Moon & Moser)."""
    window, n = 10, 300
    forward = []
    for v in range(n):
        last = min(window, n - v)
        forward.append(sum(1 << k for k in range(1, last) if (v + k) // 3 != v // 3))
    cliques = sum(1 for _ in maximal_cliques(forward, window))
    assert n < cliques <= n * 27


@pytest.mark.parametrize(("forward", "window"), [([0b10], 2), ([0b100, 0, 0], 2), ([0b1, 0], 2), ([0], 17)])
def test_edges_outside_are_refused(forward: list[int], window: int) -> None:
    with pytest.raises(ValueError, match="window"):
        list(maximal_cliques(forward, window))
