"""One OpenAI-compatible chat endpoint: a request goes in, a whole answer comes out, or one clear error.

Servers differ in what they understand of it (structured output, sampling), which is learned as they refuse it.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Literal, TypeVar

from ..core.errors import ModelError, UsageError
from ..core.records import dataclass
from ..core.tokens import estimate_tokens
from .address import Address, Limits, read_address
from .language import Message
from .openai_client import RETRIES, OpenAIClient, RefusedError
from .replies import (
    Completion,
    Part,
    closing_of_unopened,
    read_completion,
    read_part,
    visible_parts,
    whole_text,
    without_thoughts,
)

Structured = Literal["schema", "object", "words"]

_PLAINER: dict[Structured, Structured] = {"schema": "object", "object": "words"}
_COMPLAINTS = (("temperature", "temperature", False), ("max_completion_tokens", "completion_tokens", True))
"""Word of a refusal -> what is put otherwise, and how."""
_IN_WORDS = "Answer with one JSON value that fits this JSON schema, and with nothing else:\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to put a request. ``structured`` is how JSON is asked for; the rest says which parameters are understood."""

    structured: Structured = "schema"
    temperature: bool = True
    completion_tokens: bool = False
    """The limit is called ``max_completion_tokens``, as reasoning models want it."""
    stream_usage: bool = True
    """A stream ends with the tokens that it cost, where that is asked for."""

    def request(
        self,
        model: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        temperature: float | None,
        max_tokens: int | None,
    ) -> dict[str, Any]:
        """The body of ``POST /chat/completions``."""
        limit = "max_completion_tokens" if self.completion_tokens else "max_tokens"
        wishes = {
            "temperature": temperature if self.temperature else None,
            limit: max_tokens,
            "response_format": self._response_format(schema),
        }
        understood = {name: wish for name, wish in wishes.items() if wish is not None}
        return {"model": model, "messages": self.messages(messages, schema), **understood}

    def _response_format(self, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """How JSON is asked for by a parameter; None where it is not, or is asked for in words."""
        if schema is None or self.structured == "words":
            return None
        if self.structured == "object":
            return {"type": "json_object"}
        named = {
            "name": "answer",
            "schema": dict(schema),
            "strict": is_strict(schema),
        }
        return {"type": "json_schema", "json_schema": named}

    def streamed(self, request: dict[str, Any]) -> dict[str, Any]:
        """The body of the same request for a stream."""
        if self.stream_usage:
            return {**request, "stream": True, "stream_options": {"include_usage": True}}
        return {**request, "stream": True}

    def messages(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """The messages, with the schema in words where the endpoint does not take it otherwise."""
        turns = [{"role": message.role, "content": _content(message)} for message in messages]
        if schema is None or self.structured == "schema":
            return turns
        words = _IN_WORDS + json.dumps(schema, ensure_ascii=False)
        if turns[0]["role"] != "system":
            return [{"role": "system", "content": words}, *turns]
        system, *others = turns
        instructed = {"role": "system", "content": f"{system['content']}\n\n{words}"}
        return [instructed, *others]

    def plainer(self, refusal: str, *, structured: bool, streamed: bool) -> Dialect | None:
        """What to try after the endpoint refused a request with these words; None when nothing is left to leave out."""
        for word, field, value in _COMPLAINTS:
            if word in refusal and getattr(self, field) != value:
                otherwise: dict[str, Any] = {field: value}
                return replace(self, **otherwise)
        if streamed and self.stream_usage:
            return replace(self, stream_usage=False)
        if structured and self.structured in _PLAINER:
            return replace(self, structured=_PLAINER[self.structured])
        return None


def _content(message: Message) -> str | list[dict[str, Any]]:
    """The text, and after it the pictures as parts of their own, as multimodal endpoints take them."""
    text = whole_text(message.content)
    if not message.pictures:
        return text
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}]
    for png in message.pictures:
        address = f"data:image/png;base64,{b64encode(png).decode('ascii')}"
        parts.append({"type": "image_url", "image_url": {"url": address}})
    return parts


def is_strict(schema: Any) -> bool:
    """Whether every object of the schema is closed and complete, as strict structured output demands.

    >>> is_strict({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})
    False
    """
    if isinstance(schema, list):
        return all(is_strict(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" and not _is_closed(schema):
        return False
    return all(is_strict(part) for part in schema.values())


def _is_closed(schema: Mapping[str, Any]) -> bool:
    """Nothing but the named properties may be there, and all of them have to be."""
    if schema.get("additionalProperties") is not False:
        return False
    required = set(schema.get("required", ()))
    return required == set(schema.get("properties", {}))


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
