from __future__ import annotations

import numpy as np
from cliquerag.retrieval.search.index.spaces import Neighbours
from cliquerag.retrieval.search.weights import above_mean, interleaved, reciprocal_rank_fusion, to_best


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def test_smoothing_is_the_cosine_to_the_sum_with_the_neighbours() -> None:
    rng = np.random.default_rng(3)
    vectors, query = unit(rng.normal(size=(7, 5))), unit(rng.normal(size=5))
    follows = np.array([False, True, True, False, True, False, True])
    expected = []
    for i in range(7):
        mixed = vectors[i].copy()
        mixed += 0.15 * vectors[i - 1] if follows[i] else 0
        mixed += 0.15 * vectors[i + 1] if i < 6 and follows[i + 1] else 0
        expected.append(mixed @ query / np.linalg.norm(mixed))
    neighbours, scores = Neighbours.of(vectors, follows), vectors @ query
    np.testing.assert_allclose(neighbours.smoothed(scores, 0.15), expected, atol=1e-5)
    np.testing.assert_allclose(neighbours.smoothed(scores, 0.0), scores, atol=1e-6)


def test_one_row_and_no_row_have_no_neighbours() -> None:
    for rows in (0, 1):
        vectors = np.ones((rows, 3), np.float32)
        smoothed = Neighbours.of(vectors, np.zeros(rows, bool)).smoothed(np.ones(rows, np.float32), 0.15)
        assert smoothed.tolist() == [1.0] * rows


def test_normalisations_survive_equal_and_no_scores() -> None:
    assert above_mean(np.array([2.0, 2.0])).tolist() == [0, 0]
    assert above_mean(np.array([])).tolist() == []
    assert to_best(np.array([0.0, 0.0])).tolist() == [0, 0]


def test_rank_fusion_prefers_what_all_lists_hold() -> None:
    fused = reciprocal_rank_fusion([["a", "b", "c"], ["c", "b"], ["b"]])
    assert [item for item, _ in fused] == ["b", "c", "a"]


def test_interleaving_keeps_all_and_the_first_places() -> None:
    assert interleaved("abc", "XYZ", first=1, every=2) == ["a", "X", "b", "Y", "c", "Z"]
    assert interleaved("abc", "", first=1, every=2) == ["a", "b", "c"]
    assert interleaved("", "XY", first=5, every=2) == ["X", "Y"]
