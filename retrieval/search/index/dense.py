"""Vector scores of chunks, smoothed with those of their neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What smoothing needs of consecutive unit vectors whatever the question, float32 (n,): worked out once."""

    joined: np.ndarray
    """Of each row but the first: 1 where the row before is its neighbour."""
    count: np.ndarray
    near: np.ndarray
    """Sum of the cosines to the neighbours."""
    across: np.ndarray
    """Cosine of a row's two neighbours to each other."""

    @classmethod
    def of(cls, vectors: np.ndarray, follows: np.ndarray) -> Neighbours:
        """``vectors`` are unit rows (n, dim); row i - 1 is a neighbour of row i where ``follows[i]``."""
        joined = follows[1:].astype(np.float32)
        count, near, across = (np.zeros(len(vectors), np.float32) for _ in range(3))
        cosines = np.einsum("ij,ij->i", vectors[1:], vectors[:-1]) * joined
        count[1:] += joined
        count[:-1] += joined
        near[1:] += cosines
        near[:-1] += cosines
        if len(vectors) > 2:
            across[1:-1] = np.einsum("ij,ij->i", vectors[2:], vectors[:-2]) * joined[1:] * joined[:-1]
        return cls(joined, count, near, across)

    def smoothed(self, scores: np.ndarray, share: float) -> np.ndarray:
        """Cosine of a question to ``v[i] + share * (v[i-1] + v[i+1])``, from its cosine to each row, float32 (n,).

        It helps an index of many subjects and hurts look-ups in one known document, for which the share is 0.
        """
        summed = scores.copy()
        summed[1:] += share * scores[:-1] * self.joined
        summed[:-1] += share * scores[1:] * self.joined
        squared = 1 + share**2 * self.count + 2 * share * self.near + 2 * share**2 * self.across
        return np.asarray(summed / np.sqrt(np.maximum(squared, 1e-6)), np.float32)
