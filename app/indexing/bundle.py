"""The parts of a document put together as a store takes them, with the terms that it is searched by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..core.words import search_words
from ..kg.store import Bundle, GraphPart

if TYPE_CHECKING:
    from ..core.fact import Fact
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
    about = _about(document.metadata)
    headings = (" ".join((about, *chunk.headings, chunk.speaker)) for chunk in chunked.chunks)
    return Bundle(
        document=document,
        chunks=chunked.chunks,
        words=tuple(_terms(chunk.index_text or chunk.text) for chunk in chunked.chunks),
        heading_words=tuple(map(_terms, headings)),
        facts=facts,
        graph=graph or GraphPart(""),
        vectors=chunked.vectors,
        sentence_vectors=chunked.sentence_vectors,
        embedder=embedder.name if embedder and chunked.vectors is not None else "",
        versions=versions or {},
    )


def _about(metadata: Metadata) -> str:
    """Whom, what and when, so that "Acme 2023 annual report" finds every chunk of it."""
    period = metadata.period.label if metadata.period else ""
    return " ".join((*metadata.companies, *metadata.tickers, metadata.kind, period))


def _terms(text: str) -> str:
    return " ".join(search_words(text))
