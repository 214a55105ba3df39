"""Chat and embedding calls through the openai package: attempts and keys are its, the bounds and the errors ours."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError
from .address import Address
from .limits import Limits
from .parsing import load_json
from .replies import BadReplyError

if TYPE_CHECKING:
    from .http_client import BoundedClient

RETRIES = 8
"""After a rate limit, an error of the server or a lost connection: some 40 seconds of pauses, and more where the
endpoint asks for it. Five were too few for a limit of one call a second and eight threads: 1 of 24 was not answered."""


class RefusedError(ModelError):
    """The endpoint understood, and refused. ``status`` is HTTP's, ``words`` are the endpoint's own."""

    def __init__(self, what: str, *, where: str = "", hint: str = "", status: int = 0, words: str = "") -> None:
        super().__init__(what, where=where, hint=hint)
        self.status, self.words = status, words


class OpenAIClient:
    """Posts JSON to one address. Safe for several threads; nothing is loaded before the first call.

    The key is ``OPENAI_API_KEY``, which servers of one's own do without.
    """

    def __init__(self, address: Address, limits: Limits, retries: int) -> None:
        self._address = address
        self._limits = limits
        self._retries = retries
        self._lock = threading.Lock()
        self._clients: tuple[Any, BoundedClient] | None = None

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON of the reply.

        Raises:
            RefusedError: the endpoint answers with an error, at every attempt where that may pass.
            BadReplyError: the reply is no JSON.
            ModelError: no answer, or none within the limits.
        """
        from .http_client import httpx

        with self._explained():
            client = self._begin()
            reply = client.post(path, body=body, cast_to=httpx.Response)
            return load_json(reply.content)

    def stream(self, path: str, body: dict[str, Any]) -> Generator[Any, None, None]:
        """The JSON of each event, as they come; raises as :meth:`post`. What refuses has refused on return."""
        import openai

        with self._explained():
            client = self._begin()
            events = client.post(path, body=body, cast_to=object, stream=True, stream_cls=openai.Stream[object])
        return self._events(events)

    def _events(self, events: Any) -> Generator[Any, None, None]:
        try:
            with self._explained():
                yield from events
        finally:
            events.close()

    def _begin(self) -> Any:
        """openai's client, the time of whose next call in this thread has begun."""
        with self._lock:
            if self._clients is None:
                import openai

                from .http_client import BoundedClient

                bounded = BoundedClient(self._address, self._limits)
                client = openai.OpenAI(
                    api_key=os.environ.get("OPENAI_API_KEY") or "none",  # it insists on one
                    base_url=self._address.url or None,
                    http_client=bounded,
                    max_retries=self._retries,
                )
                self._clients = client, bounded
            client, bounded = self._clients
        bounded.begin()
        return client

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors in our words. Never chained to the original, whose request carries the key."""
        import openai

        from .http_client import Stopped, httpx

        where = str(self._address)
        try:
            yield
        except Stopped as stopped:
            raise stopped.error from None
        except openai.APIStatusError as error:
            raise _refused(error.status_code, _printable(error), where) from None
        except (openai.APIConnectionError, httpx.HTTPError) as error:
            hint = "Is the endpoint running, and the address right?"
            raise ModelError(f"no answer ({type(error).__name__})", where=where, hint=hint) from None
        except openai.OpenAIError as error:
            raise ModelError(_printable(error)[:300], where=where) from None
        except (ValueError, RecursionError) as error:
            raise BadReplyError(f"the reply is no JSON ({_printable(error)[:100]})", where=where) from None


def _refused(status: int, words: str, where: str) -> RefusedError:
    what, hint = f"HTTP {status}: {words[:300]}", ""
    if status in (401, 403):
        what, hint = f"the key was refused (HTTP {status})", "Check OPENAI_API_KEY"
    elif status == 404:
        what = "no such model or address (HTTP 404)"
    return RefusedError(what, where=where, hint=hint, status=status, words=words)


def _printable(error: Exception) -> str:
    """One line without control characters, which would reach a terminal."""
    return "".join(sign for sign in " ".join(str(error).split()) if sign.isprintable())
