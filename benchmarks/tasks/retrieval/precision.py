"""MiniLM in whole numbers (int8) against float32: how fast, and what every set of questions loses by it.

Both precisions read, chunk, store and search the same texts from the start, so that other chunks count too. Of two sets
a part: the filings with the fewest pages, the first calls. Rates are measured in turns on the same sentences, without
the cache.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import document_ranking
from cliquerag.models.cache import Cache, CachedEmbedder
from cliquerag.models.folder_embedder import FolderEmbedder, find_folder

from ...ours import search_all, stored, text_documents
from .._shared import embedder, in_place_of_default, metric, part, read_lines
from ..documents import chroma_chunking
from ..documents._passages import Passages
from ..scale import embedding
from . import docugami_10q, ectsum, financebench, tatqa
from .multihop_hotpotqa import read_task as read_hotpotqa

if TYPE_CHECKING:
    import numpy as np

FOLDER = "."
MINUTES = 25
MODES = ("vector", "hybrid")
EXACT, ROUNDED = "float32", "int8"
FILINGS, CALLS, ROUNDS = 18, 80, 3
Values = dict[str, list[float]]
"""Metric -> one value a question."""


def run(folder: Path) -> Report:
    """Rates, agreement, then each set with either precision and the paired difference."""
    home = find_folder()
    if home is None:
        raise UsageError("the default embedding model is not installed", hint="See `cliquerag doctor`")
    rows = list(_rates(home, embedding.read_sentences(folder / "financebench")))
    models = {EXACT: FolderEmbedder(home), ROUNDED: FolderEmbedder(home, int8=True)}
    for read in (_financebench, _docugami, _tatqa, _hotpotqa, _ectsum, _chroma):
        found: dict[str, Values] = {}
        for name, model in models.items():
            with in_place_of_default(CachedEmbedder(model, Cache())):
                found[name] = read(folder)
        rows += _compared(found)
    notes = (
        f"FinanceBench: the {FILINGS} filings with the fewest pages, documents known; ECTSum: the first {CALLS} calls.",
        "All other sets whole. Chunks are cut anew with either precision.",
    )
    return Report("precision", tuple(rows), notes)


def _rates(home: Path, sentences: Sequence[str]) -> Iterator[Row]:
    """Sentences a second of either precision on one and two threads, in turns; how far their vectors are apart."""
    models = {
        (name, threads): FolderEmbedder(home, threads=threads, int8=name == ROUNDED)
        for threads in (1, 2)
        for name in (EXACT, ROUNDED)
    }
    vectors: dict[str, np.ndarray] = {name: model.embed(sentences) for (name, _), model in models.items()}
    wall: dict[tuple[str, int], list[float]] = {key: [] for key in models}
    cpu: dict[tuple[str, int], list[float]] = {key: [] for key in models}
    for _ in range(ROUNDS):
        for key, model in models.items():
            began, began_cpu = time.perf_counter(), time.process_time()
            model.embed(sentences)
            wall[key].append(time.perf_counter() - began)
            cpu[key].append(time.process_time() - began_cpu)
    for (name, threads), times in wall.items():
        thread = f"{threads} thread" + "s" * (threads > 1)
        own_cpu = statistics.median(cpu[name, threads])
        yield Row(name, f"sentences/s, {thread}", len(sentences) / statistics.median(times), better="higher")
        yield Row(name, f"sentences a CPU s, {thread}", len(sentences) / own_cpu, better="higher")
    cosines = (vectors[EXACT] * vectors[ROUNDED]).sum(axis=1)
    yield Row(ROUNDED, f"mean cosine with {EXACT}", float(cosines.mean()), better="higher")
    yield Row(ROUNDED, f"lowest cosine with {EXACT}", float(cosines.min()), better="higher")


def _compared(found: Mapping[str, Values]) -> Iterator[Row]:
    for name, values in found.items():
        for measure, own in values.items():
            yield Row.mean(name, measure, own)
    for measure, own in found[ROUNDED].items():
        yield Row.difference(ROUNDED, measure, own, found[EXACT][measure], EXACT)


def _financebench(folder: Path) -> Values:
    filings, asked = financebench.read_task(folder / "financebench")
    wanted = {question.source for question in asked}
    names = sorted(wanted & filings.keys(), key=lambda name: len(filings[name]))[:FILINGS]
    chosen = [question for question in asked if question.source in names]
    values: Values = {}
    with stored(text_documents({name: filings[name] for name in names}), embedder(), graph=False) as store:
        for mode in MODES:
            ranked = [financebench.our_pages(store, question, "known", mode) for question in chosen]
            gold = [question.gold for question in chosen]
            values |= _measured(f"FinanceBench, {mode}", ranked, gold, ("recall@5", "MRR@10"))
    return values


def _docugami(folder: Path) -> Values:
    reports, questions, gold = docugami_10q.read_task(folder / "docugami_10q")
    return _documents("Docugami", reports, questions, gold, ("all gold@10",), ranked_chunks=True)


def _tatqa(folder: Path) -> Values:
    contexts = read_lines(part(folder / "tatqa"))
    texts = {f"{i}.md": tatqa.text_of(context) for i, context in enumerate(contexts)}
    asked = [(q["question"], {f"{i}.md"}) for i, context in enumerate(contexts) for q in context["questions"]]
    questions, gold = [question for question, _ in asked], [right for _, right in asked]
    return _documents("TAT-QA", texts, questions, gold, ("hit@5", "MRR@10"))


def _hotpotqa(folder: Path) -> Values:
    passages, questions, gold = read_hotpotqa(folder / "multihop_hotpotqa")
    return _documents("HotpotQA", passages, questions, gold, ("recall@5", "all gold@5"))


def _documents(
    name: str,
    texts: Mapping[str, str | Sequence[str]],
    questions: Sequence[str],
    gold: Sequence[set[str]],
    metrics: Sequence[str],
    *,
    ranked_chunks: bool = False,
) -> Values:
    """The documents found in each mode; with ``ranked_chunks`` those of each hit in turn."""
    values: Values = {}
    with stored(text_documents(texts), embedder(), graph=False) as store:
        for mode in MODES:
            found = search_all(store, embedder(), questions, mode=mode)
            ranked = [[item.source for item in own] if ranked_chunks else document_ranking(own) for own in found]
            values |= _measured(f"{name}, {mode}", ranked, gold, metrics)
    return values


def _ectsum(folder: Path) -> Values:
    calls = read_lines(part(folder / "ectsum"))[:CALLS]
    gold = [set(query["gold_sentences"]) for call in calls for query in call["queries"]]
    values: Values = {}
    for system, ranked in ectsum.our_sentences(calls).items():
        values |= _measured(f"ECTSum, {system}", ranked, gold, ("hit@1", "MRR@10"))
    return values


def _chroma(folder: Path) -> Values:
    questions = chroma_chunking.read_questions(folder / "chroma_chunking")
    model = embedder()
    if model is None:
        raise UsageError("this benchmark needs an embedding model", hint="See `cliquerag doctor`")
    corpora = {
        name: (folder / "chroma_chunking" / "corpora" / f"{name}.md").read_text(encoding="utf-8")
        for name in dict.fromkeys(question.corpus for question in questions)
    }
    figures = chroma_chunking.figures_of(Passages.of(corpora, model, "clique", {}), questions)
    return {f"Chroma, {retriever}: {name}": values for (retriever, name), values in figures.items()}


def _measured(label: str, ranked: Sequence[Sequence[object]], gold: Sequence[object], metrics: Sequence[str]) -> Values:
    values: Values = {}
    for name in metrics:
        measure = metric(name)
        values[f"{label}: {name}"] = [measure(own, right) for own, right in zip(ranked, gold, strict=True)]  # type: ignore[arg-type]
    return values
