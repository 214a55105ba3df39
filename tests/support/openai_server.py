"""A small OpenAI-compatible server that can misbehave in every way the client has to survive.

    with OpenAIServer() as server:
        server.script = [rate_limit(0.1), say("an answer")]
        ... POST server.url + "/chat/completions" ...
        assert len(server.calls) == 2

The last behaviour of a script goes on for ever. A behaviour is a function of the handler and the request's body.
"""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Body = dict[str, Any]
Behaviour = Callable[["Handler", Body], None]


@dataclass(frozen=True)
class Call:
    """A request as it came in."""

    at: float
    body: Body
    authorization: str

    @property
    def question(self) -> str:
        return str(self.body["messages"][-1]["content"])


def completion(text: str, body: Body, finish: str = "stop", usage: bool = True) -> Body:
    """A chat completion; one token a word."""
    asked = sum(len(_words(message["content"])) for message in body["messages"])
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": asked, "completion_tokens": len(text.split()), "total_tokens": 0} if usage else None,
    }


def _words(content: str | list[Body]) -> list[str]:
    """The words of a message, which may have pictures beside them."""
    parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
    return " ".join(parts).split()


def say(text: str, finish: str = "stop", usage: bool = True) -> Behaviour:
    """Answers, in pieces where a stream is asked for."""

    def behave(handler: Handler, body: Body) -> None:
        if body.get("stream"):
            handler.stream(text, finish)
        else:
            handler.send(200, completion(text, body, finish, usage))

    return behave


def echo(delay: float = 0.0) -> Behaviour:
    """Answers with the question, after a while."""

    def behave(handler: Handler, body: Body) -> None:
        time.sleep(delay)
        say(f"echo {body['messages'][-1]['content']}")(handler, body)

    return behave


class AtOnce:
    """Answers as another behaviour does, after some seconds; ``most`` is how many requests it had at once."""

    def __init__(self, answer: Behaviour, seconds: float) -> None:
        self.most = 0
        self._answer, self._seconds = answer, seconds
        self._flying, self._lock = 0, threading.Lock()

    def __call__(self, handler: Handler, body: Body) -> None:
        with self._lock:
            self._flying += 1
            self.most = max(self.most, self._flying)
        time.sleep(self._seconds)
        with self._lock:
            self._flying -= 1
        self._answer(handler, body)


def fail(status: int, message: str = "no", code: str | None = None, **headers: str) -> Behaviour:
    """An error as endpoints send it."""
    error = {"error": {"message": message, "type": "error", "code": code}}
    return lambda handler, body: handler.send(status, error, {key.replace("_", "-"): v for key, v in headers.items()})


def rate_limit(seconds: float) -> Behaviour:
    return fail(429, "slow down", retry_after=str(seconds))


def stall(seconds: float) -> Behaviour:
    """Takes the request and says nothing."""

    def behave(handler: Handler, body: Body) -> None:
        handler.server.stopping.wait(seconds)
        handler.hang_up()

    return behave


def hang_up(handler: Handler, body: Body) -> None:
    """Closes the connection without a word."""
    handler.hang_up()


