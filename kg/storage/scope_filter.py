"""Which documents a scope lets through; shared by the engines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
        for company in record.companies if record else ():
            self._by_company[company_key(company)].discard(source)
        self._ordered = None

    def select(self, scope: Scope | None) -> list[DocumentRecord]:
        """The records within the scope, in order of their source."""
        if scope is None or scope.is_open:
            if self._ordered is None:
                self._ordered = sorted(self._records.values(), key=lambda record: record.source)
            return list(self._ordered)
        candidates = (self._records[source] for source in self._sources(scope) if source in self._records)
        return sorted((record for record in candidates if _within(record, scope)), key=lambda record: record.source)

    def _sources(self, scope: Scope) -> Iterable[str]:
        if scope.companies:
            keys = {company_key(company) for company in scope.companies}
            named = set().union(*(self._by_company.get(key, set()) for key in keys))
            return named & set(scope.sources) if scope.sources else named
        return dict.fromkeys(scope.sources) if scope.sources else self._records


def _within(record: DocumentRecord, scope: Scope) -> bool:
    if scope.kinds and record.kind not in scope.kinds:
        return False
    if scope.as_of and public_by(record) > scope.as_of:
        return False
    if not scope.periods:
        return True
    return record.period is not None and record.period.label in {period.label for period in scope.periods}
