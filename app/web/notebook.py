"""What the desk remembers of a workspace: questions with their answers, and feedback. A file of its own beside it.

Feedback is only ever added to: the table refuses changes, so that what was said stays as it was said.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..core.anchor import Anchor
from ..core.plain import as_plain
from ..core.records import dataclass
from ..retrieval.search.evidence import Answer, Citation, Context, Evidence
from ..side_files import file_beside, open_private, writing

if TYPE_CHECKING:
    from ..workspace import Workspace

VERDICTS = ("up", "down", "pin")
""""pin": this page answers the question."""
_LONGEST_NOTE = 4_000
_TRACE_ROWS = 12
"""Rows of each ranking that are kept of a trace; the whole one is as long as the search was wide."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS turn (
  id TEXT PRIMARY KEY, conversation TEXT NOT NULL, number INTEGER NOT NULL, asked TEXT NOT NULL,
  question TEXT NOT NULL, options TEXT NOT NULL, answer BLOB, error TEXT NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS turn_conversation ON turn (conversation, number);
CREATE TABLE IF NOT EXISTS feedback (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, turn TEXT NOT NULL, question TEXT NOT NULL,
  citation INTEGER, verdict TEXT NOT NULL, note TEXT NOT NULL, source TEXT NOT NULL, page INTEGER,
  "start" INTEGER, "end" INTEGER);
CREATE TRIGGER IF NOT EXISTS feedback_stays BEFORE UPDATE ON feedback
  BEGIN SELECT RAISE(ABORT, 'feedback is only added to'); END;
"""
_KEPT = (
    "CREATE TRIGGER IF NOT EXISTS feedback_is_kept BEFORE DELETE ON feedback "
    "BEGIN SELECT RAISE(ABORT, 'feedback is only added to'); END;"
)


@dataclass(frozen=True, slots=True)
class Options:
    """How a question was asked; empty means that the question itself says it."""

    mode: str = ""
    companies: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    everything: bool = False
    """No document is left out, whatever the question names."""
    checked_by: str = ""
    """Who judges the sentences of a model."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation; ``answer`` is None while it is being written, and after an error."""

    id: str
    conversation: str
    number: int
    asked: datetime
    question: str
    options: Options = Options()
    answer: Answer | None = None
    understood: Mapping[str, Any] = field(default_factory=dict)
    """What was read from the question, as :func:`~.asking.understanding` gives it."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody said of an answer, or of one citation of it (``citation``, with its place)."""

    turn: str
    question: str
    verdict: str
    note: str = ""
    citation: int | None = None
    source: str = ""
    page: int | None = None
    start: int | None = None
    end: int | None = None
    at: str = ""


