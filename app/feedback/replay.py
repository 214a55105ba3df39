"""An answer's search done again as it was done: the same ranking, or which version differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError
from ..core.scope import Scope
from ..retrieval.answer.preparation import CANDIDATES
from ..retrieval.question.entity_linking import keys_of
from ..retrieval.search.evidence import Trace
from ..retrieval.search.pipeline import plan_question
from ..retrieval.search.weights import ALL_TEXT, NO_EXTRAS, extras_named
from .cases import pins_of
from .flags import Flags
from .log import current_weights
from .recorder import KEPT_CANDIDATES
from .steering import Steering

if TYPE_CHECKING:
    from ..workspace import Workspace
    from .log import Event

_ROUNDED = 2e-4
"""By so much two equal scores may differ: they are kept with four digits."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A candidate that stands elsewhere now; ranks count from 1, 0 where it is not among the candidates."""

    chunk: str
    source: str
    then: int
    now: int
    score_then: float
    score_now: float


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it. ``versions`` are those that differ, as (then, now)."""

    answer: str
    question: str
    at: str
    is_same: bool
    candidates: int
    moved: tuple[Moved, ...] = ()
    versions: Mapping[str, tuple[str, str]] | None = None


def replay(workspace: Workspace, name: str) -> Replay:
    """Search again for a noted answer, with the flags, pins and weights of then; ``name`` may be the start of its id.

    Raises UsageError for an answer that is not in the log (any more).
    """
    recorder = workspace.feedback
    event = recorder.log.answered(name)
    if event is None:
        hint = f"Traces are kept for {workspace.settings.feedback_days} days; `cliquerag feedback report` lists answers"
        raise UsageError(f"there is no answer {name!r}, or several", hint=hint)
    moved: list[Moved] = []
    is_same, count = True, 0
    for searched in event.data["parts"] or [event.data]:
        trace = _searched_again(workspace, event, searched)
        then, now = list(searched["candidates"]), [dict(row) for row in trace.data.get("ranking", ())]
        moved += _moved(then, now[:KEPT_CANDIDATES])
        is_same = is_same and list(searched["found"]) == list(trace.data.get("found", ()))
        count += len(then)
    is_same = is_same and not moved
    current = recorder.versions()
    recorded = event.data["version"]
    differing = {
        part: (recorded.get(part, ""), current[part]) for part in current if recorded.get(part) != current[part]
    }
    return Replay(event.answer, event.data["question"], event.at, is_same, count, tuple(moved), differing)


def _searched_again(workspace: Workspace, event: Event, searched: Mapping[str, Any]) -> Trace:
    """The search of an answer, or of one part of its question, done again."""
    own, data = workspace.components, event.data
    steered, log = searched["steered"], workspace.feedback.log
    steering = Steering(
        Flags(steered["flags"], steered.get("mixed", "")),
        pins_of(log, until=event.id),
        current_weights(log, until=event.id),
        own.settings.bridges,
        event.answer,
        extras_named(own.settings.extras) | ({ALL_TEXT} if data["options"].get("all_text") else NO_EXTRAS),
    )
    scope = workspace.sources.stored_scope(scope_of(data["options"]["scope"]))
    trace, asked = Trace(), str(searched["searched for"])
    with own.store.reading(keys_of(asked)):
        plan = plan_question(own.store, asked, own.vocabulary, scope)
        reranker = own.reranker if data["options"]["reranker"] else None
        mode = data["options"]["mode"]
        steering(plan, own.embedder_for_search, mode=mode, k=CANDIDATES, trace=trace, reranker=reranker)
    return trace


def scope_of(plain: Mapping[str, Any] | None) -> Scope | None:
    """A scope from its plain form; None where none was given."""
    if plain is None:
        return None
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    return Scope(**given)


def _moved(then: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> list[Moved]:
    """The candidates whose rank or score is another."""
    ranks = {row["chunk"]: rank for rank, row in enumerate(now, 1)}
    earlier = {row["chunk"]: rank for rank, row in enumerate(then, 1)}
    found: list[Moved] = []
    for rank, row in enumerate(then, 1):
        at = ranks.get(row["chunk"], 0)
        score = float(now[at - 1]["score"]) if at else 0.0
        if at != rank or abs(score - row["score"]) > _ROUNDED:
            found.append(Moved(row["chunk"], row["source"], rank, at, row["score"], score))
    for rank, row in enumerate(now, 1):
        if row["chunk"] not in earlier:
            found.append(Moved(row["chunk"], row["source"], 0, rank, 0.0, float(row["score"])))
    return found
