"""The connection to a server: transactions, retries, what its errors mean to a user, and bookmarks, by which the
processes of one user see what the others have written to a cluster, whichever member answers.

A bookmark is the server's name for a moment: a member that is asked with it waits until it has caught up. A
program passes on those of its own writes by itself. What ``cliquerag add`` writes, the ``cliquerag ask`` after
it is to see as well: each process leaves the bookmarks of its last write in a file, and reads those of the
others.
"""

from __future__ import annotations

import os
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from ....core.errors import StoreError
from ....core.ids import stable_id
from ....core.private_files import create_private_file, make_private_folder
from .server import PASSWORD_VARIABLE, USER

if TYPE_CHECKING:
    from neo4j import Bookmarks, Driver, ManagedTransaction, Session
    from neo4j import Result as Cursor
    from neo4j import Transaction as BegunTransaction

_RECENT = 600.0
"""Seconds that a write is passed on: a member that lags further behind is not one to wait for."""


class SharedBookmarks:
    """The last writes to one database, by all processes of a user on this machine; files that only they may read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, tuple[int, list[str]]] = {}

    @classmethod
    def of(cls, url: str, database: str | None) -> SharedBookmarks:
        """Those of a database, in the user's cache."""
        from platformdirs import user_cache_path

        return cls(user_cache_path("cliquerag") / "neo4j" / "bookmarks" / stable_id("bookmarks", url, database or ""))

    def get(self) -> Bookmarks:
        """Of all processes, as far as they are recent."""
        from neo4j import Bookmarks

        found: list[str] = []
        for path in self._recent():
            found += self._content(path)
        return Bookmarks.from_raw_values(found)

    def keep(self, bookmarks: Iterable[str]) -> None:
        """Those of this process's last write, in place of the ones before."""
        path = self._folder / f"{os.getpid()}.txt"
        written = path.with_suffix(".new")
        # A cache that cannot be written costs other processes the guarantee, not this one its work.
        with suppress(OSError):
            make_private_folder(self._folder)
            create_private_file(written)
            written.write_text("\n".join(bookmarks), encoding="utf-8")
            written.replace(path)
            self._tidy()

    def forget(self) -> None:
        """Drop all: no member ever gets to where they say, as after a restore from an older backup."""
        for path in self._files():
            path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.txt")) if self._folder.is_dir() else []

    def _recent(self) -> list[Path]:
        oldest = time.time() - _RECENT
        return [path for path in self._files() if _changed(path) >= oldest * 1e9]

    def _tidy(self) -> None:
        recent = self._recent()
        for path in self._files():
            if path not in recent:
                path.unlink(missing_ok=True)

    def _content(self, path: Path) -> list[str]:
        """Read again where it has changed."""
        changed = _changed(path)
        if path not in self._read or self._read[path][0] != changed:
            try:
                lines = path.read_text(encoding="utf-8").split()
            except OSError:
                lines = []
            self._read[path] = (changed, lines)
        return self._read[path][1]


def _changed(path: Path) -> int:
    """When a file was written, in nanoseconds; 0 where it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


USER_VARIABLE = "NEO4J_USERNAME"
BATCH = 1_000
"""Rows of a kind sent in one round trip: half the chunks of a long annual report, and all of most documents."""

TAKE_TURN = "MATCH (w:Workspace) SET w.name = 'CliqueRAG'"
"""Takes the lock that writers wait for each other by, and changes nothing. A constant: to set what was read before the
lock was had would take back what another writer has counted."""

KEPT_PLAN = "CYPHER replan=skip "
"""Begins every statement of a write. Its plan is made once and kept while the counts of what is stored change: making
the plans of one write takes the server one to two seconds, as long as storing six filings, and by itself it makes them
anew every ten seconds of a load. Every step must be found by an index, then one plan does for any size (tested)."""

UP_TO_DATE = "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()"
"""Begins a search of full text: what is committed is in the index then. Where nothing waits it takes no time."""

OLDEST_SERVER = (5, 26)
"""Vector indexes and labels given as parameters need it."""

PAUSES = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each attempt to read what a writer may be replacing."""

