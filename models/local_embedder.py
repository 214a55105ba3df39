"""Any embedding model by name through sentence-transformers (the extra ``local``)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError, UsageError

if TYPE_CHECKING:
    import numpy as np


class LocalEmbedder:
    """An :class:`models.embedder.Embedder` on sentence-transformers.

    ``model`` is a name on the Hugging Face hub, which the library downloads on first use, or a folder.

    Raises:
        UsageError: the extra is not installed (on construction).
        ModelError: the model cannot be loaded (on the first use).
    """

    def __init__(self, model: str) -> None:
        from importlib.util import find_spec

        if find_spec("sentence_transformers") is None:
            hint = 'pip install "cliquerag[local]"'
            raise UsageError("sentence-transformers is not installed", where=f"local:{model}", hint=hint)
        self.model = model
        self.name = f"local:{model}"
        self._lock = threading.Lock()
        self._encoder: Any = None

    @property
    def dim(self) -> int:
        """Known only once the model is loaded."""
        return int(self.embed([""]).shape[1])

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 (len(texts), dim), unit rows, in the order given."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        encoded = self._load().encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(encoded, dtype=np.float32)

    def _load(self) -> Any:
        with self._lock:
            if self._encoder is None:
                from sentence_transformers import SentenceTransformer

                try:
                    self._encoder = SentenceTransformer(self.model)
                except (OSError, ValueError) as error:
                    raise ModelError(f"the model cannot be loaded ({error})", where=self.name) from error
            return self._encoder
