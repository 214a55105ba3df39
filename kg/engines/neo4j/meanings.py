"""Vectors of statements and entities, from the sentence vectors that the chunker has made already.

A statement's vector is that of its sentence; an entity's the mean of the sentences that mention it in the document
that brought it in. They cost no model call, and what they are good for is to find more of the same kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...graph import Mention, Statement
from ...storage.codec import read_extras
from ...storage.quantisation import unpack_sentences
from ...store import Bundle
from .connection import Transaction

if TYPE_CHECKING:
    import numpy as np

_STORED = """UNWIND $chunks AS id MATCH (c:Chunk {id: id}) WHERE c.sentences IS NOT NULL
RETURN c.id AS id, c.extras AS extras, c.sentences AS vectors"""


class Sentences(NamedTuple):
    """The sentences of a chunk: offsets in the document's text, and unit vectors, float32 (sentences, dim)."""

    spans: Sequence[tuple[int, int]]
    vectors: np.ndarray


def sentences_of(bundle: Bundle) -> dict[str, Sentences]:
    """Chunk -> its sentences; empty without vectors."""
    if bundle.sentence_vectors is None:
        return {}
    found, at = {}, 0
    for chunk in bundle.chunks:
        found[chunk.id] = Sentences(chunk.sentences, bundle.sentence_vectors[at : at + len(chunk.sentences)])
        at += len(chunk.sentences)
    return found


def stored_sentences(tx: Transaction, chunks: Collection[str], dim: int) -> dict[str, Sentences]:
    """The same for chunks that are stored: one round trip, none where the workspace has no vectors."""
    rows = tx.run(_STORED, chunks=sorted(chunks)) if dim else []
    return {
        row["id"]: Sentences(read_extras(row["extras"], "")["sentences"], unpack_sentences(row["vectors"], dim))
        for row in rows
    }


def statement_vectors(statements: Iterable[Statement], sentences: Mapping[str, Sentences]) -> dict[str, list[float]]:
    """Statement -> the vector of its sentence."""
    found = ((s.id, _rows(sentences, s.chunk, s.start, s.end)) for s in statements)
    return {id: _mean(rows) for id, rows in found if rows}


def entity_vectors(mentions: Iterable[Mention], sentences: Mapping[str, Sentences]) -> dict[str, list[float]]:
    """Entity -> the mean of the sentences that mention it."""
    around: dict[str, list[np.ndarray]] = defaultdict(list)
    for m in mentions:
        around[m.entity] += _rows(sentences, m.chunk, m.start, m.end)
    return {entity: _mean(rows) for entity, rows in around.items() if rows}


def _rows(sentences: Mapping[str, Sentences], chunk: str, start: int, end: int) -> list[np.ndarray]:
    if chunk not in sentences:
        return []
    spans, vectors = sentences[chunk]
    return [vectors[i] for i, (a, b) in enumerate(spans) if a < end and start < b and i < len(vectors)]


def _mean(rows: Sequence[np.ndarray]) -> list[float]:
    import numpy as np

    mean = np.mean(rows, axis=0)
    found: list[float] = (mean / max(float(np.linalg.norm(mean)), 1e-9)).tolist()
    return found
