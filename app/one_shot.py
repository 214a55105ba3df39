"""Look at a text or a file without storing anything: chunks, triples, tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .ingest.chunk import Chunk
from .ingest.document import Table
from .kg.triple import Triple

if TYPE_CHECKING:
    from .ingest.chunking import Chunked
    from .ingest.document import Document


def chunk(text: str, chunker: str = "clique", **options: Any) -> list[Chunk]:
    """Cut a text into chunks, in order: ``text[c.start:c.end] == c.text`` for each.

    ``chunker`` is one of the names that ``cliquerag chunk --help`` lists; options are the chunker's own.

    >>> [c.text for c in chunk("Sales rose. Margins rose as well.", embedder="none")]
    ['Sales rose. Margins rose as well.']
    """
    from .ingest.chunking import chunk_text

    return chunk_text(text, chunker=chunker, **options)


def extract(text: str, extractor: str = "rules") -> list[Triple]:
    """Read the triples of a text.

    >>> [t.as_list()[:5] for t in extract("Acme Inc. acquired Beta Corp. in 2021.")]
    [['Acme Inc.', 'company', 'acquires', 'Beta Corp.', 'company']]
    """
    from .components import make_extractor
    from .kg.extraction.build import extract_text
    from .settings import resolve_settings

    return extract_text(text, make_extractor(extractor, resolve_settings().settings))


def tables(path: str | Path) -> list[Table]:
    """Read the tables of a file, in reading order, with their pages and boxes. Raises DocumentError."""
    from .ingest.read import read_document

    return list(read_document(Path(path), source=str(path)).tables)


def chunk_file(path: Path, chunker: str = "auto", **settings: str | None) -> tuple[Document, Chunked]:
    """A file as ``Workspace.add`` reads and cuts it; further settings are ``index_text`` and ``chunk_vectors``."""
    from .components import make_embedder, make_tools
    from .ingest.chunking import make_chunks
    from .ingest.read import read_document
    from .settings import resolve_settings

    resolved = resolve_settings({"chunker": chunker, **settings}).settings
    tools = make_tools(resolved, make_embedder(resolved))
    document = read_document(path, source=str(path))
    return document, make_chunks(document, tools.chunker, tools.embedder, tools.index, tools.language_model)


def extract_file(path: Path, extractor: str = "rules") -> list[Triple]:
    """The triples of a file, with aliases that hold over the whole of it."""
    from .components import make_tools
    from .ingest.chunking import make_chunks
    from .ingest.read import read_document
    from .kg.extraction.build import document_triples
    from .settings import resolve_settings

    tools = make_tools(resolve_settings({"extractor": extractor}).settings, None)
    document = read_document(path, source=str(path))
    chunks = make_chunks(document, tools.chunker, None).chunks
    return document_triples(document, chunks, tools.extractor)
