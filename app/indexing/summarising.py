"""Summaries of the sections of stored documents by a language model: one call a section, what it takes said before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..components import usage_of
from ..core.tokens import estimate_tokens
from ..ingest.index_text.context import about_of
from ..ingest.section_summaries import (
    ANSWER_TOKENS,
    STEP,
    SectionSummaries,
    SectionSummary,
    summarise_sections,
    summary_author,
    summary_chats,
)
from ..kg.store import DocumentRecord, Store
from .pipeline import Progress
from .report import AddReport, Estimate

if TYPE_CHECKING:
    import numpy as np

    from ..models.embedder import Embedder
    from ..models.language import LanguageModel


def summarise_documents(
    store: Store, model: LanguageModel, embedder: Embedder | None, progress: Progress | None = None
) -> Iterator[AddReport]:
    """Have the sections of every document summarised, a transaction each; what the same model has done is "unchanged".

    ``embedder`` is the one that the store's vectors come from. Can be stopped and started again: answers are cached.
    Raises ModelError: the endpoint fails, or the budget is spent.
    """
    author = summary_author(model.name)
    records = store.documents()
    for number, record in enumerate(records):
        if progress:
            progress(record.source, number / len(records))
        if record.versions.get(STEP) == author:
            yield AddReport.unchanged(record)
            continue
        before = usage_of(model)
        found = summarise_sections(about_of(record.metadata), store.chunks_of(record.source), model)
        vectors = _vectors(found, store, record, embedder)
        summaries = SectionSummaries(author, tuple(found), vectors)
        if not store.put_section_summaries(record.source, summaries, record.content_hash):
            error = f"{record.source}: removed or changed meanwhile; what is there now is summarised by the next run"
            yield AddReport.failed(record.source, error, usage_of(model).since(before))
            continue
        report = AddReport.unchanged(record)
        yield replace(report, outcome="added", summaries=len(found), usage=usage_of(model).since(before))


def estimate_summaries(store: Store, model: str) -> list[Estimate]:
    """Calls, tokens and money for the documents whose sections the model has not summarised."""
    from ..models.address import split_setting
    from ..models.costs import price

    author = summary_author(split_setting(model)[0])
    found: list[Estimate] = []
    for record in store.documents():
        if record.versions.get(STEP) == author:
            continue
        chats = [chat for _, chat in summary_chats(about_of(record.metadata), store.chunks_of(record.source))]
        asked = sum(estimate_tokens(message.content) for chat in chats for message in chat)
        answered = ANSWER_TOKENS * len(chats)
        cost = price(split_setting(model)[0], asked, answered) if chats else 0.0
        counts = (record.pages, record.chunks, record.tokens, len(chats), asked, answered)
        found.append(Estimate(record.source, *counts, cost))
    return found


def _vectors(
    found: Sequence[SectionSummary], store: Store, record: DocumentRecord, embedder: Embedder | None
) -> np.ndarray:
    """The summaries' vectors; dim 0 where the document has none of this encoder: summaries count by words there."""
    import numpy as np

    if embedder is None or not store.vectors_of([record.source]).any():
        return np.zeros((len(found), 0), np.float32)
    return embedder.embed([row.text for row in found])
