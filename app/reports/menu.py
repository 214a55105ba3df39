"""The menu of DM-RAG: one row a section that was found by a keyword, with words and vector, beside the workspace.

A row has a title, the keyword that found it, a short summary for that keyword, and where and when it stands. It points
to a whole section, never to a cut piece. The menu is filled by a search of the workspace for each keyword. Verdicts
and digests on rows are kept with them, so that a report that was broken off goes on. Source: the DM-RAG description
(data menus), sections 3 and 4.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.ids import stable_id
from ..core.period import label_of
from ..core.plain import first_words
from ..core.records import dataclass
from ..core.scope import Scope
from ..core.tokens import count_tokens
from ..core.words import question_words, search_words
from ..retrieval.search.context_expansion import section_runs
from ..retrieval.search.evidence import TEXTS, Evidence
from ..side_files import file_beside, open_private, writing

if TYPE_CHECKING:
    import numpy as np

    from ..ingest.chunk import Chunk
    from ..kg.store import DocumentRecord
    from ..workspace import Workspace
    from .planning import ReportPlan

_SCHEMA = """
CREATE TABLE IF NOT EXISTS menu (id TEXT PRIMARY KEY, source TEXT, version TEXT, row TEXT, vector BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS menu_words USING fts5(id UNINDEXED, words, tokenize = 'unicode61');
CREATE TABLE IF NOT EXISTS made (key TEXT PRIMARY KEY, kind TEXT, data TEXT);
"""
_CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""
_DEPTH = 40


@dataclass(frozen=True, slots=True)
class MenuRow:
    """A section that a keyword found. ``start`` and ``end`` are its offsets in the document's text."""

    source: str
    start: int
    end: int
    title: str
    keyword: str
    summary: str
    company: str = ""
    period: str = ""
    page: int | None = None
    published: date | None = None
    version: str = ""
    """Hash of the document's content: a row of an older version is not used."""

    @property
    def id(self) -> str:
        """One row a section and keyword."""
        return stable_id(self.section, self.keyword)

    @property
    def section(self) -> str:
        """One section, whatever found it."""
        return stable_id(self.source, self.version, str(self.start), str(self.end))

    @property
    def text(self) -> str:
        """What is searched of it."""
        return "\n".join((self.title, self.company, self.period, self.keyword, self.summary))


class Menu:
    """The rows of a workspace in a file of its own beside it. May be used by several threads."""

    def __init__(self, path: Path | None) -> None:
        """Open the file, or make it; None keeps all in memory. Raises StoreError."""
        self._lock = threading.RLock()
        hint = "Check the folder and its permissions; the file may be deleted, reports make it anew"
        self._connection = open_private(path, _SCHEMA, "the menu", hint)

    @classmethod
    def of(cls, workspace: Workspace) -> Menu:
        """That of a workspace: beside its file, else in the user's data folder; in memory for one in memory."""
        return cls(file_beside(workspace.settings.workspace, "menu"))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def put(self, rows: Sequence[MenuRow], vectors: np.ndarray | None) -> None:
        """Keep rows, each in place of one of the same section and keyword. ``vectors`` are float32 unit rows."""
        with self._writing() as connection:
            for at, row in enumerate(rows):
                vector = vectors[at].astype("<f4").tobytes() if vectors is not None else None
                words = " ".join(search_words(row.text))
                values = (row.id, row.source, row.version, _packed(row), vector)
                connection.execute("INSERT OR REPLACE INTO menu VALUES (?, ?, ?, ?, ?)", values)
                connection.execute("DELETE FROM menu_words WHERE id = ?", (row.id,))
                connection.execute("INSERT INTO menu_words VALUES (?, ?)", (row.id, words))

    def rows(self, ids: Iterable[str]) -> list[MenuRow]:
        """The rows of these ids that there are, in their order."""
        found = (self._one("SELECT row FROM menu WHERE id = ?", id) for id in ids)
        return [_unpacked(text) for text in found if text]

    def search(self, question: str, vector: np.ndarray | None, among: Sequence[str], count: int) -> list[MenuRow]:
        """The best rows among those of these ids: words and vectors, fused by reciprocal rank, a section once."""
        places = {id: place for place, id in enumerate(among)}
        rankings = [self._by_words(question, places)]
        if vector is not None:
            rankings.append(self._by_vector(vector, places))
        scores: dict[str, float] = {}
        for ranking in rankings:
            for place, id in enumerate(ranking, 1):
                scores[id] = scores.get(id, 0.0) + 1 / (_CONSTANT + place)
        # Of equals the one that was found first: ids differ with the folder that the documents lie in.
        best = sorted(scores, key=lambda id: (-scores[id], places[id]))
        by_section: dict[str, MenuRow] = {}
        for row in self.rows(best):
            by_section.setdefault(row.section, row)
        return list(by_section.values())[:count]

    def _by_words(self, question: str, places: Mapping[str, int]) -> list[str]:
        words = dict.fromkeys(question_words(question))
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        statement = "SELECT bm25(menu_words), id FROM menu_words WHERE menu_words MATCH ?"
        with self._lock:
            found = [(score, places[id]) for score, id in self._connection.execute(statement, (asked,)) if id in places]
        ids = list(places)
        return [ids[place] for _, place in sorted(found)[:_DEPTH]]

    def _by_vector(self, vector: np.ndarray, places: Mapping[str, int]) -> list[str]:
        import numpy as np

        scored: list[tuple[float, int]] = []
        for id, place in places.items():
            packed = self._one("SELECT vector FROM menu WHERE id = ?", id)
            if packed:
                scored.append((-float(np.frombuffer(packed, dtype="<f4") @ vector), place))
        ids = list(places)
        return [ids[place] for _, place in sorted(scored)[:_DEPTH]]

    # --- what was made of rows

    def made(self, key: str) -> Any:
        """What was kept under a key; None where nothing was."""
        text = self._one("SELECT data FROM made WHERE key = ?", key)
        return json.loads(text) if text else None

    def keep(self, key: str, kind: str, data: Any) -> None:
        """Keep a verdict or a digest; it is on disk when this returns."""
        with self._writing() as connection:
            text = json.dumps(data, ensure_ascii=False)
            connection.execute("INSERT OR REPLACE INTO made VALUES (?, ?, ?)", (key, kind, text))

    def _one(self, statement: str, value: str) -> Any:
        with self._lock, closing(self._connection.execute(statement, (value,))) as found:
            row = found.fetchone()
        return row[0] if row else None

    def _writing(self) -> AbstractContextManager[sqlite3.Connection]:
        return writing(self._connection, self._lock, "the menu", hint="Is the disk full?")


def _packed(row: MenuRow) -> str:
    values = {name: getattr(row, name) for name in row.__slots__}
    values["published"] = row.published.isoformat() if row.published else None
    return json.dumps(values, ensure_ascii=False)


def _unpacked(text: str) -> MenuRow:
    values = json.loads(text)
    published = values.pop("published")
    return MenuRow(**values, published=date.fromisoformat(published) if published else None)


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
        label_of(record.period),
        hit.page,
        record.published,
        record.content_hash,
    )


def _snippet(hit: Evidence) -> str:
    """The sentences of the hit that answer its keyword best: what a search engine shows under a title."""
    best = [hit.text[start - hit.start : end - hit.start] for start, end in hit.highlights[:2]]
    return first_words(" ".join(best or [hit.text]), _SNIPPET)


def evidence_of(workspace: Workspace, row: MenuRow) -> Evidence | None:
    """The whole section of a row as evidence; None where its document has gone or changed since."""
    document = workspace.store.document(row.source)
    if document is None or row.end > len(document.text):
        return None
    text = document.text[row.start : row.end]
    found = Evidence("chunk", text, 1.0, row.source, row.section, row.page, document.anchors(row.start, row.end))
    headings = tuple(row.title.split(" > "))
    return replace(found, start=row.start, end=row.end, headings=headings, tokens=count_tokens(text))
