"""The documents of a store, looked up by company: made once after a write, so that no search walks them all.

A report of no certain company belongs to the scope of one that it names in front and again and again. Figures are taken
from documents of certain companies, company by company.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import chain, filterfalse
from typing import TYPE_CHECKING, Any

from ....core.names import is_chinese, name_key, strip_legal_form
from ....core.recent import Recent
from ....core.records import dataclass
from ....core.sequences import grouped
from ....core.words import search_words
from ....kg.store import DocumentRecord, Store
from .companies import CompanyIndex
from .preference import document_year, is_certain, is_report

if TYPE_CHECKING:
    from .document_filter import Selection

CALL = "earnings call"
"""The kind of a document in which people speak."""
_LOOKED_THROUGH = 60
"""Chunks with the words of a name in which the name itself is looked for."""
_OFTEN = 5
"""Chunks that name a company: a report names its own on many pages, a competitor on one or two."""
_FRONT = 6_000
"""Characters at the head of a report, its cover and first pages, that name whose it is."""
_MOST_DOCUMENTS = 40
"""A question that leaves more documents open is not about one company's figure."""
_REMEMBERED, _ANSWER = 1 << 20, 400
"""Bytes of what was looked up, and of one look-up: a word or a name and what came of it."""


def _remembered() -> Recent[Hashable, Any]:
    return Recent(_REMEMBERED, lambda _: _ANSWER)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """``by_company``: key -> its documents. ``newest``: source -> the last year of its company's documents.

    ``loose`` are documents whose company is a guess, or that are news of many: no company rules them out.
    """

    records: tuple[DocumentRecord, ...]
    by_source: Mapping[str, DocumentRecord]
    sources: tuple[str, ...]
    """All documents in order: to sort ten thousand took .8 ms of a question over everything."""
    companies: CompanyIndex
    by_company: Mapping[str, tuple[DocumentRecord, ...]]
    newest: Mapping[str, int]
    loose: tuple[DocumentRecord, ...]
    unnamed: tuple[DocumentRecord, ...]
    """Reports of no certain company: of whom they are tells the text."""
    chunks: int
    pages: int
    has_calls: bool = False
    """Calls are among the documents, in which people speak."""
    looked_up: Recent[Hashable, Any] = field(default_factory=_remembered, compare=False, repr=False)
    """What the texts said of words and names that were asked before: true until the next write, as all of this is."""

    @classmethod
    def of(cls, records: Sequence[DocumentRecord]) -> Catalogue:
        """Make the catalogue of all documents of a store."""
        companies = CompanyIndex.of(records)
        by_company = _by_company(records, companies)
        return cls(
            tuple(records),
            {record.source: record for record in records},
            tuple(sorted(record.source for record in records)),
            companies,
            by_company,
            _newest(by_company.values()),
            tuple(filterfalse(is_report, records)),
            tuple(filterfalse(is_certain, filter(is_report, records))),
            sum(record.chunks for record in records),
            sum(record.pages for record in records),
            any(record.kind == CALL for record in records),
        )

    def records_from(self, sources: Iterable[str]) -> list[DocumentRecord]:
        """The documents of these sources, as far as they are known."""
        return [self.by_source[source] for source in sources if source in self.by_source]

    def records_about(self, companies: Iterable[str]) -> list[DocumentRecord]:
        """The documents of the companies with these keys, company by company."""
        return list(chain.from_iterable(self.by_company.get(key, ()) for key in companies))


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


def naming(store: Store, catalogue: Catalogue, names: Iterable[str]) -> tuple[str, ...]:
    """The reports of no certain company whose text names one of the companies in front and often, written as asked."""
    if not catalogue.unnamed:
        return ()
    found: dict[str, None] = {}
    for name in names:
        look_up = partial(_naming, store, catalogue.unnamed, name)
        found.update(dict.fromkeys(catalogue.looked_up.made(("naming", name), look_up)))
    return tuple(found)


def _naming(store: Store, records: Sequence[DocumentRecord], name: str) -> list[str]:
    hits = store.matching(set(search_words(name)), _LOOKED_THROUGH, [record.source for record in records])
    number = Counter(hit.document for hit in hits)
    often_found = [hit.id for hit in hits if number[hit.document] >= _OFTEN]
    if not often_found:
        return []
    written, chunks = _pattern(name), store.chunks(often_found)
    counted = Counter(chunk.document for chunk in chunks if written.search(chunk.text))
    often = (source for source, count in counted.items() if count >= _OFTEN)
    return [source for source in often if written.search(store.text(source)[:_FRONT])]


def printing(store: Store, catalogue: Catalogue, text: str) -> list[str]:
    """The documents that print a company of the text as the text writes it, where its own are in another script."""
    found: dict[str, None] = {}
    for name, _ in catalogue.companies.transcribed(text):
        hits = store.matching(set(search_words(name)), _LOOKED_THROUGH)
        chunks = store.chunks([hit.id for hit in hits])
        found.update(dict.fromkeys(chunk.document for chunk in chunks if name in chunk.text))
    return list(found)


def _pattern(name: str) -> re.Pattern[str]:
    """The name as asked, in capitals, or broken over lines; a word in small letters is no name."""
    plain = strip_legal_form(name)
    spellings = {plain, plain.upper(), plain.title()}
    forms = (r"\s+".join(map(re.escape, spelling.split())) for spelling in sorted(spellings))
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")


def to_look_in(catalogue: Catalogue, selection: Selection, companies: Sequence[str]) -> list[DocumentRecord]:
    """The documents that figures are taken from, each of a certain company; none where too many may be meant."""
    if selection.has_more_than(_MOST_DOCUMENTS):
        return []
    sources = selection.certain
    if len(sources) > _MOST_DOCUMENTS:
        return []
    return of_companies(catalogue, catalogue.records_from(sources), companies)


def by_company(catalogue: Catalogue, records: Sequence[DocumentRecord]) -> list[list[DocumentRecord]]:
    """The documents of each company; those of several companies stand with the first one named."""
    by_name = grouped(records, key=_first_name)
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
    wanted = set(catalogue.companies.given(companies))
    return [record for record in records if wanted.intersection(catalogue.companies.keys(record))]


def only_document_with(store: Store, catalogue: Catalogue, names: Iterable[str]) -> list[DocumentRecord]:
    """The one document that prints the names, where none of them is a company: a mine, a fund, a product."""
    found: list[set[str]] = []
    for name in names:
        hits = store.matching(set(search_words(name)), _LOOKED_THROUGH)
        chunks = store.chunks([hit.id for hit in hits])
        found.append({chunk.document for chunk in chunks if name in chunk.text})
    printing = list(filter(None, found)) or [set()]
    common = set.intersection(*printing)
    return [catalogue.by_source[source] for source in common] if len(common) == 1 else []
