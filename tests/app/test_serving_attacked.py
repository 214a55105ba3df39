"""What pages of other sites, broken programs and unfinished requests may do to the server and the tools."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cliquerag.workspace import Workspace

pytest.importorskip("uvicorn")
pytest.importorskip("mcp")

QUESTION = "Whom did Acme acquire in 2023?"
CHAT = "/v1/chat/completions"
JSON = {"Content-Type": "application/json"}
PATIENCE = 1.0


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = f"sqlite:///{tmp_path_factory.mktemp('served') / 'acme.db'}"
    with Workspace(made, embedder="none") as workspace:
        workspace.add_text("Acme Inc. acquired Beta Corp. in May 2023 for $40 million.", source="acme-2023.txt")
    return made


def _free_port(host: str) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as free:
        free.bind((host, 0))
        return int(free.getsockname()[1])


class Served:
    """A process that serves, and what it says to requests."""

    def __init__(self, command: list[str], host: str, port: int) -> None:
        self.host, self.port = host, port
        environment = {**os.environ, "CLIQUERAG_EMBEDDER": "none", "CLIQUERAG_SERVE_KEY": ""}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
        for _ in range(1200):  # a machine with other work takes its time
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read().decode()
            try:
                if self.send("GET", "/health")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and body of a reply."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def ask(self, question: str = QUESTION, earlier: str = "", **headers: str) -> tuple[int, str]:
        messages = [{"role": "user", "content": text} for text in (earlier, question) if text]
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.send("POST", CHAT, json.dumps({"messages": messages}), {**JSON, **named})

    def handles(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate()


def _serve(url: str, host: str) -> Served:
    port = _free_port(host)
    command = [sys.executable, "-m", "cliquerag", "serve", "--workspace", url, "--host", host, "--port", str(port)]
    return Served(command, host, port)


@pytest.fixture(scope="module")
def served(url: str) -> Iterator[Served]:
    running = _serve(url, "127.0.0.1")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def impatient(url: str) -> Iterator[Served]:
    """The same server with less patience than anybody would want outside of a test."""
    port = _free_port("127.0.0.1")
    code = (
        "from cliquerag.workspace import Workspace\n"
        "from cliquerag.serving.chat_endpoint import chat_app\n"
        "from cliquerag.serving.listening import listen\n"
        "from cliquerag.serving.guard import LOCAL_HOSTS\n"
        f"app = chat_app(Workspace({url!r}), '', LOCAL_HOSTS, patience={PATIENCE})\n"
        f"listen(app, '127.0.0.1', {port}, patience={PATIENCE})\n"
    )
    running = Served([sys.executable, "-c", code], "127.0.0.1", port)
    yield running
    running.stop()


def test_a_page_of_another_site_is_refused(served: Served) -> None:
    assert served.ask(Origin="http://evil.example")[0] == 403
    assert served.ask(Origin="null")[0] == 403
    assert served.ask(Origin=f"http://127.0.0.1:{served.port + 1}")[0] == 403
    assert served.ask(Origin="http://[not an address")[0] == 403


def test_a_page_of_its_own_and_programs_are_answered(served: Served) -> None:
    own = f"http://127.0.0.1:{served.port}"
    for status, body in (
        served.ask(Origin=own),
        served.ask(),
        served.ask(Content_Type="application/json; charset=UTF-8"),
    ):
        assert status == 200 and "Beta Corp." in body


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_is_not_said_to_be_json_is_refused(served: Served, media_type: str) -> None:
    status, body = served.ask(Content_Type=media_type)
    assert status == 415 and "application/json" in body


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1", "localhost:x"])
def test_another_name_for_the_server_is_refused(served: Served, host: str) -> None:
    assert served.send("GET", "/v1/models", headers={"Host": host})[0] == 400


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 400_000,
        b'{"a":' * 150_000,
        b'{"messages":[{"role":"user","content":' + b"[" * 100_000 + b"]" * 100_000 + b"}]}",
        b'{"model":' + b"[" * 900 + b"]" * 900 + b',"messages":[{"role":"user","content":"x y"}]}',
        b'{"model":{"a":1},"messages":[{"role":"user","content":"x y"}]}',
    ],
)
def test_deep_json_is_a_bad_request(served: Served, body: bytes) -> None:
    status, said = served.send("POST", CHAT, body, JSON)
    assert status == 400 and json.loads(said)["error"]["message"]


def test_a_long_name_of_a_model_is_not_sent_back(served: Served) -> None:
    message = {"messages": [{"role": "user", "content": QUESTION}], "model": "x" * 500_000}
    status, said = served.send("POST", CHAT, json.dumps(message), JSON)
    assert status == 400 and len(said) < 1_000


def test_an_earlier_message_does_not_freeze_it(served: Served) -> None:
    """900 KB of it stopped the server for minutes: 8.7 s for 8,000 characters, four times that for twice as many."""
    start = time.monotonic()
    status, body = served.ask("and in 2022?", earlier="Acme Inc. of the " * 50_000)
    assert status == 200 and "error" not in body
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("host", ["127.0.0.2", "::1"])
def test_other_addresses_of_this_machine_can_be_listened_on(url: str, host: str) -> None:
    try:
        running = _serve(url, host)
    except OSError as error:
        pytest.skip(f"this machine has no {host}: {error}")
    try:
        assert running.ask()[0] == 200
        assert running.send("GET", "/v1/models", headers={"Host": "evil.example"})[0] == 400
    finally:
        running.stop()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="handles are counted in /proc")
@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /health HTT",
    ],
    ids=["nothing", "half a head", "half a body", "half a second head"],
)
def test_unfinished_requests_are_let_go(impatient: Served, beginning: bytes) -> None:
    before = impatient.handles()
    sockets = [socket.create_connection((impatient.host, impatient.port)) for _ in range(100)]
    try:
        for opened in sockets:
            opened.sendall(beginning)
        assert impatient.ask()[0] == 200
        deadline = time.monotonic() + 12 + PATIENCE
        while impatient.handles() > before + 2 and time.monotonic() < deadline:
            time.sleep(0.2)
        assert impatient.handles() <= before + 2
    finally:
        for opened in sockets:
            opened.close()


def test_a_client_learns_no_address_of_what_is_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    behind = f"http://ann:hidden-word@127.0.0.1:{_free_port('127.0.0.1')}/secret-path/v1"
    monkeypatch.setenv("CLIQUERAG_MODEL", "m")
    monkeypatch.setenv("CLIQUERAG_BASE_URL", behind)
    monkeypatch.setenv("CLIQUERAG_TIMEOUT", "3")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody-at-all")
    running = _serve(url, "127.0.0.1")
    try:
        status, said = running.ask()
    finally:
        running.stop()
    assert status == 502 and "m at the endpoint" in said
    assert not any(part in said for part in ("127.0.0.1", "secret-path", "hidden-word", "ann"))


# --- the agent's tools


class Agent:
    """An agent that says exactly what it is given, line by line."""

    def __init__(self, url: str, folder: Path) -> None:
        command = [sys.executable, "-m", "cliquerag", "mcp", "--workspace", url]
        self.log = folder / "log"
        environment = {**os.environ, "CLIQUERAG_EMBEDDER": "none"}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment
            )
        self.number = 0
        self.request(
            "initialize",
            {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
        )
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        self.say({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        assert self.process.stdout
        reply: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert reply["id"] == self.number
        return reply

    def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Whether it is an error, and the text."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        return result["isError"], " ".join(part["text"] for part in result["content"])


@pytest.fixture(scope="module")
def agent(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    running = Agent(url, tmp_path_factory.mktemp("agent"))
    yield running
    running.process.communicate(timeout=30)
    assert running.process.returncode == 0
    log = running.log.read_text()
    assert "Traceback" not in log and len(log) < 2_000


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search", {"question": QUESTION, "k": -5}, "k is -5"),
        ("search", {"question": QUESTION, "mode": "nope"}, "no mode 'nope'"),
        ("search", {"question": QUESTION, "periods": ["banana"]}, "not a period: 'banana'"),
        ("search", {"question": QUESTION, "periods": ["2023 " * 20_000]}, "100,000 characters"),
        ("search", {"question": QUESTION, "companies": ["x"] * 20_000}, "20,000 names"),
        ("ask", {"question": ""}, "there is no question"),
        ("ask", {"question": "a " * 5_000}, "longer than 2,000"),
        ("facts", {"limit": -1}, "limit is -1"),
        ("facts", {"company": " " * 60_000}, "a name is empty"),
        ("facts", {"metric": "1" * 50_000}, "50,000 characters"),
    ],
)
def test_an_agent_is_told_what_was_wrong(agent: Agent, tool: str, arguments: dict[str, Any], told: str) -> None:
    is_error, text = agent.call(tool, **arguments)
    assert is_error and told in text and len(text) < 400


def test_half_a_character_does_not_cost_the_answer(agent: Agent) -> None:
    is_error, text = agent.call("search", question=f"{QUESTION} \ud800 x \udfff")
    assert not is_error and "Beta Corp." in text
    assert not agent.call("ask", question=f"{QUESTION} 😀 \\ud800")[0]
