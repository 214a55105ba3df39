"""What the structure of a document states without a verb: tables, lists, signatures, headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....ingest.document import Document
from ...triple import Triple
from .lists import list_triples
from .tables import table_triples

__all__ = ["structure_triples"]


def structure_triples(document: Document, types: Mapping[str, str]) -> Iterator[Triple]:
    """What tables, lists, signatures, headings and exhibits say of the one firm that a document is from.

    ``types`` gives the names of its text with their types. Offsets are in the document's text. Nothing is read where
    the document is from several firms, or from none that is known.
    """
    if len(document.metadata.companies) != 1:
        return
    known = dict(types)
    for triple in list_triples(document, known):
        known.setdefault(triple.head, triple.head_type)
        known.setdefault(triple.tail, triple.tail_type)
        yield triple
    yield from table_triples(document, known)
