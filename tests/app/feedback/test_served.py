"""Feedback of other programs: POST /v1/feedback, and the tool that agents have."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from cliquerag import Workspace

pytest.importorskip("mcp")
pytest.importorskip("starlette")

TEXT = ["Acme Inc. annual report 2023", "Acme Inc. acquired Beta Corp. in May 2023 for $40 million."]
QUESTION = "Whom did Acme acquire in 2023?"
KEY = "only-for-this-test"


def served(feedback: str) -> tuple[Workspace, Any]:
    from cliquerag.serving.chat_endpoint import chat_app
    from starlette.testclient import TestClient

    workspace = Workspace("sqlite:///acme.db", feedback=feedback)
    workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.")
    return workspace, TestClient(chat_app(workspace, KEY), headers={"Authorization": f"Bearer {KEY}"})


def asked(client: Any, **options: Any) -> Any:
    messages = [{"role": "user", "content": QUESTION}]
    return client.post("/v1/chat/completions", json={"messages": messages, "user": "ann@example.org", **options})


def test_a_client_tells_what_was_done_with_an_answer(private: Path) -> None:
    workspace, client = served("on")
    name = asked(client).json()["id"]
    for said in (
        {"id": name, "kind": "opened", "citation": 1},
        {"id": name, "kind": "dwell", "citation": 1, "ms": 4200},
        {"id": name, "kind": "thumb", "verdict": "down", "note": "the wrong year"},
    ):
        assert client.post("/v1/feedback", json=said).json() == {"noted": True}
    answered, opened, dwell, thumb = workspace.feedback.log.events()
    assert name == f"chatcmpl-{answered.answer}" and opened.data["page"] == 2 and dwell.data["ms"] == 4200
    assert thumb.data["note"] == "the wrong year" and len({event.session for event in (answered, thumb)}) == 1
    assert "ann" not in answered.session


def test_a_stream_has_the_id_that_feedback_is_given_by(private: Path) -> None:
    workspace, client = served("on")
    lines = asked(client, stream=True).text.splitlines()
    name = lines[0].partition('"id": "')[2].partition('"')[0]
    assert client.post("/v1/feedback", json={"id": name, "kind": "copied"}).json() == {"noted": True}
    assert [event.kind for event in workspace.feedback.log.events()] == ["answered", "copied"]


@pytest.mark.parametrize(
    "said",
    [
        b"nonsense",
        b"[]",
        b"{}",
        b'{"id": "chatcmpl-00000000", "kind": "opened"}',
        b'{"id": "chatcmpl-00000000", "kind": 5}',
        b'{"id": 7, "kind": "opened"}',
        b'{"id": "chatcmpl-00000000", "kind": "dwell", "ms": -1}',
        b'{"id": "chatcmpl-00000000", "kind": "answered"}',
    ],
)
def test_wrong_feedback_is_said_to_be_wrong(private: Path, said: bytes) -> None:
    _, client = served("on")
    reply = client.post("/v1/feedback", content=said, headers={"content-type": "application/json"})
    assert reply.status_code == 400 and reply.json()["error"]["message"]


def test_feedback_needs_the_key_and_to_be_asked_for(private: Path) -> None:
    workspace, client = served("auto")
    name = asked(client).json()["id"]
    reply = client.post("/v1/feedback", json={"id": name, "kind": "copied"})
    assert reply.status_code == 400 and "CLIQUERAG_FEEDBACK=on" in reply.json()["error"]["message"]
    assert client.post("/v1/feedback", json={}, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert not workspace.feedback.has_log


def test_an_agent_says_what_an_answer_was_worth(private: Path) -> None:
    with Workspace("sqlite:///acme.db") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.")
    asyncio.run(_as_an_agent(private))
    with Workspace("sqlite:///acme.db", feedback="on") as workspace:
        kinds = [event.kind for event in workspace.feedback.log.events()]
    assert kinds == ["answered", "thumb", "pin"]


async def _as_an_agent(folder: Path) -> None:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    environment = {**os.environ, "CLIQUERAG_FEEDBACK": "on"}
    arguments = ["-m", "cliquerag", "mcp", "--workspace", "sqlite:///acme.db"]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=folder)
    async with Client(stdio_client(server)) as agent:
        assert "feedback" in {tool.name for tool in (await agent.list_tools()).tools}
        answer = (await agent.call_tool("ask", {"question": QUESTION})).structured_content
        said = await agent.call_tool("feedback", {"id": answer["id"], "what": "up"})
        assert said.structured_content == {"noted": True}
        await agent.call_tool("feedback", {"id": answer["id"], "what": "pin", "citation": 1})
        wrong = await agent.call_tool("feedback", {"id": answer["id"], "what": "pin", "citation": 9})
        assert wrong.is_error
