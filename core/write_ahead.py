"""SQLite's write-ahead log: one writer and any number of readers work on a file at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_PAUSE = 0.01


def use_write_ahead_log(connection: sqlite3.Connection, patience: float) -> None:
    """Turn the log of a connection's file on, waiting ``patience`` seconds for others that do the same.

    SQLite's own time-out does not hold for this one statement, so several that make a new file at once would fail.
    Raises sqlite3.OperationalError where the file stays locked.
    """
    import sqlite3

    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
