"""Our own search over a benchmark's texts, as one more system: read, chunked, stored and searched as in a workspace."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.indexing.pipeline import bundle_of
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_text
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.extraction.build import build_graph, make_extractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Bundle, Store

if TYPE_CHECKING:
    from cliquerag.core.fact import Fact
    from cliquerag.kg.triple import Extractor
    from cliquerag.models.embedders import Embedder
    from cliquerag.retrieval.search.evidence import Evidence

STORE_VARIABLE = "CLIQUERAG_BENCH_STORE"
OURS = "CliqueRAG"
"""Name of our system in tables."""


@contextmanager
def stored(
    documents: Iterable[Document], embedder: Embedder | None, *, graph: bool = True, facts: bool = False
) -> Iterator[Store]:
    """A store of the documents, emptied afterwards: SQLite in a scratch folder, or the empty workspace whose URL stands
    in ``CLIQUERAG_BENCH_STORE``.

    ``graph=False`` leaves out the extraction, where a benchmark measures passages alone; ``facts`` reads the figures as
    well. Raises UsageError where that workspace holds documents.
    """
    extractor = make_extractor("rules", load_schema()) if graph else None
    with tempfile.TemporaryDirectory(prefix="cliquerag-bench-") as folder:
        url = os.environ.get(STORE_VARIABLE) or f"sqlite:///{Path(folder) / 'bench.db'}"
        store = open_store(url, schema=load_schema())
        if store.documents():
            raise UsageError("a benchmark needs an empty workspace", where=store.url)
        try:
            for document in documents:
                figures = extract_facts(document) if facts else ()
                store.put(make_bundle(document, embedder, extractor, facts=tuple(figures)))
            yield store
        finally:
            for record in store.documents():
                store.remove(record.source)
            store.close()


def make_bundle(
    document: Document,
    embedder: Embedder | None,
    extractor: Extractor | None,
    *,
    facts: Sequence[Fact] = (),
) -> Bundle:
    """A document chunked and indexed with the defaults of a workspace, with the facts that are given."""
    chunked = make_chunks(document, make_chunker("auto"), embedder)
    graph = build_graph(document, chunked.chunks, extractor) if extractor else None
    return bundle_of(document, chunked, embedder, facts=tuple(facts), graph=graph)


def text_documents(texts: Mapping[str, str | Sequence[str]]) -> Iterator[Document]:
    """Source -> text, or its pages, as documents; a text without words is left out."""
    for source, text in texts.items():
        if (text if isinstance(text, str) else "".join(text)).strip():
            yield classify_pages(read_text(text, source=source))


def search_all(
    store: Store, embedder: Embedder | None, questions: Sequence[str], *, mode: str = "hybrid", k: int = 10,
    scope: Scope | None = None,
) -> list[list[Evidence]]:  # fmt: skip
    """The ranking of each question."""
    from .asking import search

    return [search(store, embedder, question, mode=mode, k=k, scope=scope) for question in questions]
