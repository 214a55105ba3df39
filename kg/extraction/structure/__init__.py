"""What the structure of a document states without a verb: tables, lists, signatures, headings, fixed forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ...triple import Triple

if TYPE_CHECKING:
    from ....ingest.document import Document
    from .filing import Filing

__all__ = ["structure_triples"]


@cache
def _readers() -> tuple[Callable[[Filing], Iterable[Triple]], ...]:
    """Loaded when a document is read: a question needs one of the files beside this alone."""
    from . import enumerations, lists, offices, papers

    return (
        lists.subsidiaries,
        lists.lists,
        enumerations.enumerations,
        lists.segments,
        lists.risks,
        lists.warnings,
        lists.exposures,
        offices.officers,
        offices.careers,
        offices.introductions,
        offices.rosters,
        offices.signatures,
        papers.contracts,
        papers.notes,
        papers.former_names,
        papers.cases,
        papers.cover,
        papers.auditor,
        papers.standards,
    )


def structure_triples(document: Document, types: Mapping[str, str]) -> Iterator[Triple]:
    """What tables, lists, signatures, headings and papers say of the one firm that a document is from.

    ``types`` gives the names of its text with their types. Offsets are in the document's text. Nothing is read where
    the document is from several firms, or from none that is known.
    """
    from .filing import PLAIN_BLANKS, Filing
    from .tables import table_triples

    if len(document.metadata.companies) != 1:
        return
    document = replace(document, text=document.text.translate(PLAIN_BLANKS))
    known = dict(types)
    filing = Filing(document, known)
    for read in _readers():
        for triple in read(filing):
            known.setdefault(triple.head, triple.head_type)
            known.setdefault(triple.tail, triple.tail_type)
            yield triple
    yield from table_triples(document, known)