_RETRY_SECONDS = 30.0
_CONNECT_SECONDS = 10.0
_PORT = 7687
_READ_ATTEMPTS = 8
"""With twice the pause after each, 13 seconds: as long as a database may take to recover after its server is up."""
_INDEX_SECONDS = 3600
"""An imported database of millions is indexed when it is first opened."""
_GIVEN = "given"
_PARAMETER = re.compile(r"\$(?=\w)")
Result = TypeVar("Result")
Row = dict[str, Any]


@cache
def with_one_plan(cypher: str) -> str:
    """The statement with its parameters taken from one map, so that one plan does for values of any size.

    The server keeps a plan for each combination of how long the lists and texts among the parameters are, to the next
    power of ten: an eleventh entity or a name of eleven letters had the same statement planned anew, in .3 to 1.1 s.
    Into a map it does not look.

    >>> with_one_plan("MATCH (c:Chunk {id: $id}) SET c:$($labels)")
    'MATCH (c:Chunk {id: $given.id}) SET c:$($given.labels)'
    """
    return _PARAMETER.sub(f"${_GIVEN}.", cypher)


class Change(NamedTuple):
    """A statement that changes data or schema, with its parameters."""

    cypher: str
    values: Row


class Transaction:
    """One write transaction that counts its round trips."""

    def __init__(self, inner: ManagedTransaction | BegunTransaction, count: Callable[[], None]) -> None:
        self._inner, self._count = inner, count

    def run(self, cypher: str, **values: Any) -> list[Row]:
        """All rows of a statement: one round trip."""
        self._count()
        return _rows(self._inner.run(KEPT_PLAN + with_one_plan(cypher), {_GIVEN: values}))

    def run_batches(self, cypher: str, rows: Sequence[Row], **values: Any) -> list[Row]:
        """One statement over ``$rows``, so many at a time; all that it returns."""
        found: list[Row] = []
        for i in range(0, len(rows), BATCH):
            found += self.run(cypher, rows=rows[i : i + BATCH], **values)
        return found


