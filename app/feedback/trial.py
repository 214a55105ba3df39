"""A flag tried: sessions with it against those without, and answers in which both rankings are mixed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ..core.errors import UsageError
from ..evaluation.statistics import clustered_bootstrap
from .flags import FLAGS, place_of_session
from .measures import ENOUGH_SESSIONS, Difference, differences
from .use import piece_key

if TYPE_CHECKING:
    from .use import Use


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
