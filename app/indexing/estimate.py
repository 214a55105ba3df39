"""What an add would take, before anything is spent."""

from __future__ import annotations

from ..components import Tools
from ..core.tokens import estimate_tokens
from ..ingest.document import Document
from .report import Estimate

ANSWER_SHARE = 0.5
"""Answer tokens for each token of text, a guess on the safe side: dense text gives two, most of a filing none."""


def estimate_document(document: Document, tools: Tools, model: str) -> Estimate:
    """Count pages, chunks and tokens, and for extraction by model the calls and the money."""
    from ..ingest.chunking import make_chunks
    from ..kg.extraction.build import passages_of
    from ..kg.extraction.llm import ModelExtractor, make_windows
    from ..models.address import split_setting
    from ..models.prices import price

    chunks = make_chunks(document, tools.chunker, None).chunks
    tokens = sum(chunk.tokens for chunk in chunks)
    if not isinstance(tools.extractor, ModelExtractor):
        return Estimate(document.source, len(document.pages), len(chunks), tokens, 0, 0, 0, 0.0)
    asked = [
        sum(estimate_tokens(message.content) for message in tools.extractor.messages(window))
        for window in make_windows(passages_of(document, chunks))
    ]
    answered = round(ANSWER_SHARE * sum(chunk.tokens for chunk in chunks if chunk.kind == "text"))
    cost = price(split_setting(model)[0], sum(asked), answered)
    return Estimate(document.source, len(document.pages), len(chunks), tokens, len(asked), sum(asked), answered, cost)
