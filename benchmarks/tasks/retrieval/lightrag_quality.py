"""Evidence found beside LightRAG's modes: the same chunks, triples, embedder and questions, scored by gold passages.

HotpotQA's passages, quarterly reports of Docugami and the shortest filings of FinanceBench, each where its folder is.
The best baseline is LightRAG's mode that is best at the measure. "No scope": without reading companies and periods from
the question, which LightRAG does not do.
"""

from __future__ import annotations

import tempfile
from collections.abc import Hashable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.lightrag import LightRAGTwin, keywords_note, passages_of
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Store

from ...asking import search
from ...ours import OURS, stored, text_documents
from .._shared import Task, embedder, ranking_rows
from . import docugami_10q, financebench, multihop_hotpotqa

MINUTES = 10
NEEDS = ("lightrag",)
INSTALL = "pip install 'cliquerag[lightrag]'"
FOLDER = "."
"""Several data sets: the folder that holds them."""
MODES = ("mix", "hybrid", "local", "global", "naive")
OUR_MODES = ("vector", "graph", "hybrid")
_DEPTH = 20
_PAGES = 500
"""Pages of FinanceBench that are taken, the shortest filings first."""


def run(folder: Path) -> Report:
    """Every data set that is there."""
    model = embedder()
    if model is None:
        raise UsageError("this benchmark needs an embedding model", hint="See `cliquerag doctor`")
    tasks = [make(folder / name) for name, make in _TASKS.items() if (folder / name).is_dir()]
    if not tasks:
        raise UsageError("no data set to compare on", where=str(folder), hint=f"One of {', '.join(_TASKS)}")
    rows: list[Row] = []
    notes = [keywords_note()]
    for task in tasks:
        with stored(text_documents(task.texts), model) as store:
            found = ranking_rows(_systems(task, store), task.gold, task.metrics)
            counts = store.counts()
        rows += [replace(row, metric=f"{task.name}: {row.metric}") for row in found]
        notes.append(
            f"{task.name}: {len(task.questions)} questions, {len(task.texts)} documents, {counts['chunks']:,} chunks, "
            f"{counts['entities']:,} entities, {counts['statements']:,} statements read by rules."
        )
    return Report("lightrag_quality", tuple(rows), tuple(notes))


def _systems(task: Task, store: Store) -> dict[str, list[list[Hashable]]]:
    model = embedder()
    systems = {}
    with _twin(store) as twin:
        for mode in MODES:
            systems[f"LightRAG {mode}"] = [
                task.ranking(passages_of(twin.search(store, model, question, mode=mode, k=_DEPTH)))
                for question in task.questions
            ]
    for mode in OUR_MODES:
        systems[f"{OURS} {mode}, no scope"] = [
            task.ranking(passages_of(search(store, model, question, mode=mode, k=_DEPTH, scope=Scope.all())))
            for question in task.questions
        ]
    systems[f"{OURS} hybrid"] = [task.ranking(passages_of(search(store, model, q, k=_DEPTH))) for q in task.questions]
    return systems


@contextmanager
def _twin(store: Store) -> Iterator[LightRAGTwin]:
    model = embedder()
    assert model is not None
    with (
        tempfile.TemporaryDirectory(prefix="cliquerag-lightrag-") as folder,
        closing(LightRAGTwin(store, model, Path(folder), load_schema())) as twin,
    ):
        yield twin


def _hotpotqa(folder: Path) -> Task:
    passages, questions, gold = multihop_hotpotqa.read_task(folder)
    return Task("HotpotQA", passages, questions, gold, ("recall@5", "recall@10", "all gold@5", "MRR@10"))


def _docugami(folder: Path) -> Task:
    reports, questions, gold = docugami_10q.read_task(folder)
    return Task("Docugami 10-Q", reports, questions, gold, ("recall@5", "all gold@5", "MRR@10"))


def _financebench(folder: Path) -> Task:
    filings, asked = financebench.read_task(folder)
    kept, pages = {}, 0
    for name in sorted(filings, key=lambda name: (len(filings[name]), name)):
        pages += len(filings[name])
        if pages > _PAGES:
            break
        kept[name] = filings[name]
    chosen = [question for question in asked if question.source in kept]
    questions, gold = [question.text for question in chosen], [question.gold for question in chosen]
    return Task("FinanceBench", kept, questions, gold, ("recall@5", "recall@10", "MRR@10"), by_page=True)


_TASKS = {"multihop_hotpotqa": _hotpotqa, "docugami_10q": _docugami, "financebench": _financebench}
