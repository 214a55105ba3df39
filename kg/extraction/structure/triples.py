"""What the structure of a document states without a verb: tables, lists, signatures, headings, fixed forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ....ingest.document import Document
from ...triple import Triple
from . import advisers, enumerations, frames, lists, offices, papers, profiles
from .filing import PLAIN_BLANKS, Filing
from .tables import table_triples

_READERS = (
    lists.subsidiaries,
    lists.lists,
    enumerations.enumerations,
    lists.segments,
    lists.risks,
    lists.warnings,
    lists.exposures,
    offices.officers,
    profiles.profiles,
    offices.careers,
    offices.introductions,
    offices.rosters,
    offices.signatures,
    offices.certificates,
    papers.contracts,
    papers.notes,
    papers.former_names,
    papers.cases,
    papers.cover,
    papers.standards,
    advisers.advisers,
    frames.frames,
)


def structure_triples(document: Document, types: Mapping[str, str]) -> Iterator[Triple]:
    """What tables, lists, signatures, headings and papers say of the one firm that a document is from.

    ``types`` gives the names of its text with their types. Offsets are in the document's text. Nothing is read where
    the document is from several firms, or from none that is known.
    """
    if not document.metadata.filer:
        return
    document = replace(document, text=document.text.translate(PLAIN_BLANKS))
    known = dict(types)
    filing = Filing(document, known)
    for read in _READERS:
        for triple in read(filing):
            known.setdefault(triple.head, triple.head_type)
            known.setdefault(triple.tail, triple.tail_type)
            yield triple
    yield from table_triples(document, known)
