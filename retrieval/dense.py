"""Vector scores of chunks: smoothed with their neighbours, and of their best sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def smoothed_scores(vectors: np.ndarray, query: np.ndarray, follows: np.ndarray, share: float) -> np.ndarray:
    """Cosine of a unit query (dim,) to ``v[i] + share * (v[i-1] + v[i+1])``, float32 (n,).

    ``vectors`` are unit rows (n, dim); row i - 1 is a neighbour of row i where ``follows[i]``. It helps an index of
    many subjects and hurts look-ups in one known document, for which the share is 0.
    """
    scores = np.asarray(vectors @ query, np.float32)
    if not share or len(vectors) < 2:
        return scores
    joined = follows[1:]
    cosines = np.einsum("ij,ij->i", vectors[1:], vectors[:-1]) * joined
    across = np.zeros(len(vectors), np.float32)  # cosine of the two neighbours of a row to each other
    across[1:-1] = np.einsum("ij,ij->i", vectors[2:], vectors[:-2]) * (joined[1:] & joined[:-1])
    before, after = np.zeros_like(across), np.zeros_like(across)
    before[1:], after[:-1] = joined, joined
    summed = scores.copy()
    summed[1:] += share * scores[:-1] * joined
    summed[:-1] += share * scores[1:] * joined
    near = np.zeros_like(across)
    near[1:] += cosines
    near[:-1] += cosines
    squared = 1 + share**2 * (before + after) + 2 * share * near + 2 * share**2 * across
    return np.asarray(summed / np.sqrt(np.maximum(squared, 1e-6)), np.float32)


def sentence_scores(sentences: Sequence[np.ndarray], query: np.ndarray) -> list[np.ndarray]:
    """For each chunk the cosine of its sentences (n, dim) to a unit query."""
    return [np.asarray(vectors @ query, np.float32) for vectors in sentences]
