"""Precision, recall and F1 of extracted triples or names against gold (micro-averaged over documents)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was right, found and wanted; adds up over documents to the micro average.

    >>> (Counts(2, 4, 2) + Counts(1, 1, 2)).precision
    0.6
    """

    right: int = 0
    found: int = 0
    wanted: int = 0

    @property
    def precision(self) -> float:
        """``right / found``, 0 where nothing was found."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """``right / wanted``, 0 where nothing was wanted."""
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both: ``2 right / (found + wanted)`` (van Rijsbergen 1979)."""
        return 2 * self.right / (self.found + self.wanted) if self.found + self.wanted else 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.right + other.right, self.found + other.found, self.wanted + other.wanted)


def match(found: Iterable[Hashable], gold: Iterable[Hashable]) -> Counts:
    """Compare two bags of items; each gold item can be matched once.

    >>> match(["a", "a", "b"], ["a", "c"])
    Counts(right=1, found=3, wanted=2)
    """
    ours, theirs = Counter(found), Counter(gold)
    return Counts((ours & theirs).total(), ours.total(), theirs.total())
