"""From the graph to passages: what a question names leads to sentences, and these to the passages that hold them.

The graph's nodes are more than names: a figure that is asked for leads to the row that states it, a theme to the rows
and sentences that speak of it, a relation to the sentence that says so. A passage that nothing leads to is not the
graph's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from ....core.words import search_words, sought
from ....ingest.chunk import Chunk
from ..passages import Passage
from ..ranking.query import Query
from ..rerankers.page_content import row_names
from .base import Findings, SearchRequest, retriever

_MENTION, _FIGURE, _STATEMENT, _THEME = 0.2, 0.5, 0.3, 0.4
"""What each kind of seed adds to a passage's score."""
_MOST_MENTIONS = 3000
_LEAST_THEME = 0.5
"""Share of the words asked that a passage or the name of a row holds to speak of the theme."""
_LOOSE = frozenset({"role", "thing"})
"""Types of names that lead everywhere."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the graph knows to stand in which chunk."""

    mentions: Collection[str]
    """Chunks that mention an entity named in the question."""
    statements: Collection[str]
    """Chunks in which a relation is told."""


@retriever("passage")
def reached_passages(request: SearchRequest) -> Findings:
    """The passages that names, figures, relations and themes of the question lead to, the strongest first."""
    seeds = _seeds(request)
    reached: list[Passage] = []
    for passage in request.passages:
        ways = ways_to(passage, seeds, request.query)
        if ways:
            reached.append(_raised(passage, ways))
    reached.sort(key=lambda passage: -passage.found.score)
    return Findings(passages=tuple(reached))


def ways_to(passage: Passage, seeds: Seeds, query: Query) -> Mapping[str, float]:
    """How the graph leads to a passage: kind of seed -> its strength; empty where it does not."""
    ways: dict[str, float] = {}
    chunk = passage.chunk
    if chunk.id in seeds.mentions:
        ways["mention"] = _MENTION
    if passage.fact is not None:
        ways["figure"] = _FIGURE * passage.fact.fit
    theme = theme_share(chunk, query)
    if theme >= _LEAST_THEME:
        ways["theme"] = _THEME * theme
    if ways and chunk.id in seeds.statements:
        ways["statement"] = _STATEMENT
    return ways


def theme_share(chunk: Chunk, query: Query) -> float:
    """Share of the words asked in a text, or in the names of a table's rows, 0..1."""
    asked = {term: weight for term, weight in query.terms.items() if not term.isdigit()}
    everything = sum(asked.values())
    if not everything:
        return 0.0
    if chunk.kind == "table":
        held = frozenset().union(*row_names(chunk), search_words(" ".join(chunk.headings)))
    else:
        held = frozenset(sought(frozenset(asked)).found_in(chunk.text))
    return sum(weight for term, weight in asked.items() if term in held) / everything


def _seeds(request: SearchRequest) -> Seeds:
    plan = request.plan
    named = [link.entity.id for link in request.links if link.entity.type not in _LOOSE]
    chunks = [passage.chunk.id for passage in request.passages]
    found = plan.store.mentions(chunks=chunks, entities=named, limit=_MOST_MENTIONS) if named and chunks else []
    told = plan.store.statements(chunks=chunks) if chunks else []
    return Seeds({mention.chunk for mention in found}, {statement.chunk for statement in told})


def _raised(passage: Passage, ways: Mapping[str, float]) -> Passage:
    found = passage.found
    parts = {**found.parts, **{name: round(strength, 4) for name, strength in ways.items()}}
    return replace(passage, found=replace(found, score=found.score + sum(ways.values()), parts=parts))
