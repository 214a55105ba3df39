"""A real server for the tests: once, on free ports, in a folder that goes with it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cliquerag.kg.neo4j.server import Server, missing_tools, start, stop

REQUIRE = "CLIQUERAG_REQUIRE_NEO4J"


@contextmanager
def neo4j_server() -> Iterator[Server]:
    """The running server; skips, naming the engine, where Java or Maven is missing, unless that is forbidden."""
    lacking = missing_tools()
    if lacking and os.environ.get(REQUIRE) != "1":
        pytest.skip(f"the Neo4j engine is not tested: {lacking} is missing")
    with tempfile.TemporaryDirectory(prefix="cliquerag-neo4j-") as name:
        folder = Path(name)
        server = start(folder, password="a password of tests")
        try:
            yield server
        finally:
            stop(folder)
