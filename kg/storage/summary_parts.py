"""Summaries of sections as every engine keeps them: two parts of a document, its texts and their vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...ingest.section_summaries import SectionSummaries, SectionSummary
from .codec import compress, expand, pack_vectors, unpack_vectors

if TYPE_CHECKING:
    import numpy as np

TEXTS, VECTORS = "summaries", "summary_vectors"


def pack_summaries(found: SectionSummaries) -> dict[str, bytes]:
    """The two parts by name. Raises ValueError: vectors need one row a summary."""
    if len(found.vectors) != len(found.rows):
        raise ValueError("vectors need one row a summary")
    rows = [[row.first, row.last, row.text] for row in found.rows]
    texts = [found.author, int(found.vectors.shape[1]), rows]
    return {TEXTS: compress(texts), VECTORS: pack_vectors(found.vectors)}


def unpack_summaries(parts: Mapping[str, bytes]) -> SectionSummaries:
    """The summaries of :func:`pack_summaries`."""
    author, dim, rows = expand(parts[TEXTS])
    summaries = tuple(SectionSummary(first, last, text) for first, last, text in rows)
    return SectionSummaries(author, summaries, _vectors(parts[VECTORS], len(summaries), dim))


def _vectors(data: bytes, rows: int, dim: int) -> np.ndarray:
    import numpy as np

    return unpack_vectors(data, dim) if dim else np.zeros((rows, 0), np.float32)
