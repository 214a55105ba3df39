"""The chunking benchmarks on made-up data of the published layout."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.errors import UsageError

from benchmarks.tasks.documents import chroma_chunking, chunking_speed, segmentation

TOPICS = ("copper mines", "drug trials", "cloud software", "airline fuel")


class TopicEmbedder:
    """Texts of one topic have one direction."""

    name, dim = "topics", 8

    def embed(self, texts: list[str]) -> np.ndarray:
        vectors = np.full((len(texts), 8), 0.05, np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for i, topic in enumerate(TOPICS):
                row[i] += text.count(topic)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _sentence(topic: str, i: int) -> str:
    return f"Sentence {i} of this text says that {topic} were in demand during the year under review."


@pytest.fixture
def chroma(tmp_path: Path) -> Path:
    (tmp_path / "corpora").mkdir()
    rows = []
    for corpus in ("finance", "other"):
        text = "\n\n".join(" ".join(_sentence(topic, i) for i in range(5)) for topic in TOPICS)
        (tmp_path / "corpora" / f"{corpus}.md").write_text(text, encoding="utf-8")
        start = text.index(_sentence(TOPICS[1], 0))
        gold = {"start_index": start, "end_index": start + 80, "content": ""}
        rows.append({"question": "Who asked for drug trials?", "corpus_id": corpus, "references": json.dumps([gold])})
    with (tmp_path / "questions_dev.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return tmp_path


def test_chroma_scores_every_chunker_alike(chroma: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_chunking, "embedder", TopicEmbedder)
    report = chroma_chunking.run(chroma)
    by = {(row.system, row.metric): row for row in report.rows}
    assert {system for system, _ in by} >= set(chroma_chunking.CHUNKERS)
    assert by["clique", "recall 1000 tokens, dense"].value == 1
    assert by["clique", "recall 1000 tokens, dense, finance"].n == 1
    assert 0 < by["clique", "IoU top 5, fused"].value < 1
    assert by["clique minus fixed 200", "recall 500 tokens, fused"].low is not None
    assert len(report.notes) == len(chroma_chunking.CHUNKERS)


def test_segmentation_finds_the_borders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "embedder", TopicEmbedder)
    segments = [[_sentence(topic, i) for i in range(4 + 3 * n)] for n, topic in enumerate(TOPICS)]
    document = {"set": "3-11", "split": "dev", "segments": segments}
    (tmp_path / "choi.jsonl").write_text(json.dumps(document), encoding="utf-8")
    by = {(row.system, row.metric): row.value for row in segmentation.run(tmp_path).rows}
    assert by["clique, topic mode", "Pk, mean"] == 0
    assert by["fixed", "Pk, mean"] > 0


def test_missing_data_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_chunking, "embedder", TopicEmbedder)
    with pytest.raises(UsageError, match=r"questions_dev\.csv"):
        chroma_chunking.run(tmp_path)


def test_without_a_model_the_benchmark_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "embedder", lambda: None)
    with pytest.raises(UsageError, match="embedding model"):
        segmentation.run(tmp_path)


def test_speed_is_measured_for_every_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunking_speed, "SIZES", (200, 400))
    rows = chunking_speed.run(tmp_path).rows
    assert all(row.value > 0 for row in rows)
    assert not rows[0].lower_is_better and rows[2].lower_is_better
