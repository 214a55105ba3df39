"""Learning from the log: searches done again as they were done, what was opened of them as arrays, weights or a policy
from it; kept only where they do no harm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import UsageError
from ..core.records import dataclass
from ..core.scope import Scope
from ..evaluation.learning.impressions import Impressions, Shown, stack
from ..evaluation.learning.pairwise import Lesson, learn
from ..evaluation.learning.policy import Method, PolicyLesson, learn_policy
from ..retrieval.answer.preparation import CANDIDATES
from ..retrieval.question.entity_linking import keys_of
from ..retrieval.search.evidence import TEXTS, Trace
from ..retrieval.search.pipeline import plan_question
from ..retrieval.search.weights import ALL_TEXT, FILING_WEIGHTS, NO_EXTRAS, PASSAGE_WEIGHTS, extras_named
from .cases import pins_of
from .log import current_weights, keep_weights
from .measures import Use, piece_key, uses_of
from .recorder import KEPT_CANDIDATES
from .steering import FIELDS, POLICY_PLACES, Flags, Steering, multiplied

if TYPE_CHECKING:
    from ..workspace import Workspace
    from .log import Event, FeedbackLog

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


SHARES = ("words", *FIELDS)
"""What is learned: the shares that a ranking is made of."""
_FIXED = ("pin", "chain", "reserved")
"""Shares that put a place where it stands whatever the weights: their answers teach nothing of these."""
_OPENED, _READ = 1.0, 0.5
ENOUGH = 100
"""Answers with something opened, below which nothing is learned."""
_SHIPPED = {"filings": FILING_WEIGHTS, "passages": PASSAGE_WEIGHTS}


@dataclass(frozen=True, slots=True)
class Taught:
    """What came of learning for one kind of search, "filings" or "passages"."""

    kind: str
    answers: int
    """Answers with something opened that could be learned from."""
    lesson: Lesson | None = None
    policy: PolicyLesson | None = None
    old: Mapping[str, float] | None = None
    new: Mapping[str, float] | None = None
    """Weights by name, as they counted and as they were learned."""

    @property
    def is_accepted(self) -> bool:
        """True where it does no harm on sessions held back."""
        judged = self.policy or self.lesson
        return judged is not None and judged.is_accepted

    @property
    def said(self) -> str:
        """What came of it, in a sentence."""
        judged = self.policy or self.lesson
        if judged is None:
            return f"Too few to learn from: {self.answers} answers with something opened, of {ENOUGH} at least."
        interval = (
            f"{judged.gain:+.4f} ({judged.low:+.4f} to {judged.high:+.4f}) on {judged.judged_on} answers held back"
        )
        if self.is_accepted:
            return f"Accepted: gain {interval}."
        return f"Not accepted, the weights stay: gain {interval} does not leave out harm, or next to nothing."


def teach(log: FeedbackLog, method: Method | None = None, *, keep: bool = True) -> list[Taught]:
    """Learn for each kind of search that was asked, and let what is accepted count from now on.

    ``method`` trains the experimental policy instead of the weights. With ``keep=False`` nothing is changed.
    """
    before = current_weights(log)
    found = [_taught(kind, shown, before, method) for kind, shown in sorted(impressions_of(log).items())]
    accepted = [one for one in found if one.is_accepted]
    if accepted and keep:
        learned: dict[str, Any] = dict(before)
        for one in accepted:
            _count(one, learned)
        keep_weights(log, learned, {one.kind: asdict(one) for one in accepted})
    return found


def _count(taught: Taught, learned: dict[str, Any]) -> None:
    """Put what was learned among the weights that count."""
    if taught.policy:
        weights = dict(zip((*SHARES, "repeat"), taught.policy.weights, strict=True))
        learned["policy"] = {**learned.get("policy", {}), taught.kind: weights}
    elif taught.lesson:
        learned[taught.kind] = dict(taught.lesson.multipliers)


def _taught(kind: str, shown: Impressions, before: Mapping[str, Any], method: Method | None) -> Taught:
    answers = int((shown.opened.sum(axis=1) > 0).sum())
    if answers < ENOUGH:
        return Taught(kind, answers)
    if method:
        return Taught(kind, answers, policy=learn_policy(shown, method))
    lesson = learn(shown)
    old = multiplied(_SHIPPED[kind], before.get(kind, {}))
    new = multiplied(_SHIPPED[kind], lesson.multipliers)
    fields = [name for names in FIELDS.values() for name in names]
    return Taught(
        kind,
        answers,
        lesson,
        old={name: round(getattr(old, name), 4) for name in fields},
        new={name: round(getattr(new, name), 4) for name in fields},
    )


def impressions_of(log: FeedbackLog) -> dict[str, Impressions]:
    """What was shown and opened, for "filings" and for "passages", every share as the shipped weights make it."""
    uses: defaultdict[str, list[Use]] = defaultdict(list)
    lists: defaultdict[str, list[Shown]] = defaultdict(list)
    learned = cache(lambda version: current_weights(log, until=version) if version else {})
    for use in uses_of(log):
        if not _teaches(use):
            continue
        steered = use.data["steered"]
        kind = steered["weights"]
        counted = learned(steered["learned"]).get(kind, {}) if steered["flags"]["learned"] else {}
        uses[kind].append(use)
        lists[kind].append(_shown(use, counted))
    found: dict[str, Impressions] = {}
    for kind, own in uses.items():
        sessions, questions = [use.session for use in own], [use.data["searched for"] for use in own]
        found[kind] = stack(SHARES, lists[kind], sessions, questions)
    return found


def _texts(use: Use) -> list[Mapping[str, Any]]:
    return [item for item in use.data["shown"] if item["kind"] in TEXTS][:POLICY_PLACES]


def _teaches(use: Use) -> bool:
    """True for the answer to one search whose passages stand in the order of their shares."""
    steered = use.data["steered"]
    is_one_ranking = bool(steered) and not steered.get("mixed") and not use.data.get("parts")
    if not is_one_ranking or steered["flags"]["policy"]:
        return False
    texts = _texts(use)
    is_fixed = any(not item["shares"].keys().isdisjoint(_FIXED) for item in texts)
    return len(texts) > 1 and not is_fixed


def _shown(use: Use, multipliers: Mapping[str, float]) -> Shown:
    """The passages that an answer showed, in the order before neighbours changed places."""
    texts = _texts(use)
    before = _places_before_swaps(use.data["found"], use.data["steered"].get("swapped", ()))
    ranked = sorted(range(len(texts)), key=lambda at: before.get(piece_key(texts[at]), at))
    own_place = [use.data["shown"].index(item) for item in texts]
    sources = list(dict.fromkeys(item["source"] for item in texts))
    worth = _worth(use)
    return Shown(
        shares=np.array([_as_shipped(texts[at]["shares"], multipliers) for at in ranked]),
        opened=np.array([worth.get(own_place[at], 0.0) for at in ranked]),
        rank=np.array([at + 1 for at in ranked]),
        documents=np.array([sources.index(texts[at]["source"]) for at in ranked]),
    )


def _worth(use: Use) -> dict[int, float]:
    """Place in ``shown`` -> what was done there: opened, pinned or found right; more where it was read long."""
    worth = dict.fromkeys(use.liked, _OPENED)
    for place in use.read_long & use.liked:
        worth[place] += _READ
    return worth


def _places_before_swaps(found: Sequence[str], swapped: Sequence[int]) -> dict[str, int]:
    """Key of each piece -> its place before neighbours changed places."""
    keys = list(found)
    for at in swapped:
        keys[at], keys[at + 1] = keys[at + 1], keys[at]
    return {key: at for at, key in enumerate(keys)}


def _as_shipped(shares: Mapping[str, float], multipliers: Mapping[str, float]) -> list[float]:
    """The shares as the shipped weights would have made them; one that was learned away stays 0."""
    measure = multipliers.get("words", 1.0)
    found = [shares.get("words", 0.0)]
    for name in FIELDS:
        counted = multipliers.get(name, 1.0) / measure
        found.append(shares.get(name, 0.0) / counted if counted else 0.0)
    return found
