"""From a document to its chunks, with the vectors that come along: every sentence is embedded once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..core.ids import stable_id
from ..core.tokens import estimate_tokens
from .chunk import Chunk, Chunker, Span
from .chunkers import make_chunker
from .chunkers.auto import AutoChunker
from .document import Document, Metadata, Segment
from .pieces.embedding_text import embedding_text
from .pieces.outline import Outline, outline
from .pieces.value import with_values
from .sentences import split_text

if TYPE_CHECKING:
    import numpy as np

    from ..models.embedder import Embedder

VERSION = "chunk-2"
"""Part of every chunk's id; rises when the same document would be cut otherwise."""
_LONGEST_EXCHANGE = 200
"""Tokens up to which a question and its answers are one chunk: the longest that the default chunker makes."""


@dataclass(frozen=True, slots=True)
class Chunked:
    """Chunks in the order of the document, and their vectors; both None without an embedder."""

    chunks: tuple[Chunk, ...]
    vectors: np.ndarray | None = None
    """Float32 (chunks, dim), unit rows."""
    sentence_vectors: np.ndarray | None = None
    """Float32 (sum of ``len(chunk.sentences)``, dim), unit rows, in chunk order."""
    low: Mapping[str, int] = field(default_factory=dict)
    """How many chunks have a low content value, by reason."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A chunk to be. ``rows`` are the rows of the embedded texts that are its own, ``pieces`` their offsets."""

    start: int
    end: int
    segment: Segment
    rows: range
    pieces: tuple[tuple[int, int], ...]
    index_text: str


def make_chunks(
    document: Document,
    chunker: Chunker,
    embedder: Embedder | None,
    *,
    meta: bool = True,
    chunk_text_weight: float = 0.0,
) -> Chunked:
    """Cut a document and embed it.

    A table is one chunk, never cut, with the sentence that announces it and its notes; a heading belongs to the chunk
    after it; no chunk goes over a heading, table, speaker or page. A chunk's vector is the mean of its sentences'
    vectors, which costs nothing more.
    ``chunk_text_weight`` above 0 mixes in that share of the vector of its text, which doubles the encoder's work, with
    ``meta | heading path`` before the text where ``meta`` is set.
    """
    import numpy as np

    if isinstance(chunker, AutoChunker):
        chunker = chunker.of(document.metadata.kind)
    laid = outline(document)
    vectors = embedder.embed(_embedding_texts(document.text, laid)) if embedder else None
    drafts = _drafts(document.text, laid, chunker, vectors)
    valued = with_values([_chunk(document, ordinal, draft) for ordinal, draft in enumerate(drafts)], document)
    chunks = valued.chunks
    if vectors is None or embedder is None or not chunks:
        return Chunked(chunks, low=valued.low)
    rows = np.concatenate([np.array(draft.rows) for draft in drafts])
    means = _means(vectors[rows], [len(draft.rows) for draft in drafts])
    if chunk_text_weight:
        passages = embedder.embed([_passage(chunk, document.metadata if meta else None) for chunk in chunks])
        means = _unit(chunk_text_weight * passages + (1 - chunk_text_weight) * means)
    return Chunked(chunks, means, vectors[rows], valued.low)


def chunk_text(
    text: str, chunker: str | Chunker = "clique", embedder: str | Embedder | None = "auto", **options: Any
) -> list[Chunk]:
    """Chunks of a plain text, in order: ``text[c.start:c.end] == c.text``.

    ``embedder`` is an embedding model, a setting of :func:`models.embedders.load_embedder`, or None for word
    statistics; ``options`` are those of the chunker. Raises UsageError: an unknown chunker, option or embedder.

    >>> [c.text for c in chunk_text("Sales rose. Costs fell.", chunker="fixed", embedder=None)]
    ['Sales rose. Costs fell.']
    """
    grouping = make_chunker(chunker, **options) if isinstance(chunker, str) else chunker
    model = _loaded(embedder)
    sentences = split_text(text)
    vectors = model.embed([embedding_text(text[s.start : s.end]) for s in sentences]) if model and sentences else None
    document, segment = Document("", text, ()), Segment("paragraph", 0, len(text))
    chunks = []
    for ordinal, span in enumerate(grouping.chunk(text, sentences, vectors)):
        pieces = tuple((s.start, s.end) for s in sentences[span.first : span.last])
        start, end = pieces[0][0], pieces[-1][1]
        draft = _Draft(start, end, segment, range(span.first, span.last), pieces, text[start:end])
        chunks.append(_chunk(document, ordinal, draft))
    return chunks


