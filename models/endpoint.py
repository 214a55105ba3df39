"""One OpenAI-compatible chat endpoint: a request goes in, a whole answer comes out, or one clear error."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from ..core.errors import ModelError, UsageError
from ..core.tokens import estimate_tokens
from .dialect import Dialect
from .language import Message
from .retry import LONGEST_WAIT, Backoff, Gate, retry_after

T = TypeVar("T")
PASSING = {200, 408, 409, 429, 500, 502, 503, 504, 529}
"""HTTP states that a later attempt may not meet; 200 is an answer that does not keep to the protocol."""

REFUSED = {400, 422, 501}
"""HTTP states that a request in plainer words may not meet."""

PATIENCE = 5
"""Rate limits pass for certain, and several slots compete for what they let through: this many times more attempts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an endpoint said. ``whole`` is False where it stopped at a token limit."""

    text: str
    input_tokens: int
    output_tokens: int
    whole: bool = True


class Endpoint:
    """Retries what passes (429, 5xx, timeouts, lost connections), holds all slots back on a rate limit, and learns
    what the endpoint does not understand. Safe for several threads. The key comes from ``OPENAI_API_KEY`` only.

    Args:
        timeout: seconds without a byte after which a call is given up.
        attempts: how often a request is sent before its failure is reported.

    Raises:
        UsageError: OpenAI's own address without a key.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        timeout: float = 120.0,
        attempts: int = 6,
        backoff: Backoff | None = None,
    ) -> None:
        self.model = model
        self.url = base_url or os.environ.get("OPENAI_BASE_URL") or ""
        if not self.url and not os.environ.get("OPENAI_API_KEY"):
            hint = "Set it, or OPENAI_BASE_URL for an endpoint of your own"
            raise UsageError("OPENAI_API_KEY is not set", where=f"model {model}", hint=hint)
        self.dialect = Dialect()
        self._timeout = timeout
        self._attempts = attempts
        self._backoff = backoff or Backoff()
        self._gate = Gate()
        self._lock = threading.Lock()
        self._client: Any = None

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        in_words: bool = False,
    ) -> Answer:
        """One answer. ``in_words`` puts the schema into the messages whatever the endpoint is thought to understand.

        Raises:
            ModelError: the endpoint refuses, or fails at every attempt.
        """

        def call(dialect: Dialect) -> Answer:
            completion = self._create(
                messages=dialect.messages(messages, schema),
                **dialect.parameters(schema, temperature, max_tokens),
            )
            return _answer(completion, messages)

        start = replace(self.dialect, structured="words") if in_words else self.dialect
        answer, dialect = self._negotiate(call, start, structured=schema is not None)
        self.dialect = replace(dialect, structured=self.dialect.structured) if in_words else dialect
        return answer

    def stream(
        self, messages: Sequence[Message], *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Answer]:
        """The parts of one answer as they come; the generator returns the whole.

        Raises:
            ModelError: as :meth:`complete`, and when the stream breaks off: what was given out then is not an answer.
        """

        def call(dialect: Dialect) -> Any:
            return self._create(
                messages=dialect.messages(messages, None),
                stream=True,
                **dialect.parameters(None, temperature, max_tokens),
            )

        chunks, self.dialect = self._negotiate(call, self.dialect, structured=False)
        parts: list[str] = []
        finish = ""
        try:
            for chunk in chunks:
                for choice in chunk.choices[:1]:
                    finish = choice.finish_reason or finish
                    if part := choice.delta.content:
                        parts.append(part)
                        yield part
        except _failures() as error:
            raise self._explain(error) from None
        finally:
            chunks.close()
        if not finish:
            raise ModelError("the answer broke off", where=self._where, hint="Ask again")
        text = "".join(parts)
        return Answer(text, _count(messages), estimate_tokens(text), whole=finish != "length")

    def use_words(self) -> None:
        """From now on schemas are put in words: the endpoint takes the parameter, but does not heed it."""
        self.dialect = replace(self.dialect, structured="words")

    def _negotiate(self, call: Callable[[Dialect], T], dialect: Dialect, *, structured: bool) -> tuple[T, Dialect]:
        """Puts the request ever more plainly while it is refused; returns what was understood at last."""
        import openai

        while True:
            try:
                return self._retry(call, dialect), dialect
            except openai.APIStatusError as error:
                plainer = dialect.plainer(str(error), structured=structured)
                if plainer is None:
                    raise self._explain(error) from None
                dialect = plainer

    def _retry(self, call: Callable[[Dialect], T], dialect: Dialect) -> T:
        attempt = 0
        while True:
            self._gate.wait()
            try:
                return call(dialect)
            except _failures() as error:
                if getattr(error, "status_code", None) in REFUSED:
                    raise
                self._pause(error, attempt)
                attempt += 1

    def _pause(self, error: Exception, attempt: int) -> None:
        """Waits before the next attempt; raises ModelError where there is no use in one."""
        status = getattr(error, "status_code", None)
        hopeless = status is not None and status not in PASSING
        attempts = self._attempts * (PATIENCE if status == 429 else 1)
        if hopeless or attempt + 1 >= attempts or getattr(error, "code", None) == "insufficient_quota":
            raise self._explain(error) from None
        asked = retry_after(error.response.headers) if status is not None else None  # type: ignore[attr-defined]
        if asked is not None and asked > LONGEST_WAIT:
            raise ModelError(f"the endpoint asks to wait {asked:.0f} seconds", where=self._where) from None
        delay = self._backoff.delay(attempt)
        if status == 429:
            self._gate.close_for(delay if asked is None else asked)
        else:
            time.sleep(max(delay, asked or 0.0))

    def _create(self, **request: Any) -> Any:
        return self._connect().chat.completions.create(model=self.model, **request)

    def _connect(self) -> Any:
        with self._lock:
            if self._client is None:
                import openai

                # Servers of one's own need no key, but the client insists on one.
                key = os.environ.get("OPENAI_API_KEY") or "none"
                self._client = openai.OpenAI(
                    api_key=key, base_url=self.url or None, timeout=self._timeout, max_retries=0
                )
            return self._client

    @property
    def _where(self) -> str:
        return f"{self.model} at {self.url or 'api.openai.com'}"

    def _explain(self, error: Exception) -> ModelError:
        """The error in our words. Never chained to the original, whose request carries the key."""
        status = getattr(error, "status_code", None)
        if status in (401, 403):
            return ModelError(f"the key was refused (HTTP {status})", where=self._where, hint="Check OPENAI_API_KEY")
        if status == 404:
            return ModelError("no such model or address (HTTP 404)", where=self._where)
        if status is not None:
            return ModelError(f"HTTP {status}: {self._redact(str(error))[:300]}", where=self._where)
        hint = "Is the endpoint running, and the address right?"
        return ModelError(f"no answer ({type(error).__name__})", where=self._where, hint=hint)

    def _redact(self, text: str) -> str:
        key = os.environ.get("OPENAI_API_KEY")
        return text.replace(key, "***") if key else text


@cache
def _failures() -> tuple[type[Exception], ...]:
    """What a call may end in. ValueError: an answer that is not what the protocol says, such as a cut-off body."""
    import openai

    # Streams let the errors of the HTTP library through: httpx below openai 3, httpx2 from there on.
    libraries = [import_module(name) for name in ("httpx", "httpx2") if find_spec(name)]
    return (openai.OpenAIError, ValueError, *(library.HTTPError for library in libraries))


def _answer(completion: Any, messages: Sequence[Message]) -> Answer:
    choices = getattr(completion, "choices", None)
    if not choices or choices[0].message is None:
        raise ValueError("an answer without choices")
    text = choices[0].message.content or ""
    usage = completion.usage
    return Answer(
        text=text,
        input_tokens=usage.prompt_tokens if usage else _count(messages),
        output_tokens=usage.completion_tokens if usage else estimate_tokens(text),
        whole=choices[0].finish_reason != "length",
    )


def _count(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(message.content) for message in messages)
