"""An endpoint that gives the answers a reader once wrote, so that rows which ask a model run again without one.

Each line of ``index_ideas_reader.jsonl`` is the hash of a chat and its answer. A chat that nobody has answered goes on
to the endpoint of ``OPENAI_BASE_URL`` where one is set, and its answer is kept.
"""

from __future__ import annotations

import json
import os
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cliquerag.core.ids import stable_id

MODEL = "reader"
RECORDED = Path(__file__).with_name("index_ideas_reader.jsonl")
_SECONDS = 3600
"""How long a chat that goes on may take: somebody reads it."""


@contextmanager
def recorded_endpoint(path: Path = RECORDED) -> Iterator[Mapping[str, str]]:
    """Settings of a workspace whose model answers as recorded in ``path``; the endpoint ends with the block."""
    answers = _Answers(path, os.environ.get("OPENAI_BASE_URL", ""))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answers))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield {"model": MODEL, "base_url": f"http://127.0.0.1:{server.server_port}/v1"}
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Answers:
    """Text by the hash of its chat."""

    def __init__(self, path: Path, upstream: str) -> None:
        self._path = path
        self._upstream = upstream
        self._writing = threading.Lock()
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self._texts: dict[str, str] = {record["key"]: record["text"] for record in map(json.loads, lines)}

    def of(self, asked: Mapping[str, Any]) -> str | None:
        """The answer to a chat; None where there is none and no endpoint to ask."""
        key = stable_id(json.dumps(asked["messages"], ensure_ascii=False, sort_keys=True))
        if key not in self._texts and self._upstream:
            self._keep(key, _forwarded(self._upstream, asked))
        return self._texts.get(key)

    def _keep(self, key: str, text: str) -> None:
        with self._writing, self._path.open("a", encoding="utf-8") as lines:
            self._texts[key] = text
            lines.write(json.dumps({"key": key, "text": text}, ensure_ascii=False) + "\n")


def _forwarded(url: str, asked: Mapping[str, Any]) -> str:
    body = json.dumps({**asked, "stream": False}).encode()
    headers = {
        "Content-Type": "application/json",
        "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}",
    }
    request = urllib.request.Request(f"{url.rstrip('/')}/chat/completions", body, headers)
    with urllib.request.urlopen(request, timeout=_SECONDS) as response:
        return str(json.loads(response.read())["choices"][0]["message"]["content"])


def _handler(answers: _Answers) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = answers.of(asked)
            if text is None:
                self._send({"error": {"message": "nobody has answered this chat", "type": "not recorded"}}, 400)
                return
            asked_length = sum(len(str(message["content"])) for message in asked["messages"])
            usage = {"prompt_tokens": asked_length // 4, "completion_tokens": len(text) // 4}
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            self._send({"model": asked["model"], "choices": [choice], "usage": usage}, 200)

        def _send(self, data: Mapping[str, Any], status: int) -> None:
            body = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    return Handler
