"""Vectors from an OpenAI-compatible endpoint."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError, UsageError

if TYPE_CHECKING:
    import numpy as np

BATCH = 128
"""Texts a request: well below the limits of the endpoints we know (2048 texts, 300,000 tokens)."""

MAX_CHARACTERS = 16_000
"""Longer texts are cut: about 4,000 tokens of English, 8,000 being the usual limit of an input."""


class EndpointEmbedder:
    """An :class:`models.embedder.Embedder` behind ``POST /embeddings``. The key comes from ``OPENAI_API_KEY`` only.

    Raises:
        UsageError: the setting is not ``MODEL@URL`` (on construction).
        ModelError: the endpoint refuses, cannot be reached or answers nonsense (on use).
    """

    def __init__(self, setting: str) -> None:
        model, at, url = setting.partition("@")
        if not model or not at or not url.startswith(("http://", "https://")):
            hint = "Write endpoint:MODEL@URL, for example endpoint:bge-m3@http://localhost:11434/v1"
            raise UsageError("no model and URL", where=f"endpoint:{setting}", hint=hint)
        self.model, self.url = model, url
        self.name = f"endpoint:{model}"
        self.cache_name = f"{self.name}@{url.rstrip('/')}"
        self._lock = threading.Lock()
        self._client: Any = None
        self._dim = 0

    @property
    def dim(self) -> int:
        """Asked of the endpoint once, with one short text."""
        if not self._dim:
            self._dim = self.embed(["dimension"]).shape[1]
        return self._dim

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        import numpy as np

        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        parts = [self._request(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        vectors = np.concatenate(parts)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        self._dim = vectors.shape[1]
        return vectors

    def _request(self, texts: Sequence[str]) -> np.ndarray:
        import numpy as np
        import openai

        # Endpoints refuse empty inputs; a space stands for them.
        inputs = [text[:MAX_CHARACTERS] or " " for text in texts]
        try:
            reply = self._connect().embeddings.create(model=self.model, input=inputs, encoding_format="float")
        except openai.APIStatusError as error:
            raise ModelError(f"the endpoint refused (HTTP {error.status_code})", where=self.url) from None
        except openai.OpenAIError as error:
            raise ModelError(f"no answer ({type(error).__name__})", where=self.url, hint="Is it running?") from None
        vectors = [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]
        if len(vectors) != len(texts):
            raise ModelError(f"{len(vectors)} vectors for {len(texts)} texts", where=self.url)
        return np.array(vectors, dtype=np.float32)

    def _connect(self) -> Any:
        with self._lock:
            if self._client is None:
                import os

                import openai

                # Local servers need no key, but the client insists on one.
                key = os.environ.get("OPENAI_API_KEY") or "none"
                self._client = openai.OpenAI(base_url=self.url, api_key=key, max_retries=5, timeout=120)
            return self._client
