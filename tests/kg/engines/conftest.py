"""What the tests of a Neo4j server share: the driver's own connection, and an empty workspace."""

from __future__ import annotations

from contextlib import contextmanager

import pytest


@pytest.fixture(scope="module")
def driver(running):
    """A connection beside ours."""
    from cliquerag.kg.engines.neo4j import server
    from neo4j import GraphDatabase

    with GraphDatabase.driver(running.bolt, auth=(server.USER, running.password)) as opened:
        yield opened


@pytest.fixture
def empty_neo4j(running, driver):
    """The URL of an empty workspace, a new one for each test."""
    with _emptied(running, driver) as url:
        yield url


@pytest.fixture(scope="module")
def module_neo4j(running, driver):
    """The URL of a workspace that is empty when the tests of a module begin."""
    with _emptied(running, driver) as url:
        yield url


@contextmanager
def _emptied(running, driver):
    """An empty workspace, but with its indexes, for making them takes seconds; its password stands where we look."""
    from cliquerag.kg.engines.neo4j import server

    driver.execute_query(
        """OPTIONAL MATCH (w:Workspace) SET w += {version: 0, stamp_sum: 0, documents: 0, embedder: '', dim: 0,
          communities: null, communities_method: null}
        WITH count(*) AS reset MATCH (n) WHERE NOT n:Workspace DETACH DELETE n"""
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(server.PASSWORD_VARIABLE, running.password)
        yield running.bolt
