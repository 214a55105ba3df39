"""Similarities of sentences that stand close together, by vectors or by words alone, and the graph they span."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.words import search_words

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
    places = {word: _place(word) for word in document_frequency}
    vectors = np.zeros((len(texts), _DIMENSIONS), np.float32)
    for row, count in zip(vectors, counts, strict=True):
        for word, times in count.items():
            place, sign = places[word]
            term_frequency = 1 + math.log(times)
            inverse_frequency = math.log(1 + len(texts) / document_frequency[word])
            row[place] += sign * term_frequency * inverse_frequency
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: np.ndarray = np.divide(vectors, norms, out=vectors, where=norms > 0)
    return unit


def _place(word: str) -> tuple[int, int]:
    """The dimension of a word and its sign there."""
    value = zlib.crc32(word.encode("utf-8", "surrogatepass"))
    sign = 1 if value >> 16 & 1 else -1
    return value % _DIMENSIONS, sign
