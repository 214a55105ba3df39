"""What is kept beside a workspace and is none of its store: a file of SQLite for each subject, private to its user."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from .core.errors import StoreError, without_credentials
from .core.ids import stable_id
from .core.private_files import create_private_file, make_private_folder, use_write_ahead_log

PATIENCE = 30.0
"""Seconds for which a write waits for that of another process."""


def file_beside(url: str, name: str) -> Path | None:
    """The file called ``name`` that belongs to a workspace: ``acme.NAME.db`` beside ``acme.db``.

    In the user's data folder for a workspace on a server or one that is only read; None for one in memory.
    """
    from platformdirs import user_data_path

    from .kg.engines.opening import sqlite_path

    if url.partition("?")[0] == "sqlite://":
        return None
    file = sqlite_path(url)
    if file and "mode=ro" not in url:
        return file.absolute().with_suffix(f".{name}.db")
    return user_data_path("cliquerag") / name / f"{stable_id(name, without_credentials(url))}.db"


@contextmanager
def writing(
    connection: sqlite3.Connection, lock: AbstractContextManager[object], what: str, where: str = "", hint: str = ""
) -> Iterator[sqlite3.Connection]:
    """The connection for one transaction; threads wait for each other by the lock.

    Raises StoreError, which calls the file ``what``, where it cannot be written.
    """
    with lock:
        try:
            with connection:
                yield connection
        except sqlite3.OperationalError as error:
            raise StoreError(f"{what} cannot be written ({error})", where=where, hint=hint) from error


def open_private(
    path: Path | None, script: str, what: str, hint: str, *, patience: float = PATIENCE
) -> sqlite3.Connection:
    """A connection that threads may share, to a file made where there is none; None keeps all in memory.

    ``script`` is SQL that makes its tables. Raises StoreError, which calls the file ``what``.
    """
    try:
        if path:
            make_private_folder(path.parent)
            create_private_file(path)
        connection = sqlite3.connect(path or ":memory:", check_same_thread=False, timeout=patience)
        use_write_ahead_log(connection, patience)
        connection.executescript(script)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{what} cannot be opened ({error})", where=str(path), hint=hint) from error
    return connection
