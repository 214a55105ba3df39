"""The spaces of vectors in a workspace: those of one encoder never meet those of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np

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
