"""A conversation kept in a file, so that a question can go on from the one before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import UsageError

if TYPE_CHECKING:
    from ..models.language import Message


def read_session(path: Path | None) -> list[Message]:
    """The messages of a session file, oldest first; none where there is no file yet. Raises UsageError."""
    from ..models.language import Message

    if path is None or not path.exists():
        return []
    try:
        return [Message(turn["role"], str(turn["content"])) for turn in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError("is no session file", where=str(path), hint="Name another file, or delete it") from error


def write_session(path: Path | None, messages: Sequence[Message]) -> None:
    """Keep the messages; nothing without a file. The file is replaced whole, so that it is never half written."""
    if path is None:
        return
    turns = [{"role": message.role, "content": message.content} for message in messages]
    waiting = path.with_name(f"{path.name}.new")
    waiting.write_text(json.dumps(turns, ensure_ascii=False, indent=1), encoding="utf-8")
    waiting.replace(path)


def turns_of(question: str, answer: str) -> list[Message]:
    """A question and its answer as the next two messages."""
    from ..models.language import Message

    return [Message("user", question), Message("assistant", answer)]
