"""The language model as the rest of the package sees it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ..core.errors import ModelError

Failed = Callable[[int, ModelError], None]
"""Told of a request that failed alone, by its index."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str
    pictures: tuple[bytes, ...] = field(default=(), repr=False)
    """PNGs that the model is to look at, for models that can."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint reports them; estimated where it reports none."""

    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    cost: float | None = None
    """In US dollars, where the prices of the model are known."""

    def since(self, before: Usage) -> Usage:
        """What was spent after ``before`` was."""
        cost = None if self.cost is None else self.cost - (before.cost or 0.0)
        return Usage(
            self.input_tokens - before.input_tokens,
            self.output_tokens - before.output_tokens,
            self.calls - before.calls,
            cost,
        )

    def __add__(self, other: Usage) -> Usage:
        known = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.calls + other.calls,
            sum(known) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer. ``data`` is the parsed JSON where a schema was asked for."""

    text: str
    usage: Usage
    data: Any = None
    cached: bool = False


class LanguageModel(Protocol):
    """Chat with a model. ``name`` goes into cache keys and answers.

    ``schema`` is a JSON schema: used natively where the endpoint has structured output, else asked for in words and
    parsed tolerantly. Raises :class:`core.errors.ModelError`; never returns half an answer.
    """

    name: str

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply: ...

    def replies(
        self,
        requests: Sequence[Sequence[Message]],
        *,
        schema: Mapping[str, Any] | None = None,
        failed: Failed | None = None,
    ) -> Iterator[tuple[int, Reply]]:
        """Several at once, in bounded concurrency; (index, reply) as they come, each cached before it is handed out.

        With ``failed`` a request that fails is reported to it, and the others go on.
        """

    def stream(self, messages: Sequence[Message]) -> Iterator[str]: ...


class CountedModel:
    """A language model with a ``usage`` of its own: what all calls through it cost, whoever else asks the same model.

    A stream counts where it is a generator that returns its :class:`Usage`.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.name = model.name
        self.usage = Usage()
        self._model = model
        self._lock = threading.Lock()

    def reply(self, messages: Sequence[Message], **options: Any) -> Reply:
        """As the model's."""
        reply = self._model.reply(messages, **options)
        self._count(reply.usage)
        return reply

    def replies(self, requests: Sequence[Sequence[Message]], **options: Any) -> Iterator[tuple[int, Reply]]:
        """As the model's."""
        for index, reply in self._model.replies(requests, **options):
            self._count(reply.usage)
            yield index, reply

    def stream(self, messages: Sequence[Message]) -> Generator[str, None, None]:
        """As the model's."""
        parts: Any = self._model.stream(messages)
        used = yield from parts
        if used is not None:
            self._count(used)

    def _count(self, used: Usage) -> None:
        with self._lock:
            self.usage += used
