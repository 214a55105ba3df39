"""One embedder for the whole workspace, whatever runs behind it."""

from __future__ import annotations

from collections.abc import Sequence
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
