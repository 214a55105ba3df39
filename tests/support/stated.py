"""What the structure of a text of one firm states."""

from __future__ import annotations

from dataclasses import replace

from cliquerag.ingest.document import Document
from cliquerag.ingest.read import read_text
from cliquerag.kg.extraction.structure.triples import structure_triples
from cliquerag.kg.triple import Triple


def document_of(text: str, company: str = "Bolt Inc.") -> Document:
    """The text as a document that is from the company."""
    document = read_text(text, source="bolt.txt")
    return replace(document, metadata=replace(document.metadata, companies=(company,)))


def triples(text: str, known: dict[str, str] | None = None, company: str = "Bolt Inc.") -> list[Triple]:
    """The statements of the text; ``known`` are names that it holds, with their types."""
    return list(structure_triples(document_of(text, company), known or {}))


def said(text: str, known: dict[str, str] | None = None, company: str = "Bolt Inc.") -> set[tuple[str, str, str]]:
    """Head, relation and tail of each."""
    return {(told.head, told.relation, told.tail) for told in triples(text, known, company)}
