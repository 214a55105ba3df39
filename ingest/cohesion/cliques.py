"""Maximal cliques of a banded graph: vertices in a row, edges only between those less than a window apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
