"""A cross-encoder: says how well a passage answers a question. By name, or behind an endpoint."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any, Protocol

from ..core.errors import ModelError, UsageError

TIMEOUT = 20.0
"""Seconds: a search that waits longer is better off without."""
LONGEST = 4000
"""Characters of a passage that are sent: about a thousand tokens, twice what the usual models read."""


class Reranker(Protocol):
    """``name`` goes into traces."""

    name: str

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, in the order given; only the order of the scores counts. Raises ModelError."""


def load_reranker(setting: str) -> Reranker | None:
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
    model, at, url = rest.partition("@")
    if kind == "endpoint" and model and at and url.startswith(("http://", "https://")):
        return EndpointReranker(model, url)
    if kind == "local" and rest:
        return LocalReranker(rest)
    raise UsageError("names no reranker", where=f"rerank = {setting}", hint="Say endpoint:MODEL@URL or local:NAME")


class EndpointReranker:
    """``POST /rerank``: model, query and documents go out, indices with relevance scores come back.

    The key, where one is needed, is ``RERANK_API_KEY``, else ``OPENAI_API_KEY``.
    """

    def __init__(self, model: str, url: str, *, timeout: float = TIMEOUT) -> None:
        self.name = model
        self._url = url.rstrip("/") if url.rstrip("/").endswith("/rerank") else f"{url.rstrip('/')}/rerank"
        self._timeout = timeout

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        documents = [text[:LONGEST] for text in texts]
        asked = {"model": self.name, "query": question, "documents": documents, "top_n": len(texts)}
        scores = self._read(self._post(asked))
        if set(scores) != set(range(len(texts))):
            raise ModelError(f"{len(scores)} scores for {len(texts)} passages", where=self._url)
        return [scores[index] for index in range(len(texts))]

    def _post(self, asked: dict[str, Any]) -> Any:
        key = os.environ.get("RERANK_API_KEY") or os.environ.get("OPENAI_API_KEY") or ""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        request = urllib.request.Request(self._url, json.dumps(asked).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            raise ModelError(f"the reranker refused (HTTP {error.code})", where=self._url) from None
        except (OSError, ValueError) as error:
            raise ModelError(f"no answer ({type(error).__name__})", where=self._url, hint="Is it running?") from None

    def _read(self, reply: Any) -> dict[int, float]:
        try:
            found = reply.get("results", reply.get("data"))
            return {int(item["index"]): float(item.get("relevance_score", item.get("score"))) for item in found}
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ModelError("the answer has no scores", where=self._url) from None


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
