"""What `cliquerag serve` streams of a model's answer is what it gives whole: the text, its marks, its citations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cliquerag.workspace import Workspace
from support.openai_server import OpenAIServer, say

testclient = pytest.importorskip("starlette.testclient")

PAGES = [
    "Acme Inc. annual report 2023\n\nNet revenue was $3.4 billion in fiscal 2023 and $3.1 billion in fiscal 2022.",
    "Mary N. Dillon has been chief executive officer of Acme Inc. since May 2023. Acme Inc. acquired Beta Corp. in May "
    "2023 for $40 million. Gross margin was 39.0% in fiscal 2023.",
]
QUESTION = "How did Acme do in fiscal 2023?"
REPLIES = {
    "plain": "Net revenue was $3.4 billion in fiscal 2023 [1].",
    "several lines": "Net revenue was $3.4 billion [1].\n\n- Acme acquired Beta Corp. for $40 million [2].\n- It is "
    "led by Mary N. Dillon [2].",
    "an initial": "Mary N. Dillon has been chief executive officer since 2023 [2]. Net revenue was $3.4 billion [1].",
    "a wrong figure": "Net revenue was $4.3 billion in fiscal 2023 [1]. Gross margin was 39.0% [2].",
    "a calculation": "Net revenue rose by ($3.4 billion - $3.1 billion) / $3.1 billion = 9.7% [1].",
    "a denial": "Acme Inc. did not acquire Beta Corp. in May 2023 [2]. Net revenue was $3.4 billion [1].",
    "nothing cited": "Net revenue was $3.4 billion in fiscal 2023. The moon is made of cheese and very far away.",
    "a table": "| | 2023 | 2022 |\n| --- | --- | --- |\n| Net revenue | $3.4 billion [1] | $3.1 billion [1] |",
    "a list and more": "- Net revenue was $3.4 billion [1].\n- Gross margin was 39.0% [2].\n\nIts head is new [2].",
    "a table and more": "| | 2023 |\n| --- | --- |\n| Net revenue | $3.4 billion [1] |\n\nGross margin was 39.0% [2].",
    "a line left out": "Net revenue was $3.4 billion [1].\n\nThe moon is made of cheese and very far away.\n"
    "Gross margin was 39.0% [2].\nThe moon is made of cheese and very far away.\nMary N. Dillon leads Acme Inc. [2].",
    "a refusal": "The evidence does not contain that information.",
    "a refusal and more": "The evidence does not give a profit. Net revenue was $3.4 billion [1].",
    "the word for a refusal": "NOT_FOUND",
    "other marks": "Yes [1]. Net revenue was $3.4 billion 【1】. Acme acquired Beta Corp. [1-2].",
    "thoughts": "<think>Let me see [1]. It was 5.</think>Net revenue was $3.4 billion [1].",
    "a quotation": 'The report says "net revenue was five times as high as before" [1]. Gross margin was 39.0% [2].',
}

MARKED = {
    "a wrong figure": "not found in the source",
    "a calculation": "calculated",
    "a quotation": "not found in the source",
    "a refusal and more": "Said besides",
}
"""What has to be said in the answer, so that marks are streamed at all."""


def streamed(lines: list[str]) -> tuple[str, list[dict[str, Any]]]:
    """The text and the citations of server-sent events."""
    events = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]
    text = "".join(event["choices"][0]["delta"].get("content") or "" for event in events)
    return text, events[-1]["citations"]


@pytest.mark.parametrize("name", REPLIES)
def test_a_stream_is_what_is_given_whole(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cliquerag.serving.chat_endpoint import chat_app

    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with OpenAIServer() as server:
        server.script = [say(REPLIES[name])]
        settings = {"embedder": "none", "model": "test-model", "base_url": server.url}
        with Workspace(f"sqlite:///{tmp_path / 'w.db'}", **settings) as workspace:
            workspace.add_text(PAGES, source="acme-2023.txt", company="Acme Inc.")
            client = testclient.TestClient(chat_app(workspace))
            asked = {"model": "cliquerag", "messages": [{"role": "user", "content": QUESTION}]}
            whole = client.post("/v1/chat/completions", json=asked).json()
            events = client.post("/v1/chat/completions", json={**asked, "stream": True})
    text, citations = streamed(events.text.splitlines())
    assert text == whole["choices"][0]["message"]["content"]
    assert citations == whole["citations"]
    assert MARKED.get(name, "") in text
