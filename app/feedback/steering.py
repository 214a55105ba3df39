"""What steers one search: the flags of its session, pins, learned weights, and which neighbours change places."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.errors import UsageError
from ..core.records import dataclass
from ..evaluation.statistics import clustered_bootstrap
from ..retrieval.search.evidence import TEXTS, Evidence, Trace
from ..retrieval.search.pipeline import has_short, search_plan, shipped_weights
from ..retrieval.search.weights import NO_EXTRAS, Extras, Weights
from .cases import Pin, fitting_pins
from .measures import ENOUGH_SESSIONS, Difference, differences, piece_key

if TYPE_CHECKING:
    from ..models.embedders import Embedder
    from ..models.reranker import Reranker
    from ..retrieval.question.plan import QuestionPlan
    from ..settings import Settings
    from .measures import Use

FLAGS: Mapping[str, str] = {
    "multi_query": "other wordings of the question are searched as well (needs a model)",
    "metadata_weights": "what is known of pages and documents counts: statements, facts, years, period and kind",
    "graph_leg": "relations, facts and reports of the graph stand beside the passages",
    "reranker": "a cross-encoder orders the first passages (where one is configured)",
    "summaries": "reports on groups of entities are among the evidence",
    "menu": "whole sections stand in place of passages, where the mode would be hybrid",
    "pins": "pages that somebody pinned come first",
    "learned": "weights learned from use count in place of the shipped ones",
    "swaps": "one in twenty pairs of neighbours changes places, so that learning can tell liking from standing first",
    "policy": "the experimental policy orders the first passages",
}
"""Name -> what is on where it is on."""
_OFF_UNLESS_SAID = frozenset({"menu", "swaps", "policy"})
_NOT_MIXED = frozenset({"multi_query", "swaps"})
"""What is not a way of ordering evidence: two rankings with and without it cannot be dealt out in turn."""
_RULE = re.compile(r"(on|off|interleave|\d{1,3}(?:\.\d{1,3})?\s?%)")
_WHOLE = 2**64


@dataclass(frozen=True, slots=True)
class Rule:
    """For which sessions a flag is on: a ``share`` of them, from 0 to 1; or mixed with its absence for all."""

    share: float
    is_mixed: bool = False


@lru_cache(maxsize=64)
def read_flags(text: str) -> Mapping[str, Rule]:
    """The rules of a setting such as "graph_leg=off, multi_query=20%, reranker=interleave". Raises UsageError.

    >>> read_flags("graph_leg=20%, pins=off")
    {'graph_leg': Rule(share=0.2, is_mixed=False), 'pins': Rule(share=0.0, is_mixed=False)}
    """
    rules: dict[str, Rule] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (side.strip() for side in part.partition("="))
        if name not in FLAGS:
            raise UsageError(f"no flag {name!r}", where="flags", hint=f"There are: {', '.join(FLAGS)}")
        rules[name] = _rule(name, value or "on")
    if sum(rule.is_mixed for rule in rules.values()) > 1:
        raise UsageError("two flags are interleaved", where="flags", hint="Mix one after the other")
    return rules


def _rule(name: str, value: str) -> Rule:
    if not _RULE.fullmatch(value):
        raise UsageError(f"{name} cannot be {value!r}", where="flags", hint="Give on, off, interleave or a share: 20%")
    if value == "interleave":
        if name in _NOT_MIXED:
            raise UsageError(f"{name} cannot be interleaved", where="flags", hint=f"Give it a share: {name}=50%")
        return Rule(1.0, is_mixed=True)
    if value.endswith("%"):
        share = float(value[:-1]) / 100
        if share > 1:
            raise UsageError(f"{value} is more than all sessions", where="flags")
        return Rule(share)
    return Rule(1.0 if value == "on" else 0.0)


@dataclass(frozen=True, slots=True)
class Flags:
    """What is on for one session."""

    values: Mapping[str, bool]
    mixed: str = ""
    """The flag of which both sides are searched and dealt out in turn."""

    def __getitem__(self, name: str) -> bool:
        return self.values[name]

    def turned(self, name: str) -> Flags:
        """With one flag the other way round."""
        return Flags({**self.values, name: not self.values[name]}, self.mixed)


def flags_of(settings: Settings, session: str) -> Flags:
    """What is on for a session: what the setting says of it, else what the other settings ask for."""
    rules = read_flags(settings.flags)
    values = {name: name not in _OFF_UNLESS_SAID for name in FLAGS}
    values["multi_query"] = settings.queries > 1
    for name, rule in rules.items():
        values[name] = place_of_session(name, session) < rule.share
    mixed = next((name for name, rule in rules.items() if rule.is_mixed), "")
    return Flags(values, mixed)


def place_of_session(flag: str, session: str) -> float:
    """Where a session stands between 0 and 1, the same for ever, and for each flag anew.

    >>> place_of_session("pins", "ann") == place_of_session("pins", "ann") != place_of_session("learned", "ann")
    True
    """
    digest = hashlib.blake2b(f"{flag}\0{session}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / _WHOLE


@dataclass(frozen=True, slots=True)
class Mixed:
    """What interleaving tells. ``preference`` is from -1 (always without) to 1 (always with), over sessions."""

    won: int
    lost: int
    tied: int
    preference: float
    low: float
    high: float
    sessions: int

    @property
    def is_clear(self) -> bool:
        """True where there are sessions enough and the interval leaves out that both are alike."""
        return self.sessions >= ENOUGH_SESSIONS and (self.low > 0 or self.high < 0)


@dataclass(frozen=True, slots=True)
class Trial:
    """A flag, both ways of comparing, and what they tell."""

    flag: str
    by_sessions: tuple[Difference, ...]
    mixed: Mixed | None
    is_thin: bool
    said: str


def trial_of(flag: str, uses: Sequence[Use]) -> Trial:
    """Compare what was noted with a flag on and off. Raises UsageError for a flag that there is not."""
    if flag not in FLAGS:
        raise UsageError(f"no flag {flag!r}", hint=f"There are: {', '.join(FLAGS)}")
    on: list[Use] = []
    off: list[Use] = []
    mixed: list[Use] = []
    for use in uses:
        steered = use.data["steered"]
        if not steered:
            continue
        if steered.get("mixed") == flag:
            mixed.append(use)
        elif steered["flags"].get(flag):
            on.append(use)
        else:
            off.append(use)
    rows = tuple(differences(on, off))
    preferred = _preferred(mixed)
    is_thin = _is_thin(rows, preferred)
    return Trial(flag, rows, preferred, is_thin, _said(flag, rows, preferred, is_thin))


def _preferred(uses: Sequence[Use]) -> Mixed | None:
    """Who won each answer: the team more of whose pieces were opened; None where nothing was."""
    outcomes: list[int] = []
    sessions: list[str] = []
    for use in uses:
        teams = _teams_opened(use)
        if teams:
            ahead = teams.count(WITH) - teams.count(WITHOUT)
            outcomes.append(max(-1, min(1, ahead)))
            sessions.append(use.session)
    if not outcomes:
        return None
    won, lost, tied = (outcomes.count(value) for value in (1, -1, 0))
    return Mixed(won, lost, tied, *clustered_bootstrap(outcomes, sessions), len(set(sessions)))


def _teams_opened(use: Use) -> list[str]:
    """Whose choice each piece was that was opened; nothing of a question in parts, which are searched one by one."""
    if use.data.get("parts"):
        return []
    team_of = dict(zip(use.data["found"], use.data["steered"]["teams"], strict=False))
    keys = [piece_key(use.data["shown"][place]) for place in use.liked]
    return [team_of[key] for key in keys if key in team_of]


def _is_thin(rows: Sequence[Difference], mixed: Mixed | None) -> bool:
    has_sessions = any(not row.is_thin for row in rows)
    has_mixed = mixed is not None and mixed.sessions >= ENOUGH_SESSIONS
    return not has_sessions and not has_mixed


def _said(flag: str, rows: Sequence[Difference], mixed: Mixed | None, is_thin: bool) -> str:
    """One sentence: what is known, or that the numbers are too few."""
    if not rows and mixed is None:
        return f"{flag} was not tried: no answers both with it and without it."
    if is_thin:
        return f"Too few to tell: {ENOUGH_SESSIONS} sessions on each side at least, and an interval narrower than ±0.1."
    found = [f"{row.name} {row.said}" for row in rows if row.said in ("more", "less")]
    if mixed is not None and mixed.is_clear:
        found.append("what it finds is opened more" if mixed.low > 0 else "what it finds is opened less")
    return f"With {flag}: {', '.join(found)}." if found else f"With {flag} or without it: no difference seen."


T = TypeVar("T")
WITH, WITHOUT = "with", "without"
"""The two teams: the ranking with what is tried, and the one without it."""


def team_draft(
    first: Sequence[T], second: Sequence[T], *, seed: str, key: Callable[[T], Hashable]
) -> tuple[list[T], list[str]]:
    """The items of both rankings, best first, and whose choice each was: "with" (``first``) or "without".

    In each round a coin decides which ranking chooses first; each takes its best item that is not taken yet. Source:
    Radlinski, Kurup and Joachims 2008. The coin falls by ``seed``, the same in every replay.

    >>> mixed, teams = team_draft("abc", "bdc", seed="s", key=str)
    >>> sorted(mixed), teams.count("with"), teams.count("without")
    (['a', 'b', 'c', 'd'], 2, 2)
    """
    mixed: list[T] = []
    teams: list[str] = []
    taken: set[Hashable] = set()
    queues = {WITH: list(first), WITHOUT: list(second)}
    while any(queues.values()):
        starts = WITH if place_of_session(f"round {len(mixed)}", seed) < 0.5 else WITHOUT
        for team in (starts, WITHOUT if starts == WITH else WITH):
            item = _next(queues[team], taken, key)
            if item is not None:
                mixed.append(item)
                teams.append(team)
                taken.add(key(item))
    return mixed, teams


def _next(queue: list[T], taken: set[Hashable], key: Callable[[T], Hashable]) -> T | None:
    """The best item of a ranking that is not taken yet."""
    while queue:
        item = queue.pop(0)
        if key(item) not in taken:
            return item
    return None


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
