"""HTTP to an endpoint that is not trusted: a time in all, a size, no way to another host, one pause for all threads."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Unfinished
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

from ..core.errors import ModelError
from .address import PAUSE, Address, Gate, Limits, retry_after
from .replies import BadReplyError

CONNECT = 10.0
"""Seconds to reach a host: one that is not there is not waited for as long as one that thinks."""


def _library() -> Any:
    """The HTTP library that openai stands on, found without importing openai: httpx, from openai 3 on httpx2."""
    major = int(version("openai").partition(".")[0])
    return import_module("httpx2" if major >= 3 else "httpx")


httpx: Any = _library()


class Stopped(BaseException):
    """Carries a ModelError through openai: below version 3 that takes every Exception for a lost connection, and asks
    again."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(str(error))
        self.error = error


class BoundedClient(httpx.Client):  # type: ignore[misc] # which library it is, is known at run time only
    """httpx's client within ``limits``. Safe for several threads.

    One call may be several requests, when openai tries again: its time runs from :meth:`begin`, for each thread.

    Raises:
        Stopped: the time is over, the reply too large, or another host is pointed to (from ``send``).
        ModelError: the same, while a stream is read.
    """

    def __init__(self, address: Address, limits: Limits) -> None:
        super().__init__(
            auth=address.auth,
            headers={"Accept-Encoding": "identity"},  # a megabyte that is sent packed may be a gigabyte
            follow_redirects=True,
            max_redirects=3,
            event_hooks={"request": [], "response": [self._check]},
        )
        self._limits = limits
        self._where = str(address)
        self._gate = Gate()
        self._call = threading.local()

    def begin(self) -> None:
        """The time of this thread's next call starts now."""
        self._call.ends = time.monotonic() + self._limits.timeout
        self._call.failures = []

    def send(self, request: Any, **options: Any) -> Any:
        """As httpx's, for requests of the call that was begun."""
        try:
            return self._send(request, options)
        except ModelError as error:
            raise Stopped(error) from None

    def _send(self, request: Any, options: dict[str, Any]) -> Any:
        ends: float = self._call.ends
        self._gate.wait(ends)
        left = ends - time.monotonic()
        if left <= 0:
            raise self._late()
        request.extensions["ends"] = ends
        failures: list[str] = self._call.failures
        request.extensions["failures"] = failures
        # A silence is ended by the library too: the thread below must not wait on long after its caller has left.
        silence = left + 1
        request.extensions["timeout"] = {
            "connect": min(CONNECT, silence),
            "read": silence,
            "write": silence,
            "pool": silence,
        }
        # The library ends a silence, but not a header that comes a byte at a time, nor a slow name server.
        sent = _on_thread(partial(super().send, request, **options))
        try:
            return sent.result(timeout=left)
        except Unfinished:
            raise self._late() from None
        except httpx.ConnectError as error:
            raise _without_tls(error, self._where) or error from None
        except httpx.HTTPError as error:
            failures.append(f"a lost connection ({type(error).__name__})")
            raise

    def _check(self, response: Any) -> None:
        """Looks at the head of a reply, and bounds its body."""
        ends: float = response.request.extensions["ends"]
        if response.has_redirect_location:
            self._check_redirect(response)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ModelError("the reply is packed, which was not asked for", where=self._where)
        response.stream = _BoundedStream(response.stream, partial(self._check_body, ends))
        if response.status_code >= 400:
            response.request.extensions["failures"].append(f"HTTP {response.status_code}")
            self._check_pause(response, ends)

    def _check_redirect(self, response: Any) -> None:
        here = response.request.url
        try:
            there = here.join(response.headers["location"])
            if _same_server(here, there):
                return
            target = f"{there.scheme}://{there.host}"
        except httpx.InvalidURL:
            target = "what is no address"
        hint = "Nothing was sent there. If it is the right address, write it into the settings"
        raise ModelError(f"it redirects to {target} (HTTP {response.status_code})", where=self._where, hint=hint)

    def _check_body(self, ends: float, size: int) -> None:
        if time.monotonic() > ends:
            raise self._late()
        if size > self._limits.max_reply_mb * 1e6:
            hint = "max_reply_mb in the settings is the limit"
            raise ModelError(f"the reply is larger than {self._limits.max_reply_mb:g} MB", where=self._where, hint=hint)

    def _check_pause(self, response: Any, ends: float) -> None:
        """Closes the gate on a rate limit; raises where the pause is longer than the call may last."""
        asked = retry_after(response.headers)
        if asked is not None and time.monotonic() + asked > ends:
            hint = f"A call may take {self._limits.timeout:g} seconds (timeout in the settings)"
            what = f"the endpoint asks to wait {asked:.0f} seconds (HTTP {response.status_code})"
            raise ModelError(what, where=self._where, hint=hint)
        if response.status_code != 429:
            return
        if b"insufficient_quota" in response.read():
            response.headers["x-should-retry"] = "false"  # openai heeds it: no pause brings money
            return
        self._gate.close_for(PAUSE if asked is None else asked)

    def _late(self) -> ModelError:
        """With how the last attempt ended, since it was repeated until the time was up."""
        hint = "timeout in the settings is the limit"
        last = "".join(f"; the last attempt ended in {why}" for why in getattr(self._call, "failures", [])[-1:])
        return ModelError(f"no whole answer in {self._limits.timeout:g} seconds{last}", where=self._where, hint=hint)


