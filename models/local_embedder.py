"""Any embedding model by name through sentence-transformers (the extra ``local``)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError, UsageError

if TYPE_CHECKING:
    import numpy as np


_SPARE = 10
"""Tokens of the longest input left free: special ones, and those by which a cut text is tokenised otherwise."""


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

    def token_states(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """Of the tokens of a text of any length: int64 (tokens, 2) offsets, float32 (tokens, dim) states.

        A text beyond the model's longest input is read in windows that overlap by half. See ``models.token_states``.

        Raises:
            UsageError: the model's vectors are not the means of its token states.
        """
        import numpy as np

        from .token_states import text_windows

        model = self._load()
        pooling = next((part for part in model if hasattr(part, "get_pooling_mode_str")), None)
        if pooling is None or pooling.get_pooling_mode_str() != "mean":
            hint = "Late chunking needs a model whose vectors are means of its tokens' states"
            raise UsageError("its vectors are not means of token states", where=self.name, hint=hint)
        offsets = _offsets(model, text)
        windows = text_windows(offsets, int(model.max_seq_length) - _SPARE)
        parts = [text[window.start : window.end] for window in windows]
        states = model.encode(parts, output_value="token_embeddings", show_progress_bar=False) if parts else []
        places, kept = [np.zeros((0, 2), dtype=np.int64)], [np.zeros((0, self.dim), dtype=np.float32)]
        for window, part, own in zip(windows, parts, states, strict=True):
            # Special tokens have no width; what the model cut off has no state.
            spans = window.start + np.array(_offsets(model, part, special=True), dtype=np.int64)[: len(own)]
            vectors = np.asarray(own.cpu(), dtype=np.float32)[: len(spans)]
            inside = (spans[:, 1] > spans[:, 0]) & (spans[:, 0] >= window.first) & (spans[:, 0] < window.last)
            places.append(spans[inside])
            kept.append(vectors[inside])
        return np.concatenate(places), np.concatenate(kept)

    def _load(self) -> Any:
        with self._lock:
            if self._encoder is None:
                from sentence_transformers import SentenceTransformer

                try:
                    self._encoder = SentenceTransformer(self.model)
                except (OSError, ValueError) as error:
                    raise ModelError(f"the model cannot be loaded ({error})", where=self.name) from error
            return self._encoder


def _offsets(model: Any, text: str, *, special: bool = False) -> list[tuple[int, int]]:
    """Where each token of a text stands in it; (0, 0) for the model's special tokens."""
    encoded = model.tokenizer(
        text, add_special_tokens=special, return_offsets_mapping=True, truncation=False, verbose=False
    )
    return [(int(start), int(end)) for start, end in encoded["offset_mapping"]]
