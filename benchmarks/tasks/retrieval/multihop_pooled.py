"""All multi-hop questions over one store of all their passages, and once more with 100,000 other passages in it.

The sets of ``multihop`` and ``multihop_hotpotqa``, pooled: a passage that several of them have is there once. The other
passages are what the data sets of filings, calls and texts hold, and encyclopedia articles of ``multihop_others``
(``passages.jsonl``, optional) that no question here rests on. A baseline's vector of one of these is the stored one, so
that nothing is embedded twice. "CPU ms" is that of a question whose vector is known. Among the others a hundred of
each set are asked.
"""

from __future__ import annotations

import json
import lzma
import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import document_ranking
from cliquerag.kg.extraction.build import make_extractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Store

from ...asking import search
from ...baselines import BM25, ranking, reciprocal_rank_fusion
from ...measuring import cpu
from ...ours import OURS, make_bundle, stored, text_documents
from .._shared import embedder, page_texts, ranking_rows, read_lines
from .multihop_hotpotqa import passage_key, passage_names
from .tatqa import text_of

if TYPE_CHECKING:
    import numpy as np

FOLDER = "."
MINUTES = 60
SETS = ("musique", "2wiki", "hotpotqa", "hotpotqa_more")
METRICS = ("all gold@5", "recall@5", "hit@1")
SIZE = 100_000
_ASKED_AMONG_OTHERS = 100
"""Questions of each set asked among the others, evenly drawn."""
_OTHERS = "multihop_others"
_SINGLE = "single_fact.jsonl"
_DEPTH, _SHOWN = 1_000, 10
"""Places of a baseline's ranking that are fused, and that are measured."""
_SYSTEMS: dict[str, dict[str, Any]] = {
    f"{OURS} vector": {"mode": "vector"},
    f"{OURS} graph": {"mode": "graph"},
    f"{OURS} hybrid": {"mode": "hybrid"},
    f"{OURS} hybrid with bridges": {"mode": "hybrid", "bridges": True},
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a set, and the names of its gold passages in the pool."""

    set: str
    question: str
    gold: frozenset[str]


@dataclass(frozen=True)
class Pool:
    """Passages by name, and the questions of all sets."""

    passages: Mapping[str, str]
    asked: Sequence[Asked]

    @classmethod
    def of(cls, folder: Path) -> Pool:
        """The sets that are in a folder of data sets; UsageError where there is none."""
        there = [name for name in SETS if (folder / f"multihop_{name}").is_dir()]
        if not there:
            hint = f"One of multihop_{', multihop_'.join(SETS)}"
            raise UsageError("no data set to search", where=str(folder), hint=hint)
        known: dict[tuple[str, str], dict[str, Any]] = {}
        for name in there:
            for passage in read_lines(folder / f"multihop_{name}" / "passages.jsonl"):
                known.setdefault(passage_key(passage), passage)
        names = dict(zip(known, passage_names(list(known.values())), strict=True))
        texts = {names[key]: f"{passage['title']}\n{passage['text']}" for key, passage in known.items()}
        asked: list[Asked] = []
        for name in there:
            own = folder / f"multihop_{name}"
            asked += _asked(name, own / "questions.jsonl", names)
            if (own / _SINGLE).is_file():
                asked += _asked(f"{name}, single facts", own / _SINGLE, names)
        return cls(texts, asked)

    def with_fewer_questions(self, most: int) -> Pool:
        """The same passages and at most so many questions of each set, evenly drawn."""
        by_set: dict[str, list[Asked]] = {}
        for asked in self.asked:
            by_set.setdefault(asked.set, []).append(asked)
        kept: list[Asked] = []
        for own in by_set.values():
            step = max(1.0, len(own) / most)
            kept += [own[int(number * step)] for number in range(min(most, len(own)))]
        return Pool(self.passages, kept)


def _asked(name: str, path: Path, names: Mapping[tuple[str, str], str]) -> Iterator[Asked]:
    """The questions of a file whose gold passages are in the pool."""
    for record in read_lines(path):
        keys = map(passage_key, record["gold"])
        gold = frozenset(names[key] for key in keys if key in names)
        if gold:
            yield Asked(name, record["question"], gold)


def run(folder: Path, size: int = SIZE) -> Report:
    """The pool alone, then with ``size`` other passages."""
    pool = Pool.of(folder)
    with stored(text_documents(pool.passages), embedder()) as store:
        rows = list(_rows("pool", store, pool, _Others()))
        others = _Others()
        extractor = make_extractor("rules", load_schema())
        for origin, name, text in _other_texts(folder, pool):
            for document in text_documents({name: text}):
                bundle = make_bundle(document, embedder(), extractor)
                store.put(bundle)
                others.add(origin, [chunk.text for chunk in bundle.chunks], bundle.vectors)
            if len(others.texts) >= size:
                break
        rows += _rows("among others", store, pool.with_fewer_questions(_ASKED_AMONG_OTHERS), others)
    questions = len(pool.asked)
    notes = (
        f"{questions} questions over {len(pool.passages)} passages; then with {len(others.texts):,} others: {others}.",
        f"Medians of CPU; machine load {os.getloadavg()[0]:.1f}.",
    )
    return Report("multihop_pooled", tuple(rows), notes)


class _Others:
    """Passages beside those of the pool: their texts, their stored vectors, and where they are from."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.vectors: list[np.ndarray] = []
        self.counts: dict[str, int] = {}

    def add(self, origin: str, texts: Sequence[str], vectors: np.ndarray | None) -> None:
        """The chunks of one more document."""
        self.texts += texts
        self.counts[origin] = self.counts.get(origin, 0) + len(texts)
        if vectors is not None:
            self.vectors.append(vectors)

    def __str__(self) -> str:
        return ", ".join(f"{count:,} of {origin}" for origin, count in self.counts.items())


OtherText = tuple[str, str, str | list[str]]
"""Origin, name, and the text or its pages."""


def _other_texts(folder: Path, pool: Pool) -> Iterator[OtherText]:
    """The documents beside the pool, those most like its passages first."""
    yield from _articles(folder, pool)
    yield from _filings(folder)
    yield from _calls(folder)
    yield from _texts(folder)


def _filings(folder: Path) -> Iterator[OtherText]:
    for name in ("financebench", "docugami_10q"):
        for path in sorted((folder / name).glob("pages*.jsonl.xz")):
            with lzma.open(path, "rt", encoding="utf-8") as lines:
                for filing in map(json.loads, lines):
                    yield name, f"{name}/{filing['doc']}.pdf", filing["pages"]
    for path in sorted((folder / "erc2" / "pdfs").glob("*.pdf")):
        yield "erc2", f"erc2/{path.name}", page_texts(path)


def _calls(folder: Path) -> Iterator[OtherText]:
    for call in _lines(folder / "ectsum" / "dev.jsonl"):
        yield "ectsum", f"ectsum/{call['call']}", " ".join(call["sentences"])
    for path in sorted((folder / "earnings_qa").glob("calls/*")):
        yield "earnings_qa", f"earnings_qa/{path.name}", path.read_text(encoding="utf-8")
    for call in _lines(folder / "earnings21" / "calls.jsonl"):
        yield "earnings21", f"earnings21/{call['call']}", "\n".join(turn["text"] for turn in call["turns"])


def _texts(folder: Path) -> Iterator[OtherText]:
    for number, context in enumerate(_lines(folder / "tatqa" / "dev.jsonl")):
        yield "tatqa", f"tatqa/{number:04}", text_of(context)
    for path in sorted((folder / "chroma_chunking").glob("corpora/*")):
        yield "chroma_chunking", f"chroma_chunking/{path.name}", path.read_text(encoding="utf-8")
    for text in _lines(folder / "segmentation" / "choi.jsonl"):
        segments = "\n\n".join(" ".join(segment) for segment in text["segments"])
        yield "segmentation", f"segmentation/{text['id']}", segments


def _lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a set that may be absent."""
    return read_lines(path) if path.is_file() else []


def _articles(folder: Path, pool: Pool) -> Iterator[OtherText]:
    """Further articles; one with the title of a passage of the pool may say the same, and is left out."""
    titles = {text.partition("\n")[0] for text in pool.passages.values()}
    rows = _lines(folder / _OTHERS / "passages.jsonl")
    found = [passage for passage in rows if passage["title"] not in titles]
    for name, passage in zip(passage_names(found), found, strict=True):
        yield "encyclopedia", f"others/{name}", f"{passage['title']}\n{passage['text']}"


def _rows(where: str, store: Store, pool: Pool, others: _Others) -> Iterator[Row]:
    questions = [asked.question for asked in pool.asked]
    systems = _baselines(pool, others, questions)
    for system, options in _SYSTEMS.items():
        search(store, embedder(), questions[0], **options)  # the first question of a process opens what all read
        spent: list[float] = []
        systems[system] = []
        for question in questions:
            found, seconds = cpu(partial(search, store, embedder(), question, k=10, **options))
            systems[system].append(document_ranking(found))
            spent.append(1000 * seconds)
        yield Row(system, f"{where}: CPU ms", statistics.median(spent), n=len(spent))
    for name in dict.fromkeys(asked.set for asked in pool.asked):
        own = [at for at, asked in enumerate(pool.asked) if asked.set == name]
        rankings = {system: [found[at] for at in own] for system, found in systems.items()}
        for row in ranking_rows(rankings, [pool.asked[at].gold for at in own], METRICS):
            yield replace(row, metric=f"{where}, {name}: {row.metric}")


def _baselines(pool: Pool, others: _Others, questions: Sequence[str]) -> dict[str, list[list[str]]]:
    """System -> the names of the first places for each question; a passage beside the pool has a name of its own."""
    import numpy as np

    texts = [*pool.passages.values(), *others.texts]
    names = [*pool.passages, *(f"other {number}" for number in range(len(others.texts)))]
    words, model = BM25(texts), embedder()
    found: dict[str, list[list[str]]] = {"BM25": []}
    if model is not None:
        found |= {"dense": [], "RRF": []}
        vectors = np.concatenate([model.embed(list(pool.passages.values())), *others.vectors])
        asked = model.embed(list(questions))
    for at, question in enumerate(questions):
        orders = {"BM25": ranking(words.scores(question))[:_DEPTH]}
        if model is not None:
            orders["dense"] = ranking(vectors @ asked[at])[:_DEPTH]
            fused = reciprocal_rank_fusion([orders["dense"], orders["BM25"]], len(texts))
            orders["RRF"] = ranking(fused)[:_DEPTH]
        for system, order in orders.items():
            found[system].append([names[place] for place in order[:_SHOWN].tolist()])
    return found
