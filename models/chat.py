"""The language model: one endpoint with a cache, a budget and as many calls at once as it bears."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from ..core.errors import ModelError, UsageError
from ..core.tokens import estimate_tokens
from .address import Limits, model_setting, split_setting
from .cache import Cache
from .endpoint import Answer, Endpoint
from .language import Budget, BudgetError, Message, Reply, Usage, price, user_prices
from .replies import BadReplyError, NoJSONError, UnreadableError, check_shape, parse_json, without_thoughts

__all__ = ["ChatModel", "load_language_model", "price"]

READINGS = 3
"""How often an answer that cannot be read is asked for again before it is an error."""

CONCURRENCY = 8
"""Calls at once: what a hosted endpoint bears without a rate limit; a server of one's own works one after another."""

PICTURE_TOKENS = 1_500
"""Tokens set aside for a picture: what the largest count of hosted endpoints is for one of our size."""

EXPECTED_OUTPUT = 500
"""Tokens set aside for an answer before any was seen."""


def load_language_model(
    model: str | None = None,
    *,
    base_url: str | None = None,
    cache: Cache | None = None,
    budget: Budget | None = None,
    limits: Limits | None = None,
    concurrency: int = CONCURRENCY,
) -> ChatModel | None:
    """The configured language model, or None where none is. Cheap: nothing is sent before the first question.

    ``model`` is a name or ``NAME@URL``; without it ``CLIQUERAG_MODEL`` decides. The address is ``base_url``, else
    ``OPENAI_BASE_URL``, else OpenAI's own. The key is ``OPENAI_API_KEY``, which servers of one's own do without.

    Raises:
        UsageError: OpenAI's own address without a key; a budget for a model whose price is not known.
    """
    setting = model_setting(model)
    if not setting:
        return None
    name, url = split_setting(setting)
    endpoint = Endpoint(name, url or base_url, limits)
    return ChatModel(endpoint, cache or Cache(), budget=budget, concurrency=concurrency)