class Graph:
    """A database on a server. May be used by several threads; ``round_trips`` counts for benchmarks and tests."""

    def __init__(self, url: str) -> None:
        from neo4j import GraphDatabase

        parts = urlsplit(url)
        self.url = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        self._database = parts.path.strip("/") or None
        self.round_trips = 0
        # A single server is where it is; the members of a cluster are not all at the same moment.
        routed = parts.scheme.startswith("neo4j")
        self._shared = SharedBookmarks.of(self.url, self._database) if routed else None
        self.bookmarks = GraphDatabase.bookmark_manager(bookmarks_supplier=self._shared.get if self._shared else None)
        password = os.environ.get(PASSWORD_VARIABLE)
        with self._explaining():
            self._driver: Driver = GraphDatabase.driver(
                self.url,
                auth=(os.environ.get(USER_VARIABLE, USER), password) if password else None,
                max_transaction_retry_time=_RETRY_SECONDS,
                connection_timeout=_CONNECT_SECONDS,
                connection_acquisition_timeout=_RETRY_SECONDS,
                notifications_min_severity="OFF",
            )
            try:
                self._driver.verify_connectivity()
                self._check_version()
            except BaseException:
                self._driver.close()
                raise

    def read(self, cypher: str, **values: Any) -> list[Row]:
        """All rows of a query: one round trip, tried again, on another member, where the server asks for it.

        The session says that it only reads, which is what sends it to a follower; a transaction begun and committed
        around the query, as ``execute_read`` has it, would cost a second round trip.
        """
        from neo4j.exceptions import DriverError, Neo4jError

        with self._explaining():
            for attempt in range(_READ_ATTEMPTS):
                try:
                    self.round_trips += 1
                    with self._session("READ") as session:
                        return _rows(session.run(with_one_plan(cypher), {_GIVEN: values}))
                except (Neo4jError, DriverError) as error:
                    if not error.is_retryable() or attempt == _READ_ATTEMPTS - 1:
                        raise
                    if self._shared and "BookmarkTimeout" in (getattr(error, "code", None) or ""):
                        self._shared.forget()
                    time.sleep(0.1 * 2**attempt)
        raise AssertionError("unreachable")

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """One transaction: all of it is kept, or nothing; tried again where another writer was in the way."""
        with self._explaining(), self._session("WRITE") as session:
            self.round_trips += 1  # the commit; the begin travels with the first statement
            found = session.execute_write(lambda inner: work(Transaction(inner, self._count)))
            if self._shared:
                self._shared.keep(session.last_bookmarks().raw_values)
            return found

    def write_behind(self, work: Callable[[Transaction], Result]) -> Result:
        """A transaction that nobody waits for: given up after a few attempts, and not counted."""
        from neo4j.exceptions import Neo4jError

        with self._explaining():
            for attempt in range(_READ_ATTEMPTS):
                try:
                    with self._session("WRITE") as session, session.begin_transaction() as inner:
                        found = work(Transaction(inner, _nothing))
                        inner.commit()
                        return found
                except Neo4jError as error:
                    # A document that was indexed has just been replaced: its nodes are gone.
                    gone = (error.code or "").endswith("EntityNotFound")
                    if not (gone or error.is_retryable()) or attempt == _READ_ATTEMPTS - 1:
                        raise
                    time.sleep(0.1 * 2**attempt)
        raise AssertionError("unreachable")

    def rehearse(self, statements: Iterable[Change]) -> None:
        """Have the server plan the statements of a write; nothing is changed, and no writer waits.

        Each runs in a transaction of its own that is rolled back: what is only explained is planned again when it runs.
        Where it cannot, as in a database that is read-only, the first write says why.
        """
        with suppress(StoreError), self._explaining(), self._session("WRITE") as session:
            for statement in statements:
                with session.begin_transaction(timeout=_RETRY_SECONDS) as inner:
                    Transaction(inner, _nothing).run(statement.cypher, **statement.values)
                    inner.rollback()

    def set_up(self, more: Sequence[Change] = ()) -> None:
        """Make constraints and indexes that are missing, ``more`` indexes too, and wait until they can be used.

        Those made in one transaction are filled by one look at what is stored: of what files brought, in half the time.
        """
        script = files(__package__).joinpath("schema.cypher").read_text(encoding="utf-8")
        statements = [Change(statement, {}) for statement in script.split(";\n") if statement.strip()]
        constraints = [statement for statement in statements if "CREATE CONSTRAINT" in statement.cypher]
        indexes = [statement for statement in statements if statement not in constraints]
        with self._explaining(), self._session("WRITE") as session:
            _change_schema(session, constraints)
            _change_schema(session, [*indexes, *more])
            session.run("CALL db.awaitIndexes($seconds)", seconds=_INDEX_SECONDS).consume()

    def lookup(self, cypher: str, **values: Any) -> dict[Any, Any]:
        """The rows of a query that returns two columns: the first one's value -> the second one's."""
        return dict(tuple(row.values()) for row in self.read(cypher, **values))

    def run_alone(self, cypher: str, **values: Any) -> None:
        """A change of the schema, which cannot share a transaction with data."""
        with self._explaining(), self._session("WRITE") as session:
            _change_schema(session, [Change(cypher, values)])

    def close(self) -> None:
        """Close all connections; closing twice does nothing."""
        self._driver.close()

    def _session(self, mode: str) -> Session:
        """A session that sees what this program has written, whichever member of a cluster it is sent to."""
        return self._driver.session(
            database=self._database, default_access_mode=mode, fetch_size=-1, bookmark_manager=self.bookmarks
        )

    def _count(self) -> None:
        self.round_trips += 1

    def _check_version(self) -> None:
        (row,) = self.read("CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions")
        version = row["versions"][0]
        if tuple(map(int, version.split(".")[:2])) < OLDEST_SERVER:
            oldest = ".".join(map(str, OLDEST_SERVER))
            raise StoreError(f"Neo4j {version} is too old", where=self.url, hint=f"Use {oldest} or newer")

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError, ServiceUnavailable

        try:
            yield
        except AuthError as error:
            hint = f"Set {USER_VARIABLE} and {PASSWORD_VARIABLE} in the environment"
            raise StoreError("the server refuses this user or password", where=self.url, hint=hint) from error
        except ServiceUnavailable as error:
            if distrust := _distrust(self.url):
                own = self.url.replace("+s://", "+ssc://")
                hint = f"Have its issuer in the system's list, or accept it as it is with {own}"
                raise StoreError(f"its certificate is not trusted ({distrust})", where=self.url, hint=hint) from error
            raise StoreError(
                "no Neo4j server answers", where=self.url, hint="Start it, or check the address"
            ) from error
        except (ConfigurationError, ValueError) as error:
            if isinstance(error, ValueError) and "neo4j" not in type(error).__module__:
                raise
            raise StoreError(f"this address cannot be used: {error}", where=self.url) from error
        except (Neo4jError, DriverError) as error:
            raise self._explain(error) from error

    def _explain(self, error: Any) -> StoreError:
        code = getattr(error, "code", "") or ""
        if "ReadOnly" in code or "AccessMode" in code:
            hint = "It can be searched and asked; to add, have it made writable, or name another workspace"
            return StoreError("the database is read-only", where=self.url, hint=hint)
        if "Security.Forbidden" in code:
            hint = "It can be searched and asked; to add, use a user who may write"
            return StoreError("this user may not do that", where=self.url, hint=hint)
        if "DatabaseNotFound" in code:
            return StoreError("the server has no such database", where=self.url)
        if "DatabaseUnavailable" in code:
            return StoreError("the database is not available yet", where=self.url, hint="Try again in a moment")
        if "OutOfMemory" in code:
            hint = "Give it more, or ask about fewer documents"
            return StoreError("the server has too little memory for this", where=self.url, hint=hint)
        if error.is_retryable():
            return StoreError("the database is busy: other writers hold what is needed", where=self.url)
        return StoreError(f"the database refused: {getattr(error, 'message', None) or error}", where=self.url)


