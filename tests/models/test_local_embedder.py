"""sentence-transformers behind the same contract; a stand-in for the library where it is not installed."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest
from cliquerag.core.errors import ModelError
from cliquerag.models.local_embedder import LocalEmbedder


class StandIn:
    """As much of SentenceTransformer as is used."""

    loaded = 0

    def __init__(self, name: str) -> None:
        if name == "missing":
            raise OSError("no such model")
        StandIn.loaded += 1

    def encode(self, texts: list[str], normalize_embeddings: bool = False, **options: object) -> np.ndarray:
        assert texts and normalize_embeddings
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float64)


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.__spec__ = ModuleSpec("sentence_transformers", None)
    module.SentenceTransformer = StandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setattr(StandIn, "loaded", 0)


def test_the_model_is_loaded_once_and_only_when_used() -> None:
    embedder = LocalEmbedder("some/model")
    assert (embedder.name, StandIn.loaded) == ("local:some/model", 0)
    assert embedder.embed(["ab", ""]).tolist() == [[2, 1], [0, 1]]
    assert (embedder.embed(["a"]).dtype, embedder.dim, embedder.embed([]).shape) == (np.float32, 2, (0, 2))
    assert StandIn.loaded == 1


def test_a_model_that_cannot_be_loaded_is_named() -> None:
    with pytest.raises(ModelError, match="local:missing"):
        LocalEmbedder("missing").embed(["a"])
