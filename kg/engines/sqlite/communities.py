"""Communities of the graph, as they were derived."""

from __future__ import annotations

from ...graph import Communities, Community
from ...storage.codec import community_data, compress, expand, read_community_data
from .connection import Database


def put_communities(db: Database, found: Communities) -> None:
    """Replace all of them."""
    db.run("DELETE FROM community")
    db.run_many(
        "INSERT INTO community (key, level, parent, title, author, digest, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((c.id, c.level, c.parent, c.title, c.author, c.digest, compress(community_data(c))) for c in found.groups),
    )
    db.run("UPDATE setting SET value = ? WHERE name = 'communities'", (found.version,))
    db.run("UPDATE setting SET value = ? WHERE name = 'communities_method'", (found.method,))


def read_communities(db: Database) -> Communities | None:
    """All of them in the order given; None before the first were put."""
    version = db.value("SELECT value FROM setting WHERE name = 'communities'")
    if version is None or version < 0:
        return None
    rows = db.rows("SELECT key, level, parent, title, author, digest, data FROM community ORDER BY id")
    groups = tuple(
        Community(
            id=id,
            level=level,
            parent=parent,
            title=title,
            author=author,
            digest=digest,
            **read_community_data(expand(data)),
        )
        for id, level, parent, title, author, digest, data in rows
    )
    return Communities(version, groups, db.value("SELECT value FROM setting WHERE name = 'communities_method'"))
