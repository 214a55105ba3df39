"""How answers are used: joined with what people did with them and what of it says that a passage was right; in
rates with intervals over sessions, and a sentence where the numbers are too few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from statistics import median
from typing import TYPE_CHECKING, Any

from ..core.records import dataclass
from ..evaluation.metrics.retrieval import average_precision, ndcg_at_k, reciprocal_rank
from ..evaluation.statistics import clustered_bootstrap, clustered_difference
from .cases import likeness

if TYPE_CHECKING:
    from .log import Event, FeedbackLog

LONG = 30_000
"""Milliseconds from which a page was read, not glanced at."""
_AGAIN = 0.5
"""Likeness of two questions of a session from which the second asks the first again."""


@dataclass(slots=True)
class Use:
    """One answer and the signals on it, in the order in which they came."""

    answered: Event
    signals: list[Event] = field(default_factory=list)
    is_asked_again: bool = False

    @property
    def data(self) -> Mapping[str, Any]:
        """What was noted of the answer."""
        return self.answered.data

    @property
    def session(self) -> str:
        """Whose answer it is."""
        return self.answered.session

    def of(self, kind: str, verdict: str = "") -> list[Event]:
        """The signals of a kind, and of a verdict, that a person gave: what a page opens by itself is none."""
        found: list[Event] = []
        for event in self.signals:
            is_asked_for = event.kind == kind and verdict in ("", event.data.get("verdict"))
            if is_asked_for and not event.data.get("automatic"):
                found.append(event)
        return found

    @property
    def verdict(self) -> str:
        """The last thumb on the answer as a whole: "up", "down" or ""."""
        said = ""
        for event in self.of("thumb"):
            if "source" not in event.data:
                said = event.data["verdict"]
        return said

    @property
    def liked(self) -> set[int]:
        """Places in ``shown`` (from 0) of what was opened, pinned or found right, and not found wrong."""
        good = self._places([*self.of("opened"), *self.of("pin"), *self.of("thumb", "up")])
        return good - self._places(self.of("thumb", "down"))

    @property
    def read_long(self) -> set[int]:
        """Places in ``shown`` of the citations whose page was open for half a minute."""
        return self._places([event for event in self.of("dwell") if event.data.get("ms", 0) >= LONG])

    def _places(self, events: Sequence[Event]) -> set[int]:
        found: set[int] = set()
        for event in events:
            place = place_shown(self.data["shown"], event.data)
            if place is not None:
                found.add(place)
        return found


def place_shown(shown: Sequence[Mapping[str, Any]], place: Mapping[str, Any]) -> int | None:
    """Which piece of evidence a place lies in: the first that holds its start, else the first of its page, or None."""
    start, page = place.get("start", 0), place.get("page")
    on_page = None
    for at, item in enumerate(shown):
        if item["source"] != place.get("source"):
            continue
        if place.get("end") and item["start"] <= start < item["end"]:
            return at
        if on_page is None and page is not None and item["page"] == page:
            on_page = at
    return on_page


def piece_key(shown: Mapping[str, Any]) -> str:
    """The name of a piece of evidence in what a search found."""
    place = f"{shown['source']}@{shown['start']}"
    return f"{shown['kind']}:{shown['id'] or place}"


def uses_of(log: FeedbackLog) -> list[Use]:
    """All answers with their signals, oldest first."""
    uses: dict[str, Use] = {}
    last: dict[str, Use] = {}
    for event in log.events():
        if event.kind == "answered":
            use = uses[event.answer] = Use(event)
            if event.session in last:
                before = last[event.session]
                fit = likeness(before.data["question"], event.data["question"])
                before.is_asked_again = fit >= _AGAIN
            last[event.session] = use
        elif event.answer in uses:
            uses[event.answer].signals.append(event)
    return list(uses.values())


ENOUGH_SESSIONS = 30
"""Sessions below which an interval over sessions says little, however narrow it is."""
_WIDE = 0.1
"""Half the width of an interval from which it settles nothing."""
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean over answers with its 95 % interval over sessions."""

    name: str
    value: float
    low: float
    high: float
    answers: int
    sessions: int

    @property
    def is_thin(self) -> bool:
        """True where there are too few sessions, or the interval is too wide, to go by it."""
        return self.sessions < ENOUGH_SESSIONS or (self.high - self.low) / 2 > _WIDE


Measure = Callable[["Use"], "float | None"]
"""What an answer counts; None where it does not count."""


