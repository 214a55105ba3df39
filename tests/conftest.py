"""What the tests of several folders share: modules as ``support.NAME``, one Neo4j server."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
# Assertions in the shared suites explain themselves as those in test modules do.
pytest.register_assert_rewrite("support.store_conformance", "support.store_safety", "support.store_time")


@pytest.fixture(scope="session")
def running():
    """A real Neo4j server, started once."""
    from support.neo4j_server import neo4j_server

    with neo4j_server() as server:
        yield server
