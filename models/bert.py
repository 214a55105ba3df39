"""BERT's forward pass in numpy (Devlin et al. 2019): weights, token embeddings and the encoder's layers.

Shapes: B texts, T tokens (the longest of the batch), H hidden size. All float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..core.errors import ModelError
from .folder import EncoderConfig

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[np.float32]]
    Integers = np.ndarray[Any, np.dtype[np.int64]]

ROWS = 64
"""Rows that an activation works on at once: its dozen passes over memory then stay in the processor's cache."""

ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
"""Abramowitz & Stegun, formula 7.1.26: at most 1.5e-7 off."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One encoder layer. Matrices are (out, in), as stored; query, key and value are one matrix of 3H rows."""

    qkv: Array
    qkv_bias: Array
    output: Array
    output_bias: Array
    attention_norm: tuple[Array, Array]
    up: Array
    up_bias: Array
    down: Array
    down_bias: Array
    norm: tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class Weights:
    """All weights of an encoder. ``positions`` has the token-type row 0 added in, for only one type is ever used."""

    config: EncoderConfig
    words: Array
    positions: Array
    norm: tuple[Array, Array]
    layers: tuple[Layer, ...]


class Encoder(Protocol):
    """The layers between token embeddings and pooling."""

    def __call__(self, hidden: Array, lengths: Integers) -> Array:
        """(B, T, H) -> (B, T, H); row b has ``lengths[b]`` tokens, what comes after them is undefined."""


def load_words(folder: Path) -> Array:
    """The input-embedding table alone, (vocabulary, H)."""
    with _Tensors(folder) as tensors:
        return tensors["embeddings.word_embeddings.weight"]


def load_weights(folder: Path, config: EncoderConfig) -> Weights:
    """Reads ``model.safetensors``.

    Raises:
        ModelError: not a safetensors file, or without the tensors of a BERT encoder.
    """
    with _Tensors(folder) as tensors:
        start = config.position_offset
        positions = tensors["embeddings.position_embeddings.weight"][start : start + config.max_tokens]
        return Weights(
            config=config,
            words=tensors["embeddings.word_embeddings.weight"],
            positions=positions + tensors["embeddings.token_type_embeddings.weight"][0],
            norm=tensors.pair("embeddings.LayerNorm"),
            layers=tuple(_layer(tensors, f"encoder.layer.{i}") for i in range(config.layers)),
        )