def _clicked(use: Use) -> float | None:
    return float(bool(use.of("opened"))) if use.data["cited"] else None


def _helped(use: Use) -> float | None:
    return float(use.verdict == "up") if use.verdict else None


def _ranked(measure: Callable[[Sequence[int], set[int]], float]) -> Measure:
    def of(use: Use) -> float | None:
        liked = use.liked
        return measure(range(len(use.data["shown"])), liked) if liked else None

    return of


MEASURES: Mapping[str, Measure] = {
    "citation click rate": _clicked,
    "helpful rate": _helped,
    "re-ask rate": lambda use: float(use.is_asked_again),
    "copied or exported": lambda use: float(bool(use.of("copied") or use.of("exported"))),
    "NDCG@10": _ranked(lambda ranked, liked: ndcg_at_k(ranked, liked, _DEPTH)),
    "MRR": _ranked(reciprocal_rank),
    "MAP": _ranked(average_precision),
}
"""The last three take what was opened, pinned or found right as relevant: they count answers with such evidence."""


def rates_of(uses: Sequence[Use]) -> list[Rate]:
    """Every measure that any answer counts for."""
    found: list[Rate] = []
    for name, measure in MEASURES.items():
        values, clusters = _values(uses, measure)
        if values:
            found.append(Rate(name, *clustered_bootstrap(values, clusters), len(values), len(set(clusters))))
    return found


def _values(uses: Sequence[Use], measure: Measure) -> tuple[list[float], list[str]]:
    values: list[float] = []
    clusters: list[str] = []
    for use in uses:
        value = measure(use)
        if value is not None:
            values.append(value)
            clusters.append(use.session)
    return values, clusters


def too_few(rates: Sequence[Rate]) -> str:
    """A sentence that says which rates are not to be gone by; "" where all are."""
    thin = [rate for rate in rates if rate.is_thin]
    if not rates:
        return "Nothing was asked yet: there is nothing to go by."
    if not thin:
        return ""
    names = ", ".join(rate.name for rate in thin)
    return (
        f"Too few to go by: {names} (fewer than {ENOUGH_SESSIONS} sessions, or an interval wider than "
        f"±{_WIDE:g}). What differs there may be chance."
    )


def median_dwell(uses: Sequence[Use]) -> float | None:
    """Seconds that the page behind a citation was open, the median; None where nobody opened one."""
    times = [event.data["ms"] / 1000 for use in uses for event in use.of("dwell") if event.data.get("ms")]
    return round(median(times), 1) if times else None


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure with a flag on less that with it off, with its 95 % interval over sessions."""

    name: str
    on: float
    off: float
    difference: float
    low: float
    high: float
    answers: tuple[int, int]
    sessions: tuple[int, int]

    @property
    def is_thin(self) -> bool:
        """True where either side has too few sessions, or the interval is too wide."""
        return min(self.sessions) < ENOUGH_SESSIONS or (self.high - self.low) / 2 > _WIDE

    @property
    def said(self) -> str:
        """What it tells in words."""
        if self.is_thin:
            return "too few to tell"
        if self.low > 0 or self.high < 0:
            return "more" if self.low > 0 else "less"
        return "no difference seen"


def differences(on: Sequence[Use], off: Sequence[Use]) -> list[Difference]:
    """Every measure that both sides have, by sessions."""
    found: list[Difference] = []
    for name, measure in MEASURES.items():
        ours, theirs = _values(on, measure), _values(off, measure)
        if ours[0] and theirs[0]:
            difference, low, high = clustered_difference(*ours, *theirs)
            means = sum(ours[0]) / len(ours[0]), sum(theirs[0]) / len(theirs[0])
            answers, sessions = (len(ours[0]), len(theirs[0])), (len(set(ours[1])), len(set(theirs[1])))
            found.append(Difference(name, *means, difference, low, high, answers, sessions))
    return found


def report_of(uses: Sequence[Use], counts: Mapping[str, int]) -> dict[str, Any]:
    """Everything that ``cliquerag feedback report`` says, as plain values."""
    rates = rates_of(uses)
    return {
        "answers": len(uses),
        "sessions": len({use.session for use in uses}),
        "events": dict(counts),
        "rates": rates,
        "median dwell, seconds": median_dwell(uses),
        "too few": too_few(rates),
        "latest": [
            {
                "answer": use.answered.answer,
                "at": use.answered.at,
                "question": use.data["question"],
                "verdict": use.verdict,
            }
            for use in uses[-10:]
        ],
    }
