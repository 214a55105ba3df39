"""Questions in one language over documents in the other: English ones over a Chinese report, Chinese ones over filings.

40 questions, written before any result was seen; gold are the pages that hold what is asked for. All documents are in
one workspace and nothing is said of them. The systems differ in their vectors: none, those of the English model alone,
and those of the multilingual encoder beside it, with English documents in both spaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.components import make_embedder
from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import page_ranking
from cliquerag.ingest.document import Document
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.settings import Settings

from ...asking import search
from ...ours import OURS, stored
from .._shared import in_place_of_default, ranking_rows, read_lines

if TYPE_CHECKING:
    from cliquerag.kg.store import Store
    from cliquerag.models.embedders import Embedder

FOLDER = "."
MINUTES = 8
METRICS = ("hit@1", "hit@5", "MRR@10")
PARTS = ("dev", "unread")
"""Every third question is left unread: nobody looks at what came of a single one."""
SETTINGS = ("known", "routed", "everything")
"""The documents that answer are given; or read from the question; or all are searched."""
DIRECTIONS = ("English asks Chinese", "Chinese asks English")
_QUESTIONS = Path(__file__).with_name("cross_language.jsonl")
_HITS = 20
_SYSTEMS: Mapping[str, Mapping[str, Any]] = {
    "words": {"embedder": "none"},
    f"{OURS} English vectors": {"multilingual": "none"},
    f"{OURS} two spaces": {"multilingual": "all"},
}
PageKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the pages (source, number from 1) that answer."""

    id: str
    part: str
    text: str
    gold: frozenset[PageKey]

    @property
    def direction(self) -> str:
        """Which language asks which."""
        return DIRECTIONS[0] if self.id.startswith("en-") else DIRECTIONS[1]


def run(folder: Path) -> Report:
    """Every system over the same documents, read once."""
    asked = read_asked()
    documents = list(_documents(folder, asked))
    ranked: dict[tuple[str, str], list[list[PageKey]]] = {}
    for system, options in _SYSTEMS.items():
        model = make_embedder(Settings(**options))
        with in_place_of_default(model), stored(documents, model, graph=False, facts=True) as store:
            for setting in SETTINGS:
                ranked[setting, system] = [_ranked(store, model, question, setting) for question in asked]
    rows: list[Row] = []
    for setting, part, direction in product(SETTINGS, PARTS, DIRECTIONS):
        chosen = [i for i, q in enumerate(asked) if q.part == part and q.direction == direction]
        systems = {system: [ranked[setting, system][i] for i in chosen] for system in _SYSTEMS}
        made = ranking_rows(systems, [asked[i].gold for i in chosen], METRICS, than="words")
        rows += [replace(row, metric=f"{direction}, {setting}, {part}: {row.metric}") for row in made]
    notes = (f"{len(asked)} questions over {len(documents)} documents, {sum(len(d.pages) for d in documents)} pages.",)
    return Report("cross_language", tuple(rows), notes)


def _ranked(store: Store, model: Embedder | None, question: Question, setting: str) -> list[PageKey]:
    known = Scope(sources=tuple(sorted({source for source, _ in question.gold})))
    scope = {"known": known, "routed": None, "everything": Scope.all()}[setting]
    return page_ranking(search(store, model, question.text, k=_HITS, scope=scope))


def read_asked(path: Path = _QUESTIONS) -> list[Question]:
    """All questions, in the order of the file."""
    return [_question(record) for record in read_lines(path)]


def _question(record: Mapping[str, Any]) -> Question:
    gold = frozenset((source, page) for source, pages in record["pages"].items() for page in pages)
    return Question(record["id"], record["split"], record["question"], gold)


def _documents(folder: Path, asked: list[Question]) -> list[Document]:
    documents: list[Document] = []
    for name in sorted({source for question in asked for source, _ in question.gold}):
        found = sorted((*folder.glob(f"financebench/pdfs_*/{name}"), *folder.glob(f"zh_annual_reports/{name}")))
        if not found:
            raise UsageError(f"no file {name!r} in financebench or zh_annual_reports", where=str(folder))
        documents.append(classify_pages(read_document(found[0], source=name)))
    return documents
