"""Every mode on the same stores and questions: what the graph adds to words and vectors, and what the router does.

FinanceBench, quarterly reports of Docugami, TAT-QA and HotpotQA, each where its folder is, stored with facts and the
graph that rules read, as a workspace stores them; the scope is read from the question. The first three are finance;
HotpotQA, an encyclopedia, is what the links between titled passages are made for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import Evidence, Trace
from cliquerag.retrieval.search.modes import mode_names

from ...asking import search
from ...ours import OURS, stored, text_documents
from .._shared import Task, embedder, metric, part, read_lines
from . import docugami_10q, financebench, multihop_hotpotqa, tatqa

MINUTES = 10
FOLDER = "."
"""Several data sets: the folder that holds them."""
_DEPTH = 20
_EVERY = 6
"""Of TAT-QA's questions every sixth."""


def run(folder: Path) -> Report:
    """Every data set that is there, in every mode."""
    tasks = [make(folder / name) for name, make in _TASKS.items() if (folder / name).is_dir()]
    if not tasks:
        raise UsageError("no data set to search", where=str(folder), hint=f"One of {', '.join(_TASKS)}")
    rows: list[Row] = []
    notes = ["Differences are to mode vector."]
    for task in tasks:
        with stored(text_documents(task.texts), embedder(), facts=True) as store:
            found = {mode: [_found(store, question, mode) for question in task.questions] for mode in mode_names()}
        rows += _rows(task, {mode: [hits for hits, _ in own] for mode, own in found.items()})
        routes = Counter(route for _, route in found["auto"]).most_common()
        chosen = ", ".join(f"{mode} {count}" for mode, count in routes)
        notes.append(f"{task.name}: {len(task.questions)} questions; auto chose {chosen}.")
    return Report("modes", tuple(rows), tuple(notes))


def _found(store: Store, question: str, mode: str) -> tuple[list[Evidence], str]:
    """The ranking, and the mode that it was searched in."""
    trace = Trace()
    found = search(store, embedder(), question, mode=mode, k=_DEPTH, trace=trace)
    return found, trace.data.get("route", {}).get("mode", mode)


def _rows(task: Task, found: Mapping[str, Sequence[Sequence[Evidence]]]) -> Iterator[Row]:
    for name in task.metrics:
        score = metric(name)
        values = {
            mode: [score(task.ranking(hits), gold) for hits, gold in zip(own, task.gold, strict=True)]
            for mode, own in found.items()
        }
        shown = f"{task.name}: {name}"
        yield from (Row.mean(f"{OURS} {mode}", shown, own) for mode, own in values.items())
        for mode, own in values.items():
            if mode != "vector":
                yield Row.difference(f"{OURS} {mode}", shown, own, values["vector"], "vector")


def _financebench(folder: Path) -> Task:
    filings, asked = financebench.read_task(folder)
    questions, gold = [question.text for question in asked], [question.gold for question in asked]
    return Task("FinanceBench", filings, questions, gold, ("recall@1", "recall@5", "MRR@10"), by_page=True)


def _docugami(folder: Path) -> Task:
    return Task("Docugami 10-Q", *docugami_10q.read_task(folder), ("all gold@5", "MRR@10"))


def _tatqa(folder: Path) -> Task:
    contexts = read_lines(part(folder))
    texts = {f"{i}.md": tatqa.text_of(context) for i, context in enumerate(contexts)}
    asked = [(q["question"], {f"{i}.md"}) for i, context in enumerate(contexts) for q in context["questions"]][::_EVERY]
    return Task("TAT-QA", texts, [text for text, _ in asked], [gold for _, gold in asked], ("hit@5", "MRR@10"))


def _hotpotqa(folder: Path) -> Task:
    return Task("HotpotQA", *multihop_hotpotqa.read_task(folder), ("all gold@5", "MRR@10"))


_TASKS = {"financebench": _financebench, "docugami_10q": _docugami, "tatqa": _tatqa, "multihop_hotpotqa": _hotpotqa}
