"""The documents of a store, looked up by company: made once after a write, so that no search walks them all.

A report of no certain company belongs to the scope of one that it names in front and again and again.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse

from ....core.names import strip_legal_form
from ....core.words import search_words
from ....kg.store import DocumentRecord, Store
from .companies import CompanyIndex
from .preference import document_year, is_certain, is_report

_LOOKED_THROUGH = 60
"""Chunks with the words of a name in which the name itself is looked for."""
_OFTEN = 5
"""Chunks that name a company: a report names its own on many pages, a competitor on one or two."""
_FRONT = 6_000
"""Characters at the head of a report, its cover and first pages, that name whose it is."""


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


def naming(store: Store, records: Sequence[DocumentRecord], names: Iterable[str]) -> tuple[str, ...]:
    """The sources among the records whose text names one of the companies in front and often, written as asked."""
    if not records:
        return ()
    sources = [record.source for record in records]
    found: dict[str, None] = {}
    for name in names:
        words = search_words(name)
        if not words:
            continue
        written = _pattern(name)
        hits = store.matching(set(words), _LOOKED_THROUGH, sources)
        counted = Counter(c.document for c in store.chunks([hit.id for hit in hits]) if written.search(c.text))
        often = [source for source, count in counted.items() if count >= _OFTEN]
        found |= dict.fromkeys(source for source in often if written.search(store.text(source)[:_FRONT]))
    return tuple(found)


def _pattern(name: str) -> re.Pattern[str]:
    """The name as asked, in capitals, or broken over lines; a word in small letters is no name."""
    plain = strip_legal_form(name) or name
    spellings = {plain, plain.upper(), plain.title()}
    forms = (r"\s+".join(map(re.escape, spelling.split())) for spelling in sorted(spellings))
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
