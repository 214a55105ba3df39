"""Servers with several processes: the same answers, and none outlives the server or costs more than its own answer."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import ModelError, StoreError, UsageError
from cliquerag.serving.processes import AnsweringProcesses
from cliquerag.settings import Settings
from support.openai_server import OpenAIServer, fail, say

from tests.app.conftest import Run

pytest.importorskip("uvicorn")
testclient = pytest.importorskip("starlette.testclient")
T = TypeVar("T")
NOTE = "Acme Inc. acquired Beta Corp. in May 2023 for $40 million. Revenue of Acme Inc. was $120 million in 2023.\n"
QUESTION = "Whom did Acme acquire in 2023?"


@pytest.fixture
def workspace(private: Path) -> Iterator[Workspace]:
    with Workspace(f"sqlite:///{private / 'acme.db'}", embedder="none") as made:
        made.add_text(NOTE, source="acme.txt", company="Acme Inc.")
        yield made


@pytest.fixture
def processes(workspace: Workspace) -> Iterator[AnsweringProcesses]:
    made = AnsweringProcesses(workspace.settings, 2)
    yield made
    made.close()


def until(asked: Callable[[], T], seconds: float = 60.0) -> T:
    """What is asked, as soon as there is something, or after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (found := asked()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def children_of(parent: int) -> list[int]:
    """The processes that one has started by ``multiprocessing``."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            is_child = f"PPid:\t{parent}\n" in (path / "status").read_text()
            if is_child and b"spawn_main" in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def state_of(port: int) -> dict[str, object]:
    """The health of a server; empty before it listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as reply:
            found: dict[str, object] = json.load(reply)
            return found
    except OSError:
        return {}


def is_alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def test_they_answer_as_the_workspace_does(workspace: Workspace, processes: AnsweringProcesses) -> None:
    answer = processes.ask(QUESTION)
    alone = workspace.ask(QUESTION)
    assert answer.text == alone.text and answer.citations == alone.citations and answer.context == alone.context
    *pieces, last = processes.stream(QUESTION, "vector")
    assert last.text == workspace.ask(QUESTION, "vector").text  # type: ignore[union-attr]
    assert all(isinstance(piece, str) for piece in pieces)
    workspace.add_text("Gamma Ltd. acquired Delta AG in 2024.\n", source="gamma.txt", company="Gamma Ltd.")
    for _ in range(4):  # each of them has heard of it
        assert "Delta AG" in processes.ask("Whom did Gamma acquire in 2024?").text


def test_a_stream_that_nobody_listens_to_costs_no_process(processes: AnsweringProcesses) -> None:
    for _ in range(6):
        stream = processes.stream(QUESTION)
        next(stream)
        stream.close()  # type: ignore[attr-defined]
    assert "Beta" in processes.ask(QUESTION).text and processes.alive == 2


def test_errors_come_across_as_what_they_are(processes: AnsweringProcesses) -> None:
    with pytest.raises(UsageError, match=r"no mode 'sideways'.*There are") as refused:
        processes.ask(QUESTION, "sideways")
    assert refused.value.hint.startswith("There are")
    with pytest.raises(UsageError, match="longer than 2,000"):
        list(processes.stream("a " * 2_000))
    with pytest.raises(RuntimeError, match="TypeError"):
        processes.ask(QUESTION, history=5)  # type: ignore[arg-type]
    assert processes.alive == 2, "an error cost a process"


def test_one_that_is_killed_costs_its_own_answer_alone(processes: AnsweringProcesses) -> None:
    assert "Beta" in processes.ask(QUESTION).text
    for process in children_of(os.getpid()):
        os.kill(process, signal.SIGKILL)
    assert until(lambda: processes.alive == 0)
    assert "Beta" in processes.ask(QUESTION).text, "no other has taken its place"
    assert processes.alive >= 1


def test_one_that_ends_over_a_question_is_said(workspace: Workspace, private: Path) -> None:
    processes = AnsweringProcesses(workspace.settings, 1)
    try:
        processes.ask(QUESTION)
        (process,) = processes._all
        os.kill(process._process.pid, signal.SIGSTOP)  # type: ignore[arg-type]
        killing = subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -9 {process._process.pid}"])
        assert "Beta" in processes.ask(QUESTION).text, "it had not taken the question: another one answers it"
        killing.wait()
        (process,) = processes._all
        process._connection, theirs = multiprocessing.Pipe()
        taking = threading.Thread(target=_take_and_end, args=(theirs,))
        taking.start()
        with pytest.raises(StoreError, match=r"has ended\. Ask again"):
            list(processes.stream(QUESTION))
        assert "Beta" in processes.ask(QUESTION).text
    finally:
        processes.close()


def _take_and_end(connection: Connection) -> None:
    """As a process does that dies over a question."""
    connection.recv()
    connection.send(("taken", None))
    connection.close()


def test_what_they_spend_counts_in_one_budget(workspace: Workspace, private: Path, monkeypatch) -> None:
    prices = private / "prices.toml"
    prices.write_text("[test-model]\ninput = 1000\noutput = 0\n")
    monkeypatch.setenv("CLIQUERAG_PRICES", str(prices))
    with OpenAIServer() as server:
        server.script = [say("Acme acquired Beta Corp. [1].")]
        settings = Settings(
            workspace=workspace.settings.workspace, embedder="none", model="test-model", base_url=server.url,
            cache=str(private / "models"), max_cost=1.0,
        )  # fmt: skip
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        processes = AnsweringProcesses(settings, 2)
        try:
            spent = 0
            with pytest.raises(ModelError, match="used up"):
                for number in range(40):
                    processes.ask(f"Why did Acme acquire company number {number}?", "vector")
                    spent += 1
            assert processes._budget and 0 < processes._budget.spent <= 1.0
            with pytest.raises(ModelError, match="used up"):  # the other process knows
                processes.ask("Why did Acme acquire anybody at all?", "vector")
            assert spent == len(server.calls)
        finally:
            processes.close()


def test_a_workspace_in_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="in memory"):
        AnsweringProcesses(Settings(workspace="sqlite://"), 2)


