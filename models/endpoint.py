"""One OpenAI-compatible chat endpoint: a request goes in, a whole answer comes out, or one clear error."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..core.errors import ModelError, UsageError
from ..core.tokens import estimate_tokens
from .address import Address, read_address
from .dialect import Dialect
from .language import Message
from .limits import Limits
from .openai_client import RETRIES, OpenAIClient, RefusedError
from .replies import Completion, Part, read_completion, read_part
from .thoughts import closing_of_unopened, visible_parts, without_thoughts

T = TypeVar("T")
PATH = "/chat/completions"

REFUSED = {400, 422, 501}
"""HTTP states that a request in plainer words may not meet."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an endpoint said, without reasoning. ``whole`` is False where it stopped at a token limit."""

    text: str
    input_tokens: int
    output_tokens: int
    whole: bool = True


class Endpoint:
    """Asks within ``limits``, and learns what the endpoint does not understand. Safe for several threads.

    Args:
        url: the address, of openai's own form; empty: ``OPENAI_BASE_URL``, then OpenAI's.
        retries: attempts after the first, for what may pass (429, 5xx, lost connections).

    Raises:
        UsageError: OpenAI's own address without the key ``OPENAI_API_KEY``; an address that is none.
    """

    def __init__(
        self, model: str, url: str | None = None, limits: Limits | None = None, retries: int = RETRIES
    ) -> None:
        self.model = model
        self.address = read_address(model, url or os.environ.get("OPENAI_BASE_URL", ""))
        if not self.address.url and not os.environ.get("OPENAI_API_KEY"):
            hint = "Set it, or OPENAI_BASE_URL for an endpoint of your own"
            raise UsageError("OPENAI_API_KEY is not set", where=f"model {model}", hint=hint)
        self.dialect = Dialect()
        self._client = OpenAIClient(self.address, limits or Limits(), retries)
        self._closing = ""
        """The mark that ends the reasoning of a model whose template writes the mark before it."""

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        in_words: bool = False,
    ) -> Answer:
        """One answer, without reasoning; ``in_words`` puts the schema into the messages whatever is understood.

        Raises:
            BadReplyError: the reply is not what the protocol says.
            ModelError: the endpoint refuses, fails at every attempt, or leaves the limits.
        """

        def call(dialect: Dialect) -> Completion:
            request = dialect.request(self.model, messages, schema, temperature, max_tokens)
            return self._client.post(PATH, request, read_completion)

        start = replace(self.dialect, structured="words") if in_words else self.dialect
        said, dialect = self._negotiate(call, start, structured=schema is not None)
        self.dialect = replace(dialect, structured=self.dialect.structured) if in_words else dialect
        self._closing = closing_of_unopened(said.text) or self._closing
        return _answer(without_thoughts(said.text), said, messages)

    def stream(
        self, messages: Sequence[Message], *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Answer]:
        """The parts of one answer as they come, without reasoning; the generator returns the whole.

        Raises:
            ModelError: as :meth:`complete`, and when the stream breaks off: what was given out then is not an answer.
        """

        def call(dialect: Dialect) -> Generator[Part, None, None]:
            request = dialect.request(self.model, messages, None, temperature, max_tokens)
            return self._client.stream(PATH, dialect.streamed(request), read_part)

        parts, self.dialect = self._negotiate(call, self.dialect, streamed=True)
        heard = _Heard(self.address)
        shown: list[str] = []
        with closing(parts):
            for part in visible_parts(heard.texts(parts), self._closing):
                shown.append(part)
                yield part
        said = heard.completion()
        self._closing = closing_of_unopened(said.text) or self._closing
        return _answer("".join(shown), said, messages)

    def use_words(self) -> None:
        """From now on schemas are put in words: the endpoint takes the parameter, but does not heed it."""
        self.dialect = replace(self.dialect, structured="words")

    def _negotiate(
        self, call: Callable[[Dialect], T], dialect: Dialect, *, structured: bool = False, streamed: bool = False
    ) -> tuple[T, Dialect]:
        """Puts the request ever more plainly while it is refused; returns what was understood at last."""
        while True:
            try:
                return call(dialect), dialect
            except RefusedError as error:
                if error.status not in REFUSED:
                    raise
                plainer = dialect.plainer(error.words, structured=structured, streamed=streamed)
                if plainer is None:
                    raise
                dialect = plainer


class _Heard:
    """What a stream has brought so far, with the reasoning."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._pieces: list[str] = []
        self._finish = ""
        self._asked: int | None = None
        self._given: int | None = None

    def texts(self, parts: Iterator[Part]) -> Iterator[str]:
        """The text of each part."""
        for part in parts:
            self._finish = part.finish or self._finish
            if part.output_tokens is not None:
                self._asked, self._given = part.input_tokens, part.output_tokens
            if part.text:
                self._pieces.append(part.text)
                yield part.text

    def completion(self) -> Completion:
        """Raises ModelError where the end of the answer did not come."""
        if not self._finish:
            raise ModelError("the answer broke off", where=str(self._address), hint="Ask again")
        return Completion("".join(self._pieces), self._asked, self._given, whole=self._finish != "length")


def _answer(text: str, said: Completion, messages: Sequence[Message]) -> Answer:
    """The answer without its reasoning, with estimates where the endpoint does not count."""
    asked, given = said.input_tokens, said.output_tokens
    if asked is None:
        asked = sum(estimate_tokens(message.content) for message in messages)
    if given is None:
        given = estimate_tokens(said.text)
    return Answer(text, asked, given, said.whole)
