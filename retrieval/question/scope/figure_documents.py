"""Which documents figures are taken from, company by company."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from ....core.names import company_key, is_chinese, name_key
from ....kg.store import DocumentRecord
from .catalogue import Catalogue
from .document_filter import Selection

T = TypeVar("T")
_MOST_DOCUMENTS = 40
"""A question that leaves more documents open is not about one company's figure."""


def to_look_in(catalogue: Catalogue, selection: Selection, companies: Sequence[str]) -> list[DocumentRecord]:
    """The documents that figures are taken from, each of a certain company; none where too many may be meant."""
    sources = selection.certain if len(selection.certain) <= _MOST_DOCUMENTS else ()
    own = [catalogue.by_source[source] for source in sources if source in catalogue.by_source]
    return of_companies(catalogue, own, companies)


def by_company(catalogue: Catalogue, records: Sequence[DocumentRecord]) -> list[list[DocumentRecord]]:
    """The documents of each company; those of several companies stand with the first one named."""
    by_name = _grouped(records, _first_name)
    keys = {name: name if is_chinese(name) else _first_key(catalogue, own[0]) for name, own in by_name.items()}
    merged = _grouped(by_name, keys.__getitem__)
    return [list(chain.from_iterable(map(by_name.__getitem__, names))) for names in merged.values()]


def _grouped(items: Iterable[T], group_of: Callable[[T], str]) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    return groups


def _first_name(record: DocumentRecord) -> str:
    return name_key(next(iter(record.companies), ""))


def _first_key(catalogue: Catalogue, record: DocumentRecord) -> str:
    return next(iter(catalogue.companies.keys(record)), "")


def named_in_full(records: Sequence[DocumentRecord], text: str) -> list[DocumentRecord]:
    """Where the question writes Chinese names in full, the documents of just these: 中远海运控股 is not 中远海运."""
    names = {name_key(name) for record in records for name in filter(is_chinese, record.companies)}
    found: set[str] = set()
    for name in sorted(names, key=len, reverse=True):
        if name in text:
            found.add(name)
            text = text.replace(name, " ")
    if not found:
        return list(records)
    return [record for record in records if any(map(partial(_is_among, found), record.companies))]


def _is_among(found: Collection[str], company: str) -> bool:
    return not is_chinese(company) or name_key(company) in found


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
