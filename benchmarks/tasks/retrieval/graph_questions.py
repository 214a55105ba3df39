"""What only a graph is asked: how two names hang together, and what many filings say at once.

FinanceBench's filings, no model. Connections: two entities that no relation joins, but a third one does, as the rules
read them; right is a ranking whose first five pieces hold a sentence for both steps, by whichever third one. The pairs
come from our own graph: what is measured is whether a search finds the two sentences, not whether they were read right.
Broad questions: the companies that the first ten pieces speak of, among the companies of all filings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.graph import Statement
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import Evidence
from cliquerag.retrieval.search.retrievers.graph import CONNECTS_ALL

from ...asking import search
from ...ours import OURS, stored, text_documents
from .._shared import embedder
from . import financebench

FOLDER = "financebench"
MINUTES = 4
MODES = ("vector", "local", "global", "graph", "hybrid", "auto")
BROAD = (
    "What are the main risks across these companies?",
    "Which acquisitions were made across all these companies?",
    "What are the main themes across all documents?",
    "Which lawsuits and proceedings do all these companies report?",
    "How do these companies compete with each other overall?",
    "What trends do all these reports have in common?",
)
_STEPS, _BROAD = 5, 10
"""Pieces that count."""
_MOST_NEIGHBOURS = 30
"""An entity with more ties everything to everything."""

Ties = Mapping[str, Mapping[str, Sequence[Statement]]]
"""Entity -> the entities it has a relation with -> the statements of it."""


def run(folder: Path) -> Report:
    """Ask of every pair, and every broad question, in every mode."""
    filings, _ = financebench.read_task(folder)
    with stored(text_documents(filings), embedder(), facts=True) as store:
        ties, names = _ties(store)
        pairs = _pairs(ties)
        rows = [*_connections(store, ties, names, pairs), *_broad(store)]
        companies = {company for record in store.documents() for company in record.companies}
    notes = (f"{len(pairs)} pairs, {len(BROAD)} broad questions, {len(filings)} filings, {len(companies)} companies.",)
    return Report("graph_questions", tuple(rows), notes)


def _ties(store: Store) -> tuple[Ties, dict[str, str]]:
    """Who has a relation with whom, and the names; of what is negated nothing."""
    ties: dict[str, dict[str, list[Statement]]] = defaultdict(lambda: defaultdict(list))
    names: dict[str, str] = {}
    for relation in store.all_relations():
        ends = (relation.head, relation.tail)
        if any(end.type in CONNECTS_ALL for end in ends) or ends[0].id == ends[1].id:
            continue
        said = [statement for statement in relation.statements if statement.modality != "negated"]
        if said:
            names |= {end.id: end.name for end in ends}
            for one, other in (ends, reversed(ends)):
                ties[one.id][other.id] += said
    return ties, names


def _pairs(ties: Ties) -> list[tuple[str, str]]:
    """Two entities that only a third one joins, at most one pair for each third one."""
    pairs: dict[tuple[str, str], None] = {}
    for middle in sorted(ties):
        if len(ties[middle]) <= _MOST_NEIGHBOURS:
            apart = (pair for pair in combinations(sorted(ties[middle]), 2) if pair[1] not in ties[pair[0]])
            if (found := next(apart, None)) is not None:
                pairs[found] = None
    return list(pairs)


def _connections(store: Store, ties: Ties, names: Mapping[str, str], pairs: Sequence[tuple[str, str]]) -> Iterator[Row]:
    values: dict[str, list[float]] = {}
    for mode in MODES:
        for one, other in pairs:
            found = search(store, embedder(), f"How is {names[one]} connected to {names[other]}?", mode=mode)
            middles = ties[one].keys() & ties[other].keys()
            both = any(
                _is_held(ties[one][m], found[:_STEPS]) and _is_held(ties[m][other], found[:_STEPS]) for m in middles
            )
            values.setdefault(mode, []).append(float(both))
    yield from _against_vector(f"both steps of a connection@{_STEPS}", values)


def _is_held(statements: Sequence[Statement], found: Sequence[Evidence]) -> bool:
    return any(
        item.source == said.document and item.start <= said.start and said.end <= item.end
        for said in statements
        for item in found
    )


def _broad(store: Store) -> Iterator[Row]:
    of_source = {record.source: record.companies for record in store.documents()}
    values: dict[str, list[float]] = {}
    for mode in MODES:
        for question in BROAD:
            found = search(store, embedder(), question, mode=mode, k=_BROAD)
            spoken = {company for item in found for company in of_source.get(item.source, ())}
            values.setdefault(mode, []).append(float(len(spoken)))
    yield from _against_vector(f"broad question: companies in the first {_BROAD}", values)


def _against_vector(metric: str, values: Mapping[str, Sequence[float]]) -> Iterator[Row]:
    for mode, own in values.items():
        yield Row.mean(f"{OURS} {mode}", metric, own)
        if mode != "vector":
            yield Row.difference(f"{OURS} {mode}", metric, own, values["vector"], "vector")
