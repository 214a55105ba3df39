"""Which documents figures are taken from, company by company."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.names import company_key, is_chinese, name_key
from ....kg.store import DocumentRecord
from .catalogue import Catalogue
from .document_filter import Selection

_MOST_DOCUMENTS = 40
"""A question that leaves more documents open is not about one company's figure."""


def to_look_in(catalogue: Catalogue, selection: Selection, companies: Sequence[str]) -> list[DocumentRecord]:
    """The documents that figures are taken from, each of a certain company; none where too many may be meant."""
    sources = selection.certain if len(selection.certain) <= _MOST_DOCUMENTS else ()
    own = [catalogue.by_source[source] for source in sources if source in catalogue.by_source]
    return of_companies(catalogue, own, companies)


def by_company(catalogue: Catalogue, records: Sequence[DocumentRecord]) -> list[list[DocumentRecord]]:
    """The documents of each company; those of several companies stand with the first one named."""
    groups: dict[str, list[DocumentRecord]] = {}
    for record in records:
        groups.setdefault(name_key(record.companies[0]) if record.companies else "", []).append(record)
    keys = {name: catalogue.companies.keys(own[0])[:1] for name, own in groups.items()}
    merged: dict[object, list[DocumentRecord]] = {}
    for name, own in groups.items():
        merged.setdefault(name if is_chinese(name) else keys[name], []).extend(own)
    return list(merged.values())


def named_in_full(records: Sequence[DocumentRecord], text: str) -> list[DocumentRecord]:
    """Where the question writes Chinese names in full, the documents of just these: 中远海运控股 is not 中远海运."""
    names = {name_key(name) for record in records for name in record.companies if is_chinese(name)}
    found: set[str] = set()
    for name in sorted(names, key=len, reverse=True):
        if name in text:
            found.add(name)
            text = text.replace(name, " ")
    return [
        record
        for record in records
        if not found or any(name_key(name) in found or not is_chinese(name) for name in record.companies)
    ]


def of_companies(
    catalogue: Catalogue, records: Sequence[DocumentRecord], companies: Sequence[str]
) -> list[DocumentRecord]:
    """The documents of companies named by the caller: a search is widened where there are none, a figure is not."""
    wanted = {key for name in companies for key in (catalogue.companies.find(name) or (company_key(name),))}
    return [r for r in records if not companies or wanted.intersection(catalogue.companies.keys(r))]
