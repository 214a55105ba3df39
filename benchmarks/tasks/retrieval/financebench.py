"""FinanceBench: the page of a filing that answers, with the filing known, found from the question, or anywhere.

Source: Islam et al. 2023; questions of analysts over 10-Ks, 10-Qs, 8-Ks and releases, page texts as a PDF library gives
them. All filings are in one store and nothing is said of them. "known" restricts the search to the filing, "routed"
reads company and period from the question, "shared" searches everything. Baselines cut pages into 1,000 characters;
where "routed" they see the documents that our reading of the question leaves.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import distinct
from cliquerag.kg.store import Store
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.scope.document_filter import select_documents
from cliquerag.retrieval.search.index.corpus import corpus_of

from ...asking import search
from ...baselines import BM25, Dense, ranking, reciprocal_rank_fusion
from ...ours import OURS, stored, text_documents
from .._shared import embedder, ranking_rows, read_lines

if TYPE_CHECKING:
    import numpy as np

MINUTES = 10
METRICS = ("recall@1", "recall@5", "recall@10", "MRR@10", "MAP@10")
MODES = ("vector", "graph", "hybrid")
SETTINGS = ("known", "routed", "shared")
_SIZE, _OVERLAP = 1000, 150
"""Characters of a baseline's chunk, the usual ones."""
_RANKED = 400

PageKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its filing and the pages that answer."""

    text: str
    source: str
    gold: frozenset[PageKey]


def run(folder: Path) -> Report:
    """Rank the pages for each question in each setting."""
    filings, asked = read_task(folder)
    rows: list[Row] = []
    with stored(text_documents(filings), embedder(), facts=True) as store:
        baselines = _Baselines.of(filings)
        for setting in SETTINGS:
            systems = baselines.rankings(asked, [_candidates(store, q, setting) for q in asked])
            for mode in MODES:
                systems[f"{OURS} {mode}"] = [our_pages(store, question, setting, mode) for question in asked]
            found = ranking_rows(systems, [question.gold for question in asked], METRICS)
            rows += [replace(row, metric=f"{setting} {row.metric}") for row in found]
    count = sum(map(len, filings.values()))
    notes = (f"{len(asked)} questions over {count} pages of {len(filings)} filings in one store.",)
    return Report("financebench", tuple(rows), notes)


def read_task(folder: Path) -> tuple[dict[str, list[str]], list[Question]]:
    """Filings by name as pages, and the questions on them."""
    pages = page_texts(folder)
    return {f"{name}.pdf": texts for name, texts in pages.items()}, _questions(folder, pages)


def page_texts(folder: Path) -> dict[str, list[str]]:
    """Filing -> the texts of its pages."""
    files = sorted(folder.glob("pages_*.jsonl.xz"))
    if not files:
        raise UsageError("no pages_*.jsonl.xz in the data set", where=str(folder))
    texts: dict[str, list[str]] = {}
    for path in files:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            texts |= {filing["doc"]: filing["pages"] for filing in map(json.loads, lines)}
    return texts


def _questions(folder: Path, pages: dict[str, list[str]]) -> list[Question]:
    """Those whose filing is there; pages count from 1."""
    records: list[dict[str, Any]] = read_lines(folder / "questions.jsonl")
    return [
        Question(
            record["question"],
            f"{record['doc_name']}.pdf",
            frozenset((f"{item['doc_name']}.pdf", item["page"] + 1) for item in record["evidence"]),
        )
        for record in records
        if record["doc_name"] in pages
    ]


def our_pages(store: Store, question: Question, setting: str, mode: str) -> list[PageKey]:
    scope = {"known": Scope(sources=(question.source,)), "routed": None, "shared": Scope.all()}[setting]
    found = search(store, embedder(), question.text, mode=mode, k=20, scope=scope)
    return distinct((item.source, item.page) for item in found if item.page is not None)


def _candidates(store: Store, question: Question, setting: str) -> frozenset[str] | None:
    """The documents that a baseline may rank; None for all."""
    if setting == "known":
        return frozenset({question.source})
    if setting == "shared":
        return None
    return frozenset(select_documents(corpus_of(store).catalogue, read_question(question.text), None).sources)


@dataclass(frozen=True)
class _Baselines:
    """Chunks of 1,000 characters inside pages; BM25 over all of them, and their vectors."""

    pages: Sequence[PageKey]
    words: BM25
    dense: Dense | None

    @classmethod
    def of(cls, texts: dict[str, list[str]]) -> _Baselines:
        chunks = [
            ((source, number), chunk)
            for source, pages in texts.items()
            for number, page in enumerate(pages, 1)
            for chunk in _chunks(page)
        ]
        plain = [chunk for _, chunk in chunks]
        model = embedder()
        return cls([page for page, _ in chunks], BM25(plain), Dense.of(plain, model) if model else None)

    def rankings(
        self, asked: Sequence[Question], candidates: Sequence[frozenset[str] | None]
    ) -> dict[str, list[list[PageKey]]]:
        """System -> the ranked pages of each question."""
        systems: dict[str, list[list[PageKey]]] = {}
        for question, within in zip(asked, candidates, strict=True):
            orders = {"BM25": self._ranked(self.words.scores(question.text), within)}
            if self.dense:
                orders["dense"] = self._ranked(self.dense.scores(question.text), within)
                fused = reciprocal_rank_fusion([orders["dense"], orders["BM25"]], len(self.pages))
                orders["RRF"] = self._ranked(fused, within)
            for name, order in orders.items():
                systems.setdefault(name, []).append(distinct(self.pages[i] for i in order[:_RANKED]))
        return systems

    def _ranked(self, scores: np.ndarray, within: frozenset[str] | None) -> np.ndarray:
        order = ranking(scores)
        if within is None:
            return order
        import numpy as np

        inside = np.array([source in within for source, _ in self.pages], bool)
        kept: np.ndarray = order[inside[order]]
        return kept


def _chunks(page: str) -> Iterator[str]:
    """Pieces of a page that overlap, cut at a blank where there is one."""
    text, start = " ".join(page.split()), 0
    while start < len(text):
        end = start + _SIZE
        if end < len(text):
            end = max(text.rfind(" ", start + _SIZE // 2, end), start + _SIZE // 2)
        yield text[start:end]
        if end >= len(text):
            return
        start = end - _OVERLAP
