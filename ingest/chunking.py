"""From a document to its chunks, with the vectors that come along: every sentence is embedded once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal

from ..core.ids import stable_id
from ..core.language import is_english
from ..core.records import dataclass
from ..core.tokens import estimate_tokens
from ..models.embedders import SpaceVectors, multilingual_of
from .chunk import Chunk, Chunker, Sentence, Span
from .chunkers import make_chunker
from .chunkers.registry import AutoChunker
from .document import Document, Segment
from .index_text import PLAIN, IndexOptions
from .index_text.context import Place
from .index_text.vectors import EmbeddedPieces, chunk_vectors, meta_lines, with_context, with_text
from .index_text.writer import IndexWriter
from .pieces.embedding_text import embedding_text
from .pieces.outline import Outline, WholeTable, outline, sentences_under_headings
from .pieces.value import with_values
from .sentences import split_text

if TYPE_CHECKING:
    import numpy as np

    from ..models.embedders import Embedder
    from ..models.language import LanguageModel

VERSION = "chunk-3"
"""Part of every chunk's id; rises when the same document would be cut otherwise."""
_KINDS: Mapping[str, Literal["table", "figure"]] = {"table": "table", "figure": "figure"}
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
    multilingual: SpaceVectors | None = None
    """Those of the encoder of many languages: instead of the others in a document that is not English, or beside."""
    low: Mapping[str, int] = field(default_factory=dict)
    """How many chunks have a low content value, by reason."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A chunk to be. ``rows`` are the sentences or parts of a table that are its own, ``pieces`` their offsets."""

    start: int
    end: int
    segment: Segment
    rows: range
    pieces: tuple[tuple[int, int], ...]
    index_text: str
    speakers: tuple[str, ...] = ()
    """Everybody who speaks in it, in order."""


def make_chunks(
    document: Document,
    chunker: Chunker,
    embedder: Embedder | None,
    options: IndexOptions = PLAIN,
    model: LanguageModel | None = None,
) -> Chunked:
    """Cut a document and embed it.

    A table is one chunk, never cut, with the sentence that announces it and its notes; a heading belongs to the chunk
    after it; no chunk goes over a heading, table, speaker or page. A chunk's vector is the mean of its sentences'
    vectors, which costs nothing more. A document that is not English is cut and embedded by the encoder of many
    languages that stands beside ``embedder``, where there is one: whole documents, as it reads English parts too.
    ``options`` say what else is put into the text that is embedded and searched and
    into the vectors of chunks; ``model`` is asked where they name it. What is cited stays the printed text.

    Raises ModelError where the model fails, UsageError where the embedder cannot give the vectors that are wanted.
    """
    if isinstance(chunker, AutoChunker):
        chunker = chunker.of(document.metadata.kind)
    layout = outline(document)
    encoders = _Encoders.of(document, embedder)
    writer = IndexWriter(document, options, model)
    pieces = EmbeddedPieces.of(writer.embedded(layout), encoders.home)
    drafts = _drafts(document.text, layout, chunker, pieces.vectors, writer)
    valued = with_values([_chunk(document, ordinal, draft) for ordinal, draft in enumerate(drafts)], document)
    lines = writer.contexts([_place(draft, chunk) for draft, chunk in zip(drafts, valued.chunks, strict=True)])
    chunks = []
    for chunk, draft, line in zip(valued.chunks, drafts, lines, strict=True):
        sentences = pieces.repeated(draft.rows, draft.pieces)
        index_text = "\n".join(filter(None, (line, chunk.index_text)))
        chunks.append(replace(chunk, sentences=sentences, index_text=index_text))
    chunked = Chunked(tuple(chunks), low=valued.low)
    if encoders.home is None or not chunks:
        return chunked
    rows = [draft.rows for draft in drafts]
    above = meta_lines(chunks, document) if options.vectors == "meta" and not options.context else lines

    def vectors_by(encoder: Embedder, own: EmbeddedPieces) -> SpaceVectors:
        has_states = encoder is embedder  # the second encoder gives whole vectors only: its chunks keep their means
        vectors = chunk_vectors(rows, own, len(layout.running), encoder if has_states else None, options)
        if options.vectors in ("text", "meta"):
            vectors = with_text(vectors, valued.chunks, above, encoder, options)
        else:
            vectors = with_context(vectors, lines, encoder)
        return SpaceVectors(encoder.name, vectors, own.rows(rows))

    found = vectors_by(encoders.home, pieces)
    if encoders.is_foreign:
        return replace(chunked, multilingual=found)
    others = None
    if encoders.other is not None:
        others = vectors_by(encoders.other, EmbeddedPieces.of(pieces.texts, encoders.other))
    return replace(chunked, vectors=found.chunks, sentence_vectors=found.sentences, multilingual=others)


@dataclass(frozen=True, slots=True)
class _Encoders:
    """Which encoders read a document: ``home`` cuts and embeds it, ``other`` embeds it as well."""

    home: Embedder | None
    other: Embedder | None = None
    is_foreign: bool = False
    """True where ``home`` is the encoder of many languages."""

    @classmethod
    def of(cls, document: Document, embedder: Embedder | None) -> _Encoders:
        beside = multilingual_of(embedder)
        if beside is None:
            return cls(embedder)
        if not is_english(document.text):
            return cls(beside.embedder, is_foreign=True)
        return cls(embedder, beside.embedder if beside.english_too else None)


