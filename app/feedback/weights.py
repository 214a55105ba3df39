"""Learned weights as they are kept in the log: each set says what it replaced, and one command brings that back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .log import Event, FeedbackLog

Multipliers = Mapping[str, Mapping[str, float]]
"""What is searched ("filings", "passages") -> share -> by how much it counts; 1 is the shipped weight."""


def current_weights(log: FeedbackLog, until: int = 0) -> Mapping[str, Any]:
    """The weights that count: "filings", "passages" and, where it was learned, "policy"; empty: the shipped ones."""
    standing: list[Event] = []
    for event in log.events(kinds=("weights",), until=until):
        if event.data.get("undone"):
            standing = standing[:-1]
        else:
            standing.append(event)
    return standing[-1].data["learned"] if standing else {}


def keep_weights(log: FeedbackLog, learned: Mapping[str, Any], report: Mapping[str, Any]) -> bool:
    """Let these weights count from now on; ``report`` is the measurement by which they were accepted."""
    return log.append(Event("weights", "", data={"learned": learned, "report": report}))


def undo_weights(log: FeedbackLog) -> bool:
    """Take back the last weights that were learned; False where there are none."""
    if not current_weights(log):
        return False
    return log.append(Event("weights", "", data={"undone": True}))
