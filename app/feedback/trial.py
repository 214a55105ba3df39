"""A flag tried: sessions with it against sessions without it, and answers in which both rankings were interleaved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..evaluation.statistics import clustered_bootstrap
from .flags import FLAGS
from .measures import ENOUGH_SESSIONS, Difference, differences
from .team_draft import WITH

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
    plain = [use for use in uses if use.data["steered"] and use.data["steered"].get("mixed") != flag]
    on = [use for use in plain if use.data["steered"]["flags"].get(flag)]
    off = [use for use in plain if not use.data["steered"]["flags"].get(flag)]
    rows = tuple(differences(on, off)) if on and off else ()
    mixed = _mixed([use for use in uses if use.data["steered"].get("mixed") == flag and not use.data.get("parts")])
    is_thin = _is_thin(rows, mixed)
    return Trial(flag, rows, mixed, is_thin, _said(flag, rows, mixed, is_thin))


def _mixed(uses: Sequence[Use]) -> Mixed | None:
    """Who won each answer: the team more of whose pieces were opened."""
    outcomes: list[float] = []
    sessions: list[str] = []
    for use in uses:
        credit = _credit(use)
        if credit is not None:
            outcomes.append(float((credit > 0) - (credit < 0)))
            sessions.append(use.session)
    if not outcomes:
        return None
    counts = [outcomes.count(value) for value in (1.0, -1.0, 0.0)]
    return Mixed(*counts, *clustered_bootstrap(outcomes, sessions), len(set(sessions)))


def _credit(use: Use) -> int | None:
    """Pieces that were opened of those with the flag, less of those without it; None where nothing was opened."""
    keys, teams = list(use.data["found"]), use.data["steered"]["teams"]
    team_of = dict(zip(keys, teams, strict=False))
    chosen = []
    for place in use.liked:
        item = use.data["shown"][place]
        where = f"{item['source']}@{item['start']}"
        chosen.append(team_of.get(f"{item['kind']}:{item['id'] or where}", ""))
    known = [team for team in chosen if team]
    return sum(1 if team == WITH else -1 for team in known) if known else None


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
    found = [f"{row.name} {row.said}" for row in rows if not row.is_thin and row.said in ("more", "less")]
    if mixed is not None and mixed.sessions >= ENOUGH_SESSIONS and (mixed.low > 0 or mixed.high < 0):
        found.append("what it finds is opened more" if mixed.low > 0 else "what it finds is opened less")
    return f"With {flag}: {', '.join(found)}." if found else f"With {flag} or without it: no difference seen."
