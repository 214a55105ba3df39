"""A workspace as an OpenAI-compatible chat endpoint: any chat program can ask it, and shows the pages cited."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from hmac import compare_digest
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..core.anchor import at_place, short_name
from ..core.errors import CliqueRAGError, ModelError, UsageError, without_addresses
from ..core.ids import stable_id
from ..core.plain import as_plain
from ..core.records import dataclass
from ..feedback.recorder import ANSWER_ID
from ..models.language import Message
from ..retrieval.search.evidence import Answer
from ..retrieval.search.modes import mode_names
from .listening import PATIENCE, OnlyOwnPages, health_route

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from ..feedback.recorder import Recorder
    from ..workspace import Workspace
    from .processes import Answering

COMPLETION = "chatcmpl-"
"""Begins the id of a completion; the rest is the id of the answer."""
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Signal:
    """A request such as {"id": "chatcmpl-...", "kind": "thumb", "verdict": "down", "note": "the wrong year"}."""

    id: str
    kind: str
    verdict: str
    note: str
    citation: int | None
    milliseconds: int

    @classmethod
    def parse(cls, body: bytes) -> Signal:
        """Raises UsageError, naming the field that is wrong."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise UsageError("is not JSON", where="the request") from error
        if not isinstance(data, dict):
            raise UsageError("has to be a JSON object", where="the request")
        name, kind, verdict, note = (_text(data, field) for field in ("id", "kind", "verdict", "note"))
        if not name or len(name) > _LONGEST:
            raise UsageError("has to be the id of a completion", where="id")
        citation, milliseconds = _number(data, "citation"), _number(data, "ms")
        return cls(name.removeprefix(COMPLETION), kind, verdict, note, citation, milliseconds or 0)

    def write_to(self, recorder: Recorder) -> bool:
        """Note it in the log. Raises UsageError where feedback is off or the answer is not known."""
        return recorder.signal(
            self.kind,
            self.id,
            citation=self.citation,
            verdict=self.verdict,
            note=self.note,
            milliseconds=self.milliseconds,
        )


def _text(data: Mapping[str, Any], field: str) -> str:
    """A text of a request, "" where it is not given. Raises UsageError for anything else."""
    value = data.get(field, "")
    if not isinstance(value, str):
        raise UsageError("has to be a text", where=field)
    return value


def _number(data: Mapping[str, Any], field: str) -> int | None:
    """A whole number of a request, None where it is not given. Raises UsageError for anything else."""
    value = data.get(field)
    if value is None:
        return None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or value < 0:
        raise UsageError("has to be a whole number", where=field)
    return int(value)


MODEL = "cliquerag"
"""The model's name to clients; ``cliquerag-graph`` and its like ask in that mode."""
MAX_BODY = 1_000_000
"""Bytes of a request: a long conversation, not a document."""
_ROLES = ("system", "user", "assistant")
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What of a chat completion request counts here; the rest (temperature ...) says nothing about documents."""

    question: str
    history: tuple[Message, ...]
    mode: str | None
    stream: bool
    session: str
    """Whose question it is: what the client gives as "user"; a question of its own without."""

    @classmethod
    def parse(cls, body: bytes) -> ChatRequest:
        """Raises UsageError, naming the field that is wrong."""
        try:
            data = json.loads(body)
        except ValueError as error:
            raise UsageError(f"is not JSON: {error}", where="the request") from error
        except RecursionError as error:
            raise UsageError("is nested too deeply", where="the request") from error
        if not isinstance(data, dict):
            raise UsageError("has to be a JSON object", where="the request")
        messages = _messages(data.get("messages"))
        if messages[-1].role != "user":
            raise UsageError("the last message has to be the user's question", where="messages")
        history = tuple(message for message in messages[:-1] if message.role != "system")
        user = data.get("user")
        session = stable_id("user", user) if isinstance(user, str) and user else ""
        return cls(messages[-1].content, history, _mode_of(data.get("model")), data.get("stream") is True, session)


def chat_app(
    workspace: Workspace,
    key: str = "",
    hosts: tuple[str, ...] = ("*",),
    patience: float = PATIENCE,
    answering: Answering | None = None,
) -> Starlette:
    """The web application: ``/v1/chat/completions`` (also streaming), ``/v1/feedback``, ``/v1/models``, ``/health``.

    With ``key``, requests need it as bearer token. ``hosts`` are the names it answers to, and without a key pages of
    other sites are refused (:class:`OnlyOwnPages`): the user's own browser must not open the server to them.
    ``patience`` is the time in seconds in which the body of a request has to arrive. ``answering`` answers in place of
    the workspace: several processes.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.routing import Route

    answers = answering or workspace
    handlers = _Handlers(workspace, answers, key, patience)
    routes = [
        Route("/v1/chat/completions", _errors_told(handlers.complete), methods=["POST"]),
        Route("/v1/feedback", _errors_told(handlers.feedback), methods=["POST"]),
        Route("/v1/models", _errors_told(handlers.models)),
        health_route(workspace, answers),
    ]
    return Starlette(routes=routes, middleware=[Middleware(OnlyOwnPages, hosts=hosts, keyed=bool(key))])