def break_off(text: str) -> Behaviour:
    """Closes the connection in the middle of the answer."""

    def behave(handler: Handler, body: Body) -> None:
        if body.get("stream"):
            handler.stream(text, finish=None)
        else:
            content = json.dumps(completion(text, body)).encode()
            handler.start(200, {"Content-Type": "application/json", "Content-Length": str(len(content))})
            handler.wfile.write(content[: len(content) // 2])
        handler.hang_up()

    return behave


def raw(content: str, kind: str = "application/json") -> Behaviour:
    """Whatever it is, with HTTP 200."""

    def behave(handler: Handler, body: Body) -> None:
        handler.start(200, {"Content-Type": kind, "Content-Length": str(len(content.encode()))})
        handler.wfile.write(content.encode())

    return behave


def redirect(url: str, status: int) -> Behaviour:
    """Points to another address."""
    return lambda handler, body: handler.send(status, {}, {"Location": url})


def drip(head: bool = False, pause: float = 0.05, most: int = 200) -> Behaviour:
    """Sends a byte at a time, so that no silence is ever long: of the body, or of the head of the reply."""

    def behave(handler: Handler, body: Body) -> None:
        if head:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        else:
            handler.start(200, {"Content-Type": "application/json", "Content-Length": "100000"})
        for _ in range(most):
            handler.wfile.write(b" " if not head else b"x")
            if handler.server.stopping.wait(pause):
                break
        handler.close_connection = True

    return behave


def endless(piece: str, kind: str = "text/event-stream", status: int = 200, most: int = 4000) -> Behaviour:
    """Sends the same again and again: 64 KB at a time, up to 256 MB."""

    def behave(handler: Handler, body: Body) -> None:
        handler.start(status, {"Content-Type": kind, "Connection": "close"})
        block = (piece * (1 + 65536 // len(piece))).encode()
        for _ in range(most):
            handler.wfile.write(block)
        handler.close_connection = True

    return behave


def packed(size: int) -> Behaviour:
    """A small body that unpacks to ``size`` bytes of JSON, whether it was asked for or not."""

    def behave(handler: Handler, body: Body) -> None:
        content = gzip.compress(b" " * size)
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip", "Content-Length": str(len(content))}
        handler.start(200, headers)
        handler.wfile.write(content)

    return behave


def events(*lines: str, pause: float = 0.0) -> Behaviour:
    """Server-sent events as they are written here."""

    def behave(handler: Handler, body: Body) -> None:
        handler.start(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        for line in lines:
            handler.wfile.write(f"{line}\n\n".encode("utf-8", "surrogatepass"))
            handler.server.stopping.wait(pause)
        handler.close_connection = True

    return behave


def embed(vector: Callable[[str], list[float]], reverse: bool = False) -> Behaviour:
    """Answers ``POST /embeddings``; ``reverse``: in an order of its own, told by the index."""

    def behave(handler: Handler, body: Body) -> None:
        items = [{"object": "embedding", "index": i, "embedding": vector(text)} for i, text in enumerate(body["input"])]
        data = items[::-1] if reverse else items
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        handler.send(200, {"object": "list", "data": data, "model": body["model"], "usage": usage})

    return behave


def rerank(score: Callable[[str, str], float]) -> Behaviour:
    """Answers ``POST /rerank``, best first as such endpoints do."""

    def behave(handler: Handler, body: Body) -> None:
        scores = [score(body["query"], text) for text in body["documents"]]
        order = sorted(range(len(scores)), key=lambda at: -scores[at])[: body["top_n"]]
        handler.send(200, {"results": [{"index": at, "relevance_score": scores[at]} for at in order]})

    return behave


def without(parameter: str, answer: Behaviour, accept: Callable[[Any], bool] = lambda value: False) -> Behaviour:
    """Refuses requests with a parameter it does not know, as servers without structured output do."""

    def behave(handler: Handler, body: Body) -> None:
        if parameter in body and not accept(body[parameter]):
            fail(400, f"Unsupported parameter: {parameter}")(handler, body)
        else:
            answer(handler, body)

    return behave


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, owner: OpenAIServer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.owner = owner
        self.stopping = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that are killed leave broken connections; that is what they are here for."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.owner.receive(Call(time.monotonic(), body, self.headers["Authorization"] or ""))(self, body)

    def do_GET(self) -> None:
        """What a redirected POST becomes in careless clients."""
        self.server.owner.receive(Call(time.monotonic(), {}, self.headers["Authorization"] or ""))(self, {})

    def send(self, status: int, content: Body, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(content).encode()
        self.start(status, {"Content-Type": "application/json", "Content-Length": str(len(data)), **(headers or {})})
        self.wfile.write(data)

    def start(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def stream(self, text: str, finish: str | None) -> None:
        """Server-sent events, a word each; with no ``finish`` the stream just ends."""
        self.start(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        for i, word in enumerate(text.split(" ")):
            self._event({"content": word if i == 0 else f" {word}"}, None)
        if finish:
            self._event({}, finish)
            self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _event(self, delta: Body, finish: str | None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()

    def hang_up(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests read ``calls`` instead."""


class OpenAIServer:
    """Runs in threads of this process, on a free port."""

    def __init__(self, *script: Behaviour) -> None:
        self.script = list(script) or [echo()]
        self.calls: list[Call] = []
        self._lock = threading.Lock()
        self._server = Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def receive(self, call: Call) -> Behaviour:
        with self._lock:
            self.calls.append(call)
            return self.script[min(len(self.calls), len(self.script)) - 1]

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stopping.set()
        self._server.shutdown()
        self._server.server_close()