def _layer(tensors: _Tensors, name: str) -> Layer:
    parts = [tensors.pair(f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    output, output_bias = tensors.pair(f"{name}.attention.output.dense")
    up, up_bias = tensors.pair(f"{name}.intermediate.dense")
    down, down_bias = tensors.pair(f"{name}.output.dense")
    return Layer(
        qkv=np.concatenate([weight for weight, _ in parts]),
        qkv_bias=np.concatenate([bias for _, bias in parts]),
        output=output,
        output_bias=output_bias,
        attention_norm=tensors.pair(f"{name}.attention.output.LayerNorm"),
        up=up,
        up_bias=up_bias,
        down=down,
        down_bias=down_bias,
        norm=tensors.pair(f"{name}.output.LayerNorm"),
    )


class _Tensors:
    """The tensors of one file as float32, whatever prefix (``bert.``, ``roberta.``) a checkpoint gives them."""

    def __init__(self, folder: Path) -> None:
        from safetensors import SafetensorError, safe_open

        self.path = folder / "model.safetensors"
        try:
            opened: Any = safe_open(self.path, framework="np")
            self.file = opened.__enter__()
        except (OSError, SafetensorError) as error:
            raise ModelError(f"the weights cannot be read ({error})", where=str(self.path)) from error
        ends = "embeddings.word_embeddings.weight"
        self.prefix = next((key[: -len(ends)] for key in self.file.keys() if key.endswith(ends)), "")  # noqa: SIM118

    def __enter__(self) -> _Tensors:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.__exit__(None, None, None)

    def __getitem__(self, name: str) -> Array:
        from safetensors import SafetensorError

        try:
            tensor = self.file.get_tensor(self.prefix + name)
        except (SafetensorError, TypeError, AttributeError) as error:
            hint = "Weights must be float32 or float16 tensors of a BERT encoder"
            raise ModelError(f"{name} cannot be read ({error})", where=str(self.path), hint=hint) from error
        return np.asarray(tensor, dtype=np.float32)

    def pair(self, name: str) -> tuple[Array, Array]:
        return self[f"{name}.weight"], self[f"{name}.bias"]


def embed_tokens(weights: Weights, ids: Integers) -> Array:
    """Token ids (B, T) -> the layers' input (B, T, H)."""
    hidden = weights.words[ids]
    hidden += weights.positions[: ids.shape[1]]
    flat = hidden.reshape(-1, weights.config.hidden)
    layer_norm(flat, weights.norm, weights.config.epsilon)
    return hidden


class NumpyEncoder:
    """The layers with numpy's matrix products only. Safe for several threads."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def __call__(self, hidden: Array, lengths: Integers) -> Array:
        config = self.weights.config
        shape: tuple[int, ...] = hidden.shape
        padding = np.arange(shape[1]) >= lengths[:, None]
        mask = np.where(padding, np.float32(-1e9), np.float32(0))[:, None, None, :] if padding.any() else None
        flat: Array = hidden.reshape(-1, config.hidden)
        for layer in self.weights.layers:
            flat = self._layer(layer, flat, shape, mask)
        return flat.reshape(shape)

    def _layer(self, layer: Layer, flat: Array, shape: tuple[int, ...], mask: Array | None) -> Array:
        config = self.weights.config
        context = attention(flat @ layer.qkv.T + layer.qkv_bias, shape, config.heads, mask)
        attended = context @ layer.output.T
        attended += layer.output_bias
        attended += flat
        layer_norm(attended, layer.attention_norm, config.epsilon)
        result = feed_forward(layer, attended, config.activation)
        result += attended
        layer_norm(result, layer.norm, config.epsilon)
        return result


def attention(qkv: Array, shape: tuple[int, ...], heads: int, mask: Array | None) -> Array:
    """Scaled dot-product attention: (B*T, 3H) -> (B*T, H). ``mask`` (B, 1, 1, T) is added to the scores."""
    batch, tokens, hidden = shape
    size = hidden // heads
    query, key, value = qkv.reshape(batch, tokens, 3, heads, size).transpose(2, 0, 3, 1, 4)
    scores = (query * np.float32(size**-0.5)) @ key.swapaxes(-1, -2)
    if mask is not None:
        scores += mask
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    context: Array = (scores @ value).swapaxes(1, 2).reshape(batch * tokens, hidden)
    return context


def feed_forward(layer: Layer, rows: Array, activation: str) -> Array:
    """(N, H) -> (N, H) through the wide layer and its activation."""
    wide = rows @ layer.up.T
    for start in range(0, len(wide), ROWS):
        some = wide[start : start + ROWS]
        some += layer.up_bias
        some[:] = ACTIVATIONS[activation](some)
    result: Array = wide @ layer.down.T
    result += layer.down_bias
    return result


def layer_norm(rows: Array, scale_shift: tuple[Array, Array], epsilon: float) -> None:
    """Normalises each row in place to mean 0 and variance 1, then scales and shifts it."""
    rows -= rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("nh,nh->n", rows, rows) / rows.shape[-1]
    rows *= (1 / np.sqrt(variance + np.float32(epsilon)))[:, None]
    rows *= scale_shift[0]
    rows += scale_shift[1]


def gelu(x: Array) -> Array:
    """x times the normal distribution function of x, as max(x, 0) - |x| Q(|x|) with the upper tail Q.

    Some ten times as fast as through ``scipy.special.erf``.

    >>> [round(float(y), 6) for y in gelu(np.array([-1.0, 0.0, 2.0], dtype=np.float32))]
    [-0.158655, 0.0, 1.9545]
    """
    size = np.abs(x)
    t = size * np.float32(0.3275911 * 0.5**0.5)
    t += 1
    np.reciprocal(t, out=t)
    tail = t * np.float32(ERF[4])
    for coefficient in reversed(ERF[:4]):
        tail += np.float32(coefficient)
        tail *= t
    np.multiply(size, size, out=t)
    t *= np.float32(-0.5)
    tail *= np.exp(t, out=t)
    tail *= size
    tail *= np.float32(0.5)
    np.maximum(x, 0, out=size)
    size -= tail
    return size


def gelu_tanh(x: Array) -> Array:
    """The approximation that some checkpoints were trained with (``gelu_new``)."""
    cubic = np.float32((2 / np.pi) ** 0.5) * (x + np.float32(0.044715) * x**3)
    result: Array = np.float32(0.5) * x * (1 + np.tanh(cubic))
    return result


def relu(x: Array) -> Array:
    return np.maximum(x, 0)


ACTIVATIONS = {"gelu": gelu, "gelu_new": gelu_tanh, "gelu_pytorch_tanh": gelu_tanh, "relu": relu}
