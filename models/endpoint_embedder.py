"""Vectors from an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from .address import read_address, split_setting
from .limits import Limits
from .openai_client import RETRIES, OpenAIClient
from .parsing import whole_text
from .replies import BadReplyError, read_vectors

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

    def __init__(self, setting: str, limits: Limits | None = None, retries: int = RETRIES) -> None:
        model, url = split_setting(setting)
        if not model or not url:
            hint = "Write endpoint:MODEL@URL, for example endpoint:bge-m3@http://localhost:11434/v1"
            raise UsageError("no model and URL", where=f"endpoint:{setting}", hint=hint)
        self.address = read_address(model, url)
        self.name = f"endpoint:{model}"
        self.cache_name = f"{self.name}@{self.address.url.rstrip('/')}"
        self._client = OpenAIClient(self.address, limits or Limits(), retries)
        self._dim = 0

    @property
    def dim(self) -> int:
        """Asked of the endpoint once, with one short text."""
        if not self._dim:
            self._dim = self.embed(["dimension"]).shape[1]
        return self._dim

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 (len(texts), dim), unit rows, in the order given."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        parts = [self._request(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        vectors = np.concatenate(parts)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def _request(self, texts: Sequence[str]) -> np.ndarray:
        # Endpoints refuse empty inputs; a space stands for them.
        inputs = [whole_text(text[:MAX_CHARACTERS]) or " " for text in texts]
        body = {"model": self.address.model, "input": inputs, "encoding_format": "float"}
        vectors = self._client.post("/embeddings", body, partial(read_vectors, count=len(texts)))
        dim = vectors.shape[1]
        if self._dim and dim != self._dim:
            message = f"vectors of {dim} numbers, after some of {self._dim}"
            raise BadReplyError(message, where=str(self.address), hint="Has the model behind the name changed?")
        self._dim = dim
        return vectors