class _BoundedStream(httpx.SyncByteStream):  # type: ignore[misc]
    """The body of a reply; ``check`` is called with the bytes so far, and raises when they are enough."""

    def __init__(self, stream: Any, check: Callable[[int], None]) -> None:
        self._stream = stream
        self._check = check

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            self._check(size)
            yield chunk

    def close(self) -> None:
        self._stream.close()


@contextmanager
def plain_errors(address: Address) -> Iterator[None]:
    """Whatever a call and the reading of its reply end in, as a ModelError that says where.

    Never chained to the original, whose request carries the key.
    """
    where = str(address)
    try:
        yield
    except Stopped as stopped:
        raise stopped.error from None
    except BadReplyError as error:
        raise BadReplyError(error.what, where=where) from None
    except httpx.HTTPError as error:
        raise no_answer(error, where) from None


def _without_tls(error: BaseException, where: str) -> ModelError | None:
    """For a host that is not who it says, or speaks no TLS: no other attempt would help. None for what may pass."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        hint = "If you trust it all the same, name the file of its authority in SSL_CERT_FILE"
        return ModelError(f"its certificate is not trusted ({cause.verify_message})", where=where, hint=hint)
    if cause is None or isinstance(cause, (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)):
        return None
    return ModelError(f"no TLS there ({cause.reason})", where=where, hint="Is it http:// instead of https://?")


def no_answer(error: Exception, where: str) -> ModelError:
    """For a lost connection, or none."""
    hint = "Is the endpoint running, and the address right?"
    return ModelError(f"no answer ({type(error).__name__})", where=where, hint=hint)


def printable(error: Exception) -> str:
    """One line without control characters, which would reach a terminal."""
    words = " ".join(str(error).split())
    return "".join(sign for sign in words if sign.isprintable())


def _on_thread(work: Callable[[], Any]) -> Future[Any]:
    """Work on a thread that neither Ctrl-C nor the end of the program waits for."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # handed to whoever waits for the result
            future.set_exception(error)

    threading.Thread(target=run, daemon=True, name="cliquerag-http").start()
    return future


def _same_server(here: Any, there: Any) -> bool:
    """The same host and port, or the same host by https instead of http."""
    if here.host != there.host:
        return False
    upgraded = (here.scheme, there.scheme, here.port, there.port) == ("http", "https", None, None)
    return upgraded or (here.scheme, here.port) == (there.scheme, there.port)
