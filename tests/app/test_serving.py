"""The chat endpoint and the agent's tools, as their clients use them: a process of its own, real clients."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag.workspace import Workspace

pytest.importorskip("uvicorn")
pytest.importorskip("mcp")
openai = pytest.importorskip("openai")

TEXT = ["Acme Inc. annual report 2023", "Acme Inc. acquired Beta Corp. in May 2023 for $40 million."]
QUESTION = "Whom did Acme acquire in 2023?"
KEY = "only-for-this-test"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = f"sqlite:///{tmp_path_factory.mktemp('served') / 'acme.db'}"
    with Workspace(made, embedder="none") as workspace:
        workspace.add_text(TEXT, source="reports/2023/acme-2023.txt", company="Acme Inc.")
    return made


@pytest.fixture(scope="module")
def endpoint(url: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "CLIQUERAG_SERVE_KEY": KEY, "CLIQUERAG_EMBEDDER": "none"}
    command = [sys.executable, "-m", "cliquerag", "serve", "--workspace", url, "--port", str(port)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_for(f"{address}/health", process)
            yield address
        finally:
            process.terminate()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        try:
            urllib.request.urlopen(address, timeout=1)
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"{address} does not answer")


@pytest.fixture
def client(endpoint: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{endpoint}/v1", api_key=KEY, max_retries=0)


def test_an_openai_client_gets_an_answer_with_its_page(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="cliquerag", messages=[{"role": "user", "content": QUESTION}])
    text = reply.choices[0].message.content
    assert "Beta Corp." in text and text.endswith("[1] acme-2023.txt, page 2")
    assert reply.model_extra["citations"][0]["page"] == 2


def test_a_stream_carries_the_same_text(client: openai.OpenAI) -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]
    whole = client.chat.completions.create(model="cliquerag-vector", messages=messages)
    parts = list(client.chat.completions.create(model="cliquerag-vector", messages=messages, stream=True))
    assert "".join(part.choices[0].delta.content or "" for part in parts) == whole.choices[0].message.content
    assert parts[-1].choices[0].finish_reason == "stop"


def test_modes_are_listed_as_models_and_others_refused(client: openai.OpenAI) -> None:
    assert "cliquerag-graph" in {model.id for model in client.models.list()}
    with pytest.raises(openai.BadRequestError, match="no model 'gpt-9'"):
        client.chat.completions.create(model="gpt-9", messages=[{"role": "user", "content": QUESTION}])


def test_without_the_key_nothing_is_told(endpoint: str) -> None:
    stranger = openai.OpenAI(base_url=f"{endpoint}/v1", api_key="guess", max_retries=0)
    with pytest.raises(openai.AuthenticationError):
        stranger.chat.completions.create(model="cliquerag", messages=[{"role": "user", "content": QUESTION}])
    with pytest.raises(openai.AuthenticationError):
        stranger.models.list()


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"{", "not JSON"),
        (b"[]", "JSON object"),
        (b'{"messages": []}', "messages"),
        (b'{"messages": [{"role": "robot", "content": "x"}]}', "messages[0]"),
        (b'{"messages": [{"role": "assistant", "content": "x"}]}', "last message"),
        (b'{"messages": [{"role": "user", "content": " "}]}', "no question"),
        (b" " * 1_000_001, "longer than"),
    ],
)
def test_a_bad_request_is_told_what_is_wrong(endpoint: str, body: bytes, what: str) -> None:
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{endpoint}/v1/chat/completions", body, headers)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 400
    assert what in json.loads(refused.value.read())["error"]["message"]


def test_a_foreign_name_for_the_local_server_is_refused(endpoint: str) -> None:
    request = urllib.request.Request(f"{endpoint}/health", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 400


def test_beyond_this_machine_a_key_is_needed(url: str) -> None:
    command = [sys.executable, "-m", "cliquerag", "serve", "--workspace", url, "--host", "0.0.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "CLIQUERAG_SERVE_KEY" in done.stderr


def test_an_agent_finds_the_tools_and_their_pages(url: str, tmp_path: Path) -> None:
    asyncio.run(_use_tools(url, tmp_path))


async def _use_tools(url: str, folder: Path) -> None:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    environment = {**os.environ, "CLIQUERAG_EMBEDDER": "none"}
    arguments = ["-m", "cliquerag", "mcp", "--workspace", url]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=folder)
    async with Client(stdio_client(server)) as agent:
        assert {tool.name for tool in (await agent.list_tools()).tools} == {"search", "ask", "facts", "documents"}
        answer = await agent.call_tool("ask", {"question": QUESTION})
        assert answer.structured_content["citations"][0]["page"] == 2
        found = await agent.call_tool("search", {"question": QUESTION, "companies": ["Acme Inc."], "k": 3})
        assert "Beta Corp." in json.dumps(found.structured_content)
        listed = await agent.call_tool("documents", {})
        assert "acme-2023.txt" in json.dumps(listed.structured_content)
