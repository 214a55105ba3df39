"""From a URL to an open store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from ...core.errors import UsageError
from ...core.records import dataclass
from .sqlite.connection import prepare_file

if TYPE_CHECKING:
    from ..schema import Schema
    from ..store import Store

_SQLITE_MODES = ("mode=ro", "mode=rw", "mode=rwc")
_NEO4J = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def open_store(url: str, create: bool = True, *, schema: Schema) -> Store:
    """Open the workspace at a URL; a SQLite file that does not exist is made unless ``create`` is false.

    ``sqlite:///acme.db`` is relative, ``sqlite:////data/acme.db`` absolute, ``sqlite://`` in memory,
    ``sqlite:///acme.db?mode=ro`` only read; a plain path that ends in ``.db`` is that file. ``neo4j://host:7687`` and
    the other schemes of its driver are a server, whose labels and relationship types are those of the ``schema``; a
    file needs none.
    Raises UsageError for another URL and StoreError when it cannot be opened.

    >>> from cliquerag.kg.schema import load_schema
    >>> open_store("sqlite://", schema=load_schema()).counts()["documents"]
    0
    """
    file = _sqlite_file(url)
    if file is not None:
        return _open_sqlite(file, _whole_url(url), create)
    parts = urlsplit(url)
    if parts.scheme in _NEO4J and parts.password:
        raise UsageError("a password does not belong in a URL", hint="Set NEO4J_PASSWORD in the environment")
    if parts.scheme in _NEO4J:
        from .neo4j.store import Neo4jStore

        return Neo4jStore(url, create=create, schema=schema)
    raise UsageError(
        f"{url!r} is not the URL of a workspace",
        hint="Use name.db, sqlite:///name.db (four slashes for an absolute path) or neo4j://host:7687",
    )


def sqlite_path(url: str) -> Path | None:
    """The file of an embedded workspace; None for one in memory or on a server.

    Every character counts as it stands, but for ``%20`` and its like and for ``?mode=ro`` at the end.

    >>> sqlite_path("sqlite:////data/acme%201.db").as_posix(), sqlite_path("sqlite:///we ird#1.db").as_posix()
    ('/data/acme 1.db', 'we ird#1.db')
    """
    file = _sqlite_file(url)
    return file.path if file else None


def sqlite_url(path: Path) -> str:
    """The URL of the workspace in a file.

    >>> sqlite_url(Path("/data/50%20.db"))
    'sqlite:////data/50%2520.db'
    """
    name = str(path).replace("%", "%25").replace("?", "%3F")
    return f"sqlite:///{name}"


def _whole_url(given: str) -> str:
    """The URL of what may have been given as the path of a file.

    >>> _whole_url("/data/acme.db"), _whole_url("neo4j://host:7687")
    ('sqlite:////data/acme.db', 'neo4j://host:7687')
    """
    is_path = given.endswith(".db") and "://" not in given and not given.startswith("sqlite:")
    return sqlite_url(Path(given)) if is_path else given


@dataclass(frozen=True, slots=True)
class _SqliteFile:
    path: Path | None
    """None: in memory."""
    read_only: bool = False


def _sqlite_file(url: str) -> _SqliteFile | None:
    """None for a URL of another kind. ``urlsplit`` would take what follows a "#" or "?" out of the file's name."""
    scheme, _, rest = _whole_url(url).partition("://")
    if scheme.lower() != "sqlite" or (not rest.startswith(("/", "?")) and rest):
        return None
    name, mark, query = rest.rpartition("?")
    if not mark or query not in _SQLITE_MODES:
        name, query = rest, ""
    name = unquote(name.removeprefix("/"))
    return _SqliteFile(Path(name) if name else None, read_only=query == "mode=ro")


def _open_sqlite(file: _SqliteFile, url: str, create: bool) -> Store:
    if file.path and "\0" in str(file.path):
        raise UsageError(f"{url!r} is not the name of a file")
    if file.path and not file.read_only:
        prepare_file(file.path, create=create)
    from .sqlite.store import SqliteStore

    return SqliteStore(file.path, url=url, create=create, read_only=file.read_only)
