"""What the tests of several folders share: modules as ``support.NAME``, one Neo4j server."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
# Assertions in the shared suites explain themselves as those in test modules do.
pytest.register_assert_rewrite(
    "support.store_conformance", "support.store_order", "support.store_safety", "support.store_time"
)


_LONGEST = ("test_patterns_are_linear.py",)
"""Begun first, so that no process is left alone with it at the end."""


@pytest.hookimpl(tryfirst=True)  # before the plugin that reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Side by side (``-n``), the tests of a file stay together, and all that ask Neo4j: one server for all of them."""
    items.sort(key=lambda item: item.path.name not in _LONGEST)
    for item in items:
        asks_neo4j = "running" in getattr(item, "fixturenames", ()) or "neo4j" in item.path.name
        item.add_marker(pytest.mark.xdist_group("neo4j" if asks_neo4j else str(item.path)))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Not the user's cache: a test's server may have the port, and so the address, of one that answered otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        if "CLIQUERAG_CACHE" not in os.environ:
            patch.setenv("CLIQUERAG_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def running():
    """A real Neo4j server, started once."""
    from support.neo4j_server import neo4j_server

    with neo4j_server() as server:
        yield server
