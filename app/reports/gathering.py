"""Fills the menu: searches the workspace by each keyword and keeps a row for each whole section that is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.scope import Scope
from ..core.tokens import count_tokens
from ..retrieval.search.context_expansion import section_runs
from ..retrieval.search.evidence import TEXTS, Evidence
from .menu import Menu, MenuRow

if TYPE_CHECKING:
    from ..ingest.chunk import Chunk
    from ..kg.store import DocumentRecord
    from ..workspace import Workspace
    from .planning import ReportPlan

Tell = Callable[[int, int], None]
"""Told how many keywords have been searched, and of how many."""
HITS = 8
"""Hits of a keyword; sections that they share count once."""
_SNIPPET = 320


def gather(workspace: Workspace, plan: ReportPlan, scope: Scope | None, menu: Menu, tell: Tell | None) -> list[str]:
    """Search by every keyword; the ids of the rows that are of this report, in the order found."""
    records = {record.source: record for record in workspace.documents()}
    rows: dict[str, MenuRow] = {}
    for done, (_, keyword) in enumerate(plan.keywords):
        if tell:
            tell(done, len(plan.keywords))
        for row in _rows_of(workspace, keyword, _scope_of(workspace, keyword, plan, scope), records):
            rows.setdefault(row.id, row)
    found = list(rows.values())
    embedder = workspace.components.embedder_for_search
    vectors = embedder.embed([row.text for row in found]) if embedder is not None and found else None
    menu.put(found, vectors)
    return [row.id for row in found]


def _scope_of(workspace: Workspace, keyword: str, plan: ReportPlan, scope: Scope | None) -> Scope | None:
    """What a keyword is searched in: one that names no company ("credit lines"), in those of the question."""
    from ..retrieval.search.index.corpus import corpus_of

    is_open = scope is None or not scope.companies
    if not plan.companies or not is_open or corpus_of(workspace.store).catalogue.companies.find(keyword):
        return scope
    return replace(scope or Scope(), companies=plan.companies)


def _rows_of(
    workspace: Workspace, keyword: str, scope: Scope | None, records: Mapping[str, DocumentRecord]
) -> Iterator[MenuRow]:
    hits = [
        hit for hit in workspace.search(keyword, k=HITS, scope=scope, parent="none") if hit.kind in TEXTS and hit.id
    ]
    taken: set[str] = set()
    sections = section_runs(workspace.store, hits)
    for hit in hits:
        run = sections.get(hit.id)
        record = records.get(hit.source)
        if hit.id in taken or not run or record is None:
            continue
        taken.update(chunk.id for chunk in run)
        yield _row(hit, run, keyword, record)


def _row(hit: Evidence, run: Sequence[Chunk], keyword: str, record: DocumentRecord) -> MenuRow:
    title = " > ".join(hit.headings[-2:]) or record.title or record.source.rpartition("/")[2]
    return MenuRow(
        record.source,
        min(chunk.start for chunk in run),
        max(chunk.end for chunk in run),
        " ".join(title.split()),
        keyword,
        _snippet(hit),
        record.companies[0] if record.companies else "",
        record.period.label if record.period else "",
        hit.page,
        record.published,
        record.content_hash,
    )


def _snippet(hit: Evidence) -> str:
    """The sentences of the hit that answer its keyword best: what a search engine shows under a title."""
    best = [hit.text[start - hit.start : end - hit.start] for start, end in hit.highlights[:2]]
    said = " ".join(" ".join(best or [hit.text]).split())
    return said if len(said) <= _SNIPPET else f"{said[:_SNIPPET].rpartition(' ')[0]} …"


def evidence_of(workspace: Workspace, row: MenuRow) -> Evidence | None:
    """The whole section of a row as evidence; None where its document has gone or changed since."""
    document = workspace.store.document(row.source)
    if document is None or row.end > len(document.text):
        return None
    text = document.text[row.start : row.end]
    found = Evidence("chunk", text, 1.0, row.source, row.section, row.page, document.anchors(row.start, row.end))
    headings = tuple(row.title.split(" > "))
    return replace(found, start=row.start, end=row.end, headings=headings, tokens=count_tokens(text))
