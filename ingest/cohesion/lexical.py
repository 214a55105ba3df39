"""Vectors from words alone, where no embedding model is at hand: TF-IDF, folded by hashing."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.words import search_words

if TYPE_CHECKING:
    import numpy as np

_DIMENSIONS = 256
"""Two words share a dimension seldom enough, and with random signs, so that cosines are kept within some .06."""


def lexical_vectors(texts: Sequence[str]) -> np.ndarray:
    """Float32 (len(texts), 256), unit rows (zero for a text without words), by the word statistics of these texts."""
    import numpy as np

    counts = [Counter(search_words(text)) for text in texts]
    frequency = Counter(word for count in counts for word in count)
    places = {word: _place(word) for word in frequency}
    vectors = np.zeros((len(texts), _DIMENSIONS), np.float32)
    for row, count in zip(vectors, counts, strict=True):
        for word, times in count.items():
            place, sign = places[word]
            row[place] += sign * (1 + math.log(times)) * math.log(1 + len(texts) / frequency[word])
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: np.ndarray = np.divide(vectors, norms, out=vectors, where=norms > 0)
    return unit


def _place(word: str) -> tuple[int, int]:
    value = zlib.crc32(word.encode("utf-8", "surrogatepass"))
    return value % _DIMENSIONS, 1 if value >> 16 & 1 else -1
