"""What the tests of a Neo4j server share: the driver's own connection, and an empty workspace."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def driver(running):
    """A connection beside ours."""
    from cliquerag.kg.engines.neo4j import server
    from neo4j import GraphDatabase

    with GraphDatabase.driver(running.bolt, auth=(server.USER, running.password)) as opened:
        yield opened


@pytest.fixture
def empty_neo4j(running, driver, monkeypatch):
    """The URL of an empty workspace, but with its indexes: making them takes seconds."""
    from cliquerag.kg.engines.neo4j import server

    monkeypatch.setenv(server.PASSWORD_VARIABLE, running.password)
    driver.execute_query(
        """OPTIONAL MATCH (w:Workspace) SET w += {version: 0, stamp_sum: 0, documents: 0, embedder: '', dim: 0,
          communities: null, communities_method: null}
        WITH count(*) AS reset MATCH (n) WHERE NOT n:Workspace DETACH DELETE n"""
    )
    return running.bolt
