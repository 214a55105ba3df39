"""Communities of the graph as nodes, each with its members and the community it is part of."""

from __future__ import annotations

from ...graph import Communities, Community
from ...storage.codec import community_data, compress, expand, read_community_data
from .connection import Graph, Row, Transaction

CONSTRAINT = "CREATE CONSTRAINT community_id IF NOT EXISTS FOR (n:Community) REQUIRE n.id IS UNIQUE"
_CREATE = """UNWIND $rows AS row
CREATE (c:Community) SET c = row.properties
WITH c, row
CALL (c, row) { UNWIND row.members AS id MATCH (e:Entity {id: id}) CREATE (e)-[:MEMBER_OF]->(c) }
CALL (c, row) { MATCH (p:Community {id: row.properties.parent}) CREATE (c)-[:PART_OF]->(p) }"""
_READ = """MATCH (w:Workspace)
OPTIONAL MATCH (c:Community) WITH w, c ORDER BY c.number
RETURN w.communities AS version, w.communities_method AS method,
  collect({community: c {.id, .level, .parent, .title, .author, .digest}, data: c.data}) AS groups"""


def put_communities(tx: Transaction, found: Communities) -> None:
    """Replace all of them; coarse levels come first, so that a part finds its whole."""
    tx.run("MATCH (c:Community) DETACH DELETE c")
    tx.run_batches(_CREATE, [_row(number, community) for number, community in enumerate(found.groups)])
    tx.run(
        "MATCH (w:Workspace) SET w.communities = $version, w.communities_method = $method",
        version=found.version,
        method=found.method,
    )


def read_communities(graph: Graph) -> Communities | None:
    """All of them in the order given; None before the first were put."""
    (found,) = graph.read(_READ)
    if found["version"] is None:
        return None
    rows = (row for row in found["groups"] if row["data"] is not None)
    groups = (Community(**row["community"], **read_community_data(expand(row["data"]))) for row in rows)
    return Communities(found["version"], tuple(groups), found["method"] or "")


def _row(number: int, community: Community) -> Row:
    properties = {
        "id": community.id,
        "number": number,
        "level": community.level,
        "parent": community.parent,
        "title": community.title,
        "report": community.report,
        "author": community.author,
        "digest": community.digest,
        "size": len(community.entities),
        "data": compress(community_data(community)),
    }
    return {"properties": properties, "members": list(community.entities)}
