"""Sections: stretches of sentences between hard breaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..chunk import Break, Sentence, Span

if TYPE_CHECKING:
    import numpy as np


def section_numbers(sentences: Sequence[Sentence]) -> np.ndarray:
    """Int64 (n,): which section each sentence is of, ascending."""
    import numpy as np

    return np.cumsum([s.before >= Break.HARD for s in sentences], dtype=np.int64)


def by_section(sentences: Sequence[Sentence], cut: Callable[[int, int], list[Span]]) -> list[Span]:
    """Apply ``cut(first, last)``, whose spans count from 0, to every section; the spans of all sentences."""
    starts = [i for i, s in enumerate(sentences) if s.before >= Break.HARD]
    borders = sorted({0, *starts, len(sentences)})
    spans: list[Span] = []
    for first, last in pairwise(borders):
        for span in cut(first, last):
            spans.append(Span(first + span.first, first + span.last))
    return spans


def break_prices(sentences: Sequence[Sentence], weight: float) -> list[float]:
    """The price of a cut before each sentence: ``weight`` less at a line end, twice that less at a paragraph."""
    return [-weight * min(s.before, Break.PARAGRAPH) for s in sentences]
