"""sentence-transformers behind the same contract; a stand-in for the library where it is not installed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.models.embedders import LocalEmbedder


class State(list):
    """As much of a tensor as is used."""

    def cpu(self) -> State:
        return self


class StandIn:
    """As much of SentenceTransformer as is used."""

    loaded = 0
    max_seq_length = 30

    def __init__(self, name: str) -> None:
        if name == "missing":
            raise OSError("no such model")
        self.pooling = "cls" if name == "first" else "mean"
        StandIn.loaded += 1

    def __iter__(self) -> Iterator[object]:
        return iter([object(), self])

    def get_pooling_mode_str(self) -> str:
        return self.pooling

    def tokenizer(self, text: str, add_special_tokens: bool, **options: object) -> dict[str, list[tuple[int, int]]]:
        assert options["return_offsets_mapping"] and not options["truncation"]
        words = [match.span() for match in re.finditer(r"\S+", text)]
        return {"offset_mapping": [(0, 0), *words, (0, 0)] if add_special_tokens else words}

    def encode(
        self, texts: list[str], normalize_embeddings: bool = False, output_value: str = "", **options: object
    ) -> np.ndarray | list[State]:
        if output_value == "token_embeddings":  # of each token its number and the tokens of its window
            counts = [len(self.tokenizer(text, True, return_offsets_mapping=True, truncation=False)["offset_mapping"])
                      for text in texts]  # fmt: skip
            assert max(counts) <= self.max_seq_length
            return [State([[at, count] for at in range(count)]) for count in counts]
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


def test_the_states_of_all_tokens_come_from_windows_that_the_model_can_read() -> None:
    text = " ".join(f"word{at:03d}" for at in range(100))
    offsets, states = LocalEmbedder("some/model").token_states(text)
    assert [text[a:b] for a, b in offsets] == text.split() and offsets.dtype == np.int64
    assert states.dtype == np.float32 and states.shape == (100, 2)
    places, lengths = states[1:-1, 0], states[1:-1, 1]
    assert (places >= 1).all() and (places <= lengths - 2).all()  # never a special token
    assert (np.minimum(places, lengths - 1 - places)[10:-10] > 4).all()  # with text on both sides
    assert LocalEmbedder("some/model").token_states("")[1].shape == (0, 2)


def test_vectors_of_a_first_token_cannot_be_pooled() -> None:
    with pytest.raises(UsageError, match="local:first"):
        LocalEmbedder("first").token_states("a")
