"""Paths between two entities that a question names, as evidence: a relation a step, each with its sentence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations

from ....kg.graph import Relation, Statement
from ....kg.paths import best_paths
from ....kg.schema import Schema
from ....kg.store import Store
from ...question.entity_linking import LinkedEntity
from ..evidence import Evidence
from .base import Findings, SearchRequest, retriever
from .relations import statement_evidence

LOOSE = frozenset({"role", "metric", "place", "market", "thing"})
"""Types by way of which everything is connected with everything."""
_MOST_PAIRS = 3
_SHARE = 4
"""Steps of paths are at most one in so many places of a result."""
_ROUNDS, _BREADTH = 2, 300
"""Steps out from both ends and relations read in each: paths of up to four steps."""


@retriever("path")
def paths_between(request: SearchRequest) -> Findings:
    """The paths between the entities that the question names."""
    plan = request.plan
    # What the user gives is a border; a scope read from the question is none for what connects two names.
    within = plan.selection.sources if plan.scope is not None else None
    most = request.k // _SHARE
    return Findings(path_evidence(plan.store, request.links, most, plan.vocabulary.schema, within))


def path_evidence(
    store: Store, links: Sequence[LinkedEntity], k: int, schema: Schema, sources: Collection[str] | None = None
) -> list[Evidence]:
    """The best supported path between each two entities named; nothing for one name. The first one, and others while
    there are at most ``k`` steps in all.

    A step is a relation with the statement that says it, in one of the ``sources`` where they are given; its heading
    shows the whole path.
    """
    named = [link.entity.id for link in links if link.entity.type not in LOOSE]
    pairs = list(combinations(dict.fromkeys(named), 2))[:_MOST_PAIRS]
    found: list[Evidence] = []
    for start, goal in pairs:
        for path in best_paths(store, start, goal, schema, limit=1, rounds=_ROUNDS, breadth=_BREADTH):
            shown = {item.id for item in found}
            steps = [step for step in _steps(path, start, schema, sources) if step.id not in shown]
            if not found or len(found) + len(steps) <= k:
                found += steps
    return found


def _steps(path: Sequence[Relation], start: str, schema: Schema, sources: Collection[str] | None) -> list[Evidence]:
    """The steps in order; nothing where one of them is said only elsewhere."""
    steps: list[Evidence] = []
    title = path_title(path, start)
    for relation in path:
        said = [statement for statement in relation.statements if _says_so(statement, sources)]
        if not said:
            return []
        best = max(said, key=lambda s: (s.modality == "asserted", s.confidence))
        step = statement_evidence(1.0 / len(path), relation, best, schema)
        steps.append(replace(step, headings=(title,), why={**step.why, "path": float(len(path))}))
    return steps


def _says_so(statement: Statement, sources: Collection[str] | None) -> bool:
    is_within = sources is None or statement.document in sources
    return is_within and statement.modality != "negated"


def path_title(path: Sequence[Relation], start: str) -> str:
    """ "Acme - Bolt - Crux": the entities on the way, from the one with that id."""
    at = start
    names: list[str] = []
    for relation in path:
        here, there = relation.head, relation.tail
        if here.id != at:
            here, there = there, here
        if not names:
            names.append(here.name)
        names.append(there.name)
        at = there.id
    return " - ".join(names)
