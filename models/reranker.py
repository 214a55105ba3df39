"""A cross-encoder: says how well a passage answers a question. By name, or behind an endpoint."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from ..core.errors import ModelError, UsageError
from .address import Limits, read_address, read_key, split_setting
from .replies import read_json, read_scores, whole_text

if TYPE_CHECKING:
    from .http_client import BoundedClient

TIMEOUT = 20.0
"""Seconds at most: a search that waits longer is better off without."""
LONGEST = 4000
"""Characters of a passage that are sent: about a thousand tokens, twice what the usual models read."""


class Reranker(Protocol):
    """``name`` goes into traces."""

    name: str

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, in the order given; only the order of the scores counts. Raises ModelError."""


def load_reranker(setting: str, limits: Limits | None = None) -> Reranker | None:
    """The reranker that ``setting`` names; None for none. Cheap: nothing loads or is sent before the first question.

    - empty or ``none``: None
    - ``endpoint:MODEL@URL``: ``POST URL/rerank`` as Cohere, Jina, vLLM and others have it
    - ``local:NAME``: a cross-encoder of sentence-transformers, with the extra ``local``

    Raises:
        UsageError: the setting is none of these.

    >>> load_reranker("endpoint:bge-reranker@http://localhost:8000/v1").name
    'bge-reranker'
    """
    if setting in ("", "none"):
        return None
    kind, _, rest = setting.partition(":")
    model, url = split_setting(rest)
    if kind == "endpoint" and model and url:
        return EndpointReranker(model, url, limits)
    if kind == "local" and rest:
        return LocalReranker(rest)
    raise UsageError("names no reranker", where=f"rerank = {setting}", hint="Say endpoint:MODEL@URL or local:NAME")


class EndpointReranker:
    """``POST /rerank``: model, query and documents go out, indices with relevance scores come back.

    The key, where one is needed, is ``RERANK_API_KEY``, else ``OPENAI_API_KEY``. One attempt, for a search waits.
    """

    def __init__(self, model: str, url: str, limits: Limits | None = None) -> None:
        self.name = model
        self._address = read_address(model, url)
        self._url = f"{self._address.url.rstrip('/').removesuffix('/rerank')}/rerank"
        limits = limits or Limits()
        self._limits = replace(limits, timeout=min(TIMEOUT, limits.timeout))
        self._lock = threading.Lock()
        self._client: BoundedClient | None = None

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Raises ModelError where the endpoint refuses, is not there, or gives no score for a text."""
        if not texts:
            return []
        documents = [whole_text(text[:LONGEST]) for text in texts]
        asked = {"model": self.name, "query": whole_text(question), "documents": documents, "top_n": len(texts)}
        return self._post(asked, partial(read_scores, count=len(texts)))

    def _post(self, asked: dict[str, Any], read: Callable[[Any], list[float]]) -> list[float]:
        from .http_client import plain_errors

        key = read_key("RERANK_API_KEY", "OPENAI_API_KEY")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        client = self._begin()
        with plain_errors(self._address):
            reply = client.post(self._url, json=asked, headers=headers)
            if reply.status_code != 200:
                raise ModelError(f"the reranker refused (HTTP {reply.status_code})", where=str(self._address))
            return read(read_json(reply.content))

    def _begin(self) -> BoundedClient:
        """The client, the time of whose next call in this thread has begun."""
        with self._lock:
            if self._client is None:
                from .http_client import BoundedClient

                self._client = BoundedClient(self._address, self._limits)
        self._client.begin()
        return self._client


class LocalReranker:
    """A cross-encoder by name, loaded by sentence-transformers when it is first asked."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._model: Any = None

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        model = self._load()
        return [float(score) for score in model.predict([(question, text[:LONGEST]) for text in texts])]

    def _load(self) -> Any:
        if self._model is None:
            try:
                from sentence_transformers import CrossEncoder
            except ImportError:
                hint = 'Install the extra: pip install "cliquerag[local]"'
                raise ModelError(
                    "sentence-transformers is not installed", where=f"local:{self.name}", hint=hint
                ) from None
            try:
                self._model = CrossEncoder(self.name)
            except (OSError, ValueError) as error:
                raise ModelError(f"cannot be loaded ({error})"[:300], where=f"local:{self.name}") from None
        return self._model
