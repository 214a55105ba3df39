"""The log as a file to take along: what the documents say, answers and notes, only where it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .log import FeedbackLog

_TEXTS = ("text", "note")
"""What may quote a document: the answer, and what somebody wrote about it."""


def exported_lines(log: FeedbackLog, *, with_text: bool = False) -> Iterator[str]:
    """The events as JSON lines, in the order in which they came. Keys were cut out when they were written."""
    for event in log.events():
        data = event.data if with_text else _without_texts(event.data)
        row = {"id": event.id, "at": event.at, "kind": event.kind, "session": event.session, "answer": event.answer}
        yield json.dumps({**row, **data}, ensure_ascii=False)


def _without_texts(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in _TEXTS}