@dataclass(frozen=True)
class _Handlers:
    """What is answered at each address. Each raises a CliqueRAGError where a request cannot be answered."""

    workspace: Workspace
    answers: Answering
    key: str
    patience: float

    async def complete(self, request: Request) -> Response:
        """The answer to a question, at once or as a stream."""
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import JSONResponse, StreamingResponse

        _authorise(request, self.key)
        asked = ChatRequest.parse(await _json_body(request, self.patience))
        if asked.stream:
            events = _events(self.answers, asked)
            first = await run_in_threadpool(next, events)  # so that an early error has an honest status
            return StreamingResponse(_stream(first, events), media_type="text/event-stream")
        answer = await run_in_threadpool(
            self.answers.ask, asked.question, asked.mode, history=asked.history, session=asked.session
        )
        return JSONResponse(_completion(answer))

    async def feedback(self, request: Request) -> Response:
        """Whether it was noted what a client did with an answer."""
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import JSONResponse

        _authorise(request, self.key)
        said = Signal.parse(await _json_body(request, self.patience))
        is_written = await run_in_threadpool(said.write_to, self.workspace.feedback)
        return JSONResponse({"noted": is_written}, status_code=200 if is_written else 507)

    async def models(self, request: Request) -> Response:
        """The names by which a client may ask: one for each mode of search."""
        from starlette.responses import JSONResponse

        _authorise(request, self.key)
        names = (MODEL, *(f"{MODEL}-{mode}" for mode in mode_names()))
        return JSONResponse(
            {"object": "list", "data": [{"id": n, "object": "model", "owned_by": MODEL} for n in names]}
        )


def _errors_told(handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """The handler, whose errors become answers with an honest status."""
    from starlette.responses import JSONResponse

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except CliqueRAGError as error:
            return JSONResponse(_error(error), status_code=_status(error))

    return handle


class _AccessError(UsageError):
    """The key is missing or wrong."""


class _MediaTypeError(UsageError):
    """The body is not said to be JSON."""


class _LateError(UsageError):
    """The body does not come."""


_STATUS = ((_AccessError, 401), (_MediaTypeError, 415), (_LateError, 408), (UsageError, 400), (ModelError, 502))
"""Errors and what they are in HTTP, the narrower first; any other is 500."""


def _authorise(request: Request, key: str) -> None:
    given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if key and not compare_digest(given.encode(), key.encode()):
        raise _AccessError("the key is missing or wrong", where="Authorization", hint="Send it as a bearer token")


async def _json_body(request: Request, patience: float) -> bytes:
    """The body of a request that says it is JSON: pages of other sites can send all but that without being asked."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise _MediaTypeError("has to be application/json", where="Content-Type")
    try:
        return await asyncio.wait_for(_body(request), patience)
    except asyncio.TimeoutError as error:
        raise _LateError(f"did not arrive within {patience:g} seconds", where="the request") from error


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise UsageError(f"is longer than {MAX_BODY:,} bytes", where="the request")
    return body


def _messages(given: Any) -> list[Message]:
    if not isinstance(given, list) or not given:
        raise UsageError("has to be a list with at least the question", where="messages")
    return [_message(number, item) for number, item in enumerate(given)]


def _message(number: int, item: Any) -> Message:
    where = f"messages[{number}]"
    given = item if isinstance(item, dict) else {}
    role, content = given.get("role"), given.get("content")
    if isinstance(content, list):  # content in parts: only texts can be asked
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    if role not in _ROLES or not isinstance(content, str):
        raise UsageError(f"needs a role ({', '.join(_ROLES)}) and a text as content", where=where)
    return Message(role, content)


def _mode_of(model: Any) -> str | None:
    if model in (None, "", MODEL):
        return None
    if not isinstance(model, str):
        raise UsageError("has to be a text", where="model", hint="GET /v1/models lists the models")
    mode = model.removeprefix(f"{MODEL}-")
    if mode not in mode_names():
        named = repr(model[:_LONGEST_NAME])
        raise UsageError(f"there is no model {named}", where="model", hint="GET /v1/models lists them")
    return mode


def _events(answering: Answering, asked: ChatRequest) -> Iterator[str]:
    """Server-sent events: pieces of the answer, its sources, the end."""
    head: dict[str, Any] = {"object": "chat.completion.chunk", "created": int(time.time()), "model": MODEL}
    name = uuid4().hex
    head["id"] = f"{COMPLETION}{name}"
    pieces = answering.stream(asked.question, asked.mode, history=asked.history, session=asked.session, answer_id=name)
    for piece in pieces:
        if isinstance(piece, str):
            yield _event({**head, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
        else:
            delta = {"content": _sources(piece)}
            choice = {"index": 0, "delta": delta, "finish_reason": "stop"}
            yield _event({**head, "choices": [choice], "citations": as_plain(piece.citations)})
    yield "data: [DONE]\n\n"


async def _stream(first: str, rest: Iterator[str]) -> AsyncIterator[str]:
    from starlette.concurrency import iterate_in_threadpool

    yield first
    try:
        async for event in iterate_in_threadpool(rest):
            yield event
    except CliqueRAGError as error:  # the answer has begun: its status cannot be changed any more
        yield _event(_error(error))


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"


def _completion(answer: Answer) -> dict[str, Any]:
    usage = answer.trace.get("usage", {})
    read, written = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
    message = {"role": "assistant", "content": answer.text + _sources(answer)}
    return {
        "id": COMPLETION + str(answer.trace.get(ANSWER_ID) or uuid4().hex),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        "citations": as_plain(answer.citations),
    }


def _sources(answer: Answer) -> str:
    """The cited places as text: most chat programs show nothing else."""
    if not answer.citations:
        return ""
    known = [citation.source for citation in answer.citations]
    places = (f"[{one.number}] {at_place(short_name(one.source, known), one)}" for one in answer.citations)
    return "\n\n" + "\n".join(places)


def _error(error: CliqueRAGError) -> dict[str, Any]:
    """What a client is told: where models and stores are reached is no business of theirs."""
    return {
        "error": {
            "message": without_addresses(str(error)),
            "type": type(error).__name__.lstrip("_"),
            "code": _status(error),
        }
    }


def _status(error: CliqueRAGError) -> int:
    for kind, status in _STATUS:
        if isinstance(error, kind):
            return status
    return 500
