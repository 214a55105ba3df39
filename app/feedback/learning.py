"""Learning from the log: what was opened, as arrays; weights or a policy from it; kept only where they do no harm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evaluation.learning.impressions import Impressions, Shown, stack
from ..evaluation.learning.pairwise import Lesson, learn
from ..evaluation.learning.policy import Method, PolicyLesson, learn_policy
from ..retrieval.search.evidence import TEXTS
from ..retrieval.search.ranking.weights import FILING_WEIGHTS, PASSAGE_WEIGHTS
from .steering import FIELDS, POLICY_PLACES, multiplied
from .use import Use, uses_of
from .weights import current_weights, keep_weights

if TYPE_CHECKING:
    from .log import FeedbackLog

SHARES = ("words", *FIELDS)
"""What is learned: the shares that a ranking is made of."""
_FIXED = ("pin", "chain", "reserved")
"""Shares that put a place where it stands whatever the weights: their answers teach nothing of these."""
_LONG = 30_000
"""Milliseconds from which a page was read, not glanced at."""
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
    accepted = {one.kind: one for one in found if one.is_accepted}
    if accepted and keep:
        learned: dict[str, Any] = dict(before)
        report = {kind: asdict(one) for kind, one in accepted.items()}
        for kind, one in accepted.items():
            if one.policy:
                weights = dict(zip((*SHARES, "place"), one.policy.weights, strict=True))
                learned["policy"] = {**learned.get("policy", {}), kind: weights}
            elif one.lesson:
                learned[kind] = dict(one.lesson.multipliers)
        keep_weights(log, learned, report)
    return found


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
    lists: defaultdict[str, list[tuple[Shown, Use]]] = defaultdict(list)
    known: dict[int, Mapping[str, Any]] = {}
    for use in uses_of(log):
        steered = use.data["steered"]
        if not steered or steered.get("mixed") or use.data.get("parts"):
            continue
        version = steered.get("learned", 0)
        if version not in known:
            known[version] = current_weights(log, until=version) if version else {}
        is_learned = steered["flags"]["learned"]
        shown = _shown(use, known[version].get(steered["weights"], {}) if is_learned else {})
        if shown is not None:
            lists[steered["weights"]].append((shown, use))
    return {
        kind: stack(
            SHARES,
            [shown for shown, _ in own],
            [use.session for _, use in own],
            [use.data["searched for"] for _, use in own],
        )
        for kind, own in lists.items()
    }


def _shown(use: Use, multipliers: Mapping[str, float]) -> Shown | None:
    """The passages that an answer showed, in the order before neighbours changed places; None: it teaches nothing."""
    texts = [(at, item) for at, item in enumerate(use.data["shown"]) if item["kind"] in TEXTS][:POLICY_PLACES]
    is_fixed = any(name in item["shares"] for _, item in texts for name in _FIXED)
    if len(texts) < 2 or is_fixed:
        return None
    before = _places_before_swaps(use.data["found"], use.data["steered"].get("swapped", ()))
    ranked = sorted(range(len(texts)), key=lambda at: before.get(_key(texts[at][1]), at))
    worth = _worth(use)
    documents = {source: number for number, source in enumerate(dict.fromkeys(item["source"] for _, item in texts))}
    shares = [_as_shipped(texts[at][1]["shares"], multipliers) for at in ranked]
    opened = [worth.get(texts[at][0], 0.0) for at in ranked]
    return Shown(
        np.array(shares),
        np.array(opened),
        np.array([at + 1 for at in ranked]),
        np.array([documents[texts[at][1]["source"]] for at in ranked]),
    )


def _worth(use: Use) -> dict[int, float]:
    """Place in ``shown`` -> what was done there: opened, pinned or found right; more where it was read long."""
    long = {event.data.get("citation") for event in use.of("dwell") if event.data.get("ms", 0) >= _LONG}
    read = {place for number in long if number for place in use.places_of_citation(number)}
    return {place: _OPENED + (_READ if place in read else 0.0) for place in use.liked}


def _places_before_swaps(found: Sequence[str], swapped: Sequence[int]) -> dict[str, int]:
    """Key of each piece -> its place before neighbours changed places."""
    keys = list(found)
    for at in swapped:
        keys[at], keys[at + 1] = keys[at + 1], keys[at]
    return {key: at for at, key in enumerate(keys)}


def _key(item: Mapping[str, Any]) -> str:
    place = f"{item['source']}@{item['start']}"
    return f"{item['kind']}:{item['id'] or place}"


def _as_shipped(shares: Mapping[str, float], multipliers: Mapping[str, float]) -> list[float]:
    """The shares as the shipped weights would have made them."""
    measure = multipliers.get("words", 1.0)
    return [
        shares.get(name, 0.0) * (1.0 if name == "words" else measure / (multipliers.get(name, 1.0) or 1.0))
        for name in SHARES
    ]
