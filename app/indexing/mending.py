"""What the user says of a stored document, put in the place of what was found in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..components import Tools
from ..core.fact import Fact
from ..ingest.about.given import DocumentHints
from ..ingest.document import Document
from ..kg.export.copying import read_bundle
from ..kg.extraction.build import build_graph
from ..kg.store import Bundle, GraphPart, Store
from ..sources import hash_of
from .pipeline import Stopwatch, build_bundle, extractor_label, heading_words, marked, read_path


def mended_bundle(
    store: Store, source: str, path: Path, hints: DocumentHints, tools: Tools, watch: Stopwatch
) -> Bundle | None:
    """The document as it would be stored had the user said so when it was added; None where it is not stored.

    Its file is read again where it still is the one that was stored. Without it (a text that was given) the stored
    text stays: its facts and relations take the company over, the periods of its facts are left as they were read.
    """
    bundle = read_bundle(store, source, GraphPart(""))
    if bundle is None:
        return None
    if path.is_file() and hash_of(path) == bundle.document.content_hash:
        with watch.stage("read"):
            document = read_path(path, source, hints, tools.limits)
        return replace(build_bundle(document, tools, watch), ingested=bundle.ingested)
    document = _said(bundle.document, hints)
    with watch.stage("graph"):
        graph = build_graph(document, bundle.chunks, tools.extractor)
    return replace(
        bundle,
        document=document,
        heading_words=heading_words(document.metadata, bundle.chunks),
        facts=_of_company(bundle, document),
        graph=graph,
        versions={**bundle.versions, f"extract:{tools.extractor.name}": extractor_label(tools.extractor)},
    )


def parts_of_others(store: Store, source: str, tools: Tools) -> list[GraphPart]:
    """What other extractors have read from the document: it is kept, for a model was paid for it."""
    own = tools.extractor.name
    return [part for part in store.parts(source) if part.extractor.partition("-")[0] != own]


def _said(document: Document, hints: DocumentHints) -> Document:
    """The document with what the hints say in its metadata."""
    about = replace(
        document.metadata,
        companies=hints.companies or document.metadata.companies,
        period=hints.period or document.metadata.period,
        kind=hints.kind or document.metadata.kind,
        published=hints.published or document.metadata.published,
    )
    return marked(replace(document, metadata=about), hints)


def _of_company(bundle: Bundle, document: Document) -> tuple[Fact, ...]:
    """The facts with the company that the document is about now, but for those that name another one."""
    before = {"", *bundle.document.metadata.companies}
    company = next(iter(document.metadata.companies), "")
    return tuple(replace(fact, company=company) if fact.company in before else fact for fact in bundle.facts)
