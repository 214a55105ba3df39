"""Stored documents read anew: by another extractor, because the user says whom and when they are about, or for
summaries of their sections by a language model, one call a section, what it takes said before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..components import make_extractor, usage_of
from ..core.errors import DocumentError, UsageError
from ..core.tokens import estimate_tokens
from ..ingest.chunk import SUMMARIES, SectionSummaries, SectionSummary
from ..ingest.index_text.context import about_of
from ..ingest.section_summaries import ANSWER_TOKENS, summarise_sections, summary_author, summary_chats
from ..kg.extraction.build import build_graph
from ..kg.store import Bundle, DocumentRecord, GraphPart, Store
from ..kg.triple import Extractor
from ..sources import hash_of
from .pipeline import Progress, Stopwatch, build_bundle, extractor_label, heading_words, read_path
from .report import AddReport, Estimate

if TYPE_CHECKING:
    import numpy as np

    from ..components import Components, Tools
    from ..core.fact import Fact
    from ..ingest.about.given import DocumentHints
    from ..ingest.document import Document
    from ..ingest.pdf.descriptions import FigureDescriber
    from ..models.embedders import Embedder
    from ..models.language import LanguageModel
    from .adding import Adding


def enrich(
    own: Components,
    path_of: Callable[[str], Path],
    extractor: str | None,
    figures: bool,
    summaries: bool,
    progress: Progress | None,
) -> list[AddReport]:
    """One of the three for all documents: section summaries, figures described, or the graph by another extractor.

    Raises UsageError without the endpoint that it needs.
    """
    if summaries:
        return list(summarise_documents(own.store, model_for_summaries(own), own.embedder_for_search, progress))
    if figures:
        return list(describe_figures(own.adding, path_of, own.figure_describer(), progress))
    made = make_extractor(extractor or own.settings.extractor, own.settings, own.budget)
    return list(enrich_documents(own.store, made, progress))


def model_for_summaries(own: Components) -> LanguageModel:
    """Raises UsageError where no model is set."""
    if own.language_model is None:
        raise UsageError("sections are summarised by a language model, and none is set", hint="Set CLIQUERAG_MODEL")
    return own.language_model


def enrich_documents(store: Store, extractor: Extractor, progress: Progress | None = None) -> Iterator[AddReport]:
    """Add an extractor's triples document by document, a transaction each; a document that has them is "unchanged".

    Can be stopped and started again: what is stored stays, and a model's answers are cached.
    """
    records = store.documents()
    for number, record in enumerate(records):
        if progress:
            progress(record.source, number / len(records))
        yield _enrich(store, record, extractor)


def describe_figures(
    adding: Adding, path_of: Callable[[str], Path], describer: FigureDescriber, progress: Progress | None = None
) -> Iterator[AddReport]:
    """Describe the figures of every stored PDF, a transaction each. Can be stopped and started again."""
    records = adding.store.documents()
    for number, record in enumerate(records):
        if progress:
            progress(record.source, number / len(records))
        try:
            yield adding.describe(record, path_of(record.source), describer)
        except DocumentError as error:
            yield AddReport.failed(record.source, str(error))


def _enrich(store: Store, record: DocumentRecord, extractor: Extractor) -> AddReport:
    if record.versions.get(f"extract:{extractor.name}") == extractor_label(extractor):
        return AddReport.unchanged(record)
    document = store.document(record.source)
    if document is None:
        return AddReport.failed(record.source, f"{record.source}: removed meanwhile")
    graph = build_graph(document, store.chunks_of(record.source), extractor)
    store.put_graph(record.source, graph)
    return AddReport.of_graph(document, record.chunks, graph)


def mended_bundle(
    store: Store, source: str, path: Path, hints: DocumentHints, tools: Tools, watch: Stopwatch
) -> Bundle | None:
    """The document as it would be stored had the user said so when it was added; None where it is not stored.

    Its file is read again where it still is the one that was stored. Without it (a text that was given) the stored
    text stays: its facts and relations take the company over, the periods of its facts are left as they were read.
    """
    from ..kg.storage.copying import read_bundle

    bundle = read_bundle(store, source, GraphPart(""))
    if bundle is None:
        return None
    if path.is_file() and hash_of(path) == bundle.document.content_hash:
        with watch.stage("read"):
            document = read_path(path, source, hints, tools.limits)
        return replace(build_bundle(document, tools, watch), ingested=bundle.ingested)
    with watch.stage("graph"):
        return told_again(bundle, hints, tools.extractor)


def told_again(bundle: Bundle, hints: DocumentHints, extractor: Extractor) -> Bundle:
    """A bundle with what the user says of its document: facts and relations take the company over.

    The periods of its facts stay as they were read.
    """
    about = hints.marked_in(replace(bundle.document.metadata, **hints.said))
    document = replace(bundle.document, metadata=about)
    return replace(
        bundle,
        document=document,
        heading_words=heading_words(about, bundle.chunks),
        facts=_of_company(bundle, document),
        graph=build_graph(document, bundle.chunks, extractor),
        versions={**bundle.versions, f"extract:{extractor.name}": extractor_label(extractor)},
    )


def parts_of_others(store: Store, source: str, tools: Tools) -> list[GraphPart]:
    """What other extractors have read from the document: it is kept, for a model was paid for it."""
    own = tools.extractor.name
    return [part for part in store.parts(source) if part.extractor.partition("-")[0] != own]


def _of_company(bundle: Bundle, document: Document) -> tuple[Fact, ...]:
    """The facts with the company that the document is about now, but for those that name another one."""
    before = {"", *bundle.document.metadata.companies}
    company = next(iter(document.metadata.companies), "")
    return tuple(replace(fact, company=company) if fact.company in before else fact for fact in bundle.facts)


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
        if record.versions.get(SUMMARIES) == author:
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


def estimate_summaries(own: Components) -> list[Estimate]:
    """Calls, tokens and money for the documents whose sections the model has not summarised. Raises UsageError."""
    from ..models.address import split_setting
    from ..models.language import price

    model_for_summaries(own)
    store, model = own.store, split_setting(own.settings.model)[0]
    author = summary_author(model)
    found: list[Estimate] = []
    for record in store.documents():
        if record.versions.get(SUMMARIES) == author:
            continue
        chats = [chat for _, chat in summary_chats(about_of(record.metadata), store.chunks_of(record.source))]
        asked = sum(estimate_tokens(message.content) for chat in chats for message in chat)
        answered = ANSWER_TOKENS * len(chats)
        cost = price(model, asked, answered) if chats else 0.0
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
