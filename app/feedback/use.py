"""Answers joined with what people did with them, and what of it says that a passage was right."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .pins import likeness

if TYPE_CHECKING:
    from .log import Event, FeedbackLog

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

    def of(self, kind: str) -> list[Event]:
        """The signals of a kind that a person gave: what a page opens by itself is none."""
        return [event for event in self.signals if event.kind == kind and not event.data.get("automatic")]

    @property
    def verdict(self) -> str:
        """The last thumb on the answer as a whole: "up", "down" or ""."""
        thumbs = [event.data["verdict"] for event in self.of("thumb") if "source" not in event.data]
        return thumbs[-1] if thumbs else ""

    @property
    def liked(self) -> set[int]:
        """Places in ``shown`` (from 0) of what was opened, pinned or found right, and not found wrong."""
        praised = [event for event in self.of("thumb") if event.data["verdict"] == "up"]
        blamed = [event for event in self.of("thumb") if event.data["verdict"] == "down"]
        good = self._places([*self.of("opened"), *self.of("pin"), *praised])
        return good - self._places(blamed)

    def places_of_citation(self, number: int) -> set[int]:
        """Places in ``shown`` that a citation leads to."""
        cited = [citation for citation in self.data["cited"] if citation["number"] == number]
        found = {place_shown(self.data["shown"], citation) for citation in cited}
        return {place for place in found if place is not None}

    def _places(self, events: Sequence[Event]) -> set[int]:
        found: set[int] = set()
        for event in events:
            if "source" in event.data:
                place = place_shown(self.data["shown"], event.data)
                found.update([] if place is None else [place])
        return found


def place_shown(shown: Sequence[Mapping[str, Any]], place: Mapping[str, Any]) -> int | None:
    """Which piece of evidence a place lies in: the first that holds its start, else the first of its page."""
    start = place.get("start", 0)
    own = [at for at, item in enumerate(shown) if item["source"] == place["source"]]
    for at in own:
        if place.get("end") and shown[at]["start"] <= start < max(shown[at]["end"], shown[at]["start"] + 1):
            return at
    page = place.get("page")
    return next((at for at in own if page is not None and shown[at]["page"] == page), None)


def uses_of(log: FeedbackLog, sessions: Collection[str] | None = None) -> list[Use]:
    """All answers with their signals, oldest first; of these sessions, or of all."""
    uses: dict[str, Use] = {}
    last: dict[str, Use] = {}
    for event in log.events():
        if event.kind == "answered" and (sessions is None or event.session in sessions):
            use = uses[event.answer] = Use(event)
            before = last.get(event.session)
            if before and likeness(before.data["question"], event.data["question"]) >= _AGAIN:
                before.is_asked_again = True
            last[event.session] = use
        elif event.answer in uses:
            uses[event.answer].signals.append(event)
    return list(uses.values())
