"""The parts of a document put together as a store takes them, with the terms that it is searched by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.words import search_words
from ..kg.store import Bundle, GraphPart

if TYPE_CHECKING:
    from ..core.fact import Fact
    from ..ingest.chunk import Chunk
    from ..ingest.chunking import Chunked
    from ..ingest.document import Document, Metadata
    from ..models.embedder import Embedder


def bundle_of(
    document: Document,
    chunked: Chunked,
    embedder: Embedder | None,
    *,
    facts: tuple[Fact, ...] = (),
    graph: GraphPart | None = None,
    versions: Mapping[str, str] | None = None,
) -> Bundle:
    """A document with its chunks, facts and graph, ready to store; ``embedder`` is the one the vectors come from."""
    return Bundle(
        document=document,
        chunks=chunked.chunks,
        words=tuple(_terms(chunk.index_text or chunk.text) for chunk in chunked.chunks),
        heading_words=heading_words(document.metadata, chunked.chunks),
        facts=facts,
        graph=graph or GraphPart(""),
        vectors=chunked.vectors,
        sentence_vectors=chunked.sentence_vectors,
        embedder=embedder.name if embedder and chunked.vectors is not None else "",
        versions=versions or {},
    )


def heading_words(metadata: Metadata, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """The search terms of each chunk's titles and speaker, and of what its document is about."""
    about = _about(metadata)
    return tuple(_terms(" ".join((about, *chunk.headings, chunk.speaker))) for chunk in chunks)


def _about(metadata: Metadata) -> str:
    """Whom, what and when, so that "Acme 2023 annual report" finds every chunk of it."""
    period = metadata.period.label if metadata.period else ""
    return " ".join((*metadata.companies, *metadata.tickers, metadata.kind, period))


def _terms(text: str) -> str:
    return " ".join(search_words(text))
