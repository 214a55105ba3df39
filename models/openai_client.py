"""Chat and embedding calls through the openai package: attempts and keys are its, the bounds and the errors ours."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.errors import ModelError
from .address import Address, Limits, read_key
from .replies import BadReplyError, read_json

if TYPE_CHECKING:
    from .http_client import BoundedClient

T = TypeVar("T")
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

    def post(self, path: str, body: dict[str, Any], read: Callable[[Any], T]) -> T:
        """What ``read`` makes of the JSON of the reply.

        Raises:
            RefusedError: the endpoint answers with an error, at every attempt where that may pass.
            BadReplyError: the reply is no JSON, or not what ``read`` takes.
            ModelError: no answer, or none within the limits.
        """
        from .http_client import httpx

        with self._explained():
            client = self._begin()
            reply = client.post(path, body=body, cast_to=httpx.Response)
            return read(read_json(reply.content))

    def stream(self, path: str, body: dict[str, Any], read: Callable[[Any], T]) -> Generator[T, None, None]:
        """The same of each event, as they come; raises as :meth:`post`. What refuses has refused on return."""
        import openai

        with self._explained():
            client = self._begin()
            events = client.post(path, body=body, cast_to=object, stream=True, stream_cls=openai.Stream[object])
        return self._events(events, read)

    def _events(self, events: Any, read: Callable[[Any], T]) -> Generator[T, None, None]:
        try:
            with self._explained():
                for event in events:
                    yield read(event)
        except (ValueError, RecursionError) as error:  # openai reads the JSON of events
            where = str(self._address)
            raise BadReplyError(f"an event is no JSON ({error})"[:200], where=where) from None
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
                    api_key=read_key("OPENAI_API_KEY") or "none",  # it insists on one
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
        """Errors in our words."""
        import openai

        from .http_client import no_answer, plain_errors, printable

        where = str(self._address)
        with plain_errors(self._address):
            try:
                yield
            except openai.APIStatusError as error:
                raise _refused(error.status_code, printable(error), where) from None
            except openai.APIConnectionError as error:
                raise no_answer(error, where) from None
            except openai.OpenAIError as error:
                raise ModelError(printable(error)[:300], where=where) from None


def _refused(status: int, words: str, where: str) -> RefusedError:
    what, hint = f"HTTP {status}: {words[:300]}", ""
    if status in (401, 403):
        what, hint = f"the key was refused (HTTP {status})", "Check OPENAI_API_KEY"
    elif status == 404:
        what = "no such model or address (HTTP 404)"
    return RefusedError(what, where=where, hint=hint, status=status, words=words)
