"""BERT (Devlin et al. 2019) on onnxruntime: token ids go in, one vector a token comes out. Without torch.

Shapes: B texts, T tokens (the longest of the batch), H hidden size. Vectors are float32.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import ModelError
from .folder import EncoderConfig
from .onnx_graph import encoder_graph, scale_of

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[np.float32]]
    Integers = np.ndarray[Any, np.dtype[np.int64]]

WORDS = "embeddings.word_embeddings.weight"
MATRICES = ("qkv", "output", "up", "down")
"""What a layer multiplies with: nearly all of the work, and what is quantised."""

STEPS = 63
"""Largest quantised weight. Of the 8 bits 7 are used: processors without VNNI add two products of 8 bits in 16, which
overflow, and vectors would depend on the machine that made them (onnxruntime's guide to quantisation, "U8S8")."""


class OnnxEncoder:
    """The encoder of a model folder. Safe for several threads, and each call works on one.

    ``words`` is the input-embedding table, (vocabulary, H). With ``int8`` the layers multiply in whole numbers, from
    weights that are rounded on loading: nothing but the folder is needed, and nothing is written.

    Raises:
        ModelError: the weights are no safetensors file, or not those of a BERT encoder.
    """

    def __init__(self, folder: Path, config: EncoderConfig, *, int8: bool = False) -> None:
        import onnxruntime

        with _Weights(folder) as weights:
            tensors = _embedding_tensors(weights)
            for i in range(config.layers):
                layer = _layer_tensors(weights, f"encoder.layer.{i}")
                if int8:
                    layer = _quantised(layer)
                tensors |= {f"{i}.{name}": tensor for name, tensor in layer.items()}
            self._positions = _positions(weights, config)
        # Sessions keep pointers into these arrays, so they must live as long as the session does.
        self._tensors = tensors
        self._values = [onnxruntime.OrtValue.ortvalue_from_numpy(tensor) for tensor in tensors.values()]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        # The graph is written with the fused nodes that an optimiser would look for.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.add_external_initializers(list(tensors), self._values)
        graph = encoder_graph(config, {name: tensor.shape for name, tensor in tensors.items()})
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def __call__(self, ids: Integers, lengths: Integers) -> Array:
        """(B, T) -> (B, T, H); row b has ``lengths[b]`` tokens, what comes after them is undefined."""
        positions = self._positions[: ids.shape[1]]
        given = {"ids": ids, "positions": positions, "lengths": lengths.astype(np.int32)}
        output: Array = self._session.run(None, given)[0]
        return output


def _positions(weights: _Weights, config: EncoderConfig) -> Array:
    """(longest input, H), with the token-type row 0 added in: only one type is ever used."""
    start = config.position_offset
    positions = weights["embeddings.position_embeddings.weight"][start : start + config.max_tokens]
    types = weights["embeddings.token_type_embeddings.weight"]
    result: Array = positions + types[0]
    return result


def _embedding_tensors(weights: _Weights) -> dict[str, Array]:
    scale, shift = weights.pair("embeddings.LayerNorm")
    return {"words": weights[WORDS], "words_scale": scale, "words_shift": shift}


def _layer_tensors(weights: _Weights, layer: str) -> dict[str, Array]:
    """By the names of the graph. ONNX multiplies from the left, so matrices are turned to (in, out)."""
    parts = [weights.pair(f"{layer}.attention.self.{part}") for part in ("query", "key", "value")]
    output, output_bias = weights.pair(f"{layer}.attention.output.dense")
    attention_scale, attention_shift = weights.pair(f"{layer}.attention.output.LayerNorm")
    up, up_bias = weights.pair(f"{layer}.intermediate.dense")
    down, down_bias = weights.pair(f"{layer}.output.dense")
    scale, shift = weights.pair(f"{layer}.output.LayerNorm")
    return {
        "qkv": np.ascontiguousarray(np.concatenate([weight for weight, _ in parts]).T),
        "qkv_bias": np.concatenate([bias for _, bias in parts]),
        "output": np.ascontiguousarray(output.T),
        "output_bias": output_bias,
        "attention_scale": attention_scale,
        "attention_shift": attention_shift,
        "up": np.ascontiguousarray(up.T),
        "up_bias": up_bias,
        "down": np.ascontiguousarray(down.T),
        "down_bias": down_bias,
        "scale": scale,
        "shift": shift,
    }


def _quantised(layer: dict[str, Array]) -> dict[str, Any]:
    """The matrices of a layer as int8 with a float32 scale for each column, symmetric around 0."""
    result: dict[str, Any] = dict(layer)
    for name in MATRICES:
        scale = np.maximum(np.abs(layer[name]).max(axis=0), 1e-12) / STEPS
        result[name] = np.rint(layer[name] / scale).astype(np.int8)
        result[scale_of(name)] = scale.astype(np.float32)
    return result


class _Weights:
    """The tensors of ``model.safetensors`` as float32, whatever prefix (``bert.``, ``roberta.``) they have there."""

    def __init__(self, folder: Path) -> None:
        from safetensors import SafetensorError, safe_open

        self.path = folder / "model.safetensors"
        try:
            opened: Any = safe_open(self.path, framework="np")
            self.file = opened.__enter__()
        except (OSError, SafetensorError) as error:
            raise ModelError(f"the weights cannot be read ({error})", where=str(self.path)) from error
        names = (key for key in self.file.keys() if key.endswith(WORDS))  # noqa: SIM118
        self.prefix = next(names, "").removesuffix(WORDS)

    def __enter__(self) -> _Weights:
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
        """A matrix and its bias, or a norm's scale and shift."""
        return self[f"{name}.weight"], self[f"{name}.bias"]
