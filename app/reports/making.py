"""What a user asks for as a report, checked and put together: companies and documents by their stored names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..core.language import Language
from ..core.scope import Scope
from .ready import ReadyReport, ready_report
from .sections import Progress, make_ready

if TYPE_CHECKING:
    from ..kg.store import DocumentRecord
    from ..workspace import Workspace
    from .parts import Report

_MOST_COMPANIES = 8


def ready_made(
    workspace: Workspace, name: str, scope: Scope | None, language: str | None, progress: Progress | None
) -> Report:
    """A ready report of the companies, periods or documents of a scope. Raises UsageError for what it cannot be of."""
    ready = ready_report(name, workspace.settings.reports)
    scope = scope or Scope()
    sources = tuple(workspace.sources.stored_names(scope.sources)) if scope.sources else ()
    records = [record for record in workspace.documents() if not sources or record.source in sources]
    if not records:
        raise UsageError("there are no documents", hint="Add some: cliquerag add FOLDER")
    if ready.needs == "documents":
        sources = _two_documents(records, sources)
    companies = _companies(workspace, ready, scope.companies, records)
    own = [record for record in records if _is_of(record, companies)]
    spoken = _language(language, own or records)
    return make_ready(workspace, ready, companies, scope.periods, sources, spoken, progress)


def _two_documents(records: Sequence[DocumentRecord], sources: Sequence[str]) -> tuple[str, ...]:
    """The two documents, the older first."""
    if len(sources) != 2:
        hint = "--source OLDER --source NEWER (`cliquerag docs` lists them)"
        raise UsageError(f"two documents are compared, not {len(sources)}", where="--source", hint=hint)
    dated = {record.source: record.period for record in records}
    first, second = sources
    one, other = dated[first], dated[second]
    if one and other and one.last_day > other.last_day:
        return second, first
    return first, second


def _companies(
    workspace: Workspace,
    ready: ReadyReport,
    named: Sequence[str],
    records: Sequence[DocumentRecord],
) -> tuple[str, ...]:
    """Names as the documents print them. Raises UsageError for one that no document is of, and for too few."""
    from ..retrieval.search.index.corpus import corpus_of

    index = corpus_of(workspace.store).catalogue.companies
    if not named:
        keys_of_all = chain.from_iterable(index.keys(record)[:1] for record in records)
        of_all = list(dict.fromkeys(keys_of_all))
        known = tuple(index.names[key] for key in of_all[:_MOST_COMPANIES])
        if len(of_all) > 1 and ready.needs == "company":
            raise UsageError("which company?", where="--company", hint=f"There are: {', '.join(known)}")
        return known
    found: list[str] = []
    for name in named:
        keys = index.find(name)
        if not keys:
            raise UsageError(f"no document is of {name!r}", where="--company", hint="See `cliquerag docs`")
        found.append(index.names[keys[0]])
    if ready.needs == "companies" and len(set(found)) < 2:
        raise UsageError("several companies are set side by side", where="--company", hint="Name two or more")
    return tuple(dict.fromkeys(found))


def _is_of(record: DocumentRecord, companies: Sequence[str]) -> bool:
    return any(company in record.companies for company in companies)


def _language(asked: str | None, records: Sequence[DocumentRecord]) -> Language:
    if asked:
        return "zh" if asked == "zh" else "en"
    spoken = Counter(record.language for record in records).most_common(1)[0][0]
    return "zh" if spoken == "zh" else "en"
