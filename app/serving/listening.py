"""How a local server listens: whom it answers, how long it waits for a request, and whether it can answer."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ..core.errors import CliqueRAGError, without_addresses
from .guard import LOCAL_HOSTS, is_known_host, is_own_origin
from .processes import AnsweringProcesses

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

    from ..workspace import Workspace
    from .processes import Answering

PATIENCE = 15.0
"""Seconds in which the head of a request, and its body, have to arrive; a client beside us takes milliseconds."""
_READING = ("GET", "HEAD", "OPTIONS")


def is_loopback(host: str) -> bool:
    """True for an address of this machine alone.

    >>> is_loopback("127.0.0.2"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def in_address(host: str) -> str:
    """A host as it stands in an address, where IPv6 has brackets.

    >>> in_address("::1"), in_address("127.0.0.2")
    ('[::1]', '127.0.0.2')
    """
    return f"[{host}]" if ":" in host else host


class OnlyOwnPages:
    """Refuses what a page of another site sends with the user's browser: by a name of its making, or as its own POST.

    ``hosts`` are the names that are answered to, "*" for any. A browser says with every POST which site it comes from;
    programs say nothing. With ``keyed`` that does not count: other sites do not know the key.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] = LOCAL_HOSTS, keyed: bool = False) -> None:
        self._app = app
        self._hosts = tuple(hosts)
        self._keyed = keyed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope) if scope["type"] == "http" else None
        if refused is None:
            await self._app(scope, receive, send)
            return
        from starlette.responses import JSONResponse

        code, what = refused
        error = {"message": what, "type": "UsageError", "code": code}
        await JSONResponse({"error": error}, status_code=code)(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason; None for what may pass."""
        from starlette.datastructures import Headers

        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if not is_known_host(host, self._hosts):
            return 400, "Invalid host header"
        is_harmless = self._keyed or scope["method"] in _READING
        if is_harmless or not origin or is_own_origin(origin, host):
            return None
        return 403, "Pages of other sites are not answered"


class PatientProtocol(H11Protocol):
    """HTTP that lets go of a client that does not send the head of its request within ``patience`` seconds.

    uvicorn itself waits for ever: some hundred unfinished requests would hold all the connections of a process.
    """

    patience = PATIENCE
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        """Wait for a head, from its first byte on; stop as soon as a request is under way."""
        if self._is_answering:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.patience, self._let_go)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _let_go(self) -> None:
        self._waiting = None
        if not self._is_answering:
            self.transport.close()


def end_well() -> None:
    """Let a server that is told to end by SIGTERM, as containers are, close what it has open.

    uvicorn finishes what it is at, then sends the signal once more: without this that ends the process on the spot.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def listen(app: Starlette, host: str, port: int, patience: float = PATIENCE) -> None:
    """Serve until interrupted, or told to end."""
    import uvicorn

    end_well()
    protocol: Any = type("Protocol", (PatientProtocol,), {"patience": patience})
    uvicorn.run(app, host=host, port=port, log_level="warning", http=protocol)


PATH = "/health"
_SECONDS = 5.0
"""In which a workspace has to say something; probes usually wait that long."""


def health_route(workspace: Workspace, answering: Answering) -> Route:
    """``/health``: 200 while the workspace can be read and a process answers, else 503 with what is wrong.

    It takes no key, so it says nothing of documents, and no address.
    """
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def health(_: Request) -> Response:
        wrong = await _trouble(workspace)
        state: dict[str, object] = {"status": "failing" if wrong else "ok"}
        if isinstance(answering, AnsweringProcesses):
            state |= {"processes": answering.alive, "of": answering.count}
            wrong = wrong or ("" if answering.alive else "no process answers")
        if wrong:
            state |= {"status": "failing", "error": without_addresses(wrong)}
        return JSONResponse(state, status_code=503 if wrong else 200, headers={"cache-control": "no-store"})

    return Route(PATH, health)


async def _trouble(workspace: Workspace) -> str:
    """What keeps the workspace from being read; "" where nothing does."""
    from starlette.concurrency import run_in_threadpool

    try:
        await asyncio.wait_for(run_in_threadpool(workspace.store.version), _SECONDS)
    except asyncio.TimeoutError:
        return f"the workspace does not answer within {_SECONDS:g} seconds"
    except CliqueRAGError as error:
        return str(error)
    return ""
