"""BERT as in the paper (Devlin et al. 2019), one text at a time in float64: what the encoder must equal."""

from __future__ import annotations

from math import erf
from pathlib import Path

import numpy as np

Array = np.ndarray
ACTIVATIONS = {
    "gelu": lambda x: x * (1 + np.vectorize(erf)(x / 2**0.5)) / 2,
    "gelu_new": lambda x: x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))) / 2,
    "relu": lambda x: np.maximum(x, 0),
}


class Reference:
    """The encoder in ``model.safetensors``; ``hidden`` gives one vector a token."""

    def __init__(self, folder: Path, *, prefix: str, heads: int, activation: str, first_position: int) -> None:
        from safetensors.numpy import load_file

        tensors = load_file(folder / "model.safetensors")
        self.tensors = {name.removeprefix(prefix): tensor.astype(np.float64) for name, tensor in tensors.items()}
        self.heads, self.activation, self.first = heads, ACTIVATIONS[activation], first_position

    def hidden(self, ids: list[int]) -> Array:
        words = self.tensors["embeddings.word_embeddings.weight"][ids]
        positions = self.tensors["embeddings.position_embeddings.weight"][self.first : self.first + len(ids)]
        types = self.tensors["embeddings.token_type_embeddings.weight"][0]
        x = self._norm("embeddings.LayerNorm", words + positions + types)
        layer = 0
        while f"encoder.layer.{layer}.output.dense.weight" in self.tensors:
            x = self._layer(f"encoder.layer.{layer}", x)
            layer += 1
        return x

    def _layer(self, name: str, x: Array) -> Array:
        attended = self._dense(f"{name}.attention.output.dense", self._attention(f"{name}.attention.self", x))
        x = self._norm(f"{name}.attention.output.LayerNorm", attended + x)
        wide = self.activation(self._dense(f"{name}.intermediate.dense", x))
        return self._norm(f"{name}.output.LayerNorm", self._dense(f"{name}.output.dense", wide) + x)

    def _attention(self, name: str, x: Array) -> Array:
        query, key, value = (self._heads(self._dense(f"{name}.{part}", x)) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / query.shape[-1] ** 0.5
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return (weights @ value).transpose(1, 0, 2).reshape(x.shape)

    def _heads(self, x: Array) -> Array:
        return x.reshape(len(x), self.heads, -1).transpose(1, 0, 2)

    def _dense(self, name: str, x: Array) -> Array:
        return x @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def _norm(self, name: str, x: Array) -> Array:
        scaled = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-12)
        return scaled * self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]
