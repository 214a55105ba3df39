"""Traditional Chinese questions on financial reports and insurance terms: the right document, of few and of all.

Source: AI CUP 2024 (E.SUN). Each question names candidates, of which one answers; harder is the same among all
documents of its category. Text recognition made the pages of many reports, which spaces and marks disturb.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import document_ranking
from cliquerag.kg.store import Store

from ...asking import search
from ...baselines import BM25, ranking
from ...ours import OURS, stored, text_documents
from .._shared import embedder, ranking_rows, read_lines

MINUTES = 2
METRICS = ("hit@1", "MRR@10")
CATEGORIES = ("finance", "insurance")
MODES = ("vector", "hybrid")
_CHUNKS = 60
"""Hits that are looked at until ten documents have been found."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the documents it may be answered by, and the one that does."""

    text: str
    category: str
    candidates: tuple[str, ...]
    gold: str


def run(folder: Path) -> Report:
    """Rank the candidates of each question, then all documents of its category."""
    texts, questions = read_task(folder)
    rows: list[Row] = []
    for category in CATEGORIES:
        own = [question for question in questions if question.category == category]
        documents = {name: pages for name, pages in texts.items() if name.startswith(f"{category}/")}
        with stored(text_documents(documents), embedder(), facts=True) as store:
            rows += _rows(category, documents, own, store)
    notes = (f"{len(questions)} questions over {len(texts)} documents; candidates: 4 to 9 a question.",)
    return Report("aicup2024_zh", tuple(rows), notes)


def read_task(folder: Path) -> tuple[dict[str, list[str]], list[Question]]:
    """Documents by name ("finance/1003.pdf") as pages, and the questions whose right document is there."""
    path = folder / "documents.jsonl.xz"
    if not path.is_file():
        raise UsageError("no file 'documents.jsonl.xz' in the data set", where=str(folder))
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    texts = {_name(record["category"], record["doc"]): record["pages"] for record in records}
    asked = [_question(record) for record in read_lines(folder / "questions.jsonl")]
    return texts, [question for question in asked if question.gold in texts]


def _question(record: Mapping[str, object]) -> Question:
    category = str(record["category"])
    candidates = record["candidates"]
    assert isinstance(candidates, list)
    names = tuple(_name(category, number) for number in candidates)
    return Question(str(record["query"]), category, names, _name(category, record["gold"]))


def _name(category: str, number: object) -> str:
    return f"{category}/{number}.pdf"


def _rows(category: str, texts: Mapping[str, Sequence[str]], questions: Sequence[Question], store: Store) -> list[Row]:
    gold = [{question.gold} for question in questions]
    names = list(texts)
    words = BM25(["\n".join(texts[name]) for name in names])
    orders = [[names[i] for i in ranking(words.scores(question.text)).tolist()] for question in questions]
    of_few = {
        "BM25": [[name for name in order if name in q.candidates] for order, q in zip(orders, questions, strict=True)]
    }
    of_all = {"BM25": orders}
    for mode in MODES:
        of_few[f"{OURS} {mode}"] = [_found(store, q, mode, Scope(sources=q.candidates)) for q in questions]
        of_all[f"{OURS} {mode}"] = [_found(store, q, mode, None) for q in questions]
    rows: list[Row] = []
    for label, systems in (("candidates", of_few), ("all", of_all)):
        for row in ranking_rows(systems, gold, METRICS, than="BM25"):
            rows.append(
                Row(
                    row.system,
                    f"{category}, {label}: {row.metric}",
                    row.value,
                    row.low,
                    row.high,
                    row.n,
                    row.values,
                    row.better,
                )
            )
    return rows


def _found(store: Store, question: Question, mode: str, scope: Scope | None) -> list[str]:
    return document_ranking(search(store, embedder(), question.text, mode=mode, k=_CHUNKS, scope=scope))
