"""One embedder for the whole workspace, whatever runs behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

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
