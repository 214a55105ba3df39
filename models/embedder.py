"""What an embedder is, whatever runs behind it, and the spaces of its vectors: two encoders' never meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np


class Embedder(Protocol):
    """Turns texts into unit vectors.

    ``name`` identifies the weights, stored with every vector: vectors of different names never meet. Where it is only
    what a server calls them, ``cache_name`` also says which server: two may call different weights alike.
    """

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 (len(texts), dim), unit rows, in the order given."""


@dataclass(frozen=True, slots=True)
class Multilingual:
    """An encoder of many languages that works beside one that knows English alone; its vectors are kept apart.

    ``english_too`` embeds English texts with both, so that a question in another language finds them.
    """

    embedder: Embedder
    english_too: bool = False


def multilingual_of(embedder: Embedder | None) -> Multilingual | None:
    """The encoder of many languages that stands beside an embedder; None where it works alone."""
    beside: Multilingual | None = getattr(embedder, "multilingual", None)
    return beside


Space = Literal["main", "multilingual"]
MAIN: Space = "main"
"""Of the workspace's embedder; where a multilingual one stands beside it, of the English documents."""
MULTILINGUAL: Space = "multilingual"
"""Of the encoder of many languages beside it: of the other documents, of the English ones where they are wanted too."""
SPACES: tuple[Space, ...] = (MAIN, MULTILINGUAL)


@dataclass(frozen=True, slots=True, eq=False)
class SpaceVectors:
    """A document's vectors in a space, and the encoder that they come from."""

    embedder: str
    chunks: np.ndarray
    """Float32 (chunks, dim), unit rows."""
    sentences: np.ndarray
    """Float32 (sum of ``len(chunk.sentences)``, dim), unit rows, in chunk order."""