class ChatModel:
    """A :class:`models.language.LanguageModel`. Blocking, safe for several threads and inside Jupyter.

    Every answer is in the cache before it is handed out and before its slot takes the next call: a killed run repeats
    at most the calls that were in the air.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        cache: Cache,
        *,
        budget: Budget | None = None,
        concurrency: int = CONCURRENCY,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
    ) -> None:
        self.name = endpoint.model
        self.usage = Usage()
        """All that this object has asked for so far."""
        self._endpoint = endpoint
        self._cache = cache
        self._budget = budget
        self._concurrency = concurrency
        self._temperature = temperature
        self._max_tokens = max_tokens
        self._lock = threading.Lock()
        if concurrency < 1:
            raise UsageError(f"concurrency must be at least 1, not {concurrency}")
        if budget and price(self.name, 0, 0) is None:
            hint = f"Add its price to {user_prices()}"
            raise UsageError(f"no price is known for {self.name}, so its cost cannot be limited", hint=hint)

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """The answer, from the cache where it was given before.

        Raises:
            ModelError: the endpoint fails, or its answers stay cut off or unreadable.
            BudgetError: the call could cost more than the budget has left.
        """
        key = self._key(messages, schema)
        return self._cached(key, schema) or self._ask(key, messages, schema)

    def replies(
        self,
        requests: Sequence[Sequence[Message]],
        *,
        schema: Mapping[str, Any] | None = None,
        failed: Callable[[int, ModelError], None] | None = None,
    ) -> Iterator[tuple[int, Reply]]:
        """(index, reply) as they come. Equal requests are asked once.

        The first failure stops what has not begun; what is in the air is still received, cached and given out, then
        the failure is raised. With ``failed`` a request that fails alone is reported to it, and the others go on.
        """
        groups: dict[bytes, list[int]] = {}
        for index, messages in enumerate(requests):
            groups.setdefault(self._key(messages, schema), []).append(index)
        pool = ThreadPoolExecutor(self._concurrency, thread_name_prefix="cliquerag-model")
        try:
            futures = {pool.submit(self.reply, requests[group[0]], schema=schema): group for group in groups.values()}
            yield from _collect(futures, failed)
        finally:
            # Whoever leaves early does not wait; what is in the air still reaches the cache.
            pool.shutdown(wait=False, cancel_futures=True)

    def stream(self, messages: Sequence[Message]) -> Generator[str, None, Usage]:
        """The parts of the answer as they come; all at once where it is cached. The generator returns what it cost.

        Raises:
            ModelError: as :meth:`reply`; the parts given out before it are not an answer.
        """
        key = self._key(messages, None)
        if cached := self._cached(key, None):
            yield cached.text
            return cached.usage
        reserved = self._reserve(messages)
        answer = Answer("", 0, 0)
        try:
            parts = self._endpoint.stream(messages, temperature=self._temperature, max_tokens=self._max_tokens)
            answer = yield from parts
        finally:
            used = self._settle(reserved, answer)
        if not answer.whole:
            raise ModelError("the answer is cut off at the token limit", where=self.name)
        self._remember(key, answer.text, used)
        return used

    def _ask(self, key: bytes, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> Reply:
        """Asks until the answer can be read; each reading that fails is told to the model."""
        usage, limit, turns = Usage(), self._max_tokens, list(messages)
        failure: ModelError = _unreadable("", self.name)
        problem, ignored = "", False
        for _ in range(READINGS):
            try:
                answer, used = self._call(turns, schema, limit, in_words=bool(problem))
                usage += used
                data = _read(answer, schema)
            except BadReplyError as error:
                failure = error
                continue
            except ValueError as error:
                problem, ignored = str(error), isinstance(error, NoJSONError)
                failure = _unreadable(problem, self.name)
                limit = limit and limit * 2
                turns = [*messages, _complaint(problem)]
                continue
            if ignored:
                self._endpoint.use_words()
            self._remember(key, answer.text, usage)
            return Reply(answer.text, usage, data)
        raise failure

    def _call(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, limit: int | None, *, in_words: bool
    ) -> tuple[Answer, Usage]:
        reserved = self._reserve(messages)
        answer = Answer("", 0, 0)
        try:
            answer = self._endpoint.complete(
                messages, schema, temperature=self._temperature, max_tokens=limit, in_words=in_words
            )
        finally:
            used = self._settle(reserved, answer)
        return answer, used

    def _reserve(self, messages: Sequence[Message]) -> float:
        """Sets aside what a call may cost, judged by its length and the answers so far."""
        if self._budget is None:
            return 0.0
        asked = sum(estimate_tokens(message.content) + PICTURE_TOKENS * len(message.pictures) for message in messages)
        with self._lock:
            usual = self.usage.output_tokens // self.usage.calls if self.usage.calls else EXPECTED_OUTPUT
        cost = price(self.name, asked, usual) or 0.0
        self._budget.reserve(cost)
        return cost

    def _settle(self, reserved: float, answer: Answer) -> Usage:
        """Books what a call used."""
        cost = price(self.name, answer.input_tokens, answer.output_tokens)
        used = Usage(answer.input_tokens, answer.output_tokens, 1, cost)
        with self._lock:
            self.usage += used
        if self._budget is not None:
            self._budget.settle(reserved, cost or 0.0)
        return used

    def _key(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> bytes:
        # Two servers may give two models one name: what one has answered is no answer of the other.
        where = self._endpoint.address.url.rstrip("/")
        chat = [_hashable(message) for message in messages]
        asked = [where, self.name, chat, self._temperature, self._max_tokens, schema]
        return blake2b(json.dumps(asked, sort_keys=True).encode(), digest_size=16).digest()

    def _cached(self, key: bytes, schema: Mapping[str, Any] | None) -> Reply | None:
        known = self._cache.reply(key)
        if known is None:
            return None
        text = without_thoughts(known[0])  # caches of earlier versions hold it with its reasoning
        data = None if schema is None else parse_json(text)
        return Reply(text, Usage(), data, cached=True)

    def _remember(self, key: bytes, text: str, usage: Usage) -> None:
        self._cache.put_reply(key, self.name, text, usage.input_tokens, usage.output_tokens)


def _hashable(message: Message) -> dict[str, Any]:
    """What of a message an answer depends on; pictures by their hashes, and left out where there are none."""
    plain: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.pictures:
        plain["pictures"] = [blake2b(png, digest_size=16).hexdigest() for png in message.pictures]
    return plain


def _complaint(problem: str) -> Message:
    return Message("user", f"(Your last answer could not be read: {problem}. Answer in full.)")


def _unreadable(problem: str, name: str) -> UnreadableError:
    hint = "Allow longer answers, ask for less at once, or use a model that follows JSON schemas"
    return UnreadableError(f"no readable answer in {READINGS} attempts ({problem})", where=name, hint=hint)


def _read(answer: Answer, schema: Mapping[str, Any] | None) -> Any:
    """The data of an answer. Raises ValueError where it is cut off or does not fit."""
    if not answer.whole:
        raise ValueError("it is cut off at the token limit")
    if schema is None:
        if not answer.text.strip():
            raise ValueError("it is empty")
        return None
    data = parse_json(answer.text)
    check_shape(data, schema)
    return data


def _collect(
    futures: Mapping[Future[Reply], Sequence[int]],
    failed: Callable[[int, ModelError], None] | None,
) -> Iterator[tuple[int, Reply]]:
    failure: ModelError | None = None
    for future in as_completed(futures):
        if future.cancelled():
            continue
        group = futures[future]
        try:
            reply = future.result()
        except ModelError as error:
            if failed is None or isinstance(error, BudgetError):
                failure = failure or error
                _cancel(futures)
                continue
            for index in group:
                failed(index, error)
            continue
        yield group[0], reply
        again = replace(reply, usage=Usage(), cached=True)
        yield from ((index, again) for index in group[1:])
    if failure is not None:
        raise failure


def _cancel(futures: Iterable[Future[Reply]]) -> None:
    """Those that have not begun."""
    for future in futures:
        future.cancel()
