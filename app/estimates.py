"""What an add would take, before anything is spent."""

from __future__ import annotations

from .ingest.document import Document
from .parts import Tools
from .reports import Estimate


def estimate_document(document: Document, tools: Tools, model: str) -> Estimate:
    """Count pages, chunks and tokens, and for extraction by model the calls and the money."""
    from .ingest.chunking import make_chunks

    chunks = make_chunks(document, tools.chunker, None).chunks
    tokens = sum(chunk.tokens for chunk in chunks)
    if tools.extractor.name != "llm":
        return Estimate(document.source, len(document.pages), len(chunks), tokens, 0, 0, 0, 0.0)
    from .kg.llm import estimate_calls
    from .models.chat import price

    calls, asked, answered = estimate_calls(document, chunks)
    cost = price(model, asked, answered)
    return Estimate(document.source, len(document.pages), len(chunks), tokens, calls, asked, answered, cost)
