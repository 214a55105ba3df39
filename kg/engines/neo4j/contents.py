"""Whole documents: their parts, the counted terms and the vectors of their chunks, on a node beside each document.

The document's own node stays light, whoever returns or draws it. Workspaces of layout 1 have the parts on the document
and nothing counted; they are read as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....ingest.document import Document, Page
from ...storage.codec import expand, read_lines, read_pages, read_tables
from ...storage.quantisation import unpack_vectors
from ...storage.term_counts import DocumentTerms, count_terms, unpack_terms
from .chunks import read_vectors_of, read_words
from .connection import Graph, Row
from .documents import PROJECTION, record_of

if TYPE_CHECKING:
    import numpy as np

_DOCUMENT = "MATCH (d:Document {source: source}) OPTIONAL MATCH (d)-[:HOLDS]->(k)"
_TERMS = """UNWIND $sources AS source MATCH (:Document {source: source})-[:HOLDS]->(k) WHERE k.terms IS NOT NULL
RETURN source, k.chunk_list AS chunks, k.terms AS terms, k.chunk_vectors AS vectors, k.page_list AS pages"""


@dataclass(frozen=True, slots=True)
class Content:
    """What a search reads of a document."""

    terms: DocumentTerms
    vectors: bytes | None
    pages: bytes

    def matrix(self, dim: int) -> np.ndarray:
        """Float32 (chunks, dim); zero rows for a document without vectors."""
        import numpy as np

        if self.vectors is None:
            return np.zeros((len(self.terms.ids), dim), np.float32)
        return unpack_vectors(self.vectors, dim)


def read_contents(graph: Graph, sources: Collection[str]) -> dict[str, Content]:
    """Document -> its content, for those that have one."""
    rows = graph.read(_TERMS, sources=sorted(set(sources)))
    return {row["source"]: Content(_terms(row), row["vectors"], row["pages"]) for row in rows}


def terms_of(graph: Graph, sources: Collection[str], known: Mapping[str, Content]) -> list[DocumentTerms]:
    """The terms of the documents in order: counted now where nothing is ``known``."""
    older = [source for source in sources if source not in known]
    counted = count_terms(read_words(graph, older)) if older else []
    found = [*counted, *(known[source].terms for source in set(sources) if source in known)]
    return sorted(found, key=lambda terms: terms.source)


def vectors_of(graph: Graph, sources: Collection[str], known: Mapping[str, Content], dim: int) -> np.ndarray:
    """Float32 (all chunks of the documents, dim), in order of source and ordinal."""
    import numpy as np

    if any(source not in known for source in sources):
        return read_vectors_of(graph, sources, dim)
    return np.concatenate([np.zeros((0, dim), np.float32), *(known[s].matrix(dim) for s in sorted(set(sources)))])


def read_part(graph: Graph, source: str, name: str) -> bytes | None:
    """One part of a document, compressed; None for an unknown document."""
    rows = graph.read(f"WITH $source AS source {_DOCUMENT} RETURN {_part(name)} AS part", source=source)
    return rows[0]["part"] if rows else None


def read_pages_of(graph: Graph, sources: Collection[str]) -> Mapping[str, Sequence[Page]]:
    """Document -> its pages."""
    query = f"UNWIND $sources AS source {_DOCUMENT} RETURN source, {_part('page_list')} AS pages"
    return {row["source"]: read_pages(expand(row["pages"])) for row in graph.read(query, sources=list(sources))}


def read_documents(graph: Graph, sources: Sequence[str]) -> dict[str, Row]:
    """Document -> its properties and parts, those that are compressed as they are."""
    parts = ", ".join(f"{name}: {_part(name)}" for name in ("text", "page_list", "line_list", "table_list"))
    query = f"UNWIND $sources AS source {_DOCUMENT} RETURN d {{{PROJECTION}, {parts}}} AS part"
    return {row["part"]["source"]: row["part"] for row in graph.read(query, sources=list(sources))}


def document_of(row: Row) -> Document:
    """All but its segments and coverage."""
    record = record_of(row)
    return Document(
        source=record.source,
        text=expand(row["text"]),
        segments=(),
        metadata=record.metadata,
        pages=read_pages(expand(row["page_list"])),
        lines=tuple(read_lines(expand(row["line_list"]))),
        tables=tuple(read_tables(expand(row["table_list"]))),
        content_hash=record.content_hash,
    )


def _part(name: str) -> str:
    return f"coalesce(k.{name}, d.{name})"


def _terms(row: Row) -> DocumentTerms:
    import numpy as np

    chunks = expand(row["chunks"])
    spans = np.array([chunk[1:] for chunk in chunks], np.int64).reshape(-1, 2)
    return DocumentTerms(row["source"], tuple(chunk[0] for chunk in chunks), spans, *unpack_terms(row["terms"]))
