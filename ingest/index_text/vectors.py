"""Vectors of sentences and chunks: means, and what else the options put in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from ...core.records import dataclass
from ..chunk import Chunk
from ..document import Document
from ..pieces.embedding_text import embedding_text
from .context import about_line
from .options import IndexOptions

if TYPE_CHECKING:
    import numpy as np

    from ...models.embedders import Embedder

_CONTEXT_SHARE = 0.25
"""Of a context line's vector in that of its chunk."""


@dataclass(frozen=True, slots=True)
class EmbeddedPieces:
    """Sentences and parts of tables, each with one text or more; all texts are embedded at once.

    ``vectors`` has a row for each piece, the mean of its texts'; None without an embedder.
    """

    texts: Sequence[tuple[str, ...]]
    text_vectors: np.ndarray | None
    vectors: np.ndarray | None

    @classmethod
    def of(cls, texts: Sequence[tuple[str, ...]], embedder: Embedder | None) -> EmbeddedPieces:
        """Embed every text of every piece."""
        if embedder is None:
            return cls(texts, None, None)
        flat = [text for own in texts for text in own]
        vectors = embedder.embed(flat)
        is_one_each = len(flat) == len(texts)
        return cls(texts, vectors, vectors if is_one_each else unit_means(vectors, list(map(len, texts))))

    def repeated(self, pieces: range, offsets: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Where each text of these pieces is printed: that of a piece once for each of its texts."""
        found: list[tuple[int, int]] = []
        for piece, place in zip(pieces, offsets, strict=True):
            found.extend([place] * len(self.texts[piece]))
        return tuple(found)

    def rows(self, parts: Sequence[range]) -> np.ndarray:
        """The vectors of all texts of the pieces of all parts, in that order. Only with an embedder."""
        import numpy as np

        assert self.text_vectors is not None
        starts = list(accumulate(map(len, self.texts), initial=0))
        rows = [np.arange(starts[part.start], starts[part.stop]) for part in parts]
        found: np.ndarray = self.text_vectors[np.concatenate(rows)]
        return found


def chunk_vectors(
    parts: Sequence[range], pieces: EmbeddedPieces, running: int, embedder: Embedder | None, options: IndexOptions
) -> np.ndarray:
    """Float32 (parts, dim), unit rows: the mean of each part's pieces, with ``late`` mixed with its tokens' states.

    The first ``running`` pieces are sentences that follow each other; tables are no text that a window could hold.
    ``embedder`` None: one whose tokens have no states, so that means are all there is. Raises UsageError where one is
    given that has none.
    """
    import numpy as np

    assert pieces.vectors is not None
    rows = np.concatenate([np.arange(part.start, part.stop) for part in parts])
    means = unit_means(pieces.vectors[rows], list(map(len, parts)))
    if options.vectors != "late" or embedder is None:
        return means
    from ...models.token_states import pooled_states, token_encoder

    sentences = list(map(" ".join, pieces.texts[:running]))
    pooled = pooled_states(sentences, token_encoder(embedder))
    mixed = means.copy()
    for at, part in enumerate(parts):
        if part.stop > running or not pooled.tokens[part.start : part.stop].sum():
            continue
        late = unit(pooled.sums[part.start : part.stop].sum(axis=0, keepdims=True))
        mixed[at] = options.weight * late[0] + (1 - options.weight) * means[at]
    return unit(mixed)


def with_context(vectors: np.ndarray, lines: Sequence[str], embedder: Embedder) -> np.ndarray:
    """The vectors of chunks, each mixed with that of its context line where it has one."""
    import numpy as np

    if not any(lines):
        return vectors
    distinct = {line: number for number, line in enumerate(dict.fromkeys(filter(None, lines)))}
    embedded = embedder.embed(list(distinct))
    mixed = vectors.copy()
    for at, line in enumerate(lines):
        if line:
            mixed[at] = (1 - _CONTEXT_SHARE) * vectors[at] + _CONTEXT_SHARE * embedded[distinct[line]]
    return unit(np.asarray(mixed))


def with_text(
    vectors: np.ndarray, chunks: Sequence[Chunk], lines: Sequence[str], embedder: Embedder, options: IndexOptions
) -> np.ndarray:
    """The vectors of chunks mixed with those of their texts, each with its line before it: twice the encoder's work.

    Of tables and figures the text is what names them, without values.
    """
    passages: list[str] = []
    for chunk, line in zip(chunks, lines, strict=True):
        content = embedding_text(chunk.text) if chunk.kind == "text" else chunk.index_text
        passages.append(" | ".join(filter(None, (line, content))))
    return unit(options.weight * embedder.embed(passages) + (1 - options.weight) * vectors)


def meta_lines(chunks: Sequence[Chunk], document: Document) -> list[str]:
    """Company, kind, period and headings of each chunk."""
    about = about_line(document)
    return [" | ".join(filter(None, (about, " > ".join(chunk.headings)))) for chunk in chunks]


def unit_means(vectors: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """Unit means of consecutive runs of rows; every count is at least 1."""
    import numpy as np

    starts = np.array([start for start, _ in pairwise(accumulate(counts, initial=0))], dtype=np.int64)
    return unit(np.add.reduceat(vectors, starts, axis=0))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Float32 rows of length 1."""
    import numpy as np

    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: np.ndarray = (vectors / np.maximum(norms, 1e-9)).astype(np.float32)
    return found
