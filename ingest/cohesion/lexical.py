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
