"""Files and folders that only their owner may read, for what a workspace holds is often not public yet; and SQLite's
write-ahead log, by which one writer and any number of readers work on a file at once.
"""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
_PAUSE = 0.01
"""Seconds after which a log is turned on anew."""


def create_private_file(path: Path) -> None:
    """Make an empty file that its owner alone may read and write, whatever the umask; one there stays as it is."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE)
    except FileExistsError:
        return
    os.close(descriptor)
    path.chmod(PRIVATE_FILE)  # a umask can only have taken rights away, from the owner too


def make_private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone; what is there stays as it is.

    Raises FileExistsError where a file has the name.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
        folder.chmod(PRIVATE_FOLDER)
    if not missing:
        path.mkdir(exist_ok=True)


def write_private_file(path: Path, data: bytes, ending: str = ".part") -> None:
    """Write a file whole or not at all, for its owner alone; an older one is replaced.

    It comes under its name in one step when all of it is on the disk: who sees the name sees the whole, also after
    ``kill -9`` or a power cut. Until then it is a hidden file whose name has this ``ending``.
    """
    waiting = path.with_name(f".{path.name}.{secrets.token_hex(4)}{ending}")
    create_private_file(waiting)
    try:
        with waiting.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        waiting.replace(path)
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise


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
