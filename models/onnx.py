"""The encoder's layers on onnxruntime: somewhat faster than numpy on the same weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .bert import Layer, Weights
from .onnx_graph import encoder_graph

if TYPE_CHECKING:
    from .bert import Array, Integers

ACTIVATIONS = {"gelu": "gelu", "gelu_new": "gelu_new", "gelu_pytorch_tanh": "gelu_new", "relu": "relu"}


class OnnxEncoder:
    """The same contract as :class:`models.bert.NumpyEncoder`. Safe for several threads, and uses one itself."""

    def __init__(self, weights: Weights) -> None:
        import onnxruntime

        config = weights.config
        # Sessions keep pointers into these arrays, so they must live as long as the session does.
        self._tensors = {
            f"{i}.{name}": tensor for i, layer in enumerate(weights.layers) for name, tensor in _named(layer).items()
        }
        self._values = [onnxruntime.OrtValue.ortvalue_from_numpy(tensor) for tensor in self._tensors.values()]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.add_external_initializers(list(self._tensors), self._values)
        graph = encoder_graph(
            config.layers,
            config.hidden,
            config.heads,
            config.epsilon,
            ACTIVATIONS[config.activation],
            {name: tensor.shape for name, tensor in self._tensors.items()},
        )
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def __call__(self, hidden: Array, lengths: Integers) -> Array:
        output: Array = self._session.run(None, {"hidden": hidden, "lengths": lengths.astype(np.int32)})[0]
        return output


def _named(layer: Layer) -> dict[str, Array]:
    """ONNX multiplies from the left, so matrices are turned to (in, out)."""
    return {
        "qkv": np.ascontiguousarray(layer.qkv.T),
        "qkv_bias": layer.qkv_bias,
        "output": np.ascontiguousarray(layer.output.T),
        "output_bias": layer.output_bias,
        "attention_scale": layer.attention_norm[0],
        "attention_shift": layer.attention_norm[1],
        "up": np.ascontiguousarray(layer.up.T),
        "up_bias": layer.up_bias,
        "down": np.ascontiguousarray(layer.down.T),
        "down_bias": layer.down_bias,
        "scale": layer.norm[0],
        "shift": layer.norm[1],
    }
