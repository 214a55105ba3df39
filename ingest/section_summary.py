"""What is kept of the summaries of a document's sections; :mod:`.section_summaries` has them written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.records import dataclass

if TYPE_CHECKING:
    import numpy as np

STEP = "summaries"
"""The step whose version in a document's record says who wrote its summaries."""


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """What a section says; its chunks are those of the document numbered ``first`` to ``last``, both included."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class SectionSummaries:
    """Those of one document, in its order. ``vectors`` is float32 (rows, dim), unit; dim 0 without an encoder."""

    author: str
    """Model and version of the prompts."""
    rows: tuple[SectionSummary, ...]
    vectors: np.ndarray
