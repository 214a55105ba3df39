"""Vectors in two bytes a number, those of sentences in one: small enough to keep them all. Shared by the engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def pack_vectors(vectors: np.ndarray) -> bytes:
    """Float16: the cosine to the original is above .999999."""
    import numpy as np

    packed: np.ndarray = np.ascontiguousarray(vectors, np.float16)
    return packed.tobytes()


def packed_rows(data: bytes, dim: int) -> np.ndarray:
    """The rows of :func:`pack_vectors` as they are, float16: nearly unit."""
    import numpy as np

    return np.frombuffer(data, np.float16).reshape(-1, max(dim, 1))


def unpack_vectors(data: bytes, dim: int) -> np.ndarray:
    """The rows of :func:`pack_vectors`, float32 and unit again."""
    return unit(packed_rows(data, dim))


def split_sentences(vectors: np.ndarray, counts: Iterable[int]) -> Iterator[bytes]:
    """The packed rows of each chunk, of sentence vectors in chunk order."""
    start = 0
    for count in counts:
        yield pack_sentences(vectors[start : start + count])
        start += count


def pack_sentences(vectors: np.ndarray) -> bytes:
    """Int8, each row scaled to its largest value; unit rows need no factor to come back."""
    import numpy as np

    largest = np.abs(vectors).max(axis=1, initial=1e-12, keepdims=True)
    scaled: np.ndarray = np.rint(vectors * (127.0 / largest))
    return scaled.astype(np.int8).tobytes()


def unpack_sentences(data: bytes, dim: int) -> np.ndarray:
    """Float32 unit rows; a zero row stays zero."""
    import numpy as np

    return unit(np.frombuffer(data, np.int8).reshape(-1, dim))


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows of any type scaled to length 1, float32; a zero row stays zero."""
    import numpy as np

    scaled: np.ndarray = rows.astype(np.float32)
    scale_to_unit(scaled)
    return scaled


def scale_to_unit(rows: np.ndarray) -> None:
    """Scale rows to length 1 in place, float32; a zero row stays zero."""
    import numpy as np

    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.maximum(lengths, 1e-12)[:, None]
