"""The documents of a store, looked up by company: made once after a write, so that no search walks them all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse

from ....kg.store import DocumentRecord
from .companies import CompanyIndex
from .preference import document_year, is_certain, is_report


@dataclass(frozen=True, slots=True)
class Catalogue:
    """``by_company``: key -> its documents. ``newest``: source -> the last year of its company's documents.

    ``loose`` are documents whose company is a guess, or that are news of many: no company rules them out.
    """

    records: tuple[DocumentRecord, ...]
    by_source: Mapping[str, DocumentRecord]
    companies: CompanyIndex
    by_company: Mapping[str, tuple[DocumentRecord, ...]]
    newest: Mapping[str, int]
    loose: tuple[DocumentRecord, ...]
    unnamed: tuple[DocumentRecord, ...]
    """Reports of no certain company: of whom they are tells the text."""
    chunks: int
    pages: int

    @classmethod
    def of(cls, records: Sequence[DocumentRecord]) -> Catalogue:
        """Make the catalogue of all documents of a store."""
        companies = CompanyIndex.of(records)
        by_company = _by_company(records, companies)
        return cls(
            tuple(records),
            {record.source: record for record in records},
            companies,
            by_company,
            _newest(by_company.values()),
            tuple(filterfalse(is_report, records)),
            tuple(filterfalse(is_certain, filter(is_report, records))),
            sum(record.chunks for record in records),
            sum(record.pages for record in records),
        )


def _by_company(records: Iterable[DocumentRecord], companies: CompanyIndex) -> dict[str, tuple[DocumentRecord, ...]]:
    found: dict[str, list[DocumentRecord]] = defaultdict(list)
    for record in records:
        for key in companies.keys(record):
            found[key].append(record)
    return {key: tuple(own) for key, own in found.items()}


def _newest(companies: Iterable[Sequence[DocumentRecord]]) -> dict[str, int]:
    """Source -> the last year that a report of its company is about; 0 where none tells."""
    newest: dict[str, int] = {}
    for own in companies:
        years = (document_year(record) or 0 for record in filter(is_report, own))
        last = max(years, default=0)
        newest |= {record.source: max(last, newest.get(record.source, 0)) for record in own}
    return newest
