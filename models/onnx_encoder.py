"""BERT (Devlin et al. 2019) on onnxruntime: token ids go in, one vector a token comes out. Without torch.

Shapes: B texts, T tokens (the longest of the batch), H hidden size. Vectors are float32.

Its ONNX graph is written here, without the weights: a few kilobytes, made in a millisecond. ONNX files are
protocol buffers, and a graph needs so little of that format (https://onnx.ai/onnx/repo-docs/IR.html) that
writing it here spares users the ``onnx`` package and the project a binary file for each model. The nodes are
onnxruntime's fused ones (docs/ContribOperators.md in its repository), so that nothing has to be optimised on
loading.

A matrix NAME that has a NAME.scale beside it is quantised: int8, one scale a column. What it is multiplied with
is quantised on the way (asymmetric uint8, one scale a call), and the product is float again.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import ModelError
from .folder_embedder import EncoderConfig

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[np.float32]]
    Integers = np.ndarray[Any, np.dtype[np.int64]]

FLOAT, INT8, INT32, INT64 = 1, 3, 6, 7
FUSED = "com.microsoft"
Shape = Sequence[int | str]
"""A string names a size that is known at run time only."""

ACTIVATIONS = {"gelu": "BiasGelu", "gelu_new": "FastGelu", "gelu_pytorch_tanh": "FastGelu"}
"""onnxruntime's nodes that add the bias and then activate; ``relu`` has none and takes two plain nodes."""


def encoder_graph(config: EncoderConfig, shapes: Mapping[str, tuple[int, ...]]) -> bytes:
    """The graph (ids (batch, tokens), positions (tokens, hidden), lengths (batch)) -> output (batch, tokens, hidden).

    ``shapes`` has the weights by the names that the nodes use; their values are handed to the session.
    """
    nodes = _embedding_nodes(config)
    last = "embedded"
    quantised = frozenset(name for name in shapes if scale_of(name) in shapes)
    for i in range(config.layers):
        output = "output" if i == config.layers - 1 else f"output{i}"
        nodes += _layer_nodes(i, last, output, config, quantised)
        last = output
    graph = [
        *(_message(1, node) for node in nodes),
        _text(2, "encoder"),
        *(_message(5, _external_weight(name, shape, name in quantised)) for name, shape in shapes.items()),
        _message(11, _value("ids", INT64, ("batch", "tokens"))),
        _message(11, _value("positions", FLOAT, ("tokens", config.hidden))),
        _message(11, _value("lengths", INT32, ("batch",))),
        _message(12, _value("output", FLOAT, ("batch", "tokens", config.hidden))),
    ]
    opsets = (_text(1, "") + _number(2, 17), _text(1, FUSED) + _number(2, 1))
    return _number(1, 8) + _message(7, b"".join(graph)) + b"".join(_message(8, opset) for opset in opsets)


def _embedding_nodes(config: EncoderConfig) -> list[bytes]:
    """Word vector plus position vector, normalised."""
    norm = {"epsilon": config.epsilon}
    return [
        _node("Gather", ["words", "ids"], "found"),
        _node("Add", ["found", "positions"], "placed"),
        _node("LayerNormalization", ["placed", "words_scale", "words_shift"], "embedded", attributes=norm),
    ]


def _layer_nodes(i: int, source: str, target: str, config: EncoderConfig, quantised: Collection[str]) -> list[bytes]:
    """One encoder layer; its weights are named ``I.qkv``, ``I.output``, ``I.up``, ``I.down`` and so on."""
    norm = {"epsilon": config.epsilon}
    first = [f"{i}.attended", source, f"{i}.attention_scale", f"{i}.attention_shift", f"{i}.output_bias"]
    second = [f"{i}.narrow", f"{i}.middle", f"{i}.scale", f"{i}.shift", f"{i}.down_bias"]
    return [
        *_attention_nodes(i, source, config, f"{i}.qkv" in quantised),
        _product(f"{i}.context", f"{i}.output", f"{i}.attended", quantised),
        _node("SkipLayerNormalization", first, f"{i}.middle", domain=FUSED, attributes=norm),
        _product(f"{i}.middle", f"{i}.up", f"{i}.wide", quantised),
        *_activation_nodes(i, config.activation),
        _product(f"{i}.active", f"{i}.down", f"{i}.narrow", quantised),
        _node("SkipLayerNormalization", second, target, domain=FUSED, attributes=norm),
    ]


def _attention_nodes(i: int, source: str, config: EncoderConfig, quantised: bool) -> list[bytes]:
    """Queries, keys and values by one matrix, and the attention over them; padding is left out by the lengths."""
    heads, matrix = {"num_heads": config.heads}, f"{i}.qkv"
    if not quantised:
        inputs = [source, matrix, f"{i}.qkv_bias", "lengths"]
        return [_node("Attention", inputs, f"{i}.context", domain=FUSED, attributes=heads)]
    small, scale, zero = f"{i}.small", f"{i}.small_scale", f"{i}.small_zero"
    inputs = [small, matrix, f"{i}.qkv_bias", scale, scale_of(matrix), "lengths", zero]
    return [
        _node("DynamicQuantizeLinear", [source], small, scale, zero),
        _node("QAttention", inputs, f"{i}.context", domain=FUSED, attributes=heads),
    ]


def scale_of(matrix: str) -> str:
    """The name of the scales of a quantised matrix."""
    return f"{matrix}.scale"


def _product(source: str, matrix: str, target: str, quantised: Collection[str]) -> bytes:
    if matrix in quantised:
        return _node("DynamicQuantizeMatMul", [source, matrix, scale_of(matrix)], target, domain=FUSED)
    return _node("MatMul", [source, matrix], target)


def _activation_nodes(i: int, activation: str) -> list[bytes]:
    inputs = [f"{i}.wide", f"{i}.up_bias"]
    if activation in ACTIVATIONS:
        return [_node(ACTIVATIONS[activation], inputs, f"{i}.active", domain=FUSED)]
    return [_node("Add", inputs, f"{i}.biased"), _node("Relu", [f"{i}.biased"], f"{i}.active")]


def _node(
    kind: str,
    inputs: Sequence[str],
    *outputs: str,
    domain: str = "",
    attributes: Mapping[str, int | float] | None = None,
) -> bytes:
    fields = [*(_text(1, name) for name in inputs), *(_text(2, name) for name in outputs), _text(4, kind)]
    fields += [_message(5, _attribute(name, value)) for name, value in (attributes or {}).items()]
    return b"".join(fields) + _text(7, domain)


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _value(name: str, kind: int, shape: Shape) -> bytes:
    sizes = (_text(2, size) if isinstance(size, str) else _number(1, size) for size in shape)
    dimensions = b"".join(_message(1, size) for size in sizes)
    return _text(1, name) + _message(2, _message(1, _number(1, kind) + _message(2, dimensions)))


def _external_weight(name: str, shape: Sequence[int], quantised: bool) -> bytes:
    place = _message(13, _text(1, "location") + _text(2, "model.safetensors"))
    kind = _number(2, INT8 if quantised else FLOAT)
    return b"".join(_number(1, size) for size in shape) + kind + _text(8, name) + place + _number(14, 1)


def _varint(value: int) -> bytes:
    """Seven bits a byte, lowest first."""
    result = bytearray()
    while value > 0x7F:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*result, value])


def _key(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _number(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value)


def _message(field: int, content: bytes) -> bytes:
    return _key(field, 2) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _message(field, text.encode())


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
