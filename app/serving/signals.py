"""What a client tells of an answer: opened, copied, read for so long, good or bad, the page that answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError

if TYPE_CHECKING:
    from ..feedback.recorder import Recorder

COMPLETION = "chatcmpl-"
"""Begins the id of a completion; the rest is the id of the answer."""
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Signal:
    """A request such as {"id": "chatcmpl-...", "kind": "thumb", "verdict": "down", "note": "the wrong year"}."""

    id: str
    kind: str
    verdict: str
    note: str
    citation: int | None
    milliseconds: int

    @classmethod
    def parse(cls, body: bytes) -> Signal:
        """Raises UsageError, naming the field that is wrong."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise UsageError("is not JSON", where="the request") from error
        if not isinstance(data, dict):
            raise UsageError("has to be a JSON object", where="the request")
        name, kind, verdict, note = (_text(data, field) for field in ("id", "kind", "verdict", "note"))
        if not name or len(name) > _LONGEST:
            raise UsageError("has to be the id of a completion", where="id")
        citation, milliseconds = _number(data, "citation"), _number(data, "ms")
        return cls(name.removeprefix(COMPLETION), kind, verdict, note, citation, milliseconds or 0)

    def write_to(self, recorder: Recorder) -> bool:
        """Note it in the log. Raises UsageError where feedback is off or the answer is not known."""
        return recorder.signal(
            self.kind,
            self.id,
            citation=self.citation,
            verdict=self.verdict,
            note=self.note,
            milliseconds=self.milliseconds,
        )


def _text(data: Mapping[str, Any], field: str) -> str:
    """A text of a request, "" where it is not given. Raises UsageError for anything else."""
    value = data.get(field, "")
    if not isinstance(value, str):
        raise UsageError("has to be a text", where=field)
    return value


def _number(data: Mapping[str, Any], field: str) -> int | None:
    """A whole number of a request, None where it is not given. Raises UsageError for anything else."""
    value = data.get(field)
    if value is None:
        return None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or value < 0:
        raise UsageError("has to be a whole number", where=field)
    return int(value)
