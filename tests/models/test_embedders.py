"""One setting chooses the embedder, and the default one is found without importing or downloading anything."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.models.cache import Cache, CachedEmbedder
from cliquerag.models.embedders import BATCH, load_embedder
from cliquerag.models.folder_embedder import FolderEmbedder, find_folder
from support.openai_server import OpenAIServer, embed, fail

KEY = "sk-secret-0123456789"


def test_none_is_none() -> None:
    assert load_embedder("none") is None


def test_a_folder_is_an_embedder(tiny_model: Callable[..., Path]) -> None:
    assert isinstance(load_embedder(str(tiny_model())), FolderEmbedder)


def test_int8_is_the_default_model_or_a_folder_in_whole_numbers(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model()
    embedder = load_embedder(f"int8:{folder}")
    assert isinstance(embedder, FolderEmbedder)
    assert embedder.name == FolderEmbedder(folder).name + "-int8"
    default = find_folder()
    if default is not None:
        assert load_embedder("int8").name == FolderEmbedder(default).name + "-int8"  # type: ignore[union-attr]


def test_the_cache_keeps_the_precisions_apart(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    folder, cache, text = tiny_model(), Cache(tmp_path), ["the company profit fell"]
    exact = CachedEmbedder(FolderEmbedder(folder), cache).embed(text)
    rounded = CachedEmbedder(FolderEmbedder(folder, int8=True), cache).embed(text)
    assert not np.array_equal(exact, rounded)
    np.testing.assert_array_equal(rounded, CachedEmbedder(FolderEmbedder(folder, int8=True), cache).embed(text))


@pytest.mark.parametrize(
    "setting", ["int8:no/such/folder", "no/such/folder", "unknown:x", "endpoint:model", "endpoint:m@ftp://x", "local:"]
)
def test_a_wrong_setting_is_named(setting: str) -> None:
    with pytest.raises(UsageError) as error:
        load_embedder(setting)
    assert setting.partition(":")[0] in str(error.value)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"cliquerag\[local\]"):
        load_embedder("local:BAAI/bge-small-en-v1.5")


def test_the_default_comes_from_the_package_without_importing_it(
    tiny_model: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "path" / "some_model_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('this would import torch')")
    tiny_model().rename(package / "model")
    monkeypatch.syspath_prepend(str(package.parent))
    assert find_folder(package="some_model_package") == package / "model"
    assert "some_model_package" not in sys.modules


def test_the_default_comes_from_the_local_hub_cache(
    tiny_model: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "hub" / "models--org--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("new\n")
    for revision in ("elder", "new"):
        (repository / "snapshots").mkdir(exist_ok=True)
        tiny_model().rename(repository / "snapshots" / revision)
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert find_folder(package="no_such_package", hub_name="org/name") == repository / "snapshots" / "new"
    assert find_folder(package="no_such_package", hub_name="org/other") is None


def length_and_one(text: str) -> list[float]:
    return [float(len(text)), 1.0]


def test_an_endpoint_gives_unit_vectors_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with OpenAIServer(embed(length_and_one, reverse=True)) as server:
        embedder = load_embedder(f"endpoint:bge-m3@{server.url}")
        assert embedder is not None
        texts = ["x" * i for i in range(BATCH + 2)]
        vectors = embedder.embed(texts)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
        np.testing.assert_allclose(vectors[1:, 0] / vectors[1:, 1], np.arange(1, BATCH + 2), rtol=1e-4)
        assert (embedder.dim, embedder.embed([]).shape) == (2, (0, 2))
        assert [len(call.body["input"]) for call in server.calls] == [BATCH, 2]
        assert server.calls[0].authorization == f"Bearer {KEY}"


def test_one_name_at_two_endpoints_shares_no_vectors(tmp_path: Path) -> None:
    found = []
    for vector in ([1.0, 0.0], [0.0, 1.0]):
        with OpenAIServer(embed(lambda _, vector=vector: vector)) as server:
            for url in (server.url, server.url + "/"):
                found.append(CachedEmbedder(load_embedder(f"endpoint:m@{url}"), Cache(tmp_path)).embed(["text"]))
            assert len(server.calls) == 1
    assert [row.tolist() for rows in found for row in rows] == [[1, 0], [1, 0], [0, 1], [0, 1]]


@pytest.mark.parametrize("trouble", [fail(401, f"bad key {KEY}"), embed(lambda text: [1.0])])
def test_an_endpoint_that_fails_is_named_without_the_key(monkeypatch: pytest.MonkeyPatch, trouble: object) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def lose_one(handler: object, body: dict[str, list[str]]) -> None:
        trouble(handler, {**body, "input": body["input"][1:]})  # type: ignore[operator]

    with OpenAIServer(lose_one) as server:
        embedder = load_embedder(f"endpoint:m@{server.url}")
        assert embedder is not None
        with pytest.raises(ModelError) as error:
            embedder.embed(["one", "two"])
        assert server.url in str(error.value)
        assert "secret" not in str(error.value)
