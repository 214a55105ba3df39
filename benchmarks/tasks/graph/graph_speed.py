"""What the graph costs: extraction by rules and, beside the model's own time, by a model; communities.

Calls and input tokens of a model are counted with a stand-in that answers at once with what the rules read.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from cliquerag.core.tokens import estimate_tokens
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.indexing.pipeline import bundle_of
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.kg.communities.current import available_method, find_communities
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.extraction.build import build_graph, make_extractor, passages_of
from cliquerag.kg.extraction.llm import ModelExtractor, make_windows
from cliquerag.kg.graph import Entity, Relation, Statement
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Bundle, Store
from cliquerag.kg.triple import Extraction, Passage
from cliquerag.models.language import LanguageModel, Message, Reply, Usage

from ...measuring import cpu
from ...ours import text_documents
from .._shared import part, read_lines

FOLDER = "ectsum"
MINUTES = 1
_WINDOW = 1200
"""Tokens of a LightRAG chunk, for which it reads about 8,000 in two calls."""
_RELATIONS, _ENTITIES = 100_000, 40_000


def run(folder: Path) -> Report:
    """CPU time of one core over all calls of the data set."""
    begin = time.perf_counter()
    calls = read_lines(part(folder))
    documents = list(text_documents({f"{call['call']}.txt": " ".join(call["sentences"]) for call in calls}))
    rows = [*_by_rules(documents), *_by_model(documents), *_communities()]
    notes = (
        f"{len(documents)} earnings calls, chunked without vectors; load {os.getloadavg()[0]:.1f}.",
        f"Communities of {_RELATIONS:,} invented relations between {_ENTITIES:,} entities.",
    )
    return Report("graph_speed", tuple(rows), notes, seconds=time.perf_counter() - begin)


def _by_rules(documents: Sequence[Document]) -> Iterator[Row]:
    extractor = make_extractor("rules", load_schema())
    chunker = make_chunker("clique")
    store = open_store("sqlite://", schema=load_schema())
    chunked, chunking = cpu(lambda: [make_chunks(document, chunker, None) for document in documents])
    extractor.extract(passages_of(documents[0], chunked[0].chunks))  # reads its word lists
    graphs, reading = cpu(
        lambda: [build_graph(d, c.chunks, extractor) for d, c in zip(documents, chunked, strict=True)]
    )
    facts, counting = cpu(lambda: [tuple(extract_facts(document)) for document in documents])
    bundles = [
        bundle_of(d, c, None, facts=f, graph=g) for d, c, f, g in zip(documents, chunked, facts, graphs, strict=True)
    ]
    _, storing = cpu(partial(_put_all, store, bundles))
    store.close()
    sentences = sum(len(chunk.sentences) for found in chunked for chunk in found.chunks)
    chunks = sum(len(found.chunks) for found in chunked)
    yield Row("rules", "sentences a second", sentences / reading, n=sentences, better="higher")
    for name, seconds in {"graph": reading, "chunks": chunking, "facts": counting, "store": storing}.items():
        yield Row("rules", f"{name}, CPU ms a chunk", 1000 * seconds / chunks, n=chunks, better="lower")
    total = chunking + reading + counting + storing
    yield Row("rules", "all of an add but vectors, CPU ms a chunk", 1000 * total / chunks, n=chunks, better="lower")


def _put_all(store: Store, bundles: Sequence[Bundle]) -> None:
    for bundle in bundles:
        store.put(bundle)


def _by_model(documents: Sequence[Document]) -> Iterator[Row]:
    chunks = {d.source: make_chunks(d, make_chunker("clique"), None).chunks for d in documents}
    tokens = sum(chunk.tokens for own in chunks.values() for chunk in own)
    model, seconds = _StandIn(), 0.0
    # Extraction asks for several replies at once, no more.
    extractor = ModelExtractor(cast(LanguageModel, model), load_schema())
    for document in documents:
        model.expect(passages_of(document, chunks[document.source]))
        _, spent = cpu(partial(build_graph, document, chunks[document.source], extractor))
        seconds += spent - model.seconds
    count = sum(map(len, chunks.values()))
    per_window = model.input_tokens * _WINDOW / tokens
    yield Row("model", "calls a chunk", model.calls / count, n=count, better="lower")
    yield Row("model", f"input tokens for {_WINDOW:,} tokens of text", per_window, n=model.calls, better="lower")
    yield Row("model", "CPU ms a chunk beside the model", 1000 * seconds / count, n=count, better="lower")


class _StandIn:
    """A model that answers at once with what the rules read, and counts; ``seconds`` is what answering took."""

    name = "stand-in"

    def __init__(self) -> None:
        self._rules = make_extractor("rules", load_schema())
        self._answers: list[dict[str, Any]] = []
        self.calls = self.input_tokens = 0
        self.seconds = 0.0

    def expect(self, passages: Sequence[Passage]) -> None:
        """Prepare the answers about a document."""
        triples = _by_place(self._rules.extract(passages))
        self._answers = []
        for window in make_windows(passages):
            rows = [
                {"sentence": number, **row}
                for number, line in enumerate(window.lines, 1)
                for row in triples.get((line.passage, line.start), ())
            ]
            self._answers.append({"triples": rows})

    def replies(
        self, requests: Sequence[Sequence[Message]], *, schema: Mapping[str, Any] | None = None
    ) -> Iterator[tuple[int, Reply]]:
        """The answers in order."""
        begin = time.process_time()
        self.calls += len(requests)
        self.input_tokens += sum(estimate_tokens(message.content) for asked in requests for message in asked)
        self.seconds = time.process_time() - begin
        yield from ((number, Reply("", Usage(), answer)) for number, answer in enumerate(self._answers))


def _by_place(extractions: Sequence[Extraction]) -> dict[tuple[int, int], list[dict[str, str]]]:
    found: dict[tuple[int, int], list[dict[str, str]]] = defaultdict(list)
    for number, extraction in enumerate(extractions):
        for t in extraction.triples:
            row = {"head": t.head, "head_type": t.head_type, "relation": t.relation, "tail": t.tail}
            found[number, t.start].append({**row, "tail_type": t.tail_type, "modality": t.modality})
    return found


def _communities() -> Iterator[Row]:
    relations = list(_invented())
    found, seconds = cpu(lambda: find_communities(relations))
    yield Row(available_method(), "communities, CPU s", seconds, n=len(relations), better="lower")
    yield Row(available_method(), "communities found", float(len(found)), n=len(relations))


def _invented() -> Iterator[Relation]:
    """Relations within groups of twenty, one in ten to a stranger."""
    import numpy as np

    rng = np.random.default_rng(7)
    heads = rng.integers(_ENTITIES, size=_RELATIONS)
    near = heads // 20 * 20 + rng.integers(20, size=_RELATIONS)
    tails = np.where(rng.random(_RELATIONS) < 0.1, rng.integers(_ENTITIES, size=_RELATIONS), near)
    for number, (a, b) in enumerate(zip(heads.tolist(), tails.tolist(), strict=True)):
        one, other = Entity(f"{a:06}", f"Company {a}", "company"), Entity(f"{b:06}", f"Company {b}", "company")
        said = Statement(str(number), one.id, "supplies", other.id, f"d{number % 997}", "c", 0, 1, "")
        yield Relation(one, "supplies", other, (said,))
