"""From a URL to an open store."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from ...core.errors import UsageError
from ..schema import Schema
from ..store import Store

_NEO4J = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def open_store(url: str, create: bool = True, *, schema: Schema) -> Store:
    """Open the workspace at a URL; a SQLite file that does not exist is made unless ``create`` is false.

    ``sqlite:///acme.db`` is relative, ``sqlite:////data/acme.db`` absolute, ``sqlite://`` in memory,
    ``sqlite:///acme.db?mode=ro`` only read. ``neo4j://host:7687`` and the other schemes of its driver are a server,
    whose labels and relationship types are those of the ``schema``; a file needs none.
    Raises UsageError for another URL and StoreError when it cannot be opened.

    >>> from cliquerag.kg.schema import load_schema
    >>> open_store("sqlite://", schema=load_schema()).counts()["documents"]
    0
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and not parts.netloc:
        from .sqlite.store import SqliteStore

        read_only = parse_qs(parts.query).get("mode") == ["ro"]
        return SqliteStore(sqlite_path(url), url=url, create=create, read_only=read_only)
    if parts.scheme in _NEO4J and parts.password:
        raise UsageError("a password does not belong in a URL", hint="Set NEO4J_PASSWORD in the environment")
    if parts.scheme in _NEO4J:
        from .neo4j.store import Neo4jStore

        return Neo4jStore(url, create=create, schema=schema)
    raise UsageError(
        f"{url!r} is not the URL of a workspace",
        hint="Use sqlite:///name.db (four slashes for an absolute path) or neo4j://host:7687",
    )


def sqlite_path(url: str) -> Path | None:
    """The file of an embedded workspace; None for one in memory or on a server.

    >>> sqlite_path("sqlite:////data/acme%201.db").as_posix()
    '/data/acme 1.db'
    """
    parts = urlsplit(url)
    return Path(unquote(parts.path[1:])) if parts.scheme == "sqlite" and len(parts.path) > 1 else None
