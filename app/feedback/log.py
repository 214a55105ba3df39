"""The log of use: events in a file of the workspace's own, only ever added to. Nothing of it leaves the machine.

A file of SQLite: several processes may write at once, a killed process loses at most the event it was writing, and what
is deleted is overwritten. A log that cannot be written (a full disk) stops and says why once; answers go on.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from ..core.errors import StoreError, without_credentials
from ..core.plain import as_plain
from ..core.records import dataclass
from ..side_files import open_private

LASTING = ("thumb", "note", "pin", "unpin", "weights")
"""Kinds that retention leaves: cases and pins are made of them, and learned weights say what they replaced."""
_SHORTEST = 8
_PATIENCE = 2.0
"""Seconds that an event waits for another process: writing one takes a millisecond, and nobody is to wait for a log."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, session TEXT NOT NULL,
  answer TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS event_answer ON event (answer);
CREATE INDEX IF NOT EXISTS event_at ON event (at);
CREATE INDEX IF NOT EXISTS event_kind ON event (kind);
CREATE TRIGGER IF NOT EXISTS event_stays BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
"""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. ``answer`` is the id of the answer that it is about; ``data`` is plain JSON."""

    kind: str
    """"answered", "opened", "copied", "exported", "dwell" or a lasting one."""
    answer: str
    session: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    id: int = 0
    """The place in the log, from 1; 0 before it is written."""
    at: str = ""
    """ISO 8601, UTC."""


class FeedbackLog:
    """All events of a workspace. Threads may share it.

    >>> log = FeedbackLog(None)
    >>> log.append(Event("thumb", "a1", "ann", {"verdict": "up"}))
    True
    >>> [event.data["verdict"] for event in log.events(kinds=("thumb",))]
    ['up']
    """

    def __init__(self, path: Path | None) -> None:
        """``None`` keeps all in memory. Raises StoreError for a file that cannot be opened."""
        self.path = path
        self.stopped = ""
        """Why nothing is written any more; "" while all is well."""
        self._lock = threading.RLock()
        script = f"PRAGMA secure_delete = ON;{_SCHEMA}"
        hint = "Check the folder and its permissions, or set CLIQUERAG_FEEDBACK=off"
        self._connection = open_private(path, script, "the log of feedback", hint, patience=_PATIENCE)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    # --- writing

    def append(self, event: Event) -> bool:
        """Add an event, its time with it; False where it cannot be written. Keys and credentials are cut out of it."""
        if self.stopped:
            return False
        text = json.dumps(_without_keys(as_plain(event.data)), ensure_ascii=False)
        row = (event.at or _now().isoformat(), event.kind, event.session, event.answer, zlib.compress(text.encode()))
        try:
            with self._lock, self._connection:
                statement = "INSERT INTO event (at, kind, session, answer, data) VALUES (?, ?, ?, ?, ?)"
                self._connection.execute(statement, row)
        except sqlite3.Error as error:
            is_busy = "locked" in str(error)  # another process writes for very long: the next event may go through
            self.stopped = "" if is_busy else str(error)
            _log.warning("an event is lost (%s: %s)%s", self.path, error, "" if is_busy else "; the log stops")
            return False
        return True

    def drop_before(self, days: int) -> int:
        """Retention: delete what is older than so many days, but for what lasts (``LASTING``); how many events."""
        marks = ", ".join("?" * len(LASTING))
        before = (_now() - timedelta(days=days)).isoformat()
        return self._delete(f"at < ? AND kind NOT IN ({marks})", (before, *LASTING))

    def delete(self, *, session: str = "", answer: str = "") -> int:
        """Delete the events of a session or of an answer, or all of them; how many. The file shrinks."""
        conditions = {"session = ?": session, "answer = ?": answer}
        given = {condition: value for condition, value in conditions.items() if value}
        count = self._delete(" AND ".join(given) or "1", tuple(given.values()))
        with self._lock:
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count

    def _delete(self, condition: str, values: Sequence[str]) -> int:
        try:
            with self._lock, self._connection:
                return self._connection.execute(f"DELETE FROM event WHERE {condition}", values).rowcount
        except sqlite3.OperationalError as error:
            raise StoreError(f"events cannot be deleted ({error})", where=str(self.path)) from error

    # --- reading

    def events(self, *, kinds: Sequence[str] = (), answer: str = "", until: int = 0) -> Iterator[Event]:
        """Events in the order in which they came: of these kinds, of one answer, or all.

        ``until`` leaves out what came after the event with that id.
        """
        conditions, values = ["1"], list[Any](kinds)
        if kinds:
            conditions.append(f"kind IN ({', '.join('?' * len(kinds))})")
        if answer:
            conditions.append("answer = ?")
            values.append(answer)
        if until:
            conditions.append("id <= ?")
            values.append(until)
        statement = (
            f"SELECT id, at, kind, session, answer, data FROM event WHERE {' AND '.join(conditions)} ORDER BY id"
        )
        with self._lock:
            rows = self._connection.execute(statement, values).fetchall()
        for id, at, kind, session, about, packed in rows:
            yield Event(kind, about, session, json.loads(zlib.decompress(packed)), id, at)

    def answered(self, answer: str) -> Event | None:
        """The event of an answer, by its id or the first eight or more signs of it."""
        if len(answer) < _SHORTEST:
            return None
        statement = "SELECT answer FROM event WHERE kind = 'answered' AND substr(answer, 1, ?) = ? LIMIT 2"
        with self._lock:
            found = self._connection.execute(statement, (len(answer), answer)).fetchall()
        if len(found) != 1:
            return None
        return next(self.events(kinds=("answered",), answer=found[0][0]))

    def last_id(self, kinds: Sequence[str]) -> int:
        """The id of the last event of these kinds; 0 without one: it says which pins or weights count."""
        marks = ", ".join("?" * len(kinds))
        with self._lock:
            row = self._connection.execute(
                f"SELECT max(id) FROM event WHERE kind IN ({marks})", tuple(kinds)
            ).fetchone()
        return int(row[0] or 0)

    def counts(self) -> dict[str, int]:
        """Kind -> how many events."""
        with self._lock:
            rows = self._connection.execute("SELECT kind, count(*) FROM event GROUP BY kind ORDER BY kind").fetchall()
        return dict(rows)


def _without_keys(value: Any) -> Any:
    """Plain data with keys and credentials cut out of every text in it."""
    if isinstance(value, str):
        return without_credentials(value)
    if isinstance(value, dict):
        return {name: _without_keys(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_keys(item) for item in value]
    return value


def _now() -> datetime:
    return datetime.now(timezone.utc)


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
