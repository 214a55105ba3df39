"""Speed of chunking: sentences a second of processor time, vectors given, and whether it grows with the document."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.chunk import Break, Chunker, Sentence
from cliquerag.ingest.chunkers import make_chunker

if TYPE_CHECKING:
    import numpy as np

MINUTES = 1
FOLDER = ""
SIZES = (10_000, 100_000)
DIMENSIONS = 384
_TOPIC = 7
"""Sentences a topic, as in reports."""
_REPEATS = 3
_SYSTEMS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "clique": ("clique", {}),
    "clique, topic mode": ("clique", {"mode": "topic"}),
    "clique, dense window 10": ("clique", {"window": 10, "quantile": 0.1}),
    "semantic": ("semantic", {}),
    "recursive": ("recursive", {}),
    "fixed": ("fixed", {}),
}


def run(folder: Path) -> Report:
    """Time every chunker on two sizes; the ratio of the times by sentence is 1 where the cost is linear."""
    rows: list[Row] = []
    inputs = {size: _made_up(size) for size in SIZES}
    for system, (name, options) in _SYSTEMS.items():
        chunker = make_chunker(name, **options)
        rates = [size / min(_seconds(chunker, *inputs[size]) for _ in range(_REPEATS)) for size in SIZES]
        for size, rate in zip(SIZES, rates, strict=True):
            rows.append(Row(system, f"sentences per second at {size}", rate, better="higher"))
        rows.append(Row(system, "time by sentence, large / small", rates[0] / rates[1], better="lower"))
    note = (
        f"Processor time, best of {_REPEATS}; vectors of {DIMENSIONS} dimensions made up, topics of {_TOPIC} sentences."
    )
    return Report("chunking_speed", tuple(rows), (note,))


def _seconds(chunker: Chunker, sentences: Sequence[Sentence], vectors: np.ndarray) -> float:
    began = time.process_time()
    chunker.chunk("", sentences, vectors)
    return time.process_time() - began


def _made_up(n: int) -> tuple[list[Sentence], np.ndarray]:
    import numpy as np

    rng = np.random.default_rng(0)
    topics = np.repeat(rng.standard_normal((n // _TOPIC + 1, DIMENSIONS), np.float32), _TOPIC, axis=0)[:n]
    vectors = topics + rng.standard_normal((n, DIMENSIONS), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tokens, breaks = rng.integers(8, 60, n).tolist(), rng.integers(0, 3, n).tolist()
    return [Sentence(i, i + 1, t, Break(b)) for i, (t, b) in enumerate(zip(tokens, breaks, strict=True))], vectors