def chunk_text(
    text: str,
    chunker: str | Chunker = "clique",
    embedder: str | Embedder | None = "auto",
    *,
    headings: bool = False,
    **options: Any,
) -> list[Chunk]:
    """Chunks of a plain text, in order: ``text[c.start:c.end] == c.text``.

    ``embedder`` is an embedding model, a setting of :func:`models.embedders.load_embedder`, or None for word
    statistics; ``options`` are those of the chunker. With ``headings`` no chunk goes over a heading of the text.
    Raises UsageError: an unknown chunker, option or embedder.

    >>> [c.text for c in chunk_text("Sales rose. Costs fell.", chunker="fixed", embedder=None)]
    ['Sales rose. Costs fell.']
    """
    if isinstance(chunker, str):
        chunker = make_chunker(chunker, **options)
    sentences = sentences_under_headings(text) if headings else split_text(text)
    vectors = sentence_vectors(text, sentences, loaded_embedder(embedder))
    document, segment = Document("", text, ()), Segment("paragraph", 0, len(text))
    chunks: list[Chunk] = []
    for ordinal, span in enumerate(chunker.chunk(text, sentences, vectors)):
        draft = _text_draft(text, segment, span, sentences[span.first : span.last])
        chunks.append(_chunk(document, ordinal, draft))
    return chunks


def sentence_vectors(text: str, sentences: Sequence[Sentence], embedder: Embedder | None) -> np.ndarray | None:
    """Float32 (sentences, dim), unit rows; None without sentences or without an embedder."""
    if embedder is None or not sentences:
        return None
    beside = multilingual_of(embedder)
    if beside is not None and not is_english(text):
        embedder = beside.embedder
    return embedder.embed([embedding_text(text[s.start : s.end]) for s in sentences])


def loaded_embedder(embedder: str | Embedder | None) -> Embedder | None:
    """The embedding model itself where its setting is given. Raises UsageError: no such model."""
    if not isinstance(embedder, str):
        return embedder
    from ..models.embedders import load_embedder

    return load_embedder(embedder)


def _drafts(
    text: str, layout: Outline, chunker: Chunker, vectors: np.ndarray | None, writer: IndexWriter
) -> list[_Draft]:
    """Running text as the chunker groups it, and every table as one, in the order of the document."""
    sentences = [item.sentence for item in layout.running]
    count = len(sentences)
    running_vectors = None if vectors is None else vectors[:count]
    spans = chunker.chunk(text, sentences, running_vectors) if sentences else []
    drafts: list[_Draft] = []
    for span in _with_exchanges(layout, spans):
        first = layout.running[span.first]
        draft = _text_draft(text, first.segment, span, sentences[span.first : span.last])
        own = layout.running[span.first : span.last]
        speakers = tuple(dict.fromkeys(item.segment.speaker for item in own if item.segment.speaker))
        searched = writer.searched(first.start, draft.end, own)
        drafts.append(replace(draft, start=first.start, index_text=searched, speakers=speakers))
    row = count
    for table, summary in zip(layout.tables, writer.table_summaries(layout), strict=True):
        drafts.append(_table_draft(table, row, summary))
        row += len(table.pieces)
    return sorted(drafts, key=lambda draft: draft.start)


def _text_draft(text: str, segment: Segment, span: Span, sentences: Sequence[Sentence]) -> _Draft:
    """A chunk of running text, from its first sentence to its last."""
    start, end = sentences[0].start, sentences[-1].end
    pieces = tuple((s.start, s.end) for s in sentences)
    return _Draft(start, end, segment, range(span.first, span.last), pieces, text[start:end])


def _table_draft(table: WholeTable, row: int, summary: str) -> _Draft:
    """A table whose pieces are the embedded texts from ``row`` on, searched with its summary."""
    rows = range(row, row + len(table.pieces))
    pieces = tuple((piece.start, piece.end) for piece in table.pieces)
    searched = "\n".join(filter(None, (summary, *(piece.text for piece in table.pieces))))
    return _Draft(table.start, table.end, table.segment, rows, pieces, searched)


def _with_exchanges(layout: Outline, spans: Sequence[Span]) -> list[Span]:
    """In a call, a question and its answers as one span where both together are short."""
    joined: list[Span] = []
    exchange: list[Span] = []
    part = ""
    for span in spans:
        before, part = part, layout.running[span.first].segment.part
        goes_on = part == "answer" or part == before == "question"
        if not goes_on:
            joined += _as_one_if_short(layout, exchange)
            exchange = []
        exchange.append(span)
    return joined + _as_one_if_short(layout, exchange)


def _as_one_if_short(layout: Outline, exchange: list[Span]) -> list[Span]:
    if len(exchange) < 2:
        return exchange
    whole = Span(exchange[0].first, exchange[-1].last)
    items = layout.running[whole.first : whole.last]
    tokens = sum(item.sentence.tokens for item in items)
    if items[0].segment.part != "question" or tokens > _LONGEST_EXCHANGE:
        return exchange
    return [whole]


def _chunk(document: Document, ordinal: int, draft: _Draft) -> Chunk:
    text, segment = document.text[draft.start : draft.end], draft.segment
    return Chunk(
        id=stable_id(document.source, "chunk", VERSION, ordinal),
        document=document.source,
        ordinal=ordinal,
        start=draft.start,
        end=draft.end,
        text=text,
        kind=_KINDS.get(segment.kind, "text"),
        headings=segment.headings,
        speaker="; ".join(draft.speakers) or segment.speaker,
        part=segment.part,
        anchors=document.anchors(draft.start, draft.end),
        tokens=estimate_tokens(text),
        sentences=draft.pieces,
        index_text=draft.index_text,
    )


def _place(draft: _Draft, chunk: Chunk) -> Place:
    return Place(draft.start, draft.segment, chunk.index_text, chunk.tokens)
