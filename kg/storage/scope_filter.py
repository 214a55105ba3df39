"""Which documents a scope lets through; shared by the engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...core.names import company_key
from ...core.scope import Scope
from ..store import DocumentRecord
from ..timeline import public_by


class ScopeIndex:
    """Records by source, with the looks-ups that a scope needs. Not thread-safe."""

    def __init__(self) -> None:
        self._records: dict[str, DocumentRecord] = {}
        self._by_company: dict[str, set[str]] = {}
        self._ordered: list[DocumentRecord] | None = None

    @property
    def records(self) -> Mapping[str, DocumentRecord]:
        """Source -> record."""
        return self._records

    def add(self, record: DocumentRecord) -> None:
        """Add a record, or replace the one of the same source."""
        self.discard(record.source)
        self._records[record.source] = record
        for company in record.companies:
            self._by_company.setdefault(company_key(company), set()).add(record.source)
        self._ordered = None

    def discard(self, source: str) -> None:
        """Take a record out, if it is there."""
        record = self._records.pop(source, None)
        if record is None:
            return
        for company in record.companies:
            self._by_company[company_key(company)].discard(source)
        self._ordered = None

    def select(self, scope: Scope | None) -> list[DocumentRecord]:
        """The records within the scope, in order of their source."""
        if scope is None or scope.is_open:
            return list(self._all_ordered())
        found = [record for record in self._candidates(scope) if _within(record, scope)]
        return sorted(found, key=_source_of)

    def _all_ordered(self) -> list[DocumentRecord]:
        if self._ordered is None:
            self._ordered = sorted(self._records.values(), key=_source_of)
        return self._ordered

    def _candidates(self, scope: Scope) -> Iterator[DocumentRecord]:
        """The records of the sources and companies that the scope names; all where it names none."""
        sources: Iterable[str] = scope.sources or self._records
        if scope.companies:
            sources = self._of_companies(scope.companies).intersection(sources)
        for source in dict.fromkeys(sources):
            if source in self._records:
                yield self._records[source]

    def _of_companies(self, companies: Iterable[str]) -> set[str]:
        found: set[str] = set()
        for company in companies:
            found |= self._by_company.get(company_key(company), set())
        return found


def _source_of(record: DocumentRecord) -> str:
    return record.source


def _within(record: DocumentRecord, scope: Scope) -> bool:
    if scope.kinds and record.kind not in scope.kinds:
        return False
    if scope.as_of and public_by(record) > scope.as_of:
        return False
    if not scope.periods:
        return True
    label = record.period.label if record.period else None
    return label in {period.label for period in scope.periods}
