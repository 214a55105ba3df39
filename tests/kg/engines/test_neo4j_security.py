"""Encrypted connections and the errors of a server that cannot be used, against the real one."""

from __future__ import annotations

from pathlib import Path

import pytest
from cliquerag.core.errors import StoreError, UsageError
from cliquerag.kg.engines.neo4j import connection, server
from support.neo4j_server import CERTIFICATE
from support.stores import open_store

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def address(running, monkeypatch):
    """Where the server listens, without a scheme; the password stands in the environment."""
    monkeypatch.setenv(server.PASSWORD_VARIABLE, running.password)
    return running.bolt.removeprefix("bolt://")


@pytest.fixture
def certificate(running):
    path = Path(running.folder) / "certificates" / CERTIFICATE
    if not path.exists():
        pytest.skip("connections with TLS are not tested: openssl is missing")
    return path


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_certificate_of_its_own_is_accepted_where_the_url_says_so(address, certificate, scheme):
    store = open_store(f"{scheme}+ssc://{address}")
    assert store.version() >= 0 and store.url.startswith(f"{scheme}+ssc://")
    store.close()


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_certificate_that_nobody_vouches_for_is_refused(address, certificate, scheme, monkeypatch):
    with pytest.raises(StoreError, match="certificate") as refused:
        open_store(f"{scheme}+s://{address}")
    assert f"{scheme}+ssc://" in str(refused.value)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    open_store(f"{scheme}+s://{address}").close()


def test_a_password_is_no_part_of_a_url(address):
    with pytest.raises(UsageError, match="password") as refused:
        open_store(f"bolt://neo4j:secret@{address}")
    assert "secret" not in str(refused.value)


def test_what_cannot_be_used_is_explained(address, monkeypatch):
    with pytest.raises(StoreError, match="no such database"):
        open_store(f"bolt://{address}/elsewhere")
    with pytest.raises(StoreError, match="no Neo4j server answers"):
        open_store("bolt://localhost:1")
    monkeypatch.setattr(connection, "OLDEST_SERVER", (99, 0))
    with pytest.raises(StoreError, match="too old"):
        open_store(f"bolt://{address}")
    monkeypatch.setenv(server.PASSWORD_VARIABLE, "wrong")
    with pytest.raises(StoreError, match="user or password"):
        open_store(f"bolt://{address}")
    monkeypatch.delenv(server.PASSWORD_VARIABLE)
    with pytest.raises(StoreError, match="NEO4J_PASSWORD"):
        open_store(f"bolt://{address}")
