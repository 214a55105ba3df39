"""Figures that a question quotes: the index holds words and years only, so the first hits are read for them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..ingest.chunk import Chunk
from ..kg.store import Store
from .found import Found
from .question import Question
from .rereading import raised_places

_NUMBER = re.compile(r"(?<![A-Za-z0-9.,-])\d[\d,]*(?:\.\d+)?(?![A-Za-z0-9-])")
_YEAR = re.compile(r"(?:19|20)\d\d")


def figures_in(text: str) -> frozenset[str]:
    """Numbers as written, without separators of thousands; years and single digits say too little.

    >>> sorted(figures_in("Net sales rose 12.5% to $1,234 million in 2023, the 3rd year"))
    ['12.5', '1234']
    >>> figures_in("In the 10-K, a 10K of 3M and its 12-month view")
    frozenset()
    """
    plain = (match.group().replace(",", "") for match in _NUMBER.finditer(text))
    return frozenset(number for number in plain if len(number) > 1 and not _YEAR.fullmatch(number))


def with_figures(store: Store, question: Question, found: Sequence[Found], weight: float) -> list[Found]:
    """The ranking with places that print the figures asked further in front; as it was where none is asked."""
    asked = figures_in(question.trimmed)
    if not asked or not weight:
        return list(found)

    def share(chunks: Sequence[Chunk]) -> float:
        return weight * len(asked & figures_in(" ".join(chunk.text for chunk in chunks))) / len(asked)

    return raised_places(store, found, "figures", share)
