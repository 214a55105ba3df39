"""Outcomes of a comparison on disk, so that a stopped one goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..core.private_files import make_private_folder
from .comparison import Outcome, Piece
from .questions import Question


class KeptOutcomes:
    """Outcomes on disk, a line each, of one set of settings (``key``); without a path nothing is kept.

    A line that a killed run left unfinished is passed over, and what comes next begins a line of its own.
    """

    def __init__(self, path: Path | None, key: str) -> None:
        self._path, self._key = path, key
        self._found: dict[tuple[str, str], Outcome] = {}
        self._torn = False
        if path and path.is_file():
            text = path.read_bytes().decode("utf-8", "replace")
            self._torn = not text.endswith("\n")
            for line in text.split("\n"):
                self._read(line)

    def get(self, question: Question, mode: str) -> Outcome | None:
        """What an earlier run found; None where it did not come to it."""
        return self._found.get((question.id, mode))

    def add(self, outcome: Outcome) -> None:
        """On disk on return."""
        if self._path:
            make_private_folder(self._path.parent)
            with self._path.open("a", encoding="utf-8") as file:
                file.write("\n" if self._torn else "")
                self._torn = False
                file.write(json.dumps({"key": self._key, **asdict(outcome)}, ensure_ascii=False) + "\n")

    def _read(self, line: str) -> None:
        try:
            data: dict[str, Any] = json.loads(line)
            if data.pop("key") == self._key:
                outcome = _as_outcome(data)
                self._found[outcome.question, outcome.mode] = outcome
        except (ValueError, KeyError, TypeError):  # unfinished, or of a version that kept other fields
            return


def _as_outcome(data: Mapping[str, Any]) -> Outcome:
    made = {
        "context": tuple(Piece(**piece) for piece in data["context"]),
        "citations": tuple(data["citations"]),
        "recall": {int(budget): value for budget, value in data["recall"].items()},
    }
    return Outcome(**{**data, **made})
