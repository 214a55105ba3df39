"""Vectors of parts of a text from the states of their tokens in the whole of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.errors import UsageError
from cliquerag.models.cache import Cache, CachedEmbedder
from cliquerag.models.folder_embedder import FolderEmbedder
from cliquerag.models.token_states import pooled_states, text_windows, token_encoder, windows_of


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def test_every_token_is_taken_once_from_where_it_stands_in_the_middle() -> None:
    for tokens in (1, 7, 8, 9, 100, 1001):
        windows = windows_of(tokens, 8)
        taken = [at for window in windows for at in range(window.first, window.last)]
        assert taken == list(range(tokens))
        assert all(w.end - w.start <= 8 and w.start <= w.first and w.last <= w.end for w in windows)


def test_windows_in_characters_cover_the_text() -> None:
    offsets = [(3 * at, 3 * at + 2) for at in range(20)]
    windows = text_windows(offsets, 8)
    taken = [start for start, _ in offsets for w in windows if w.first <= start < w.last]
    assert taken == [start for start, _ in offsets]
    assert text_windows([], 8) == []


def test_a_short_text_pooled_whole_is_its_vector(minilm: Path) -> None:
    embedder = FolderEmbedder(minilm)
    text = "Revenue rose 12% because prices were higher."
    offsets, states = embedder.token_states(text)
    assert [text[a:b] for a, b in offsets[:3]] == ["Revenue", "rose", "12"] and len(states) == len(offsets)
    # The special tokens belong to the vector of a text and to none of its parts: nearly, not quite the same.
    assert float(_unit(states.sum(axis=0)) @ embedder.embed([text])[0]) > 0.97


def test_a_part_knows_the_text_around_it(minilm: Path) -> None:
    embedder = FolderEmbedder(minilm)
    texts = ["Berlin is the capital of Germany.", "The city has 3.8 million inhabitants."]
    pooled = pooled_states(texts, embedder)
    late, alone, (asked,) = _unit(pooled.sums), embedder.embed(texts), embedder.embed(["population of Berlin"])
    assert late[1] @ asked > alone[1] @ asked + 0.1
    assert pooled.tokens.tolist() == [len(embedder.token_states(text)[0]) for text in texts]


def test_a_text_beyond_the_models_input_has_a_state_for_every_token(minilm: Path) -> None:
    embedder = FolderEmbedder(minilm)
    long = "The bank raised its dividend again. " * 200
    offsets, states = embedder.token_states(long)
    assert len(offsets) == len(states) > 1_000
    assert (np.diff(offsets[:, 0]) > 0).all() and np.isfinite(states).all()
    assert embedder.token_states("")[1].shape == (0, embedder.dim)


def test_what_gives_no_states_is_named(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    class Whole:
        name, dim = "endpoint:x", 2

    with pytest.raises(UsageError, match="endpoint:x"):
        token_encoder(Whole())  # type: ignore[arg-type]
    first_token = FolderEmbedder(tiny_model(pooling="cls_token"))
    assert token_encoder(CachedEmbedder(first_token, Cache(tmp_path))) is first_token
    with pytest.raises(UsageError, match="cls"):
        first_token.token_states("a")