def meta_line(metadata: Metadata) -> str:
    """Who, what and when in one line: "Acme Corp | 10-K | FY2023"; whatever is not known is left out.

    >>> meta_line(Metadata(companies=("Acme Corp",), kind="10-K"))
    'Acme Corp | 10-K'
    """
    parts = [", ".join(metadata.companies), metadata.kind, metadata.period.label if metadata.period else ""]
    return " | ".join(part for part in parts if part)


def _embedding_texts(text: str, laid: Outline) -> list[str]:
    """What is embedded: first all running sentences, then the pieces of all tables."""
    running = [item.embedding_text(text) for item in laid.running]
    return running + [piece.text for table in laid.tables for piece in table.pieces]


def _drafts(text: str, laid: Outline, chunker: Chunker, vectors: np.ndarray | None) -> list[_Draft]:
    count = len(laid.running)
    sentences = [item.sentence for item in laid.running]
    spans = chunker.chunk(text, sentences, None if vectors is None else vectors[:count]) if sentences else []
    drafts = [_running_draft(text, laid, span) for span in _exchanges(laid, spans)]
    row = count
    for table in laid.tables:
        rows = range(row, row + len(table.pieces))
        row = rows.stop
        offsets = tuple((piece.start, piece.end) for piece in table.pieces)
        skeleton = "\n".join(piece.text for piece in table.pieces)
        drafts.append(_Draft(table.start, table.end, table.segment, rows, offsets, skeleton))
    return sorted(drafts, key=lambda draft: draft.start)


def _exchanges(laid: Outline, spans: Sequence[Span]) -> list[Span]:
    """In a call, a question and its answers as one span where both together are short."""
    joined: list[Span] = []
    group: list[Span] = []
    for span in spans:
        part = laid.running[span.first].segment.part
        goes_on = part == "answer" or (part == "question" and _part(laid, group) == "question")
        if not (group and goes_on):
            joined += _together(laid, group)
            group = []
        group.append(span)
    return joined + _together(laid, group)


def _part(laid: Outline, group: Sequence[Span]) -> str:
    return laid.running[group[-1].first].segment.part if group else ""


def _together(laid: Outline, group: Sequence[Span]) -> list[Span]:
    if len(group) < 2 or laid.running[group[0].first].segment.part != "question":
        return list(group)
    whole = Span(group[0].first, group[-1].last)
    tokens = sum(item.sentence.tokens for item in laid.running[whole.first : whole.last])
    return [whole] if tokens <= _LONGEST_EXCHANGE else list(group)


def _running_draft(text: str, laid: Outline, span: Span) -> _Draft:
    items = laid.running[span.first : span.last]
    start, end = items[0].start, items[-1].sentence.end
    pieces = tuple((item.sentence.start, item.sentence.end) for item in items)
    return _Draft(start, end, items[0].segment, range(span.first, span.last), pieces, text[start:end])


def _chunk(document: Document, ordinal: int, draft: _Draft) -> Chunk:
    text, segment = document.text[draft.start : draft.end], draft.segment
    return Chunk(
        id=stable_id(document.source, "chunk", VERSION, ordinal),
        document=document.source,
        ordinal=ordinal,
        start=draft.start,
        end=draft.end,
        text=text,
        kind="table" if segment.kind == "table" else "text",
        headings=segment.headings,
        speaker=segment.speaker,
        part=segment.part,
        anchors=document.anchors(draft.start, draft.end),
        tokens=estimate_tokens(text),
        sentences=draft.pieces,
        index_text=draft.index_text,
    )


def _passage(chunk: Chunk, metadata: Metadata | None) -> str:
    """``meta | heading path | content``: what the second pass embeds."""
    content = chunk.index_text if chunk.kind == "table" else embedding_text(chunk.text)
    parts = [meta_line(metadata), " > ".join(chunk.headings)] if metadata else []
    return " | ".join(part for part in (*parts, content) if part)


def _means(vectors: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """Unit means of consecutive runs of rows."""
    import numpy as np

    starts = np.concatenate([[0], np.cumsum(counts[:-1])]).astype(int)
    return _unit(np.add.reduceat(vectors, starts, axis=0))


def _unit(vectors: np.ndarray) -> np.ndarray:
    import numpy as np

    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: np.ndarray = (vectors / np.maximum(norms, 1e-9)).astype(np.float32)
    return unit


def _loaded(embedder: str | Embedder | None) -> Embedder | None:
    if not isinstance(embedder, str):
        return embedder
    from ..models.embedders import load_embedder

    return load_embedder(embedder)
