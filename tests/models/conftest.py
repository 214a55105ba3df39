"""The default model's folder, and tiny models of every shape that the encoder claims to read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from cliquerag.models.folder_embedder import find_folder

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "revenue", "rose", "fell", "profit", "the", "company"]


@pytest.fixture(scope="session")
def minilm() -> Path:
    folder = find_folder()
    if folder is None:
        pytest.skip("the default embedding model is not installed (make install)")
    return folder


@pytest.fixture
def tiny_model(tmp_path: Path) -> Callable[..., Path]:
    """Builds a folder with a random two-layer encoder; ``config`` overrides its settings."""

    def build(prefix: str = "", pooling: str = "mean_tokens", dtype: str = "float32", **config: object) -> Path:
        from safetensors.numpy import save_file

        folder = tmp_path / f"tiny-{len(list(tmp_path.iterdir()))}"
        (folder / "1_Pooling").mkdir(parents=True)
        sizes = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "max_position_embeddings": 20}
        settings = {"model_type": "bert", "pad_token_id": 0, **sizes, **config}
        (folder / "config.json").write_text(json.dumps(settings))
        (folder / "1_Pooling" / "config.json").write_text(json.dumps({f"pooling_mode_{pooling}": True}))
        (folder / "tokenizer.json").write_text(json.dumps(_tokenizer()))
        tensors = {prefix + name: array.astype(dtype) for name, array in _tensors().items()}
        save_file(tensors, folder / "model.safetensors")
        return folder

    return build


def _tensors(hidden: int = 8, wide: int = 16) -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), hidden),
        "embeddings.position_embeddings.weight": (20, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        "embeddings.LayerNorm": (hidden,),
    }
    for layer in ("encoder.layer.0", "encoder.layer.1"):
        for part in ("query", "key", "value"):
            shapes[f"{layer}.attention.self.{part}"] = (hidden, hidden)
        shapes[f"{layer}.attention.output.dense"] = (hidden, hidden)
        shapes[f"{layer}.attention.output.LayerNorm"] = (hidden,)
        shapes[f"{layer}.intermediate.dense"] = (wide, hidden)
        shapes[f"{layer}.output.dense"] = (hidden, wide)
        shapes[f"{layer}.output.LayerNorm"] = (hidden,)
    tensors = {}
    for name, shape in shapes.items():
        if name.endswith(".weight"):
            tensors[name] = random.normal(size=shape)
        else:
            tensors[f"{name}.weight"] = random.normal(size=shape)
            tensors[f"{name}.bias"] = 0.1 * random.normal(size=shape[:1])
    return tensors


def _tokenizer() -> dict[str, object]:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return json.loads(tokenizer.to_str())
