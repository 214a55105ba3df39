"""A real HTTP endpoint in a process of its own that answers from the fixed table at once and counts what it was asked.

It measures what engines cost around their model calls; it says nothing of quality.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.request import urlopen

from cliquerag.core.tokens import estimate_tokens

from .table import answer

MODEL = "fixed-table"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the server is. ``counts`` are since it started: calls by kind, "input tokens" and "output tokens"."""

    url: str

    def counts(self) -> Counter[str]:
        with urlopen(f"{self.url}/counts", timeout=30) as reply:
            return Counter(json.load(reply))


@contextmanager
def running(delay: float = 0.0) -> Iterator[Endpoint]:
    """The server as a child process; an answer takes ``delay`` seconds."""
    command = [sys.executable, "-m", __name__, str(delay)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield Endpoint(server.stdout.readline().strip())
    finally:
        server.communicate()  # closes its standard input, at which it ends


def model_function(url: str) -> Any:
    """An async function as LightRAG and nano-graphrag call their model, with one HTTP client for all calls."""
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=url, api_key="none")

    async def complete(
        prompt: str, system_prompt: str | None = None, history_messages: Sequence[Any] = (), **options: Any
    ) -> str:
        system = [{"role": "system", "content": system_prompt}] if system_prompt else []
        messages: Any = [*system, *(history_messages or ()), {"role": "user", "content": prompt}]
        reply = await client.chat.completions.create(model=MODEL, messages=messages)
        return reply.choices[0].message.content or ""

    return complete


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._send(dict(self.server.counts))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(self.server.delay)
        reply = self.server.complete(body)
        if body.get("stream"):
            self._send_bytes(_events(reply), "text/event-stream")
        else:
            self._send(reply)

    def _send(self, content: dict[str, Any]) -> None:
        self._send_bytes(json.dumps(content).encode(), "application/json")

    def _send_bytes(self, data: bytes, kind: str) -> None:
        head = {"Content-Type": kind, "Content-Length": str(len(data))}
        self.send_response(200)
        for name, value in head.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """The counts tell enough."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, delay: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.delay = delay
        self.counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        """A chat completion, counted."""
        messages = body["messages"]
        kind, text = answer(messages)
        asked = sum(estimate_tokens(str(message["content"])) for message in messages)
        given = estimate_tokens(text)
        with self._lock:
            self.counts.update({kind: 1, "input tokens": asked, "output tokens": given})
        message = {"role": "assistant", "content": text}
        return {
            "id": "fixed", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": asked, "completion_tokens": given, "total_tokens": asked + given},
        }  # fmt: skip

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is killed leaves a broken connection; that is part of the measurement."""


def _events(reply: dict[str, Any]) -> bytes:
    """A completion as a stream of one piece, which ends as streams do."""
    (choice,) = reply["choices"]
    piece = {
        **{key: reply[key] for key in ("id", "created", "model")}, "object": "chat.completion.chunk",
        "choices": [{"index": 0, "finish_reason": "stop", "delta": choice["message"]}],
    }  # fmt: skip
    return f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n".encode()


def main() -> None:
    """Serve until standard input ends."""
    server = _Server(float(sys.argv[1]))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
