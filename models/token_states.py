"""Late chunking: vectors of parts of a text from the states that their tokens have in the text around them.

Source: Günther et al., "Late Chunking: Contextual Chunk Embeddings Using Long-Context Embedding Models", 2024. The
encoder reads a window of the text, the states of the tokens of a part are averaged: "it" knows what it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..core.errors import UsageError
from ..core.records import dataclass
from .embedders import Embedder

if TYPE_CHECKING:
    import numpy as np

_JOINT = " "
_AROUND = 0.25
"""Share of a window on each side whose tokens are read again in the next window: every token sees as much around it."""
_STRETCH = 20_000
"""Characters joined at a time, whose token states are held at once: some 8 MB of 384 numbers each."""


@runtime_checkable
class TokenEncoder(Protocol):
    """An embedder that gives the states of single tokens as well."""

    @property
    def dim(self) -> int: ...

    def token_states(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """Of the tokens of a text of any length: int64 (tokens, 2) offsets, float32 (tokens, dim) states.

        Raises UsageError where the model's vectors are no means of its token states.
        """


@dataclass(frozen=True, slots=True)
class PooledStates:
    """Sums of token states, a row for each text, and how many tokens each has."""

    sums: np.ndarray
    """Float32 (texts, dim)."""
    tokens: np.ndarray
    """Int64 (texts,)."""


def token_encoder(embedder: Embedder) -> TokenEncoder:
    """The encoder behind an embedder. Raises UsageError where it gives nothing but whole vectors, as endpoints do."""
    from .cache import CachedEmbedder

    inner = embedder.embedder if isinstance(embedder, CachedEmbedder) else embedder
    if isinstance(inner, TokenEncoder):
        return inner
    hint = "Late chunking needs a model folder or local:NAME; endpoints give no states of tokens"
    raise UsageError("this embedding model gives no states of tokens", where=embedder.name, hint=hint)


def pooled_states(texts: Sequence[str], encoder: TokenEncoder) -> PooledStates:
    """The token states of texts that follow each other, each text read with those around it, summed a text."""
    import numpy as np

    sums = np.zeros((len(texts), encoder.dim), dtype=np.float32)
    tokens = np.zeros(len(texts), dtype=np.int64)
    for part in _stretches(texts):
        own = texts[part.start : part.stop]
        starts = list(accumulate((len(text) + len(_JOINT) for text in own), initial=0))
        offsets, states = encoder.token_states(_JOINT.join(own))
        rows = part.start + np.searchsorted(starts, offsets[:, 0], side="right") - 1
        np.add.at(sums, rows, states)
        np.add.at(tokens, rows, 1)
    return PooledStates(sums, tokens)


def _stretches(texts: Sequence[str]) -> Iterator[range]:
    start = filled = 0
    for at, text in enumerate(texts):
        if at > start and filled + len(text) > _STRETCH:
            yield range(start, at)
            start, filled = at, 0
        filled += len(text)
    if start < len(texts):
        yield range(start, len(texts))


@dataclass(frozen=True, slots=True)
class Window:
    """``text[start:end]`` is read at once; of it the tokens from ``first`` to before ``last`` are taken."""

    start: int
    end: int
    first: int
    last: int


def windows_of(tokens: int, size: int) -> list[Window]:
    """Windows of at most ``size`` tokens, each token taken from the one in whose middle it stands.

    >>> windows_of(10, 8)
    [Window(start=0, end=8, first=0, last=6), Window(start=4, end=10, first=6, last=10)]
    """
    margin = int(size * _AROUND)
    step = max(1, size - 2 * margin)
    found: list[Window] = []
    for start in range(0, max(1, tokens - 2 * margin), step):
        first = start + margin if start else 0
        found.append(Window(start, min(tokens, start + size), first, start + margin + step))
    found[-1] = replace(found[-1], last=tokens)
    return found


def text_windows(offsets: Sequence[tuple[int, int]], size: int) -> list[Window]:
    """The same in characters, for tokens that stand at these offsets of a text."""
    found: list[Window] = []
    for window in windows_of(len(offsets), size) if offsets else ():
        start, end = offsets[window.start][0], offsets[window.end - 1][1]
        last = offsets[window.last][0] if window.last < len(offsets) else end
        found.append(Window(start, end, offsets[window.first][0], last))
    return found


def in_windows(ids: Sequence[int], size: int, encode: Callable[[list[Sequence[int]]], list[np.ndarray]]) -> np.ndarray:
    """Float32 (len(ids), dim): the state of each token of a text.

    ``encode`` gives for windows of at most ``size`` ids the states of each, (its ids, dim).
    """
    import numpy as np

    windows = windows_of(len(ids), size)
    states = encode([ids[window.start : window.end] for window in windows])
    kept = [own[w.first - w.start : w.last - w.start] for w, own in zip(windows, states, strict=True)]
    return np.concatenate(kept)
