"""The documents of a store, looked up by company: made once after a write, so that no search walks them all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
        by_company: dict[str, list[DocumentRecord]] = defaultdict(list)
        for record in records:
            for key in companies.keys(record):
                by_company[key].append(record)
        newest: dict[str, int] = {}
        for own in by_company.values():
            last = max((document_year(record) or 0 for record in own if is_report(record)), default=0)
            newest |= {record.source: max(last, newest.get(record.source, 0)) for record in own}
        return cls(
            tuple(records),
            {record.source: record for record in records},
            companies,
            {key: tuple(own) for key, own in by_company.items()},
            newest,
            tuple(record for record in records if not is_report(record)),
            tuple(record for record in records if is_report(record) and not is_certain(record)),
            sum(record.chunks for record in records),
            sum(record.pages for record in records),
        )
