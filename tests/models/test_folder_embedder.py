"""Vectors without torch equal those of sentence-transformers."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.errors import ModelError
from cliquerag.models.folder_embedder import FolderEmbedder, batches
from support.bert_reference import Reference

HERE = Path(__file__).parent


def test_vectors_equal_the_recorded_ones_of_sentence_transformers(minilm: Path) -> None:
    texts = json.loads((HERE / "recorded_texts.json").read_text(encoding="utf-8"))
    vectors = FolderEmbedder(minilm).embed(texts)
    cosines = np.sum(vectors * np.load(HERE / "recorded_vectors.npy"), axis=1)
    assert vectors.dtype == np.float32
    assert cosines.min() >= 0.999999, dict(zip(texts, cosines, strict=True))


def test_the_name_that_stores_keep_beside_their_vectors_stays(minilm: Path) -> None:
    assert FolderEmbedder(minilm).name == "bert-6x384-12d850b22865"


def test_a_vector_does_not_depend_on_its_batch(minilm: Path) -> None:
    texts = ["short", "a somewhat longer sentence about revenue", "long " * 90, "short", ""]
    embedder = FolderEmbedder(minilm, batch_tokens=300)
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"hidden_act": "gelu_new"},
        {"hidden_act": "relu", "prefix": "bert."},
        {"model_type": "xlm-roberta", "prefix": "roberta.", "pad_token_id": 1},
        {"pooling": "cls_token", "dtype": "float16"},
    ],
)
def test_every_kind_of_encoder_equals_the_paper(tiny_model: Callable[..., Path], config: dict[str, str]) -> None:
    folder = tiny_model(**config)
    reference = Reference(
        folder,
        prefix=config.get("prefix", ""),
        heads=2,
        activation=config.get("hidden_act", "gelu"),
        first_position=2 if "roberta" in config.get("model_type", "") else 0,
    )
    embedder = FolderEmbedder(folder)
    texts = ["revenue rose", "profit", "the company revenue fell the company profit rose " * 5]
    for text, vector in zip(texts, embedder.embed(texts), strict=True):
        hidden = reference.hidden(embedder._tokenize([text])[0])
        expected = hidden[0] if "pooling" in config else hidden.mean(axis=0)
        np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=2e-5)


@pytest.mark.parametrize("config", [{}, {"hidden_act": "relu"}, {"model_type": "xlm-roberta", "prefix": "roberta."}])
def test_whole_numbers_say_nearly_the_same(tiny_model: Callable[..., Path], config: dict[str, str]) -> None:
    folder = tiny_model(**config)
    texts = ["revenue rose", "the company revenue fell the company profit rose"]
    exact, rounded = FolderEmbedder(folder).embed(texts), FolderEmbedder(folder, int8=True).embed(texts)
    assert np.sum(exact * rounded, axis=1).min() > 0.99
    assert not np.array_equal(exact, rounded)


def test_whole_numbers_of_the_default_model(minilm: Path) -> None:
    texts = json.loads((HERE / "recorded_texts.json").read_text(encoding="utf-8"))
    vectors = FolderEmbedder(minilm, int8=True).embed(texts)
    cosines = np.sum(vectors * np.load(HERE / "recorded_vectors.npy"), axis=1)
    assert cosines.min() > 0.96, dict(zip(texts, cosines, strict=True))
    assert cosines.mean() > 0.985


def test_a_vector_in_whole_numbers_does_not_depend_on_its_company(minilm: Path) -> None:
    embedder = FolderEmbedder(minilm, int8=True)
    texts = ["short", "a somewhat longer sentence about revenue", "long " * 90, "short", ""]
    np.testing.assert_array_equal(embedder.embed(texts), np.concatenate([embedder.embed([text]) for text in texts]))


def test_settings_of_the_folder_change_vectors_and_name(tiny_model: Callable[..., Path]) -> None:
    plain, other = FolderEmbedder(tiny_model()), FolderEmbedder(tiny_model(pooling="cls_token"))
    assert plain.name != other.name
    assert not np.allclose(plain.embed(["revenue rose"]), other.embed(["revenue rose"]))
    assert plain.name == FolderEmbedder(tiny_model()).name


def test_padding_positions_of_roberta_are_skipped(tiny_model: Callable[..., Path]) -> None:
    bert, roberta = tiny_model(), tiny_model(model_type="roberta", pad_token_id=1)
    assert FolderEmbedder(bert).config.max_tokens == 20
    assert FolderEmbedder(roberta).config.max_tokens == 18
    assert not np.allclose(FolderEmbedder(bert).embed(["profit"]), FolderEmbedder(roberta).embed(["profit"]))


def test_nothing_to_embed(minilm: Path) -> None:
    assert FolderEmbedder(minilm).embed([]).shape == (0, 384)


def test_several_threads_share_one_embedder(tiny_model: Callable[..., Path]) -> None:
    embedder = FolderEmbedder(tiny_model())
    results: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: results.append(embedder.embed(["revenue rose"]))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert all(np.array_equal(result, results[0]) for result in results)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "tokenizer.json").unlink(), "no tokenizer.json"),
        (lambda folder: (folder / "config.json").write_text("{"), "not JSON"),
        (lambda folder: (folder / "config.json").write_text('{"model_type": "t5"}'), "local:"),
        (lambda folder: (folder / "config.json").write_text('{"hidden_act": "silu"}'), "'silu' is not built in"),
        (lambda folder: (folder / "config.json").write_text('{"hidden_size": 8}'), "max_position_embeddings"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"not weights at all"), "cannot be read"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "not a tokenizer"),
    ],
)
def test_a_broken_folder_is_named(
    tiny_model: Callable[..., Path], change: Callable[[Path], object], message: str
) -> None:
    folder = tiny_model()
    change(folder)
    with pytest.raises(ModelError, match=message) as error:
        FolderEmbedder(folder).embed(["revenue"])
    assert str(folder) in str(error.value)


def test_batches_keep_within_the_budget_and_lose_nothing() -> None:
    lengths = np.random.default_rng(1).integers(2, 257, 500)
    parts = list(batches(lengths, 1024))
    assert sorted(np.concatenate(parts).tolist()) == list(range(500))
    assert all(len(part) * lengths[part].max() <= 1024 for part in parts)
    assert sum(len(part) * lengths[part].max() for part in parts) < 1.1 * lengths.sum()


def test_constructing_loads_neither_numpy_nor_weights(minilm: Path) -> None:
    code = (
        "import sys; from cliquerag.models.embedders import load_embedder; "
        f"load_embedder({str(minilm)!r}); "
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
