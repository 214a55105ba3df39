"""Search small, read large: what the section or the page around the first hits brings at an equal token budget.

FinanceBench's filings, quarterly reports of Docugami and TAT-QA's contexts, each where its folder is. Every system has
the same hits, as many as fill the budget. "in context" is the share of the gold answer's words and figures, where they
stand on the gold page (of Docugami the figures, in the gold reports), that the context holds from there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import (
    GoldText,
    answer_recall,
    answer_words,
    document_ranking,
    page_ranking,
    recall_at_k,
)
from cliquerag.kg.store import Store
from cliquerag.retrieval.answer.context import build_context
from cliquerag.retrieval.search.context_expansion import Parent, most_tokens, read_parents
from cliquerag.retrieval.search.evidence import Evidence

from ...asking import search
from ...ours import OURS, stored, text_documents
from .._shared import embedder, part, read_lines
from . import docugami_10q, financebench, tatqa

MINUTES = 6
FOLDER = "."
"""Several data sets: the folder that holds them."""
PARENTS: tuple[Parent, ...] = ("none", "section", "page")
BUDGETS = (1000, 2000, 4000)
_HITS = 60
"""As many as fill the largest budget."""
_TOP = 5
_EVERY = 3
"""Of TAT-QA's questions every third."""


Words = dict[tuple[str, int | None], frozenset[str]]
"""(document, page or None for anywhere in it) -> words of the answer that stand there."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and where the words of its answer stand."""

    text: str
    words: Words


@dataclass(frozen=True, slots=True)
class Task:
    """Texts and the questions on them."""

    name: str
    texts: Mapping[str, str | Sequence[str]]
    asked: Sequence[Asked]


def run(folder: Path) -> Report:
    """Every data set that is there."""
    tasks = [make(folder / name) for name, make in _TASKS.items() if (folder / name).is_dir()]
    if not tasks:
        raise UsageError("no data set to compare on", where=str(folder), hint=f"One of {', '.join(_TASKS)}")
    rows: list[Row] = []
    for task in tasks:
        with stored(text_documents(task.texts), embedder(), graph=False) as store:
            rows += (replace(row, metric=f"{task.name}: {row.metric}") for row in _rows(store, task))
    return Report(
        "parent_child",
        tuple(rows),
        (f"{_HITS} hits of mode vector. A workspace reads 4,000 tokens, and with a model the section.",),
    )


def _rows(store: Store, task: Task) -> Iterator[Row]:
    found = [search(store, embedder(), asked.text, mode="vector", k=_HITS) for asked in task.asked]
    gold = [_gold(store, asked) for asked in task.asked]
    values: dict[tuple[str, str], list[float]] = {}
    for parent in PARENTS:
        for asked, texts, hits in zip(task.asked, gold, found, strict=True):
            for metric, value in _scores(store, asked, texts, hits, parent).items():
                values.setdefault((metric, parent), []).append(value)
    for (metric, read), own in values.items():
        yield Row.mean(f"{OURS} {read}", metric, own)
        if read != "none":
            yield Row.difference(f"{OURS} {read}", metric, own, values[metric, "none"], "none")


def _scores(
    store: Store, asked: Asked, gold: Sequence[GoldText], hits: Sequence[Evidence], parent: Parent
) -> dict[str, float]:
    """Metric -> value of one question."""
    read = read_parents(store, hits, parent)
    by_page = any(page for _, page in asked.words)
    ranked: Sequence[Hashable] = page_ranking(read) if by_page else document_ranking(read)
    wanted = set(asked.words) if by_page else {source for source, _ in asked.words}
    scores = {f"{'page' if by_page else 'source'} recall@{_TOP}": recall_at_k(ranked, wanted, _TOP)}
    for budget in BUDGETS:
        texts = read_parents(store, hits, parent, most_tokens(budget))
        context = build_context(texts, question=asked.text, budgets=(budget, 0)).vector
        scores[f"in context, {budget:,} tokens"] = answer_recall(gold, context)
    return scores


def _gold(store: Store, asked: Asked) -> list[GoldText]:
    found = []
    for (source, number), words in asked.words.items():
        page = next((page for page in store.pages([source]).get(source, ()) if page.number == number), None)
        start, end = (page.start, page.end) if page else (0, len(store.text(source)))
        found.append(GoldText(source, start, end, words))
    return found


def _financebench(folder: Path) -> Task:
    filings, _ = financebench.read_task(folder)
    asked = []
    for record in read_lines(folder / "questions.jsonl"):
        answer = answer_words(f"{record['answer']} {record.get('justification') or ''}")
        words: Words = {}
        for item in record["evidence"]:
            place = (f"{item['doc_name']}.pdf", item["page"] + 1)
            words[place] = words.get(place, frozenset()) | answer & answer_words(item["text"])
        if {source for source, _ in words} <= filings.keys():
            asked.append(Asked(record["question"], words))
    return Task("FinanceBench", filings, asked)


def _docugami(folder: Path) -> Task:
    reports, _, _ = docugami_10q.read_task(folder)
    said = {source: answer_words(" ".join(pages)) for source, pages in reports.items()}
    asked = []
    for record in read_lines(folder / "questions.jsonl"):
        figures = frozenset(filter(_is_amount, answer_words(record["answer"])))
        words: Words = {(source, None): figures & said[source] for source in record["source_docs"] if source in said}
        if any(words.values()):
            asked.append(Asked(record["question"], words))
    return Task("Docugami 10-Q", reports, asked)


def _is_amount(word: str) -> bool:
    """A figure with separators or decimals: a year or a day says nothing of what was found."""
    return word[0].isdigit() and not word.isdigit()


def _tatqa(folder: Path) -> Task:
    contexts = read_lines(part(folder))
    texts = {f"{i}.md": tatqa.text_of(context) for i, context in enumerate(contexts)}
    pairs = [(f"{i}.md", question) for i, context in enumerate(contexts) for question in context["questions"]]
    asked = []
    for source, question in pairs[::_EVERY]:
        answer = question["answer"] if isinstance(question["answer"], list) else [question["answer"]]
        words = answer_words(" ".join([*map(str, answer), question["derivation"]])) & answer_words(texts[source])
        if words:
            asked.append(Asked(question["question"], {(source, None): words}))
    return Task("TAT-QA", texts, asked)


_TASKS = {"financebench": _financebench, "docugami_10q": _docugami, "tatqa": _tatqa}