# --- the servers


@pytest.mark.parametrize("command", ["serve", "web"])
def test_a_server_with_processes(command: str, workspace: Workspace, cli: Run) -> None:
    """Its health is told, and with it, killed, all its processes end: also the one that draws pages."""
    port = free_port()
    options = ["--no-open"] if command == "web" else []
    given = ["--workspace", workspace.settings.workspace, "--port", str(port), "--processes", "2", *options]
    server = subprocess.Popen([sys.executable, "-m", "cliquerag", command, *given], stderr=subprocess.DEVNULL)
    try:
        assert until(lambda: state_of(port) == {"status": "ok", "processes": 2, "of": 2})
        started = until(lambda: found if len(found := children_of(server.pid)) >= 2 + len(options) else [])
        assert len(started) == 2 + len(options)
    finally:
        server.kill()
        server.wait()
    assert until(lambda: not any(map(is_alive, started)), 20), "a process outlived its server"


@pytest.mark.parametrize("command", ["serve", "web"])
def test_a_server_that_is_told_to_end_closes_what_it_has_open(command: str, workspace: Workspace) -> None:
    workspace.store.close()
    port = free_port()
    options = ["--no-open"] if command == "web" else []
    given = ["--workspace", workspace.settings.workspace, "--port", str(port), "--processes", "2", *options]
    server = subprocess.Popen([sys.executable, "-m", "cliquerag", command, *given], stderr=subprocess.PIPE)
    assert until(lambda: state_of(port).get("status") == "ok")
    started = children_of(server.pid)
    server.terminate()
    said = server.communicate(timeout=60)[1].decode()
    assert server.returncode == 0 and "Traceback" not in said and "leaked" not in said, said
    assert not any(map(is_alive, started))
    folder = Path(workspace.settings.workspace.removeprefix("sqlite:///")).parent
    assert not list(folder.glob("*-wal"))


def test_health_says_what_is_wrong_and_no_address(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from cliquerag.serving.chat_endpoint import chat_app

    client = testclient.TestClient(chat_app(workspace, key="secret"))
    assert client.get("/health").json() == {"status": "ok"}

    def fails() -> int:
        raise StoreError("no Neo4j server answers", where="neo4j://graph.internal:7687")

    monkeypatch.setattr(type(workspace.store), "version", lambda _: fails())
    reply = client.get("/health")
    assert reply.status_code == 503 and reply.json()["status"] == "failing"
    assert "no Neo4j server answers" in reply.text and "graph.internal" not in reply.text


def test_health_waits_for_nobody(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from cliquerag.serving import listening
    from cliquerag.serving.chat_endpoint import chat_app

    monkeypatch.setattr(listening, "_SECONDS", 0.2)
    monkeypatch.setattr(type(workspace.store), "version", lambda _: time.sleep(1.5))
    reply = testclient.TestClient(chat_app(workspace)).get("/health")
    assert reply.status_code == 503 and "does not answer" in reply.json()["error"]


def test_health_fails_where_no_process_is_left(workspace: Workspace, processes: AnsweringProcesses) -> None:
    from cliquerag.serving.chat_endpoint import chat_app

    client = testclient.TestClient(chat_app(workspace, answering=processes))
    assert client.get("/health").json() == {"status": "ok", "processes": 2, "of": 2}
    processes.close()
    assert client.get("/health").status_code == 503


def test_an_endpoint_that_fails_is_the_models_error(workspace: Workspace, private: Path, monkeypatch) -> None:
    with OpenAIServer() as server:
        server.script = [fail(401)]
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        settings = Settings(
            workspace=workspace.settings.workspace, embedder="none", model="m", base_url=server.url,
            cache=str(private / "models"),
        )  # fmt: skip
        processes = AnsweringProcesses(settings, 1)
        try:
            with pytest.raises(ModelError, match="401"):
                processes.ask("Why did Acme acquire Beta?", "vector")
        finally:
            processes.close()
