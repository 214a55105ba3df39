"""How each mode puts passages and what the graph knows together into one ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.fact import Fact
from ...kg.store import Store
from ..question.entity_linking import LinkedEntity
from ..question.plan import QuestionPlan
from ..question.scope.document_filter import Selection
from .evidence import Evidence
from .passages import Passage, as_evidence
from .ranking.fusion import interleaved, reciprocal_rank_fusion
from .ranking.query import Query
from .retrievers.communities import asks_broadly, asks_for_connection, community_evidence
from .retrievers.facts import fact_evidence
from .retrievers.graph import GraphFindings, global_findings, local_findings, who_is_who
from .retrievers.paths import path_evidence
from .trace import Trace

_PASSAGES_FIRST = 5
"""In hybrid the first places belong to passages: what the graph adds comes between the later ones."""
_LEAST_RELATION = 0.35
"""A relation that fits less does not belong in a hybrid result."""
_GRAPH_SHARE = 4
"""One in so many places of a hybrid result may go to relations and facts."""
_BROAD_SHARE = 0.7
"""Of the places for a broad question, given to community reports: no passage speaks of all documents at once."""


@dataclass(frozen=True, slots=True)
class Route:
    """What the modes that use the graph start from."""

    plan: QuestionPlan
    query: Query
    links: Sequence[LinkedEntity]
    passages: Sequence[Passage]
    facts: Sequence[tuple[float, Fact]]
    k: int
    trace: Trace

    @property
    def store(self) -> Store:
        """Where the documents are."""
        return self.plan.store

    @property
    def selection(self) -> Selection:
        """The documents that are searched."""
        return self.plan.selection

    def graph(self, mode: str) -> list[Evidence]:
        """Relations and the passages they lead to, in turn; then who is who. Nothing where the graph has nothing.

        Community reports come first where the whole is asked about, and in ``global``.
        """
        low = self._local() if mode in ("local", "graph") else GraphFindings()
        high = self._global() if mode in ("global", "graph") else GraphFindings()
        paths = [] if mode == "global" else self._paths()
        relations = _without(paths, _fused([low.relations, high.relations]))
        texts = passage_evidence(self.store, list(dict.fromkeys((*low.passages, *high.passages))))
        reports = self._communities() if mode == "global" or self._is_broad(mode) else []
        self._note(report=reports, path=paths, local=low.relations, **{"global": high.relations})
        found = interleaved([*reports, *paths, *relations], texts, first=max(1, len(reports)), every=2)
        who = who_is_who(self.store, self.links, self.selection) if mode != "global" else []
        return [*found, *who][: self.k]

    def hybrid(self) -> list[Evidence]:
        """The passages, and between the later ones facts, paths and relations.

        Reports lead for a broad question, and the path for one of how two names hang together.
        """
        facts, paths = fact_evidence(self.facts, self.k), self._paths()
        low, high = self._local().relations, self._global().relations
        reports = self._communities() if self._is_broad("hybrid") else []
        self._note(report=reports, fact=facts, path=paths, local=low, **{"global": high})
        relations = _fused([low, high])
        relations = [*paths, *_without(paths, [r for r in relations if r.score >= _LEAST_RELATION])]
        ahead = reports[: round(self.k * _BROAD_SHARE)]
        if asks_for_connection(self.query.question):
            ahead, relations = [*ahead, *paths], _without(paths, relations)
        added = interleaved(facts, relations, first=1, every=2)[: self.k // _GRAPH_SHARE]
        texts = passage_evidence(self.store, self.passages)
        return [*ahead, *interleaved(texts, added, first=_PASSAGES_FIRST, every=2)][: self.k]

    def _local(self) -> GraphFindings:
        return local_findings(self.plan, self.query, self.links, self.passages, self.k)

    def _global(self) -> GraphFindings:
        return global_findings(self.plan, self.query, self.passages, self.k)

    def _paths(self) -> list[Evidence]:
        # What the user gives is a border; a scope read from the question is none for what connects two names.
        within = self.selection.sources if self.plan.scope is not None else None
        return path_evidence(self.store, self.links, self.k // _GRAPH_SHARE, self.plan.vocabulary.schema, within)

    def _communities(self) -> list[Evidence]:
        return community_evidence(self.store, self.query, self.selection, self.passages, self.k, self.trace)

    def _note(self, **routes: Sequence[Evidence]) -> None:
        """Keep for the trace what each route of the graph found, with its rank there."""
        rows: dict[str, dict[str, object]] = {}
        for route, items in routes.items():
            for rank, item in enumerate(items, 1):
                row = {"kind": item.kind, "text": item.text, "source": item.source, "score": round(item.score, 4)}
                rows.setdefault(item.id or f"{item.source}-{item.start}", row)[route] = rank
        self.trace.note("graph ranking", list(rows.values()))

    def _is_broad(self, mode: str) -> bool:
        return mode in ("graph", "hybrid") and asks_broadly(self.query.question)


def passage_evidence(store: Store, passages: Sequence[Passage]) -> list[Evidence]:
    """Passages with their pages."""
    return as_evidence(passages, store.pages({passage.chunk.document for passage in passages}))


def _fused(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    by_id = {item.id: item for items in reversed(lists) for item in items}
    return [by_id[key] for key, _ in reciprocal_rank_fusion([[item.id for item in items] for items in lists])]


def _without(shown: Sequence[Evidence], others: Sequence[Evidence]) -> list[Evidence]:
    known = {item.id for item in shown}
    return [item for item in others if item.id not in known]
