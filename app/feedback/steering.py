"""What steers one search: the flags of its session, pins, learned weights, and which neighbours change places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..retrieval.search.evidence import TEXTS, Evidence, Trace
from ..retrieval.search.pipeline import has_short, search_plan, shipped_weights
from ..retrieval.search.weights import NO_EXTRAS, Extras, Weights
from .cases import Pin, fitting_pins
from .flags import Flags, place_of_session, team_draft

if TYPE_CHECKING:
    from ..models.embedder import Embedder
    from ..models.reranker import Reranker
    from ..retrieval.question.plan import QuestionPlan

FIELDS: Mapping[str, tuple[str, ...]] = {
    "dense": ("dense",),
    "home": ("home",),
    "fact": ("fact", "fact_in_statement"),
    "figures": ("figures",),
    "row": ("row",),
    "years": ("years",),
    "exhibits": ("exhibits",),
    "about": ("about",),
    "fit": ("preference",),
    "sentence": ("sentence",),
}
"""Share of a score, as ``--explain`` prints it -> the weights that make it. That of the words is the measure."""
_METADATA = ("home", "fact", "fact_in_statement", "years", "exhibits", "auditor", "about", "preference")
_WORDINGS = 3
"""Where the flag asks for several wordings and the settings do not: what was measured with a model."""
SWAPPED = 0.05
"""Share of the pairs of neighbours that change places: enough to tell, too few to be noticed."""
POLICY_PLACES = 10
"""Passages that the policy puts in an order, and that is learned from."""
SWAPS_WITHIN = 10
"""Hits among which neighbours change places."""


@dataclass(frozen=True, slots=True)
class Steering:
    """Finds evidence as :func:`search_plan` does, steered. ``learned`` has multipliers of shares, for "filings" and for
    "passages"; ``seed`` makes the same neighbours change places in every replay."""

    flags: Flags
    pins: Sequence[Pin] = ()
    learned: Mapping[str, Any] = field(default_factory=dict)
    bridges: bool = False
    seed: str = ""
    extras: Extras = NO_EXTRAS
    """Parts of the search that are turned on (``retrieval/search/weights.py``)."""
    versions: Mapping[str, Any] = field(default_factory=dict)
    """Ids of the last events that pins and weights come from, for the trace."""

    def __call__(
        self,
        plan: QuestionPlan,
        embedder: Embedder | None,
        *,
        mode: str,
        k: int,
        trace: Trace | None,
        reranker: Reranker | None,
    ) -> list[Evidence]:
        """The best ``k`` pieces of evidence; the trace says what steered them."""
        trace = trace or Trace()

        def searched(flags: Flags, noted: Trace) -> list[Evidence]:
            return self._searched(flags, plan, embedder, mode, k, noted, reranker)

        found = searched(self.flags, trace)
        told: dict[str, Any] = {"flags": dict(self.flags.values), "weights": _kind(plan), **self.versions}
        if self.flags.mixed:
            other = searched(self.flags.turned(self.flags.mixed), Trace())
            found, teams = team_draft(found, other, seed=f"{self.seed}\0{plan.text}", key=_key)
            told |= {"mixed": self.flags.mixed, "teams": teams[:k]}
            found = found[:k]
        if self.flags["swaps"]:
            found, told["swapped"] = swapped_neighbours(found, f"{self.seed}\0{plan.text}")
        trace.note("steered", told)
        trace.note("found", [_key(item) for item in found])
        return found

    def queries(self, asked: int) -> int:
        """Wordings of a question that are searched."""
        if not self.flags["multi_query"]:
            return 1
        return asked if asked > 1 else _WORDINGS

    def _searched(
        self,
        flags: Flags,
        plan: QuestionPlan,
        embedder: Embedder | None,
        mode: str,
        k: int,
        trace: Trace,
        reranker: Reranker | None,
    ) -> list[Evidence]:
        fitting = fitting_pins(self.pins, plan) if flags["pins"] else {}
        found = search_plan(
            plan,
            embedder,
            mode=_mode(flags, mode),
            k=k,
            trace=trace,
            weights=self._weights(flags, plan),
            reranker=reranker if flags["reranker"] else None,
            bridges=self.bridges,
            extras=self.extras,
            pinned={(pin.source, pin.page or 0): fit for pin, fit in fitting.items()},
        )
        if fitting:
            trace.note("pins", [{"pin": pin.id, "source": pin.source, "page": pin.page} for pin in fitting])
        if flags["policy"]:
            found = ordered_by_policy(found, self.learned.get("policy", {}).get(_kind(plan), {}))
        if not flags["summaries"]:
            found = [item for item in found if item.kind != "community"]
        return found

    def _weights(self, flags: Flags, plan: QuestionPlan) -> Weights:
        weights = shipped_weights(plan)
        if flags["learned"]:
            weights = multiplied(weights, self.learned.get(_kind(plan), {}))
        if not flags["metadata_weights"]:
            weights = replace(weights, **dict.fromkeys(_METADATA, 0.0))
        return weights


def multiplied(weights: Weights, multipliers: Mapping[str, float]) -> Weights:
    """The weights with each share multiplied, that of the words as the measure of all.

    >>> multiplied(Weights(), {"words": 2.0, "dense": 1.0}).dense
    0.125
    """
    measure = multipliers.get("words", 1.0)
    changed: dict[str, Any] = {}
    for share, names in FIELDS.items():
        for name in names if share in multipliers or measure != 1.0 else ():
            changed[name] = getattr(weights, name) * multipliers.get(share, 1.0) / measure
    return replace(weights, **changed)


def swapped_neighbours(found: Sequence[Evidence], seed: str) -> tuple[list[Evidence], list[int]]:
    """Each pair of neighbouring passages among the first changes places with 5 % chance; the places (from 0) that did.

    Source: Radlinski and Joachims 2006 (FairPairs): of two neighbours each is seen in both places.
    """
    shown, swapped, at = list(found), [], 0
    while at + 1 < min(len(shown), SWAPS_WITHIN):
        is_pair = shown[at].kind in TEXTS and shown[at + 1].kind in TEXTS
        if is_pair and place_of_session(f"swap {at}", seed) < SWAPPED:
            shown[at], shown[at + 1] = shown[at + 1], shown[at]
            swapped.append(at)
            at += 1
        at += 1
    return shown, swapped


def ordered_by_policy(found: Sequence[Evidence], weights: Mapping[str, float]) -> list[Evidence]:
    """The first passages in the order of the policy; all as it is where none was learned. Pinned ones stay in front."""
    places = [at for at, item in enumerate(found) if item.kind in TEXTS and "pin" not in item.why][:POLICY_PLACES]
    if not weights or not places:
        return list(found)
    scores: dict[int, float] = {}
    above: set[str] = set()
    for at in places:
        own = sum(weights.get(name, 0.0) * value for name, value in found[at].why.items())
        scores[at] = own + (weights.get("repeat", 0.0) if found[at].source in above else 0.0)
        above.add(found[at].source)
    ordered = list(found)
    for at, best in zip(places, sorted(places, key=lambda place: -scores[place]), strict=True):
        ordered[at] = found[best]
    return ordered


def _mode(flags: Flags, asked: str) -> str:
    """The mode that is searched in place of the one asked for."""
    if not flags["graph_leg"]:
        return "vector"
    return "menu" if flags["menu"] and asked == "hybrid" else asked


def _kind(plan: QuestionPlan) -> str:
    return "passages" if has_short(plan) else "filings"


def _key(item: Evidence) -> str:
    return f"{item.kind}:{item.id or f'{item.source}@{item.start}'}"