class Notebook:
    """Turns and feedback in one SQLite file; one connection under a lock, so that threads may share it."""

    def __init__(self, path: Path | None) -> None:
        """``None`` keeps all in memory. Raises StoreError for a file that cannot be opened."""
        self.path = path
        self._lock = threading.RLock()
        hint = "Check the folder and its permissions"
        self._connection = open_private(path, f"{_SCHEMA}{_KEPT}", "the notebook", hint)

    @classmethod
    def of(cls, workspace: Workspace) -> Notebook:
        """The one of a workspace: beside its file, else in the user's data folder; in memory for one in memory."""
        return cls(file_beside(workspace.settings.workspace, "desk"))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    # --- questions and answers

    def begin(self, conversation: str, question: str, options: Options) -> Turn:
        """Keep a question; a conversation that is not known begins with it."""
        with self._writing() as connection:
            number = self._value("SELECT coalesce(max(number), 0) + 1 FROM turn WHERE conversation = ?", conversation)
            turn = Turn(uuid4().hex, conversation or uuid4().hex, int(number), _now(), question, options)
            connection.execute(
                "INSERT INTO turn (id, conversation, number, asked, question, options) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    turn.id,
                    turn.conversation,
                    turn.number,
                    turn.asked.isoformat(),
                    question,
                    json.dumps(as_plain(options)),
                ),
            )
        return turn

    def keep_answer(self, turn: str, answer: Answer, understood: Mapping[str, Any]) -> None:
        """Keep the answer of a question."""
        plain = as_plain(answer)
        for trace in (plain["trace"], *(part["trace"] for part in plain["trace"].get("parts", ()))):
            for name in ("ranking", "graph ranking"):
                if name in trace:
                    trace[name] = trace[name][:_TRACE_ROWS]
        text = json.dumps({"answer": plain, "understood": as_plain(understood)}, ensure_ascii=False)
        with self._writing() as connection:
            connection.execute("UPDATE turn SET answer = ? WHERE id = ?", (zlib.compress(text.encode()), turn))

    def keep_error(self, turn: str, error: str) -> None:
        """Keep why there is no answer."""
        with self._writing() as connection:
            connection.execute("UPDATE turn SET error = ? WHERE id = ?", (error, turn))

    def turn(self, name: str) -> Turn | None:
        """One turn by its id."""
        rows = self._rows("SELECT * FROM turn WHERE id = ?", name)
        return _turn(rows[0]) if rows else None

    def turns(self, conversation: str) -> list[Turn]:
        """A conversation, oldest turn first."""
        found = self._rows("SELECT * FROM turn WHERE conversation = ? ORDER BY number", conversation)
        return [_turn(row) for row in found]

    def conversations(self, limit: int = 30) -> list[Turn]:
        """The first turn of each conversation, the one last gone on with first; answers are not read."""
        statement = (
            "SELECT id, conversation, number, asked, question, options, NULL, error FROM turn "
            "JOIN (SELECT conversation AS one, max(asked) AS latest FROM turn GROUP BY one) "
            "ON one = conversation WHERE number = 1 ORDER BY latest DESC LIMIT ?"
        )
        return [_turn(row) for row in self._rows(statement, limit)]

    def forget(self, conversation: str) -> None:
        """Delete a conversation; feedback on it stays."""
        with self._writing() as connection:
            connection.execute("DELETE FROM turn WHERE conversation = ?", (conversation,))

    # --- feedback

    def add_feedback(self, said: Feedback) -> None:
        """Add to the table of feedback; nothing in it is ever changed."""
        row = (
            _now().isoformat(), said.turn, said.question, said.citation, said.verdict, said.note[:_LONGEST_NOTE],
            said.source, said.page, said.start, said.end,
        )  # fmt: skip
        names = 'at, turn, question, citation, verdict, note, source, page, "start", "end"'
        with self._writing() as connection:
            connection.execute(f"INSERT INTO feedback ({names}) VALUES ({', '.join('?' * len(row))})", row)

    def feedback(self, turn: str = "", limit: int = 1_000) -> list[Feedback]:
        """What was said of a turn, or of all; the latest first."""
        names = 'turn, question, verdict, note, citation, source, page, "start", "end", at'
        where = "WHERE turn = ?" if turn else "WHERE ? = ''"
        rows = self._rows(f"SELECT {names} FROM feedback {where} ORDER BY id DESC LIMIT ?", turn, limit)
        return [Feedback(*row) for row in rows]

    def delete_feedback(self) -> int:
        """Delete all that was said, for good; how much it was. Only where somebody asks for just that."""
        with self._writing() as connection:
            connection.execute("DROP TRIGGER IF EXISTS feedback_is_kept")
            connection.execute("PRAGMA secure_delete = ON")
            count = connection.execute("DELETE FROM feedback").rowcount
            connection.execute(_KEPT)
        return count

    def _writing(self) -> AbstractContextManager[sqlite3.Connection]:
        hint = "Make room, or check the permissions of the file"
        return writing(self._connection, self._lock, "the notebook", str(self.path), hint)

    def _rows(self, statement: str, *values: object) -> list[Any]:
        with self._lock:
            return self._connection.execute(statement, values).fetchall()

    def _value(self, statement: str, *values: object) -> Any:
        return self._rows(statement, *values)[0][0]


def _now() -> datetime:
    return datetime.now(timezone.utc)


def _turn(row: Sequence[Any]) -> Turn:
    name, conversation, number, asked, question, options, packed, error = row
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in json.loads(options).items()
    }
    kept = json.loads(zlib.decompress(packed)) if packed else {}
    answer = answer_of(kept["answer"]) if kept else None
    when = datetime.fromisoformat(asked)
    return Turn(name, conversation, number, when, question, Options(**given), answer, kept.get("understood", {}), error)


# --- answers read back from plain data


def answer_of(plain: Mapping[str, Any]) -> Answer:
    """An answer from its plain form, as ``as_plain`` made it."""
    context = plain["context"]
    return Answer(
        text=plain["text"],
        citations=tuple(_citation(item) for item in plain["citations"]),
        context=Context(
            vector=tuple(_evidence(item) for item in context["vector"]),
            graph=tuple(_evidence(item) for item in context["graph"]),
            order=context["order"],
            tokens=context["tokens"],
        ),
        mode=plain["mode"],
        model=plain["model"],
        trace=plain["trace"],
    )


def _citation(plain: Mapping[str, Any]) -> Citation:
    return Citation(**{**plain, "anchors": _anchors(plain["anchors"])})


def _evidence(plain: Mapping[str, Any]) -> Evidence:
    return Evidence(
        **{
            **plain,
            "anchors": _anchors(plain["anchors"]),
            "highlights": tuple((start, end) for start, end in plain["highlights"]),
            "headings": tuple(plain["headings"]),
            "turn": tuple(plain["turn"]) if plain.get("turn") else None,
            "children": tuple(_evidence(child) for child in plain["children"]),
        }
    )


def _anchors(plain: Sequence[Mapping[str, Any]]) -> tuple[Anchor, ...]:
    return tuple(Anchor(item["page"], tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in item["boxes"])) for item in plain)
