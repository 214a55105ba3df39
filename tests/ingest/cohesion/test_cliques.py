"""Cliques against networkx, and the bound on their number."""

from __future__ import annotations

import networkx as nx
import pytest
from cliquerag.ingest.cohesion.cliques import maximal_cliques, members
from hypothesis import given, settings
from hypothesis import strategies as st


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