def _change_schema(session: Session, changes: Sequence[Change]) -> None:
    """All in one transaction, or each alone where one of them is there by now.

    ``IF NOT EXISTS`` looks before it makes: of several processes that begin at once all but one are refused.
    """
    from neo4j.exceptions import ClientError

    try:
        session.execute_write(_make, changes)
    except ClientError as error:
        if not (error.code or "").endswith("AlreadyExists"):
            raise
        for change in changes if len(changes) > 1 else ():
            _change_schema(session, [change])


def _make(tx: ManagedTransaction, changes: Sequence[Change]) -> None:
    for change in changes:
        tx.run(change.cypher, change.values).consume()


def batches(*kinds: Sequence[Any]) -> list[tuple[Sequence[Any], ...]]:
    """The rows of several kinds, up to :data:`BATCH` of each together; one batch at least.

    >>> batches([{"a": 1}], [])
    [([{'a': 1}], [])]
    """
    starts = range(0, max(1, *map(len, kinds)), BATCH)
    return [tuple(rows[start : start + BATCH] for rows in kinds) for start in starts]


def _nothing() -> None:
    pass


def _rows(cursor: Cursor) -> list[Row]:
    """Values as the driver read them: its own ``data()`` looks at every number of a vector, every byte of a text."""
    names = cursor.keys()
    return [dict(zip(names, record.values(), strict=True)) for record in cursor]


def _distrust(url: str) -> str:
    """Why the certificate of an address with ``+s`` is refused; "" where that is not what is wrong.

    The driver does not tell: a router that it cannot trust is to it as one that is not there.
    """
    parts = urlsplit(url)
    if not parts.scheme.endswith("+s") or parts.hostname is None:
        return ""
    try:
        with socket.create_connection((parts.hostname, parts.port or _PORT), timeout=_CONNECT_SECONDS) as plain:
            ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname).close()
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    except OSError:
        return ""
    return ""
