"""A real server for the tests: once, on free ports, in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from cliquerag.kg.engines.neo4j.server import Server, import_files, missing_tools, start, stop

PASSWORD = "a password of tests"
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For servers that live a minute: half the time goes into starting them and into code that is never run again."""
SHORT = {
    # A store that is emptied for each test looks different each time: its queries are planned once all the same.
    "dbms.cypher.min_replan_interval": "1h",
    # With its databases closed, a server waits ten seconds for connections that nobody makes.
    "internal.server.bolt.connection_shutdown_wait_time": "0s",
    "internal.server.bolt.thread_pool_shutdown_wait_time": "0s",
}
READ_ONLY = {"server.databases.default_to_read_only": "true"}
CERTIFICATE = "public.crt"
REQUIRE = "CLIQUERAG_REQUIRE_NEO4J"


def encryption(folder: Path) -> dict[str, str]:
    """Settings for connections with TLS beside those without, by a certificate that nobody but us has signed."""
    if shutil.which("openssl") is None:
        return {}
    if not folder.exists():
        folder.mkdir(parents=True)
        names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        key = ("-newkey", "rsa:2048", "-nodes", "-keyout", "private.key")
        command = ("openssl", "req", "-x509", *key, "-out", CERTIFICATE, "-days", "30", *names)
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    policy = {"enabled": "true", "base_directory": folder, "private_key": "private.key"}
    policy |= {"public_certificate": CERTIFICATE, "client_auth": "NONE"}
    settings = {f"dbms.ssl.policy.bolt.{name}": str(value) for name, value in policy.items()}
    return settings | {"server.bolt.tls_level": "OPTIONAL"}


@contextmanager
def neo4j_server(files: Path | None = None) -> Iterator[Server]:
    """The running server, with an import of ``files`` where given; skips, naming the engine, where Java or Maven is
    missing, unless that is forbidden."""
    lacking = missing_tools()
    if lacking and os.environ.get(REQUIRE) != "1":
        pytest.skip(f"the Neo4j engine is not tested: {lacking} is missing")
    with tempfile.TemporaryDirectory(prefix="cliquerag-neo4j-") as name:
        folder = Path(name)
        os.environ.setdefault("JAVA_TOOL_OPTIONS", QUICK)
        if files:
            import_files(files, folder)
        server = start(folder, password=PASSWORD, settings=SHORT | encryption(folder / "certificates"))
        try:
            yield server
        finally:
            os.kill(server.pid, signal.SIGKILL)  # its folder goes too: nothing is worth the seconds of a clean end


def restart(running: Server, more: Mapping[str, str] | None = None) -> None:
    """The same server on the same ports, with other settings."""
    folder = Path(running.folder)
    stop(folder)
    ports = {"bolt_port": running.bolt_port, "http_port": running.http_port}
    settings = {**SHORT, **encryption(folder / "certificates"), **(more or {})}
    object.__setattr__(running, "pid", start(folder, settings=settings, **ports).pid)
