"""Segmentation: how close topic borders found in joined texts lie to the true ones, as Pk, every chunker.

Source: Choi 2000, segments of the Brown corpus put together; sentences are given. Segment lengths 3-5, 6-8, 9-11, 3-11.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.core.errors import UsageError
from cliquerag.core.tokens import estimate_tokens
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.chunking import pk, window_diff
from cliquerag.ingest.chunk import Break, Sentence
from cliquerag.ingest.chunkers import make_chunker

from .._shared import embedder, read_lines

MINUTES = 0.5
_OURS = "clique, topic mode"
CHUNKERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    _OURS: ("clique", {"mode": "topic"}),
    "clique, text mode": ("clique", {"target": 170, "longest": 400}),
    "semantic": ("semantic", {"target": 170, "longest": 1000}),
    "fixed": ("fixed", {"target": 170}),
    "length": ("length", {"target": 170, "longest": 400}),
}
"""170 tokens are the mean segment: the baselines are told what topic mode has to find out."""


def run(folder: Path) -> Report:
    """Pk and WindowDiff of every chunker; the mean is over the four sets, so that each counts alike."""
    model = embedder()
    if model is None:
        raise UsageError("this benchmark needs an embedding model", hint="See `cliquerag doctor`")
    documents = read_lines(folder / "choi.jsonl")
    split = "dev" if any(document["split"] == "dev" for document in documents) else documents[0]["split"]
    errors: dict[tuple[str, str], list[float]] = {}
    sets: list[str] = []
    for document in (document for document in documents if document["split"] == split):
        sentences = [sentence for segment in document["segments"] for sentence in segment]
        truth = [len(segment) for segment in document["segments"]]
        vectors = model.embed(sentences)
        text, found = _laid_out(sentences)
        sets.append(document["set"])
        for system, (chunker, options) in CHUNKERS.items():
            spans = make_chunker(chunker, **options).chunk(text, found, vectors)
            lengths = [span.last - span.first for span in spans]
            errors.setdefault((system, "Pk"), []).append(pk(truth, lengths))
            errors.setdefault((system, "WindowDiff"), []).append(window_diff(truth, lengths))
    return Report("segmentation", tuple(_rows(errors, sets)), (f"{len(sets)} documents, part {split}.",))


def _laid_out(sentences: Sequence[str]) -> tuple[str, list[Sentence]]:
    """One sentence a line."""
    found, start = [], 0
    for sentence in sentences:
        found.append(Sentence(start, start + len(sentence), estimate_tokens(sentence), Break.LINE))
        start += len(sentence) + 1
    return "\n".join(sentences), found


def _rows(errors: Mapping[tuple[str, str], Sequence[float]], sets: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for (system, metric), values in errors.items():
        rows.append(Row.mean(system, f"{metric}, mean", values))
        for name in dict.fromkeys(sets):
            one = [value for value, of in zip(values, sets, strict=True) if of == name]
            rows.append(Row.mean(system, f"{metric}, {name}", one))
    for system in (name for name in CHUNKERS if name != _OURS):
        rows.append(Row.difference(_OURS, "Pk, mean", errors[_OURS, "Pk"], errors[system, "Pk"], system))
    return rows
