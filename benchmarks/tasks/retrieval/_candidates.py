"""What three data sets' questions find, with the shares of each hit: searched once, kept in a file, learned from often.

A hit is a place (a page of a filing, a context, a passage of a call) with the shares that ``--explain`` prints, and
whether it answers. Simulated analysts then cost no search.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from cliquerag.core.scope import Scope
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import TEXTS, Evidence, Trace

from ...asking import search
from ...ours import stored, text_documents
from .._shared import embedder, part, read_lines
from . import financebench
from .tatqa import text_of

DEPTH = 20
"""Places of a question that are kept."""

Record = dict[str, Any]
Answers = Callable[[Evidence], bool]


def read_candidates(folder: Path, kept: Path) -> list[Record]:
    """One record a question: "set", "company", "question", "rows". Searches where ``kept`` is not there yet."""
    if not kept.exists():
        waiting = kept.with_suffix(".new")
        with waiting.open("w", encoding="utf-8") as file:
            for records in (_financebench(folder), _tatqa(folder), _ectsum(folder)):
                for record in records:
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")
        waiting.replace(kept)
    return read_lines(kept)


def _financebench(folder: Path) -> Iterator[Record]:
    """Pages of all filings; company and period are read from the question. Split by company."""
    filings, asked = financebench.read_task(folder / "financebench")
    lines = read_lines(folder / "financebench" / "questions.jsonl")
    company = {line["question"]: line["company"] for line in lines}
    with stored(text_documents(filings), embedder(), facts=True) as store:
        for question in asked:
            yield _record(
                store,
                ("financebench", company[question.text]),
                question.text,
                lambda item, gold=question.gold: any((item.source, a.page) in gold for a in item.anchors),  # type: ignore[misc]
            )


def _tatqa(folder: Path) -> Iterator[Record]:
    """Contexts out of all; the data set does not say whose report each is from, so it is split by context."""
    contexts = read_lines(part(folder / "tatqa"))
    texts = {f"{number}.md": text_of(context) for number, context in enumerate(contexts)}
    with stored(text_documents(texts), embedder()) as store:
        for number, context in enumerate(contexts):
            name = f"{number}.md"
            for question in context["questions"]:
                yield _record(
                    store,
                    ("tatqa", context["uid"]),
                    question["question"],
                    lambda item, name=name: item.source == name,  # type: ignore[misc]
                )


def _ectsum(folder: Path) -> Iterator[Record]:
    """Passages of the call that a masked bullet is about. Split by company, which the call's name begins with."""
    calls = read_lines(part(folder / "ectsum"))
    texts = {f"{call['call']}.txt": " ".join(call["sentences"]) for call in calls}
    with stored(text_documents(texts), embedder(), graph=False) as store:
        for call in calls:
            name = f"{call['call']}.txt"
            starts = list(accumulate((len(sentence) + 1 for sentence in call["sentences"]), initial=0))
            for query in call["queries"]:
                gold = set(query["gold_sentences"])
                yield _record(
                    store,
                    ("ectsum", call["call"].partition("_")[0]),
                    query["query"],
                    lambda item, gold=gold, starts=starts: _holds(item, gold, starts),  # type: ignore[misc]
                    Scope(sources=(name,)),
                )


def _holds(item: Evidence, gold: set[int], starts: list[int]) -> bool:
    """True where one of the gold sentences stands in the passage."""
    first, last = bisect_right(starts, item.start) - 1, bisect_right(starts, max(item.start, item.end - 1)) - 1
    return any(first <= sentence <= last for sentence in gold)


def _record(
    store: Store, group: tuple[str, str], question: str, answers: Answers, scope: Scope | None = None
) -> Record:
    trace = Trace()
    found = search(store, embedder(), question, mode="hybrid", k=DEPTH * 2, scope=scope, trace=trace)
    rows = [_row(item, answers) for item in _places(found, by_chunk=group[0] == "ectsum")[:DEPTH]]
    return {"set": group[0], "company": group[1], "question": question, "rows": rows}


def _places(found: list[Evidence], *, by_chunk: bool) -> list[Evidence]:
    """The first hit of each page or short document; of a call, whose pages are not numbered, each passage."""
    seen: dict[object, Evidence] = {}
    for item in found:
        if item.kind in TEXTS:
            seen.setdefault(item.id if by_chunk else (item.source, item.page), item)
    return list(seen.values())


def _row(item: Evidence, answers: Answers) -> Record:
    return {
        "id": item.id,
        "source": item.source,
        "page": item.page,
        "kind": item.kind,
        "score": round(item.score, 4),
        "shares": dict(item.why),
        "gold": answers(item),
    }
