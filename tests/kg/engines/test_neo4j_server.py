"""The server's script, as far as it goes without a server; the engine's tests start one."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from cliquerag.core.rules import load_rules
from cliquerag.kg.engines.neo4j import server
from support.neo4j_server import neo4j_server

COMPOSE = Path(__file__).parents[3] / "docker-compose.neo4j.yml"


def test_docker_runs_the_same_version():
    text = COMPOSE.read_text(encoding="utf-8")
    assert re.search(r"image: neo4j:(\S+)-community", text)[1] == server.VERSION
    assert re.search(r"heap_max__size: (\d+)m", text)[1] == str(server.HEAP_MIB)
    assert "healthcheck:" in text and "neo4j-data:/data" in text


def test_the_pinned_jars_are_those_of_the_version():
    jars = load_rules("cliquerag.kg.engines.neo4j", "jars.toml")["sha256"]
    assert {f"neo4j-{server.VERSION}.jar", f"neo4j-server-{server.VERSION}.jar"} <= jars.keys()
    assert all(re.fullmatch("[0-9a-f]{64}", checksum) for checksum in jars.values())


def test_changed_jars_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "load_rules", lambda *_: {"sha256": {"a.jar": "0" * 64}})
    (tmp_path / "a.jar").write_bytes(b"not it")
    with pytest.raises(server.ServerError, match=r"a\.jar"):
        server.fetch(tmp_path)


def test_without_java_the_engine_is_named(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda program: None)
    assert server.missing_tools() == "Java 17 or 21 and Maven"
    monkeypatch.delenv("CLIQUERAG_REQUIRE_NEO4J", raising=False)
    with pytest.raises(pytest.skip.Exception, match="the Neo4j engine is not tested"), neo4j_server():
        pass
    monkeypatch.setenv("CLIQUERAG_REQUIRE_NEO4J", "1")
    with pytest.raises(server.ServerError, match="must be installed"), neo4j_server():
        pass


def test_what_is_not_running(tmp_path, capsys):
    assert server.find(tmp_path) is None and server.stop(tmp_path) is False
    assert server.main(["status", str(tmp_path)]) == 0 and "no server" in capsys.readouterr().out
    assert server.main([]) == 2


@pytest.mark.parametrize(("given", "taken"), [(None, "-XX:TieredStopAtLevel=1"), ("", ""), ("-Xint", "-Xint")])
def test_a_server_runs_by_the_quick_compiler_unless_the_user_says_otherwise(tmp_path, monkeypatch, given, taken):
    started = {}

    def launched(command, **options):
        started.update(options["env"])
        return SimpleNamespace(pid=1)

    monkeypatch.setattr(server.subprocess, "Popen", launched)
    monkeypatch.delenv("JAVA_TOOL_OPTIONS", raising=False)
    if given is not None:
        monkeypatch.setenv("JAVA_TOOL_OPTIONS", given)
    (tmp_path / "logs").mkdir()
    assert server._launch(tmp_path, tmp_path, 64) == 1
    assert started["JAVA_TOOL_OPTIONS"] == taken and "PATH" in started
