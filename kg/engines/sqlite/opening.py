"""Opening a workspace file: whether it is ours, how SQLite is set, and older files brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from urllib.parse import quote

from ....core.errors import StoreError
from ....core.private_files import use_write_ahead_log
from .connection import Database, explain, prepare_file
from .entities import block_numbers
from .words import count_words

APPLICATION_ID = 0x436C5247
"""Marks a file as ours ("ClRG"): a database of another program is refused and left as it is."""

BUSY_SECONDS = 30.0
PAGE_BYTES = 1024
"""Small pages: a document touches many index pages, and each is written whole."""

_CACHE_KIB = 32_768
_CHECKPOINT_PAGES = 65_536


def open_database(path: Path | None, *, create: bool, read_only: bool = False) -> Database:
    """Open a workspace file, or one in memory for None; brings an older file up to date. Raises StoreError."""
    where = str(path) if path else "memory"
    if path and not read_only:
        prepare_file(path, create=create)
    try:
        connection = _connect(path, read_only)
        try:
            _check_identity(connection, where)
            _set_up(connection, read_only)
            if not read_only:
                _migrate(connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise explain(error, where) or StoreError(f"the workspace cannot be opened: {error}", where=where) from error
    return Database(connection, where)


def _connect(path: Path | None, read_only: bool) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={'ro' if read_only else 'rwc'}" if path else ":memory:"
    connection = sqlite3.connect(
        uri, uri=bool(path), timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
    return connection


def _check_identity(connection: sqlite3.Connection, where: str) -> None:
    """Refuse a file that is not ours before anything is changed in it."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application != APPLICATION_ID and (tables or version or application):
        raise StoreError("this database belongs to another program", where=where, hint="Give another path")
    if version > len(_migrations()):
        raise StoreError("the workspace was written by a newer CliqueRAG", where=where, hint="Update the package")


def _set_up(connection: sqlite3.Connection, read_only: bool) -> None:
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    # Read by calls, not mapped: a mapped file that is cut short while open ends the process instead of raising.
    connection.execute("PRAGMA mmap_size = 0")
    connection.execute("PRAGMA foreign_keys = ON")
    if read_only:
        return
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    use_write_ahead_log(connection, BUSY_SECONDS)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")


def _migrations() -> list[str]:
    folder = resources.files(__package__) / "migrations"
    files = sorted((item for item in folder.iterdir() if item.name.endswith(".sql")), key=lambda item: item.name)
    return [item.read_text(encoding="utf-8") for item in files]


def _migrate(connection: sqlite3.Connection) -> None:
    """Apply what is missing in one transaction; another process that opens the file waits and finds it done."""
    migrations = _migrations()
    if connection.execute("PRAGMA user_version").fetchone()[0] == len(migrations):
        return
    connection.create_function("count_words", 1, count_words)
    connection.create_function("block_numbers", 3, block_numbers)
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = connection.execute("PRAGMA user_version").fetchone()[0]
        for script in migrations[done:]:
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: ``executescript`` would commit between them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
