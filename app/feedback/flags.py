"""Parts of the search as flags: on, off, on for a share of sessions, or mixed with their absence; and how they did."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from ..core.errors import UsageError
from ..evaluation.statistics import clustered_bootstrap
from .measures import ENOUGH_SESSIONS, Difference, differences, piece_key

if TYPE_CHECKING:
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
