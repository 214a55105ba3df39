"""The language model as the rest of the package sees it: messages, replies, what a call costs and a limit on that."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, MutableSequence, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, cast

from ..core.errors import ModelError, UsageError
from ..core.patterns import on_demand
from ..core.records import dataclass
from ..core.rules import load_rules, read_rules

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


_SNAPSHOT = on_demand(r"[-@:]\d[\d.-]{0,40}$")
MILLION = 1_000_000


def price(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """US dollars for a call, or for many; None where the model's price is not known.

    >>> price("openai/gpt-4o-2024-11-20", 1_000_000, 100_000)
    3.5
    >>> price("a-model-of-my-own", 1, 1) is None
    True
    """
    own = user_prices()
    table = dict(load_rules(__package__, "prices.toml"))
    if own.is_file():
        table.update(_own_table(own))
    name = model.rpartition("/")[2]
    entry = table.get(model) or table.get(name) or table.get(_SNAPSHOT.sub("", name))
    if entry is None:
        return None
    try:
        return (input_tokens * float(entry["input"]) + output_tokens * float(entry["output"])) / MILLION
    except (KeyError, TypeError, ValueError) as error:
        hint = "Write input = ... and output = ..., in dollars a million tokens"
        raise UsageError(f"no price for {model}", where=str(own), hint=hint) from error


def user_prices() -> Path:
    """The file of a user's own prices, there or not: ``CLIQUERAG_PRICES``, else in the user's configuration folder."""
    import platformdirs

    named = os.environ.get("CLIQUERAG_PRICES")
    folder = platformdirs.user_config_dir("cliquerag", appauthor=False)
    return Path(named).expanduser() if named else Path(folder) / "prices.toml"


@cache
def _own_table(path: Path) -> Mapping[str, Any]:
    return read_rules(path)


_SPENT, _RESERVED = 0, 1


class BudgetError(ModelError):
    """The next call could cost more than is left. What was received before is kept."""


class Budget:
    """At most ``max_cost`` US dollars. Safe for several threads; one made ``across_processes`` for several processes.

    A call first reserves what it may cost, so that calls in the air cannot break the limit together.

    >>> budget = Budget(1.0)
    >>> budget.reserve(0.75); budget.settle(0.75, 0.5)
    >>> budget.reserve(0.75)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cliquerag.models.language.BudgetError: the budget of $1.00 is used up ($0.50 spent)...
    """

    def __init__(self, max_cost: float) -> None:
        self.max_cost = max_cost
        self._sums: MutableSequence[float] = [0.0, 0.0]
        self._lock: AbstractContextManager[Any] = threading.RLock()

    @classmethod
    def across_processes(cls, max_cost: float) -> Budget:
        """One that may be handed to processes as they start (by ``spawn``): all of them count in the same place."""
        from multiprocessing import get_context

        budget = cls(max_cost)
        shared = get_context("spawn").Array("d", 2)
        budget._sums, budget._lock = cast("MutableSequence[float]", shared), shared.get_lock()
        return budget

    @property
    def spent(self) -> float:
        """US dollars so far."""
        return self._sums[_SPENT]

    def reserve(self, cost: float) -> None:
        """Sets ``cost`` aside. Raises BudgetError where that would go over the limit."""
        with self._lock:
            if self._sums[_SPENT] + self._sums[_RESERVED] + cost > self.max_cost:
                raise BudgetError(
                    f"the budget of ${self.max_cost:.2f} is used up (${self.spent:.2f} spent)",
                    hint="Run the same again with a higher --max-cost: answers received so far are cached and free",
                )
            self._sums[_RESERVED] += cost

    def settle(self, reserved: float, cost: float) -> None:
        """Turns a reservation into what the call did cost."""
        with self._lock:
            self._sums[_RESERVED] -= reserved
            self._sums[_SPENT] += cost
