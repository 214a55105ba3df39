"""Answers joined with what people did with them, and what of it says that a passage was right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .pins import likeness

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
