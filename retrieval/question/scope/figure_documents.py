"""Which documents figures are taken from, company by company."""

from __future__ import annotations

from collections.abc import Collection, Sequence

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
    by_name: dict[str, list[DocumentRecord]] = {}
    for record in records:
        by_name.setdefault(_first_name(record), []).append(record)
    by_key: dict[str, list[DocumentRecord]] = {}
    for name, own in by_name.items():
        key = name if is_chinese(name) else _first_key(catalogue, own[0])
        by_key.setdefault(key, []).extend(own)
    return list(by_key.values())


def _first_name(record: DocumentRecord) -> str:
    return name_key(next(iter(record.companies), ""))


def _first_key(catalogue: Catalogue, record: DocumentRecord) -> str:
    return next(iter(catalogue.companies.keys(record)), "")


def named_in_full(records: Sequence[DocumentRecord], text: str) -> list[DocumentRecord]:
    """Where the question writes Chinese names in full, the documents of just these: 中远海运控股 is not 中远海运."""
    names: set[str] = set()
    for record in records:
        names.update(name_key(name) for name in record.companies if is_chinese(name))
    found: set[str] = set()
    for name in sorted(names, key=len, reverse=True):
        if name in text:
            found.add(name)
            text = text.replace(name, " ")
    if not found:
        return list(records)
    return [record for record in records if _bears_one(record, found)]


def _bears_one(record: DocumentRecord, names: Collection[str]) -> bool:
    """True where a document is of a company of one of these Chinese names, or of one without a Chinese name."""
    return any(not is_chinese(company) or name_key(company) in names for company in record.companies)


def of_companies(
    catalogue: Catalogue, records: Sequence[DocumentRecord], companies: Sequence[str]
) -> list[DocumentRecord]:
    """The documents of companies named by the caller: a search is widened where there are none, a figure is not."""
    if not companies:
        return list(records)
    wanted: set[str] = set()
    for name in companies:
        wanted.update(catalogue.companies.find(name) or (company_key(name),))
    return [record for record in records if wanted.intersection(catalogue.companies.keys(record))]
