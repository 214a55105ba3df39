"""What a client tells of an answer: opened, copied, read for so long, good or bad, the page that answers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        texts = {name: data.get(name, "") for name in ("id", "kind", "verdict", "note")}
        for name, text in texts.items():
            if not isinstance(text, str):
                raise UsageError("has to be a text", where=name)
        if not texts["id"] or len(texts["id"]) > _LONGEST:
            raise UsageError("has to be the id of a completion", where="id")
        numbers = {name: data.get(name) for name in ("citation", "ms")}
        for name, number in numbers.items():
            if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 0):
                raise UsageError("has to be a whole number", where=name)
        name = texts.pop("id").removeprefix(COMPLETION)
        return cls(name, **texts, citation=numbers["citation"], milliseconds=numbers["ms"] or 0)

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
