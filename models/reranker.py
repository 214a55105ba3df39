"""A cross-encoder: says how well a passage answers a question. By name, or behind an endpoint."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ..core.errors import ModelError, UsageError
from .address import read_address, split_setting
from .limits import Limits
from .parsing import load_json, whole_text
from .replies import BadReplyError, read_scores

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
        try:
            return read_scores(self._post(asked), len(texts))
        except BadReplyError as error:
            raise BadReplyError(error.what, where=str(self._address)) from None

    def _post(self, asked: dict[str, Any]) -> Any:
        from .http_client import Stopped, httpx

        where = str(self._address)
        url = self._address.url.rstrip("/")
        key = os.environ.get("RERANK_API_KEY") or os.environ.get("OPENAI_API_KEY")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        client = self._begin()
        try:
            reply = client.post(url if url.endswith("/rerank") else f"{url}/rerank", json=asked, headers=headers)
            if reply.status_code != 200:
                raise ModelError(f"the reranker refused (HTTP {reply.status_code})", where=where)
            return load_json(reply.content)
        except Stopped as stopped:
            raise stopped.error from None
        except httpx.HTTPError as error:
            raise ModelError(f"no answer ({type(error).__name__})", where=where, hint="Is it running?") from None
        except ValueError as error:
            raise BadReplyError(f"the reply is no JSON ({error})"[:200]) from None

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
