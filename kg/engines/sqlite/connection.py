"""A workspace file, whether it is there and its owner's alone, and one connection to it: transactions, and what
SQLite's errors mean to a user. Loads nothing heavy, so that a file that is not there is said at once.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ....core.errors import StoreError
from ....core.private_files import create_private_file


def prepare_file(path: Path, *, create: bool) -> None:
    """Make the file where it is missing and ``create`` says so; SQLite gives its log the same rights.

    Raises StoreError: a folder has that name, its own folder is missing, or, without ``create``, the file.
    """
    if path.is_dir():
        raise StoreError("the workspace is a folder, not a file", where=str(path))
    if not path.parent.is_dir():
        raise StoreError("the folder does not exist", where=str(path.parent), hint="Create it first")
    if path.exists():
        return
    if not create:
        raise StoreError("there is no workspace", where=str(path), hint="Add a document to create it")
    try:
        create_private_file(path)
    except OSError as error:
        raise StoreError(
            "the workspace cannot be opened", where=str(path), hint="Check the folder and its permissions"
        ) from error


_IN_USE = "Wait until it has finished. If there is none, the disk knows no locks (a network drive): use a local one"
_MEANINGS = (
    ("locked", "is locked by another process", _IN_USE),
    ("busy", "is locked by another process", _IN_USE),
    ("full", "is full: no room on the disk", "Make room; what was stored before is safe"),
    ("readonly", "cannot be written: it is read-only", "Change its permissions or work on a copy"),
    ("unable to open", "cannot be opened", "Check the folder and its permissions"),
    ("not a database", "is not a CliqueRAG workspace", "Give another path"),
    ("malformed", "is damaged", "Restore it from a copy or add the documents again"),
    ("locking protocol", "cannot be locked", _IN_USE),
    ("disk i/o", "cannot be read or written", "Check the disk"),
)


def explain(error: sqlite3.Error, where: str) -> StoreError | None:
    """What an error of SQLite means to a user; None for a mistake in a statement."""
    message = str(error).lower()
    for sign, what, hint in _MEANINGS:
        if sign in message:
            return StoreError(f"the workspace {what}", where=where, hint=hint)
    return None


class Database:
    """One connection, shared by threads under a lock."""

    def __init__(self, connection: sqlite3.Connection, where: str) -> None:
        self.where = where
        self._connection = connection
        self._lock = threading.RLock()

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """All reads inside see one state. May be nested."""
        with self._lock, self._transaction("BEGIN"):
            yield self

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """One transaction: all of it is kept, or, after an exception, nothing."""
        with self._lock, self._transaction("BEGIN IMMEDIATE"):
            yield self

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of a query."""
        found: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        return found

    def value(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The first column of the first row; None where there is none."""
        found = self.row(sql, values)
        return found[0] if found else None

    def column(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """The first column of all rows."""
        return [row[0] for row in self.rows(sql, values)]

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Rows changed by a statement."""
        return self._connection.execute(sql, values).rowcount

    def insert(self, sql: str, values: Sequence[Any]) -> int:
        """The id of the row inserted."""
        return self._connection.execute(sql, values).lastrowid or 0

    def run_many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """One statement for many rows."""
        self._connection.executemany(sql, values)

    def fill(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows; ``columns`` are names separated by blanks. A row that is there already is left."""
        names = columns.split()
        listed, marks = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
        self._connection.executemany(f"INSERT OR IGNORE INTO {table} ({listed}) VALUES ({marks})", rows)

    def close(self) -> None:
        """Close the connection; closing twice does nothing."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        if self._connection_in_transaction():
            yield
            return
        try:
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            meaning = explain(error, self.where)
            if meaning is None:
                raise
            raise meaning from error

    def _connection_in_transaction(self) -> bool:
        try:
            return self._connection.in_transaction
        except sqlite3.ProgrammingError as error:
            raise StoreError("the workspace is closed", where=self.where) from error
